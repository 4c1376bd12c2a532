/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of the form: the settings of a recording and of a virtual machine, and the form's own. They are known by
 * their names, to scripts as well. */
#pragma once

#include "record/target.h"

/* Calls @act for each field of @group, in the order of the form. */
void field_each (SettingGroup group, void (*act) (const Setting *field, gpointer data), gpointer data);

/* The choice of @field at @place, where that is a choice; NULL: there are no more. */
const SettingChoice *field_choice (const Setting *field, guint place);

/* What is wrong with @text as the value of @field, in a sentence; NULL: nothing. The caller owns it. */
char *field_problem (const Setting *field, const char *text);

/* Sets the member of @object for @field to @text, as it stands in the form; NULL: does nothing. */
void field_store (const Setting *field, const char *text, JsonObject *object);
