/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface of pages. */
#include "page.h"

G_DEFINE_INTERFACE (CulpritPage, culprit_page, GTK_TYPE_WIDGET)

static void
culprit_page_default_init (CulpritPageInterface *interface)
{
}

void
culprit_page_await (CulpritTableView *table, CulpritDocument *document)
{
  if (g_file_test (culprit_document_path (document), G_FILE_TEST_EXISTS))
    culprit_table_view_set_empty (table, "Reading…", "");
  else
    culprit_table_view_set_empty (table, "Nothing in this study yet",
                                  "Drop captures here, import them (Ctrl+I), or record some (Alt+6).");
}

CulpritTableView *
culprit_page_table (CulpritPage *page)
{
  CulpritPageInterface *interface = CULPRIT_PAGE_GET_IFACE (page);

  return interface->table ? interface->table (page) : NULL;
}

gboolean
culprit_page_copy (CulpritPage *page)
{
  CulpritPageInterface *interface = CULPRIT_PAGE_GET_IFACE (page);

  return interface->copy && interface->copy (page);
}

gboolean
culprit_page_has_picture (CulpritPage *page)
{
  return CULPRIT_PAGE_GET_IFACE (page)->export_picture != NULL;
}

gboolean
culprit_page_export_picture (CulpritPage *page, const char *path, GError **error)
{
  return CULPRIT_PAGE_GET_IFACE (page)->export_picture (page, path, error);
}
