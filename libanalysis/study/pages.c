/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SQLite follows a table's pages from one to those that it names, and does not notice if a few pages name each other
 * many times: a file of some kilobytes then has more rows than can ever be read. Its own check of a file notices, but
 * it reads every row, and it calls itself for each page below another, however deep a file says they are. */
#include "pages-private.h"

#include "seeded-hash.h"

#include <string.h>

#define FILE_HEAD 100 /* bytes before the tree of page 1 */
#define TREE_HEAD 12
#define LOG_HEAD 32
#define FRAME_HEAD 24
#define LONGEST_PAGE 65536
#define SHORTEST_PAGE 512
#define LOG_MAGIC 0x377f0682 /* with its last bit, words are in big-endian order in sums */
#define ROOT_COLUMN 3        /* of sqlite_schema */
#define DEEPEST 20           /* pages below each other that SQLite reads */

enum /* kinds of pages of trees */
{
  INDEX_INNER = 2,
  TABLE_INNER = 5,
  TABLE_LEAF = 13,
};

typedef struct
{
  guint32 number;
  guint32 depth;
} Place;

typedef struct
{
  sqlite3_file *file;
  sqlite3_file *log;  /* NULL: none */
  GHashTable *logged; /* of pages whose latest version is in the log, where */
  guint32 page_size;
  gint64 n_pages;
  guint8 *page;      /* the one that is looked at */
  GHashTable *found; /* pages */
  GArray *waiting;   /* places that were found and not looked at yet */
  GArray *roots;     /* the first places of tables and indices */
  gboolean damaged;
} Pages;

