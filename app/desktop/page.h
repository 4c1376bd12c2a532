/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of the window. Its property "narrow" says that there is no room for much side by side. Its table, which
 * search, copy and export act on, is called "table" in its template; where it has one, that tells what is awaited as
 * long as nothing is read, and that nothing can be. */
#pragma once

#include "document.h"
#include "tables/table-view.h"
#include "widgets.h"

/* A widget that shows a part of a document: a page, or what a page is made of. Its property "document" is bound in the
 * template that it stands in; what happens to the document calls the methods of its class. */

#define CULPRIT_TYPE_DOCUMENT_VIEW (culprit_document_view_get_type ())

G_DECLARE_DERIVABLE_TYPE (CulpritDocumentView, culprit_document_view, CULPRIT, DOCUMENT_VIEW, GtkWidget)

/* Any of them may be NULL. */
struct _CulpritDocumentViewClass
{
  GtkWidgetClass parent;

  /* There is a document now, of which nothing is read yet. */
  void (*opened) (CulpritDocumentView *view);

  /* A part of it was read. */
  void (*changed) (CulpritDocumentView *view, CulpritPartKind part);

  /* Another capture or function is chosen, or other times. */
  void (*capture_chosen) (CulpritDocumentView *view);
  void (*function_chosen) (CulpritDocumentView *view);
  void (*times_chosen) (CulpritDocumentView *view);
};

/* The document of @view, any CulpritDocumentView; NULL: there is none yet. Belongs to it. */
CulpritDocument *culprit_document_view_document (gpointer view);

/* Tells in the window that something failed. */
void culprit_document_view_fail (gpointer view, const char *message);

/* Reads for @view as culprit_document_read() does; what it was reading before is given up. */
void culprit_document_view_read (gpointer view,
                                 DocumentRead read,
                                 gpointer data,
                                 GDestroyNotify data_destroy,
                                 DocumentReady ready,
                                 GDestroyNotify destroy);

/* Gives up what is being read. */
void culprit_document_view_stop (gpointer view);

#define CULPRIT_TYPE_PAGE (culprit_page_get_type ())

G_DECLARE_DERIVABLE_TYPE (CulpritPage, culprit_page, CULPRIT, PAGE, CulpritDocumentView)

#define CULPRIT_PAGE_FOLDED_HALF 290 /* a folded_height: about half of a small window */

struct _CulpritPageClass
{
  CulpritDocumentViewClass parent;

  /* Copies what has the focus, where that is not the table; else FALSE. NULL: there is nothing of that kind. */
  gboolean (*copy) (CulpritPage *page);

  /* The name of its template's GtkPaned whose parts come one above the other in a narrow window. NULL: none do. */
  const char *split;

  /* How high its upper part is then, at first. 0: as high as a few rows. */
  int folded_height;

  /* Writes what the page shows as a picture to @path (.svg or .png). NULL: there is none. */
  gboolean (*export_picture) (CulpritPage *page, const char *path, GError **error);

  /* What it is of, for the name of its file. The caller owns it. NULL: it is called like the page. */
  char *(*name_picture) (CulpritPage *page);

  /* Whether there is one now. NULL: always. */
  gboolean (*shows_picture) (CulpritPage *page);

  /* What must be done first, where there is none now. */
  const char *picture_hint;

  /* Whether its table is seen now. NULL: always. */
  gboolean (*shows_table) (CulpritPage *page);
};

/* NULL: it has none, or it is not seen. */
CulpritTableView *culprit_page_table (CulpritPage *page);
gboolean culprit_page_copy (CulpritPage *page);
gboolean culprit_page_has_picture (CulpritPage *page);

/* Why there is none, in a few words. Belongs to the page. */
const char *culprit_page_no_picture (CulpritPage *page);

/* What the picture is of where the page's own name does not say it, for the name of a file. The caller owns it; NULL:
 * it does. */
char *culprit_page_name_picture (CulpritPage *page);

/* Tells that the page which @part is a part of may have a picture or show its table now, or no longer: its signal
 * "picture-changed". */
void culprit_page_picture_changed (gpointer part);
gboolean culprit_page_export_picture (CulpritPage *page, const char *path, GError **error);
