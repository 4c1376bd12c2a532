/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form in which a recording is described: all fields, in their groups. Fields that count only with another's value
 * are shown only with it. At first they have their first values. It emits "changed". */
#pragma once

#include "document.h"

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

#define RECORD_TYPE_FORM (record_form_get_type ())

G_DECLARE_FINAL_TYPE (RecordForm, record_form, RECORD, FORM, GtkWidget)

/* The value of the field @key; NULL where it is empty or does not count. Belongs to the form. */
const char *record_form_get (RecordForm *form, const char *key);

/* Whether the field @key counts with what else is set; TRUE where there is no such field. */
gboolean record_form_counts (RecordForm *form, const char *key);

/* Sets the field @key to @value; NULL: to its first value. FALSE where there is no such field or choice. */
gboolean record_form_set (RecordForm *form, const char *key, const char *value);

/* Sets all fields to their first values. */
void record_form_reset (RecordForm *form);

/* Why nothing can be recorded as it stands, in a sentence; NULL: it can be. Belongs to the form. */
const char *record_form_problem (RecordForm *form);

/* Goes to the field @key; opens the group that it is in. */
void record_form_focus (RecordForm *form, const char *key);

/* Tells something below the trigger, until that is edited; NULL: nothing. */
void record_form_remark (RecordForm *form, const char *text);

/* Remembers for each study what its recording form was set to. */

/* Sets @form to what it was for the study at @path, and remembers what it becomes. */
void form_memory_keep (RecordForm *form, const char *path);

/* Fills in the form for the recording that follows from what was measured. */

/* The band from @low_ns to @high_ns, which was chosen among the latencies of @run, as of band_map(). */
void form_next_band (RecordForm *form, CulpritDocument *document, const char *run, gint64 low_ns, gint64 high_ns);

/* The settings of @run with the threshold @threshold_ns. */
void form_next_threshold (RecordForm *form, CulpritDocument *document, const char *run, gint64 threshold_ns);

/* The settings of @run to record latencies without tracing and with it in turn, often enough to compare shapes. */
void form_next_in_turn (RecordForm *form, CulpritDocument *document, const char *run);
