/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks of each further wake-up what carries it, by the verdict's definition and from nothing of its code: own times are
 * those that were simulated, without the tracer's, and what is ordinary comes from many wake-ups. */
#include "truth-replicas.h"

#include "truth-file.h"

#include <math.h>
#include <stdlib.h>

#define ORDINARY 600 /* wake-ups */
#define MOST_LATE 3000
#define FEWEST_LATE 100
#define MOST_DRAWN 1e8 /* calls, to find slowest wake-ups */
#define OTHER_SEED 0x5bd1e995ul
#define CARRIES .5
#define STANDS_OUT (5 * 1.4826) /* median absolute deviations */
#define STANDS_OUT_MEAN .5
#define NO_NODE G_MAXUINT
#define MOST_DEPTH 64

/* The first nodes are the tasks; an interrupt's is its entry function. */
typedef enum
{
  SOURCE_IDLE,
  SOURCE_MEASURED,
  SOURCE_WORKER,
  SOURCE_HARDIRQ,
  SOURCE_SOFTIRQ,
  SOURCES,
} Source;

/* Of a node or function. */
typedef struct
{
  double now_ns; /* in the wake-up at hand */
  double sum_ns; /* in all ordinary ones */
  guint ran;     /* The number of them that have it. */
} Amount;

typedef struct
{
  guint parent;
  guint function;
  Source source;
  Amount all;       /* with callees */
  double own_ns;    /* in the wake-up at hand */
  guint carried[2]; /* late wake-ups: as a node, and by own time of its function */
  guint stalled[2]; /* of these, with a stall */
} Node;

typedef struct
{
  const Study *study;
  GArray *nodes;      /* of Node */
  GHashTable *places; /* parent, function and source -> its place */
  GArray *functions;  /* of Amount, by source and function */
  guint per_source;
  GArray *ordinary_ns; /* of double */
  double sum_ns;
  double median_ns;
  double gate_ns;
  guint drawn;
  guint late;
  guint stalled;
} Replicas;

static Node *
node_at (const Replicas *replicas, guint place)
{
  return &g_array_index (replicas->nodes, Node, place);
}

static Amount *
function_of (const Replicas *replicas, const Node *node)
{
  return &g_array_index (replicas->functions, Amount, node->source * replicas->per_source + node->function);
}

static guint
find_node (Replicas *replicas, guint parent, guint function, Source source)
{
  guint64 key = ((guint64) (parent + 1) << 32) + function * SOURCES + source;
  gpointer found = g_hash_table_lookup (replicas->places, &key);
  Node node = { .parent = parent, .function = function, .source = source };

  if (found)
    return GPOINTER_TO_UINT (found) - 1;
  g_array_append_val (replicas->nodes, node);
  g_hash_table_insert (replicas->places, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (replicas->nodes->len));
  return replicas->nodes->len - 1;
}

static Source
task_of (const Event *event)
{
  return event->pid == 0 ? SOURCE_IDLE : event->pid == PID_MEASURED ? SOURCE_MEASURED : SOURCE_WORKER;
}

/* The node that @event enters below @caller. */
static guint
enter (Replicas *replicas, guint caller, const Event *event)
{
  Source interrupt = event->flags & HARDIRQ ? SOURCE_HARDIRQ : event->flags & SOFTIRQ ? SOURCE_SOFTIRQ : SOURCES;
  Source source = node_at (replicas, caller)->source;

  if (interrupt != SOURCES && interrupt != source)
    return find_node (replicas, NO_NODE, event->function, interrupt);
  return find_node (replicas, caller, event->function, source);
}

static void
add_own (Replicas *replicas, guint place, double own_ns)
{
  Node *node = node_at (replicas, place);

  node->own_ns += own_ns;
  node->all.now_ns += own_ns;
  if (node->function != NO_FUNCTION)
    function_of (replicas, node)->now_ns += own_ns;
}

static void
clear (Replicas *replicas)
{
  for (guint i = 0; i < replicas->nodes->len; i++)
    node_at (replicas, i)->own_ns = node_at (replicas, i)->all.now_ns = 0;
  for (guint i = 0; i < replicas->functions->len; i++)
    g_array_index (replicas->functions, Amount, i).now_ns = 0;
}

/* Sums the untraced times of @wake by node and by function. The time before an event belongs to what its task was in.
 */
