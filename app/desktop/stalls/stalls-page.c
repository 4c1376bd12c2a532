/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest stretch of each late wake-up on the left; on the right their places and the test, and the times without
 * interrupts or preemption. */
#include "pages.h"

#include "show.h"
#include "study/query.h"
#include "study/triage.h"
#include "tables/stalls.h"
#include "tables/table-view.h"
#include "units.h"
#include "verdict/verdict.h"
#include "widgets.h"

/* Texts and cells. */

extern const TableCell stall_cells[];

static void
show_others (GtkWidget *cell, CulpritRow *row)
{
  gint64 others = culprit_row_integer (row, "other_cpus");
  gint64 silent = culprit_row_integer (row, "silent_cpus");

  show_line (cell, others == 0 ? "–" : silent == others ? "silent" : silent > 0 ? "some silent" : "ran");
}

static void
show_class (GtkWidget *cell, CulpritRow *row)
{
  class_cell_set (cell, culprit_row_text (row, "class"), NULL);
}

const TableCell stall_cells[] = {
  { "class", class_cell_make, show_class },
  { "others", NULL, show_others },
  { NULL },
};

struct _StallsPage
{
  CulpritPage parent;
  CulpritTableView *table;
  CulpritTableView *places;
  CulpritTableView *sections;
  GtkWidget *bar;
  GMenuModel *row_menu;
  GtkWidget *head;
  GtkWidget *test;
};

G_DEFINE_FINAL_TYPE (StallsPage, stalls_page, CULPRIT_TYPE_PAGE)

static void
on_selected (CulpritTableView *table, CulpritRow *row, StallsPage *page)
{
  if (row)
    culprit_document_choose_capture (culprit_document_view_document (page), culprit_row_integer (row, "capture"));
}

static void
on_activated (CulpritTableView *table, CulpritRow *row, StallsPage *page)
{
  gtk_widget_activate_action (GTK_WIDGET (page), "win.page", "s", "outliers");
}

static void
show_no_verdict (StallsPage *page, const char *why)
{
  show_line (page->head, why);
  gtk_label_set_label (GTK_LABEL (page->test), "");
  culprit_table_view_set_rows (page->table, NULL);
  gtk_widget_hide (GTK_WIDGET (page->places));
  culprit_table_view_set_empty (page->table, why, "");
}

static void
show_verdict (StallsPage *page, const CulpritVerdict *verdict)
{
  g_autoptr (CulpritRows) rows = culprit_rows_new (culprit_stalls_table (verdict));
  g_autoptr (CulpritRows) places = culprit_rows_new (culprit_places_table (verdict->stalls));
  g_autofree char *left_out =
      culprit_ignored_in_words (culprit_document_ignored (culprit_document_view_document (page)));
  g_autofree char *test = culprit_stalls_finding (verdict);
  g_autofree char *tested = culprit_stalls_tested (verdict);
  g_autofree char *head = left_out ? g_strdup_printf ("%s %s.", tested, left_out) : g_strdup (tested);

  show_line (page->head, head);
  show_line (page->test, test);
  culprit_table_view_set_rows (page->table, rows);
  culprit_table_view_set_rows (page->places, places);
  gtk_widget_set_visible (GTK_WIDGET (page->places), g_list_model_get_n_items (G_LIST_MODEL (places)) > 0);
  culprit_table_view_set_empty (page->table, "No late wake-ups yet",
                                "Stalls need captures that end at a late wake-up.");
}

/* Of a run: the sections, or why there are none. */
typedef struct
{
  CulpritTable *table;
  const char *empty;
} SectionsRead;

static void
sections_read_free (SectionsRead *read)
{
  g_clear_pointer (&read->table, culprit_table_free);
  g_free (read);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SectionsRead, sections_read_free)

static gpointer
read_sections (CulpritStudy *study, gpointer run, GCancellable *cancellable, GError **error)
{
  const CulpritFilter filter = { .run = run, .counted = TRUE };
  g_autoptr (SectionsRead) read = g_new0 (SectionsRead, 1);

  read->table = culprit_query_sections (study, &filter, error);
  if (read->table && culprit_table_rows (read->table) == 0)
    read->empty = culprit_query_why_no_sections (study, &filter, error);
  if (!read->table || (culprit_table_rows (read->table) == 0 && !read->empty))
    return NULL;
  return g_steal_pointer (&read);
}

static void
on_sections_read (GObject *owner, gpointer result, const GError *error)
{
  g_autoptr (SectionsRead) read = result;
  g_autoptr (CulpritRows) rows = NULL;

  if (error)
    culprit_document_view_fail (owner, error->message);
  else
    rows = culprit_rows_new (g_steal_pointer (&read->table));
  culprit_table_view_set_rows (STALLS_PAGE (owner)->sections, rows);
  culprit_table_view_set_empty (STALLS_PAGE (owner)->sections, error ? "They cannot be read" : "None",
                                !error && read->empty ? read->empty : "");
}

static void
page_changed (CulpritDocumentView *view, CulpritPartKind part)
{
  CulpritDocument *document = culprit_document_view_document (view);
  const CulpritVerdict *verdict = culprit_document_verdict (document);

  if (part == CULPRIT_PART_OUTLIERS)
    culprit_document_view_read (view, read_sections, g_strdup (culprit_document_run (document)), g_free,
                                on_sections_read, (GDestroyNotify) sections_read_free);
  if (part != CULPRIT_PART_VERDICT)
    return;
  if (verdict)
    show_verdict (STALLS_PAGE (view), verdict);
  else
    show_no_verdict (STALLS_PAGE (view), culprit_document_no_verdict (document));
}

#define FOLDED_HEIGHT 220 /* leaves two tables below their room in a small window */

static void
stalls_page_class_init (StallsPageClass *class)
{
  CulpritDocumentViewClass *view = CULPRIT_DOCUMENT_VIEW_CLASS (class);

  CULPRIT_PAGE_CLASS (class)->split = "content";
  CULPRIT_PAGE_CLASS (class)->folded_height = FOLDED_HEIGHT;
  view->changed = page_changed;
  ensure_types (CULPRIT_TYPE_TABLE_VIEW);
  widget_class_set_template (class, "stalls/stalls-page.ui");
  gtk_widget_class_bind_template_child_full (GTK_WIDGET_CLASS (class), "content", FALSE, 0);
  widget_class_bind_children (class, StallsPage, bar, row_menu, head, test, table, places, sections);
  widget_class_bind_callbacks (class, on_selected, on_activated);
}

static void
stalls_page_init (StallsPage *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
  culprit_table_view_set_columns (page->table, &culprit_stretches, stall_cells);
  culprit_table_view_sort (page->table, "length_ns");
  culprit_table_view_keep (page->table, "stalls");
  culprit_table_view_set_columns (page->places, &culprit_places, NULL);
  culprit_table_view_fit_rows (page->places);
  culprit_table_view_set_columns (page->sections, &culprit_sections, NULL);
  culprit_table_view_sort (page->sections, "longest.untraced_ns");
  culprit_table_view_set_menu (page->table, page->row_menu);
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_columns_button (page->table));
  gtk_box_append (GTK_BOX (page->bar), culprit_table_view_explain_button (page->table));
}
