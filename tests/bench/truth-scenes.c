/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of scenes. */
#include "truth-scenes.h"

#define ONCE                                                                                                           \
  {                                                                                                                    \
    1, 1                                                                                                               \
  }
#define USUAL_CALL_NS                                                                                                  \
  {                                                                                                                    \
    3000, 8000                                                                                                         \
  }
#define NOTHING(n)                                                                                                     \
  {                                                                                                                    \
    .kind = CAUSE_NOTHING, .captures = n                                                                               \
  }
#define FUNCTION(n, ...)                                                                                               \
  {                                                                                                                    \
    .kind = CAUSE_FUNCTION, .captures = n, .guilt = { __VA_ARGS__ }                                                    \
  }
#define OF_KIND(which, n)                                                                                              \
  {                                                                                                                    \
    .kind = which, .captures = n                                                                                       \
  }
#define NOISE(n, ...)                                                                                                  \
  {                                                                                                                    \
    .kind = CAUSE_NOISE, .captures = n, __VA_ARGS__                                                                    \
  }
#define AS_OTHERS_NS                                                                                                   \
  {                                                                                                                    \
    200, 2000                                                                                                          \
  }
#define COST(n) FUNCTION (n, .runs = 1, .calls = ONCE, .call_ns = USUAL_CALL_NS, .late_calls = ONCE)
#define COST_OF_A_SMALL_ONE(n) FUNCTION (n, .runs = 1, .calls = ONCE, .call_ns = AS_OTHERS_NS, .late_calls = ONCE)
#define STALLS(n, ...)                                                                                                 \
  {                                                                                                                    \
    .kind = CAUSE_STALLS, .captures = n, __VA_ARGS__                                                                   \
  }
#define STALL(n) STALLS (n, .strikes = ONCE)
#define SEVERAL(n) STALLS (n, .strikes = { 1, 5 }, .strike_ns = { 1e6, 12e6 })

static const Scene scenes[] = {
  { "null-20", { NOTHING (10) }, .slowest_of = 20 },
  { "null-1e3", { NOTHING (10) }, .slowest_of = 1000 },
  { "null-1e4", { NOTHING (10) }, .slowest_of = 10000 },
  { "null-1e5", { NOTHING (10) }, .slowest_of = 100000 },
  { "null-broad", { NOTHING (10) }, .slowest_of = 10000, .sigma = .8 },
  { "null-gamma", { NOTHING (10) }, .slowest_of = 10000, .costs = COSTS_GAMMA },
  { "null-pareto", { NOTHING (10) }, .slowest_of = 10000, .costs = COSTS_PARETO },
  { "null-common", { NOTHING (10) }, .slowest_of = 10000, .costs = COSTS_COMMON },
  { "null-sum", { { .captures = 10, .varies = VARIES_CALLS, .others = { 6, 10 } } }, .slowest_of = 5000 },
  { "null-foreign", { NOTHING (10) }, .slowest_of = 10000, .foreign = TRUE },
  { "count",
    { FUNCTION (
        10, .runs = 1, .calls = { 0, 20 }, .call_ns = { 800, 4000 }, .late_calls = { 100, 500 }, .too_often = TRUE) },
    .right = .98 },
  { "cost", { COST (10) }, .right = .98 },
  { "cost-pareto", { COST (10) }, .costs = COSTS_PARETO },
  { "cost-foreign", { COST (10) }, .foreign = TRUE },
  { "rare", { FUNCTION (10, .runs = .2, .calls = ONCE, .call_ns = USUAL_CALL_NS, .late_calls = ONCE) }, .right = .98 },
  { "never", { FUNCTION (10, .call_ns = USUAL_CALL_NS, .late_calls = ONCE) }, .right = .98 },
  { "never-elsewhere", { FUNCTION (10, .call_ns = USUAL_CALL_NS, .late_calls = ONCE, .elsewhere = 1) }, .right = .98 },
  { "never-often",
    { FUNCTION (10, .call_ns = { 800, 4000 }, .late_calls = { 100, 500 }, .elsewhere = 3, .too_often = TRUE) },
    .right = .98 },
  { "few",
    { FUNCTION (10, .in_windows = { 1, 2 }, .calls = ONCE, .call_ns = USUAL_CALL_NS, .late_calls = ONCE) },
    .right = .98 },
  { "settle",
    { FUNCTION (10,
                .in_windows = { 0, 2 },
                .calls = ONCE,
                .call_ns = { 5000, 50000 },
                .late_calls = ONCE,
                .late_ns = 2.5e6,
                .elsewhere = .2,
                .elsewhere_ns = 2.5e6) },
    .right = .98 },
  { "continuous-count", { NOISE (10, .varies = VARIES_CALLS) }, .slowest_of = 2000, .right = .98 },
  { "continuous-cost", { NOISE (10, .varies = VARIES_COST) }, .slowest_of = 2000, .right = .98 },
  { "noisy-one", { NOISE (10, .varies = VARIES_HEAVY, .others = { 5, 12 }) }, .slowest_of = 2000 },
  { "partial-count",
    { FUNCTION (10,
                .runs = 1,
                .calls = { 0, 20 },
                .call_ns = { 800, 4000 },
                .late_calls = { 250, 500 },
                .partly = .05,
                .too_often = TRUE) },
    .right = .98 },
  { "partial-cost",
    { FUNCTION (10, .runs = 1, .calls = ONCE, .call_ns = USUAL_CALL_NS, .late_calls = ONCE, .partly = .05) },
    .right = .98 },
  { "spread", { OF_KIND (CAUSE_PATH, 10) }, .right = .98 },
  { "softirq", { OF_KIND (CAUSE_SOFTIRQ, 10) }, .right = .98 },
  { "syscalls", { OF_KIND (CAUSE_SYSCALLS, 10) }, .right = .98 },
  { "one", { COST (1), NOTHING (9) }, .slowest_of = 1000 },
  { "two", { COST (7), COST (3) }, .right = .98, .listed = .98 },
  { "two-drawn", { COST (7), COST (3) }, .drawn = TRUE },
  { "eight-five", { COST (8), COST (5) }, .listed = .98 },
  { "half", { COST_OF_A_SMALL_ONE (5), STALL (5) }, .right = .9, .listed = .9 },
  { "half-drawn", { COST_OF_A_SMALL_ONE (5), STALL (5) }, .drawn = TRUE },
  { "half-heavy", { COST (5), STALL (5) } },
  { "blind", { STALL (10) }, .right = .98 },
  { "blind5", { STALL (5) }, .right = .95 },
  { "several", { SEVERAL (10) } },
  { "prone", { STALLS (10, .strikes = ONCE, .prone = 5) } },
  { "places", { STALLS (10, .strikes = ONCE, .places = 12) } },
  { "several+cost", { SEVERAL (5), COST_OF_A_SMALL_ONE (5) } },
  { "several+cost-heavy", { SEVERAL (5), COST (5) } },
  { "storm", { OF_KIND (CAUSE_STORM, 10) } },
  { "task", { OF_KIND (CAUSE_TASK, 10) } },
  { "common", { OF_KIND (CAUSE_SLOWNESS, 10) } },
};

gboolean
cause_is_slowest (const Cause *cause)
{
  return cause->captures > 0 && (cause->kind == CAUSE_NOTHING || cause->kind == CAUSE_NOISE);
}

const Scene *
truth_scene (guint place)
{
  return &scenes[place];
}

guint
truth_scenes (void)
{
  return G_N_ELEMENTS (scenes);
}

const Scene *
truth_scene_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    if (g_str_equal (scenes[i].name, name))
      return &scenes[i];
  return NULL;
}
