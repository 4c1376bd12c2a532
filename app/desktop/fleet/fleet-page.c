/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the results of culprit fleet: causes as a heat map, or as a table by population. */
#include "pages.h"

#include "charts/chart-view.h"
#include "fleet/heat-map.h"
#include "show.h"
#include "state.h"
#include "tables/tables.h"

#define STATE "fleet"
#define MAP_HEIGHT 320 /* above the trend in a narrow window */

struct _FleetPage
{
  CulpritPage parent;
  CulpritFleet *fleet; /* NULL: not read yet */
  GtkWidget *head;
  GtkWidget *views;
  GtkWidget *shades;
  GtkWidget *bar;
  GtkWidget *columns; /* buttons of the table */
  GtkWidget *explain;
  CulpritHeatMap *map;
  CulpritTableView *table;
  GtkWidget *trends;
  CulpritChartView *chart;
  GtkWidget *new_ones;
};

G_DEFINE_FINAL_TYPE (FleetPage, fleet_page, CULPRIT_TYPE_PAGE)

/* Showing the late wake-ups of a cell. */

/* Whether the capture of @row in @outliers is one of @captures. */
static gboolean
is_one_of (const CulpritTable *outliers, guint row, const GArray *captures)
{
  for (guint i = 0; i < captures->len; i++)
    if (g_array_index (captures, gint64, i) == culprit_table_integer (outliers, row, "capture"))
      return TRUE;
  return FALSE;
}

/* The part of @captures that the verdict attributes to @culprit. */
static GArray *
attributed (FleetPage *page, const GArray *captures, const char *culprit)
{
  CulpritRows *rows = culprit_document_outliers (culprit_document_view_document (page));
  GArray *found = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint row = 0; rows && row < culprit_table_rows (culprit_rows_table (rows)); row++)
    {
      gint64 capture = culprit_table_integer (culprit_rows_table (rows), row, "capture");

      if (g_str_equal (culprit_table_text (culprit_rows_table (rows), row, "culprit"), culprit) &&
          is_one_of (culprit_rows_table (rows), row, captures))
        g_array_append_val (found, capture);
    }
  return found;
}

static void
show_captures (FleetPage *page, const GArray *captures, const char *name)
{
  GVariant *list = g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, captures->data, captures->len, sizeof (gint64));

  gtk_widget_activate_action_variant (GTK_WIDGET (page), "win.captures", g_variant_new ("(s@ax)", name, list));
  gtk_widget_activate_action (GTK_WIDGET (page), "win.page", "s", "outliers");
}

/* If none of the cell's captures is in the study, shows those of the host. */
static void
on_cell (CulpritHeatMap *map, guint host, int cause, FleetPage *page)
{
  const CulpritFleetHost *is = culprit_fleet_host (page->fleet, host);
  const char *culprit = cause < 0 ? NULL : culprit_fleet_cause (page->fleet, cause)->culprit;
  g_autoptr (GArray) captures = culprit ? attributed (page, is->selected, culprit) : NULL;
  g_autofree char *both = culprit ? g_strdup_printf ("%s, %s", is->name, culprit) : NULL;

  culprit_document_choose_run (culprit_document_view_document (page), NULL);
  if (captures && captures->len > 0)
    show_captures (page, captures, both);
  else
    show_captures (page, is->selected, is->name);
}

static void
on_activated (CulpritTableView *table, CulpritRow *row, FleetPage *page)
{
  const char *run = culprit_row_text (row, "run");

  if (!*run)
    return;
  culprit_document_choose_run (culprit_document_view_document (page), run);
  gtk_widget_activate_action (GTK_WIDGET (page), "win.page", "s", "outliers");
}

/* Contents. */

static gboolean
page_shows_table (CulpritPage *page)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (FLEET_PAGE (page)->views)), "table") == 0;
}

/* Shows only the buttons for what is visible, the map or the table. */
static void
on_view (GtkStack *views, GParamSpec *spec, FleetPage *page)
{
  gboolean table = page_shows_table (CULPRIT_PAGE (page));

  state_set_text (STATE, "view", gtk_stack_get_visible_child_name (views));

  gtk_widget_set_visible (page->shades, !table);
  gtk_widget_set_visible (page->columns, table);
  gtk_widget_set_visible (page->explain, table);
  culprit_page_picture_changed (page);
}

static void
on_shade (GtkDropDown *shades, GParamSpec *spec, FleetPage *page)
{
  culprit_heat_map_set_shade (page->map, gtk_drop_down_get_selected (shades));
}

static void
show_trend (FleetPage *page)
{
  gboolean by_kernel = gtk_drop_down_get_selected (GTK_DROP_DOWN (page->trends)) == 1;
  const CulpritFleetTrend *trend = by_kernel ? &page->fleet->kernels : &page->fleet->days;
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (ChartBars));

  for (guint i = 0; i < trend->names->len; i++)
    {
      const ChartBars part = { g_ptr_array_index (trend->names, i), trend->counts + i * trend->labels->len,
                               i == trend->names->len - 1 };

      g_array_append_val (bars, part);
    }
  culprit_chart_view_set_chart (page->chart,
                                chart_new_bars (by_kernel ? "Late wake-ups by kernel" : "Late wake-ups by day",
                                                by_kernel ? "kernel" : "day (UTC)", "late wake-ups", "culprit",
                                                (const char *const *) trend->labels->pdata, trend->labels->len,
                                                (const ChartBars *) (gpointer) bars->data, bars->len));
}

