-- SPDX-License-Identifier: GPL-3.0-or-later
-- As culprit_function_key().
function.name || IIF (function.ordinal > 0, '#' || (function.ordinal + 1), '')
|| IIF (function.module <> '', ' [' || function.module || ']', '')
