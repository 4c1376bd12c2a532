/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drop-down for the baseline, check boxes for the others. What the user has chosen and checked survives another
 * baseline and a reload; defaults may change when there is more to choose from. */
#include "compare/sides.h"

#include "latency/comparison/comparison.h"
#include "seeded-hash.h"
#include "show.h"
#include "widgets.h"

#include <string.h>

/* Choices: the runs of an arm of a series together, and each run alone. */

static CompareChoice *
compare_choice_copy (const CompareChoice *choice)
{
  CompareChoice *copy = g_new (CompareChoice, 1);

  *copy =
      (CompareChoice) { choice->kind,     g_strdup (choice->label), g_strdup (choice->name),   g_strdup (choice->title),
                        choice->untraced, choice->traced,           g_strdup (choice->system), g_strdup (choice->run) };
  return copy;
}

static void
compare_choice_free (CompareChoice *choice)
{
  g_free (choice->label);
  g_free (choice->name);
  g_free (choice->title);
  g_free (choice->system);
  g_free (choice->run);
  g_free (choice);
}

/* The key of the arm of a run. The caller owns it. */
static char *
arm_key (const char *series, const char *arm)
{
  return g_strdup_printf ("%s\n%s", series, arm);
}

/* Counts another run of the arm @key, which it takes. */
static void
count_one (GHashTable *arms, char *key)
{
  guint count = GPOINTER_TO_UINT (g_hash_table_lookup (arms, key));

  g_hash_table_replace (arms, key, GUINT_TO_POINTER (count + 1));
}

/* "off", "cyclic/off", "busy-off". */
static gboolean
is_called (const char *name, const char *tracing)
{
  gsize before = strlen (name) - MIN (strlen (name), strlen (tracing));

  return g_str_has_suffix (name, tracing) && (before == 0 || strchr ("/-_. ", name[before - 1]) != NULL);
}

/* Whether it was recorded with @tracing "off" or "on" or, if that is unknown, is called so. */
static gboolean
has_tracing (const CulpritLatencies *one, const char *tracing)
{
  return *one->tracing ? g_str_equal (one->tracing, tracing) : is_called (one->arm, tracing);
}

/* The key of what was recorded with and without tracing to be compared: the series or, for imported runs called "off"
 * and "on", what precedes that in their names. */
static char *
system_of (const CulpritLatencies *one)
{
  const char *tracing = has_tracing (one, "off") ? "off" : has_tracing (one, "on") ? "on" : NULL;

  if (*one->tracing)
    return g_strdup_printf ("series %s", one->series);
  return tracing ? g_strdup_printf ("name %.*s", (int) (strlen (one->arm) - strlen (tracing)), one->arm)
                 : g_strdup ("");
}

/* Takes @name and @title. @one: the run or one of them; NULL: tracing does not matter. */
static void
add_choice (
    GPtrArray *choices, CompareKind kind, const char *label, char *name, char *title, const CulpritLatencies *one)
{
  CompareChoice *choice = g_new (CompareChoice, 1);

  *choice = (CompareChoice) { kind,
                              g_strdup (label),
                              name,
                              title,
                              one && has_tracing (one, "off"),
                              one && has_tracing (one, "on"),
                              one ? system_of (one) : g_strdup (""),
                              g_strdup (one ? one->name : label) };
  g_ptr_array_add (choices, choice);
}

static gboolean
has_spread (const CulpritLatencies *one)
{
  if (one->description)
    return one->profile->bins->len >= 2;
  return !one->facts.whole && culprit_summary_has_spread (&one->facts.summary);
}

/* Choices of runs of which every latency or a summary is known. */
static void
add_measured (GPtrArray *choices, GPtrArray *members, const GPtrArray *latencies)
{
  g_autoptr (GHashTable) arms = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);

  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);

      if (one->profile)
        count_one (arms, arm_key (one->series, one->arm));
    }
  for (guint i = 0; i < latencies->len; i++)
    {
      const CulpritLatencies *one = g_ptr_array_index (latencies, i);
      g_autofree char *key = arm_key (one->series, one->arm);
      guint together = one->profile ? GPOINTER_TO_UINT (g_hash_table_lookup (arms, key)) : 0;

      if (!has_spread (one))
        continue;
      add_choice (together > 1 ? members : choices, together > 1 ? COMPARE_MEMBER : COMPARE_RUN, one->name,
                  g_strdup (one->name), g_strdup (one->name), one);
      if (together > 1 && g_hash_table_add (seen, g_steal_pointer (&key)))
        add_choice (choices, COMPARE_RUNS, one->arm, g_strdup (one->arm),
                    g_strdup_printf ("%s (%u runs)", one->arm, together), one);
    }
}

static gboolean
is_captured (const CulpritTable *runs, guint row)
{
  return culprit_table_integer (runs, row, "ordinary_windows") + culprit_table_integer (runs, row, "outliers") >= 2;
}

