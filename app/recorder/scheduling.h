/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a measuring thread is scheduled. */
#pragma once

#include "request.h"

/* Binds the calling thread to @cpu and gives it the policy and priority of @request, then reads all of it back:
 * measuring under any other policy would be misleading. False: @problem says what differs. */
bool scheduling_apply (const Request *request, int cpu, char *problem, size_t size);
