/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes lines out of the bytes that a session sends. It knows memory only, so that it can be fuzzed as a whole. */
#pragma once

#include "json.h"

#include <stddef.h>

#define INPUT_SIZE (256 << 10) /* the longest line, and all that waits */

typedef struct
{
  char text[INPUT_SIZE];
  size_t length;
} Input;

typedef enum
{
  INPUT_NOTHING, /* No line is complete yet. */
  INPUT_OBJECT,
  INPUT_GARBAGE, /* No object, or a line that is too long: nothing behind it can be trusted. */
} InputLine;

/* Where the next bytes go, and in @size how many there is room for. */
char *input_room (Input *input, size_t *size);

/* Takes the first line. @object is to be cleared after INPUT_OBJECT; otherwise it is empty. */
InputLine input_take (Input *input, JsonValue *object);

/* Takes all lines that are complete. Whether one of them asks for a stop, or is garbage; others are ignored. */
bool input_stops (Input *input);