static void
read_wake (Replicas *replicas, const Wake *wake)
{
  guint stacks[SOURCE_WORKER + 1][MOST_DEPTH + 1] = { { SOURCE_IDLE }, { SOURCE_MEASURED }, { SOURCE_WORKER } };
  guint depths[SOURCE_WORKER + 1] = { 0, 1, 0 };

  clear (replicas);
  stacks[SOURCE_MEASURED][1] = find_node (replicas, SOURCE_MEASURED, REGION_MEASURED, SOURCE_MEASURED);
  for (guint i = 0; i < wake->inside; i++)
    {
      const Event *event = &g_array_index (wake->events, Event, i);
      Source task = task_of (event);
      guint at = stacks[task][depths[task]];

      add_own (replicas, at, event->own_ns);
      if (event->kind == EVENT_ENTRY)
        stacks[task][++depths[task]] = enter (replicas, at, event);
      else if (event->kind == EVENT_EXIT)
        depths[task]--;
    }
  add_own (replicas, SOURCE_MEASURED, wake->user_ns);
  for (guint i = replicas->nodes->len; i > 0; i--)
    if (node_at (replicas, i - 1)->parent != NO_NODE)
      node_at (replicas, node_at (replicas, i - 1)->parent)->all.now_ns += node_at (replicas, i - 1)->all.now_ns;
}

static void
count_ordinary (Amount *amount)
{
  amount->sum_ns += amount->now_ns;
  amount->ran += amount->now_ns > 0;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double difference = *(const double *) a - *(const double *) b;

  return (difference > 0) - (difference < 0);
}

/* Sorts @values. */
static double
median_of (GArray *values)
{
  g_array_sort (values, compare_doubles);
  return g_array_index (values, double, values->len / 2);
}

static void
find_gate (Replicas *replicas)
{
  g_autoptr (GArray) deviations = g_array_new (FALSE, FALSE, sizeof (double));

  replicas->median_ns = median_of (replicas->ordinary_ns);
  for (guint i = 0; i < replicas->ordinary_ns->len; i++)
    {
      double deviation_ns = fabs (g_array_index (replicas->ordinary_ns, double, i) - replicas->median_ns);

      g_array_append_val (deviations, deviation_ns);
    }
  replicas->gate_ns = STANDS_OUT * median_of (deviations);
}

/* As those of the captures; their thresholds differ where they are the slowest of many. */
static void
draw_ordinary (Replicas *replicas)
{
  guint captures = replicas->study->world->captures;

  for (guint i = 0; i < ORDINARY; i++)
    {
      guint number = i % (captures * replicas->study->world->ordinary);
      g_autoptr (Wake) wake =
          study_draw_ordinary (replicas->study, number, study_threshold_ns (replicas->study, i % captures));
      double own_ns = wake_own_ns (wake);

      read_wake (replicas, wake);
      for (guint k = 0; k < replicas->nodes->len; k++)
        count_ordinary (&node_at (replicas, k)->all);
      for (guint k = 0; k < replicas->functions->len; k++)
        count_ordinary (&g_array_index (replicas->functions, Amount, k));
      g_array_append_val (replicas->ordinary_ns, own_ns);
      replicas->sum_ns += own_ns;
    }
  find_gate (replicas);
}

static double
excess_of (const Amount *amount)
{
  return amount->now_ns - amount->sum_ns / ORDINARY;
}

/* Whether more than half of @excess_ns is its, but for what it would have if everything were slower. */
static gboolean
carries (const Replicas *replicas, const Amount *amount, double excess_ns)
{
  double share = MIN (amount->sum_ns / replicas->sum_ns, (double) amount->ran / ORDINARY);

  return share < 1 && (excess_of (amount) / excess_ns - share) / (1 - share) >= CARRIES;
}

/* The function with the largest excess: its node of most own time. NO_NODE: there is none. */
static guint
find_leader (const Replicas *replicas)
{
  guint best = NO_NODE;

  for (guint i = 0; i < replicas->nodes->len; i++)
    {
      const Node *node = node_at (replicas, i);
      double more_ns;

      if (node->function == NO_FUNCTION)
        continue;
      more_ns = best == NO_NODE ? 1
                                : excess_of (function_of (replicas, node)) -
                                      excess_of (function_of (replicas, node_at (replicas, best)));
      if (more_ns > 0 || (more_ns == 0 && node->own_ns > node_at (replicas, best)->own_ns))
        best = i;
    }
  return best;
}

/* The deepest node that carries it. NO_NODE: none does. */
static guint
find_deepest (const Replicas *replicas, double excess_ns)
{
  guint at = NO_NODE;

  for (guint i = 0; i < replicas->nodes->len; i++)
    if (node_at (replicas, i)->parent == at && carries (replicas, &node_at (replicas, i)->all, excess_ns))
      {
        /* No other child does, and those of a node come after it. */
        at = i;
      }
  return at;
}

