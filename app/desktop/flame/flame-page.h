/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page that merges late wake-ups by call path, as a picture and as a table. */
#pragma once

#include "page.h"

#define FLAME_TYPE_PAGE (flame_page_get_type ())

G_DECLARE_FINAL_TYPE (FlamePage, flame_page, FLAME, PAGE, CulpritPage)

/* Merges the late wake-ups of @captures (of gint64) alone, until the user asks for all again. */
void flame_page_show_only (FlamePage *page, const GArray *captures);
