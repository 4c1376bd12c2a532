/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses JSON from outside, and moves members of objects into and out of structs by tables.
 *
 * json-glib recurses with each bracket, takes about fifty times the memory of the text, and hashes names by a known
 * function, so that all could collide. JSON that is nested too deeply, too long, or has too many members is therefore
 * refused before it is parsed. */
#pragma once

#include "budgets.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>

/* Whether @text, of @length bytes, has at most @most bytes and is not nested too deeply for any parser. Else FALSE with
 * G_IO_ERROR_MESSAGE_TOO_LARGE, or G_IO_ERROR_INVALID_DATA if it is not JSON; not all invalid JSON is detected. The
 * messages name no file. */
gboolean json_check_bounded (const char *text, gsize length, gsize most, GError **error);

/* Parses @text, of @length bytes and at most @most. NULL with G_IO_ERROR_MESSAGE_TOO_LARGE if it is longer or nested
 * too deeply, or an object has more members than JSON_MOST_MEMBERS, with G_IO_ERROR_INVALID_DATA if it is not JSON; the
 * messages name no file. The caller owns the result. */
JsonNode *json_parse_bounded (const char *text, gsize length, gsize most, GError **error);

/* Members of JSON objects from outside: of the requested type, or treated as missing. */

/* The whole number @name of @object; @otherwise if there is none. */
static inline gint64
json_member_int (JsonObject *object, const char *name, gint64 otherwise)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
             ? json_node_get_int (node)
             : otherwise;
}

/* The object @node as JSON; NULL if it is none, or has a number that is not whole: json-glib writes 1e308 as
 * "1e+308.0", which is none to others. The caller owns it. */
char *json_whole_object (JsonNode *node);

/* @object as JSON without the members that have such a number in them. The caller owns it. */
char *json_whole_members (JsonObject *object);

/* The text @name of @object, which owns it; NULL if there is none. */
static inline const char *
json_member_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

/* Members of a JSON object and where they are in a struct. A table of them ends with one without a name. */

#define MEMBER_LONGEST_TEXT 4096

typedef enum
{
  /* Read and written. */
  MEMBER_NUMBER, /* gint64 */
  MEMBER_TEXT,   /* char *; NULL: missing, null */
  MEMBER_FLAG,   /* gint; -1: missing */
  MEMBER_OBJECT, /* char *: an object as JSON, whose numbers are whole; NULL: missing */

  /* Only written. */
  MEMBER_COUNT,       /* guint */
  MEMBER_REAL,        /* double; null if it is not finite */
  MEMBER_ROUNDED,     /* double, as a whole number; null if it is NaN */
  MEMBER_REAL_NUMBER, /* gint64 or guint, as a number with a fraction */
  MEMBER_REAL_COUNT,
  MEMBER_NAME,     /* an enum, as a text */
  MEMBER_TEXTS,    /* GPtrArray * of char * */
  MEMBER_STRUCT,   /* an object */
  MEMBER_POINTER,  /* one elsewhere; NULL: null */
  MEMBER_SAME,     /* a struct whose members belong to the same object; the name is not written */
  MEMBER_ARRAY,    /* GArray * of structs */
  MEMBER_POINTERS, /* GPtrArray * of them, each its own context */
  MEMBER_REALS,    /* GArray * of double; null if it is not finite */
  MEMBER_OWN,      /* anything else */
} MemberKind;

typedef struct _Member
{
  const char *name;
  gsize offset; /* in the struct */
  MemberKind kind;

  /* To read it. */
  gint64 least; /* of numbers */
  gint64 most;
  gint64 otherwise; /* the default for numbers */
  gboolean needed;

  /* To write it. */
  const struct _Member *of;         /* the members of the struct, or of each in the array */
  const char *(*name_of) (guint n); /* of an enum; NULL is written as null */
  void (*add) (JsonBuilder *builder, gconstpointer value, gconstpointer context); /* @value: what is at the offset */
} Member;

/* An entry of a table: MEMBER (CulpritPlace, "captures", hits, COUNT). */
#define MEMBER(type, name, field, kind, ...)                                                                           \
  {                                                                                                                    \
    name, G_STRUCT_OFFSET (type, field), MEMBER_##kind, __VA_ARGS__                                                    \
  }

/* Fills @into. Members that are null, of another type or out of bounds count as missing; returns the name of the first
 * invalid member, or of a required one that is missing, and NULL if there is none. Texts are made safe to show. */
const char *members_read (JsonObject *object, const Member *members, gpointer into);

/* Frees the texts in @into. */
void members_clear (const Member *members, gpointer into);

/* Adds the members of the struct @from to the object that @builder has begun; or an object of them. @context: for those
 * that are added by functions. */
void members_add (JsonBuilder *builder, const Member *members, gconstpointer from, gconstpointer context);
void members_add_object (JsonBuilder *builder, const Member *members, gconstpointer from, gconstpointer context);

/* @value as JSON can have it, null if it is not finite. The caller owns it. */
JsonNode *json_node_of_real (double value);

/* Add what a function of a member adds: @text, null if it is NULL; @value, null if it is not finite; an array of @texts
 * (char *). */
void members_add_text (JsonBuilder *builder, const char *text);
void members_add_real (JsonBuilder *builder, double value);
void members_add_texts (JsonBuilder *builder, const GPtrArray *texts);

/* @from as an object of its own. The caller owns the text. */
char *members_write (const Member *members, gconstpointer from, gconstpointer context);
