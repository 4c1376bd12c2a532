/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window asks of every page. */
#pragma once

#include "document.h"
#include "tables/table-view.h"

#define CULPRIT_TYPE_PAGE (culprit_page_get_type ())
G_DECLARE_INTERFACE (CulpritPage, culprit_page, CULPRIT, PAGE, GtkWidget)

struct _CulpritPageInterface
{
  GTypeInterface parent;

  /* The table that search, copy and export mean; NULL: there is none. */
  CulpritTableView *(*table) (CulpritPage *page);

  /* Copies what has the focus, where that is not the table; else FALSE. NULL: there is nothing of that kind. */
  gboolean (*copy) (CulpritPage *page);

  /* Writes what the page shows as a picture to @path (.svg or .png). NULL: there is none. */
  gboolean (*export_picture) (CulpritPage *page, const char *path, GError **error);
};

/* Says in @table what is awaited: that the study is read, or, where there is none yet, that something comes into it. */
void culprit_page_await (CulpritTableView *table, CulpritDocument *document);

CulpritTableView *culprit_page_table (CulpritPage *page);
gboolean culprit_page_copy (CulpritPage *page);
gboolean culprit_page_has_picture (CulpritPage *page);
gboolean culprit_page_export_picture (CulpritPage *page, const char *path, GError **error);
