/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our group lies below the first one, which is root's; no group that has processes lies above or below it. It is moved
 * to by files that were opened at the start, so that this needs no capability later. */
#include "group.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define OWN "culprit-recorder"
#define TRIES 5 /* The last process of another recording may remove our group before we are in it. */

static int top = -1;    /* the folder of the first group */
static int caller = -1; /* the file that moves to the caller's group */

static int
open_top (void)
{
  static const char *const places[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
  struct statfs information;

  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    {
      int fd = open (places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

      if (fd >= 0 && fstatfs (fd, &information) == 0 && information.f_type == CGROUP2_SUPER_MAGIC)
        return fd;
      if (fd >= 0)
        close (fd);
    }
  return -1;
}

/* The path of the caller's group below the first one, which the caller frees; NULL: it is the first one, or none. */
static char *
find_path (void)
{
  FILE *file = fopen ("/proc/self/cgroup", "re");
  char *path = NULL;
  char *line = NULL;
  size_t size = 0;

  while (file && !path && getline (&line, &size, file) > 0)
    {
      line[strcspn (line, "\n")] = '\0';
      if (strncmp (line, "0::/", 4) == 0 && line[4] && asprintf (&path, "%s/cgroup.procs", line + 4) < 0)
        path = NULL;
    }
  free (line);
  if (file)
    fclose (file);
  return path;
}

/* "0" is whoever writes it. */
static bool
move_to (int group)
{
  return group >= 0 && write (group, "0", 1) == 1;
}

bool
group_leave (void)
{
  char *path = find_path ();
  bool left = false;

  top = path ? open_top () : -1;
  if (top < 0)
    {
      free (path);
      return true;
    }
  caller = openat (top, path, O_WRONLY | O_CLOEXEC);
  free (path);
  for (int i = 0; caller >= 0 && !left && i < TRIES; i++)
    {
      int own = mkdirat (top, OWN, 0700) == 0 || errno == EEXIST
                    ? openat (top, OWN "/cgroup.procs", O_WRONLY | O_CLOEXEC)
                    : -1;
      int problem;

      left = move_to (own);
      problem = errno;
      if (own >= 0)
        close (own);
      errno = problem;
    }
  return left;
}

bool
group_return (void)
{
  return caller < 0 || move_to (caller);
}

void
group_end (void)
{
  int first = caller >= 0 ? openat (top, "cgroup.procs", O_WRONLY | O_CLOEXEC) : -1;

  if (move_to (first))
    unlinkat (top, OWN, AT_REMOVEDIR);
  if (first >= 0)
    close (first);
}
