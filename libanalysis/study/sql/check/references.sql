-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'row ' || rowid || ' of ' || "table" || ' refers to a row that is not in ' || parent
FROM pragma_foreign_key_check
