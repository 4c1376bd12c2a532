/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program culprit-desktop. */
#include "application.h"

#include "background.h"
#include "state.h"
#include "units.h"

#include <unistd.h>

int
main (int argc, char **argv)
{
  g_autoptr (GtkApplication) application = NULL;
  int status;
  gboolean ended;

  gtk_disable_setlocale ();
  culprit_numbers_init ();
  application = culprit_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  ended = background_end ();
  state_close ();
  if (!ended)
    _exit (status);
  return status;
}
