/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One reader for each kind of member: it sets what is told, or what stands for nothing. */
#include "members.h"

#include "clean.h"

#include <string.h>

static gboolean
holds (JsonNode *node, GType type)
{
  return node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

static gboolean
read_number (JsonNode *node, const Member *member, gint64 *number)
{
  gint64 value = holds (node, G_TYPE_INT64) ? json_node_get_int (node) : member->otherwise;
  gboolean good = holds (node, G_TYPE_INT64) && value >= member->least && value <= member->most;

  *number = good ? value : member->otherwise;
  return good;
}

static gboolean
read_text (JsonNode *node, char **text)
{
  const char *value = holds (node, G_TYPE_STRING) ? json_node_get_string (node) : NULL;

  *text = value && strlen (value) <= MEMBER_LONGEST_TEXT ? culprit_clean_line (value) : NULL;
  return *text != NULL;
}

static gboolean
read_flag (JsonNode *node, gint *flag)
{
  *flag = holds (node, G_TYPE_BOOLEAN) ? json_node_get_boolean (node) : -1;
  return *flag >= 0;
}

static gboolean
read_object (JsonNode *node, char **json)
{
  *json = node && JSON_NODE_HOLDS_OBJECT (node) ? json_to_string (node, FALSE) : NULL;
  return *json != NULL;
}

static gboolean
read_member (JsonNode *node, const Member *member, gpointer destination)
{
  switch (member->kind)
    {
    case MEMBER_NUMBER:
      return read_number (node, member, destination);
    case MEMBER_TEXT:
      return read_text (node, destination);
    case MEMBER_FLAG:
      return read_flag (node, destination);
    default:
      return read_object (node, destination);
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
