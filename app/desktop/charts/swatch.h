/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A patch in the colour of a run, beside its name. */
#pragma once

#include <gtk/gtk.h>

#define CULPRIT_TYPE_SWATCH (culprit_swatch_get_type ())
G_DECLARE_FINAL_TYPE (CulpritSwatch, culprit_swatch, CULPRIT, SWATCH, GtkWidget)

GtkWidget *culprit_swatch_new (guint number);

/* Shows the colour of the run @number, as of culprit_study_run_number(). */
void culprit_swatch_set_run (CulpritSwatch *swatch, guint number);
