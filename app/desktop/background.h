/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of tasks, none of which outlives the program: what they read is freed when it ends. */
#pragma once

#include <gio/gio.h>

/* Runs @function in a thread, as g_task_run_in_thread() does. */
void background_run (GTask *task, GTaskThreadFunc function);

/* Cancels all that runs, and waits for it. What cannot be cancelled is finished. For the end of the program. */
void background_end (void);
