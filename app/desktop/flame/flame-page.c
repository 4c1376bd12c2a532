/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the late wake-ups to merge when the page is shown, and describes the current box in words. */
#include "pages.h"

#include "chart/colours.h"
#include "flame/flame-view.h"
#include "headings.h"
#include "show.h"
#include "state.h"
#include "tables/table-view.h"
#include "tables/table.h"
#include "units.h"

#define STATE "flame"
#define MOST_CRUMBS 4 /* on the path to the zoomed node, besides the root */
#define SHADES 3      /* stops of the legend's colours */

struct _FlamePage
{
  CulpritPage parent;
  CulpritFlame *flame; /* NULL: not read yet */
  gboolean stale;      /* The study, or what is to be merged, has changed since it was read. */
  GArray *only;        /* of gint64: the captures that are shown; NULL: all */
  gboolean filling;    /* The program, not the user, is changing the base. */
  gboolean listed;     /* The table has its rows. */
  GPtrArray *bases;    /* of char *: the runs to compare with */
  GtkWidget *base;
  GtkWidget *views;
  GtkWidget *bar;
  GtkWidget *upwards;
  GtkWidget *search;
  GtkWidget *found;
  guint n_found; /* by the search, as is the next */
  guint64 found_ns;
  GtkWidget *chip;
  GtkWidget *chip_text;
  GtkWidget *head;
  GtkWidget *crumbs;
  CulpritFlameView *view;
  CulpritTableView *table;
  GtkWidget *legend;
  GtkWidget *less;
  GtkWidget *shades;
  GtkWidget *more;
  GtkWidget *details;
  GtkWidget *captures;
  GMenuModel *node_menu;
  GtkWidget *popover; /* NULL: not needed yet */
  GSimpleActionGroup *actions;
  GtkWidget *columns;
  GtkWidget *explain;
};

G_DEFINE_FINAL_TYPE (FlamePage, flame_page, CULPRIT_TYPE_PAGE)

static gboolean
shows_table (FlamePage *page)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (page->views)), "table") == 0;
}

static gboolean
page_shows_table (CulpritPage *page)
{
  return shows_table (FLAME_PAGE (page));
}

/* The current box. */

static void
on_crumb (GtkButton *button, FlamePage *page)
{
  guint node = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "node"));

  gtk_widget_grab_focus (GTK_WIDGET (page->view));
  culprit_flame_view_zoom (page->view, node);
}

static void
prepend_crumb (FlamePage *page, guint node)
{
  g_autofree char *title = node == 0 ? g_strdup ("All") : culprit_flame_title (page->flame, node);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label = show_label_new (title);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 28);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "call-link");
  gtk_widget_set_sensitive (button, node != culprit_flame_view_zoomed (page->view));
  show_tooltip (button, title);
  show_to_reader (button, GTK_ACCESSIBLE_PROPERTY_LABEL, title);
  g_object_set_data (G_OBJECT (button), "node", GUINT_TO_POINTER (node));
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_crumb), page, 0);
  gtk_box_prepend (GTK_BOX (page->crumbs), button);
}

static void
prepend_text (FlamePage *page, const char *text)
{
  gtk_box_prepend (GTK_BOX (page->crumbs), gtk_label_new (text));
}

/* The path to the zoomed node; of a long one, only its end. */
static void
show_crumbs (FlamePage *page)
{
  guint at = culprit_flame_view_zoomed (page->view);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (page->crumbs)))
    gtk_box_remove (GTK_BOX (page->crumbs), child);
  for (guint n = 0; at != 0 && n < MOST_CRUMBS; n++)
    {
      prepend_crumb (page, at);
      prepend_text (page, "›");
      at = culprit_flame_node (page->flame, at)->parent;
    }
  if (at != 0)
    prepend_text (page, "› …");
  prepend_crumb (page, 0);
}

static void
set_enabled (FlamePage *page, const char *action, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (page->actions), action)),
                               enabled);
}

/* Says what the search has found. */
static void
show_found (FlamePage *page)
{
  guint outside = culprit_flame_view_found_outside (page->view);
  g_autofree char *share = NULL;
  g_autofree char *words = NULL;

  if (page->flame && *gtk_editable_get_text (GTK_EDITABLE (page->search)))
    {
      share = culprit_share_format ((double) page->found_ns / MAX (culprit_flame_node (page->flame, 0)->total_ns, 1));
      words = g_strdup_printf ("%u match%s, %s of the time", page->n_found, page->n_found == 1 ? "" : "es", share);
      if (outside > 0)
        {
          g_autofree char *all = g_steal_pointer (&words);

          words = g_strdup_printf ("%s; %u outside of the zoom", all, outside);
        }
    }
  show_line (page->found, words ? words : "");
}

