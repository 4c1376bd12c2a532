/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of late wake-ups, filtered by class and state; its current row is the chosen capture of the document. */
#include "pages.h"

#include "charts/swatch.h"
#include "headings.h"
#include "outliers/capture-details.h"
#include "outliers/filters.h"
#include "outliers/verdict-box.h"
#include "seeded-hash.h"
#include "show.h"
#include "study/triage.h"
#include "tables/table-view.h"
#include "triage.h"
#include "units.h"
#include "verdict/cards.h"
#include "widgets.h"

#include <math.h>

/* Groups of late wake-ups by culprit. Sums are computed once, comparisons look them up. */

typedef struct _CulpritGroups CulpritGroups;

/* Groups by culprit, with CulpritGroups as data, the largest sum first; last come those without a culprit, then ignored
 * ones. Within a group, the latest wake-up comes first. */
extern const TableGroups culprit_groups_by_culprit;

#define IGNORED "ignored/" /* the key of their group, which no function can have */

typedef struct
{
  guint captures;
  double excess_ns; /* the sum */
} Group;

struct _CulpritGroups
{
  GHashTable *all; /* culprit -> Group */
};

static const char *
key_of (CulpritRow *row)
{
  return triage_ignores (row) ? IGNORED : culprit_row_text (row, "culprit");
}

static Group *
find_group (CulpritGroups *groups, const char *key)
{
  Group *group = g_hash_table_lookup (groups->all, key);

  if (!group)
    {
      group = g_new0 (Group, 1);
      g_hash_table_insert (groups->all, g_strdup (key), group);
    }
  return group;
}

/* The groups of @rows, late wake-ups. */
static CulpritGroups *
culprit_groups_new (CulpritRows *rows)
{
  CulpritGroups *groups = g_new (CulpritGroups, 1);

  groups->all = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, g_free);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (rows)); i++)
    {
      g_autoptr (CulpritRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);
      double excess_ns = culprit_row_real (row, "excess_ns");
      Group *group = find_group (groups, key_of (row));

      group->captures++;
      if (!isnan (excess_ns))
        group->excess_ns += excess_ns;
    }
  return groups;
}

static void
culprit_groups_free (CulpritGroups *groups)
{
  g_hash_table_unref (groups->all);
  g_free (groups);
}

/* "qh_completions: 8 late wake-ups, 12.600 ms excess". */
static char *
head (CulpritRow *row, gpointer data)
{
  const Group *group = find_group (data, key_of (row));
  const char *culprit = culprit_row_text (row, "culprit");
  g_autofree char *excess = culprit_time_format (llround (group->excess_ns));
  const char *name = triage_ignores (row) ? "Ignored" : *culprit ? culprit : "Unexplained";

  if (triage_ignores (row) || !(group->excess_ns > 0))
    return g_strdup_printf ("%s: %u late wake-up%s", name, group->captures, culprit_plural (group->captures));
  return g_strdup_printf ("%s: %u late wake-up%s, %s excess", name, group->captures, culprit_plural (group->captures),
                          excess);
}

static int
compare (CulpritRow *left, CulpritRow *right, gpointer data)
{
  const char *one = culprit_row_text (left, "culprit");
  const char *other = culprit_row_text (right, "culprit");
  double difference;

  if (triage_ignores (left) || triage_ignores (right))
    return triage_ignores (left) - triage_ignores (right);
  if (g_str_equal (one, other))
    return 0;
  if (!*one || !*other)
    return *one ? -1 : 1;
  difference = find_group (data, other)->excess_ns - find_group (data, one)->excess_ns;
  return difference > 0 ? 1 : difference < 0 ? -1 : strcmp (one, other);
}

