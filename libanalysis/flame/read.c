/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what each node cost in the late wake-ups and in those that they are compared with, adds it up, and puts the
 * nodes into the order of a picture. 1,000 captures take about a third of a second, most of it in SQLite. */
#include "flame.h"

#include "compare.h"
#include "names.h"
#include "seeded-hash.h"
#include "study/statement-private.h"
#include "study/triage.h"

/* All of these begin with the number by which they are found. */

typedef struct
{
  gint64 id;
  const char *label;
  const char *key;
} Function;

typedef struct
{
  gint64 id;
  CulpritFlameNode node; /* its parent is an index among the nodes as read */
  guint stamp;           /* the last late wake-up that has it, plus one */
  gboolean occurs;       /* in a late wake-up or in the base */
  guint first_child;
  guint next_sibling;
} Node;

typedef struct
{
  gint64 id;
  double weight; /* of each of its wake-ups in the sums of the base */
  guint64 ordinary;
  guint population;
  gboolean counts; /* in its population */
} Capture;

/* A node in a late wake-up, by their places. */
typedef struct
{
  guint node;
  guint late;
} Row;

typedef struct
{
  guint64 ordinary; /* wake-ups of its captures */
  guint borrowers;  /* captures with too few of their own */
} Population;

typedef struct
{
  CulpritStudy *study;
  CulpritFlame *flame;
  GArray *functions;   /* of Function, by their numbers, as are the next */
  GArray *nodes;       /* of Node; the first, with number 0, is all of it */
  GArray *late;        /* of Capture: the selected ones */
  GArray *base;        /* of Capture: those of the base; may be the same */
  double based;        /* by which the sums of the base are divided */
  GArray *populations; /* of Population */
  GHashTable *known;   /* the place of each, plus one, by host, kernel and series */
} Reading;

/* The place of @id in @sorted; CULPRIT_FLAME_NONE: it is not there. */
static guint
find (GArray *sorted, gint64 id)
{
  guint index;

  return g_array_binary_search (sorted, &id, compare_int64, &index) ? index : CULPRIT_FLAME_NONE;
}

static Node *
node_at (const Reading *reading, guint index)
{
  return &g_array_index (reading->nodes, Node, index);
}

/* Rows of a damaged study may be of any size: their sums end at the largest number. */
static void
add (guint64 *sum, guint64 more)
{
  if (!g_uint64_checked_add (sum, *sum, more))
    *sum = G_MAXUINT64;
}

/* Calls @take with each row of study/sql/@name.sql; those of the captures of @range (may be NULL). */
static gboolean
read_rows (Reading *reading,
           const char *name,
           const GArray *range,
           void (*take) (Reading *reading, Statement *row),
           GError **error)
{
  g_autoptr (Statement) statement = NULL;
  gboolean row = TRUE;

  if (range && range->len == 0)
    return TRUE;
  statement = statement_named (reading->study, name, error);
  if (statement && range)
    statement_bind_named (statement, "i:first i:last", g_array_index (range, Capture, 0).id,
                          g_array_index (range, Capture, range->len - 1).id);
  while (statement && row)
    {
      if (!statement_step (reading->study, statement, &row, error))
        return FALSE;
      if (row)
        take (reading, statement);
    }
  return statement != NULL;
}

/* Functions and nodes. */

static const char *
keep (Reading *reading, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return g_string_chunk_insert (reading->flame->texts, valid);
}

static void
take_function (Reading *reading, Statement *row)
{
  guint ordinal = sqlite3_column_int64 (row, 3);
  g_autofree char *label = culprit_function_label (statement_text (row, 1), ordinal);
  g_autofree char *key = culprit_function_key (statement_text (row, 1), statement_text (row, 2), ordinal);
  g_autofree char *name = culprit_name_in_path (label);
  Function function = { sqlite3_column_int64 (row, 0), keep (reading, name), keep (reading, key) };

  g_array_append_val (reading->functions, function);
}

/* A node of a damaged study that does not come after its parent, or is too deep, is left out, as is what is below it.
 */
static void
take_node (Reading *reading, Statement *row)
{
  gboolean source = sqlite3_column_type (row, 1) == SQLITE_NULL;
  guint parent = source ? 0 : find (reading->nodes, sqlite3_column_int64 (row, 1));
  guint function = source ? CULPRIT_FLAME_NONE : find (reading->functions, sqlite3_column_int64 (row, 2));
  Node added = { .id = sqlite3_column_int64 (row, 0), .first_child = CULPRIT_FLAME_NONE };

  if (added.id <= 0 || parent == CULPRIT_FLAME_NONE || (!source && parent == 0) ||
      node_at (reading, parent)->node.depth > CULPRIT_NODES_DEEPEST)
    return;
  added.node.parent = parent;
  added.node.depth = node_at (reading, parent)->node.depth + 1;
  added.node.context = culprit_context_named (statement_text (row, 3));
  added.node.function = source ? 0 : sqlite3_column_int64 (row, 2);
  if (source)
    {
      g_autofree char *name = culprit_name_in_path (statement_text (row, 4));

      added.node.name = keep (reading, name);
    }
  else if (function == CULPRIT_FLAME_NONE)
    added.node.name = CULPRIT_UNNAMED;
  else
    {
      added.node.name = g_array_index (reading->functions, Function, function).label;
      added.node.key = g_array_index (reading->functions, Function, function).key;
    }
  g_array_append_val (reading->nodes, added);
}

