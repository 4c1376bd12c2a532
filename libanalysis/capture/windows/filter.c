/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "filter.h"

#include "capture/error.h"
#include "capture/events/bytes-private.h"
#include "seeded-hash.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MAX_OFFSET 65536
#define MOST_TERMS 16    /* Each is tried on all events. */
#define LONGEST_FIELD 64 /* bytes of its name */

/* A field of an event. */
typedef struct
{
  guint offset;
  guint size;
  gboolean is_signed;
  gboolean is_text; /* an array of characters, */
  gboolean located; /* whose place the field has: its offset in the lower half, its size in the upper */
} Field;

struct _FilterKey
{
  Field field;
};

#define LONGEST_TEXT 256   /* bytes that are compared; longer ones are cut */
#define LONGEST_PATTERN 63 /* characters but for *: a bit each, and one for the beginning */

typedef enum
{
  EQUAL,
  DIFFERENT,
  AT_MOST,
  AT_LEAST,
  BELOW,
  ABOVE,
  WITH_BITS,
  LIKE,
} Comparison;

/* Longer ones before those that they begin with. */
static const char *const comparisons[] = { [EQUAL] = "==", [DIFFERENT] = "!=", [AT_MOST] = "<=",  [AT_LEAST] = ">=",
                                           [BELOW] = "<",  [ABOVE] = ">",      [WITH_BITS] = "&", [LIKE] = "~" };

/* A pattern, in which * stands for any bytes and ? for one, as in the kernel's filters. Bits stand for its beginnings.
 */
typedef struct
{
  guint64 goes_on[256]; /* by a byte: the beginnings that it makes one longer */
  guint64 stays;        /* those that a * follows */
  guint64 whole;
} Pattern;

typedef struct
{
  char *name;
  Comparison comparison;
  char *text; /* the value */
  gboolean is_number;
  guint64 number;       /* also a negative one */
  Pattern *pattern;     /* of LIKE */
  gboolean alternative; /* It begins a group of which one must hold. */
  Field field;
} Term;

struct _Filter
{
  GArray *terms; /* of Term */
};

static gboolean
refuse (GError **error, const char *expected, const char *text)
{
  g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DEFINITION, "expected %s at \"%s\" of the filter",
               expected, text);
  return FALSE;
}

static void
term_clear (Term *term)
{
  g_free (term->name);
  g_free (term->text);
  g_free (term->pattern);
}

void
filter_free (Filter *filter)
{
  g_array_unref (filter->terms);
  g_free (filter);
}

static const char *
skip_spaces (const char *at)
{
  return at + strspn (at, " ");
}

static gboolean
parse_comparison (const char **at, Term *term)
{
  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    if (g_str_has_prefix (*at, comparisons[i]))
      {
        term->comparison = i;
        *at = skip_spaces (*at + strlen (comparisons[i]));
        return TRUE;
      }
  return FALSE;
}

static gboolean
parse_value (const char **at, Term *term)
{
  gboolean quoted = **at == '"';
  gsize length = quoted ? strcspn (*at + 1, "\"") : strcspn (*at, " &|");
  char *end;

  if ((quoted && !(*at)[length + 1]) || (!quoted && length == 0))
    return FALSE;
  term->text = g_strndup (*at + quoted, length);
  term->number = g_ascii_strtoull (term->text, &end, 0);
  term->is_number = !quoted && *end == '\0';
  *at = skip_spaces (*at + length + 2 * quoted);
  return TRUE;
}

