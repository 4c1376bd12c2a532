-- SPDX-License-Identifier: GPL-3.0-or-later
DROP TABLE IF EXISTS map;
DROP TABLE IF EXISTS new_capture;
DROP TABLE IF EXISTS new_run;
DROP TABLE IF EXISTS host_map;
DROP TABLE IF EXISTS function_map;
DROP TABLE IF EXISTS node_map;
DROP TABLE IF EXISTS run_map;
DROP TABLE IF EXISTS own_run;
DROP TABLE IF EXISTS configuration;
