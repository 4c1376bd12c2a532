/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts brackets. Extensions of JSON that json-glib accepts, such as comments and other quotes, could hide some and
 * are rejected. */
#include "json.h"

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
      i++;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (quoted)
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
