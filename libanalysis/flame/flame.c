/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done with merged late wake-ups: laid out into boxes, searched, marked, put into words, tables and lines. */
#include "flame.h"

#include "capture/capture.h"
#include "names.h"
#include "units.h"

#include <math.h>
#include <string.h>

/* The time of @node in one late wake-up, on average. */
static double
mean_ns (const CulpritFlame *flame, guint node)
{
  return (double) culprit_flame_node (flame, node)->total_ns / MAX (flame->captures->len, 1);
}

double
culprit_flame_difference_ns (const CulpritFlame *flame, guint node)
{
  return flame->base_wake_ups == 0 ? 0 : mean_ns (flame, node) - culprit_flame_node (flame, node)->base_ns;
}

/* Boxes. */

/* Siblings come by descending width: once one is too narrow, the others are, and all below them. A box begins where
 * the whole nanoseconds before it end, so that rounding never adds up. */
GArray *
culprit_flame_layout (const CulpritFlame *flame, guint zoom, double width, double least)
{
  guint64 from_ns[CULPRIT_NODES_DEEPEST + 3] = { 0 }; /* where the next box of each row begins */
  const CulpritFlameNode *zoomed = culprit_flame_node (flame, zoom);
  double scale = zoomed->total_ns > 0 ? width / zoomed->total_ns : 0;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (CulpritFlameBox));

  for (guint at = zoomed->parent; at != CULPRIT_FLAME_NONE; at = culprit_flame_node (flame, at)->parent)
    g_array_prepend_val (boxes, ((CulpritFlameBox) { at, 0, width }));
  for (guint at = zoom; at < zoomed->end && scale > 0;)
    {
      const CulpritFlameNode *node = culprit_flame_node (flame, at);
      CulpritFlameBox box = { at, from_ns[node->depth] * scale, node->total_ns * scale };

      if (box.width < least || box.x >= width)
        {
          at = at == zoom ? zoomed->end : culprit_flame_node (flame, node->parent)->end;
          continue;
        }
      box.width = MIN (box.width, width - box.x);
      g_array_append_val (boxes, box);
      from_ns[node->depth + 1] = from_ns[node->depth];
      from_ns[node->depth] += node->total_ns;
      at++;
    }
  return boxes;
}

/* Names. */

guint8 *
culprit_flame_find (const CulpritFlame *flame, const char *text, guint *found, guint64 *ns)
{
  guint8 *has = g_new0 (guint8, flame->nodes->len);
  g_autofree char *wanted = g_utf8_casefold (text, -1);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL); /* Each function has one name, but many nodes. */
  guint counted = 0; /* Nodes before this one are below one whose time is counted already. */

  *found = 0;
  *ns = 0;
  for (guint i = 1; i < flame->nodes->len; i++)
    {
      const CulpritFlameNode *node = culprit_flame_node (flame, i);
      gpointer contains;

      if (!g_hash_table_lookup_extended (known, node->name, NULL, &contains))
        {
          g_autofree char *name = g_utf8_casefold (node->name, -1);

          contains = GINT_TO_POINTER (strstr (name, wanted) != NULL);
          g_hash_table_insert (known, (gpointer) node->name, contains);
        }
      if (!contains)
        continue;
      has[i] = TRUE;
      ++*found;
      if (i < counted)
        continue;
      *ns += node->total_ns;
      counted = node->end;
    }
  return has;
}

/* The node with the names of @path (from culprit_verdict_node()), the first in @context; CULPRIT_FLAME_NONE: no
 * selected late wake-up has it. */
static guint
find_path (const CulpritFlame *flame, const GPtrArray *path, CulpritContext context)
{
  guint at = 0;

  for (guint step = 0; step < path->len; step++)
    {
      g_autofree char *name = culprit_name_in_path (g_ptr_array_index (path, step));
      const guint end = culprit_flame_node (flame, at)->end;

      for (at++; at < end; at = culprit_flame_node (flame, at)->end)
        if (g_str_equal (culprit_flame_node (flame, at)->name, name) &&
            culprit_flame_node (flame, at)->context == context)
          break;
      if (at == end)
        return CULPRIT_FLAME_NONE;
    }
  return path->len > 0 ? at : CULPRIT_FLAME_NONE;
}

static void
mark_function (CulpritFlame *flame, const CulpritCulprit *culprit, guint place)
{
  for (guint i = 1; i < flame->nodes->len;)
    {
      CulpritFlameNode *node = &g_array_index (flame->nodes, CulpritFlameNode, i);
      gboolean is = node->function == culprit->function && node->context == culprit->context;

      if (is && node->cause == 0)
        node->cause = place;
      i = is ? node->end : i + 1;
    }
}

