/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tracing costs here, measured before it is relied upon. */
#pragma once

#include "cyclic.h"

/* Measures some cycles under tracing, which must be set up, and says what came out. False: period or trigger make no
 * sense under tracing here and the request wants that refused, or measuring failed; @problem says so in one line. */
bool calibrate (Shared *shared, const Request *request, char *problem, size_t size);