static gboolean
read_nodes (Reading *reading, GError **error)
{
  const Node all = { .node = { .parent = CULPRIT_FLAME_NONE, .name = "all late wake-ups", .context = CULPRIT_CONTEXTS },
                     .first_child = CULPRIT_FLAME_NONE };

  g_array_append_val (reading->nodes, all);
  if (!read_rows (reading, "evidence-names", NULL, take_function, error))
    return FALSE;
  g_array_sort (reading->functions, compare_int64);
  return read_rows (reading, "evidence-nodes", NULL, take_node, error);
}

/* Which wake-ups. */

static GArray *
select_captures (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  g_autoptr (CulpritTable) outliers = culprit_query_outliers (study, filter, error);
  GArray *captures = outliers ? g_array_new (FALSE, FALSE, sizeof (Capture)) : NULL;

  for (guint row = 0; outliers && row < culprit_table_rows (outliers); row++)
    {
      Capture capture = { .id = culprit_table_integer (outliers, row, "capture"),
                          .ordinary = MAX (culprit_table_integer (outliers, row, "ordinary_windows"), 0),
                          .population = CULPRIT_FLAME_NONE };

      g_array_append_val (captures, capture);
    }
  return captures;
}

static void
take_population (Reading *reading, Statement *row)
{
  guint index = find (reading->late, sqlite3_column_int64 (row, 0));
  g_autofree char *key =
      g_strjoin ("\n", statement_text (row, 11), statement_text (row, 12), statement_text (row, 13), NULL);
  const Population none = { 0 };
  Population *population;
  Capture *capture;

  if (index == CULPRIT_FLAME_NONE)
    return;
  capture = &g_array_index (reading->late, Capture, index);
  capture->population = GPOINTER_TO_UINT (g_hash_table_lookup (reading->known, key)) - 1;
  if (capture->population == CULPRIT_FLAME_NONE)
    {
      capture->population = reading->populations->len;
      g_array_append_val (reading->populations, none);
      g_hash_table_insert (reading->known, g_steal_pointer (&key), GUINT_TO_POINTER (reading->populations->len));
    }
  population = &g_array_index (reading->populations, Population, capture->population);
  capture->counts = !culprit_triage_ignores (statement_text (row, 10));
  if (capture->counts)
    add (&population->ordinary, capture->ordinary);
  population->borrowers += capture->ordinary < CULPRIT_LEAST_OWN_BASE;
}

/* The mean of the base is the mean over late wake-ups of that of what each is compared with. */
static void
weigh_ordinary (Reading *reading)
{
  CulpritFlame *flame = reading->flame;
  guint based = 0;

  for (guint i = 0; i < reading->late->len; i++)
    {
      Capture *capture = &g_array_index (reading->late, Capture, i);
      const Population *population = capture->population == CULPRIT_FLAME_NONE
                                         ? NULL
                                         : &g_array_index (reading->populations, Population, capture->population);
      gboolean own = capture->ordinary >= CULPRIT_LEAST_OWN_BASE;

      if (own)
        capture->weight = 1.0 / capture->ordinary;
      if (population && capture->counts && population->ordinary > 0)
        capture->weight += (double) population->borrowers / population->ordinary;
      if (capture->weight > 0)
        add (&flame->base_wake_ups, capture->ordinary);
      based += own || (population && population->ordinary > 0);
    }
  reading->based = MAX (based, 1);
  flame->without_base = reading->late->len - based;
}

/* Finds what to compare with. */
/* Leaves those of the base out of the late wake-ups, if there are others, so that none is compared with itself. Both
 * are in ascending order. */
static void
leave_base_out (Reading *reading)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (Capture));
  guint place = 0;

  for (guint i = 0; i < reading->late->len; i++)
    {
      const Capture *capture = &g_array_index (reading->late, Capture, i);

      while (place < reading->base->len && g_array_index (reading->base, Capture, place).id < capture->id)
        place++;
      if (place == reading->base->len || g_array_index (reading->base, Capture, place).id != capture->id)
        g_array_append_vals (others, capture, 1);
    }
  if (others->len == 0)
    return;
  g_array_unref (reading->late);
  reading->late = g_steal_pointer (&others);
}

