/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who may end a recording: the session, by a line or by going away, and signals. */
#pragma once

#include "json.h"

/* Takes over signals and standard input. @request is what was asked on the command line; NULL: it comes by standard
 * input. */
void control_begin (const char *request);

/* Reads the request. False where the session went away, or what it sent is no object; @request is to be cleared. */
bool control_read_request (JsonValue *request);

/* Waits until @fd is readable (-1: none) or @timeout_ms have passed, and listens for the end meanwhile. Returns whether
 * @fd is readable. */
bool control_wait (int fd, int timeout_ms);

/* Waits until standard output takes more of a line that was begun at @since_ns, and listens for the end meanwhile.
 * False: nobody has read for too long, which after a stop is soon. */
bool control_wait_output (int64_t since_ns);

/* Whether the recording shall end. */
bool control_stopped (void);

/* It shall: nobody listens any more. */
void control_stop (void);
