/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table has a filter of class and state; its current row is the document's capture. */
#include "outliers/outliers-page.h"

#include "outliers/capture-details.h"
#include "outliers/culprit-groups.h"
#include "outliers/verdict-box.h"
#include "study/triage.h"
#include "tables/format.h"
#include "triage.h"
#include "widgets.h"

struct _OutliersPage
{
  GtkWidget parent;
  CulpritDocument *document;
  CulpritTableView *table;
  CulpritGroups *groups; /* NULL: nothing was read yet */
  gboolean grouped;
  GtkWidget *verdict_place;
  GtkWidget *table_place;
  GtkWidget *details_place;
  GtkWidget *details;
  GtkWidget *bar;
  GtkWidget *class_choice;
  GtkWidget *state_choice;
};

#define OUTLIERS_TYPE_PAGE (outliers_page_get_type ())
G_DECLARE_FINAL_TYPE (OutliersPage, outliers_page, OUTLIERS, PAGE, GtkWidget)

static gboolean
is_ignored (CulpritRow *row, gpointer data)
{
  return triage_ignores (row);
}

/* That a capture does not count says more than its class. */
static void
show_class (GtkWidget *cell, CulpritRow *row)
{
  const char *class = triage_ignores (row) ? CULPRIT_TRIAGE_IGNORED : culprit_row_text (row, "class");
  g_autofree char *text = culprit_class_text (class);
  g_autofree char *style = g_strconcat ("class-", class, NULL);
  const char *classes[] = { "badge", style, NULL };

  gtk_label_set_label (GTK_LABEL (cell), text);
  gtk_widget_set_css_classes (cell, classes);
}

static GtkWidget *
make_badge (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_set_halign (label, GTK_ALIGN_START);
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}

static void
show_state (GtkWidget *cell, CulpritRow *row)
{
  const char *state = culprit_row_text (row, "triage");
  g_autofree char *style = g_strconcat ("state-", state, NULL);
  const char *classes[] = { style, NULL };

  gtk_label_set_label (GTK_LABEL (cell), state);
  gtk_widget_set_css_classes (cell, classes);
}

static const TableCell cells[] = {
  { "class", make_badge, show_class },
  { "triage", make_badge, show_state },
  { NULL },
};

static CulpritTableView *
page_table (CulpritPage *page)
{
  return OUTLIERS_PAGE (page)->table;
}

static gboolean
page_copy (CulpritPage *page)
{
  return culprit_capture_details_copy (CULPRIT_CAPTURE_DETAILS (OUTLIERS_PAGE (page)->details));
}

static gboolean
page_export (CulpritPage *page, const char *path, GError **error)
{
  return culprit_capture_details_export (CULPRIT_CAPTURE_DETAILS (OUTLIERS_PAGE (page)->details), path, error);
}

static void
implement_page (CulpritPageInterface *interface)
{
  interface->table = page_table;
  interface->copy = page_copy;
  interface->export_picture = page_export;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (OutliersPage,
                               outliers_page,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (CULPRIT_TYPE_PAGE, implement_page))

/* The filter. */

static const char *
chosen_text (GtkWidget *choice)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (choice));

  return gtk_drop_down_get_selected (GTK_DROP_DOWN (choice)) > 0 && item ? gtk_string_object_get_string (item) : NULL;
}

static gboolean
is_shown (CulpritRow *row, gpointer data)
{
  OutliersPage *page = data;
  const char *class = chosen_text (page->class_choice);
  const char *state = chosen_text (page->state_choice);
  g_autofree char *own_class = culprit_class_text (culprit_row_text (row, "class"));

  return (!class || g_str_equal (class, own_class)) &&
         (!state || g_str_equal (state, culprit_row_text (row, "triage")));
}

static void
on_filter (GtkDropDown *choice, GParamSpec *spec, OutliersPage *page)
{
  culprit_table_view_set_filter (page->table, is_shown, page);
}

static void
fill_choices (OutliersPage *page)
{
  g_autoptr (GtkStringList) classes = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) states = gtk_string_list_new (NULL);

  gtk_string_list_append (classes, "Any class");
  for (CulpritClass class = 0; class < CULPRIT_CLASSES; class ++)
    {
      g_autofree char *text = culprit_class_text (culprit_class_name (class));

      gtk_string_list_append (classes, text);
    }
  gtk_string_list_append (states, "Any state");
  for (const char *const *state = culprit_triage_states; *state; state++)
    gtk_string_list_append (states, *state);
  gtk_drop_down_set_model (GTK_DROP_DOWN (page->class_choice), G_LIST_MODEL (classes));
  gtk_drop_down_set_model (GTK_DROP_DOWN (page->state_choice), G_LIST_MODEL (states));
}

/* Groups. */

static void
show_groups (OutliersPage *page)
{
  gboolean grouped = page->grouped && page->groups;

  culprit_table_view_group (page->table, grouped ? culprit_groups_compare : NULL,
                            grouped ? culprit_groups_compare_latency : NULL, page->groups);
}

