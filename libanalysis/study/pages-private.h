/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of a study's file, looked at without SQLite. */
#pragma once

#include <glib.h>
#include <sqlite3.h>

typedef enum
{
  PAGES_FINE,
  PAGES_DAMAGED, /* One of them is found in two ways, so that what SQLite reads has no end, or far below others. */
  PAGES_CHANGING /* Another program changes them; look again later. */
} PagesState;

/* Looks at the pages of all files of @database, in one of whose transactions this is called. It does not use the
 * database, so that a query may be running. Takes about a microsecond for each page. */
PagesState pages_look (sqlite3 *database);

/* How long the file of @database and its write-ahead log are, in bytes. */
gint64 pages_stored (sqlite3 *database);
