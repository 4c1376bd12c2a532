/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sample study in a window of its own, for tests that look at widgets. */
#pragma once

#include "notices.h"
#include "pages.h"
#include "window.h"

#define SAMPLE_WINDOW_WIDTH 1366
#define SAMPLE_WINDOW_HEIGHT 768
#define SAMPLE_WINDOW_CAPTURE 3

/* The names of the pages that every study has, in their order. */
#define SAMPLE_WINDOW_PAGES 7
extern const char *const sample_window_pages[SAMPLE_WINDOW_PAGES];

/* A fixture of GTest. */
typedef struct
{
  char *folder;
  char *study; /* a copy of the sample */
  char *captures;
  GtkApplication *application;
  CulpritStudyWindow *window; /* NULL: the test has closed it */
} SampleWindow;

/* Begins a program of tests whose first argument is the sample study. FALSE: there is no display. */
gboolean sample_window_begin (int *argc, char ***argv);

/* Opens the copy and waits until it is read. */
void sample_window_set_up (SampleWindow *sample, gconstpointer data);
void sample_window_tear_down (SampleWindow *sample, gconstpointer data);

/* Adds a test that has the window to itself. */
void sample_window_add (const char *path, void (*test) (SampleWindow *sample, gconstpointer data));

/* Lets the main loop run for so long. */
void sample_window_wait_us (gint64 us);

/* Lets it run until nothing goes on: no short task in a thread, nothing ready, and all windows are laid out and drawn.
 */
void sample_window_settle (void);

/* Lets it run until @holds; fails where that takes a minute. */
void sample_window_wait_until (gboolean (*holds) (SampleWindow *sample, gconstpointer data),
                               SampleWindow *sample,
                               gconstpointer data);

/* Shows and chooses a capture. */
void sample_window_choose (SampleWindow *sample, gint64 capture);

/* Shows the timeline of SAMPLE_WINDOW_CAPTURE, on the page of late wake-ups; returns its view. */
GtkWidget *sample_window_show_timeline (SampleWindow *sample);

/* Changes the copy by @sql, and waits for who reads it; returns how many rows the last statement changed. */
int sample_window_execute (SampleWindow *sample, const char *sql);

/* In SQL, the digest of another capture than one with the digest sha256. */
#define SAMPLE_WINDOW_OTHER_DIGEST "substr (sha256, 2, 31) || substr (sha256, 1, 1) || substr (sha256, 33)"
#define SAMPLE_WINDOW_OTHERS                                                                                           \
  "UPDATE capture SET sha256 = " SAMPLE_WINDOW_OTHER_DIGEST ", file = 'anew-' || capture_id || '.dat';"

/* Puts another study in place of the copy: one that differs by @sql, with other captures of the same numbers, whose
 * files are called "anew-1.dat" etc. */
void sample_window_replace (SampleWindow *sample, const char *sql);

/* Whether the study holds @data, the state and note of SAMPLE_WINDOW_CAPTURE, "seen: hello"; to be waited for. */
gboolean sample_window_stores (SampleWindow *sample, gconstpointer data);

/* The child of the template of the window with the id @name. */
gpointer sample_window_child (SampleWindow *sample, const char *name);

/* The widgets of @type that are seen, in their order. The caller owns the array. */
GPtrArray *sample_window_find (SampleWindow *sample, GType type);

/* The widget that is seen and has the name @name, as fields of forms have; NULL: there is none. */
gpointer sample_window_named (SampleWindow *sample, const char *name);

/* The first widget that is seen and has the CSS class @name; NULL likewise. */
GtkWidget *sample_window_of_class (SampleWindow *sample, const char *name);

/* The button that is seen and called @label; NULL: there is none. */
GtkWidget *sample_window_button (SampleWindow *sample, const char *label);

/* How many labels that are seen have @text in them, and whether one has; the latter to be waited for. */
guint sample_window_count_labels (SampleWindow *sample, const char *text);
gboolean sample_window_tells (SampleWindow *sample, gconstpointer text);

/* Whether there is a file @path; to be waited for. */
gboolean sample_window_wrote (SampleWindow *sample, gconstpointer path);

/* Whether it has a widget of @type, as GSIZE_TO_POINTER(); to be waited for. */
gboolean sample_window_shows (SampleWindow *sample, gconstpointer type);

/* Whether a label in it reads @text, exactly; to be waited for. */
gboolean sample_window_shows_label (SampleWindow *sample, gconstpointer text);
