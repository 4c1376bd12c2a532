/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the chosen runs in a thread, then their shapes one by one; another choice cancels that. Nothing is computed
 * while the page is hidden. */
#include "compare/compare-page.h"

#include "charts/chart-view.h"
#include "charts/swatch.h"
#include "compare/comparing.h"
#include "compare/sides.h"
#include "headings.h"
#include "latency/comparison/mapping.h"
#include "latency/tools/read.h"
#include "show.h"
#include "tables/column.h"
#include "tables/comparison.h"
#include "tables/table-view.h"
#include "units.h"
#include "widgets.h"

#include <math.h>

/* The rules, kept in the states of actions. An invalid margin changes nothing and is marked. */

struct _CulpritRulesButton
{
  AdwBin parent;
  CulpritRules rules;
  GtkWidget *content;
  GtkWidget *margin;
  GtkWidget *margin_problem;
};

G_DEFINE_FINAL_TYPE (CulpritRulesButton, culprit_rules_button, ADW_TYPE_BIN)

static guint changed;

static void
take_rules (CulpritRulesButton *button, CulpritRules rules)
{
  g_autofree char *label = NULL;

  button->rules = rules;
  label =
      g_strdup_printf ("Significance%s%s", isnan (rules.margin_percent) && isnan (rules.margin_ns) ? "" : ", margin",
                       rules.independent ? ", independent" : "");
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button->content), label);
  g_signal_emit (button, changed, 0);
}

static void
change_independent (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritRulesButton *button = data;
  CulpritRules rules = button->rules;

  rules.independent = g_variant_get_boolean (value);
  g_simple_action_set_state (action, value);
  take_rules (button, rules);
}

static void
change_margin (GSimpleAction *action, GVariant *value, gpointer data)
{
  CulpritRulesButton *button = data;
  const char *text = g_variant_get_string (value, NULL);
  CulpritRules rules = CULPRIT_RULES_USUAL;
  gboolean good = *text == '\0' || culprit_rules_take_margin (&rules, text);

  if (g_strcmp0 (text, gtk_editable_get_text (GTK_EDITABLE (button->margin))) != 0)
    show_in_field (button->margin, text);
  gtk_widget_set_visible (button->margin_problem, !good);
  if (!good)
    return;
  rules.independent = button->rules.independent;
  g_simple_action_set_state (action, value);
  take_rules (button, rules);
}

static void
on_margin (GtkEditable *margin, CulpritRulesButton *button)
{
  gtk_widget_activate_action (GTK_WIDGET (button), "win.compare-margin", "s", gtk_editable_get_text (margin));
}

/* The rules. Belong to @button. */
static const CulpritRules *
culprit_rules_button_rules (CulpritRulesButton *button)
{
  return &button->rules;
}

void
culprit_rules_button_add_actions (CulpritRulesButton *button, GActionMap *map)
{
  static const GActionEntry actions[] = {
    { .name = "compare-independent", .state = "false", .change_state = change_independent },
    { .name = "compare-margin", .parameter_type = "s", .state = "''", .change_state = change_margin },
  };

  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), button);
}

static void
culprit_rules_button_class_init (CulpritRulesButtonClass *class)
{
  widget_class_set_template (class, "compare/rules-button.ui");
  widget_class_bind_children (class, CulpritRulesButton, content, margin, margin_problem);
  widget_class_bind_callbacks (class, on_margin);
  changed = signal_new (CULPRIT_TYPE_RULES_BUTTON, "changed", 0);
}

static void
culprit_rules_button_init (CulpritRulesButton *button)
{
  button->rules = CULPRIT_RULES_USUAL;
  gtk_widget_init_template (GTK_WIDGET (button));
}

/* The details of one comparison: the library's sentences, with tables of quantiles and peaks below. */

#define CULPRIT_TYPE_COMPARE_DETAILS (culprit_compare_details_get_type ())

G_DECLARE_FINAL_TYPE (CulpritCompareDetails, culprit_compare_details, CULPRIT, COMPARE_DETAILS, AdwBin)

#define LATENCIES 2 /* a threshold, or both ends of a band */

