/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a capture record by record through libtracecmd and prints, for each CPU, how many events of each type it has,
 * the times of the first and the last, what was lost, and a checksum over all times and types: the oracle for our own
 * reader. With a second argument it only reads, for the bench; with "events" it prints each event. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>

#define MAX_TYPES 65536

typedef struct
{
  uint64_t events;
  uint64_t first_ns;
  uint64_t last_ns;
  uint64_t losses;      /* how often events were lost; events before the first one were overwritten, not lost */
  uint64_t lost_events; /* a loss of unknown size counts as one */
  uint64_t checksum;    /* FNV-1a over (time, type) */
  uint64_t counts[MAX_TYPES];
} Sums;

static void
add_to_checksum (Sums *sums, uint64_t value)
{
  for (int byte = 0; byte < 8; byte++)
    sums->checksum = (sums->checksum ^ (value >> (8 * byte) & 0xff)) * 0x100000001b3;
}

static void
add_record (Sums *sums, const struct tep_record *record, int type)
{
  if (sums->events == 0)
    sums->first_ns = record->ts;
  else if (record->missed_events != 0)
    {
      sums->losses++;
      sums->lost_events += record->missed_events > 0 ? record->missed_events : 1;
    }
  sums->events++;
  sums->last_ns = record->ts;
  sums->counts[type & (MAX_TYPES - 1)]++;
  add_to_checksum (sums, record->ts);
  add_to_checksum (sums, type);
}

/* "cpu 0 first 123 last 456 events 789 losses 1 lost 7 checksum 1f", then "cpu 0 type 11 count 300" for each type. */
static void
print_cpu (int cpu, const Sums *sums)
{
  if (sums->events == 0)
    return;
  printf ("cpu %d first %lu last %lu events %lu losses %lu lost %lu checksum %lx\n", cpu, sums->first_ns, sums->last_ns,
          sums->events, sums->losses, sums->lost_events, sums->checksum);
  for (int type = 0; type < MAX_TYPES; type++)
    if (sums->counts[type] > 0)
      printf ("cpu %d type %d count %lu\n", cpu, type, sums->counts[type]);
}

static void
sum_cpu (struct tracecmd_input *handle, struct tep_handle *tep, int cpu)
{
  static Sums sums;
  struct tep_record *record;

  sums = (Sums) { .checksum = 0xcbf29ce484222325 };
  while ((record = tracecmd_read_data (handle, cpu)))
    {
      add_record (&sums, record, tep_data_type (tep, record));
      tracecmd_free_record (record);
    }
  print_cpu (cpu, &sums);
}

static void
only_read_cpu (struct tracecmd_input *handle, int cpu)
{
  struct tep_record *record;

  while ((record = tracecmd_read_data (handle, cpu)))
    tracecmd_free_record (record);
}

static unsigned long long
field (struct tep_event *event, struct tep_record *record, const char *name)
{
  unsigned long long value = 0;

  if (event)
    tep_get_field_val (NULL, event, name, record, &value, 0);
  return value;
}

static unsigned long long
common_field (struct tep_event *event, struct tep_record *record, const char *name)
{
  unsigned long long value = 0;

  if (event)
    tep_get_common_field_val (NULL, event, name, record, &value, 0);
  return value;
}

/* "event CPU TIME PID FLAGS DEPTH-OF-PREEMPTION LOST KIND FUNCTION DEPTH"; LOST: -1 for none. */
static void
print_events (struct tracecmd_input *handle, struct tep_handle *tep, int cpu)
{
  struct tep_record *record;

  while ((record = tracecmd_read_data (handle, cpu)))
    {
      struct tep_event *event = tep_find_event_by_record (tep, record);
      unsigned long long address = field (event, record, "func");
      const char *function = tep_find_function (tep, address);

      printf ("event %d %llu %d %llu %llu %lld %s %s %llu\n", cpu, (unsigned long long) record->ts,
              tep_data_pid (tep, record), common_field (event, record, "common_flags"),
              common_field (event, record, "common_preempt_count") & 15,
              record->missed_events == 0 ? -1ll : (long long) record->missed_events, event ? event->name : "unknown",
              function ? function : "-", field (event, record, "depth"));
      tracecmd_free_record (record);
    }
}

int
main (int argc, char **argv)
{
  struct tracecmd_input *handle = argc > 1 ? tracecmd_open (argv[1], 0) : NULL;

  if (!handle)
    {
      fprintf (stderr, "records: cannot open %s\n", argc > 1 ? argv[1] : "nothing");
      return EXIT_FAILURE;
    }
  for (int cpu = 0; cpu < tep_get_cpus (tracecmd_get_tep (handle)); cpu++)
    if (argc > 2 && strcmp (argv[2], "events") == 0)
      print_events (handle, tracecmd_get_tep (handle), cpu);
    else if (argc > 2)
      only_read_cpu (handle, cpu);
    else
      sum_cpu (handle, tracecmd_get_tep (handle), cpu);
  tracecmd_close (handle);
  return EXIT_SUCCESS;
}
