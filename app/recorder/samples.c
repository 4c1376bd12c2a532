/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs samples: most take three bytes, as latencies are small and expected times are about a period apart. */
#include "samples.h"

#include "reply.h"
#include "wait.h"

#define MAX_SAMPLE_SIZE 20 /* two numbers of 64 bits, seven at a time */

/* Zigzag LEB128. */
static void
pack (Packed *packed, int64_t value)
{
  uint64_t rest = (uint64_t) value << 1 ^ (uint64_t) (value >> 63);

  for (; rest >= 0x80; rest >>= 7)
    packed->bytes[packed->size++] = rest | 0x80;
  packed->bytes[packed->size++] = rest;
}

void
samples_flush (const Lane *lane, int run, Packed *packed)
{
  if (packed->cycles > 0)
    {
      reply_begin ("samples");
      reply_int ("run", run);
      reply_int ("cpu", lane->cpu);
      reply_int ("first_cycle", packed->first_cycle);
      reply_int ("cycles", packed->cycles);
      reply_int ("first_expected_ns", packed->first_expected_ns);
      reply_bytes ("base64", packed->bytes, packed->size);
      reply_end ();
    }
  packed->first_cycle += packed->cycles;
  packed->cycles = 0;
  packed->size = 0;
  packed->broken = true;
}

/* The number of whole periods missed between two samples. */
static int64_t
missed_between (const Request *request, int64_t before_ns, int64_t expected_ns)
{
  int64_t periods = (expected_ns - before_ns) / request->period_ns;

  return wait_is_absolute (request->method) && periods > 1 ? periods - 1 : 0;
}

static void
add (Totals *totals, const Request *request, int64_t latency_ns)
{
  totals->min_ns = totals->cycles == 0 || latency_ns < totals->min_ns ? latency_ns : totals->min_ns;
  totals->max_ns = totals->cycles == 0 || latency_ns > totals->max_ns ? latency_ns : totals->max_ns;
  totals->sum_ns += latency_ns;
  totals->cycles++;
  totals->late += latency_ns > request->deadline_ns;
  totals->hits += request_has_trigger (request) && request_is_hit (request, latency_ns);
}

void
samples_take (Lane *lane, const Request *request, int run, Packed *packed, Totals *totals)
{
  uint64_t written = atomic_load_explicit (&lane->written, memory_order_acquire);
  uint64_t taken = atomic_load_explicit (&lane->drained, memory_order_relaxed);

  for (; taken < written; taken++)
    {
      Sample sample = *lane_sample (lane, taken);
      int64_t latency_ns = sample.observed_ns - sample.expected_ns;

      if (packed->size > PACKED_SIZE - MAX_SAMPLE_SIZE)
        {
          samples_flush (lane, run, packed);
          packed->broken = taken == 0;
        }
      if (packed->cycles == 0)
        packed->first_expected_ns = sample.expected_ns;
      if (!packed->broken)
        totals->missed += missed_between (request, packed->last_expected_ns, sample.expected_ns);
      pack (packed, packed->cycles == 0 ? 0 : sample.expected_ns - packed->last_expected_ns - request->period_ns);
      pack (packed, latency_ns);
      packed->last_expected_ns = sample.expected_ns;
      packed->broken = false;
      packed->cycles++;
      add (totals, request, latency_ns);
    }
  atomic_store_explicit (&lane->drained, written, memory_order_release);
}