void
culprit_flame_mark (CulpritFlame *flame, const CulpritVerdict *verdict)
{
  for (guint i = 0; i < flame->nodes->len; i++)
    g_array_index (flame->nodes, CulpritFlameNode, i).cause = 0;
  for (guint i = 0; verdict && i < verdict->culprits->len; i++)
    {
      const CulpritCulprit *culprit = &g_array_index (verdict->culprits, CulpritCulprit, i);
      g_autoptr (GPtrArray) path = culprit_verdict_node (verdict, culprit->node);
      guint node =
          culprit->kind == CULPRIT_CAUSE_FUNCTION ? CULPRIT_FLAME_NONE : find_path (flame, path, culprit->context);

      if (culprit->kind == CULPRIT_CAUSE_FUNCTION)
        mark_function (flame, culprit, i + 1);
      else if (node != CULPRIT_FLAME_NONE && culprit_flame_node (flame, node)->cause == 0)
        g_array_index (flame->nodes, CulpritFlameNode, node).cause = i + 1;
    }
}

/* Words. */

char *
culprit_flame_in_words (const CulpritFlame *flame)
{
  guint n = flame->captures->len;
  g_autofree char *mean = culprit_time_format (llround (mean_ns (flame, 0)));
  g_autofree char *base = culprit_time_format (llround (culprit_flame_node (flame, 0)->base_ns));
  g_autofree char *wake_ups = culprit_count_format (flame->base_wake_ups);
  g_autofree char *without =
      flame->without_base > 0 ? g_strdup_printf (" (%u have none)", flame->without_base) : g_strdup ("");

  if (n == 0)
    return g_strdup ("No late wake-ups");
  if (flame->base_wake_ups == 0)
    return g_strdup_printf ("%u late wake-up%s, %s on average; there are no %s to compare with", n, culprit_plural (n),
                            mean, flame->base);
  return g_strdup_printf ("%u late wake-up%s, %s on average, against %s of %s %s%s", n, culprit_plural (n), mean, base,
                          wake_ups, flame->base, without);
}

char *
culprit_flame_title (const CulpritFlame *flame, guint node)
{
  const CulpritFlameNode *it = culprit_flame_node (flame, node);

  if (it->depth != 1 || it->context >= CULPRIT_CONTEXTS || it->context == CULPRIT_CONTEXT_TASK ||
      !culprit_context_words[it->context].kind || g_str_equal (it->name, culprit_context_name (it->context)))
    return g_strdup (it->name);
  return g_strdup_printf ("%s %s", culprit_context_words[it->context].kind, it->name);
}

