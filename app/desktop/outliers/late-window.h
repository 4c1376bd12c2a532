/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window of a late wake-up, as it is asked for in a thread that must not touch rows. */
#pragma once

#include "tables/rows.h"

typedef struct
{
  gint64 capture;
  guint cpu;
  gint32 pid;
  guint64 start_ns;
  guint64 end_ns;
} LateWindow;

/* That of @row, of culprit_query_outliers(). The caller owns it. */
static inline LateWindow *
late_window_new (CulpritRow *row)
{
  LateWindow *window = g_new (LateWindow, 1);

  *window = (LateWindow) { .capture = culprit_row_integer (row, "capture"),
                           .cpu = culprit_row_integer (row, "cpu"),
                           .pid = culprit_row_integer (row, "pid"),
                           .start_ns = culprit_row_integer (row, "window.start_ns"),
                           .end_ns = culprit_row_integer (row, "window.end_ns") };
  return window;
}
