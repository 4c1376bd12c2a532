/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps each field as a text of the study's group. Fields that do not count stay as they were when they did. */
#include "record/form-memory.h"

#include "record/fields.h"
#include "state.h"

#define GROUP "form-memory-group" /* as data of the form */

static char *
key_of (const Field *field)
{
  return g_strconcat ("record-", field->key, NULL);
}

static void
recall (RecordForm *form, const char *group, const Field *field)
{
  g_autofree char *key = key_of (field);
  g_autofree char *text = state_text (group, key);

  if (text)
    record_form_set (form, field->key, text);
}

static void
keep (RecordForm *form, const char *group, const Field *field)
{
  g_autofree char *key = key_of (field);
  const char *text = record_form_get (form, field->key);

  if (record_form_counts (form, field->key))
    state_set_text (group, key, text ? text : "");
}

static void
each_field (RecordForm *form, void (*act) (RecordForm *form, const char *group, const Field *field))
{
  for (const FieldGroup *group = field_groups; group->title; group++)
    for (const Field *field = group->fields; field->key; field++)
      act (form, g_object_get_data (G_OBJECT (form), GROUP), field);
}

static void
on_changed (RecordForm *form, gpointer data)
{
  each_field (form, keep);
}

void
form_memory_keep (RecordForm *form, const char *path)
{
  g_object_set_data_full (G_OBJECT (form), GROUP, state_group_of (path), g_free);
  each_field (form, recall);
  g_signal_connect (form, "changed", G_CALLBACK (on_changed), NULL);
}