static void
on_search (GtkSearchEntry *entry, FlamePage *page)
{
  culprit_flame_view_search (page->view, gtk_editable_get_text (GTK_EDITABLE (entry)), &page->n_found, &page->found_ns);
  show_found (page);
}

static void
on_changed (CulpritFlameView *view, FlamePage *page)
{
  guint current = culprit_flame_view_current (view);
  const CulpritFlameNode *node = page->flame ? culprit_flame_node (page->flame, current) : NULL;
  g_autofree char *text = node ? culprit_flame_describe (page->flame, current) : NULL;
  g_autofree char *list = node ? g_strdup_printf ("List %u Capture%s", node->late, culprit_plural (node->late)) : NULL;

  show_line (page->details, text ? text : "");
  gtk_button_set_label (GTK_BUTTON (page->captures), list ? list : "List Captures");
  set_enabled (page, "captures", node && node->late > 0);
  set_enabled (page, "zoom", node && current != culprit_flame_view_zoomed (view) && node->total_ns > 0);
  set_enabled (page, "function", node && node->key);
  set_enabled (page, "copy", node != NULL);
  show_found (page);
  show_crumbs (page);
}

static void
zoom (GSimpleAction *action, GVariant *value, gpointer data)
{
  FlamePage *page = data;

  culprit_flame_view_zoom (page->view, culprit_flame_view_current (page->view));
}

/* Lists the captures that have the current node, on the page of late wake-ups. */
static void
list_captures (GSimpleAction *action, GVariant *value, gpointer data)
{
  FlamePage *page = data;
  guint current = culprit_flame_view_current (page->view);
  g_autoptr (GArray) captures = culprit_flame_captures (page->flame, current);
  g_autofree char *title = culprit_flame_title (page->flame, current);
  GVariant *list = g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, captures->data, captures->len, sizeof (gint64));

  gtk_widget_activate_action (GTK_WIDGET (page), "win.captures", "(s@ax)", title, list);
  gtk_widget_activate_action (GTK_WIDGET (page), "win.page", "s", "outliers");
}

static void
show_function (GSimpleAction *action, GVariant *value, gpointer data)
{
  FlamePage *page = data;
  guint current = culprit_flame_view_current (page->view);

  culprit_document_choose_function (culprit_document_view_document (page),
                                    culprit_flame_node (page->flame, current)->key);
  gtk_widget_activate_action (GTK_WIDGET (page), "win.page", "s", "functions");
}

static void
copy_path (GSimpleAction *action, GVariant *value, gpointer data)
{
  FlamePage *page = data;
  g_autofree char *path = culprit_flame_path (page->flame, culprit_flame_view_current (page->view));
  g_autofree char *pasted = culprit_pasted_text (path);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (page)), pasted);
}

static const GActionEntry actions[] = {
  { .name = "zoom", .activate = zoom },
  { .name = "captures", .activate = list_captures },
  { .name = "function", .activate = show_function },
  { .name = "copy", .activate = copy_path },
};

static gboolean
page_copy (CulpritPage *page)
{
  if (!FLAME_PAGE (page)->flame || shows_table (FLAME_PAGE (page)))
    return FALSE;
  copy_path (NULL, NULL, page);
  return TRUE;
}

static gboolean
page_shows_picture (CulpritPage *page)
{
  FlamePage *flame = FLAME_PAGE (page);

  return flame->flame && flame->flame->captures->len > 0 && !shows_table (flame);
}

/* Its heading repeats the legend, which the window shows beside the picture. */
static gboolean
page_export (CulpritPage *page, const char *path, GError **error)
{
  FlamePage *flame = FLAME_PAGE (page);
  g_autofree char *runs = heading_of_runs (culprit_document_view_document (page));
  const char *part = flame->only ? ", a selection" : "";
  g_autofree char *words = culprit_flame_in_words (flame->flame);
  g_autofree char *less = culprit_flame_legend (flame->flame, FALSE);
  g_autofree char *more = culprit_flame_legend (flame->flame, TRUE);
  g_autofree char *heading =
      flame->flame->base_wake_ups > 0
          ? g_strdup_printf ("%s%s: %s; from %s (blue) to %s (orange)", runs, part, words, less, more)
          : g_strdup_printf ("%s%s: %s", runs, part, words);

  return culprit_flame_view_export (flame->view, heading, path, error);
}

