/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits the bytes that a session sends into lines. It works on memory only, so that all of it can be fuzzed. */
#pragma once

#include "request.h"

#include <stddef.h>

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
  INPUT_GARBAGE,  /* Not an object: nothing after it can be trusted, as after the next. */
  INPUT_TOO_LONG, /* a line of more than INPUT_SIZE */
} InputLine;

/* Where to store further bytes, and in @size how many fit. */
char *input_room (Input *input, size_t *size);

/* Takes the first line. @object must be cleared after INPUT_OBJECT; otherwise it is empty. */
InputLine input_take (Input *input, JsonValue *object);

/* Takes all complete lines. Returns whether one of them requests a stop, or is garbage or too long; others are ignored.
 */
bool input_stops (Input *input);
