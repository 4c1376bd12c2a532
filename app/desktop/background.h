/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks in threads, none of which outlives the program, as it frees at its end what they read. */
#pragma once

#include <gio/gio.h>

/* Runs @function in a thread, as g_task_run_in_thread() does. */
void background_run (GTask *task, GTaskThreadFunc function);

/* For the end of the program: cancels all tasks and waits until they have ended. Those that cannot be cancelled finish.
 */
void background_end (void);