static void
on_trend (GtkDropDown *trends, GParamSpec *spec, FleetPage *page)
{
  if (page->fleet && page->fleet->hosts->len > 0)
    show_trend (page);
}

static void
show_new (FleetPage *page)
{
  guint n = culprit_table_rows (page->fleet->new_ones);
  g_autoptr (GString) text = g_string_new (n > 0 ? NULL : "No cause became more frequent with a newer kernel.");

  for (guint row = 0; row < n; row++)
    {
      g_autofree char *words = culprit_fleet_new_in_words (page->fleet, row);
      g_autofree char *line = shown (words);

      g_string_append_printf (text, "%s%s", row > 0 ? "\n\n" : "", line);
    }
  show_lines (page->new_ones, text->str);
}

static void
show_head (FleetPage *page, const char *selection)
{
  g_autofree char *text = g_strdup_printf ("%s; this page covers all of them.", selection);

  show_line (page->head, text);
}

/* Reading. */

typedef struct
{
  CulpritFleet *fleet;
  char *selection;
} Found;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_clear_pointer (&found->fleet, culprit_fleet_free);
  g_free (found->selection);
  g_free (found);
}

static gpointer
read_fleet (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  Found *found = g_new0 (Found, 1);

  found->fleet = culprit_fleet_read (study, error);
  if (found->fleet && culprit_fleet_selection (study, &found->selection, error))
    return found;
  found_free (found);
  return NULL;
}

static void
on_read (GObject *owner, gpointer result, const GError *error)
{
  FleetPage *page = FLEET_PAGE (owner);
  Found *found = result;
  CulpritFleet *before = page->fleet;

  if (error)
    {
      culprit_document_view_fail (page, error->message);
      return;
    }
  /* Most studies have no fleet; nothing is laid out for them. */
  if (!found->selection && !before)
    {
      found_free (found);
      return;
    }
  page->fleet = g_steal_pointer (&found->fleet);
  culprit_heat_map_set_fleet (page->map, page->fleet);
  g_clear_pointer (&before, culprit_fleet_free);
  if (found->selection)
    {
      g_autoptr (CulpritRows) rows = culprit_rows_new (g_steal_pointer (&page->fleet->table));

      show_head (page, found->selection);
      show_trend (page);
      show_new (page);
      culprit_table_view_set_rows (page->table, rows);
    }
  found_free (found);
  g_object_notify (G_OBJECT (page), "filled");
}

/* Read along with the runs, so that late wake-ups and verdict come first. */
static void
page_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  if (part == CULPRIT_PART_LATENCIES)
    culprit_document_view_read (view, read_fleet, NULL, NULL, on_read, found_free);
}

/* The widget. */

static gboolean
page_export (CulpritPage *page, const char *path, GError **error)
{
  FleetPage *fleet = FLEET_PAGE (page);

  return culprit_chart_view_export (fleet->chart, gtk_label_get_label (GTK_LABEL (fleet->head)), path, error);
}

static void
page_get_property (GObject *object, guint property, GValue *value, GParamSpec *spec)
{
  FleetPage *page = FLEET_PAGE (object);

  g_value_set_boolean (value, page->fleet && page->fleet->hosts->len > 0);
}

static void
page_finalize (GObject *object)
{
  g_clear_pointer (&FLEET_PAGE (object)->fleet, culprit_fleet_free);
  G_OBJECT_CLASS (fleet_page_parent_class)->finalize (object);
}

static void
fleet_page_class_init (FleetPageClass *class)
{
  CULPRIT_PAGE_CLASS (class)->split = "content";
  CULPRIT_PAGE_CLASS (class)->folded_height = MAP_HEIGHT;
  CULPRIT_PAGE_CLASS (class)->export_picture = page_export;
  CULPRIT_PAGE_CLASS (class)->shows_table = page_shows_table;
  CULPRIT_DOCUMENT_VIEW_CLASS (class)->changed = page_changed;
  G_OBJECT_CLASS (class)->finalize = page_finalize;
  G_OBJECT_CLASS (class)->get_property = page_get_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (class), 1,
      g_param_spec_boolean ("filled", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  ensure_types (CULPRIT_TYPE_CHART_VIEW, CULPRIT_TYPE_HEAT_MAP, CULPRIT_TYPE_TABLE_VIEW);
  widget_class_set_template (class, "fleet/fleet-page.ui");
  gtk_widget_class_bind_template_child_full (GTK_WIDGET_CLASS (class), "content", FALSE, 0);
  widget_class_bind_children (class, FleetPage, head, views, shades, bar, map, table, trends, chart, new_ones);
  widget_class_bind_callbacks (class, on_cell, on_activated, on_shade, on_view, on_trend);
}

static void
fleet_page_init (FleetPage *page)
{
  g_autofree char *view = state_text (STATE, "view");

  gtk_widget_init_template (GTK_WIDGET (page));
  if (g_strcmp0 (view, "table") == 0)
    gtk_stack_set_visible_child_name (GTK_STACK (page->views), view);
  culprit_table_view_set_columns (page->table, &culprit_fleet_causes, NULL);
  culprit_table_view_sort (page->table, "captures");
  culprit_table_view_keep (page->table, "fleet");
  page->columns = culprit_table_view_columns_button (page->table);
  page->explain = culprit_table_view_explain_button (page->table);
  gtk_box_append (GTK_BOX (page->bar), page->columns);
  gtk_box_append (GTK_BOX (page->bar), page->explain);
  on_view (GTK_STACK (page->views), NULL, page);
  state_keep (page->shades, "selected", STATE, "shade");
  state_keep (page->trends, "selected", STATE, "trend");
}
