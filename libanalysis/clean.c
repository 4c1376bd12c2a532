/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps printable characters. Unicode's line separators count as printable elsewhere, but end a line on some
 * terminals. */
#include "clean.h"

#include <string.h>

#define MOST_MARKS 8        /* on one letter; languages need up to four */
#define LONGEST_CHARACTER 4 /* bytes */

gboolean
culprit_is_plain (gunichar character)
{
  return g_unichar_isprint (character) && character != 0x2028 && character != 0x2029;
}

/* Whether there is nothing to clean, as in nearly all texts: a million rows of JSON take 1.4 s with this check, 1.6 s
 * without. */
static gboolean
is_ascii (const char *text)
{
  while ((*text >= ' ' && *text <= '~') || *text == '\n')
    text++;
  return !*text;
}

/* The same of the next character of a text. Marks are drawn above each other, over what stands there, and many of them
 * end HarfBuzz: further ones are not plain. @marks: on the last letter. */
static gboolean
is_plain_next (gunichar character, guint *marks)
{
  *marks = g_unichar_ismark (character) ? *marks + 1 : 0;
  return culprit_is_plain (character) && *marks <= MOST_MARKS;
}

/* Soft hyphen, the two joiners, and the marks that are letters of a direction but do not change it. */
static gboolean
is_joint (gunichar character)
{
  return character == 0xad || (character >= 0x200c && character <= 0x200f);
}

gboolean
culprit_is_editable (const char *text, guint most)
{
  guint marks = 0;

  if (!g_utf8_validate (text, -1, NULL) || g_utf8_strlen (text, -1) > most)
    return FALSE;
  for (; *text; text = g_utf8_next_char (text))
    {
      gunichar character = g_utf8_get_char (text);

      if (!is_plain_next (character, &marks) && !is_joint (character))
        return FALSE;
    }
  return TRUE;
}

/* The first @most characters of @valid. */
static char *
clean (const char *valid, guint most, char line_break)
{
  GString *clean = g_string_new (NULL);
  guint marks = 0;

  for (const char *at = valid; *at; at = g_utf8_next_char (at), most--)
    {
      gunichar character = g_utf8_get_char (at);
      gboolean plain = is_plain_next (character, &marks);

      if (most == 0)
        return g_string_free (g_string_append (clean, "…"), FALSE);
      if (*at == '\n')
        g_string_append_c (clean, line_break);
      else
        g_string_append_unichar (clean, plain ? character : '?');
    }
  return g_string_free (clean, FALSE);
}

char *
culprit_clean_text (const char *text)
{
  g_autofree char *valid = NULL;

  if (is_ascii (text))
    return g_strdup (text);
  valid = g_utf8_make_valid (text, -1);
  return clean (valid, G_MAXUINT, '\n');
}

char *
culprit_clean_line (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return clean (valid, G_MAXUINT, ' ');
}

/* What is beyond is not even looked at; of a character that is cut there, nothing is left. */
char *
culprit_clean_start (const char *text, guint most, char line_break)
{
  g_autofree char *valid = g_utf8_make_valid (text, strnlen (text, (most + 2) * (gsize) LONGEST_CHARACTER));

  return clean (valid, most, line_break);
}

/* JSON is plain ASCII outside strings, and mostly inside them. */
char *
culprit_clean_json (const char *json)
{
  g_autofree char *valid = NULL;
  GString *clean;
  guint marks = 0;

  if (is_ascii (json))
    return g_strdup (json);
  valid = g_utf8_make_valid (json, -1);
  clean = g_string_sized_new (strlen (valid));
  for (const char *at = valid; *at; at = g_utf8_next_char (at))
    {
      gunichar character = g_utf8_get_char (at);

      if (is_plain_next (character, &marks) || *at == '\n')
        g_string_append_unichar (clean, character);
      else if (character < 0x10000)
        g_string_append_printf (clean, "\\u%04x", character);
      else
        g_string_append_printf (clean, "\\u%04x\\u%04x", 0xd800 + ((character - 0x10000) >> 10),
                                0xdc00 + ((character - 0x10000) & 0x3ff));
    }
  return g_string_free (clean, FALSE);
}

char *
culprit_shell_word (const char *text)
{
  gsize plain = strspn (text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-+=./:@%,");

  /* That of the second function with a name; at the beginning, it is a comment. */
  if (plain > 0 && text[plain] == '#')
    plain += 1 + strspn (text + plain + 1, G_CSET_DIGITS);
  return *text && !text[plain] ? g_strdup (text) : g_shell_quote (text);
}
