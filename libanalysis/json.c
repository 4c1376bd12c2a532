/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts brackets, before json-glib parses. Extensions of JSON that it accepts, such as comments and other quotes,
 * could hide some and are rejected; so is NUL, at which its texts would end. */
#include "json.h"

#include "clean.h"

#include <math.h>
#include <string.h>

static gboolean
refuse (GError **error, GIOErrorEnum code, const char *text)
{
  g_set_error_literal (error, G_IO_ERROR, code, text);
  return FALSE;
}

static gboolean
is_token (char character)
{
  return g_ascii_isalnum (character) || (character && strchr (" \t\r\n,:.+-", character));
}

/* Whether the brackets of @text are not nested too deeply, no object has more than @most_members, and only characters
 * of JSON occur outside strings. */
static gboolean
check (const char *text, gsize length, guint most_members, GError **error)
{
  guint members[JSON_DEEPEST + 1] = { 0 }; /* by depth */
  gboolean quoted = FALSE;
  guint depth = 0;

  for (gsize i = 0; i < length; i++)
    if (quoted && text[i] == '\\')
      {
        if (length - i > 5 && memcmp (text + i, "\\u0000", 6) == 0)
          return refuse (error, G_IO_ERROR_INVALID_DATA, "its JSON has the character NUL in a text");
        i++;
      }
    else if (text[i] == '"')
      quoted = !quoted;
    else if (quoted && text[i] != '\0')
      continue;
    else if (text[i] == '[' || text[i] == '{')
      {
        if (++depth > JSON_DEEPEST)
          return refuse (error, G_IO_ERROR_MESSAGE_TOO_LARGE, "its JSON is nested too deeply");
        members[depth] = 0;
      }
    else if (text[i] == ']' || text[i] == '}')
      {
        if (depth-- == 0)
          return refuse (error, G_IO_ERROR_INVALID_DATA, "it is not JSON");
      }
    else if (text[i] == ':' && ++members[depth] > most_members)
      return refuse (error, G_IO_ERROR_MESSAGE_TOO_LARGE, "its JSON has too many members in an object");
    else if (!is_token (text[i]))
      return refuse (error, G_IO_ERROR_INVALID_DATA, "it is not JSON");
  return TRUE;
}

static gboolean
is_longer (gsize length, gsize most, GError **error)
{
  if (length > most)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE, "its JSON is longer than %" G_GSIZE_FORMAT " MB",
                 most >> 20);
  return length > most;
}

gboolean
json_check_bounded (const char *text, gsize length, gsize most, GError **error)
{
  return !is_longer (length, most, error) && check (text, length, G_MAXUINT, error);
}

JsonNode *
json_parse_bounded (const char *text, gsize length, gsize most, GError **error)
{
  g_autoptr (JsonParser) parser = NULL;
  JsonNode *root = NULL;

  if (is_longer (length, most, error) || !check (text, length, JSON_MOST_MEMBERS, error))
    return NULL;
  parser = json_parser_new ();
  if (json_parser_load_from_data (parser, text, length, NULL))
    root = json_parser_steal_root (parser);
  if (!root)
    refuse (error, G_IO_ERROR_INVALID_DATA, "it is not JSON");
  return root;
}

/* Reading members: each value is set, or the default where there is none that is valid. */

static gboolean
holds (JsonNode *node, GType type)
{
  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

/* Also of a number that may be whole, but is too large for one: "1e+308", in json-glib before 1.10 "1e+308.0". */
static gboolean
has_fraction (const char *json)
{
  gboolean quoted = FALSE;

  for (; *json; json++)
    if (quoted && *json == '\\')
      json++;
    else if (*json == '"')
      quoted = !quoted;
    else if (!quoted && (*json == '.' || (*json == 'e' && g_ascii_isdigit (json[-1]))))
      return TRUE;
  return FALSE;
}

char *
json_whole_object (JsonNode *node)
{
  g_autofree char *text = node && JSON_NODE_HOLDS_OBJECT (node) ? json_to_string (node, FALSE) : NULL;

  return text && !has_fraction (text) ? g_steal_pointer (&text) : NULL;
}

static void
take_whole (JsonObject *object, const char *name, JsonNode *node, gpointer whole)
{
  g_autofree char *text = json_to_string (node, FALSE);

  if (!has_fraction (text))
    json_object_set_member (whole, name, json_node_copy (node));
}

char *
json_whole_members (JsonObject *object)
{
  g_autoptr (JsonObject) whole = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), whole);

  json_object_foreach_member (object, take_whole, whole);
  return json_to_string (node, FALSE);
}

static gboolean
read_member (JsonNode *node, const Member *member, gpointer into)
{
  gboolean good;
  gint64 number;
  const char *text;

  switch (member->kind)
    {
    case MEMBER_NUMBER:
      number = holds (node, G_TYPE_INT64) ? json_node_get_int (node) : member->otherwise;
      good = holds (node, G_TYPE_INT64) && number >= member->least && number <= member->most;
      *(gint64 *) into = good ? number : member->otherwise;
      return good;
    case MEMBER_TEXT:
      text = holds (node, G_TYPE_STRING) ? json_node_get_string (node) : NULL;
      *(char **) into = text && strlen (text) <= MEMBER_LONGEST_TEXT ? culprit_clean_line (text) : NULL;
      return *(char **) into != NULL;
    case MEMBER_FLAG:
      *(gint *) into = holds (node, G_TYPE_BOOLEAN) ? json_node_get_boolean (node) : -1;
      return *(gint *) into >= 0;
    default:
      *(char **) into = json_whole_object (node);
      return *(char **) into != NULL;
    }
}