static int
compare_latency (CulpritRow *left, CulpritRow *right, gpointer data)
{
  gint64 difference = culprit_row_integer (right, "latency_ns") - culprit_row_integer (left, "latency_ns");

  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

const TableGroups culprit_groups_by_culprit = { compare, compare_latency, head };

/* Cells: a class is a badge, a state has a mark if there is a note. */

/* For culprit_table_view_set_columns(). */
extern const TableCell outlier_cells[];

#define MISSING "missing-class"

/* Makes @rows show @missing, a constant, where there is no class yet. */
static void
outlier_cells_attach (CulpritRows *rows, const char *missing)
{
  culprit_rows_attach (rows, MISSING, (gpointer) missing, NULL);
}

/* That a capture is ignored matters more than its class. */
static void
show_class (GtkWidget *cell, CulpritRow *row)
{
  const char *class = triage_ignores (row) ? CULPRIT_TRIAGE_IGNORED : culprit_row_text (row, "class");

  class_cell_set (cell, class, culprit_row_attached (row, MISSING));
}

/* The state, with a mark if there is a note, which is its tooltip. */
static GtkWidget *
make_state (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_label_new (NULL));
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("document-edit-symbolic"));
  return box;
}

static void
show_state (GtkWidget *cell, CulpritRow *row)
{
  const char *state = culprit_row_text (row, "triage");
  const char *note = culprit_row_text (row, "note");
  g_autofree char *style = g_strconcat ("state-", state, NULL);
  g_autofree char *spoken = g_strconcat ("Note: ", note, NULL);
  const char *classes[] = { style, NULL };
  GtkWidget *sign = gtk_widget_get_last_child (cell);

  show_line (gtk_widget_get_first_child (cell), state);
  gtk_widget_set_css_classes (gtk_widget_get_first_child (cell), classes);
  gtk_widget_set_visible (sign, *note != '\0');
  show_tooltip (cell, *note ? note : NULL);
  show_to_reader (sign, GTK_ACCESSIBLE_PROPERTY_LABEL, spoken);
}

const TableCell outlier_cells[] = {
  RUN_CELL,
  { "class", class_cell_make, show_class },
  { "triage", make_state, show_state },
  { NULL },
};

struct _OutliersPage
{
  CulpritPage parent;
  CulpritTableView *table;
  CulpritGroups *groups; /* NULL: there is no verdict yet */
  gboolean grouped;
  CulpritCaptureDetails *details;
  GtkWidget *bar;
  GMenuModel *row_menu;
  GtkWidget *class_choice;
  GtkWidget *state_choice;
  CulpritVerdictBox *verdict;
  CaptureFilter filter;
  GSimpleAction *cause; /* its state is the cause whose captures are shown */
  GtkWidget *chip;
  GtkWidget *chip_text;
};

static gboolean
is_ignored (CulpritRow *row, gpointer data)
{
  return triage_ignores (row);
}

static gboolean
page_copy (CulpritPage *page)
{
  return culprit_capture_details_copy (OUTLIERS_PAGE (page)->details);
}

static gboolean
page_export (CulpritPage *page, const char *path, GError **error)
{
  return culprit_capture_details_export (OUTLIERS_PAGE (page)->details, path, error);
}

/* The timeline of one capture: the names of several must not clash. */
static char *
page_name_picture (CulpritPage *page)
{
  CulpritDocument *document = culprit_document_view_document (page);

  return heading_name_capture (document, culprit_document_capture (document));
}

static gboolean
page_shows_picture (CulpritPage *page)
{
  return culprit_capture_details_shows_picture (OUTLIERS_PAGE (page)->details);
}

G_DEFINE_FINAL_TYPE (OutliersPage, outliers_page, CULPRIT_TYPE_PAGE)

/* The filter. */

static gboolean
is_shown (CulpritRow *row, gpointer data)
{
  OutliersPage *page = data;
  const char *class = class_choice_chosen (GTK_DROP_DOWN (page->class_choice));
  const char *own_class = culprit_row_text (row, "class");

  /* Captures without a class may turn out to be of this one. */
  return capture_filter_passes (&page->filter, culprit_row_integer (row, "capture")) &&
         (!class || !*own_class || g_str_equal (class, own_class)) &&
         state_choice_shows (GTK_DROP_DOWN (page->state_choice), row);
}