static void
on_menu (CulpritFlameView *view, double x, double y, FlamePage *page)
{
  if (!page->popover)
    {
      page->popover = gtk_popover_menu_new_from_model (page->node_menu);
      gtk_widget_set_parent (page->popover, GTK_WIDGET (view));
      gtk_popover_set_has_arrow (GTK_POPOVER (page->popover), FALSE);
      gtk_widget_set_halign (page->popover, GTK_ALIGN_START);
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (page->popover), &(GdkRectangle) { x, y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (page->popover));
}

static void
on_activated (CulpritFlameView *view, FlamePage *page)
{
  gtk_widget_activate_action (GTK_WIDGET (page), "flame.captures", NULL);
}

/* Legend, search and table. */

static void
draw_shades (GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer data)
{
  ChartPalette palette = is_dark (GTK_WIDGET (area)) ? CHART_DARK : CHART_LIGHT;
  cairo_pattern_t *shades = cairo_pattern_create_linear (0, 0, width, 0);

  for (int i = 0; i < SHADES; i++)
    {
      ChartColour colour = chart_difference_colour (palette, i - 1);

      cairo_pattern_add_color_stop_rgb (shades, i / (SHADES - 1.0), colour.red, colour.green, colour.blue);
    }
  cairo_set_source (cairo, shades);
  cairo_paint (cairo);
  cairo_pattern_destroy (shades);
}

static void
show_legend (FlamePage *page)
{
  gboolean compares = page->flame && page->flame->base_wake_ups > 0;
  g_autofree char *less = compares ? culprit_flame_legend (page->flame, FALSE) : NULL;
  g_autofree char *more = compares ? culprit_flame_legend (page->flame, TRUE) : NULL;

  show_line (page->less, less);
  show_line (page->more, more);
  gtk_widget_set_visible (page->legend, compares);
}

static void
show_head (FlamePage *page)
{
  g_autofree char *head = page->flame ? culprit_flame_in_words (page->flame) : NULL;
  GArray *captures = page->only;
  g_autofree char *only = !captures ? NULL
                          : captures->len == 1
                              ? g_strdup_printf ("Only capture %" G_GINT64_FORMAT, g_array_index (captures, gint64, 0))
                              : g_strdup_printf ("Only the %u selected", captures->len);

  show_line (page->chip_text, only ? only : "");
  gtk_widget_set_visible (page->chip, only != NULL);
  show_line (page->head, head);
  show_tooltip (page->head, head);
}

static void
on_stop (GtkSearchEntry *entry, FlamePage *page)
{
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  gtk_widget_grab_focus (GTK_WIDGET (page->view));
}

static void
list_rows (FlamePage *page)
{
  g_autoptr (CulpritRows) rows = NULL;

  if (!page->flame || page->listed || !shows_table (page))
    return;
  rows = culprit_rows_new (culprit_flame_table (page->flame));
  culprit_table_view_set_rows (page->table, rows);
  culprit_table_view_set_empty (page->table, "No late wake-ups yet",
                                "Import or record captures; their call paths are merged here.");
  page->listed = TRUE;
}

static void
on_row_activated (CulpritTableView *table, CulpritRow *row, FlamePage *page)
{
  gtk_stack_set_visible_child_name (GTK_STACK (page->views), "picture");
  culprit_flame_view_zoom (page->view, culprit_row_integer (row, "node"));
  gtk_widget_grab_focus (GTK_WIDGET (page->view));
}

static void
on_view (GtkStack *views, GParamSpec *spec, FlamePage *page)
{
  gboolean table = shows_table (page);

  state_set_text (STATE, "view", gtk_stack_get_visible_child_name (views));
  gtk_widget_set_visible (page->search, !table);
  gtk_widget_set_visible (page->upwards, !table);
  gtk_widget_set_visible (page->columns, table);
  gtk_widget_set_visible (page->explain, table);
  list_rows (page);
  culprit_page_picture_changed (page);
}

/* Reading. */

typedef struct
{
  char *run;    /* NULL: all */
  char *base;   /* NULL: ordinary wake-ups */
  GArray *only; /* NULL: all captures */
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_free (request->run);
  g_free (request->base);
  g_clear_pointer (&request->only, g_array_unref);
  g_free (request);
}

static gpointer
read_flame (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Request *request = data;
  const CulpritFilter filter = { .run = request->run,
                                 .captures = request->only ? (const gint64 *) request->only->data : NULL,
                                 .n_captures = request->only ? request->only->len : 0,
                                 .counted = TRUE };

  return culprit_flame_read (study, &filter, request->base, error);
}

static void
on_read (GObject *owner, gpointer result, const GError *error)
{
  FlamePage *page = FLAME_PAGE (owner);
  CulpritFlame *before = page->flame;

  page->flame = result;
  page->listed = FALSE;
  if (error)
    {
      /* What was read before is not shown either: it may be of another run. */
      culprit_document_view_fail (page, error->message);
      culprit_table_view_set_rows (page->table, NULL);
      culprit_table_view_set_empty (page->table, "These call paths cannot be read", "");
    }
  else
    culprit_flame_mark (page->flame, culprit_document_verdict (culprit_document_view_document (page)));
  culprit_flame_view_set_flame (page->view, page->flame);
  g_clear_pointer (&before, culprit_flame_free);
  show_head (page);
  show_legend (page);
  on_search (GTK_SEARCH_ENTRY (page->search), page);
  list_rows (page);
  culprit_page_picture_changed (page);
}

/* NULL: ordinary wake-ups. */
static const char *
chosen_base (FlamePage *page)
{
  guint place = gtk_drop_down_get_selected (GTK_DROP_DOWN (page->base)) - 1;

  return place < page->bases->len ? g_ptr_array_index (page->bases, place) : NULL;
}

static void
read_if_seen (FlamePage *page)
{
  CulpritDocument *document = culprit_document_view_document (page);
  Request *request;

  if (!page->stale || !document || !gtk_widget_get_mapped (GTK_WIDGET (page)))
    return;
  page->stale = FALSE;
  request = g_new (Request, 1);
  *request = (Request) { g_strdup (culprit_document_run (document)), g_strdup (chosen_base (page)),
                         page->only ? g_array_ref (page->only) : NULL };
  culprit_document_view_read (page, read_flame, request, request_free, on_read, (GDestroyNotify) culprit_flame_free);
}

/* @only: the captures to show, which it takes; NULL: all. */
static void
choose (FlamePage *page, GArray *only)
{
  g_clear_pointer (&page->only, g_array_unref);
  page->only = only;
  page->stale = TRUE;
  read_if_seen (page);
}

void
flame_page_show_only (FlamePage *page, const GArray *captures)
{
  choose (page, g_array_copy ((GArray *) captures));
}

static void
on_all (GtkButton *button, FlamePage *page)
{
  gtk_widget_grab_focus (GTK_WIDGET (page->view));
  choose (page, NULL);
}

static void
on_base (GtkDropDown *choice, GParamSpec *spec, FlamePage *page)
{
  if (page->filling)
    return;
  page->stale = TRUE;
  read_if_seen (page);
}

/* Offers ordinary wake-ups, and each run that has late ones. */
static void
fill_bases (FlamePage *page)
{
  const CulpritTable *runs = culprit_rows_table (culprit_document_runs (culprit_document_view_document (page)));
  g_autoptr (GtkStringList) names = gtk_string_list_new ((const char *const[]) { "Against ordinary wake-ups", NULL });
  g_autofree char *chosen = g_strdup (chosen_base (page));
  guint selected = 0;

  g_ptr_array_set_size (page->bases, 0);
  for (guint row = 0; row < culprit_table_rows (runs); row++)
    {
      const char *run = culprit_table_text (runs, row, "run");
      g_autofree char *name = g_strdup_printf ("Against %s", run);

      if (culprit_table_integer (runs, row, "outliers") == 0)
        continue;
      show_in_list (names, name);
      g_ptr_array_add (page->bases, g_strdup (run));
      if (g_strcmp0 (run, chosen) == 0)
        selected = page->bases->len;
    }
  page->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (page->base), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (page->base), selected);
  page->filling = FALSE;
}