struct _CulpritCompareDetails
{
  AdwBin parent;
  Comparing *comparing;
  guint place;
  GtkWidget *content;
  GtkWidget *answer;
  GtkWidget *in_turn;
  GtkWidget *sentence;
  GtkWidget *quantiles;
  GtkWidget *shape_sentence;
  GtkWidget *peaks;
  GtkWidget *map_box;
  GtkWidget *map_head;
  GtkWidget *latency;
  GtkWidget *mapped;
  GtkWidget *record;
  guint64 latencies[LATENCIES]; /* to be mapped */
  guint n_latencies;
};

G_DEFINE_FINAL_TYPE (CulpritCompareDetails, culprit_compare_details, ADW_TYPE_BIN)

/* Small tables. */

static void
attach (GtkWidget *grid, const char *text, const char *class, int column, int row)
{
  GtkWidget *label = show_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_widget_add_css_class (label, class);
  gtk_grid_attach (GTK_GRID (grid), label, column, row, 1, 1);
}

static void
attach_value (GtkWidget *grid, double value, CulpritKind kind, int column, int row)
{
  g_autofree char *text = culprit_value_text ((CulpritValue) { CULPRIT_VALUE_REAL, .real = value }, kind);

  attach (grid, text ? text : "–", "numeric", column, row);
}

/* Replaces the contents of @grid by a row of @titles, which end with NULL. */
static void
begin_grid (GtkWidget *grid, const char *const *titles)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (grid)))
    gtk_grid_remove (GTK_GRID (grid), child);
  for (int column = 0; titles[column]; column++)
    attach (grid, titles[column], "dim-label", column, 0);
}

static void
show_quantiles (CulpritCompareDetails *details, const CulpritComparison *comparison)
{
  static const char *const titles[] = { "Quantile", "Difference", "95 % From", "To", "Significant", NULL };

  gtk_widget_set_visible (details->quantiles, comparison->ranked);
  begin_grid (details->quantiles, titles);
  for (int i = 0; i < CULPRIT_SHIFTS && comparison->ranked; i++)
    {
      const CulpritShift *shift = &comparison->shifts[i];
      g_autofree char *name = g_strdup_printf ("%g %%", shift->p * 100);

      attach (details->quantiles, name, "numeric", 0, i + 1);
      attach_value (details->quantiles, shift->difference_ns, CULPRIT_KIND_DIFFERENCE, 1, i + 1);
      attach_value (details->quantiles, shift->low_ns, CULPRIT_KIND_DIFFERENCE, 2, i + 1);
      attach_value (details->quantiles, shift->high_ns, CULPRIT_KIND_DIFFERENCE, 3, i + 1);
      attach (details->quantiles,
              isnan (shift->p_value)                                       ? CULPRIT_UNDECIDED
              : comparison->claims[CULPRIT_CLAIM_QUANTILE + i].significant ? "yes"
                                                                           : "no",
              "numeric", 4, i + 1);
    }
}

static void
show_peaks (CulpritCompareDetails *details, const CulpritShape *shape)
{
  static const char *const titles[] = { "Baseline Peak", "Run Peak", "Baseline Share", "Run Share", "p", NULL };

  gtk_widget_set_visible (details->peaks, shape && shape->peaks->len > 0);
  begin_grid (details->peaks, titles);
  for (guint i = 0; shape && i < shape->peaks->len; i++)
    {
      const CulpritShapePeak *peak = &g_array_index (shape->peaks, CulpritShapePeak, i);

      attach_value (details->peaks, peak->base_ns, CULPRIT_KIND_TIME, 0, i + 1);
      attach_value (details->peaks, peak->other_ns, CULPRIT_KIND_TIME, 1, i + 1);
      attach_value (details->peaks, peak->base_share, CULPRIT_KIND_SMALL_PART, 2, i + 1);
      attach_value (details->peaks, peak->other_share, CULPRIT_KIND_SMALL_PART, 3, i + 1);
      attach_value (details->peaks, peak->p, CULPRIT_KIND_P, 4, i + 1);
    }
}

static gboolean
has_profiles (CulpritCompareDetails *details)
{
  return comparing_side (details->comparing, 0)->compared.profile &&
         comparing_side (details->comparing, details->place)->compared.profile;
}

