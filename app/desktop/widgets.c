/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers shared by the pages and their parts. */
#include "widgets.h"

void
widget_class_set_template (gpointer class, const char *name, gssize offset)
{
  g_autofree char *path = g_strconcat ("/io/github/culprit/desktop/", name, NULL);

  gtk_widget_class_set_template_from_resource (class, path);
  /* Only children that are bound are let go of; none may be bound twice. */
  gtk_widget_class_bind_template_child_full (class, "content", FALSE, offset);
}
