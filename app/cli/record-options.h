/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that say where and what to record, made from the tables of settings. */
#pragma once

#include "record/target.h"

#define MOST_SETTINGS 64

typedef struct
{
  const Setting *table; /* that has the setting */
  const Setting *setting;
  char *text;   /* what it was given; NULL: nothing, or it is of another kind */
  char **texts; /* all that were given, if it may be repeated */
  gboolean on;  /* of a switch */
} SettingOption;

typedef struct
{
  char *target;
  char *run; /* the name in the study */
  SettingOption settings[MOST_SETTINGS];
  guint n;
  GPtrArray *helps;
  GArray *entries; /* of GOptionEntry, ending with an empty one */
} RecordOptions;

/* Prepares @options->entries for command_parse(): for a target, and with @records also for what to record. */
void record_options_init (RecordOptions *options, gboolean records);

/* The same for a recording of which only the settings with these @keys can be chosen; @name helps with --run. */
void record_options_init_some (RecordOptions *options, const char *name, const char *const *keys);

/* Whether the setting @key of a recording was given. */
gboolean record_options_have (const RecordOptions *options, const char *key);

/* The first option given beside --run, as "target"; NULL: none. */
const char *record_options_given (const RecordOptions *options);
void record_options_clear (RecordOptions *options);

/* The target of these options. NULL with an error. */
CulpritTarget *record_options_target (const RecordOptions *options, GError **error);

/* The request for these options, by the protocol. NULL with an error that names the option. */
JsonObject *record_options_request (const RecordOptions *options, GError **error);

/* Of that only what was given. */
JsonObject *record_options_settings (const RecordOptions *options, GError **error);

/* command_fail() for an @error of @target; NULL: of reading the options. */
int target_fail (const CulpritTarget *target, GError *error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RecordOptions, record_options_clear)
