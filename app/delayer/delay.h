/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program in the kernel shares with the one that loads it. */
#pragma once

#include <linux/types.h>

struct delay_settings
{
  __u64 delay_ns;  /* at each call; 0: only count */
  __u64 budget_ns; /* of delay per second and CPU: beyond it calls are not delayed */
};

/* Of one CPU, since it was loaded. */
struct delay_counts
{
  __u64 calls;
  __u64 spun_ns;   /* really, in all of them */
  __u64 withheld;  /* calls that were not delayed, as the budget was used up */
  __u64 second_ns; /* when the current second began */
  __u64 in_second_ns;
};
