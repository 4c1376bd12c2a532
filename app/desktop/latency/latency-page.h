/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of latency profiles: over each other, with their quantiles and peaks. */
#pragma once

#include "page.h"

GtkWidget *latency_page_new (CulpritDocument *document);
