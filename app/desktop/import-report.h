/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dialog with what was reported about files of imports. */
#pragma once

#include <gtk/gtk.h>

/* Shows @text, whose lines must already be clean, above @parent. */
void import_report_show (GtkWindow *parent, const char *text);
