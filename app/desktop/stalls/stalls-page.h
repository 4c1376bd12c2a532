/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of stretches without any event: where they are, how long they are, and whether that is chance. */
#pragma once

#include "page.h"

#define STALLS_TYPE_PAGE (stalls_page_get_type ())

G_DECLARE_FINAL_TYPE (StallsPage, stalls_page, STALLS, PAGE, CulpritPage)
