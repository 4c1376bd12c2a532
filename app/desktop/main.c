/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit-desktop */
#include "application.h"

int
main (int argc, char **argv)
{
  g_autoptr (GtkApplication) application = culprit_application_new ();

  return g_application_run (G_APPLICATION (application), argc, argv);
}
