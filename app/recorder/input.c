/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines of a session, and the JSON in them. Every character is checked: the text comes from outside, and we
 * are root. */
#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ITEMS 4096

static void
skip_space (const char **at)
{
  *at += strspn (*at, " \t\r\n");
}

static bool
skip (const char **at, char wanted)
{
  skip_space (at);
  if (**at != wanted)
    return false;
  ++*at;
  return true;
}

/* Writes the character @code as UTF-8 and returns the end of it. */
static char *
put_character (char *to, unsigned code)
{
  if (code < 0x80)
    *to++ = code;
  else if (code < 0x800)
    {
      *to++ = 0xc0 | code >> 6;
      *to++ = 0x80 | (code & 0x3f);
    }
  else
    {
      *to++ = 0xe0 | code >> 12;
      *to++ = 0x80 | (code >> 6 & 0x3f);
      *to++ = 0x80 | (code & 0x3f);
    }
  return to;
}

/* Decodes a backslash and the characters at *@at; false if they are invalid. */
static bool
read_escape (const char **at, char **to)
{
  static const char escapes[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  const char *found = **at ? strchr (escapes, **at) : NULL;
  unsigned code;
  int length = 0;

  if (found)
    {
      *(*to)++ = meanings[found - escapes];
      ++*at;
      return true;
    }
  if (**at != 'u' || strspn (*at + 1, "0123456789abcdefABCDEF") < 4 || sscanf (*at + 1, "%4x%n", &code, &length) != 1 ||
      length != 4 || code == 0 || (code >= 0xd800 && code < 0xe000))
    return false;
  *to = put_character (*to, code);
  *at += 5;
  return true;
}

/* The distance to the closing quote: an upper limit for the decoded text. */
static size_t
quoted_size (const char *at)
{
  size_t size = 0;

  while (at[size] && at[size] != '"')
    size += at[size] == '\\' && at[size + 1] ? 2 : 1;
  return size;
}

static bool
read_text (const char **at, char **text)
{
  char *to;

  if (!skip (at, '"'))
    return false;
  to = *text = malloc (quoted_size (*at) + 1);
  if (!to)
    return false;
  *to = '\0';
  while (**at != '"')
    {
      if ((unsigned char) **at < 0x20)
        return false;
      if (**at != '\\')
        *to++ = *(*at)++;
      else
        {
          ++*at;
          if (!read_escape (at, &to))
            return false;
        }
    }
  *to = '\0';
  ++*at;
  return true;
}

static bool
read_word (const char **at, JsonValue *value)
{
  static const struct
  {
    const char *word;
    JsonKind kind;
    int64_t number;
  } words[] = { { "true", JSON_TRUTH, 1 }, { "false", JSON_TRUTH, 0 }, { "null", JSON_NOTHING, 0 } };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp (*at, words[i].word, strlen (words[i].word)) == 0)
      {
        value->kind = words[i].kind;
        value->number = words[i].number;
        *at += strlen (words[i].word);
        return true;
      }
  return false;
}

/* Whole numbers of up to 18 digits, which is 31 years in ns. */
static bool
read_number (const char **at, JsonValue *value)
{
  bool negative = **at == '-';
  size_t digits = strspn (*at + negative, "0123456789");

  if (digits == 0 || digits > 18 || strchr (".eE", (*at)[negative + digits] ? (*at)[negative + digits] : ' '))
    return false;
  value->kind = JSON_NUMBER;
  value->number = strtoll (*at, NULL, 10);
  *at += negative + digits;
  return true;
}

static bool
read_plain (const char **at, JsonValue *value)
{
  skip_space (at);
  if (**at == '"')
    {
      value->kind = JSON_TEXT;
      return read_text (at, &value->text);
    }
  return read_word (at, value) || read_number (at, value);
}

static JsonValue *
add_item (JsonValue *list)
{
  JsonValue *items;

  if (list->n_items == MAX_ITEMS)
    return NULL;
  items = realloc (list->items, (list->n_items + 1) * sizeof *items);
  if (!items)
    return NULL;
  list->items = items;
  items[list->n_items] = (JsonValue) { 0 };
  return &items[list->n_items++];
}

static bool
read_list (const char **at, JsonValue *list)
{
  list->kind = JSON_LIST;
  if (skip (at, ']'))
    return true;
  do
    {
      JsonValue *item = add_item (list);

      if (!item || !read_plain (at, item))
        return false;
    }
  while (skip (at, ','));
  return skip (at, ']');
}

static bool
read_member (const char **at, JsonValue *object)
{
  JsonValue *member = add_item (object);

  return member && read_text (at, &member->key) && skip (at, ':') &&
         (skip (at, '[') ? read_list (at, member) : read_plain (at, member));
}

/* Parses @text into the members of an object, as a list. False if it is something else; @object must be cleared then
 * too. */
static bool
parse (const char *text, JsonValue *object)
{
  const char *at = text;

  *object = (JsonValue) { .kind = JSON_LIST };
  if (!skip (&at, '{'))
    return false;
  if (!skip (&at, '}'))
    {
      do
        if (!read_member (&at, object))
          return false;
      while (skip (&at, ','));
      if (!skip (&at, '}'))
        return false;
    }
  skip_space (&at);
  return *at == '\0';
}

void
json_clear (JsonValue *value)
{
  for (int i = 0; i < value->n_items; i++)
    json_clear (&value->items[i]);
  free (value->items);
  free (value->key);
  free (value->text);
  *value = (JsonValue) { 0 };
}

const JsonValue *
json_member (const JsonValue *object, const char *key)
{
  for (int i = 0; i < object->n_items; i++)
    if (strcmp (object->items[i].key, key) == 0)
      return object->items[i].kind == JSON_NOTHING ? NULL : &object->items[i];
  return NULL;
}

/* Lines. Anything but an object ends the session. */

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
  good = strlen (input->text) == length && parse (input->text, object);
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