char *
culprit_flame_describe (const CulpritFlame *flame, guint node)
{
  const CulpritFlameNode *it = culprit_flame_node (flame, node);
  guint n = MAX (flame->captures->len, 1);
  g_autofree char *title = culprit_flame_title (flame, node);
  g_autofree char *mean = culprit_time_format (llround (mean_ns (flame, node)));
  g_autofree char *own = culprit_time_format (llround ((double) it->own_ns / n));
  g_autoptr (GString) text = g_string_new (title);

  g_string_append_printf (text, ": %s in a late wake-up", mean);
  if (it->depth > 1)
    g_string_append_printf (text, " (%s its own)", own);
  if (flame->base_wake_ups > 0)
    {
      g_autofree char *base = culprit_time_format (llround (it->base_ns));
      g_autofree char *difference = culprit_difference_format (culprit_flame_difference_ns (flame, node));

      g_string_append_printf (text, ", %s in %s: %s", base, flame->base, difference);
    }
  if (it->depth > 1)
    g_string_append_printf (text, "; %.1f calls", (double) it->calls / n);
  if (it->depth > 1 && flame->base_wake_ups > 0)
    g_string_append_printf (text, ", there %.1f", it->base_calls);
  g_string_append_printf (text, "; in %u of %u late wake-ups", it->late, flame->captures->len);
  if (it->cause > 0)
    g_string_append_printf (text, "; cause %u of the verdict", it->cause);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
culprit_flame_legend (const CulpritFlame *flame, gboolean more)
{
  g_autofree char *most = culprit_time_format (llround (flame->most_ns));

  return g_strdup_printf ("%s %s", most, more ? "more" : "less");
}

/* Tables and lines. */

static const CulpritColumn columns[] = {
  { "node", "Node", CULPRIT_KIND_IDENTIFIER, "Its number in this table: each node comes before those below it." },
  { "parent", "Parent", CULPRIT_KIND_IDENTIFIER, "The number of the node that it is directly below." },
  { "depth", "Depth", CULPRIT_KIND_COUNT, "0 is all late wake-ups, 1 a source, 2 and more are calls." },
  { "name", "Name", CULPRIT_KIND_TEXT,
    "The function; or its source, which had the CPU: a task, or the function that an interrupt began with.", 24, TRUE },
  { "caller", "Caller", CULPRIT_KIND_TEXT, "The name of the node that it is directly below.", 18 },
  { "context", "Context", CULPRIT_KIND_WORD, "What the CPU was running." },
  { "late", "Late", CULPRIT_KIND_COUNT, "Late wake-ups that have it or something below it." },
  { "calls", "Calls", CULPRIT_KIND_COUNT, "Its calls by this path in all late wake-ups." },
  { "own_ns", "Own", CULPRIT_KIND_EXACT, "Its untraced time in all late wake-ups, excluding what is below it." },
  { "total_ns", "Total", CULPRIT_KIND_EXACT, "The same including what is below it." },
  { "calls_mean", "Calls", CULPRIT_KIND_MEAN, "Its calls in one late wake-up, on average." },
  { "own_mean_ns", "Own", CULPRIT_KIND_TIME,
    "Its untraced time in one late wake-up, on average, excluding what is below it." },
  { "mean_ns", "Time", CULPRIT_KIND_TIME, "The same including what is below it." },
  { "base.calls_mean", "Base Calls", CULPRIT_KIND_MEAN,
    "Its calls in one wake-up of the base, on average. The base of a late wake-up are the ordinary ones that the "
    "verdict "
    "compares it with, or the late ones of another run." },
  { "base.own_mean_ns", "Base Own", CULPRIT_KIND_TIME, "Its own untraced time there." },
  { "base.mean_ns", "Base", CULPRIT_KIND_TIME, "The same including what is below it." },
  { "difference_ns", "Difference", CULPRIT_KIND_DIFFERENCE, "How much more time it takes than in the base." },
  { NULL },
};

const CulpritDefinition culprit_flame_calls = {
  .row = "call path",
  .columns = columns,
  .window = "name caller context late calls_mean base.calls_mean own_mean_ns mean_ns base.mean_ns difference_ns",
};

CulpritTable *
culprit_flame_table (const CulpritFlame *flame)
{
  CulpritTable *table = culprit_definition_begin (&culprit_flame_calls);
  double n = MAX (flame->captures->len, 1);
  gboolean based = flame->base_wake_ups > 0;

  table->grouped = TRUE;
  for (guint i = 0; i < flame->nodes->len && flame->captures->len > 0; i++)
    {
      const CulpritFlameNode *node = culprit_flame_node (flame, i);

      culprit_table_add_integer (table, i);
      if (i == 0)
        culprit_table_add_real (table, NAN);
      else
        culprit_table_add_integer (table, node->parent);
      culprit_table_add_integer (table, node->depth);
      culprit_table_add_text (table, node->name);
      culprit_table_add_text (table, i == 0 ? "" : culprit_flame_node (flame, node->parent)->name);
      culprit_table_add_text (table, i == 0 ? "" : culprit_context_name (node->context));
      culprit_table_add_integer (table, node->late);
      culprit_table_add_integer (table, node->calls);
      culprit_table_add_integer (table, MIN (node->own_ns, G_MAXINT64));
      culprit_table_add_integer (table, MIN (node->total_ns, G_MAXINT64));
      culprit_table_add_real (table, node->calls / n);
      culprit_table_add_real (table, node->own_ns / n);
      culprit_table_add_real (table, node->total_ns / n);
      culprit_table_add_real (table, based ? node->base_calls : NAN);
      culprit_table_add_real (table, based ? node->base_own_ns : NAN);
      culprit_table_add_real (table, based ? node->base_ns : NAN);
      culprit_table_add_real (table, based ? culprit_flame_difference_ns (flame, i) : NAN);
    }
  return table;
}

char *
culprit_flame_path (const CulpritFlame *flame, guint node)
{
  const char *names[CULPRIT_NODES_DEEPEST + 3] = { NULL };
  GString *path = g_string_new (NULL);

  for (guint at = node; at != CULPRIT_FLAME_NONE; at = culprit_flame_node (flame, at)->parent)
    names[culprit_flame_node (flame, at)->depth] = culprit_flame_node (flame, at)->name;
  for (guint depth = 1; names[depth]; depth++)
    {
      gsize start = path->len + (depth > 1);

      g_string_append (depth > 1 ? g_string_append_c (path, ';') : path, names[depth]);
      g_strdelimit (path->str + start, ";\n\r", ',');
    }
  return g_string_free (path, FALSE);
}
