-- SPDX-License-Identifier: GPL-3.0-or-later
-- A node has a row wherever one below it has.
DELETE FROM node
WHERE node_id NOT IN (SELECT node_id FROM outlier_node UNION SELECT node_id FROM ordinary_node);
