/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page shown while no study is open: how to start, and recent studies. */
#pragma once

#include <gtk/gtk.h>

/* @settings: what is remembered, may be NULL. */
GtkWidget *start_page_new (GSettings *settings);
