-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT integrity_check
FROM pragma_integrity_check
WHERE integrity_check <> 'ok'