static void
show_shape (CulpritCompareDetails *details, const CulpritShape *shape, const char *base, const char *name)
{
  const char *instead = "Only summary statistics are available: shapes cannot be compared.";
  g_autofree char *words = shape ? culprit_shape_in_words (shape, base, name) : NULL;

  if (comparing_has_shape (details->comparing, details->place))
    instead = "Running permutation and bootstrap tests…";
  else if (has_profiles (details))
    instead = "Complete runs are needed: one of these holds only captured wake-ups, too many of them late.";
  label_set_sentence (details->shape_sentence, words ? words : instead);
  show_peaks (details, shape);
}

/* Mapping latencies to the other side. */

/* Parses "200us", "575us,585us" or "575 us to 585 us". Returns the number of latencies; 0: @text is not valid. */
static guint
parse_latencies (const char *text, guint64 *ns)
{
  g_auto (GStrv) parts = g_regex_split_simple ("(?:,|\\bto\\b)", text, 0, 0);
  guint n = 0;

  for (char **part = parts; *part; part++, n++)
    if (n == LATENCIES || !culprit_time_parse (g_strstrip (*part), &ns[n]))
      return 0;
  return n;
}

/* What is recorded for the @n latencies @ns. FALSE: there is nothing to record. */
static gboolean
find_trigger (CulpritCompareDetails *details, const guint64 *ns, guint n, CulpritMappedTrigger *trigger)
{
  const CulpritSide *base = comparing_side (details->comparing, 0);
  const CulpritSide *other = comparing_side (details->comparing, details->place);

  return culprit_map_trigger (base->compared.profile, other->compared.profile, ns[0],
                              n == 1 ? G_MAXINT64 : (gint64) ns[1], trigger);
}

static char *
map_latencies (CulpritCompareDetails *details, const guint64 *ns, guint n)
{
  const CulpritSide *base = comparing_side (details->comparing, 0);
  const CulpritSide *other = comparing_side (details->comparing, details->place);
  CulpritMappedTrigger trigger;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      CulpritMapped mapped = culprit_map_latency (base->compared.profile, other->compared.profile, ns[i]);
      g_autofree char *words = culprit_mapped_in_words (&mapped, ns[i], base->name);
      g_autofree char *line = shown (words);

      g_string_append_printf (text, "%s%s.", i > 0 ? "\n" : "", line);
    }
  if (find_trigger (details, ns, n, &trigger) && trigger.separate && trigger.open)
    {
      g_autofree char *threshold = culprit_time_format (trigger.low_ns);

      g_string_append_printf (
          text, "\nTo be recorded: later than %s, which ordinary wake-ups with tracing do not reach.", threshold);
    }
  return g_string_free (text, FALSE);
}

static void
show_mapped (CulpritCompareDetails *details)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (details->latency));
  gboolean possible = details->comparing && details->place > 0 && has_profiles (details) &&
                      !comparing_result (details->comparing, details->place)->selected;
  guint64 *ns = details->latencies;
  guint n = possible ? parse_latencies (text, ns) : 0;
  g_autofree char *words = n > 0 ? map_latencies (details, ns, n) : NULL;

  details->n_latencies = n;
  gtk_widget_set_sensitive (details->record, n > 0);
  gtk_widget_set_visible (details->map_box, possible);
  label_set_sentence (details->mapped,
                      words   ? words
                      : *text ? "Enter a latency with a unit, e.g. 200us, or a band, e.g. 575us,585us."
                              : "Enter a threshold or band, or drag in the histogram or density chart to select one.");
  if (n > 0 || !*text)
    gtk_widget_remove_css_class (details->latency, "error");
  else
    gtk_widget_add_css_class (details->latency, "error");
}

static void
on_latency (GtkEditable *latency, CulpritCompareDetails *details)
{
  show_mapped (details);
}