static void
pages_clear (Pages *pages)
{
  g_clear_pointer (&pages->logged, g_hash_table_unref);
  g_clear_pointer (&pages->page, g_free);
  g_clear_pointer (&pages->found, g_hash_table_unref);
  g_clear_pointer (&pages->waiting, g_array_unref);
  g_clear_pointer (&pages->roots, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pages, pages_clear)

static guint32
read_16 (const guint8 *bytes)
{
  return (guint32) bytes[0] << 8 | bytes[1];
}

static guint32
read_32 (const guint8 *bytes)
{
  return read_16 (bytes) << 16 | read_16 (bytes + 2);
}

/* Reads @n bytes; those after the end of the file are 0. */
static gboolean
read_bytes (sqlite3_file *file, gpointer bytes, int n, gint64 at)
{
  int code = file->pMethods->xRead (file, bytes, n, at);

  return code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ;
}

static gint64
file_size (sqlite3_file *file)
{
  sqlite3_int64 size = 0;

  return file->pMethods->xFileSize (file, &size) == SQLITE_OK ? size : 0;
}

/* Adds the words of @bytes to both sums of a log. */
static void
add_to_sums (guint32 *sums, const guint8 *bytes, guint32 n, gboolean big_endian)
{
  for (guint32 i = 0; i + 8 <= n; i += 8)
    {
      guint32 words[2] = { read_32 (bytes + i), read_32 (bytes + i + 4) };

      sums[0] += (big_endian ? words[0] : GUINT32_SWAP_LE_BE (words[0])) + sums[1];
      sums[1] += (big_endian ? words[1] : GUINT32_SWAP_LE_BE (words[1])) + sums[0];
    }
}

/* Finds the pages in the log up to its last complete transaction, as SQLite does. @head: the log's. */
static void
read_log (Pages *pages, const guint8 *head)
{
  g_autoptr (GHashTable) pending = g_hash_table_new (culprit_hash_direct, NULL);
  gboolean big_endian = read_32 (head) & 1;
  guint32 size = read_32 (head + 8);
  g_autofree guint8 *frame = NULL;
  guint32 sums[2] = { 0 };

  add_to_sums (sums, head, 24, big_endian);
  if ((read_32 (head) & ~1u) != LOG_MAGIC || size < SHORTEST_PAGE || size > LONGEST_PAGE || (size & (size - 1)) != 0 ||
      sums[0] != read_32 (head + 24) || sums[1] != read_32 (head + 28))
    return;
  frame = g_malloc (FRAME_HEAD + size);
  for (gint64 at = LOG_HEAD; read_bytes (pages->log, frame, FRAME_HEAD + size, at); at += FRAME_HEAD + size)
    {
      guint32 number = read_32 (frame);
      GHashTableIter each;
      gpointer key;
      gpointer value;

      add_to_sums (sums, frame, 8, big_endian);
      add_to_sums (sums, frame + FRAME_HEAD, size, big_endian);
      if (number == 0 || memcmp (frame + 8, head + 16, 8) != 0 || sums[0] != read_32 (frame + 16) ||
          sums[1] != read_32 (frame + 20))
        return;
      g_hash_table_insert (pending, GUINT_TO_POINTER (number), GSIZE_TO_POINTER (at + FRAME_HEAD));
      if (read_32 (frame + 4) == 0)
        continue;
      pages->page_size = size;
      pages->n_pages = read_32 (frame + 4);
      g_hash_table_iter_init (&each, pending);
      while (g_hash_table_iter_next (&each, &key, &value))
        g_hash_table_insert (pages->logged, key, value);
      g_hash_table_remove_all (pending);
    }
}

/* Reads the first @n bytes of the page @number. */
static gboolean
read_page (Pages *pages, guint32 number, guint32 n)
{
  gpointer at;

  if (g_hash_table_lookup_extended (pages->logged, GUINT_TO_POINTER (number), NULL, &at))
    return read_bytes (pages->log, pages->page, n, GPOINTER_TO_SIZE (at));
  return read_bytes (pages->file, pages->page, n, (gint64) (number - 1) * pages->page_size);
}

/* Adds the page @number, which another page or the schema names, to @list. SQLite refuses one that is not in the file.
 */
static void
find (Pages *pages, guint32 number, guint32 depth, GArray *list)
{
  Place place = { number, depth };

  if (number == 0 || number > pages->n_pages)
    return;
  if (depth > DEEPEST || !g_hash_table_add (pages->found, GUINT_TO_POINTER (number)))
    pages->damaged = TRUE;
  g_array_append_val (list, place);
}

/* Reads one of SQLite's integers of variable length at @at, which becomes what follows it. Those of a schema are short;
 * FALSE: not so this one. */
static gboolean
read_varint (const Pages *pages, guint32 *at, guint32 *value)
{
  *value = 0;
  for (guint i = 0; i < 4 && *at < pages->page_size; i++)
    {
      guint8 byte = pages->page[(*at)++];

      *value = *value << 7 | (byte & 127);
      if (!(byte & 128))
        return TRUE;
    }
  return FALSE;
}

/* How many bytes a value of the type takes. */
static guint32
length_of (guint32 type)
{
  static const guint8 lengths[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0 };

  return type < G_N_ELEMENTS (lengths) ? lengths[type] : (type - G_N_ELEMENTS (lengths)) / 2;
}

/* Finds the first page of the table or index that the row of the schema at @at describes. */
static void
find_root (Pages *pages, guint32 at)
{
  guint32 begin;
  guint32 payload;
  guint32 row;
  guint32 length;
  guint32 value_at;
  guint32 type;
  guint32 root = 0;

  if (!read_varint (pages, &at, &payload) || !read_varint (pages, &at, &row))
    return;
  begin = at;
  if (!read_varint (pages, &at, &length))
    return;
  value_at = begin + length;
  for (guint column = 0;; column++)
    {
      if (!read_varint (pages, &at, &type))
        return;
      if (column == ROOT_COLUMN)
        break;
      value_at += length_of (type);
    }
  for (guint32 i = 0; i < length_of (type) && value_at + i < pages->page_size; i++)
    root = root << 8 | pages->page[value_at + i];
  find (pages, type == 9 ? 1 : root, 0, pages->roots);
}

/* @of_schema: the page belongs to the schema. */
static gboolean
look_at_page (Pages *pages, Place place, gboolean of_schema)
{
  guint32 head = place.number == 1 ? FILE_HEAD : 0;
  guint8 kind;
  gboolean inner;
  guint32 cells;

  if (!read_page (pages, place.number, head + TREE_HEAD))
    return FALSE;
  kind = pages->page[head];
  inner = kind == INDEX_INNER || kind == TABLE_INNER;
  if (!inner && !(of_schema && kind == TABLE_LEAF))
    return TRUE;
  if (!read_page (pages, place.number, pages->page_size))
    return FALSE;
  cells = head + (inner ? TREE_HEAD : TREE_HEAD - 4);
  for (guint32 i = 0; i < read_16 (pages->page + head + 3) && cells + 2 * i + 2 <= pages->page_size; i++)
    {
      guint32 cell = read_16 (pages->page + cells + 2 * i) & (pages->page_size - 1);

      if (!inner)
        find_root (pages, cell);
      else if (cell + 4 <= pages->page_size)
        find (pages, read_32 (pages->page + cell), place.depth + 1, pages->waiting);
    }
  if (inner)
    find (pages, read_32 (pages->page + head + 8), place.depth + 1, pages->waiting);
  return TRUE;
}

/* Looks at the pages that wait, and at those which they name. */
static gboolean
look_at_waiting (Pages *pages, gboolean of_schema)
{
  while (pages->waiting->len > 0 && !pages->damaged)
    {
      Place place = g_array_index (pages->waiting, Place, pages->waiting->len - 1);

      g_array_set_size (pages->waiting, pages->waiting->len - 1);
      if (!look_at_page (pages, place, of_schema))
        return FALSE;
    }
  return TRUE;
}

/* Looks at all pages from the schema on. */
static gboolean
look_at_all (Pages *pages)
{
  GArray *none = pages->waiting;

  find (pages, 1, 0, pages->waiting);
  if (!look_at_waiting (pages, TRUE))
    return FALSE;
  pages->waiting = pages->roots;
  pages->roots = none;
  return look_at_waiting (pages, FALSE);
}

/* Sets the size of pages, and how many there are, unless the log told. */
static gboolean
measure (Pages *pages)
{
  guint8 head[FILE_HEAD];
  guint32 size;

  if (pages->page_size > 0)
    return TRUE;
  if (!read_bytes (pages->file, head, sizeof head, 0))
    return FALSE;
  size = read_16 (head + 16);
  pages->page_size = size == 1 ? LONGEST_PAGE : MAX (size, SHORTEST_PAGE);
  pages->n_pages = file_size (pages->file) / pages->page_size;
  return TRUE;
}

gint64
pages_stored (sqlite3 *database)
{
  static const int kinds[] = { SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER };
  gint64 size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      sqlite3_file *file = NULL;

      sqlite3_file_control (database, "main", kinds[i], &file);
      size += file && file->pMethods ? file_size (file) : 0;
    }
  return size;
}

