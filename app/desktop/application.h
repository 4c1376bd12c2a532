/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The application: its windows, recently opened studies, light or dark colours. */
#pragma once

#include <gio/gio.h>
#include <gtk/gtk.h>

/* The sample study: a real case to start with. */

/* Whether there is a sample. */
gboolean sample_exists (void);

#define CULPRIT_APPLICATION_ID "io.github.culprit.Culprit"
#define CULPRIT_TYPE_APPLICATION (culprit_application_get_type ())

G_DECLARE_FINAL_TYPE (CulpritApplication, culprit_application, CULPRIT, APPLICATION, GtkApplication)

GtkApplication *culprit_application_new (void);

/* What is remembered; NULL where its schema is not installed. Belongs to the application. */
GSettings *culprit_application_settings (CulpritApplication *application);
