/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A strip plot: a dot for each late wake-up, and one for its ordinary ones. Properties, for templates: "title", what
 * the values are; "times", whether they are in ns. */
#pragma once

#include <gtk/gtk.h>

#define CULPRIT_TYPE_STRIP (culprit_strip_get_type ())
G_DECLARE_FINAL_TYPE (CulpritStrip, culprit_strip, CULPRIT, STRIP, GtkWidget)

/* Shows @late (of double) above @ordinary (of double), which may both be freed afterwards. */
void culprit_strip_set_values (CulpritStrip *strip, const GArray *late, const GArray *ordinary);
