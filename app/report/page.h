/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes markup. Every text goes through here, since a capture's names may be anybody's. */
#pragma once

#include "study/table.h"

/* Adds @markup, a format whose texts (%s) are escaped; what cannot be shown in them becomes a question mark. */
void page_add (GString *page, const char *markup, ...) G_GNUC_PRINTF (2, 3);

/* Adds a cell of a table row with a text; "" for what is not known. */
void page_add_text_cell (GString *page, const char *text);

/* With a number, a time or a part of one: as people read it, and whole for programs in <data value="...">. */
void page_add_count_cell (GString *page, CulpritValue value);
void page_add_mean_cell (GString *page, CulpritValue value);
void page_add_time_cell (GString *page, CulpritValue value);
void page_add_percent_cell (GString *page, CulpritValue value);

/* The value of a column that is a text; "" where it is none. */
const char *page_text (CulpritValue value);

/* Begins a table with these titles, of which those that begin with '#' are of numbers; ends with NULL. */
void page_begin_table (GString *page, const char *const *titles);
void page_end_table (GString *page);
