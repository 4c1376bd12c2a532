-- SPDX-License-Identifier: GPL-3.0-or-later
-- Digests that end with CULPRIT_DIGEST_KIND.
'%-xxh3-128-over-blocks-of-128-KiB'
