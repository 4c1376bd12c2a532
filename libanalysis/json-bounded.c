/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts brackets. What json-glib takes beyond JSON, as comments and other quotes, could hide some: it is refused. */
#include "json-bounded.h"

#include "load.h"

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

/* Whether the brackets of @text are not nested too deep, and no other characters stand outside of strings than JSON
 * has.
 */
static gboolean
check (const char *text, gsize length, GError **error)
{
  gboolean quoted = FALSE;
  gssize depth = 0;

  for (gsize i = 0; i < length; i++)
    if (quoted && text[i] == '\\')
      i++;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && (text[i] == '[' || text[i] == '{'))
      {
        if (++depth > JSON_DEEPEST)
          return refuse (error, G_IO_ERROR_MESSAGE_TOO_LARGE, "its JSON is nested too deep");
      }
    else if (!quoted && (text[i] == ']' || text[i] == '}'))
      depth--;
    else if (!quoted && !is_token (text[i]))
      return refuse (error, G_IO_ERROR_INVALID_DATA, "it is not JSON");
  return TRUE;
}

JsonNode *
json_parse_bounded (const char *text, gsize length, gsize most, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root = NULL;

  if (length > most)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE, "its JSON is longer than %" G_GSIZE_FORMAT " MB",
                   most >> 20);
      return NULL;
    }
  if (!check (text, length, error))
    return NULL;
  if (json_parser_load_from_data (parser, text, length, NULL))
    root = json_parser_steal_root (parser);
  if (!root)
    refuse (error, G_IO_ERROR_INVALID_DATA, "it is not JSON");
  return root;
}

JsonNode *
json_load_bounded (const char *path, gsize most, GError **error)
{
  gsize length;
  g_autofree char *text = culprit_load (path, most, &length, error);

  return text ? json_parse_bounded (text, length, most, error) : NULL;
}
