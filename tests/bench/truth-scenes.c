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
  { "one", { COST (1), NOTHING (9) }, .slowest_of = 1000 },
  { "two", { COST (7), COST (3) }, .listed = .98 },
  { "eight-five", { COST (8), COST (5) }, .listed = .98 },
  { "half", { COST_OF_A_SMALL_ONE (5), STALL (5) }, .listed = .9 },
  { "half-heavy", { COST (5), STALL (5) } },
  { "blind", { STALL (10) }, .right = .98 },
  { "blind5", { STALL (5) }, .right = .95 },
  { "several", { SEVERAL (10) } },
  { "prone", { STALLS (10, .strikes = ONCE, .prone = 5) } },
  { "places", { STALLS (10, .strikes = ONCE, .places = 12) } },
  { "several+cost", { SEVERAL (5), COST_OF_A_SMALL_ONE (5) } },
  { "several+cost-heavy", { SEVERAL (5), COST (5) } },
  { "storm", { { .kind = CAUSE_STORM, .captures = 10 } } },
  { "task", { { .kind = CAUSE_TASK, .captures = 10 } } },
  { "common", { { .kind = CAUSE_SLOWNESS, .captures = 10 } } },
};

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
