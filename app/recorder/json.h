/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the JSON of a request: an object of numbers, truth values, texts and lists of these, not nested any deeper. It
 * is written by hand since a measured board has only libc and libtracefs, and root should run no more code than
 * this. */
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
  char *key; /* NULL inside lists. */
  JsonKind kind;
  int64_t number; /* Or the truth value. */
  char *text;
  JsonValue *items; /* of a list */
  int n_items;
};

/* Parses @text into the members of an object, as a list. False if it is something else; @object must be cleared then
 * too. */
bool json_parse (const char *text, JsonValue *object);

/* Frees the content of @value and leaves it empty. */
void json_clear (JsonValue *value);

/* The member @key of @object; NULL if there is none, or it is null. */
const JsonValue *json_member (const JsonValue *object, const char *key);
