/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits bytes into lines and parses each as an object. Anything else ends the session. */
#include "input.h"

#include <string.h>

char *
input_room (Input *input, size_t *size)
{
  *size = INPUT_SIZE - input->length;
  return input->text + input->length;
}

InputLine
input_take (Input *input, JsonValue *object)
{
  const char *end = memchr (input->text, '\n', input->length);
  size_t length = end ? (size_t) (end - input->text) : 0;
  bool good;

  *object = (JsonValue) { 0 };
  if (!end)
    return input->length < INPUT_SIZE ? INPUT_NOTHING : INPUT_TOO_LONG;
  input->text[length] = '\0';
  good = strlen (input->text) == length && json_parse (input->text, object);
  input->length -= length + 1;
  memmove (input->text, input->text + length + 1, input->length);
  if (good)
    return INPUT_OBJECT;
  json_clear (object);
  return INPUT_GARBAGE;
}

bool
input_stops (Input *input)
{
  JsonValue object;
  InputLine line;
  bool stops = false;

  while (!stops && (line = input_take (input, &object)) != INPUT_NOTHING)
    {
      const JsonValue *what = json_member (&object, "do");

      stops = line != INPUT_OBJECT || (what && what->kind == JSON_TEXT && strcmp (what->text, "stop") == 0);
      json_clear (&object);
    }
  return stops;
}
