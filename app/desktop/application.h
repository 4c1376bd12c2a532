/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The application: its windows, recently opened studies, light or dark colours. */
#pragma once

#include <gtk/gtk.h>

#define CULPRIT_APPLICATION_ID "io.github.culprit.Culprit"

#define CULPRIT_TYPE_APPLICATION (culprit_application_get_type ())
G_DECLARE_FINAL_TYPE (CulpritApplication, culprit_application, CULPRIT, APPLICATION, GtkApplication)

GtkApplication *culprit_application_new (void);

/* What is remembered; NULL where its schema is not installed. Belongs to the application. */
GSettings *culprit_application_settings (CulpritApplication *application);
