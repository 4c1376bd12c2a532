/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of latency profiles: a chart of several runs, and a table of quantiles and peaks. */
#pragma once

#include "page.h"

#define LATENCY_TYPE_PAGE (latency_page_get_type ())

G_DECLARE_FINAL_TYPE (LatencyPage, latency_page, LATENCY, PAGE, CulpritPage)
