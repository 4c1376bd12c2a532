/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of the recorder's protocol (app/recorder/PROTOCOL.md), read once and checked: whoever is given a message may
 * rely on its numbers being within bounds and its texts being fit to be shown on one line. It does not change, so that
 * threads may share it. */
#pragma once

#include "facts.h"
#include "study/import.h"
#include "study/runs.h"

typedef enum
{
  CULPRIT_MESSAGE_UNKNOWN, /* of a type that this version does not know */
  CULPRIT_MESSAGE_HELLO,
  CULPRIT_MESSAGE_FACTS,
  CULPRIT_MESSAGE_NOTE,
  CULPRIT_MESSAGE_CALIBRATION,
  CULPRIT_MESSAGE_RUN,
  CULPRIT_MESSAGE_PROGRESS,
  CULPRIT_MESSAGE_HIT,
  CULPRIT_MESSAGE_CAPTURE,
  CULPRIT_MESSAGE_DATA,
  CULPRIT_MESSAGE_CAPTURE_END,
  CULPRIT_MESSAGE_SAMPLES,
  CULPRIT_MESSAGE_RUN_END,
  CULPRIT_MESSAGE_ERROR,
  CULPRIT_MESSAGE_END,
  CULPRIT_MESSAGE_IMPORTED, /* of this program: a capture came into the study */
} CulpritMessageType;

typedef struct
{
  CulpritMessageType type;
  char *json;      /* the line; NULL if it is but bytes */
  gint64 run;      /* its number in the recording; 0: it belongs to none */
  gboolean traced; /* whether that run is */
  gint64 capture;  /* its number in the recording, of "imported" in the study; of "progress" how many there are */
  char *text;      /* of "note" and "error"; the version of "hello", the reason of "end", the warning of "imported" */
  union
  {
    gint64 protocol;                /* of "hello" */
    CulpritFacts facts;             /* of "facts" */
    CulpritRunTotals totals;        /* of "progress", as far as its members go, and "run-end" */
    CulpritRecordedSamples samples; /* of "samples" */
    gint64 size_bytes;              /* of "capture-end" */
    struct
    {
      gint64 latency_median_ns;
      gint64 shortest_period_ns;
    } calibration;
    struct
    {
      guint8 *bytes;
      gsize size;
    } data;
    struct
    {
      char *file;
      gint64 latency_ns;
      gint64 ordinary_windows;
    } imported;
  };
} CulpritMessage;

/* The message that the line @text of @length bytes is. NULL with an error that tells what is wrong, and names nobody.
 */
CulpritMessage *culprit_message_parse (const char *text, gsize length, GError **error);

/* Says @text, which is ours. */
CulpritMessage *culprit_message_note (const char *text);

/* The message that the capture in @file came into the study, and what came of it. */
CulpritMessage *culprit_message_imported (const char *file, const CulpritImportResult *imported);

CulpritMessage *culprit_message_ref (CulpritMessage *message);
void culprit_message_unref (CulpritMessage *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritMessage, culprit_message_unref)
