/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that were measured as blocks, in random order, under conditions that the configuration of their series lists:
 * delays of a function (proofs.c), or a treatment (trials.c). */
#pragma once

#include "latency/profile.h"
#include "study.h"

#include <json-glib/json-glib.h>

/* A run that has latencies. */
typedef struct
{
  gint64 turn; /* the place of its condition in the list, from 1 */
  CulpritProfile *latencies;
} Block;

/* Such a series. */
typedef struct
{
  char *name;
  JsonNode *root;
  JsonObject *configuration;
} BlockSeries;

/* The last series of the study called @series, or whose configuration names @function; NULL for all. It is one with
 * blocks if the configuration has the text @member. NULL without an error: there is none. */
BlockSeries *blocks_find (
    CulpritStudy *study, const char *member, const char *series, const char *function, GError **error);
void block_series_free (BlockSeries *series);

/* The list @name of @configuration; NULL: it has none. */
JsonArray *blocks_list (JsonObject *configuration, const char *name);

/* An array of Block, which the caller owns, in the order of measuring. NULL with an error; @command has measured it. */
GArray *blocks_read (CulpritStudy *study, const char *series, const char *command, GError **error);

/* Adds to a sum that must not exceed MAX_SUM. */
gboolean blocks_add_up (guint64 *sum, guint64 more);

/* NULL with an error: @series "has more delays than culprit prove measures", if these are @wrong and @command. */
gpointer blocks_refuse (
    CulpritStudy *study, const char *series, const char *wrong, const char *command, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BlockSeries, block_series_free)
