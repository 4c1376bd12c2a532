/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the form to a target and a request, and fills the form from a script's JSON. */
#pragma once

#include "record/record-form.h"
#include "record/target.h"

/* The target that @form names. NULL with an error. */
CulpritTarget *form_target (RecordForm *form, GError **error);

/* What people call @target. Belongs to it. */
const char *form_target_title (const CulpritTarget *target);

/* What recording on @target begins with. Belongs to it. */
const char *form_target_step (const CulpritTarget *target);

/* The request, as "culprit record" would build it. NULL with an error. */
JsonObject *form_request (RecordForm *form, GError **error);

/* Sets the fields that @key, a setting as form_fill() takes it, stands for. FALSE: there is no such setting, or it
 * cannot be @value. */
gboolean form_set (RecordForm *form, const char *key, JsonNode *value);

/* Sets @form to what @text says, a JSON object, and all else but the load to its first value. Its members are fields by
 * their keys; "target" may be "ssh:HOST" as well, "band" "LOW,HIGH". Times are texts, lists are arrays. The load stays
 * as people entered it: @text comes from the session bus, where any program may ask, and must not bring a command
 * along. FALSE with an error that names what is not understood, or means nothing beside the rest. */
gboolean form_fill (RecordForm *form, const char *text, GError **error);