/* @all: the late wake-ups are those of all runs. */
static gboolean
begin_base (Reading *reading, const char *base, gboolean all, GError **error)
{
  const CulpritFilter filter = { .run = base, .counted = TRUE };

  if (!base)
    {
      reading->flame->base = g_strdup ("ordinary wake-ups");
      reading->base = g_array_ref (reading->late);
      if (!read_rows (reading, "evidence-outliers", NULL, take_population, error))
        return FALSE;
      weigh_ordinary (reading);
      return TRUE;
    }
  reading->flame->base = g_strdup_printf ("late wake-ups of %s", base);
  reading->base = select_captures (reading->study, &filter, error);
  if (!reading->base)
    return FALSE;
  for (guint i = 0; i < reading->base->len; i++)
    g_array_index (reading->base, Capture, i).weight = 1;
  if (all)
    leave_base_out (reading);
  reading->based = MAX (reading->base->len, 1);
  reading->flame->base_wake_ups = reading->base->len;
  reading->flame->without_base = reading->base->len > 0 ? 0 : reading->late->len;
  return TRUE;
}

/* What nodes cost. */

/* A row of capture, node, calls, self_ns and tracing_ns. FALSE: its capture is none of @captures, or it has no node. */
static gboolean
find_row (Reading *reading, GArray *captures, Statement *row, guint *capture, guint *node, guint64 *calls, guint64 *ns)
{
  gint64 self_ns = MAX (sqlite3_column_int64 (row, 3), 0);

  *capture = find (captures, sqlite3_column_int64 (row, 0));
  *node = *capture == CULPRIT_FLAME_NONE ? CULPRIT_FLAME_NONE : find (reading->nodes, sqlite3_column_int64 (row, 1));
  *calls = MAX (sqlite3_column_int64 (row, 2), 0);
  *ns = self_ns - CLAMP (sqlite3_column_int64 (row, 4), 0, self_ns);
  return *node != CULPRIT_FLAME_NONE && *node > 0;
}

static void
take_late (Reading *reading, Statement *row)
{
  guint64 calls;
  guint64 ns;
  Row added;

  if (!find_row (reading, reading->late, row, &added.late, &added.node, &calls, &ns))
    return;
  add (&node_at (reading, added.node)->node.calls, calls);
  add (&node_at (reading, added.node)->node.own_ns, ns);
  node_at (reading, added.node)->occurs = TRUE;
  g_array_append_val (reading->flame->rows, added);
  for (guint at = added.node; at != CULPRIT_FLAME_NONE; at = node_at (reading, at)->node.parent)
    {
      if (node_at (reading, at)->stamp == added.late + 1)
        break;
      node_at (reading, at)->stamp = added.late + 1;
      node_at (reading, at)->node.late++;
    }
}

static void
take_base (Reading *reading, Statement *row)
{
  guint64 calls;
  guint64 ns;
  guint capture;
  guint node;

  if (!find_row (reading, reading->base, row, &capture, &node, &calls, &ns))
    return;
  node_at (reading, node)->occurs |= g_array_index (reading->base, Capture, capture).weight > 0;
  node_at (reading, node)->node.base_calls += calls * g_array_index (reading->base, Capture, capture).weight;
  node_at (reading, node)->node.base_own_ns += ns * g_array_index (reading->base, Capture, capture).weight;
}

/* Adds to each node what is below it. */
static void
add_up (Reading *reading)
{
  for (guint i = reading->nodes->len; i > 0; i--)
    {
      CulpritFlameNode *node = &node_at (reading, i - 1)->node;
      CulpritFlameNode *parent = i > 1 ? &node_at (reading, node->parent)->node : NULL;

      node->base_calls /= reading->based;
      node->base_own_ns /= reading->based;
      add (&node->total_ns, node->own_ns);
      node->base_ns += node->base_own_ns;
      if (!parent)
        return;
      add (&parent->total_ns, node->total_ns);
      parent->base_ns += node->base_ns;
    }
}

/* The order of a picture. */

static int
compare_siblings (gconstpointer a, gconstpointer b, gpointer data)
{
  const CulpritFlameNode *left = &node_at (data, *(const guint *) a)->node;
  const CulpritFlameNode *right = &node_at (data, *(const guint *) b)->node;

  if (left->total_ns != right->total_ns)
    return left->total_ns < right->total_ns ? 1 : -1;
  if (left->base_ns != right->base_ns)
    return left->base_ns < right->base_ns ? 1 : -1;
  return g_strcmp0 (left->name, right->name);
}

