/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a load. Its processes are known by their session, whatever groups they form and whoever started them. */
#include "load.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_STEPS 50
#define STEP_NS 20000000

/* Becomes the user who asked root for this recording, if that was somebody else. */
static bool
become_user (void)
{
  const char *asked = getenv ("PKEXEC_UID") ? getenv ("PKEXEC_UID") : getenv ("SUDO_UID");
  const struct passwd *user = asked && isdigit (*asked) ? getpwuid (atoi (asked)) : NULL;

  if (!asked)
    return true;
  return user && initgroups (user->pw_name, user->pw_gid) == 0 && setgid (user->pw_gid) == 0 &&
         setuid (user->pw_uid) == 0;
}

static void
run_load (const char *command)
{
  int null = open ("/dev/null", O_RDWR);
  sigset_t none;

  setsid ();
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  signal (SIGPIPE, SIG_DFL);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    dup2 (null, fd);
  if (become_user () && prctl (PR_SET_PDEATHSIG, SIGKILL) == 0) /* in this order: another user loses it */
    execl ("/bin/sh", "sh", "-c", command, NULL);
  _exit (127);
}

pid_t
load_start (const char *command, char *problem, size_t size)
{
  pid_t session = fork ();

  if (session == 0)
    run_load (command);
  if (session < 0)
    snprintf (problem, size, "the load cannot be started: %s", strerror (errno));
  return session;
}

bool
load_has_ended (pid_t session, int *status)
{
  siginfo_t info = { 0 };

  if (session <= 0 || waitid (P_PID, session, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return false;
  *status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  return true;
}

/* The session of process @pid; -1 where it is gone. */
static pid_t
session_of (const char *pid)
{
  char path[300];
  char text[512];
  size_t length;
  FILE *file;
  const char *after;
  int session = -1;

  snprintf (path, sizeof path, "/proc/%s/stat", pid);
  file = fopen (path, "re");
  if (!file)
    return -1;
  length = fread (text, 1, sizeof text - 1, file);
  fclose (file);
  text[length] = '\0';
  after = strrchr (text, ')'); /* The name before it may hold anything. */
  return after && sscanf (after + 1, " %*c %*d %*d %d", &session) == 1 ? session : -1;
}

/* Sends @number to all processes of @session. Returns how many there were. */
static int
signal_session (pid_t session, int number)
{
  DIR *processes = opendir ("/proc");
  const struct dirent *entry;
  int count = 0;

  while (processes && (entry = readdir (processes)))
    if (isdigit (*entry->d_name) && session_of (entry->d_name) == session && kill (atoi (entry->d_name), number) == 0)
      count++;
  if (processes)
    closedir (processes);
  return count;
}

/* Takes away the remains of those of @session that are our children, by birth or as orphans. */
static void
reap (pid_t session)
{
  siginfo_t info = { 0 };

  while (waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0)
    {
      char pid[16];

      snprintf (pid, sizeof pid, "%d", info.si_pid);
      if (session_of (pid) != session)
        return;
      waitpid (info.si_pid, NULL, 0);
      info.si_pid = 0;
    }
}

void
load_end (pid_t session)
{
  const struct timespec step = { 0, STEP_NS };

  if (session <= 0)
    return;
  for (int i = 0; i < PATIENCE_STEPS; i++)
    {
      if (signal_session (session, i == 0 ? SIGTERM : i < PATIENCE_STEPS / 2 ? 0 : SIGKILL) == 0)
        break;
      reap (session);
      nanosleep (&step, NULL);
    }
  reap (session);
}
