/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The request for blocks of wake-ups in random order, in which a function is delayed on purpose, or half of which are
 * treated: see latency/comparison/trial.h. */
#pragma once

#include <json-glib/json-glib.h>

#define CULPRIT_BLOCK_NS 10000000000 /* that a block takes, unless something else is asked for */

/* How long a block of @request takes, in ns. */
double culprit_block_duration_ns (JsonObject *request);

#define CULPRIT_DELAYS_USUAL "5us,10us,20us"
#define CULPRIT_ROUNDS_USUAL 6

typedef struct
{
  const char *function; /* or MODULE:FUNCTION */
  const char *delays;   /* at its entry, ascending, e.g. CULPRIT_DELAYS_USUAL */
  gint rounds;          /* blocks with each delay, and with none */
  gint percent;         /* of a CPU, that delays may take */
} CulpritDelaying;

/* The delays of @text, e.g. CULPRIT_DELAYS_USUAL, with 0 before them. NULL: it is not what culprit_delays_demand()
 * says, which the caller owns. */
GArray *culprit_delays_parse (const char *text);
char *culprit_delays_demand (void);

/* Adds to @request what @delaying asks for. FALSE with an error that names the option. */
gboolean culprit_request_delay (JsonObject *request, const CulpritDelaying *delaying, GError **error);

#define CULPRIT_TREATED_BLOCKS_USUAL 12

typedef struct
{
  const char *treat; /* the command before each block that is treated */
  const char *undo;  /* after it */
  gint blocks;       /* with the treatment and without, all together */
} CulpritTreating;

/* Adds to @request what @treating asks for. FALSE with an error that names the option. */
gboolean culprit_request_treat (JsonObject *request, const CulpritTreating *treating, GError **error);
