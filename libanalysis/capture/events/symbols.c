/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the text of /proc/kallsyms: 200,000 lines in a few milliseconds, once for all captures of a boot. */
#include "symbols-private.h"

#include "names.h"
#include "seeded-hash.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 511   /* bytes, as in the kernel; the rest of a longer one is cut off */
#define BYTES_PER_SLOTS 16 /* of a symbol: two to four slots */
#define MAX_FUNCTION_SIZE (1 << 20)

static void
symbols_clear (gpointer data)
{
  Symbols *symbols = data;

  g_string_chunk_free (symbols->strings);
  g_array_unref (symbols->symbols);
  g_free (symbols->slots);
}

void
symbols_unref (Symbols *symbols)
{
  g_atomic_rc_box_release_full (symbols, symbols_clear);
}

/* Lines with equal addresses keep their order. */
static int
compare_symbols (gconstpointer a, gconstpointer b)
{
  const Symbol *left = a;
  const Symbol *right = b;

  if (left->address != right->address)
    return left->address < right->address ? -1 : 1;
  return left->ordinal < right->ordinal ? -1 : left->ordinal > right->ordinal;
}

/* The hexadecimal number from @text to @end; 0 if it is none. (g_ascii_strtoull() takes 4 ms more for a kernel.) */
static guint64
parse_address (const char *text, const char *end)
{
  guint64 address = 0;

  if (end - text > 16)
    return 0;
  for (; text < end; text++)
    {
      if (!g_ascii_isxdigit (*text))
        return 0;
      address = address << 4 | g_ascii_xdigit_value (*text);
    }
  return address;
}

/* Parses the line from @text to @end, e.g. "ffffffff81000000 T _stext\t[module]"; FALSE if it is not a function.
 * Modules on ARM and RISC-V also list mapping symbols such as $x and $d at the addresses of functions. The symbols of a
 * module follow each other: @module_before is that of the previous line. */
static gboolean
parse_line (const char *text, const char *end, const char *module_before, GStringChunk *strings, Symbol *symbol)
{
  const char *type = memchr (text, ' ', end - text);
  const char *name;
  const char *stop;
  const char *close = NULL;
  g_autofree char *valid = NULL;

  if (!type || end - type < 4 || !strchr ("tTwW", type[1]) || type[2] != ' ' || type[3] == '$')
    return FALSE;
  name = type + 3;
  stop = memchr (name, '\t', end - name);
  if (stop && stop + 1 < end && stop[1] == '[')
    close = memchr (stop + 2, ']', end - stop - 2);
  symbol->address = parse_address (text, type);
  if (symbol->address == 0 || stop == name)
    return FALSE;
  valid = culprit_valid_name (name, (stop ? stop : end) - name, LONGEST_NAME);
  symbol->name = g_string_chunk_insert (strings, valid);
  symbol->module = "";
  if (close)
    {
      g_autofree char *module = culprit_valid_name (stop + 2, close - stop - 2, LONGEST_NAME);

      symbol->module = g_str_equal (module, module_before) ? module_before : g_string_chunk_insert (strings, module);
    }
  return TRUE;
}

/* The symbols, sorted by address; until they are counted, their ordinals are line numbers. FALSE: they take more than
 * @room bytes. */
static gboolean
parse_lines (Symbols *symbols, const char *text, gsize size, gint64 room)
{
  GArray *found = symbols->symbols;
  const char *text_end = text + size;
  const char *module = "";
  gboolean sorted = TRUE;

  while (text < text_end)
    {
      const char *newline = memchr (text, '\n', text_end - text);
      const char *end = newline ? newline : text_end;
      Symbol symbol;

      if (parse_line (text, end, module, symbols->strings, &symbol))
        {
          if (symbol.module != module)
            symbols->size += strlen (symbol.module) + 1;
          module = symbol.module;
          symbol.ordinal = found->len;
          sorted =
              sorted && (found->len == 0 || g_array_index (found, Symbol, found->len - 1).address <= symbol.address);
          symbols->size += sizeof symbol + strlen (symbol.name) + 1;
          if ((gint64) (symbols->size + found->len * BYTES_PER_SLOTS) > room)
            return FALSE;
          g_array_append_val (found, symbol);
        }
      text = end + 1;
    }
  if (!sorted)
    g_array_sort (found, compare_symbols);
  return TRUE;
}

/* The slot of the first symbol with @name and @module, or the empty one where it would be. */
static guint32 *
find_slot (const Symbols *symbols, const char *name, const char *module)
{
  guint mask = (1u << symbols->slot_bits) - 1;
  guint64 of_module = XXH3_64bits_withSeed (module, strlen (module), culprit_hash_seed ());
  guint slot = XXH3_64bits_withSeed (name, strlen (name), of_module) & mask;

  for (; symbols->slots[slot] != 0; slot = (slot + 1) & mask)
    {
      const Symbol *there = &g_array_index (symbols->symbols, Symbol, symbols->slots[slot] - 1);

      if (strcmp (there->name, name) == 0 && strcmp (there->module, module) == 0)
        break;
    }
  return &symbols->slots[slot];
}

/* Numbers the symbols with the same name. */
static void
count_ordinals (Symbols *symbols)
{
  g_autofree guint32 *counts = g_new0 (guint32, symbols->symbols->len + 1);

  symbols->slot_bits = g_bit_storage (symbols->symbols->len) + 1;
  symbols->slots = g_new0 (guint32, (gsize) 1 << symbols->slot_bits);
  symbols->size += sizeof *symbols->slots << symbols->slot_bits;
  for (guint i = 0; i < symbols->symbols->len; i++)
    {
      Symbol *symbol = &g_array_index (symbols->symbols, Symbol, i);
      guint32 *slot = find_slot (symbols, symbol->name, symbol->module);

      if (*slot == 0)
        *slot = i + 1;
      symbol->ordinal = counts[*slot - 1]++;
    }
}

Symbols *
symbols_new (const char *text, gsize size, gint64 room)
{
  g_autoptr (Symbols) symbols = g_atomic_rc_box_new0 (Symbols);

  symbols->strings = g_string_chunk_new (64 * 1024);
  symbols->symbols = g_array_new (FALSE, FALSE, sizeof (Symbol));
  if (!parse_lines (symbols, text, strnlen (text, size), room))
    return NULL;
  count_ordinals (symbols);
  return g_steal_pointer (&symbols);
}

void
symbols_keep (Symbols *symbols, XXH128_hash_t key)
{
  kept_add (KEPT_SYMBOLS, key, symbols, symbols->size, symbols_clear);
}

/* The number of symbols at or before @address. */
static guint
count_until (const Symbols *symbols, guint64 address)
{
  const Symbol *all = (const Symbol *) (gpointer) symbols->symbols->data;
  guint low = 0;
  guint high = symbols->symbols->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (all[middle].address <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const Symbol *
symbols_find (const Symbols *symbols, guint64 address)
{
  const Symbol *all = (const Symbol *) (gpointer) symbols->symbols->data;
  guint count = count_until (symbols, address);

  /* An address this far beyond the last symbol belongs to something else: code without symbols must not be attributed
   * to the function before it. */
  if (count == 0 || address - all[count - 1].address >= MAX_FUNCTION_SIZE)
    return NULL;
  return &all[count_until (symbols, all[count - 1].address - 1)]; /* the first one at that address */
}

gboolean
symbols_has (const Symbols *symbols, const char *name)
{
  return *find_slot (symbols, name, "") != 0;
}
