/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by what finds windows: of cycles (cyclic.c), of a thread by its scheduling, and between events (following.c).
 */
#pragma once

#include "budgets.h"
#include "capture/capture-private.h"

/* Where the windows of a capture are sought. */
typedef struct
{
  const Session *session;
  const CulpritCaptureOptions *options;
  Walk *walk;
  CulpritCapture *capture;
} Finding;

/* Why a capture has no windows. */
typedef enum
{
  NO_MARKER = 1,
  MARKER_FORMAT,
  NO_RETURN,
  NOT_MONO,
  CPU_NOT_TRACED,
  NOT_PLACED,
  NO_TASK,
  NO_SWITCH_EVENTS,
  NO_WAKING_EVENTS,
  NO_TIMER_EVENTS,
  TIMER_NOT_MONO,
  NO_BEGIN,
  NO_END,
  NO_WINDOW,
  NONE_LATE,
  OTHER_LATE,
  TOO_MANY_EVENTS,
  REASONS
} Reason;

/* Each adds all windows of its kind, and where they lie, in order of time; or adds none and tells why. */
Reason windows_by_log (const Finding *finding);
Reason windows_by_marker (const Finding *finding);
Reason windows_by_following (const Finding *finding);

/* Sets the task that is measured. */
void windows_measure (const Finding *finding, gint32 pid);

/* Whether @function, which a timer calls, wakes a task. */
gboolean windows_is_wake_up (const char *function);
