/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings as people give them, by options or fields, and the request to a recorder made from them: see
 * recorder/settings.h for the table of all, and recorder/PROTOCOL.md. */
#pragma once

#include "recorder/settings.h"

#include <json-glib/json-glib.h>

/* The choices of a load: none, built-in ones, and a custom command. */
extern const SettingChoice culprit_loads[];

/* Sets the member of @object for @setting to what @text says; to names and files it is added. FALSE if that is not what
 * culprit_setting_demand() says. */
gboolean culprit_setting_set (JsonObject *object, const Setting *setting, const char *text);

/* Its choices with @mark after the first, "refuse (default), warn or skip". The caller owns it. */
char *culprit_setting_choices (const Setting *setting, const char *mark);

/* "must be a whole number from 1 to 99". The caller owns it. */
char *culprit_setting_demand (const Setting *setting);

/* What leaving it out means, e.g. "8192"; of a needed one, an example; NULL: nothing to tell. The caller owns it. */
char *culprit_setting_hint (const Setting *setting);

/* The name of its option, without dashes; NULL: it has none. */
const char *culprit_setting_option (const Setting *setting);

/* As culprit_setting_set(), by an option; with an error that names it. The option of a range sets @setting and the next
 * one. */
gboolean culprit_option_set (JsonObject *object, const Setting *setting, const char *text, GError **error);

/* Adds to @request the settings of a run that was requested by @configuration and that it leaves open: how to measure,
 * but neither what to trace, nor into how much memory, nor when to stop, nor a load that is not built in, which may be
 * somebody else's. */
void culprit_request_like (JsonObject *request, JsonObject *configuration);

/* Which of the settings of @request that burden a machine are neither @given nor usual, as options with values of JSON;
 * NULL: none. The caller owns it. */
char *culprit_request_say_like (JsonObject *request, JsonObject *given);

/* The name of the choice that has the load @command, which is NULL for none; NULL: it is custom. */
const char *culprit_load_name (const char *command);

/* Adds to @request what its settings leave open, and depends on others. */
void culprit_request_complete (JsonObject *request);

/* The number @key of @request, or what the recorder takes if there is none. */
gint64 culprit_request_number (JsonObject *request, const char *key);

/* What a recorder is to do for the settings of @request: "record", "watch", "prove" or "trial". */
const char *culprit_request_action (JsonObject *request);

/* The list of what changes from one run of @request to the next, one for each: delays, or treatments. NULL: nothing
 * does. */
JsonArray *culprit_request_blocks (JsonObject *request);