/* Choices of runs of which wake-ups were captured. */
static void
add_captured (GPtrArray *choices, const CulpritTable *runs)
{
  g_autoptr (GHashTable) arms = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);

  for (guint i = 0; i < culprit_table_rows (runs); i++)
    if (is_captured (runs, i))
      count_one (arms, arm_key (culprit_table_text (runs, i, "series"), culprit_table_text (runs, i, "arm")));
  for (guint i = 0; i < culprit_table_rows (runs); i++)
    {
      const char *arm = culprit_table_text (runs, i, "arm");
      g_autofree char *key = arm_key (culprit_table_text (runs, i, "series"), arm);
      guint together = GPOINTER_TO_UINT (g_hash_table_lookup (arms, key));
      const char *label = together > 1 ? arm : culprit_table_text (runs, i, "run");

      if (is_captured (runs, i) && together > 0)
        add_choice (choices, COMPARE_CAPTURED, label, g_strdup_printf ("%s without the tracer", label),
                    g_strdup_printf ("%s without the tracer", label), NULL);
      g_hash_table_remove (arms, key);
    }
}

/* The choices (of CompareChoice) from @latencies (of CulpritLatencies) and @runs, from culprit_query_runs(); members of
 * arms come last. Runs without spread cannot be compared. The caller owns the array. */
static GPtrArray *
compare_choices (const GPtrArray *latencies, const CulpritTable *runs)
{
  GPtrArray *choices = g_ptr_array_new_with_free_func ((GDestroyNotify) compare_choice_free);
  g_autoptr (GPtrArray) members = g_ptr_array_new ();

  add_measured (choices, members, latencies);
  add_captured (choices, runs);
  g_ptr_array_extend_and_steal (choices, g_steal_pointer (&members));
  return choices;
}

/* The place of the choice called @name; if there is none, of the default base: recorded without tracing, else the
 * first. */
static guint
compare_choices_base (const GPtrArray *choices, const char *name)
{
  for (guint i = 0; name && i < choices->len; i++)
    if (g_str_equal (((const CompareChoice *) g_ptr_array_index (choices, i))->name, name))
      return i;
  for (guint i = 0; i < choices->len; i++)
    if (((const CompareChoice *) g_ptr_array_index (choices, i))->untraced)
      return i;
  return 0;
}

static guint
count_kinds (const GPtrArray *choices, CompareKind first, CompareKind last)
{
  guint count = 0;

  for (guint i = 0; i < choices->len; i++)
    {
      CompareKind kind = ((const CompareChoice *) g_ptr_array_index (choices, i))->kind;

      count += kind >= first && kind <= last;
    }
  return count;
}

/* Whether the choice at @place is compared with that at @base by default. */
static gboolean
compare_choices_beside (const GPtrArray *choices, guint base, guint place)
{
  CompareKind kind = ((const CompareChoice *) g_ptr_array_index (choices, place))->kind;
  CompareKind against = ((const CompareChoice *) g_ptr_array_index (choices, base))->kind;
  gboolean whole = kind <= COMPARE_RUNS;

  if (place == base)
    return FALSE;
  if (against == COMPARE_MEMBER)
    return kind == COMPARE_RUN || kind == COMPARE_MEMBER;
  if (against == COMPARE_CAPTURED || count_kinds (choices, COMPARE_RUN, COMPARE_RUNS) > 1)
    return whole;
  return kind == (count_kinds (choices, COMPARE_MEMBER, COMPARE_MEMBER) > 0 ? COMPARE_MEMBER : COMPARE_CAPTURED);
}

#define LONGEST 28 /* characters of a name in the bar */

struct _CulpritCompareSides
{
  AdwBin parent;
  GPtrArray *choices; /* of CompareChoice */
  GHashTable *own;    /* name -> whether the user has checked it */
  char *own_base;     /* the name of the base that the user has chosen; NULL: none yet */
  GtkWidget *base;
  GtkWidget *others;
  GtkWidget *ticks; /* one check button for each choice, in the same order */
  gboolean filling; /* The widgets are not changed by the user. */
};

G_DEFINE_FINAL_TYPE (CulpritCompareSides, culprit_compare_sides, ADW_TYPE_BIN)

static guint changed;

static const CompareChoice *
choice_at (CulpritCompareSides *sides, guint place)
{
  return g_ptr_array_index (sides->choices, place);
}

/* Shows on the button how many are checked. */
static void
show_count (CulpritCompareSides *sides)
{
  g_autoptr (GPtrArray) chosen = culprit_compare_sides_chosen (sides);
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;

  if (chosen->len == 2)
    text = g_strdup (((const CompareChoice *) g_ptr_array_index (chosen, 1))->title);
  else
    text = g_strdup_printf ("%u others", MAX (chosen->len, 1) - 1);
  line = shown (text);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (sides->others), line);
}

/* The base cannot be compared with itself; others are checked as by the user, or else by default. */
static void
set_ticks (CulpritCompareSides *sides)
{
  guint base = gtk_drop_down_get_selected (GTK_DROP_DOWN (sides->base));
  GtkWidget *tick = gtk_widget_get_first_child (sides->ticks);

  sides->filling = TRUE;
  for (guint i = 0; i < sides->choices->len; i++, tick = gtk_widget_get_next_sibling (tick))
    {
      gpointer own;
      gboolean on = compare_choices_beside (sides->choices, base, i);

      if (g_hash_table_lookup_extended (sides->own, choice_at (sides, i)->name, NULL, &own))
        on = GPOINTER_TO_INT (own);
      gtk_check_button_set_active (GTK_CHECK_BUTTON (tick), on && i != base);
      gtk_widget_set_sensitive (tick, i != base);
    }
  sides->filling = FALSE;
  show_count (sides);
}

