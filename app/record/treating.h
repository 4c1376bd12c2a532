/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The request for blocks of wake-ups in random order, half of which are treated: see latency/trial.h. */
#pragma once

#include <json-glib/json-glib.h>

#define CULPRIT_TREATED_BLOCKS_USUAL 12

typedef struct
{
  const char *treat; /* the command before each block that is treated */
  const char *undo;  /* after it */
  gint blocks;       /* with the treatment and without, all together */
} CulpritTreating;

/* Adds to @request what @treating asks for. FALSE with an error that names the option. */
gboolean culprit_request_treat (JsonObject *request, const CulpritTreating *treating, GError **error);
