/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contexts.h"

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
