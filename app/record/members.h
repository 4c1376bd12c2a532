/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads members of a JSON object that came from a target into a struct, as a table says. Texts are made fit to be
 * shown. */
#pragma once

#include <json-glib/json-glib.h>

#define MEMBER_LONGEST_TEXT 4096
#define MEMBER_LATEST_NS ((gint64) 1 << 61)

typedef enum
{
  MEMBER_NUMBER, /* gint64 */
  MEMBER_TEXT,   /* char *; NULL: not told */
  MEMBER_FLAG,   /* gint; -1: not told */
  MEMBER_OBJECT, /* char *: an object as JSON; NULL: not told */
} MemberKind;

typedef struct
{
  const char *name; /* NULL ends a table */
  gsize offset;     /* in the struct */
  MemberKind kind;
  gint64 least; /* of numbers */
  gint64 most;
  gint64 otherwise; /* the number where none is told */
  gboolean needed;
} Member;

/* Fills @into. What is null counts as not told, and so does what is of another type or out of bounds; gives the name of
 * the first such member, or of one that is needed and not told, and NULL if there is none. */
const char *members_read (JsonObject *object, const Member *members, gpointer into);

/* Frees the texts in @into. */
void members_clear (const Member *members, gpointer into);