void
outliers_page_group (GtkWidget *widget, gboolean by_culprit)
{
  OutliersPage *page = OUTLIERS_PAGE (widget);

  page->grouped = by_culprit;
  show_groups (page);
}

/* The rows are others now: the groups of those before go when nothing is sorted by them any more. */
static void
take_groups (OutliersPage *page, CulpritRows *rows)
{
  culprit_table_view_group (page->table, NULL, NULL, NULL);
  g_clear_pointer (&page->groups, culprit_groups_free);
  culprit_table_view_set_rows (page->table, rows);
  page->groups = culprit_groups_new (rows);
  show_groups (page);
}

/* Choosing. */

static void
on_selected (CulpritTableView *table, CulpritRow *row, OutliersPage *page)
{
  if (row)
    culprit_document_choose_capture (page->document, culprit_row_integer (row, "capture"));
}

static void
on_capture (CulpritDocument *document, GParamSpec *spec, OutliersPage *page)
{
  CulpritRows *rows = culprit_document_outliers (document);

  if (rows)
    culprit_table_view_select (page->table, culprit_rows_find (rows, "capture", culprit_document_capture (document)));
}

static void
on_changed (CulpritDocument *document, guint part, OutliersPage *page)
{
  CulpritRows *rows = culprit_document_outliers (document);

  if (part != CULPRIT_PART_OUTLIERS)
    return;
  take_groups (page, rows);
  culprit_table_view_set_empty (page->table, "No late wake-ups yet",
                                "Drop captures here, import them (Ctrl+I), or record some: Culprit needs captures that "
                                "end at a late wake-up, best ten or more.");
  if (culprit_rows_find (rows, "capture", culprit_document_capture (document)))
    on_capture (document, NULL, page);
  else
    culprit_table_view_step (page->table, 0);
}

void
outliers_page_triage (GtkWidget *widget, const char *state)
{
  OutliersPage *page = OUTLIERS_PAGE (widget);
  g_autoptr (GPtrArray) rows = culprit_table_view_selected (page->table);

  if (g_strv_contains (culprit_triage_states, state))
    culprit_document_triage (page->document, rows, state, NULL);
}

void
outliers_page_note (GtkWidget *widget, const char *note)
{
  OutliersPage *page = OUTLIERS_PAGE (widget);
  g_autoptr (GPtrArray) rows = culprit_table_view_selected (page->table);

  culprit_document_triage (page->document, rows, NULL, note);
}

void
outliers_page_show (GtkWidget *widget, const char *view)
{
  culprit_capture_details_show (CULPRIT_CAPTURE_DETAILS (OUTLIERS_PAGE (widget)->details), view);
}

void
outliers_page_set_times (GtkWidget *widget, CulpritTimes times)
{
  culprit_capture_details_set_times (CULPRIT_CAPTURE_DETAILS (OUTLIERS_PAGE (widget)->details), times);
}

/* The widget. */

static void
page_dispose (GObject *object)
{
  OutliersPage *page = OUTLIERS_PAGE (object);

  if (page->groups)
    culprit_table_view_group (page->table, NULL, NULL, NULL);
  g_clear_pointer (&page->groups, culprit_groups_free);
  widget_drop_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (outliers_page_parent_class)->dispose (object);
}

static void
outliers_page_class_init (OutliersPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = page_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/outliers/outliers-page.ui");
  gtk_widget_class_bind_template_child (widget, OutliersPage, verdict_place);
  gtk_widget_class_bind_template_child (widget, OutliersPage, table_place);
  gtk_widget_class_bind_template_child (widget, OutliersPage, details_place);
  gtk_widget_class_bind_template_child (widget, OutliersPage, bar);
  gtk_widget_class_bind_template_child (widget, OutliersPage, class_choice);
  gtk_widget_class_bind_template_child (widget, OutliersPage, state_choice);
  gtk_widget_class_bind_template_callback (widget, on_filter);
}

static void
outliers_page_init (OutliersPage *page)
{
  page->table = culprit_table_view_new (&culprit_outliers, cells);
  g_object_ref_sink (page->table);
  gtk_widget_init_template (GTK_WIDGET (page));
}

GtkWidget *
outliers_page_new (CulpritDocument *document)
{
  OutliersPage *page = g_object_new (OUTLIERS_TYPE_PAGE, NULL);

  page->document = document;
  fill_choices (page);
  culprit_table_view_dim (page->table, is_ignored, NULL);
  gtk_box_append (GTK_BOX (page->verdict_place), verdict_box_new (document));
  gtk_box_append (GTK_BOX (page->table_place), GTK_WIDGET (page->table));
  page->details = culprit_capture_details_new (document);
  gtk_box_append (GTK_BOX (page->details_place), page->details);
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
  culprit_page_await (page->table, document);
  g_object_unref (page->table);
  g_signal_connect (page->table, "selected", G_CALLBACK (on_selected), page);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_changed), page, 0);
  g_signal_connect_object (document, "notify::capture", G_CALLBACK (on_capture), page, 0);
  return GTK_WIDGET (page);
}
