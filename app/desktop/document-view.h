/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A widget that shows a part of a document: a page, or what a page is made of. Its property "document" is bound in the
 * template that it stands in; what happens to the document calls the methods of its class. */
#pragma once

#include "document.h"
#include "widgets.h"

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
