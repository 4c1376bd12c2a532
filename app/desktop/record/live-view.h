/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running recording: its progress, the latencies so far, and its log. */
#pragma once

#include "record/message.h"
#include "record/target.h"

#include <adwaita.h>

#define LIVE_TYPE_VIEW (live_view_get_type ())

G_DECLARE_FINAL_TYPE (LiveView, live_view, LIVE, VIEW, AdwBin)

/* Empties the log. */
void live_view_clear (LiveView *view);

/* A recording begins on @target, of which is known @text; it is to take @captures, or to measure @blocks of which the
 * order does not matter to people; 0: neither. */
void live_view_begin (LiveView *view, const CulpritTarget *target, const char *text, gint64 captures, guint blocks);

/* Takes in a message of the recorder. */
void live_view_take (LiveView *view, const CulpritMessage *message);

/* It was asked to stop. */
void live_view_stopping (LiveView *view);

/* How far it is, in three words. The caller owns it. */
char *live_view_progress (LiveView *view);

/* It ended, as @text says; @problem: why it broke off, NULL where it did not. */
void live_view_end (LiveView *view, const char *text, const char *problem);

/* Writes the histogram to @path. */
gboolean live_view_export (LiveView *view, const char *heading, const char *path, GError **error);
