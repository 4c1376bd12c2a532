/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the samples of a measuring thread out of its ring, adds them up, and sends them packed, without loss. */
#pragma once

#include "cyclic.h"

#define PACKED_SIZE (48 * 1024)

/* Sums over a run. */
typedef struct
{
  int64_t cycles;
  int64_t min_ns;
  int64_t max_ns;
  double sum_ns;
  int64_t hits;
  int64_t missed;
  int64_t late;
} Totals;

/* What was taken from one thread and not sent yet. */
typedef struct
{
  int64_t first_cycle; /* of the run on this CPU */
  int64_t first_expected_ns;
  int64_t last_expected_ns;
  int64_t cycles;
  bool broken; /* The next sample does not directly follow the last one: it begins a new line. */
  size_t size;
  uint8_t bytes[PACKED_SIZE];
} Packed;

/* Takes all available samples. */
void samples_take (Lane *lane, const Request *request, int run, Packed *packed, Totals *totals);

/* Sends what is left; the next sample begins a new line. */
void samples_flush (const Lane *lane, int run, Packed *packed);
