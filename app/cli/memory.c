/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GLib aborts a program that runs out of memory, and if there is no memory even for its message, it recurses until the
 * stack is full. So a failed small allocation is not returned to the caller: the program exits right there. A caller
 * whose large allocation fails may be able to handle it. */
#include "command.h"

#include "command.h"

#include <errno.h>
#include <glib/gprintf.h>
#include <stdlib.h>
#include <unistd.h>

#define LARGE (1 << 20)

/* Messages other than the fatal one are handled as usual. */
static GLogWriterOutput
write_message (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  const char *text = "";

  if (!(level & G_LOG_LEVEL_ERROR))
    return g_log_writer_default (level, fields, n, data);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal (fields[i].key, "MESSAGE"))
      text = fields[i].value;
  g_fprintf (stderr, "culprit: out of memory (%s); make more memory available (see ulimit -v)\n", text);
  _exit (EXIT_BAD);
}

void
memory_begin (void)
{
  g_log_set_writer_func (write_message, NULL, NULL);
}

#if defined __GLIBC__ && defined CULPRIT_OWN_MALLOC

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *block, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

static void *
have (void *block, size_t size)
{
  static const char text[] = "culprit: out of memory; make more memory available (see ulimit -v)\n";
  static int said;

  if (block || size == 0 || size > LARGE)
    return block;
  while (g_atomic_int_add (&said, 1) > 0) /* Another thread is ending the program. */
    pause ();
  (void) !write (STDERR_FILENO, text, sizeof text - 1);
  _exit (EXIT_BAD);
}

void *
malloc (size_t size)
{
  return have (__libc_malloc (size), size);
}

void *
calloc (size_t n, size_t size)
{
  return have (__libc_calloc (n, size), n * size);
}

void *
realloc (void *block, size_t size)
{
  return have (__libc_realloc (block, size), size);
}

/* Used by g_slice_alloc(), which passes valid alignments. */
int
posix_memalign (void **block, size_t alignment, size_t size)
{
  *block = have (__libc_memalign (alignment, size), size);
  return *block || size == 0 ? 0 : ENOMEM;
}

#endif
