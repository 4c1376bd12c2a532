/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probes of programs, which begin or end windows as events of the kernel do: a function, its return, or a place that
 * the program marks itself (USDT).
 *
 *   uprobe:BINARY:FUNCTION
 *   uprobe:BINARY:FUNCTION%return
 *   usdt:BINARY:PROVIDER:NAME
 *
 * In a trace they are events, whose names follow from these texts: culprit_BINARY:FUNCTION,
 * culprit_BINARY:FUNCTION__return and culprit_BINARY:PROVIDER__NAME, with the name of the file alone, and _ for what
 * the kernel does not allow. The recorder, which makes them, and the analysis agree on that; hence plain C. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PROBE_SYSTEM "culprit_"
#define PROBE_RETURN "%return"
#define PROBE_EXPECTED                                                                                                 \
  "uprobe:BINARY:FUNCTION or usdt:BINARY:PROVIDER:NAME, of at most 255 bytes for BINARY, 63 for PROVIDER and 199 for " \
  "the others"
#define PROBE_KEY "common_pid" /* Both ends of a window are of the same thread unless something else is asked for. */

typedef struct
{
  char binary[256];
  char provider[64]; /* empty: it is a function */
  char name[200];
  bool returns;
  char system[64]; /* as the kernel limits them */
  char event[64];
} Probe;

/* Whether @text is to be a probe, and not an event of the kernel. */
static inline bool
probe_is (const char *text)
{
  return strncmp (text, "uprobe:", 7) == 0 || strncmp (text, "usdt:", 5) == 0;
}

/* Whether the definition @between, EVENT..EVENT, may have one. */
static inline bool
probe_in (const char *between)
{
  return probe_is (between) || strstr (between, "..uprobe:") || strstr (between, "..usdt:");
}

/* Copies the word of a program's symbols that @text begins with. Returns its length; 0: there is none, or it is too
 * long. Two dots end it. */
static inline size_t
probe_word (char *word, size_t size, const char *text)
{
  static const char characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.";
  size_t most = strspn (text, characters);
  const char *dots = strstr (text, "..");
  size_t length = dots && (size_t) (dots - text) < most ? (size_t) (dots - text) : most;

  if (length == 0 || length >= size)
    return 0;
  memcpy (word, text, length);
  word[length] = '\0';
  return length;
}

/* Makes @name one that events and their systems can have. */
static inline void
probe_clean (char *name)
{
  for (char *at = name; *at; at++)
    if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9' && at > name)))
      *at = '_';
}

/* Reads the probe that @text, which is to be one, begins with. Returns its length; 0: it is none. */
static inline size_t
probe_read (const char *text, Probe *probe)
{
  bool marked = text[1] == 's';
  const char *at = text + (marked ? strlen ("usdt:") : strlen ("uprobe:"));
  size_t length = strcspn (at, ":");
  const char *dot;
  const char *base;

  *probe = (Probe) { 0 };
  if (length == 0 || length >= sizeof probe->binary || at[length] != ':')
    return 0;
  memcpy (probe->binary, at, length);
  at += length + 1;
  dot = strrchr (probe->binary, '.');
  if (dot && dot > probe->binary && dot[-1] == '.' && (strcmp (dot, ".uprobe") == 0 || strcmp (dot, ".usdt") == 0))
    return 0; /* There begins the next probe, which is not part of a file's name. */
  if (marked)
    {
      length = probe_word (probe->provider, sizeof probe->provider, at);
      if (length == 0 || at[length] != ':')
        return 0;
      at += length + 1;
    }
  length = probe_word (probe->name, sizeof probe->name, at);
  at += length;
  probe->returns = !marked && strncmp (at, PROBE_RETURN, strlen (PROBE_RETURN)) == 0;
  at += probe->returns ? strlen (PROBE_RETURN) : 0;
  base = strrchr (probe->binary, '/') ? strrchr (probe->binary, '/') + 1 : probe->binary;
  snprintf (probe->system, sizeof probe->system, PROBE_SYSTEM "%.50s", base);
  snprintf (probe->event, sizeof probe->event, "%.20s%s%.*s%s", probe->provider, marked ? "__" : "", marked ? 40 : 54,
            probe->name, probe->returns ? "__return" : "");
  probe_clean (probe->system);
  probe_clean (probe->event);
  return length > 0 && *base ? (size_t) (at - text) : 0;
}
