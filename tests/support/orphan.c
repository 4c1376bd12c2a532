/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into a program: before a process arranges to end with its parent, it makes a file in the folder
 * ORPHAN_FOLDER and waits until that is removed. The parent can be killed meanwhile. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static char folder[3000]; /* kept here, as a load has another environment */

static void __attribute__ ((constructor)) note_folder (void)
{
  const char *given = getenv ("ORPHAN_FOLDER");

  snprintf (folder, sizeof folder, "%s", given ? given : "");
}

static void
wait_for_leave (void)
{
  char path[4096];
  int fd;

  snprintf (path, sizeof path, "%s/process-XXXXXX", folder);
  fd = mkstemp (path);
  if (fd < 0)
    return;
  close (fd);
  while (access (path, F_OK) == 0)
    usleep (5000);
}

int
prctl (int option, ...)
{
  int (*next) (int, ...) = (int (*) (int, ...)) dlsym (RTLD_NEXT, "prctl");
  unsigned long values[4];
  va_list list;

  va_start (list, option);
  for (int i = 0; i < 4; i++)
    values[i] = va_arg (list, unsigned long);
  va_end (list);
  if (option == PR_SET_PDEATHSIG && *folder)
    wait_for_leave ();
  return next (option, values[0], values[1], values[2], values[3]);
}