/* Shows the threshold or band of the other run. */
static void
on_record (GtkButton *button, CulpritCompareDetails *details)
{
  const CulpritSide *other = comparing_side (details->comparing, details->place);
  CulpritMappedTrigger trigger;

  if (!find_trigger (details, details->latencies, details->n_latencies, &trigger))
    return;
  if (trigger.open)
    gtk_widget_activate_action (GTK_WIDGET (button), "win.record-threshold", "(sx)", other->run, trigger.low_ns);
  else
    gtk_widget_activate_action (GTK_WIDGET (button), "win.record-band", "(sxx)", other->run, trigger.low_ns,
                                trigger.high_ns);
}

/* Maps the band of the base from @low_ns to @high_ns to the other side. */
static void
culprit_compare_details_map (CulpritCompareDetails *details, gint64 low_ns, gint64 high_ns)
{
  g_autofree char *low = culprit_time_format (low_ns);
  g_autofree char *high = culprit_time_format (high_ns);
  g_autofree char *text = g_strdup_printf ("%s to %s", low, high);

  show_in_field (details->latency, text);
}

/* Contents. */

static void
show_answer (CulpritCompareDetails *details, const CulpritComparison *comparison, const CulpritShape *shape)
{
  const CulpritSide *base = comparing_side (details->comparing, 0);
  const CulpritSide *side = comparing_side (details->comparing, details->place);
  gboolean needs_runs = culprit_answer_needs_runs (comparison);
  gboolean waiting = side->asked == CULPRIT_ASKED_TRACING && !shape && !needs_runs &&
                     comparing_has_shape (details->comparing, details->place);
  g_autofree char *answer = culprit_answer (comparison, shape, side->asked, base->name, side->name);

  show_line (details->answer, waiting ? "Comparing the shapes…" : answer);
  gtk_widget_set_visible (details->in_turn, needs_runs);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (details->in_turn), "s", base->run);
}

static void
show_side (CulpritCompareDetails *details, const CulpritShape *shape)
{
  const char *base = comparing_side (details->comparing, 0)->name;
  const char *name = comparing_side (details->comparing, details->place)->name;
  const CulpritComparison *comparison = comparing_result (details->comparing, details->place);
  g_autofree char *sentence = culprit_comparison_in_words (comparison, base, name);
  g_autofree char *head = g_strdup_printf ("Map a threshold from %s to %s", base, name);

  show_answer (details, comparison, shape);
  label_set_sentence (details->sentence, sentence);
  show_quantiles (details, comparison);
  show_shape (details, shape, base, name);
  show_line (details->map_head, head);
  show_mapped (details);
}

/* Shows the side at @place of @comparing, which may be NULL; @shape: NULL until it is known. */
static void
culprit_compare_details_show (CulpritCompareDetails *details,
                              Comparing *comparing,
                              guint place,
                              const CulpritShape *shape)
{
  if (comparing)
    comparing_ref (comparing);
  g_clear_pointer (&details->comparing, comparing_unref);
  details->comparing = comparing;
  details->place = place;
  gtk_stack_set_visible_child_name (GTK_STACK (details->content), comparing && place > 0 ? "side" : "base");
  if (comparing && place > 0)
    show_side (details, shape);
}

/* The widget. */

static void
details_dispose (GObject *object)
{
  CulpritCompareDetails *details = CULPRIT_COMPARE_DETAILS (object);

  g_clear_pointer (&details->comparing, comparing_unref);
  G_OBJECT_CLASS (culprit_compare_details_parent_class)->dispose (object);
}

static void
culprit_compare_details_class_init (CulpritCompareDetailsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = details_dispose;
  widget_class_set_template (class, "compare/compare-details.ui");
  widget_class_bind_children (class, CulpritCompareDetails, content, answer, in_turn, sentence, quantiles,
                              shape_sentence, peaks, map_box, map_head, latency, mapped, record);
  widget_class_bind_callbacks (class, on_latency, on_record);
}

static void
culprit_compare_details_init (CulpritCompareDetails *details)
{
  gtk_widget_init_template (GTK_WIDGET (details));
  gtk_widget_set_vexpand (GTK_WIDGET (details), TRUE);
}

/* The library's table of a comparison. */

/* Shown as same_shape while that is being computed. */
#define COMPARE_COMPUTING "computing…"

extern const TableCell compare_cells[];