static void
on_filter (GtkDropDown *choice, GParamSpec *spec, OutliersPage *page)
{
  culprit_table_view_set_filter (page->table, is_shown, page);
}

static const CulpritVerdict *
verdict_of (OutliersPage *page)
{
  return culprit_document_verdict (culprit_document_view_document (page));
}

static void
show_chip (OutliersPage *page)
{
  g_autofree char *text = page->filter.name ? g_strdup_printf ("Only those of %s", page->filter.name) : NULL;

  show_line (page->chip_text, text ? text : "");
  gtk_widget_set_visible (page->chip, text != NULL);
  if (page->cause)
    g_simple_action_set_state (page->cause, g_variant_new_string (page->filter.cause));
}

static void
update_only (OutliersPage *page)
{
  capture_filter_update (&page->filter, verdict_of (page));
  show_chip (page);
}

static void
show_only (OutliersPage *page)
{
  show_chip (page);
  culprit_table_view_set_filter (page->table, is_shown, page);
  if (page->filter.name)
    culprit_table_view_select_first (page->table);
  else
    culprit_table_view_step (page->table, 0);
}

GtkWidget *
outliers_page_verdict (OutliersPage *page)
{
  return culprit_verdict_box_expander (page->verdict);
}

/* Groups. */

static void
show_groups (OutliersPage *page)
{
  culprit_table_view_group (page->table, page->grouped && page->groups ? &culprit_groups_by_culprit : NULL,
                            page->groups);
}

/* The previous groups are freed once nothing is sorted by them. */
static void
take_groups (OutliersPage *page)
{
  CulpritDocument *document = culprit_document_view_document (page);
  CulpritGroups *before = page->groups;

  page->groups = culprit_document_verdict (document) ? culprit_groups_new (culprit_document_outliers (document)) : NULL;
  show_groups (page);
  g_clear_pointer (&before, culprit_groups_free);
}

/* Choosing. */

static void
on_selected (CulpritTableView *table, CulpritRow *row, OutliersPage *page)
{
  culprit_document_choose_capture (culprit_document_view_document (page),
                                   row ? culprit_row_integer (row, "capture") : 0);
}

static void
on_picked (CulpritTableView *table, OutliersPage *page)
{
  g_autoptr (GPtrArray) rows = culprit_table_view_selected (table);

  culprit_capture_details_set_rows (page->details, rows);
}

static void
page_capture_chosen (CulpritDocumentView *view)
{
  CulpritDocument *document = culprit_document_view_document (view);

  if (culprit_document_outliers (document))
    culprit_table_view_select (OUTLIERS_PAGE (view)->table, culprit_document_chosen_row (document));
}

/* The rows stay; the verdict only changes their cells. */
static void
take_verdict (OutliersPage *page)
{
  CulpritRows *rows = culprit_document_outliers (culprit_document_view_document (page));

  culprit_rows_changed (rows);
  class_choice_fill (GTK_DROP_DOWN (page->class_choice), rows);
  update_only (page);
  culprit_table_view_set_filter (page->table, is_shown, page);
  take_groups (page);
}

static void
take_rows (OutliersPage *page)
{
  CulpritDocument *document = culprit_document_view_document (page);
  CulpritRows *rows = culprit_document_outliers (document);

  update_only (page);
  class_choice_fill (GTK_DROP_DOWN (page->class_choice), rows);
  culprit_table_view_set_rows (page->table, rows);
  take_groups (page);
  culprit_table_view_set_empty (page->table, "No late wake-ups yet",
                                "Drop captures here, import them (Ctrl+I), or record some: Culprit needs captures that "
                                "end at a late wake-up, ideally ten or more.");
  if (culprit_document_chosen_row (document))
    page_capture_chosen (CULPRIT_DOCUMENT_VIEW (page));
  else
    culprit_table_view_step (page->table, 0);
}

