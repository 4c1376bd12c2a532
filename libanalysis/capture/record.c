/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Room for packed events. Mapped and not allocated, for large pages: a large capture by small ones cost 0.4 s of page
 * faults. What was packed is copied: moving the mapping saves no time that can be measured, and the thread sanitizer
 * does not know mremap(). */
#include "record-private.h"

#include <string.h>
#include <sys/mman.h>

#define FIRST_RECORDS (1 << 10)      /* A capture may have thousands of CPUs with little on each. */
#define HUGE_BYTES (4 * 1024 * 1024) /* from which on huge pages save time and waste little */

gboolean
records_grow (Records *records)
{
  gsize capacity = records->capacity ? records->capacity * 2 : FIRST_RECORDS;
  gsize size = capacity * sizeof (Record);
  gpointer data = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (data == MAP_FAILED)
    return FALSE;
  if (size >= HUGE_BYTES)
    madvise (data, size, MADV_HUGEPAGE);
  if (records->data)
    memcpy (data, records->data, records->n * sizeof (Record));
  records_clear (records);
  records->data = data;
  records->capacity = capacity;
  return TRUE;
}

void
records_clear (Records *records)
{
  if (records->data)
    munmap (records->data, records->capacity * sizeof (Record));
}
