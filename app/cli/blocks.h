/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands have in common that measure wake-ups in blocks, in random order. */
#pragma once

#include "command.h"
#include "record-options.h"

typedef struct
{
  const char *about;                  /* "Delaying usb_poll" */
  const char *besides;                /* what takes time beside the blocks: ", and ..."; empty: nothing */
  guint round;                        /* blocks of a round */
  const char *condition;              /* of a block, with the next one behind it, for its progress */
  char *(*say) (JsonNode *condition); /* what the request has for it; the caller owns it */
  int (*show) (const Options *options, const char *series);
} Blocks;

/* Prepares @own for blocks; @name helps with --run. */
void blocks_options_init (RecordOptions *own, const char *name);

/* The request of @own, with blocks of the usual length unless another is given. NULL with an error. */
JsonObject *blocks_request (const RecordOptions *own, GError **error);

/* Shows the result in the study again, unless there are options for measuring: @given (NULL: none), or of @own. Then it
 * complains that they need @needed. Returns the exit status. */
int blocks_show_again (
    const Options *options, const Blocks *blocks, const RecordOptions *own, const char *given, const char *needed);

/* Announces and measures the blocks of @request into the series @name, and shows the result. Returns the exit status.
 */
int blocks_measure (
    const Options *options, const Blocks *blocks, const char *name, const CulpritTarget *target, JsonObject *request);
