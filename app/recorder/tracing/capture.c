/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extracts captures with trace-cmd, in a folder that only we can access, and sends them in pieces. */
#include "recorder-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE_SIZE (48 * 1024) /* a multiple of three, so that pieces need no padding */
#define BUFFER_COPIES 2        /* trace-cmd writes each CPU's buffer to a file, and then all of them into one. */
#define CAPTURE_NAME "capture.dat"
#define CHECK_MS 1000
#define STOPPED_PATIENCE_NS 10000000000ll /* for trace-cmd, once the recording is to stop */

/* Folders that only root may list, see folder_open_own(), and what they are made in. */
static const struct
{
  const char *folder;
  const char *above;
} places[] = { { "/var/lib/culprit", "/var/lib" }, { "/run/culprit", "/run" } };

/* What is free there, in bytes: of memory, if it has no size, as ramfs. -1: nothing can be written. */
static int64_t
free_bytes (const struct statvfs *room)
{
  if (room->f_flag & ST_RDONLY)
    return -1;
  return room->f_blocks > 0 ? (int64_t) room->f_bavail * (int64_t) room->f_frsize
                            : (int64_t) sysconf (_SC_AVPHYS_PAGES) * sysconf (_SC_PAGESIZE);
}

int64_t
capture_room (char parent[FOLDER_SIZE])
{
  int64_t most = -1;

  *parent = '\0';
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    {
      struct statvfs room;
      bool known = statvfs (places[i].folder, &room) == 0 || statvfs (places[i].above, &room) == 0;
      int64_t bytes = known ? free_bytes (&room) : -1;

      if (bytes <= most)
        continue;
      most = bytes;
      snprintf (parent, FOLDER_SIZE, "%s", places[i].folder);
    }
  return most;
}

/* Removes what killed recordings left: while we have the lock, nobody else needs anything of it. */
static void
sweep (void)
{
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    {
      int fd = access (places[i].folder, F_OK) == 0 ? folder_open_own (places[i].folder) : -1;
      DIR *directory = fd >= 0 ? fdopendir (fd) : NULL;
      const struct dirent *entry;

      while (directory && (entry = readdir (directory)))
        {
          char folder[FOLDER_SIZE];

          snprintf (folder, sizeof folder, "%.40s/%.20s", places[i].folder, entry->d_name);
          capture_remove_folder (folder);
        }
      if (directory)
        closedir (directory);
    }
}

void
capture_prepare (void)
{
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    {
      int fd = folder_open_own (places[i].folder);

      if (fd >= 0)
        close (fd);
    }
}

static bool
check_parent (const char *parent)
{
  int fd = folder_open_own (parent);

  if (fd < 0)
    return fail ("%s cannot be used for captures: %s; it must be a folder owned by root that nobody else can list",
                 parent, strerror (errno));
  close (fd);
  return true;
}

/* A name in @parent that no other recording has. */
static void
choose_name (char folder[FOLDER_SIZE], const char *parent)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345"; /* as many as five bits tell apart */
  uint8_t random[6] = { 0 };
  char name[sizeof random + 1] = "";

  if (getrandom (random, sizeof random, 0) < 0)
    *random = getpid ();
  for (size_t i = 0; i < sizeof random; i++)
    name[i] = letters[random[i] % 32];
  snprintf (folder, FOLDER_SIZE, "%.40s/culprit-%s", parent, name);
}

bool
capture_choose_folder (const Request *request, char folder[FOLDER_SIZE])
{
  int64_t needed = request->buffer_kb * 1024 * sysconf (_SC_NPROCESSORS_ONLN) * BUFFER_COPIES;
  char parent[FOLDER_SIZE];
  int64_t room;

  sweep ();
  room = capture_room (parent);
  *folder = '\0';
  if (room < needed)
    return fail_with ("more-room", "captures may need %lld MB and %s has %lld MB free", (long long) needed >> 20,
                      parent, (long long) (room > 0 ? room : 0) >> 20);
  if (!check_parent (parent))
    return false;
  choose_name (folder, parent);
  return true;
}

bool
capture_make_folder (char folder[FOLDER_SIZE])
{
  if (mkdir (folder, 0700) == 0)
    return true;
  fail ("%s cannot be created: %s", folder, strerror (errno));
  *folder = '\0';
  return false;
}