static void
on_base (GtkDropDown *base, GParamSpec *spec, CulpritCompareSides *sides)
{
  guint place = gtk_drop_down_get_selected (base);

  if (sides->filling || place >= sides->choices->len)
    return;
  g_free (sides->own_base);
  sides->own_base = g_strdup (choice_at (sides, place)->name);
  set_ticks (sides);
  g_signal_emit (sides, changed, 0);
}

static void
on_tick (GtkCheckButton *tick, CulpritCompareSides *sides)
{
  guint place = 0;

  if (sides->filling)
    return;
  for (GtkWidget *at = GTK_WIDGET (tick); (at = gtk_widget_get_prev_sibling (at));)
    place++;
  g_hash_table_replace (sides->own, g_strdup (choice_at (sides, place)->name),
                        GINT_TO_POINTER (gtk_check_button_get_active (tick)));
  show_count (sides);
  g_signal_emit (sides, changed, 0);
}

static void
make_ticks (CulpritCompareSides *sides)
{
  GtkWidget *tick;

  while ((tick = gtk_widget_get_first_child (sides->ticks)))
    gtk_box_remove (GTK_BOX (sides->ticks), tick);
  for (guint i = 0; i < sides->choices->len; i++)
    {
      tick = show_tick_new (choice_at (sides, i)->title);
      g_signal_connect (tick, "toggled", G_CALLBACK (on_tick), sides);
      gtk_box_append (GTK_BOX (sides->ticks), tick);
    }
}

void
culprit_compare_sides_fill (CulpritCompareSides *sides, CulpritDocument *document)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  g_ptr_array_unref (sides->choices);
  sides->choices =
      compare_choices (culprit_document_latencies (document), culprit_rows_table (culprit_document_runs (document)));
  for (guint i = 0; i < sides->choices->len; i++)
    show_in_list (titles, choice_at (sides, i)->title);
  sides->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (sides->base), G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sides->base), compare_choices_base (sides->choices, sides->own_base));
  make_ticks (sides);
  set_ticks (sides);
}

guint
culprit_compare_sides_offered (CulpritCompareSides *sides)
{
  return sides->choices->len;
}

GPtrArray *
culprit_compare_sides_chosen (CulpritCompareSides *sides)
{
  GPtrArray *chosen = g_ptr_array_new_with_free_func ((GDestroyNotify) compare_choice_free);
  guint base = gtk_drop_down_get_selected (GTK_DROP_DOWN (sides->base));
  GtkWidget *tick = gtk_widget_get_first_child (sides->ticks);

  if (base < sides->choices->len)
    g_ptr_array_add (chosen, compare_choice_copy (choice_at (sides, base)));
  for (guint i = 0; tick && i < sides->choices->len; i++, tick = gtk_widget_get_next_sibling (tick))
    if (i != base && gtk_check_button_get_active (GTK_CHECK_BUTTON (tick)))
      g_ptr_array_add (chosen, compare_choice_copy (choice_at (sides, i)));
  return chosen;
}

/* The widget. */

/* @data: the maximum number of characters; 0: all. */
static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);
  guint longest = GPOINTER_TO_UINT (data);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (longest > 0)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_max_width_chars (GTK_LABEL (label), longest);
    }
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const char *title = gtk_string_object_get_string (gtk_list_item_get_item (item));

  show_line (gtk_list_item_get_child (item), title);
  show_tooltip (gtk_list_item_get_child (item), title);
}

static GtkListItemFactory *
make_factory (guint longest)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (longest));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  return factory;
}

static void
sides_finalize (GObject *object)
{
  CulpritCompareSides *sides = CULPRIT_COMPARE_SIDES (object);

  g_ptr_array_unref (sides->choices);
  g_hash_table_unref (sides->own);
  g_free (sides->own_base);
  G_OBJECT_CLASS (culprit_compare_sides_parent_class)->finalize (object);
}

static void
culprit_compare_sides_class_init (CulpritCompareSidesClass *class)
{
  G_OBJECT_CLASS (class)->finalize = sides_finalize;
  widget_class_set_template (class, "compare/sides.ui");
  widget_class_bind_children (class, CulpritCompareSides, base, others, ticks);
  widget_class_bind_callbacks (class, on_base);
  changed = signal_new (CULPRIT_TYPE_COMPARE_SIDES, "changed", 0);
}

static void
culprit_compare_sides_init (CulpritCompareSides *sides)
{
  g_autoptr (GtkListItemFactory) in_bar = make_factory (LONGEST);
  g_autoptr (GtkListItemFactory) in_list = make_factory (0);

  sides->choices = g_ptr_array_new ();
  sides->own = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  sides->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (sides));
  gtk_drop_down_set_factory (GTK_DROP_DOWN (sides->base), in_bar);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (sides->base), in_list);
}
