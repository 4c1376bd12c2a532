-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether a run is :label with a number behind it.
(substr (name, 1, length (:label) + 1) = :label || '-' AND substr (name, length (:label) + 2) GLOB '[0-9]*'
 AND substr (name, length (:label) + 2) NOT GLOB '*[^0-9]*')
