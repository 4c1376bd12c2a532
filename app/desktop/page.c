/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pages of the window share. */
#include "page.h"

G_DEFINE_ABSTRACT_TYPE (CulpritPage, culprit_page, CULPRIT_TYPE_DOCUMENT_VIEW)

static guint picture_changed;

CulpritTableView *
culprit_page_table (CulpritPage *page)
{
  GObject *table = gtk_widget_get_template_child (GTK_WIDGET (page), G_OBJECT_TYPE (page), "table");

  return table ? CULPRIT_TABLE_VIEW (table) : NULL;
}

gboolean
culprit_page_copy (CulpritPage *page)
{
  return CULPRIT_PAGE_GET_CLASS (page)->copy && CULPRIT_PAGE_GET_CLASS (page)->copy (page);
}

gboolean
culprit_page_has_picture (CulpritPage *page)
{
  CulpritPageClass *class = CULPRIT_PAGE_GET_CLASS (page);

  return class->export_picture && (!class->shows_picture || class->shows_picture (page));
}

void
culprit_page_picture_changed (gpointer part)
{
  GtkWidget *page = gtk_widget_get_ancestor (part, CULPRIT_TYPE_PAGE);

  if (page)
    g_signal_emit (page, picture_changed, 0);
}

gboolean
culprit_page_export_picture (CulpritPage *page, const char *path, GError **error)
{
  return CULPRIT_PAGE_GET_CLASS (page)->export_picture (page, path, error);
}

/* That the study is read, or, where there is none yet, that something comes into it. */
static void
page_opened (CulpritDocumentView *view)
{
  CulpritTableView *table = culprit_page_table (CULPRIT_PAGE (view));

  if (!table)
    return;
  if (g_file_test (culprit_document_path (culprit_document_view_document (view)), G_FILE_TEST_EXISTS))
    culprit_table_view_set_empty (table, "Reading…", "");
  else
    culprit_table_view_set_empty (table, "Nothing in this study yet",
                                  "Drop captures here, import them (Ctrl+I), or record some (Alt+6).");
}

static void
culprit_page_class_init (CulpritPageClass *class)
{
  CULPRIT_DOCUMENT_VIEW_CLASS (class)->opened = page_opened;
  picture_changed =
      g_signal_new ("picture-changed", CULPRIT_TYPE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
culprit_page_init (CulpritPage *page)
{
}
