-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT kernel, kernel_before, function AS culprit, class, hosts, captures, outliers, captures_before, outliers_before,
       p_value
FROM fleet_new
ORDER BY p_value, kernel, culprit, class
