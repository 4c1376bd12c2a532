/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict on top of the late wake-ups: its sentences, and what to do next. */
#pragma once

#include "document.h"

#include <gtk/gtk.h>

GtkWidget *verdict_box_new (CulpritDocument *document);
