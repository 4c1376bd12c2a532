-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether a run was recorded for :series, on its machine.
(json_extract (configuration, '$.explains.series') = :series AND {same-host})
