/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may end a recording: the session, by a line or by disconnecting, and signals. */
#pragma once

#include "input.h"

/* Takes over signals and standard input. @request is the request from the command line; NULL: it comes on standard
 * input. */
void control_begin (const char *request);

/* Reads the request, as input_take(). INPUT_NOTHING: the session disconnected. */
InputLine control_read_request (JsonValue *request);

/* From now on a session that says nothing for @silence_ns is considered dead, and the recording is to stop. 0: it may
 * be silent. */
void control_watch (int64_t silence_ns);

/* Whether it was considered dead. */
bool control_session_is_dead (void);

/* Waits until @fd is readable (-1: none) or @timeout_ms have passed, and handles stops meanwhile. Returns whether @fd
 * is readable. */
bool control_wait (int fd, int timeout_ms);

/* Waits until standard output accepts more of a line that was begun at @since_ns, and handles stops meanwhile. False:
 * nobody has read for too long, which after a stop is a short time. */
bool control_wait_output (int64_t since_ns);

/* Whether the recording is to stop. */
bool control_stopped (void);

/* Makes it stop: nobody is reading any more. */
void control_stop (void);
