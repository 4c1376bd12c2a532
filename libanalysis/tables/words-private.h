/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations of columns that several tables share. */
#pragma once

#define WORDS_CAPTURE "The capture's number in the study."
#define WORDS_FILE "The capture's file."
#define WORDS_KERNEL "The kernel's release."
#define WORDS_MODULE "The kernel module it belongs to; none for the kernel itself."
#define WORDS_ORDINAL "Which of the functions of this name and module it is, counted from 0."
#define WORDS_CONTEXT "Where it ran: the measured task, another task, a hard interrupt, a softirq, an NMI, or idle."
#define WORDS_UNTRACED "Its time in this wake-up, excluding its callees and the tracer's time."
#define WORDS_TRACING "The part of its own time that is the tracer's, at least: for each event the minimum of its kind."
#define WORDS_OFF_CPU "The part of the total in which its task was not on this CPU."
#define WORDS_TRUNCATED "Calls whose entry or exit was not captured."
#define WORDS_USUAL_CALLS "The mean of its calls in ordinary wake-ups of the same capture."
#define WORDS_USUAL_TIME "The mean of the same time in ordinary wake-ups."
#define WORDS_LATENCIES "The number of wake-ups measured."
#define WORDS_MEAN "The mean latency."
#define WORDS_SD "The standard deviation, with n - 1."
#define WORDS_MIN "The minimum latency."
#define WORDS_OVERRUNS                                                                                                 \
  "Wake-ups that overran the deadline (default: half the period). Late wake-ups are above the threshold instead."