/* The base does not differ from itself. */
static void
show_difference (GtkWidget *cell, CulpritRow *row)
{
  g_autofree char *text = culprit_row_cell (row, culprit_definition_find (&culprit_comparisons, "mean_difference_ns"));

  show_line (cell, culprit_row_place (row) == 0 ? "base" : text);
}

const TableCell compare_cells[] = {
  RUN_CELL,
  { "mean_difference_ns", NULL, show_difference },
  { NULL },
};

/* A row for each side, the base first. The caller owns them. */
static CulpritRows *
compare_rows (const Comparing *comparing)
{
  CulpritTable *table = culprit_definition_begin (&culprit_comparisons);
  const char *base = comparing_side (comparing, 0)->name;
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  CulpritRows *rows;

  for (guint i = 0; i < comparing->sides->len; i++)
    {
      const CulpritSide *side = comparing_side (comparing, i);

      culprit_comparison_table_add (table, base, side->name, &side->compared.summary, comparing_result (comparing, i),
                                    comparing_has_shape (comparing, i) ? COMPARE_COMPUTING : "");
      g_array_append_val (numbers, side->number);
    }
  rows = culprit_rows_new (table);
  run_cell_attach (rows, numbers);
  return rows;
}

typedef enum
{
  SCOPE_CHOSEN, /* the base and the current row of the table */
  SCOPE_ALL,
} Scope;

struct _ComparePage
{
  CulpritPage parent;
  gboolean stale; /* The choice has changed since the comparison. */
  Comparing *comparing;
  GPtrArray *shapes; /* of ComparedShape, by place; NULL: unknown */
  guint shown;       /* the place of the side whose details are shown */
  char *chosen;      /* its name */
  CulpritTableView *table;
  CulpritRows *rows;
  CulpritChartView *chart;
  CulpritChartTools *tools;
  CulpritCompareSides *sides;
  CulpritRulesButton *rules;
  CulpritCompareDetails *details;
  GtkWidget *content;
  AdwStatusPage *empty;
  GtkWidget *bar;
  GtkWidget *kinds;
  GtkWidget *scopes;
  GtkWidget *spinner;
  GtkWidget *doing;
  GtkWidget *chart_stack;
};

static gboolean
page_export (CulpritPage *page, const char *path, GError **error)
{
  g_autofree char *heading = heading_of_runs (culprit_document_view_document (page));

  return culprit_chart_view_export (COMPARE_PAGE (page)->chart, heading, path, error);
}

G_DEFINE_FINAL_TYPE (ComparePage, compare_page, CULPRIT_TYPE_PAGE)

/* @text: the task in progress, or NULL. */
static void
set_doing (ComparePage *page, const char *text)
{
  gtk_spinner_set_spinning (GTK_SPINNER (page->spinner), text != NULL);
  show_line (page->doing, text ? text : "");
  show_tooltip (page->doing, text);
}

/* Showing a comparison. */

static void
draw (ComparePage *page)
{
  g_autoptr (GArray) series = g_array_new (FALSE, FALSE, sizeof (ChartSeries));
  gboolean all = gtk_drop_down_get_selected (GTK_DROP_DOWN (page->scopes)) == SCOPE_ALL;

  for (guint i = 0; page->comparing && i < page->comparing->sides->len; i++)
    {
      const CulpritSide *side = comparing_side (page->comparing, i);
      const ChartSeries added = { side->name, side->compared.profile, side->number };

      if (side->compared.profile && (all || i == 0 || i == page->shown))
        g_array_append_val (series, added);
    }
  gtk_stack_set_visible_child_name (GTK_STACK (page->chart_stack), series->len > 0 ? "chart" : "none");
  if (page->comparing)
    culprit_chart_view_make (page->chart, gtk_drop_down_get_selected (GTK_DROP_DOWN (page->kinds)), series,
                             culprit_chart_tools_scale (page->tools), comparing_ref (page->comparing),
                             (GDestroyNotify) comparing_unref);
  else
    culprit_chart_view_set_chart (page->chart, NULL);
}

static const CulpritShape *
shape_at (ComparePage *page, guint place)
{
  const ComparedShape *found = place < page->shapes->len ? g_ptr_array_index (page->shapes, place) : NULL;

  return found ? found->shape : NULL;
}

