-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT function_id, name, module, ordinal
FROM function
