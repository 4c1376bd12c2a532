/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives up what is not needed any more. */
#pragma once

/* For the supervisor once everything is set up: from here it can measure, trace, extract captures and put everything
 * back, as can what it starts; it can load no module, mount nothing, trace no process, become nobody else, and gain
 * nothing by running a program. */
void privileges_confine (void);

/* For a measuring thread once it is scheduled: of all capabilities it keeps that of locked memory. */
void privileges_drop (void);
