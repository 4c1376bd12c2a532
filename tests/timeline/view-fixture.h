/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline view of a capture, driven by its functions, its keys and its pointer, under a display without a screen.
 * With CULPRIT_PICTURES naming a folder, some of what it looks like is kept there. */
#pragma once

#include "charts/timeline/view.h"

#define WIDTH 1200
#define HEIGHT 640

/* A fixture of GTest. */
typedef struct
{
  GtkWidget *window;
  CulpritTimelineView *view;
  CulpritTimeline *timeline;
  char *activated; /* the function of the call that was activated last */
  guint ranges;    /* how often the range changed */
} ViewFixture;

/* Begins a program of tests whose only argument is the capture. FALSE: there is no display. */
gboolean view_fixture_begin (int *argc, char ***argv);

/* Adds a test that has a window to itself. */
void view_fixture_add (const char *path, void (*test) (ViewFixture *fixture, gconstpointer data));

/* What is shown. */
void view_fixture_range (ViewFixture *fixture, guint64 *start_ns, guint64 *length_ns);

/* The controller of @type of a widget, and of the view. */
GtkEventController *view_fixture_controller_of (GtkWidget *widget, GType type);
GtkEventController *view_fixture_controller (ViewFixture *fixture, GType type);

/* Presses a key, which must mean something. */
void view_fixture_press_with (ViewFixture *fixture, guint key, GdkModifierType state);
void view_fixture_press (ViewFixture *fixture, guint key);

/* Moves the pointer. */
void view_fixture_point (ViewFixture *fixture, double x, double y);

/* Keeps the widget as it is, with what lies over it. */
void view_fixture_keep_picture (ViewFixture *fixture, const char *name);