/* Chains the nodes that occur to their parents, which then occur as well. */
static void
link_nodes (Reading *reading)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = reading->nodes->len; i > 1; i--)
    {
      const Node *node = node_at (reading, i - 1);
      guint index = i - 1;

      if (!node->occurs)
        continue;
      node_at (reading, node->node.parent)->occurs = TRUE;
      g_array_append_val (order, index);
    }
  g_array_sort_with_data (order, compare_siblings, reading);
  for (guint i = order->len; i > 0; i--)
    {
      guint index = g_array_index (order, guint, i - 1);
      Node *parent = node_at (reading, node_at (reading, index)->node.parent);

      node_at (reading, index)->next_sibling = parent->first_child;
      parent->first_child = index;
    }
}

/* Appends the node @index as read, and all below it; no tree is deeper than CULPRIT_NODES_DEEPEST. @places: where each
 * came. */
static void
append (Reading *reading, guint index, guint parent, guint *places)
{
  CulpritFlame *flame = reading->flame;
  const guint place = flame->nodes->len;

  places[index] = place;
  g_array_append_val (flame->nodes, node_at (reading, index)->node);
  for (guint child = node_at (reading, index)->first_child; child != CULPRIT_FLAME_NONE;
       child = node_at (reading, child)->next_sibling)
    append (reading, child, place, places);
  g_array_index (flame->nodes, CulpritFlameNode, place).parent = parent;
  g_array_index (flame->nodes, CulpritFlameNode, place).end = flame->nodes->len;
}

static void
finish (Reading *reading)
{
  CulpritFlame *flame = reading->flame;
  g_autofree guint *places = g_new0 (guint, reading->nodes->len);

  add_up (reading);
  link_nodes (reading);
  append (reading, 0, CULPRIT_FLAME_NONE, places);
  for (guint i = 0; i < flame->rows->len; i++)
    g_array_index (flame->rows, Row, i).node = places[g_array_index (flame->rows, Row, i).node];
  for (guint i = 0; i < reading->late->len; i++)
    g_array_append_val (flame->captures, g_array_index (reading->late, Capture, i).id);
  for (guint i = 0; i < flame->nodes->len; i++)
    flame->most_ns = MAX (flame->most_ns, ABS (culprit_flame_difference_ns (flame, i)));
}

static void
reading_clear (Reading *reading)
{
  g_clear_pointer (&reading->flame, culprit_flame_free);
  g_array_unref (reading->functions);
  g_array_unref (reading->nodes);
  g_clear_pointer (&reading->late, g_array_unref);
  g_clear_pointer (&reading->base, g_array_unref);
  g_array_unref (reading->populations);
  g_hash_table_unref (reading->known);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static CulpritFlame *
flame_new (void)
{
  CulpritFlame *flame = g_new0 (CulpritFlame, 1);

  flame->nodes = g_array_new (FALSE, FALSE, sizeof (CulpritFlameNode));
  flame->captures = g_array_new (FALSE, FALSE, sizeof (gint64));
  flame->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  flame->texts = g_string_chunk_new (16 * 1024);
  return flame;
}

CulpritFlame *
culprit_flame_read (CulpritStudy *study, const CulpritFilter *filter, const char *base, GError **error)
{
  gboolean all;
  g_auto (Reading) reading = { .study = study,
                               .flame = flame_new (),
                               .functions = g_array_new (FALSE, FALSE, sizeof (Function)),
                               .nodes = g_array_new (FALSE, FALSE, sizeof (Node)),
                               .populations = g_array_new (FALSE, FALSE, sizeof (Population)),
                               .known = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL) };

  all = !filter->run && filter->capture == 0 && filter->n_captures == 0;
  reading.late = select_captures (study, filter, error);
  if (!reading.late || !begin_base (&reading, base, all, error) || !read_nodes (&reading, error) ||
      !read_rows (&reading, "evidence-late", reading.late, take_late, error) ||
      !read_rows (&reading, base ? "evidence-late" : "evidence-usual", reading.base, take_base, error))
    return NULL;
  finish (&reading);
  return g_steal_pointer (&reading.flame);
}

void
culprit_flame_free (CulpritFlame *flame)
{
  g_array_unref (flame->nodes);
  g_array_unref (flame->captures);
  g_array_unref (flame->rows);
  g_free (flame->base);
  g_string_chunk_free (flame->texts);
  g_free (flame);
}

GArray *
culprit_flame_captures (const CulpritFlame *flame, guint node)
{
  g_autofree guint8 *has = g_new0 (guint8, flame->captures->len);
  GArray *captures = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < flame->rows->len; i++)
    {
      const Row *row = &g_array_index (flame->rows, Row, i);

      if (row->node >= node && row->node < culprit_flame_node (flame, node)->end)
        has[row->late] = TRUE;
    }
  for (guint i = 0; i < flame->captures->len; i++)
    if (has[i])
      g_array_append_val (captures, g_array_index (flame->captures, gint64, i));
  return captures;
}