static void
page_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  FlamePage *page = FLAME_PAGE (view);

  if (part == CULPRIT_PART_LATENCIES)
    fill_bases (page);
  if (part == CULPRIT_PART_OUTLIERS)
    {
      page->stale = TRUE;
      read_if_seen (page);
    }
  if (part == CULPRIT_PART_VERDICT && page->flame)
    {
      culprit_flame_mark (page->flame, culprit_document_verdict (culprit_document_view_document (view)));
      culprit_flame_view_update (page->view);
      on_changed (page->view, page);
    }
}

/* What is shown becomes stale by the next change. */
static void
page_replaced (CulpritDocumentView *view)
{
  g_clear_pointer (&FLAME_PAGE (view)->only, g_array_unref);
}

/* The widget. */

static void
page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (flame_page_parent_class)->map (widget);
  read_if_seen (FLAME_PAGE (widget));
}

static gboolean
on_find (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  return !shows_table (FLAME_PAGE (widget)) && gtk_widget_grab_focus (FLAME_PAGE (widget)->search);
}

static void
page_dispose (GObject *object)
{
  FlamePage *page = FLAME_PAGE (object);

  g_clear_pointer (&page->popover, gtk_widget_unparent);
  if (page->view)
    culprit_flame_view_set_flame (page->view, NULL);
  page->view = NULL;
  G_OBJECT_CLASS (flame_page_parent_class)->dispose (object);
}

