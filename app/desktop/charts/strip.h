/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A strip: a dot for each late wake-up, beside one for its ordinary ones. Its properties, for a template: "title", what
 * the values are, and "times", whether they are ns. */
#pragma once

#include <gtk/gtk.h>

#define CULPRIT_TYPE_STRIP (culprit_strip_get_type ())
G_DECLARE_FINAL_TYPE (CulpritStrip, culprit_strip, CULPRIT, STRIP, GtkWidget)

/* Shows @late (of double) above @ordinary (of double), both not needed afterwards. */
void culprit_strip_set_values (CulpritStrip *strip, const GArray *late, const GArray *ordinary);
