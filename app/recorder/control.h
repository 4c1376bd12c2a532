/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may end a recording: the session, by a line or by disconnecting, and signals. */
#pragma once

#include "request.h"

#include <stddef.h>

/* Splits the bytes that a session sends into lines. It works on memory only, so that all of it can be fuzzed. */

#define INPUT_SIZE (256 << 10) /* the longest line, and all input that is waiting */

typedef struct
{
  char text[INPUT_SIZE];
  size_t length;
} Input;

typedef enum
{
  INPUT_NOTHING, /* No line is complete yet. */
  INPUT_OBJECT,
  INPUT_GARBAGE, /* Not an object, or too long a line: nothing after it can be trusted. */
} InputLine;

/* Where to store further bytes, and in @size how many fit. */
char *input_room (Input *input, size_t *size);

/* Takes the first line. @object must be cleared after INPUT_OBJECT; otherwise it is empty. */
InputLine input_take (Input *input, JsonValue *object);

/* Takes all complete lines. Returns whether one of them requests a stop, or is garbage; others are ignored. */
bool input_stops (Input *input);

/* Takes over signals and standard input. @request is the request from the command line; NULL: it comes on standard
 * input. */
void control_begin (const char *request);

/* Reads the request. False if the session disconnected, or sent something other than an object; @request must be
 * cleared. */
bool control_read_request (JsonValue *request);

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
