/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Room for packed events. Mapped and not allocated, for large pages: a large capture by small ones cost 0.4 s of page
 * faults. What was packed is copied: moving the mapping saves no time that can be measured, and the thread sanitizer
 * does not know mremap(). */
#include "packed-events-private.h"

#include <string.h>
#include <sys/mman.h>

#define FIRST_WORDS (1 << 10)        /* A capture may have thousands of CPUs with little on each. */
#define HUGE_BYTES (4 * 1024 * 1024) /* from which on huge pages save time and waste little */

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
