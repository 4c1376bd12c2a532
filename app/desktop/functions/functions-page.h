/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of functions across captures, those first whose cost varies with the latency. */
#pragma once

#include "page.h"

GtkWidget *functions_page_new (CulpritDocument *document);
