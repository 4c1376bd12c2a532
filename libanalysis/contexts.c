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
