/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest stretch of each late wake-up at the left, the places and the test at the right. */
#include "stalls/stalls-page.h"

#include "stalls/stall-tables.h"
#include "study/triage.h"
#include "tables/stalls.h"
#include "units.h"
#include "widgets.h"

struct _StallsPage
{
  GtkWidget parent;
  CulpritDocument *document;
  CulpritTableView *table;
  CulpritTableView *places;
  GtkWidget *bar;
  GtkWidget *head;
  GtkWidget *test;
  GtkWidget *table_place;
  GtkWidget *details_place;
};

#define STALLS_TYPE_PAGE (stalls_page_get_type ())
G_DECLARE_FINAL_TYPE (StallsPage, stalls_page, STALLS, PAGE, GtkWidget)

static CulpritTableView *
page_table (CulpritPage *page)
{
  return STALLS_PAGE (page)->table;
}

static void
implement_page (CulpritPageInterface *interface)
{
  interface->table = page_table;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (StallsPage,
                               stalls_page,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (CULPRIT_TYPE_PAGE, implement_page))

static void
on_selected (CulpritTableView *table, CulpritRow *row, StallsPage *page)
{
  if (row)
    culprit_document_choose_capture (page->document, culprit_row_integer (row, "capture"));
}

static void
on_activated (CulpritTableView *table, CulpritRow *row, StallsPage *page)
{
  gtk_widget_activate_action (GTK_WIDGET (page), "win.page", "s", "outliers");
}

static void
on_changed (CulpritDocument *document, guint part, StallsPage *page)
{
  const CulpritVerdict *verdict = culprit_document_verdict (document);
  g_autoptr (CulpritRows) rows = NULL;
  g_autoptr (CulpritRows) places = NULL;
  g_autofree char *left_out = NULL;
  g_autofree char *head = NULL;
  g_autofree char *test = NULL;

  if (part != CULPRIT_PART_OUTLIERS)
    return;
  rows = culprit_rows_new (culprit_stalls_table (verdict));
  places = culprit_rows_new (culprit_places_table (verdict->stalls));
  test = stall_test_in_words (verdict->stalls);
  left_out = culprit_ignored_in_words (culprit_document_ignored (document));
  head =
      g_strdup_printf ("Of %u late wake-up%s that stand%s out %u ha%s a stretch of half of the excess%s%s",
                       verdict->stalls->captures, culprit_plural (verdict->stalls->captures),
                       verdict->stalls->captures == 1 ? "s" : "", verdict->stalls->candidates,
                       verdict->stalls->candidates == 1 ? "s" : "ve", left_out ? "; " : "", left_out ? left_out : "");
  gtk_label_set_label (GTK_LABEL (page->head), head);
  gtk_widget_set_tooltip_text (page->head, head);
  gtk_label_set_label (GTK_LABEL (page->test), test);
  culprit_table_view_set_rows (page->table, rows);
  culprit_table_view_set_rows (page->places, places);
  culprit_table_view_set_empty (page->table, "No late wake-ups yet", "Captures that end at a late wake-up are needed.");
  culprit_table_view_set_empty (page->places, "No long stretches",
                                "In no late wake-up did a stretch without any event make up half of the excess.");
}

static void
page_dispose (GObject *object)
{
  widget_drop_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (stalls_page_parent_class)->dispose (object);
}

static void
stalls_page_class_init (StallsPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = page_dispose;
  gtk_widget_class_set_template_from_resource (widget, "/io/github/culprit/desktop/stalls/stalls-page.ui");
  gtk_widget_class_bind_template_child (widget, StallsPage, bar);
  gtk_widget_class_bind_template_child (widget, StallsPage, head);
  gtk_widget_class_bind_template_child (widget, StallsPage, test);
  gtk_widget_class_bind_template_child (widget, StallsPage, table_place);
  gtk_widget_class_bind_template_child (widget, StallsPage, details_place);
}

static void
stalls_page_init (StallsPage *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
}

GtkWidget *
stalls_page_new (CulpritDocument *document)
{
  StallsPage *page = g_object_new (STALLS_TYPE_PAGE, NULL);

  page->document = document;
  page->table = culprit_table_view_new (&culprit_stretches, stall_cells);
  page->places = culprit_table_view_new (&culprit_places, NULL);
  gtk_box_append (GTK_BOX (page->table_place), GTK_WIDGET (page->table));
  gtk_box_append (GTK_BOX (page->details_place), GTK_WIDGET (page->places));
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
  culprit_page_await (page->table, document);
  culprit_table_view_set_empty (page->places, "", "");
  g_signal_connect (page->table, "selected", G_CALLBACK (on_selected), page);
  g_signal_connect (page->table, "activated", G_CALLBACK (on_activated), page);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_changed), page, 0);
  return GTK_WIDGET (page);
}
