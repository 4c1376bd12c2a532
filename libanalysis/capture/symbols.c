/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves addresses by the text of /proc/kallsyms: read once, 200,000 lines in a few milliseconds. */
#include "symbols-private.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FUNCTION_SIZE (1 << 20)

/* One line of kallsyms: a function, still in the text. */
typedef struct
{
  guint64 address;
  const char *name;
  const char *module;
  guint16 name_length;
  guint16 module_length;
  guint line;
} Line;

static void
symbol_clear (Symbol *symbol)
{
  g_free (symbol->name);
  g_free (symbol->module);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const Line *left = a;
  const Line *right = b;

  if (left->address != right->address)
    return left->address < right->address ? -1 : 1;
  return left->line < right->line ? -1 : left->line > right->line;
}

/* "ffffffff81000000 T _stext\t[module]": reads one line, FALSE where it is no function. Modules of ARM and RISC-V list
 * what tells code from data too, as $x and $d, at the addresses of functions. */
static gboolean
parse_line (const char *text, const char *end, Line *line)
{
  const char *type = memchr (text, ' ', end - text);
  const char *name = type ? memchr (type + 1, ' ', end - type - 1) : NULL;
  const char *stop;

  if (!name || !strchr ("tTwW", type[1]) || name != type + 2 || name[1] == '$')
    return FALSE;
  line->address = g_ascii_strtoull (text, NULL, 16);
  line->name = name + 1;
  stop = memchr (name, '\t', end - name);
  line->module = stop && stop + 1 < end && stop[1] == '[' ? stop + 2 : end;
  stop = stop ? stop : end;
  line->name_length = MIN (stop - line->name, G_MAXUINT16);
  stop = line->module < end ? memchr (line->module, ']', end - line->module) : NULL;
  line->module_length = stop ? MIN (stop - line->module, G_MAXUINT16) : 0;
  return line->address != 0 && line->name_length > 0;
}

static GArray *
parse_lines (const char *kallsyms)
{
  GArray *lines = g_array_sized_new (FALSE, FALSE, sizeof (Line), 1 << 17);
  gboolean sorted = TRUE;

  for (const char *text = kallsyms; text && *text;)
    {
      const char *end = strchrnul (text, '\n');
      Line line;

      if (parse_line (text, end, &line))
        {
          line.line = lines->len;
          sorted = sorted && (lines->len == 0 || g_array_index (lines, Line, lines->len - 1).address <= line.address);
          g_array_append_val (lines, line);
        }
      text = *end ? end + 1 : end;
    }
  if (!sorted)
    g_array_sort (lines, compare_lines);
  return lines;
}

/* The first of the lines with the greatest address that is not above @address; NULL where there is none, or it is so
 * far below that the address must belong to something else: code without symbols shall not be taken for the function
 * before. */
static const Line *
find_line (const GArray *lines, guint64 address)
{
  guint low = 0;
  guint high = lines->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (lines, Line, middle).address <= address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0 || address - g_array_index (lines, Line, low - 1).address >= MAX_FUNCTION_SIZE)
    return NULL;
  while (low > 1 && g_array_index (lines, Line, low - 2).address == g_array_index (lines, Line, low - 1).address)
    low--;
  return &g_array_index (lines, Line, low - 1);
}

static guint
hash_line (gconstpointer key)
{
  const Line *line = key;
  guint hash = 5381;

  for (guint i = 0; i < line->name_length; i++)
    hash = hash * 33 + (guchar) line->name[i];
  return hash;
}

static gboolean
same_name (gconstpointer a, gconstpointer b)
{
  const Line *left = a;
  const Line *right = b;

  return left->name_length == right->name_length && left->module_length == right->module_length &&
         memcmp (left->name, right->name, left->name_length) == 0 &&
         memcmp (left->module, right->module, left->module_length) == 0;
}

/* For the names in @wanted (Line -> NULL) the ordinal of each line that bears one; by the line's address in memory. */
static GHashTable *
count_ordinals (const GArray *lines, GHashTable *wanted)
{
  GHashTable *ordinals = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);
      gpointer count;

      if (!g_hash_table_lookup_extended (wanted, line, NULL, &count))
        continue;
      g_hash_table_insert (ordinals, (gpointer) line, count);
      g_hash_table_insert (wanted, (gpointer) line, GUINT_TO_POINTER (GPOINTER_TO_UINT (count) + 1));
    }
  return ordinals;
}

GArray *
symbols_resolve (const char *kallsyms, const GArray *addresses)
{
  g_autoptr (GArray) lines = parse_lines (kallsyms);
  g_autoptr (GHashTable) wanted = g_hash_table_new (hash_line, same_name);
  g_autoptr (GHashTable) ordinals = NULL;
  GArray *symbols = g_array_sized_new (FALSE, TRUE, sizeof (Symbol), addresses->len);

  g_array_set_clear_func (symbols, (GDestroyNotify) symbol_clear);
  for (guint i = 0; i < addresses->len; i++)
    {
      const Line *line = find_line (lines, g_array_index (addresses, guint64, i));

      if (line)
        g_hash_table_insert (wanted, (gpointer) line, NULL);
    }
  ordinals = count_ordinals (lines, wanted);
  for (guint i = 0; i < addresses->len; i++)
    {
      guint64 address = g_array_index (addresses, guint64, i);
      const Line *line = find_line (lines, address);
      Symbol symbol = { NULL, NULL, 0 };

      if (line)
        {
          g_autofree char *name = g_strndup (line->name, line->name_length);
          g_autofree char *module = g_strndup (line->module, line->module_length);

          symbol.name = g_utf8_make_valid (name, -1);
          symbol.module = g_utf8_make_valid (module, -1);
          symbol.ordinal = GPOINTER_TO_UINT (g_hash_table_lookup (ordinals, line));
        }
      else
        {
          symbol.name = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
          symbol.module = g_strdup ("");
        }
      g_array_append_val (symbols, symbol);
    }
  return symbols;
}
