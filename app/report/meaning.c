/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each number of the report means, a line for each. */
#include "report-private.h"

static const struct
{
  const char *name;
  const char *meaning;
} meanings[] = {
  { "latency", "from when the task should have run to when it did" },
  { "untraced", "the time less the tracer's own; of a part, what it took itself, without what it called" },
  { "usual", "the mean over the ordinary wake-ups: the cycles of the same capture that did not trigger it" },
  { "excess",
    "what a late wake-up has more than its ordinary ones, without the tracer; the parts' excesses add up to it" },
  { "share",
    "the part of the excess that the culprit explains; all: all of the excess and more, since others were faster" },
  { "stands out", "the latency is above the ordinary median by at least 5 x 1.4826 x their median absolute deviation" },
  { "called too often", "at least 70 % of the culprit's excess is by more calls than when it ordinarily runs; one call "
                        "is never too often" },
  { "took too long", "at most 30 % of it is; between the two it is mixed" },
  { "interference", "another task or interrupt has half of the excess, and no function in it carries half of that" },
  { "late timer", "only the idle task ran: what should have ended its rest came late" },
  { "blind stall",
    "a stretch in which nothing was traced, at places that differ: firmware or a hypervisor had the CPU" },
  { "unexplained",
    "the wake-up does not stand out, or nothing in it is beyond what the worst of so many ordinary ones has" },
  { "confidence",
    "how sure it is that this is a cause, whatever else also is: how far it is beyond the worst of as many "
    "ordinary wake-ups, and how many captures agree" },
  { "weight", "the cause's part of the whole excess of all captures, with its 95 % interval" },
  { "tracing",
    "what the tracer took in this window: for each event, the least that one of its kind takes in the capture; the "
    "untraced parts and this add up to the latency" },
  { "calls", "how often it was called in the window; one that began before the window counts, with the part inside" },
  { "context", "what had the CPU: the measured task, another task, a hard interrupt, a softirq, an NMI, or idle" },
  { "by calls, by cost", "the excess is the sum of what more calls cost and of what dearer calls cost" },
  { "of the variance",
    "the part of the variance of latencies that comes with this function; over all functions they add up to one" },
  { "cycles, hits", "wake-ups that were measured; those of them that met the trigger" },
  { "late, missed", "wake-ups past the deadline; past the whole period" },
  { "peak", "a latency that is significantly more frequent than those around it" },
  { "stretch",
    "the time between two events of a CPU; one is abnormal that is far beyond the ordinary ones at its place" },
  { "p", "how probable so many hits of one place would be by chance" },
};

void
report_add_meaning (GString *page)
{
  page_add (page, "<section id=\"meaning\">\n<h2>What the numbers mean</h2>\n<dl>\n");
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    page_add (page, "<div><dt>%s</dt><dd>%s</dd></div>\n", meanings[i].name, meanings[i].meaning);
  page_add (page, "</dl>\n</section>\n");
}
