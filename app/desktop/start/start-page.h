/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a window shows before a study is open: how to begin, and what was opened lately. */
#pragma once

#include <gtk/gtk.h>

/* @settings: what is remembered, may be NULL. */
GtkWidget *start_page_new (GSettings *settings);