static void
page_finalize (GObject *object)
{
  g_clear_pointer (&FLAME_PAGE (object)->flame, culprit_flame_free);
  g_clear_pointer (&FLAME_PAGE (object)->only, g_array_unref);
  g_object_unref (FLAME_PAGE (object)->actions);
  g_ptr_array_unref (FLAME_PAGE (object)->bases);
  G_OBJECT_CLASS (flame_page_parent_class)->finalize (object);
}

static void
flame_page_class_init (FlamePageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  CULPRIT_PAGE_CLASS (class)->copy = page_copy;
  CULPRIT_PAGE_CLASS (class)->shows_table = page_shows_table;
  CULPRIT_PAGE_CLASS (class)->export_picture = page_export;
  CULPRIT_PAGE_CLASS (class)->shows_picture = page_shows_picture;
  CULPRIT_PAGE_CLASS (class)->picture_hint = "show the picture of some late wake-ups first";
  CULPRIT_DOCUMENT_VIEW_CLASS (class)->changed = page_changed;
  CULPRIT_DOCUMENT_VIEW_CLASS (class)->replaced = page_replaced;
  G_OBJECT_CLASS (class)->dispose = page_dispose;
  G_OBJECT_CLASS (class)->finalize = page_finalize;
  widget->map = page_map;
  ensure_types (CULPRIT_TYPE_FLAME_VIEW, CULPRIT_TYPE_TABLE_VIEW);
  widget_class_set_template (class, "flame/flame-page.ui");
  gtk_widget_class_add_binding (widget, GDK_KEY_f, GDK_CONTROL_MASK, on_find, NULL);
  widget_class_bind_children (class, FlamePage, base, views, bar, upwards, search, found, chip, chip_text, head, crumbs,
                              view, table, legend, less, shades, more, details, captures, node_menu);
  widget_class_bind_callbacks (class, on_changed, on_menu, on_activated, on_search, on_stop, on_row_activated, on_view,
                               on_base, on_all);
}

static void
flame_page_init (FlamePage *page)
{
  g_autofree char *view = state_text (STATE, "view");

  page->bases = g_ptr_array_new_with_free_func (g_free);
  page->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (page->actions), actions, G_N_ELEMENTS (actions), page);
  gtk_widget_insert_action_group (GTK_WIDGET (page), "flame", G_ACTION_GROUP (page->actions));
  gtk_widget_init_template (GTK_WIDGET (page));
  culprit_table_view_set_columns (page->table, &culprit_flame_calls, NULL);
  culprit_table_view_keep (page->table, "flame");
  page->columns = culprit_table_view_columns_button (page->table);
  page->explain = culprit_table_view_explain_button (page->table);
  gtk_box_append (GTK_BOX (page->bar), page->columns);
  gtk_box_append (GTK_BOX (page->bar), page->explain);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (page->shades), draw_shades, NULL, NULL);
  if (g_strcmp0 (view, "table") == 0)
    gtk_stack_set_visible_child_name (GTK_STACK (page->views), view);
  on_view (GTK_STACK (page->views), NULL, page);
}
