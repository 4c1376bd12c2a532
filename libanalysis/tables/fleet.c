/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of what makes wake-ups late on many machines. */
#include "tables/tables.h"
#include "tables/words-private.h"

static const CulpritColumn columns[] = {
  { "culprit", "Culprit", CULPRIT_KIND_WORD, "The function, task or interrupt that the verdict names.", 14, TRUE },
  { "class", "Class", CULPRIT_KIND_CLASS, "The kind of cause." },
  { "host", "Host", CULPRIT_KIND_TEXT, "The machine.", 10 },
  { "kernel", "Kernel", CULPRIT_KIND_TEXT, WORDS_KERNEL, 12 },
  { "series", "Series", CULPRIT_KIND_TEXT,
    "The measurement: captures of one host, kernel and series are judged together.", 6 },
  { "run", "Run", CULPRIT_KIND_TEXT, "Those of the captures that are in this study; empty: none.", 8 },
  { "captures", "Captures", CULPRIT_KIND_COUNT, "Late wake-ups that it explains, of all that were found there." },
  { "outliers", "Of", CULPRIT_KIND_COUNT, "All late wake-ups that were found there." },
  { "excess_mean_ns", "Excess", CULPRIT_KIND_TIME,
    "The mean time that it adds to one of these wake-ups, compared with ordinary ones." },
  { "weight", "Weight", CULPRIT_KIND_SHARE, "Its share of the total excess there." },
  { "weight_low", "From", CULPRIT_KIND_SHARE, "Start of the weight's 95 % interval." },
  { "weight_high", "To", CULPRIT_KIND_SHARE, "End of the weight's 95 % interval." },
  { "confidence", "Confidence", CULPRIT_KIND_RATIO, "How certain it is, from 0 to 1, that it is a cause there." },
  { NULL },
};

const CulpritDefinition culprit_fleet_causes = {
  .row = "cause",
  .columns = columns,
  .text = "culprit class host kernel series captures outliers excess_mean_ns weight",
  .window = "culprit class host kernel captures outliers weight",
  .more = "series excess_mean_ns weight_low weight_high confidence run",
  .report = "culprit class host kernel series captures outliers excess_mean_ns weight",
};