const char *
members_read (JsonObject *object, const Member *members, gpointer into)
{
  const char *bad = NULL;

  for (const Member *member = members; member->name; member++)
    {
      JsonNode *node = json_object_get_member (object, member->name);
      gboolean present = node && !JSON_NODE_HOLDS_NULL (node);

      if (!read_member (node, member, G_STRUCT_MEMBER_P (into, member->offset)) && (present || member->needed) && !bad)
        bad = member->name;
    }
  return bad;
}

void
members_clear (const Member *members, gpointer into)
{
  for (const Member *member = members; member->name; member++)
    if (member->kind == MEMBER_TEXT || member->kind == MEMBER_OBJECT)
      g_clear_pointer (&G_STRUCT_MEMBER (char *, into, member->offset), g_free);
}

/* Writing. */

#define GREATEST 1e15 /* json-glib writes larger whole numbers as "1e+17.0". They are whole, and may be integers. */

JsonNode *
json_node_of_real (double value)
{
  if (fabs (value) <= GREATEST)
    return json_node_init_double (json_node_alloc (), value);
  if (fabs (value) < 0x1p63)
    return json_node_init_int (json_node_alloc (), (gint64) value);
  return json_node_init_null (json_node_alloc ());
}

void
members_add_real (JsonBuilder *builder, double value)
{
  json_builder_add_value (builder, json_node_of_real (value));
}

void
members_add_text (JsonBuilder *builder, const char *text)
{
  if (text)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

void
members_add_object (JsonBuilder *builder, const Member *members, gconstpointer from, gconstpointer context)
{
  json_builder_begin_object (builder);
  members_add (builder, members, from, context);
  json_builder_end_object (builder);
}

static void
add_array (JsonBuilder *builder, const Member *members, const GArray *array, gconstpointer context)
{
  json_builder_begin_array (builder);
  for (guint i = 0; i < array->len; i++)
    members_add_object (builder, members, array->data + i * g_array_get_element_size ((GArray *) array), context);
  json_builder_end_array (builder);
}

static void
add_pointers (JsonBuilder *builder, const Member *members, const GPtrArray *pointers)
{
  json_builder_begin_array (builder);
  for (guint i = 0; i < pointers->len; i++)
    members_add_object (builder, members, pointers->pdata[i], pointers->pdata[i]);
  json_builder_end_array (builder);
}

static void
add_reals (JsonBuilder *builder, const GArray *reals)
{
  json_builder_begin_array (builder);
  for (guint i = 0; i < reals->len; i++)
    members_add_real (builder, g_array_index (reals, double, i));
  json_builder_end_array (builder);
}

void
members_add_texts (JsonBuilder *builder, const GPtrArray *texts)
{
  json_builder_begin_array (builder);
  for (guint i = 0; i < texts->len; i++)
    json_builder_add_string_value (builder, g_ptr_array_index (texts, i));
  json_builder_end_array (builder);
}

static void
add_value (JsonBuilder *builder, const Member *member, gconstpointer value, gconstpointer context)
{
  switch (member->kind)
    {
    case MEMBER_NUMBER:
      json_builder_add_int_value (builder, *(const gint64 *) value);
      break;
    case MEMBER_TEXT:
      members_add_text (builder, *(const char *const *) value);
      break;
    case MEMBER_FLAG:
      json_builder_add_boolean_value (builder, *(const gboolean *) value);
      break;
    case MEMBER_OBJECT:
      json_builder_add_value (builder, json_from_string (*(const char *const *) value, NULL));
      break;
    case MEMBER_COUNT:
      json_builder_add_int_value (builder, *(const guint *) value);
      break;
    case MEMBER_REAL:
      members_add_real (builder, *(const double *) value);
      break;
    case MEMBER_ROUNDED:
      if (isnan (*(const double *) value))
        json_builder_add_null_value (builder);
      else
        json_builder_add_int_value (builder, llround (*(const double *) value));
      break;
    case MEMBER_REAL_NUMBER:
      members_add_real (builder, *(const gint64 *) value);
      break;
    case MEMBER_REAL_COUNT:
      members_add_real (builder, *(const guint *) value);
      break;
    case MEMBER_NAME:
      members_add_text (builder, member->name_of (*(const guint *) value));
      break;
    case MEMBER_TEXTS:
      members_add_texts (builder, *(GPtrArray *const *) value);
      break;
    case MEMBER_STRUCT:
      members_add_object (builder, member->of, value, context);
      break;
    case MEMBER_POINTER:
      if (*(const gpointer *) value)
        members_add_object (builder, member->of, *(const gpointer *) value, context);
      else
        json_builder_add_null_value (builder);
      break;
    case MEMBER_ARRAY:
      add_array (builder, member->of, *(GArray *const *) value, context);
      break;
    case MEMBER_POINTERS:
      add_pointers (builder, member->of, *(GPtrArray *const *) value);
      break;
    case MEMBER_REALS:
      add_reals (builder, *(GArray *const *) value);
      break;
    default:
      member->add (builder, value, context);
    }
}

void
members_add (JsonBuilder *builder, const Member *members, gconstpointer from, gconstpointer context)
{
  for (const Member *member = members; member->name; member++)
    {
      gconstpointer value = (const char *) from + member->offset;

      if (member->kind == MEMBER_SAME)
        {
          members_add (builder, member->of, value, context);
          continue;
        }
      json_builder_set_member_name (builder, member->name);
      add_value (builder, member, value, context);
    }
}

char *
members_write (const Member *members, gconstpointer from, gconstpointer context)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) node = NULL;

  members_add_object (builder, members, from, context);
  node = json_builder_get_root (builder);
  return json_to_string (node, FALSE);
}
