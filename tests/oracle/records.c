/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a capture record by record through libtracecmd and prints, for each CPU, how many events of which type it
 * holds and when the first and the last happened: the oracle for our own reading. With a second argument it only
 * reads, for the bench. */
#include <stdio.h>
#include <stdlib.h>
#include <trace-cmd.h>

#define MAX_TYPES 65536

/* "cpu 0 first 123 last 456 events 789", then "cpu 0 type 11 count 300" for each type. */
static void
print_cpu (int cpu, unsigned long long first, unsigned long long last, const unsigned long *counts)
{
  unsigned long events = 0;

  for (int type = 0; type < MAX_TYPES; type++)
    events += counts[type];
  if (events == 0)
    return;
  printf ("cpu %d first %llu last %llu events %lu\n", cpu, first, last, events);
  for (int type = 0; type < MAX_TYPES; type++)
    if (counts[type] > 0)
      printf ("cpu %d type %d count %lu\n", cpu, type, counts[type]);
}

static void
read_cpu (struct tracecmd_input *handle, struct tep_handle *tep, int cpu, int quiet)
{
  static unsigned long counts[MAX_TYPES];
  unsigned long long first = 0;
  unsigned long long last = 0;
  struct tep_record *record;

  for (int type = 0; type < MAX_TYPES; type++)
    counts[type] = 0;
  while ((record = tracecmd_read_data (handle, cpu)))
    {
      if (first == 0)
        first = record->ts;
      last = record->ts;
      counts[tep_data_type (tep, record) & (MAX_TYPES - 1)]++;
      tracecmd_free_record (record);
    }
  if (!quiet)
    print_cpu (cpu, first, last, counts);
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
    read_cpu (handle, tracecmd_get_tep (handle), cpu, argc > 2);
  tracecmd_close (handle);
  return EXIT_SUCCESS;
}