static PagesState
look_at_file (sqlite3 *database, const char *name)
{
  g_auto (Pages) pages = { .logged = g_hash_table_new (culprit_hash_direct, NULL),
                           .found = g_hash_table_new (culprit_hash_direct, NULL),
                           .page = g_malloc (LONGEST_PAGE),
                           .waiting = g_array_new (FALSE, FALSE, sizeof (Place)),
                           .roots = g_array_new (FALSE, FALSE, sizeof (Place)) };
  guint8 head[LOG_HEAD] = { 0 };
  guint8 head_after[LOG_HEAD] = { 0 };
  gboolean is_log;

  sqlite3_file_control (database, name, SQLITE_FCNTL_FILE_POINTER, &pages.file);
  sqlite3_file_control (database, name, SQLITE_FCNTL_JOURNAL_POINTER, &pages.log);
  if (!pages.file || !pages.file->pMethods)
    return PAGES_FINE; /* in memory */
  is_log = pages.log && pages.log->pMethods && read_bytes (pages.log, head, sizeof head, 0) &&
           (read_32 (head) & ~1u) == LOG_MAGIC;
  /* What we wrote ourselves to the file and did not commit is no whole. */
  if (!is_log && sqlite3_txn_state (database, name) == SQLITE_TXN_WRITE)
    return PAGES_CHANGING;
  if (is_log)
    read_log (&pages, head);
  if (!measure (&pages) || !look_at_all (&pages))
    return PAGES_CHANGING;
  /* No log that this transaction needs is begun again, but one may be that it does not need. */
  if (is_log &&
      (!read_bytes (pages.log, head_after, sizeof head_after, 0) || memcmp (head, head_after, sizeof head) != 0))
    return PAGES_CHANGING;
  return pages.damaged ? PAGES_DAMAGED : PAGES_FINE;
}

PagesState
pages_look (sqlite3 *database)
{
  PagesState state = PAGES_FINE;
  const char *name;

  for (int i = 0; (name = sqlite3_db_name (database, i)) && state == PAGES_FINE; i++)
    if (strcmp (name, "temp") != 0)
      state = look_at_file (database, name);
  return state;
}
