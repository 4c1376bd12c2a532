/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of stretches without any event: where they struck, how long they were, and whether that is chance. */
#pragma once

#include "page.h"

GtkWidget *stalls_page_new (CulpritDocument *document);
