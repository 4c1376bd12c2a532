/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of the window. Its property "narrow" means that there is little room side by side. The table that search, copy
 * and export act on is called "table" in its template, if it has one; while it is empty, it says why. */
#pragma once

#include "document.h"
#include "tables/table-view.h"
#include "widgets.h"

#include <adwaita.h>

/* A widget that shows a part of a document: a page, or a part of one. Its property "document" is bound in the template
 * that contains it; changes of the document call the methods of its class. */

#define CULPRIT_TYPE_DOCUMENT_VIEW (culprit_document_view_get_type ())

G_DECLARE_DERIVABLE_TYPE (CulpritDocumentView, culprit_document_view, CULPRIT, DOCUMENT_VIEW, AdwBin)

/* Each method may be NULL. */
struct _CulpritDocumentViewClass
{
  AdwBinClass parent;

  /* There is a document now, of which nothing has been read yet. */
  void (*opened) (CulpritDocumentView *view);

  /* A part has been read. */
  void (*changed) (CulpritDocumentView *view, CulpritPartKind part);

  /* Captures that are kept by their numbers are not in the study any more. */
  void (*replaced) (CulpritDocumentView *view);

  /* Another capture or function was chosen, or other times. */
  void (*capture_chosen) (CulpritDocumentView *view);
  void (*function_chosen) (CulpritDocumentView *view);
  void (*times_chosen) (CulpritDocumentView *view);
};

/* The document of @view, any CulpritDocumentView; NULL: none yet. Belongs to the view. */
CulpritDocument *culprit_document_view_document (gpointer view);

/* Reports what could not be read in the study, as culprit_document_fail() does. */
void culprit_document_view_fail (gpointer view, const char *message);

/* Reads as culprit_document_read() does, for @view; its previous question is cancelled. */
void culprit_document_view_read (gpointer view,
                                 DocumentRead read,
                                 gpointer data,
                                 GDestroyNotify data_destroy,
                                 DocumentReady ready,
                                 GDestroyNotify destroy);

/* Likewise as culprit_document_read_capture() does. */
void culprit_document_view_read_capture (gpointer view,
                                         DocumentRead read,
                                         gpointer data,
                                         GDestroyNotify data_destroy,
                                         DocumentReady ready,
                                         GDestroyNotify destroy);

/* Cancels the question. */
void culprit_document_view_stop (gpointer view);

#define CULPRIT_TYPE_PAGE (culprit_page_get_type ())

G_DECLARE_DERIVABLE_TYPE (CulpritPage, culprit_page, CULPRIT, PAGE, CulpritDocumentView)

#define CULPRIT_PAGE_FOLDED_HALF 290 /* for folded_height: about half of a small window */

struct _CulpritPageClass
{
  CulpritDocumentViewClass parent;

  /* Copies what has the focus, unless that is the table: returns FALSE then. NULL: there is nothing else to copy. */
  gboolean (*copy) (CulpritPage *page);

  /* The name of the GtkPaned in its template that is turned in a narrow window, its parts one above the other. NULL:
   * none is. */
  const char *split;

  /* The height of the upper part then, at first. 0: a few rows. */
  int folded_height;

  /* Writes the picture of the page to @path (.svg or .png). NULL: it has none. */
  gboolean (*export_picture) (CulpritPage *page, const char *path, GError **error);

  /* The name of the picture for its file. The caller owns it. NULL: the name of the page. */
  char *(*name_picture) (CulpritPage *page);

  /* Whether there is a picture now. NULL: always. */
  gboolean (*shows_picture) (CulpritPage *page);

  /* What to do first if there is no picture. */
  const char *picture_hint;

  /* Whether the table is visible now. NULL: always. */
  gboolean (*shows_table) (CulpritPage *page);
};

/* The table; NULL: there is none, or it is not visible. */
CulpritTableView *culprit_page_table (CulpritPage *page);
gboolean culprit_page_copy (CulpritPage *page);
gboolean culprit_page_has_picture (CulpritPage *page);

/* Why there is no picture, in a few words. Belongs to the page. */
const char *culprit_page_no_picture (CulpritPage *page);

/* The name of the picture for its file; the caller owns it. NULL: the name of the page. */
char *culprit_page_name_picture (CulpritPage *page);

/* Emits "picture-changed" on the page that @part is in: it may have, or show, another picture or table. */
void culprit_page_picture_changed (gpointer part);
gboolean culprit_page_export_picture (CulpritPage *page, const char *path, GError **error);