static void
page_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  CulpritDocument *document = culprit_document_view_document (view);
  CulpritRows *rows = culprit_document_outliers (document);

  if (rows)
    outlier_cells_attach (rows, culprit_document_is_judging (document) ? "computing…" : "–");
  if (part == CULPRIT_PART_OUTLIERS)
    take_rows (OUTLIERS_PAGE (view));
  else if (part == CULPRIT_PART_VERDICT && rows && !culprit_document_is_judging (document))
    take_verdict (OUTLIERS_PAGE (view));
}

static void
page_replaced (CulpritDocumentView *view)
{
  capture_filter_set (&OUTLIERS_PAGE (view)->filter, NULL, NULL);
}

/* The selected rows; or, if a search hides the chosen one, that one. */
static GPtrArray *
selected_rows (OutliersPage *page)
{
  CulpritRow *chosen = culprit_document_chosen_row (culprit_document_view_document (page));
  GPtrArray *rows = culprit_table_view_selected (page->table);

  if (rows->len == 0 && chosen)
    g_ptr_array_add (rows, g_object_ref (chosen));
  return rows;
}

void
outliers_page_show (OutliersPage *page, const char *view)
{
  culprit_capture_details_show (page->details, view);
  culprit_capture_details_focus (page->details);
}

GArray *
outliers_page_selected (OutliersPage *page)
{
  g_autoptr (GPtrArray) rows = selected_rows (page);
  GArray *captures = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < rows->len; i++)
    {
      gint64 capture = culprit_row_integer (g_ptr_array_index (rows, i), "capture");

      g_array_append_val (captures, capture);
    }
  return captures;
}

gboolean
outliers_page_search (OutliersPage *page)
{
  return culprit_capture_details_search (page->details);
}

/* The widget. */

static void
page_finalize (GObject *object)
{
  capture_filter_clear (&OUTLIERS_PAGE (object)->filter);
  G_OBJECT_CLASS (outliers_page_parent_class)->finalize (object);
}

static void
page_dispose (GObject *object)
{
  OutliersPage *page = OUTLIERS_PAGE (object);

  if (page->groups)
    culprit_table_view_group (page->table, NULL, NULL);
  g_clear_pointer (&page->groups, culprit_groups_free);
  g_clear_weak_pointer (&page->cause);
  G_OBJECT_CLASS (outliers_page_parent_class)->dispose (object);
}

static void
outliers_page_class_init (OutliersPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  CULPRIT_PAGE_CLASS (class)->copy = page_copy;
  CULPRIT_PAGE_CLASS (class)->export_picture = page_export;
  CULPRIT_PAGE_CLASS (class)->name_picture = page_name_picture;
  CULPRIT_PAGE_CLASS (class)->split = "split";
  CULPRIT_PAGE_CLASS (class)->shows_picture = page_shows_picture;
  CULPRIT_PAGE_CLASS (class)->picture_hint = "show the timeline first";
  G_OBJECT_CLASS (class)->dispose = page_dispose;
  G_OBJECT_CLASS (class)->finalize = page_finalize;
  view->changed = page_changed;
  view->replaced = page_replaced;
  view->capture_chosen = page_capture_chosen;
  ensure_types (CULPRIT_TYPE_CAPTURE_DETAILS, CULPRIT_TYPE_TABLE_VIEW, CULPRIT_TYPE_VERDICT_BOX);
  widget_class_set_template (class, "outliers/outliers-page.ui");
  gtk_widget_class_bind_template_child_full (widget, "split", FALSE, 0);
  widget_class_bind_children (class, OutliersPage, table, details, bar, row_menu, class_choice, state_choice, verdict,
                              chip, chip_text);
  widget_class_bind_callbacks (class, on_filter, on_selected, on_picked);
}

