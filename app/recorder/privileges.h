/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drops privileges that are no longer needed. */
#pragma once

/* For the supervisor once everything is set up: from here on, it and what it starts can measure, trace, extract
 * captures and restore everything, but cannot load modules, mount file systems, trace processes, become another user,
 * or gain privileges by running a program. */
void privileges_confine (void);

/* For a measuring thread once it is scheduled: the only capability it keeps is that to lock memory. */
void privileges_drop (void);
