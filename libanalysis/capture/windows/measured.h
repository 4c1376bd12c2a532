/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a window is: from what to what, and whose. A series has windows of one definition, which its text states; so
 * does the log beside a recorded capture:
 *
 *   cyclic                         from the expected to the observed time of a cycle
 *   wakeup-of/timer:TASK           from the expiry of the timer on which a task sleeps until it runs
 *   wakeup-of/waking:TASK          from sched_waking until it runs
 *   response-of/timer:TASK         from the expiry of its timer until it is asleep again
 *   response-of/waking:TASK        from sched_waking until it is asleep again
 *   between/KEY=KEY:EVENT..EVENT   from one event to the next of another kind; with the same value of a field of each
 *   between/:EVENT..EVENT          the same with whatever values
 *   marks:TEXT..TEXT               from one text that a thread writes to trace_marker to the next of another kind
 *
 * TASK is a name of at most 15 bytes, or a pid. EVENT is SYSTEM:NAME, or SYSTEM:NAME/FILTER/; or instead of SYSTEM:NAME
 * a probe of a program: see probe.h. */
#pragma once

#include <glib.h>

typedef enum
{
  CULPRIT_MEASURED_CYCLES,
  CULPRIT_MEASURED_WAKEUP,
  CULPRIT_MEASURED_RESPONSE,
  CULPRIT_MEASURED_BETWEEN,
  CULPRIT_MEASURED_MARKS,
} CulpritMeasuredKind;

/* One end of a window. */
typedef struct
{
  char *probe;  /* as stated, e.g. "uprobe:./myloop:work_begin"; NULL: it is an event of the kernel */
  char *system; /* of the event, e.g. "sched" */
  char *name;   /* e.g. "sched_waking" */
  char *filter; /* of its fields, without the slashes; NULL: none */
  char *key;    /* its field whose value both ends have in common; NULL: none */
  char *text;   /* of a mark */
} CulpritMeasuredEnd;

typedef struct
{
  CulpritMeasuredKind kind;
  gboolean from_waking; /* instead of the timer's expiry */
  char *task;           /* its name, or its pid in decimal */
  gint32 pid;           /* -1: it has a name */
  CulpritMeasuredEnd begin;
  CulpritMeasuredEnd end;
} CulpritMeasured;

/* The same as people state it, by one of the texts and its options. */
typedef struct
{
  char *wakeup_of;
  char *response_of;
  gboolean from_waking;
  gboolean from_timer;
  char *between; /* "EVENT[/FILTER/]..EVENT[/FILTER/]" */
  char *key;     /* "FIELD=FIELD" */
  char *marks;   /* "TEXT..TEXT" */
} CulpritMeasuredOptions;

/* Reads the text of a definition. NULL with an error that says what is expected. */
CulpritMeasured *culprit_measured_parse (const char *text, GError **error);

/* The text of the definition that @options state; NULL without an error if they state none, which stands for cycles;
 * else NULL with an error that names the option. The caller owns it. */
char *culprit_measured_from_options (const CulpritMeasuredOptions *options, GError **error);

void culprit_measured_options_clear (CulpritMeasuredOptions *options);

void culprit_measured_free (CulpritMeasured *measured);

/* From what to what, in words that can follow "its windows are": from the text of a definition, which they are
 * themselves if it is none, as in a damaged study. The caller owns them. */
char *culprit_window_kind_in_words (const char *text);

#define CULPRIT_WINDOWS_OF_CYCLES "cyclic"

/* Whether windows of the definition @text, which may be NULL, end when a task wakes up, which is late by their length.
 */
static inline gboolean
culprit_windows_end_awake (const char *text)
{
  return !text || g_str_has_prefix (text, CULPRIT_WINDOWS_OF_CYCLES) || g_str_has_prefix (text, "wakeup-of/");
}

/* Whether windows of the definition @text, which may be NULL, begin when a timer should expire. */
static inline gboolean
culprit_windows_begin_by_timer (const char *text)
{
  return !text || g_str_has_prefix (text, CULPRIT_WINDOWS_OF_CYCLES) || strstr (text, "-of/timer:");
}

/* What a window of the definition @text is by its length: "3 ms late", or as a response "3 ms long". */
static inline const char *
culprit_late_or_long (const char *text)
{
  return culprit_windows_end_awake (text) ? "late" : "long";
}

/* What one of them is called. */
static inline const char *
culprit_window_noun (const char *text)
{
  if (culprit_windows_end_awake (text))
    return "wake-up";
  return g_str_has_prefix (text, "response-of/") ? "response" : "window";
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritMeasured, culprit_measured_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CulpritMeasuredOptions, culprit_measured_options_clear)
