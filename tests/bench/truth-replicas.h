/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replication: what carries further late wake-ups of a study, of which its captures are a few. The share of them that a
 * function or path carries is what a verdict's "in k of n" estimates. */
#pragma once

#include "truth-study.h"

/* {"drawn", "late": how many of these stand out, "stalled": in how many of them the processor stood still, "carriers":
 * [{"source", "path": functions from the source down, "own": whether that is by the function's own time, over all its
 * paths, "late": how many it carries, "stalled": how many of those stood still}]}. Draws from @study's random numbers,
 * from another @seed. */
char *replicas_as_json (const Study *study, gulong seed);
