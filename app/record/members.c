/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets each value, or the default where there is none that is valid. */
#include "members.h"

#include "clean.h"

#include <string.h>

static gboolean
holds (JsonNode *node, GType type)
{
  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
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
      *(char **) into = node && JSON_NODE_HOLDS_OBJECT (node) ? json_to_string (node, FALSE) : NULL;
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
      gboolean told = node && !JSON_NODE_HOLDS_NULL (node);

      if (!read_member (node, member, G_STRUCT_MEMBER_P (into, member->offset)) && (told || member->needed) && !bad)
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