static void
show_details (ComparePage *page)
{
  culprit_compare_details_show (page->details, page->comparing, page->shown, shape_at (page, page->shown));
}

static void
on_selected (CulpritTableView *table, CulpritRow *row, ComparePage *page)
{
  if (!row)
    return;
  page->shown = culprit_row_place (row);
  g_free (page->chosen);
  page->chosen = g_strdup (culprit_row_text (row, "run"));
  show_details (page);
  draw (page);
}

static void
on_chart_choice (ComparePage *page)
{
  if (culprit_document_view_document (page))
    draw (page);
}

/* Maps a band of the base that is selected in the chart. */
static void
on_range (CulpritChartView *chart, ComparePage *page)
{
  double low;
  double high;

  if (culprit_chart_view_selection (chart, &low, &high) && high >= 1 &&
      gtk_drop_down_get_selected (GTK_DROP_DOWN (page->kinds)) <= CHART_DENSITY)
    culprit_compare_details_map (page->details, llround (MAX (low, 1)), llround (high));
}

/* Comparing shapes, one after the other. */

static void compare_next_shape (ComparePage *page, guint place);

static void
on_shape (GObject *owner, gpointer result, const GError *error)
{
  ComparePage *page = COMPARE_PAGE (owner);
  ComparedShape *found = result;
  g_autoptr (CulpritRow) row = NULL;

  if (error)
    {
      set_doing (page, NULL);
      culprit_document_view_fail (page, error->message);
      return;
    }
  row = g_list_model_get_item (G_LIST_MODEL (page->rows), found->place);
  page->shapes->pdata[found->place] = found;
  culprit_row_set_text (row, "same_shape", culprit_shape_verdict_name (found->shape->verdict));
  if (found->place == page->shown)
    show_details (page);
  compare_next_shape (page, found->place + 1);
}

/* Compares the next shape from @place on that can be compared. */
static void
compare_next_shape (ComparePage *page, guint place)
{
  g_autofree char *text = NULL;

  while (place < page->comparing->sides->len && !comparing_has_shape (page->comparing, place))
    place++;
  if (place == page->comparing->sides->len)
    {
      set_doing (page, NULL);
      return;
    }
  text = g_strdup_printf ("Comparing the shape of %s…", comparing_side (page->comparing, place)->name);
  set_doing (page, text);
  culprit_document_view_read (page, comparing_read_shape, compared_shape_new (page->comparing, place),
                              (GDestroyNotify) compared_shape_free, on_shape, (GDestroyNotify) compared_shape_free);
}

/* Comparing. */

/* Shows the side that was shown before, else the first that is compared with the base. */
static void
choose_row (ComparePage *page)
{
  guint place = 1;
  g_autoptr (CulpritRow) row = NULL;

  for (guint i = 0; i < page->comparing->sides->len; i++)
    if (g_strcmp0 (comparing_side (page->comparing, i)->name, page->chosen) == 0)
      place = i;
  row = g_list_model_get_item (G_LIST_MODEL (page->rows), place);
  culprit_table_view_select (page->table, row);
}

static void
clear (ComparePage *page)
{
  g_clear_pointer (&page->comparing, comparing_unref);
  g_ptr_array_set_size (page->shapes, 0);
  g_clear_object (&page->rows);
  page->shown = 0;
}

static void
show_nothing (ComparePage *page)
{
  clear (page);
  culprit_table_view_set_rows (page->table, NULL);
  show_details (page);
  draw (page);
}

static void
on_compared (GObject *owner, gpointer result, const GError *error)
{
  ComparePage *page = COMPARE_PAGE (owner);

  if (error)
    {
      set_doing (page, NULL);
      culprit_document_view_fail (page, error->message);
      show_nothing (page);
      return;
    }
  clear (page);
  page->comparing = result;
  g_ptr_array_set_size (page->shapes, page->comparing->sides->len);
  page->rows = compare_rows (page->comparing);
  culprit_table_view_set_rows (page->table, page->rows);
  choose_row (page);
  compare_next_shape (page, 1);
}

