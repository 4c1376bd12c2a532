/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps what would survive a power cut: preloaded into a program, it copies to the folder SYNCED_KEEP the content of
 * each file, and the names in each folder, whenever the program syncs them, and at no other time. With SYNCED_CUT=N it
 * kills the program instead of its Nth sync. support/power.py makes a disk of what was kept. For file systems that do
 * not reuse inode numbers, such as tmpfs. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int (*Sync) (int fd);

static int
copy_file (int fd, int to)
{
  char path[64];
  int from;

  snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  from = open (path, O_RDONLY | O_CLOEXEC);
  if (from < 0)
    return -1;
  while (sendfile (to, from, NULL, 1 << 30) > 0)
    ;
  return close (from);
}

/* A line for each name: its inode, and the name. */
static int
copy_names (int fd, int to)
{
  int folder = openat (fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = folder < 0 ? NULL : fdopendir (folder);
  struct dirent *entry;

  while (dir && (entry = readdir (dir)))
    {
      if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
        dprintf (to, "%lu %s\n", entry->d_ino, entry->d_name);
    }
  return dir ? closedir (dir) : -1;
}

/* Atomically, by a rename: a kill may come in between. */
static void
keep (int fd)
{
  static atomic_int number;
  const char *folder = getenv ("SYNCED_KEEP");
  char part[PATH_MAX], path[PATH_MAX];
  struct stat status;
  int to;

  if (fstat (fd, &status) != 0 || (!S_ISREG (status.st_mode) && !S_ISDIR (status.st_mode)))
    return;
  snprintf (part, sizeof part, "%s/part-%d-%d", folder, getpid (), atomic_fetch_add (&number, 1));
  snprintf (path, sizeof path, "%s/%lu", folder, status.st_ino);
  to = open (part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (to < 0 || (S_ISREG (status.st_mode) ? copy_file (fd, to) : copy_names (fd, to)) != 0 || close (to) != 0 ||
      rename (part, path) != 0)
    abort ();
}

static int
sync_and_keep (const char *name, int fd)
{
  static atomic_int count;
  const char *cut = getenv ("SYNCED_CUT");
  Sync real = (Sync) dlsym (RTLD_NEXT, name);
  int result;

  if (cut && atomic_fetch_add (&count, 1) + 1 == atoi (cut))
    kill (getpid (), SIGKILL);
  result = real (fd);
  if (result == 0)
    keep (fd);
  return result;
}

int
fsync (int fd)
{
  return sync_and_keep ("fsync", fd);
}

int
fdatasync (int fd)
{
  return sync_and_keep ("fdatasync", fd);
}
