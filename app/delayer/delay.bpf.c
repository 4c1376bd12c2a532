/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs in the kernel at the entry of the function: counts the call, and waits busily for as long as settings say. It
 * uses helpers only, no structure of the kernel, so that one object fits all kernels. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "delay.h"

#define NS_PER_S 1000000000ull
#define MOST_TURNS (1 << 23) /* of bpf_loop() */

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (max_entries, 1);
  __type (key, __u32);
  __type (value, struct delay_settings);
} settings SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, __u32);
  __type (value, struct delay_counts);
} counts SEC (".maps");

/* One turn of the wait until *@data; 1 ends it. */
static long
turn (__u32 number, void *data)
{
  return bpf_ktime_get_ns () >= *(__u64 *) data;
}

SEC ("kprobe")
int
delay (void *context)
{
  __u32 first = 0;
  struct delay_settings *wanted = bpf_map_lookup_elem (&settings, &first);
  struct delay_counts *count = bpf_map_lookup_elem (&counts, &first);
  __u64 start_ns = bpf_ktime_get_ns ();
  __u64 end_ns;

  if (!wanted || !count)
    return 0;
  if (start_ns - count->second_ns >= NS_PER_S)
    {
      count->second_ns = start_ns;
      count->in_second_ns = 0;
    }
  count->calls++;
  end_ns = start_ns + wanted->delay_ns;
  if (wanted->delay_ns > 0 && count->in_second_ns + wanted->delay_ns > wanted->budget_ns)
    count->withheld++;
  else if (wanted->delay_ns > 0)
    bpf_loop (MOST_TURNS, turn, &end_ns, 0);
  end_ns = bpf_ktime_get_ns () - start_ns;
  count->spun_ns += end_ns;
  count->in_second_ns += end_ns;
  return 0;
}

char LICENSE[] SEC ("license") = "GPL";
