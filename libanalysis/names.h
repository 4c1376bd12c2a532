/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions and hosts. */
#pragma once

#include <glib.h>
#include <string.h>

/* Whether @name is "[user]", "[idle]" or "[not captured]": time that belongs to no call. */
static inline gboolean
culprit_name_is_pseudo (const char *name)
{
  return *name == '[';
}

/* Of the @n functions by which a task came to sleep, the call in which it waited: the last one that is not about
 * sleeping as such; "" if there is none. */
static inline const char *
culprit_name_of_wait (char *const *names, guint n)
{
  for (; n > 0; n--)
    if (!culprit_name_is_pseudo (names[n - 1]) && !strstr (names[n - 1], "schedule"))
      return names[n - 1];
  return "";
}

/* A function's @name as shown to people: 334 of a kernel's names have several addresses, and the second function with a
 * name is "NAME#2". @ordinal: counted from 0. The caller owns it. */
static inline char *
culprit_function_label (const char *name, guint ordinal)
{
  return ordinal > 0 ? g_strdup_printf ("%s#%u", name, ordinal + 1) : g_strdup (name);
}

/* What identifies a function: its label, and its module, if any. It is unique. The caller owns it. */
static inline char *
culprit_function_key (const char *name, const char *module, guint ordinal)
{
  g_autofree char *label = culprit_function_label (name, ordinal);

  return *module ? g_strdup_printf ("%s [%s]", label, module) : g_steal_pointer (&label);
}

/* How much of a name a path has, with one for each of its calls: as study/sql/parts/node-path.sql. */
#define CULPRIT_NAME_IN_PATH 256 /* characters */

/* @name as a path has it, and valid. The caller owns it. */
static inline char *
culprit_name_in_path (const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, strnlen (name, 4 * (CULPRIT_NAME_IN_PATH + 1)));

  return g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), CULPRIT_NAME_IN_PATH));
}

/* How many of the @length bytes of @text, which is valid, are a beginning of whole characters with @most bytes. */
static inline gsize
culprit_cut_name (const char *text, gsize length, gsize most)
{
  return length <= most ? length : (gsize) (g_utf8_find_prev_char (text, text + most + 1) - text);
}

/* The first @length bytes of @text, made valid and cut to @most bytes. It is not made valid as a whole: each bad byte
 * becomes three. The caller owns it. */
static inline char *
culprit_valid_name (const char *text, gsize length, gsize most)
{
  char *name = g_utf8_make_valid (text, MIN (length, most + 4)); /* with all of the last character */

  name[culprit_cut_name (name, strlen (name), most)] = '\0';
  return name;
}

/* The name of a host whose uname(2) says @name; NULL: not known. */
static inline const char *
culprit_name_of_host (const char *name)
{
  if (!name)
    return "unknown";
  return *name && !g_str_equal (name, "(none)") ? name : "unnamed";
}