static void
compare (ComparePage *page)
{
  GPtrArray *chosen = culprit_compare_sides_chosen (page->sides);

  page->stale = FALSE;
  if (chosen->len < 2)
    {
      culprit_document_view_stop (page);
      set_doing (page, NULL);
      g_ptr_array_unref (chosen);
      show_nothing (page);
      return;
    }
  set_doing (page, "Comparing…");
  culprit_document_view_read (page, comparing_read,
                              compare_question_new (chosen, culprit_rules_button_rules (page->rules)),
                              (GDestroyNotify) compare_question_free, on_compared, (GDestroyNotify) comparing_unref);
}

static void
compare_when_seen (ComparePage *page)
{
  page->stale = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (page)))
    compare (page);
}

static void
on_map (GtkWidget *widget, ComparePage *page)
{
  if (page->stale)
    compare (page);
}

/* Explains what to do if there is too little to compare. */
static void
show_offered (ComparePage *page, guint offered)
{
  adw_status_page_set_title (page->empty,
                             offered == 0 ? "No latencies to compare yet" : "One run is not enough to compare");
  adw_status_page_set_description (
      page->empty, "Record runs alternately with and without tracing, six of each to compare their shapes: on the "
                   "Record page, set Tracing to Alternate off and on.\n\n"
                   "Or import results of " CULPRIT_LATENCY_TOOLS
                   " from before and after a change. For published results, a line with name, mean, standard deviation "
                   "and n is enough to compare means.");
  gtk_stack_set_visible_child_name (GTK_STACK (page->content), offered < 2 ? "empty" : "comparison");
}

static void
page_opened (CulpritDocumentView *view)
{
  if (!g_file_test (culprit_document_path (culprit_document_view_document (view)), G_FILE_TEST_EXISTS))
    show_offered (COMPARE_PAGE (view), 0);
}

static void
page_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  ComparePage *page = COMPARE_PAGE (view);

  if (part != CULPRIT_PART_LATENCIES)
    return;
  culprit_compare_sides_fill (page->sides, culprit_document_view_document (view));
  show_offered (page, culprit_compare_sides_offered (page->sides));
  compare_when_seen (page);
}

/* The widget. */

static void
page_finalize (GObject *object)
{
  ComparePage *page = COMPARE_PAGE (object);

  g_clear_object (&page->rows);
  g_clear_pointer (&page->comparing, comparing_unref);
  g_clear_pointer (&page->shapes, g_ptr_array_unref);
  g_clear_pointer (&page->chosen, g_free);
  G_OBJECT_CLASS (compare_page_parent_class)->finalize (object);
}

static void
compare_page_class_init (ComparePageClass *class)
{
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  CULPRIT_PAGE_CLASS (class)->export_picture = page_export;
  G_OBJECT_CLASS (class)->finalize = page_finalize;
  view->opened = page_opened;
  view->changed = page_changed;
  ensure_types (CULPRIT_TYPE_CHART_TOOLS, CULPRIT_TYPE_CHART_VIEW, CULPRIT_TYPE_COMPARE_DETAILS,
                CULPRIT_TYPE_COMPARE_SIDES, CULPRIT_TYPE_RULES_BUTTON, CULPRIT_TYPE_TABLE_VIEW,
                CULPRIT_TYPE_WRAP_LAYOUT);
  widget_class_set_template (class, "compare/compare-page.ui");
  widget_class_bind_children (class, ComparePage, content, empty, bar, sides, rules, kinds, scopes, spinner, doing,
                              chart_stack, chart, tools, details, table);
  widget_class_bind_callbacks (class, compare_when_seen, on_chart_choice, on_map, on_range, on_selected);
}

static void
free_shape (gpointer data)
{
  if (data)
    compared_shape_free (data);
}

static void
compare_page_init (ComparePage *page)
{
  page->shapes = g_ptr_array_new_with_free_func (free_shape);
  gtk_widget_init_template (GTK_WIDGET (page));
  culprit_table_view_set_columns (page->table, &culprit_comparisons, compare_cells);
  culprit_table_view_set_empty (page->table, "Nothing to compare", "Select at least one run above.");
  culprit_table_view_keep (page->table, "compare");
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_columns_button (page->table));
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
}

CulpritRulesButton *
compare_page_rules (ComparePage *page)
{
  return page->rules;
}
