/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a measuring thread is scheduled. */
#pragma once

#include "request.h"

/* Binds the calling thread to @cpu and gives it the policy and priority of @request, then reads all of that back:
 * measuring under another policy than the one asked for would be a lie. False: @problem says what is not as asked. */
bool scheduling_apply (const Request *request, int cpu, char *problem, size_t size);
