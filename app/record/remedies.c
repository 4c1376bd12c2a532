/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of commands name options, those of the window its fields, as record/fields.c there does. */
#include "remedies.h"

#include <string.h>

/* By CulpritRemedyKind. NULL: there is nothing to be done there. */
static const struct
{
  const char *key; /* in the recorder's protocol; NULL: recorders do not say it */
  const char *words[CULPRIT_IN_WINDOW + 1];
} remedies[] = {
  [CULPRIT_REMEDY_GIVE_PERIOD] = { NULL,
                                   { "specify the task's period with --period", "the task's period is not known" } },
  [CULPRIT_REMEDY_LARGER_BUFFER_OF_TRACE_CMD] = { NULL,
                                                  { "record with a larger buffer (trace-cmd -b)",
                                                    "record with a larger buffer" } },
  [CULPRIT_REMEDY_OTHER_KERNEL] = { "other-kernel",
                                    { "boot one that has it (Debian's do), record with tracing off, or use a virtual "
                                      "machine with --target vm",
                                      "boot one that has it (Debian's do), record with tracing off, or choose the "
                                      "virtual machine as the target" } },
  [CULPRIT_REMEDY_TAKE_OVER] = { "take-over",
                                 { "end that with: trace-cmd reset, or use --take-over",
                                   "end that with: trace-cmd reset, or switch on “Take over”" } },
  [CULPRIT_REMEDY_SMALLER_BUFFER] = { "smaller-buffer", { "use a smaller --buffer", "use a smaller “Buffer”" } },
  [CULPRIT_REMEDY_MORE_ROOM] = { "more-room",
                                 { "free some space there, or use a smaller --buffer",
                                   "free some space there, or use a smaller “Buffer”" } },
  [CULPRIT_REMEDY_LONGER_PERIOD] = { "longer-period", { NULL } },
  [CULPRIT_REMEDY_INSTALL_PKEXEC] = { NULL,
                                      { "run culprit with sudo, or install it: apt-get install pkexec",
                                        "install it: apt-get install pkexec" } },
  [CULPRIT_REMEDY_BECOME_ROOT] = { NULL, { "try sudo culprit", NULL } },
  [CULPRIT_REMEDY_WAIT_LONGER] = { NULL, { "set CULPRIT_PATIENCE=SECONDS to wait longer", NULL } },
  [CULPRIT_REMEDY_SEE_CONSOLE] = { NULL, { "see its output with boot --console FILE", NULL } },
};

static char *
larger_buffer (gint64 kb, CulpritSurface surface)
{
  if (surface == CULPRIT_IN_WINDOW)
    return kb > 0 ? g_strdup_printf ("record with a larger buffer (%" G_GINT64_FORMAT " KB)", kb)
                  : g_strdup ("record with a larger buffer");
  return kb > 0 ? g_strdup_printf ("record with a larger buffer (--buffer %" G_GINT64_FORMAT ")", kb)
                : g_strdup ("record with a larger buffer (--buffer)");
}

static char *
longer_period (gint64 ns, CulpritSurface surface)
{
  const char *format = surface == CULPRIT_IN_WINDOW
                           ? "use a period of %" G_GINT64_FORMAT "us or longer, trace less (“Depth”, “Trace only”), or "
                             "continue anyway by setting “Calibration” to “Warn”"
                           : "use --period %" G_GINT64_FORMAT "us or longer, trace less (--max-depth, --graph), or "
                             "continue anyway with --calibrate warn";

  return g_strdup_printf (format, ns / 1000);
}

/* The caller owns it. */
static char *
words_of (CulpritRemedy remedy, CulpritSurface surface)
{
  switch (remedy.kind)
    {
    case CULPRIT_REMEDY_LARGER_BUFFER:
      return larger_buffer (remedy.number, surface);
    case CULPRIT_REMEDY_LONGER_PERIOD:
      return remedy.number > 0 ? longer_period (remedy.number, surface) : NULL;
    default:
      return g_strdup (remedies[remedy.kind].words[surface]);
    }
}

char *
culprit_problem_words (const char *text, CulpritRemedy remedy, CulpritSurface surface)
{
  g_autofree char *words = words_of (remedy, surface);
  gboolean stops = g_str_has_suffix (text, ".");

  if (!words)
    return g_strdup (text);
  return g_strdup_printf ("%.*s; %s%s", (int) strlen (text) - (stops ? 1 : 0), text, words, stops ? "." : "");
}

CulpritRemedyKind
culprit_remedy_from_key (const char *key)
{
  for (guint kind = 0; key && kind < G_N_ELEMENTS (remedies); kind++)
    if (g_strcmp0 (remedies[kind].key, key) == 0)
      return kind;
  return CULPRIT_REMEDY_NONE;
}