static void
run_trace_cmd (pid_t parent, const char *folder, int said_fd)
{
  static char *const environment[] = { "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/",
                                       NULL }; /* Load no plugins. */
  int null = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  sigset_t none;

  lifeline_hold (parent, SIGKILL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  if (chdir (folder) != 0)
    _exit (127);
  dup2 (null, STDIN_FILENO);
  dup2 (said_fd, STDOUT_FILENO);
  dup2 (said_fd, STDERR_FILENO);
  /* -k: keep the tracer, which trace-cmd would otherwise remove and which would have to be patched into every function
   * of the kernel again. */
  execvpe ("trace-cmd", (char *[]) { "trace-cmd", "extract", "-k", "-o", CAPTURE_NAME, NULL }, environment);
  _exit (127);
}

/* Keeps the last line of a program's output that is not empty, until it ends. False: a stop was requested and it is
 * still running. */
static bool
follow_program (int said_fd, char *last, size_t size)
{
  int64_t stopped_ns = 0;
  size_t length = 0;
  bool line_ended = true;

  while (stopped_ns == 0 || now_ns () - stopped_ns < STOPPED_PATIENCE_NS)
    {
      char text[512];
      ssize_t got = control_wait (said_fd, CHECK_MS) ? read (said_fd, text, sizeof text) : -1;

      if (got == 0)
        return true;
      for (ssize_t i = 0; i < got; i++)
        {
          if (text[i] == '\n')
            line_ended = true;
          else if (line_ended && text[i] != ' ' && text[i] != '\t')
            {
              length = 0;
              line_ended = false;
            }
          if (!line_ended && length + 1 < size)
            last[length++] = text[i];
        }
      last[length] = '\0';
      if (stopped_ns == 0 && control_stopped ())
        stopped_ns = now_ns ();
    }
  return false;
}

bool
capture_extract (const char *folder)
{
  char path[FOLDER_SIZE + 16];
  char said[200] = "";
  struct stat information;
  int pipes[2] = { -1, -1 };
  pid_t parent = getpid ();
  pid_t child = -1;
  int status = -1;

  if (!tracing_is_found_by_trace_cmd ()) /* A folder above a mount may have got another name meanwhile. */
    return false;
  if (pipe2 (pipes, O_CLOEXEC) == 0)
    child = fork ();
  if (child == 0)
    run_trace_cmd (parent, folder, pipes[1]);
  close (pipes[1]);
  if (child > 0 && !follow_program (pipes[0], said, sizeof said))
    kill (child, SIGKILL);
  close (pipes[0]);
  snprintf (path, sizeof path, "%s/%s", folder, CAPTURE_NAME);
  if (child > 0 && waitpid (child, &status, 0) == child && status == 0 && stat (path, &information) == 0 &&
      information.st_size > 0)
    return true;
  return fail ("trace-cmd cannot extract the capture into %s: %s", folder, *said ? said : "no reason given");
}

static bool
send_pieces (int fd, int number)
{
  static uint8_t piece[PIECE_SIZE];
  int64_t sent = 0;
  size_t filled = 0;
  ssize_t got;

  do
    {
      got = read (fd, piece + filled, PIECE_SIZE - filled);
      if (got < 0)
        return false;
      filled += got;
      if (filled == PIECE_SIZE || (got == 0 && filled > 0))
        {
          reply_begin ("data");
          reply_bytes ("base64", piece, filled);
          if (!reply_end ())
            return true; /* The session is gone; that is handled elsewhere. */
          sent += filled;
          filled = 0;
        }
    }
  while (got > 0);
  reply_begin ("capture-end");
  reply_int ("capture", number);
  reply_int ("size_bytes", sent);
  reply_end ();
  return true;
}

bool
capture_send (const char *folder, int number)
{
  char path[FOLDER_SIZE + 16];
  int fd;
  bool good;

  snprintf (path, sizeof path, "%s/%s", folder, CAPTURE_NAME);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  good = fd >= 0 && send_pieces (fd, number);
  if (!good)
    fail ("%s cannot be read: %s", path, strerror (errno));
  if (fd >= 0)
    close (fd);
  unlink (path);
  return good;
}

/* Whether @folder can be ours, by its name: a damaged journal may contain any. */
static bool
is_ours (const char *folder)
{
  const char *name = strrchr (folder, '/');

  return name && strncmp (name, "/culprit-", strlen ("/culprit-")) == 0 && strlen (name) == strlen ("/culprit-XXXXXX");
}

void
capture_remove_folder (char folder[FOLDER_SIZE])
{
  bool ours = is_ours (folder);
  int fd = ours ? open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  DIR *directory = fd >= 0 ? fdopendir (fd) : NULL;
  const struct dirent *entry;
  struct stat information;

  /* A damaged journal may name somebody else's. */
  if (directory && fstat (fd, &information) == 0 && information.st_uid == geteuid () &&
      (information.st_mode & 0777) == 0700)
    while ((entry = readdir (directory)))
      unlinkat (fd, entry->d_name, 0);
  if (directory)
    closedir (directory);
  if (ours)
    rmdir (folder);
  *folder = '\0';
}
