/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who may end a recording: the session, by a line or by going away, and signals. */
#pragma once

#include "json.h"

/* Takes over signals and standard input. */
void control_begin (void);

/* Reads the request. False where the session went away, or what it sent is no object; @request is to be cleared. */
bool control_read_request (JsonValue *request);

/* Waits until @fd is readable (-1: none) or @timeout_ms have passed, and listens for the end meanwhile. Returns
 * whether @fd is readable. */
bool control_wait (int fd, int timeout_ms);

/* Whether the recording shall end. */
bool control_stopped (void);

/* It shall: nobody listens any more. */
void control_stop (void);