/* Reads a comparison at *@at, and leaves there what follows it. */
static gboolean
parse_term (const char **at, Term *term, GError **error)
{
  gsize length = strspn (*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

  if (length == 0 || length > LONGEST_FIELD)
    return refuse (error, "a field", *at);
  term->name = g_strndup (*at, length);
  *at = skip_spaces (*at + length);
  if (!parse_comparison (at, term))
    return refuse (error, "==, !=, <, <=, >, >=, & or ~", *at);
  if (!parse_value (at, term))
    return refuse (error, "a value", *at);
  return TRUE;
}

Filter *
filter_parse (const char *text, GError **error)
{
  g_autoptr (Filter) filter = g_new0 (Filter, 1);
  const char *at = skip_spaces (text);
  gboolean alternative = FALSE;

  filter->terms = g_array_new (FALSE, TRUE, sizeof (Term));
  g_array_set_clear_func (filter->terms, (GDestroyNotify) term_clear);
  while (TRUE)
    {
      Term *term;

      if (filter->terms->len == MOST_TERMS)
        {
          refuse (error, "no more comparisons", at);
          return NULL;
        }
      g_array_set_size (filter->terms, filter->terms->len + 1);
      term = &g_array_index (filter->terms, Term, filter->terms->len - 1);
      term->alternative = alternative;
      if (!parse_term (&at, term, error))
        return NULL;
      if (!*at)
        return g_steal_pointer (&filter);
      alternative = g_str_has_prefix (at, "||");
      if (!alternative && !g_str_has_prefix (at, "&&"))
        {
          refuse (error, "&& or ||", at);
          return NULL;
        }
      at = skip_spaces (at + 2);
    }
}

/* The number after @key in the line at @line; 0: none. */
static guint
number_after (const char *line, const char *key)
{
  const char *found = g_strstr_len (line, strcspn (line, "\n"), key);

  return found ? MIN (strtoul (found + strlen (key), NULL, 10), MAX_OFFSET) : 0;
}

/* There is one field on each line, "field:__data_loc char[] name;	offset:8;	size:4;	signed:0;". */
static gboolean
find_field (const char *format, const char *name, Field *field, GError **error)
{
  for (const char *line = strstr (format, "field:"); line; line = strstr (strchrnul (line, '\n'), "field:"))
    {
      g_autofree char *declared = g_strndup (line + strlen ("field:"), strcspn (line + strlen ("field:"), ";\n"));
      gboolean located = g_str_has_prefix (declared, "__data_loc ");
      char *bracket = located ? NULL : strchr (declared, '[');
      const char *last;

      if (bracket)
        *bracket = '\0';
      last = strrchr (declared, ' ');
      if (!last || !g_str_equal (last + 1, name))
        continue;
      *field = (Field) { .offset = number_after (line, "offset:"),
                         .size = number_after (line, "size:"),
                         .is_signed = number_after (line, "signed:") != 0,
                         .is_text = (bracket || located) && strstr (declared, "char") != NULL,
                         .located = located };
      if (field->is_text ? !located || field->size == 4
                         : field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8)
        return TRUE;
    }
  g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DEFINITION,
               "its event has no field \"%s\" that can be compared", name);
  return FALSE;
}

/* NULL: @text is too long. */
static Pattern *
pattern_new (const char *text)
{
  Pattern *pattern = g_new0 (Pattern, 1);
  guint n = 0;

  for (; *text && n <= LONGEST_PATTERN; text++)
    if (*text == '*')
      pattern->stays |= (guint64) 1 << n;
    else
      {
        if (*text != '?')
          pattern->goes_on[(guint8) *text] |= (guint64) 1 << n;
        for (guint byte = 0; *text == '?' && byte < 256; byte++)
          pattern->goes_on[byte] |= (guint64) 1 << n;
        n++;
      }
  pattern->whole = (guint64) 1 << (n & 63);
  if (n <= LONGEST_PATTERN)
    return pattern;
  g_free (pattern);
  return NULL;
}