static void
outliers_page_init (OutliersPage *page)
{
  capture_filter_init (&page->filter);
  gtk_widget_init_template (GTK_WIDGET (page));
  culprit_table_view_set_columns (page->table, &culprit_outliers, outlier_cells);
  culprit_table_view_dim (page->table, is_ignored, NULL);
  culprit_table_view_keep (page->table, "outliers");
  culprit_table_view_set_menu (page->table, page->row_menu);
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_columns_button (page->table));
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
  class_choice_fill (GTK_DROP_DOWN (page->class_choice), NULL);
  state_choice_fill (GTK_DROP_DOWN (page->state_choice));
}

/* Actions. */

static void
triage (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GPtrArray) rows = selected_rows (data);
  const char *state = g_variant_get_string (value, NULL);

  if (g_strv_contains (culprit_triage_states, state))
    triage_set (culprit_document_view_document (data), rows, state, NULL);
}

static void
note (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GPtrArray) rows = selected_rows (data);

  triage_set (culprit_document_view_document (data), rows, NULL, g_variant_get_string (value, NULL));
}

static void
group (GSimpleAction *action, GVariant *value, gpointer data)
{
  OutliersPage *page = data;

  g_simple_action_set_state (action, value);
  page->grouped = g_variant_get_boolean (value);
  show_groups (page);
  if (page->grouped)
    culprit_table_view_show_top (page->table);
}

/* A cause that is shown already is deselected. */
static void
show_cause (GSimpleAction *action, GVariant *value, gpointer data)
{
  OutliersPage *page = data;
  const char *id = g_variant_get_string (value, NULL);

  capture_filter_set_cause (&page->filter, g_str_equal (id, page->filter.cause) ? "" : id, verdict_of (page));
  show_only (page);
}

/* Shows a capture that is typical of a cause, whatever was filtered. */
static void
show_typical (GSimpleAction *action, GVariant *value, gpointer data)
{
  OutliersPage *page = data;
  CulpritDocument *document = culprit_document_view_document (page);
  const CulpritVerdict *verdict = verdict_of (page);
  const CulpritCulprit *cause = verdict ? culprit_verdict_find (verdict, g_variant_get_string (value, NULL)) : NULL;
  gint64 capture = cause ? culprit_verdict_typical (verdict, cause) : 0;
  CulpritRow *row = cause ? culprit_document_row (document, capture) : NULL;

  if (!row)
    return;
  culprit_table_view_search (page->table, "");
  if (!is_shown (row, page))
    {
      capture_filter_set_cause (&page->filter, "", verdict);
      gtk_drop_down_set_selected (GTK_DROP_DOWN (page->class_choice), 0);
      gtk_drop_down_set_selected (GTK_DROP_DOWN (page->state_choice), 0);
      show_only (page);
    }
  culprit_document_show_culprit (document, capture, culprit_verdict_key (verdict, cause));
  culprit_table_view_step (page->table, 0);
  culprit_capture_details_show_window (page->details);
}

/* Shows only the captures of a host, which the caller names. */
static void
show_captures (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GVariant) list = g_variant_get_child_value (value, 1);
  g_autoptr (GArray) captures = g_array_new (FALSE, FALSE, sizeof (gint64));
  OutliersPage *page = data;
  const char *name;
  gsize n;
  const gint64 *numbers = g_variant_get_fixed_array (list, &n, sizeof *numbers);

  g_variant_get_child (value, 0, "&s", &name);
  g_array_append_vals (captures, numbers, n);
  capture_filter_set (&page->filter, captures, name);
  show_only (page);
}

static const GActionEntry actions[] = {
  { .name = "triage", .activate = triage, .parameter_type = "s" },
  { .name = "note", .activate = note, .parameter_type = "s" },
  { .name = "cause", .activate = show_cause, .parameter_type = "s", .state = "''" },
  { .name = "typical", .activate = show_typical, .parameter_type = "s" },
  { .name = "captures", .activate = show_captures, .parameter_type = "(sax)" },
  { .name = "group", .state = "false", .change_state = group },
};

void
outliers_actions_add (GActionMap *map, OutliersPage *page)
{
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), page);
  g_set_weak_pointer (&page->cause, G_SIMPLE_ACTION (g_action_map_lookup_action (map, "cause")));
}
