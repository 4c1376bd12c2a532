/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures what tracing costs on this machine, before relying on it. */
#pragma once

#include "cyclic.h"

/* Measures some cycles with tracing, which must be set up, and reports the result. False: period or trigger make no
 * sense with tracing here and the request is to refuse that, or measuring failed; @problem says so in one line. */
bool calibrate (Shared *shared, const Request *request, char *problem, size_t size);
