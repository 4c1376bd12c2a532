/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a capture. */
#include "capture-private.h"

const CulpritContextWords culprit_context_words[CULPRIT_CONTEXTS] = {
  [CULPRIT_CONTEXT_MEASURED] = { "measured task", NULL, "" },
  [CULPRIT_CONTEXT_TASK] = { "other task", "task", " (in another task)" },
  [CULPRIT_CONTEXT_IDLE] = { "idle task", NULL, " (in the idle task)" },
  [CULPRIT_CONTEXT_HARDIRQ] = { "hardware interrupt", "interrupt", " (in an interrupt)" },
  [CULPRIT_CONTEXT_SOFTIRQ] = { "soft interrupt", "soft interrupt", " (in a softirq)" },
  [CULPRIT_CONTEXT_NMI] = { "NMI", "NMI", " (in an NMI)" },
  [CULPRIT_CONTEXT_BLOCKED] = { "blocked", "blocked until woken by", " (blocked)" },
};

const char *
culprit_waker_in_words (const char *source)
{
  static const char *const interrupts[][2] = { { "hardirq", "an interrupt" },
                                               { "softirq", "a soft interrupt" },
                                               { "nmi", "an NMI" } };

  for (guint i = 0; i < G_N_ELEMENTS (interrupts); i++)
    if (g_str_equal (interrupts[i][0], source))
      return interrupts[i][1];
  return source;
}

char *
culprit_kept_in_words (CulpritContext context, const char *who, const char *in)
{
  if (context == CULPRIT_CONTEXT_TASK)
    return g_strconcat ("preempted", *who ? " by " : "", who, NULL);
  if (context == CULPRIT_CONTEXT_BLOCKED)
    return g_strconcat ("blocked", *in ? " in " : "", in, *who ? " until " : "", culprit_waker_in_words (who),
                        *who ? " woke it" : "", NULL);
  return NULL;
}

const char *
culprit_context_name (CulpritContext context)
{
  static const char *const names[CULPRIT_CONTEXTS] = { "measured", "task", "idle",   "hardirq",
                                                       "softirq",  "nmi",  "blocked" };

  return names[context];
}

CulpritContext
culprit_context_named (const char *name)
{
  for (guint context = 0; context < CULPRIT_CONTEXTS; context++)
    if (*name == *culprit_context_name (context) && g_str_equal (name, culprit_context_name (context)))
      return context;
  return CULPRIT_CONTEXT_TASK;
}

const char *
culprit_held_name (CulpritHeld held)
{
  return held == CULPRIT_HELD_INTERRUPTS ? "interrupts" : "preemption";
}

static void
clear_ordinary_part (gpointer data)
{
  culprit_spread_clear (&((CulpritOrdinaryPart *) data)->untraced_ns);
}

CulpritCapture *
capture_new (void)
{
  CulpritCapture *capture = g_new0 (CulpritCapture, 1);

  capture->functions = g_array_new (FALSE, TRUE, sizeof (CulpritFunction));
  capture->cpus = g_array_new (FALSE, FALSE, sizeof (CulpritCpu));
  capture->event_counts = g_array_new (FALSE, FALSE, sizeof (CulpritEventCount));
  capture->windows = g_array_new (FALSE, FALSE, sizeof (CulpritWindow));
  capture->pieces = g_array_new (FALSE, FALSE, sizeof (CulpritPiece));
  capture->nodes = g_array_new (FALSE, FALSE, sizeof (CulpritNode));
  capture->outlier_nodes = g_array_new (FALSE, FALSE, sizeof (CulpritNodeCost));
  capture->ordinary_nodes = g_array_new (FALSE, TRUE, sizeof (CulpritOrdinaryNode));
  capture->ordinary_parts = g_array_new (FALSE, FALSE, sizeof (CulpritOrdinaryPart));
  g_array_set_clear_func (capture->ordinary_parts, clear_ordinary_part);
  capture->sections = g_array_new (FALSE, FALSE, sizeof (CulpritSection));
  capture->strings = g_string_chunk_new (16 * 1024);
  capture->period_error_ns = -1;
  capture->no_windows_number = -1;
  capture->coverage.interrupts = -1;
  return capture;
}

void
culprit_capture_free (CulpritCapture *capture)
{
  g_free (capture->digest);
  g_free (capture->sha256);
  g_free (capture->host);
  g_free (capture->kernel);
  g_free (capture->machine);
  g_free (capture->instance);
  g_free (capture->clock);
  g_free (capture->left_out);
  g_free (capture->marker);
  g_free (capture->comm);
  g_free (capture->measured);
  g_free (capture->coverage.functions);
  g_clear_pointer (&capture->cycles, culprit_cycles_free);
  g_array_unref (capture->functions);
  g_array_unref (capture->cpus);
  g_array_unref (capture->event_counts);
  g_array_unref (capture->windows);
  g_array_unref (capture->pieces);
  g_array_unref (capture->nodes);
  g_array_unref (capture->outlier_nodes);
  g_array_unref (capture->ordinary_nodes);
  g_array_unref (capture->ordinary_parts);
  g_array_unref (capture->sections);
  g_string_chunk_free (capture->strings);
  g_free (capture);
}

const CulpritWindow *
culprit_capture_outlier (const CulpritCapture *capture)
{
  for (guint i = 0; i < capture->windows->len; i++)
    {
      const CulpritWindow *window = &g_array_index (capture->windows, CulpritWindow, i);

      if (window->outlier)
        return window;
    }
  return NULL;
}

gboolean
culprit_capture_is_unnamed (const CulpritCapture *capture)
{
  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < capture->functions->len; i++)
    if (!g_str_has_prefix (g_array_index (capture->functions, CulpritFunction, i).name, "0x"))
      return FALSE;
  return TRUE;
}
