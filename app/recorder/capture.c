/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extracts captures by trace-cmd, in a folder that is ours alone, and sends them in pieces. */
#include "capture.h"

#include "reply.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE_SIZE (48 * 1024) /* a multiple of three, so that pieces need no padding */
#define BUFFER_COPIES 2        /* trace-cmd writes each CPU's buffer to a file, and then all of them to one. */
#define CAPTURE_NAME "capture.dat"
#define PROBLEM_NAME "problem"

int64_t
capture_room (char place[FOLDER_SIZE])
{
  static const char *const places[] = { "/var/tmp", "/tmp" };
  int64_t most = -1;

  *place = '\0';
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    {
      struct statvfs room;
      int64_t bytes = statvfs (places[i], &room) == 0 ? (int64_t) room.f_bavail * (int64_t) room.f_frsize : -1;

      if (bytes <= most)
        continue;
      most = bytes;
      snprintf (place, FOLDER_SIZE, "%s", places[i]);
    }
  return most;
}

bool
capture_folder (const Request *request, char folder[FOLDER_SIZE], char *problem, size_t size)
{
  int64_t needed = request->buffer_kb * 1024 * sysconf (_SC_NPROCESSORS_ONLN) * BUFFER_COPIES;
  char place[FOLDER_SIZE];
  int64_t room = capture_room (place);

  *folder = '\0';
  if (room < needed)
    snprintf (problem, size,
              "captures may need %lld MB and %s has %lld MB free; make room there, or take a smaller --buffer",
              (long long) needed >> 20, place, (long long) (room > 0 ? room : 0) >> 20);
  else
    {
      snprintf (folder, FOLDER_SIZE, "%.40s/culprit-XXXXXX", place);
      if (mkdtemp (folder))
        return true;
      snprintf (problem, size, "%s cannot be made: %s", folder, strerror (errno));
      *folder = '\0';
    }
  return false;
}

static void
run_trace_cmd (const char *folder)
{
  int null = open ("/dev/null", O_RDWR);
  int out;
  sigset_t none;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  if (null < 0 || chdir (folder) != 0 || (out = open (PROBLEM_NAME, O_WRONLY | O_CREAT | O_TRUNC, 0600)) < 0)
    _exit (127);
  dup2 (null, STDIN_FILENO);
  dup2 (out, STDOUT_FILENO);
  dup2 (out, STDERR_FILENO);
  execlp ("trace-cmd", "trace-cmd", "extract", "-o", CAPTURE_NAME, NULL);
  _exit (127);
}

/* What trace-cmd said last, on one line. */
static void
read_problem (const char *folder, char *text, size_t size)
{
  char path[FOLDER_SIZE + 16];
  char line[256];
  FILE *file;

  snprintf (text, size, "no reason given");
  snprintf (path, sizeof path, "%s/%s", folder, PROBLEM_NAME);
  file = fopen (path, "re");
  while (file && fgets (line, sizeof line, file))
    if (line[strspn (line, " \t\n")])
      snprintf (text, size, "%.*s", (int) strcspn (line, "\n"), line);
  if (file)
    fclose (file);
}

bool
capture_extract (const char *folder, char *problem, size_t size)
{
  char path[FOLDER_SIZE + 16];
  char said[200];
  struct stat information;
  pid_t child = fork ();
  int status = -1;

  if (child == 0)
    run_trace_cmd (folder);
  snprintf (path, sizeof path, "%s/%s", folder, CAPTURE_NAME);
  if (child > 0 && waitpid (child, &status, 0) == child && status == 0 && stat (path, &information) == 0 &&
      information.st_size > 0)
    return true;
  read_problem (folder, said, sizeof said);
  snprintf (problem, size, "trace-cmd cannot extract the capture into %s: %s", folder, said);
  return false;
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
            return true; /* The session is gone; that is noticed elsewhere. */
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
capture_send (const char *folder, int number, char *problem, size_t size)
{
  char path[FOLDER_SIZE + 16];
  int fd;
  bool good;

  snprintf (path, sizeof path, "%s/%s", folder, CAPTURE_NAME);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  good = fd >= 0 && send_pieces (fd, number);
  if (!good)
    snprintf (problem, size, "%s cannot be read: %s", path, strerror (errno));
  if (fd >= 0)
    close (fd);
  unlink (path);
  return good;
}

void
capture_remove_folder (char folder[FOLDER_SIZE])
{
  DIR *directory = *folder ? opendir (folder) : NULL;
  const struct dirent *entry;

  while (directory && (entry = readdir (directory)))
    unlinkat (dirfd (directory), entry->d_name, 0);
  if (directory)
    closedir (directory);
  if (*folder)
    rmdir (folder);
  *folder = '\0';
}
