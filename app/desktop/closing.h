/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps a recording from being ended by the way: by closing its window, quitting, logging out or suspending. */
#pragma once

#include "record/record-page.h"

/* Asks before @window is closed while a recording runs in its @page. */
void closing_guard (GtkWindow *window, RecordPage *page);
