/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory for packed events. It is mapped rather than allocated, to get huge pages: with small pages, a large capture
 * cost 0.4 s of page faults. Growing copies the events: moving the mapping is not measurably faster, and the thread
 * sanitizer does not know mremap(). */
#include "packed-events-private.h"

#include <string.h>
#include <sys/mman.h>

#define FIRST_WORDS (1 << 10)        /* A capture may have thousands of CPUs with few events each. */
#define HUGE_BYTES (4 * 1024 * 1024) /* from here on huge pages save time and waste little */

gboolean
packed_grow (PackedEvents *packed)
{
  gsize capacity = packed->capacity ? packed->capacity * 2 : FIRST_WORDS;
  gsize size = capacity * sizeof (PackedWord);
  gpointer data = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (data == MAP_FAILED)
    return FALSE;
  if (size >= HUGE_BYTES)
    madvise (data, size, MADV_HUGEPAGE);
  if (packed->data)
    memcpy (data, packed->data, packed->n * sizeof (PackedWord));
  packed_clear (packed);
  packed->data = data;
  packed->capacity = capacity;
  return TRUE;
}

void
packed_clear (PackedEvents *packed)
{
  if (packed->data)
    munmap (packed->data, packed->capacity * sizeof (PackedWord));
}
