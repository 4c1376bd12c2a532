/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the details of a capture. */
#pragma once

#include "charts/budget-bar.h"
#include "outliers/capture-details.h"
#include "outliers/capture-timeline.h"
#include "outliers/capture-tree.h"
#include "outliers/triage-bar.h"
#include "tables/table-view.h"

struct _CulpritCaptureDetails
{
  CulpritDocumentView parent;
  CulpritTableView *budget;
  GtkWidget *content;
  GtkWidget *head;
  GtkWidget *sentence;
  CulpritBudgetBar *bar;
  GtkWidget *pages;
  GtkWidget *switcher; /* of the pages, with what else is chosen for them */
  CulpritCaptureTree *tree;
  CulpritCaptureTimeline *timeline;
  CulpritTriageBar *triage_bar;
  gboolean full;
  gboolean page_chosen; /* What is seen of the capture was chosen in this window. */
};

/* Gives the timeline the room of everything else, or takes it back; the property "full" tells. */
void details_room_set_full (CulpritCaptureDetails *details, gboolean full);

/* Another of the @pages is to be seen. */
void details_room_on_page (GtkStack *pages, GParamSpec *spec, CulpritCaptureDetails *details);

/* Keeps in view what was chosen to be seen when the room around @details changes. */
void details_room_follow (CulpritCaptureDetails *details);

/* Lets Escape end the full size. */
void details_room_add_escape (CulpritCaptureDetails *details);
