/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Markup that is well formed whatever the texts are: as HTML and as XML. */
#include "page.h"

#include "clean.h"
#include "units.h"

#include <math.h>
#include <string.h>

/* Adds @escaped, in which references to characters stand for control characters: XML takes none of those. Nor should
 * a name turn the direction of what follows it. */
static void
add_clean (GString *page, const char *escaped)
{
  for (const char *at = escaped; *at; at = g_utf8_next_char (at))
    {
      gunichar character = g_utf8_get_char (at);
      const char *end = g_str_has_prefix (at, "&#x") ? strchr (at, ';') : NULL;

      if (end)
        at = end;
      g_string_append_unichar (page, !end && (character == '\n' || culprit_is_plain (character)) ? character : '?');
    }
}

void
page_add (GString *page, const char *markup, ...)
{
  va_list arguments;

  g_autofree char *escaped = NULL;
  g_autofree char *valid = NULL;

  va_start (arguments, markup);
  escaped = g_markup_vprintf_escaped (markup, arguments);
  va_end (arguments);
  valid = g_utf8_make_valid (escaped, -1);
  add_clean (page, valid);
}

const char *
page_text (CulpritValue value)
{
  return value.type == CULPRIT_VALUE_TEXT ? value.text : "";
}

/* The value as a number; NaN where it is none. */
static double
number (CulpritValue value)
{
  if (value.type == CULPRIT_VALUE_INTEGER)
    return value.integer;
  return value.type == CULPRIT_VALUE_REAL ? value.real : NAN;
}

void
page_add_text_cell (GString *page, const char *text)
{
  page_add (page, "<td>%s</td>", text);
}

/* A cell that shows @shown and means @exact. */
static void
add_data (GString *page, const char *exact, const char *shown)
{
  page_add (page, "<td class=\"number\"><data value=\"%s\">%s</data></td>", exact, shown);
}

static void
add_unknown (GString *page)
{
  page_add (page, "<td class=\"number\"></td>");
}

/* Shows @value with @decimals. */
static void
add_real (GString *page, CulpritValue value, guint decimals)
{
  char exact[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *shown = NULL;

  if (!isfinite (number (value)))
    {
      add_unknown (page);
      return;
    }
  shown = g_strdup_printf ("%.*f", (int) decimals, number (value));
  add_data (page, g_ascii_dtostr (exact, sizeof exact, number (value)), shown);
}

void
page_add_count_cell (GString *page, CulpritValue value)
{
  add_real (page, value, 0);
}

void
page_add_mean_cell (GString *page, CulpritValue value)
{
  add_real (page, value, 1);
}

void
page_add_percent_cell (GString *page, CulpritValue value)
{
  char exact[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *shown = NULL;

  if (!isfinite (number (value)))
    {
      add_unknown (page);
      return;
    }
  shown = culprit_share_format (number (value));
  add_data (page, g_ascii_dtostr (exact, sizeof exact, number (value)), shown);
}

void
page_add_time_cell (GString *page, CulpritValue value)
{
  g_autofree char *exact = NULL;
  g_autofree char *shown = NULL;

  if (!isfinite (number (value)))
    {
      add_unknown (page);
      return;
    }
  exact = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) llround (number (value)));
  shown = culprit_time_format (llround (number (value)));
  add_data (page, exact, shown);
}

void
page_begin_table (GString *page, const char *const *titles)
{
  page_add (page, "<div class=\"wide\"><table>\n<thead><tr>");
  for (; *titles; titles++)
    if (**titles == '#')
      page_add (page, "<th scope=\"col\" class=\"number\">%s</th>", *titles + 1);
    else
      page_add (page, "<th scope=\"col\">%s</th>", *titles);
  page_add (page, "</tr></thead>\n<tbody>\n");
}

void
page_end_table (GString *page)
{
  page_add (page, "</tbody></table></div>\n");
}
