-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether a capture is one of those that a filter names, as a JSON list.
(:captures IS NULL OR capture.capture_id IN (SELECT value FROM json_each (:captures)))
