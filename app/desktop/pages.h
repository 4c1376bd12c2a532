/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of the window that are nothing but pages. */
#pragma once

#include "page.h"

/* The page to triage late wake-ups: the verdict, the list, and the details of the selected one. */
#define OUTLIERS_TYPE_PAGE (outliers_page_get_type ())

G_DECLARE_FINAL_TYPE (OutliersPage, outliers_page, OUTLIERS, PAGE, CulpritPage)

/* Shows the "budget", the "tree" or the "timeline" of the chosen capture, the latter with the focus. */
void outliers_page_show (OutliersPage *page, const char *view);

/* The captures of the selected rows (of gint64), or the chosen one if a search hides it. The caller owns the array. */
GArray *outliers_page_selected (OutliersPage *page);

/* Goes to the search of the timeline; FALSE: that is not at full size. */
gboolean outliers_page_search (OutliersPage *page);

/* The GtkExpander that expands and collapses the verdict. */
GtkWidget *outliers_page_verdict (OutliersPage *page);

/* Adds the actions of @page, which must live as long as @map: triage (s) and note (s) give the selected captures a
 * state or a note; cause (s), which is also its state, shows only the captures that a cause explains, or all if they
 * are shown already; typical (s) shows a capture that is typical of a cause, with its timeline; group, with a state
 * (b), groups by culprit. */
void outliers_actions_add (GActionMap *map, OutliersPage *page);

/* The page of functions across all captures, sorted by how strongly their cost varies with the latency. */
#define FUNCTIONS_TYPE_PAGE (functions_page_get_type ())

G_DECLARE_FINAL_TYPE (FunctionsPage, functions_page, FUNCTIONS, PAGE, CulpritPage)

/* The page of latency profiles: a chart of several runs, and a table of quantiles and peaks. */
#define LATENCY_TYPE_PAGE (latency_page_get_type ())

G_DECLARE_FINAL_TYPE (LatencyPage, latency_page, LATENCY, PAGE, CulpritPage)

/* The page that merges late wake-ups by call path, as a picture and as a table. */
#define FLAME_TYPE_PAGE (flame_page_get_type ())

G_DECLARE_FINAL_TYPE (FlamePage, flame_page, FLAME, PAGE, CulpritPage)

/* Merges the late wake-ups of @captures (of gint64) alone, until the user asks for all again. */
void flame_page_show_only (FlamePage *page, const GArray *captures);

/* The page of stretches without any event: where they are, how long they are, and whether that is chance. */
#define STALLS_TYPE_PAGE (stalls_page_get_type ())

G_DECLARE_FINAL_TYPE (StallsPage, stalls_page, STALLS, PAGE, CulpritPage)

/* The page about many machines: causes by host, when they were seen, what is new. Its property "filled": the study has
 * results of a fleet. */
#define FLEET_TYPE_PAGE (fleet_page_get_type ())
G_DECLARE_FINAL_TYPE (FleetPage, fleet_page, FLEET, PAGE, CulpritPage)

/* The page that records: a form, what the doctor finds on the target, and the recording as it goes on. Its properties
 * "recording" and "progress" say whether there is one, and how far it is. */
#define RECORD_TYPE_PAGE (record_page_get_type ())

G_DECLARE_FINAL_TYPE (RecordPage, record_page, RECORD, PAGE, CulpritPage)

gboolean record_page_recording (RecordPage *page);

/* The actions of the Record page, for keys, other pages and other programs. */

/* Adds to @map the actions of @page, which is in that window:
 * "record-start" (s, as of form_fill()), "record-stop", "record-check", "record-vm" (which makes the virtual machine
 * the target), "record-explain" (s, a run: asks whether to record what is missing to explain its peaks),
 * "record-explain-start" (as the answer does; state s: what that is, once it is known), "record-band" ((sxx): the run
 * it was chosen in, from and to in ns), "recording" (state b, whether something is being recorded; to change it starts
 * and stops). */
void record_actions_add (GActionMap *map, RecordPage *page);
