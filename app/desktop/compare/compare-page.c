/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the selected runs in a thread, then their shapes one by one; a new selection cancels the comparison under
 * way. Nothing is computed while the page is hidden. */
#include "compare/compare-page.h"

#include "charts/chart-tools.h"
#include "charts/swatch.h"
#include "compare/compare-details.h"
#include "compare/comparing.h"
#include "compare/sides.h"
#include "headings.h"
#include "show.h"
#include "tables/comparison.h"
#include "tables/table-view.h"
#include "wrap-layout.h"

#include <math.h>

/* Shows the library's table of a comparison. */

/* What a row's same_shape says as long as it is being computed. */
#define COMPARE_COMPUTING "computing…"

extern const TableCell compare_cells[];

/* The base has no difference from itself. */
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

/* A row for each side, the base first. The caller owns it. */
static CulpritRows *
compare_rows (const Comparing *comparing)
{
  CulpritTable *table = culprit_definition_begin (&culprit_comparisons);
  const char *base = comparing_side (comparing, 0)->name;
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  CulpritRows *rows;

  for (guint i = 0; i < comparing->sides->len; i++)
    {
      const CompareSide *side = comparing_side (comparing, i);

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
  SCOPE_CHOSEN, /* the base and the table's current row */
  SCOPE_ALL,
} Scope;

struct _ComparePage
{
  CulpritPage parent;
  gboolean stale; /* Something else is chosen than was compared. */
  Comparing *comparing;
  GPtrArray *shapes; /* of ComparedShape, by place; NULL: not known */
  guint shown;       /* the place of the side that is shown */
  char *chosen;      /* its name */
  CulpritTableView *table;
  CulpritRows *rows;
  CulpritChartView *chart;
  CulpritChartTools *tools;
  CulpritCompareSides *sides;
  CulpritRulesButton *rules;
  CulpritCompareDetails *details;
  GtkWidget *content;
  GtkWidget *empty_title;
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

/* NULL: nothing is being done. */
static void
set_doing (ComparePage *page, const char *text)
{
  gtk_spinner_set_spinning (GTK_SPINNER (page->spinner), text != NULL);
  show_line (page->doing, text ? text : "");
  show_tooltip (page->doing, text);
}

/* What is seen of a comparison. */

static void
draw (ComparePage *page)
{
  g_autoptr (GArray) series = g_array_new (FALSE, FALSE, sizeof (ChartSeries));
  gboolean all = gtk_drop_down_get_selected (GTK_DROP_DOWN (page->scopes)) == SCOPE_ALL;
  Chart *chart = NULL;

  for (guint i = 0; page->comparing && i < page->comparing->sides->len; i++)
    {
      const CompareSide *side = comparing_side (page->comparing, i);
      const ChartSeries added = { side->name, side->compared.profile, side->number };

      if (side->compared.profile && (all || i == 0 || i == page->shown))
        g_array_append_val (series, added);
    }
  if (series->len > 0)
    chart = chart_new (gtk_drop_down_get_selected (GTK_DROP_DOWN (page->kinds)),
                       (const ChartSeries *) (gpointer) series->data, series->len, CULPRIT_FITS,
                       culprit_chart_tools_scale (page->tools));
  gtk_stack_set_visible_child_name (GTK_STACK (page->chart_stack), chart ? "chart" : "none");
  culprit_chart_view_set_chart (page->chart, chart);
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

/* A band of the base that is dragged in the chart is mapped. */
static void
on_range (CulpritChartView *chart, ComparePage *page)
{
  double low;
  double high;

  if (culprit_chart_view_selection (chart, &low, &high) && high >= 1 &&
      gtk_drop_down_get_selected (GTK_DROP_DOWN (page->kinds)) <= CHART_DENSITY)
    culprit_compare_details_map (page->details, llround (MAX (low, 1)), llround (high));
}

/* The shapes, one after the other. */

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

/* Compares the first shape from @place on that can be. */
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

/* The comparison. */

/* Shows the side that was shown before, else the first that is held against the base. */
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

/* Teaches where there is too little to compare. */
static void
show_offered (ComparePage *page, guint offered)
{
  show_line (page->empty_title, offered == 0 ? "No latencies to compare yet" : "One run is not enough to compare");
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
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  CULPRIT_PAGE_CLASS (class)->export_picture = page_export;
  G_OBJECT_CLASS (class)->finalize = page_finalize;
  view->opened = page_opened;
  view->changed = page_changed;
  g_type_ensure (CULPRIT_TYPE_CHART_TOOLS);
  g_type_ensure (CULPRIT_TYPE_CHART_VIEW);
  g_type_ensure (CULPRIT_TYPE_COMPARE_DETAILS);
  g_type_ensure (CULPRIT_TYPE_COMPARE_SIDES);
  g_type_ensure (CULPRIT_TYPE_RULES_BUTTON);
  g_type_ensure (CULPRIT_TYPE_TABLE_VIEW);
  g_type_ensure (CULPRIT_TYPE_WRAP_LAYOUT);
  widget_class_set_template (class, "compare/compare-page.ui", G_STRUCT_OFFSET (ComparePage, content));
  gtk_widget_class_bind_template_child (widget, ComparePage, empty_title);
  gtk_widget_class_bind_template_child (widget, ComparePage, bar);
  gtk_widget_class_bind_template_child (widget, ComparePage, sides);
  gtk_widget_class_bind_template_child (widget, ComparePage, rules);
  gtk_widget_class_bind_template_child (widget, ComparePage, kinds);
  gtk_widget_class_bind_template_child (widget, ComparePage, scopes);
  gtk_widget_class_bind_template_child (widget, ComparePage, spinner);
  gtk_widget_class_bind_template_child (widget, ComparePage, doing);
  gtk_widget_class_bind_template_child (widget, ComparePage, chart_stack);
  gtk_widget_class_bind_template_child (widget, ComparePage, chart);
  gtk_widget_class_bind_template_child (widget, ComparePage, tools);
  gtk_widget_class_bind_template_child (widget, ComparePage, details);
  gtk_widget_class_bind_template_child (widget, ComparePage, table);
  gtk_widget_class_bind_template_callback (widget, compare_when_seen);
  gtk_widget_class_bind_template_callback (widget, on_chart_choice);
  gtk_widget_class_bind_template_callback (widget, on_map);
  gtk_widget_class_bind_template_callback (widget, on_range);
  gtk_widget_class_bind_template_callback (widget, on_selected);
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
