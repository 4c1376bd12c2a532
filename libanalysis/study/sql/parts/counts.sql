-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether a capture counts: not if it is ignored, unless the filter names it.
(:captures IS NOT NULL OR capture.triage <> 'ignored')