static void
count_carrier (Replicas *replicas, double excess_ns, gboolean stalled)
{
  guint leader = find_leader (replicas);
  gboolean own = leader != NO_NODE && carries (replicas, function_of (replicas, node_at (replicas, leader)), excess_ns);
  guint place = own ? leader : find_deepest (replicas, excess_ns);

  if (place == NO_NODE)
    return;
  node_at (replicas, place)->carried[own]++;
  node_at (replicas, place)->stalled[own] += stalled;
}

static void
draw_late (Replicas *replicas)
{
  const Study *study = replicas->study;
  double mean_ns = replicas->sum_ns / ORDINARY;
  guint n = CLAMP (MOST_DRAWN / (MAX (study->slowest_of, 1) * study->world->mean_calls), FEWEST_LATE, MOST_LATE);

  for (replicas->drawn = 0; replicas->drawn < n; replicas->drawn++)
    {
      guint cause = study_draw_cause (study);
      gboolean stalled = study->late[cause].cause->kind == CAUSE_STALLS;
      g_autoptr (Wake) wake = study_draw_late (study, cause);
      double own_ns = wake_own_ns (wake);

      if (own_ns - replicas->median_ns < replicas->gate_ns || own_ns - mean_ns < STANDS_OUT_MEAN * mean_ns)
        continue;
      read_wake (replicas, wake);
      replicas->late++;
      replicas->stalled += stalled;
      count_carrier (replicas, own_ns - mean_ns, stalled);
    }
}

static void
append_path (const Replicas *replicas, GString *out, guint place)
{
  const Node *node = node_at (replicas, place);
  g_autofree char *name = NULL;

  if (node->function == NO_FUNCTION)
    return;
  name = function_name (node->function);
  if (node->parent != NO_NODE)
    append_path (replicas, out, node->parent);
  g_string_append_printf (out, "%s\"%s\"", g_str_has_suffix (out->str, "[") ? "" : ", ", name);
}

static void
append_source (const Replicas *replicas, GString *out, guint place)
{
  static const char *const tasks[] = { "idle", "cyclic", "worker" };
  g_autofree char *interrupt = NULL;

  while (node_at (replicas, place)->parent != NO_NODE)
    place = node_at (replicas, place)->parent;
  if (place > SOURCE_WORKER)
    interrupt = function_name (node_at (replicas, place)->function);
  g_string_append (out, interrupt ? interrupt : tasks[place]);
}

static void
append_carrier (const Replicas *replicas, GString *out, guint place, gboolean own)
{
  const Node *node = node_at (replicas, place);

  if (node->carried[own] == 0)
    return;
  g_string_append (out, g_str_has_suffix (out->str, "[") ? "\n {\"source\": \"" : ",\n {\"source\": \"");
  append_source (replicas, out, place);
  g_string_append (out, "\", \"path\": [");
  append_path (replicas, out, place);
  g_string_append_printf (out, "], \"own\": %s, \"late\": %u, \"stalled\": %u}", own ? "true" : "false",
                          node->carried[own], node->stalled[own]);
}

static char *
as_json (const Replicas *replicas)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "{\"drawn\": %u, \"late\": %u, \"stalled\": %u, \"carriers\": [", replicas->drawn,
                          replicas->late, replicas->stalled);
  for (guint i = 0; i < replicas->nodes->len; i++)
    {
      append_carrier (replicas, out, i, FALSE);
      append_carrier (replicas, out, i, TRUE);
    }
  g_string_append (out, "]}\n");
  return g_string_free (out, FALSE);
}

char *
replicas_as_json (const Study *study, gulong seed)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, TRUE, sizeof (Node));
  g_autoptr (GArray) functions = g_array_new (FALSE, TRUE, sizeof (Amount));
  g_autoptr (GArray) ordinary_ns = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  Replicas replicas = { .study = study,
                        .nodes = nodes,
                        .functions = functions,
                        .ordinary_ns = ordinary_ns,
                        .places = places,
                        .per_source = FUNCTION_ELSEWHERE (study->world) + 1 };

  g_array_set_size (functions, SOURCES * replicas.per_source);
  for (Source task = SOURCE_IDLE; task <= SOURCE_WORKER; task++)
    find_node (&replicas, NO_NODE, NO_FUNCTION, task);
  gsl_rng_set (study->world->random, seed ^ OTHER_SEED);
  draw_ordinary (&replicas);
  draw_late (&replicas);
  return as_json (&replicas);
}
