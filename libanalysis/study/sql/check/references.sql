-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT DISTINCT IFNULL ('row ' || rowid, 'a row') || ' of ' || "table" || ' refers to a row that is not in ' || parent
FROM pragma_foreign_key_check
