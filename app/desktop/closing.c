/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds up the request to close a window until the question is answered; the session is told not to end meanwhile. */
#include "closing.h"

#include "compat.h"

#define GUARD "closing-guard" /* as data of the window */

typedef struct
{
  GtkWindow *question; /* NULL: nothing is asked */
  guint inhibited;     /* 0: the session may end */
} Guard;

static void
guard_free (gpointer data)
{
  Guard *guard = data;

  g_clear_weak_pointer (&guard->question);
  g_free (guard);
}

static void
on_accepted (gpointer window)
{
  gtk_window_destroy (window); /* Its page stops the recording. */
}

/* Whether the window stays. */
static gboolean
on_close (GtkWindow *window, RecordPage *page)
{
  Guard *guard = g_object_get_data (G_OBJECT (window), GUARD);

  if (!record_page_recording (page))
    return FALSE;
  if (!guard->question)
    g_set_weak_pointer (&guard->question,
                        compat_ask (window, "Stop recording?",
                                    "What was recorded so far stays in the study. Recording can take a few seconds to "
                                    "stop after the window is closed.",
                                    "Keep Recording", "Stop and Close", on_accepted));
  gtk_window_present (guard->question);
  return TRUE;
}

static void
on_recording (RecordPage *page, GParamSpec *spec, GtkWindow *window)
{
  GtkApplication *application = gtk_window_get_application (window);
  Guard *guard = g_object_get_data (G_OBJECT (window), GUARD);

  if (guard->question && !record_page_recording (page))
    gtk_window_destroy (guard->question);
  if (guard->inhibited)
    gtk_application_uninhibit (application, guard->inhibited);
  guard->inhibited = record_page_recording (page)
                         ? gtk_application_inhibit (application, window,
                                                    GTK_APPLICATION_INHIBIT_LOGOUT | GTK_APPLICATION_INHIBIT_SUSPEND,
                                                    "A recording is running")
                         : 0;
}

void
closing_guard (GtkWindow *window, RecordPage *page)
{
  g_object_set_data_full (G_OBJECT (window), GUARD, g_new0 (Guard, 1), guard_free);
  g_signal_connect_object (window, "close-request", G_CALLBACK (on_close), page, 0);
  g_signal_connect_object (page, "notify::recording", G_CALLBACK (on_recording), window, 0);
}
