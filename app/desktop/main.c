/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program culprit-desktop. */
#include "application.h"

#include "background.h"
#include "state.h"
#include "units.h"

#include <glib-unix.h>
#include <signal.h>
#include <unistd.h>

/* At a logout, or in a terminal that is closed: nobody can be asked. The pages of the windows stop recordings, and what
 * is being stored is waited for as when the last window is closed; not if there is none any more. */
static gboolean
on_signal (gpointer application)
{
  GList *windows = gtk_application_get_windows (application);

  if (!windows)
    g_application_quit (application);
  for (; windows; windows = gtk_application_get_windows (application))
    gtk_window_destroy (windows->data);
  return G_SOURCE_CONTINUE;
}

static void
catch_signals (GtkApplication *application)
{
  struct sigaction hangup;

  g_unix_signal_add (SIGTERM, on_signal, application);
  if (sigaction (SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* by nohup */
    g_unix_signal_add (SIGHUP, on_signal, application);
}

int
main (int argc, char **argv)
{
  g_autoptr (GtkApplication) application = NULL;
  int status;
  gboolean ended;

  gtk_disable_setlocale ();
  culprit_numbers_init ();
  application = culprit_application_new ();
  catch_signals (application);
  status = g_application_run (G_APPLICATION (application), argc, argv);
  ended = background_end ();
  state_close ();
  if (!ended)
    _exit (status);
  return status;
}
