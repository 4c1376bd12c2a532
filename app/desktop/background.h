/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks in threads, none of which outlives what it reads. */
#pragma once

#include <gio/gio.h>

/* Runs @function in a thread, as g_task_run_in_thread() does. */
void background_run (GTask *task, GTaskThreadFunc function);

/* For the end of the program: cancels all tasks and waits a moment until they have ended. FALSE: one has not, so that
 * nothing may be freed. It only reads: what stores something holds the application. */
gboolean background_end (void);
