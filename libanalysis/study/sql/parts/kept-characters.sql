-- SPDX-License-Identifier: GPL-3.0-or-later
-- How much of a label is kept when a number is appended: names may not become longer with each merge.
256
