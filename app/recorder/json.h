/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the JSON of a request: an object of numbers, truths, texts and lists of these, no deeper.
 * By hand, because a board that is measured has libc and libtracefs, and root should run no more than this. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum
{
  JSON_NUMBER,
  JSON_TRUTH,
  JSON_TEXT,
  JSON_LIST,
  JSON_NOTHING, /* null */
} JsonKind;

typedef struct JsonValue JsonValue;

struct JsonValue
{
  char *key; /* NULL inside of a list. */
  JsonKind kind;
  int64_t number; /* Or the truth. */
  char *text;
  JsonValue *items; /* of a list */
  int n_items;
};

/* The members of the object that @text is, as a list. False where it is something else; @object is to be cleared then
 * too. */
bool json_parse (const char *text, JsonValue *object);

/* Frees what @value holds and leaves it empty. */
void json_clear (JsonValue *value);

/* The member @key of @object; NULL if there is none, or it is null. */
const JsonValue *json_member (const JsonValue *object, const char *key);
