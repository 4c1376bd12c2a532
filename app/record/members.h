/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads members of a JSON object from a target into a struct, as described by a table. Texts are made safe to show. */
#pragma once

#include <json-glib/json-glib.h>

#define MEMBER_LONGEST_TEXT 4096
#define MEMBER_LATEST_NS ((gint64) 1 << 61)

typedef enum
{
  MEMBER_NUMBER, /* gint64 */
  MEMBER_TEXT,   /* char *; NULL: missing */
  MEMBER_FLAG,   /* gint; -1: missing */
  MEMBER_OBJECT, /* char *: an object as JSON; NULL: missing */
} MemberKind;

typedef struct
{
  const char *name; /* NULL ends a table */
  gsize offset;     /* in the struct */
  MemberKind kind;
  gint64 least; /* of numbers */
  gint64 most;
  gint64 otherwise; /* the default for numbers */
  gboolean needed;
} Member;

/* Fills @into. Members that are null, of another type or out of bounds count as missing; returns the name of the first
 * invalid member, or of a required one that is missing, and NULL if there is none. */
const char *members_read (JsonObject *object, const Member *members, gpointer into);

/* Frees the texts in @into. */
void members_clear (const Member *members, gpointer into);