gboolean
filter_bind (Filter *filter, const char *format, GError **error)
{
  for (guint i = 0; i < filter->terms->len; i++)
    {
      Term *term = &g_array_index (filter->terms, Term, i);

      if (!find_field (format, term->name, &term->field, error))
        return FALSE;
      if (term->comparison == LIKE && !term->pattern)
        term->pattern = pattern_new (term->text);
      if (term->comparison == LIKE && !term->pattern)
        {
          g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DEFINITION,
                       "the pattern for its field \"%s\" has more than %d bytes besides *", term->name,
                       LONGEST_PATTERN);
          return FALSE;
        }
      if (term->field.is_text ? term->comparison > DIFFERENT && term->comparison != LIKE
                              : !term->is_number || term->comparison == LIKE)
        {
          g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DEFINITION,
                       "its field \"%s\" is %s, which cannot be compared by %s with %s", term->name,
                       term->field.is_text ? "text" : "a number", comparisons[term->comparison], term->text);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
read_number (const Field *field, const guint8 *data, gsize size, gboolean swap, guint64 *number)
{
  const guint8 *at = data + field->offset;

  if ((gsize) field->offset + field->size > size)
    return FALSE;
  switch (field->size)
    {
    case 8:
      *number = load_u64 (at, swap);
      break;
    case 4:
      *number = field->is_signed ? (guint64) (gint32) load_u32 (at, swap) : load_u32 (at, swap);
      break;
    case 2:
      *number = field->is_signed ? (guint64) (gint16) load_u16 (at, swap) : load_u16 (at, swap);
      break;
    default:
      *number = field->is_signed ? (guint64) (gint8) *at : *at;
    }
  return TRUE;
}

/* The text in a field, in place, and its length; NULL: the event ends before. */
static const char *
read_text (const Field *field, const guint8 *data, gsize size, gboolean swap, gsize *length_of_text)
{
  guint offset = field->offset;
  guint length = field->size;

  if ((gsize) offset + length > size)
    return NULL;
  if (field->located)
    {
      guint32 place = load_u32 (data + offset, swap);

      offset = place & 0xffff;
      length = place >> 16;
    }
  if ((gsize) offset + length > size)
    return NULL;
  *length_of_text = strnlen ((const char *) data + offset, MIN (length, LONGEST_TEXT));
  return (const char *) data + offset;
}

/* Takes as long as the text, whatever the pattern. */
static gboolean
is_like (const Pattern *pattern, const char *text, gsize length)
{
  guint64 begun = 1;

  for (gsize i = 0; i < length; i++)
    begun = (begun & pattern->goes_on[(guint8) text[i]]) << 1 | (begun & pattern->stays);
  return (begun & pattern->whole) != 0;
}

/* Less than 0, 0 or more, as @left is less than @right. Only unsigned fields of 64 bits, as addresses, are above all
 * others. */
static int
compare_numbers (const Field *field, guint64 left, guint64 right)
{
  if (left == right)
    return 0;
  if (field->size == 8 && !field->is_signed)
    return left < right ? -1 : 1;
  return (gint64) left < (gint64) right ? -1 : 1;
}

static gboolean
term_matches (const Term *term, const guint8 *data, gsize size, gboolean swap)
{
  gsize length;
  const char *text = term->field.is_text ? read_text (&term->field, data, size, swap, &length) : NULL;
  guint64 number;

  if (term->comparison == LIKE)
    return text && is_like (term->pattern, text, length);
  if (term->field.is_text)
    return text &&
           (strlen (term->text) == length && memcmp (term->text, text, length) == 0) == (term->comparison == EQUAL);
  if (!read_number (&term->field, data, size, swap, &number))
    return FALSE;
  switch (term->comparison)
    {
    case EQUAL:
      return number == term->number;
    case DIFFERENT:
      return number != term->number;
    case AT_MOST:
      return compare_numbers (&term->field, number, term->number) <= 0;
    case AT_LEAST:
      return compare_numbers (&term->field, number, term->number) >= 0;
    case BELOW:
      return compare_numbers (&term->field, number, term->number) < 0;
    case ABOVE:
      return compare_numbers (&term->field, number, term->number) > 0;
    default:
      return (number & term->number) != 0;
    }
}

gboolean
filter_matches (const Filter *filter, const guint8 *data, gsize size, gboolean swap)
{
  gboolean all = TRUE;

  for (guint i = 0; i < filter->terms->len; i++)
    {
      const Term *term = &g_array_index (filter->terms, Term, i);

      if (term->alternative && all)
        return TRUE;
      all = (all || term->alternative) && term_matches (term, data, size, swap);
    }
  return all;
}

FilterKey *
filter_key_new (const char *name, const char *format, GError **error)
{
  FilterKey *key = g_new0 (FilterKey, 1);

  if (find_field (format, name, &key->field, error))
    return key;
  g_free (key);
  return NULL;
}

gboolean
filter_key_read (const FilterKey *key, const guint8 *data, gsize size, gboolean swap, guint64 *value)
{
  gsize length;
  const char *text = key->field.is_text ? read_text (&key->field, data, size, swap, &length) : NULL;

  if (key->field.is_text)
    *value = text ? XXH3_64bits_withSeed (text, length, culprit_hash_seed ()) : 0;
  return key->field.is_text ? text != NULL : read_number (&key->field, data, size, swap, value);
}

void
filter_key_free (FilterKey *key)
{
  g_free (key);
}
