/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form in which a recording is described: all fields, in their groups. Fields that count only with another's value
 * are shown only with it. At first they have their first values. It emits "changed". */
#pragma once

#include <adwaita.h>

#define RECORD_TYPE_FORM (record_form_get_type ())

G_DECLARE_FINAL_TYPE (RecordForm, record_form, RECORD, FORM, AdwBin)

/* The value of the field @name; NULL where it is empty or does not count. Belongs to the form. */
const char *record_form_get (RecordForm *form, const char *name);

/* Whether the field @name counts with what else is set; TRUE where there is no such field. */
gboolean record_form_counts (RecordForm *form, const char *name);

/* Sets the field @name to @value; NULL: to its first value. FALSE where there is no such field or choice. */
gboolean record_form_set (RecordForm *form, const char *name, const char *value);

/* Sets all fields to their first values. */
void record_form_reset (RecordForm *form);

/* Why nothing can be recorded as it stands, in a sentence; NULL: it can be. Belongs to the form. */
const char *record_form_problem (RecordForm *form);

/* Goes to the field @name; opens the group that it is in. */
void record_form_focus (RecordForm *form, const char *name);

/* Tells something below the trigger, until that is edited; NULL: nothing. */
void record_form_remark (RecordForm *form, const char *text);

/* Sets @form to what it was for the study at @path, and remembers there what it becomes. */
void record_form_keep (RecordForm *form, const char *path);
