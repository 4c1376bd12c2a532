/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What we have of our caller: who that is, the control group, and what is inherited, e.g. an ignored SIGCHLD, a CPU
 * limit of one second, a closed standard output. It is undone. */
#include "recorder-private.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/keyctl.h>
#include <linux/magic.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Finds the requesting user. su does not say who it was; but the audit system remembers the login, and so does logind
 * in the name of the control group. */

#define NOBODY UINT32_MAX /* the kernel's value for no login */

/* Parses a user number; NOBODY if @text is something else. */
static uint32_t
parse_uid (const char *text)
{
  char *end;
  unsigned long long uid = strtoull (text, &end, 10);

  return *text >= '0' && *text <= '9' && *end == '\0' && uid < NOBODY ? uid : NOBODY;
}

/* By the audit system; NOBODY: it does not tell. */
static uint32_t
read_login (void)
{
  FILE *file = fopen ("/proc/self/loginuid", "re");
  char text[16] = "";
  uint32_t uid = file && fgets (text, sizeof text, file) ? parse_uid (text) : NOBODY;

  if (file)
    fclose (file);
  return uid;
}

static uint32_t
find_login (void)
{
  uint32_t uid = read_login ();
  FILE *file = uid == NOBODY ? fopen ("/proc/self/cgroup", "re") : NULL;
  char text[256] = "";
  const char *slice = NULL;

  while (file && !slice && fgets (text, sizeof text, file))
    slice = strstr (text, "/user-");
  if (slice && sscanf (slice, "/user-%u.slice", &uid) != 1)
    uid = NOBODY;
  if (file)
    fclose (file);
  return uid;
}

static const Caller *replaced;

static mode_t mask;

/* Limits that would end or hinder a recording, or that no other user's command shall have; and a core in the caller's
 * folder would be a file of root's. */
static const int resources[CALLER_LIMITS] = {
  RLIMIT_AS,   RLIMIT_CORE,   RLIMIT_CPU,   RLIMIT_DATA,   RLIMIT_FSIZE,  RLIMIT_MEMLOCK,    RLIMIT_MSGQUEUE,
  RLIMIT_NICE, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_RTPRIO, RLIMIT_RTTIME, RLIMIT_SIGPENDING, RLIMIT_STACK,
};

static struct rlimit limits[CALLER_LIMITS];

static char origin[PATH_MAX]; /* the caller's control group, below the first one */

/* What says who called: all of them, since pkexec, sudo and doas may leave each other's to the caller. */
static const char *const variables[] = { "PKEXEC_UID", "SUDO_UID", "DOAS_USER" };

/* Whether @variable is set. @uid: whom it names; NOBODY: nobody who is known. */
static bool
names_caller (const char *variable, uint32_t *uid)
{
  const char *value = getenv (variable);
  const struct passwd *user;

  if (!value)
    return false;
  if (strcmp (variable, "DOAS_USER") != 0)
    *uid = parse_uid (value);
  else
    *uid = (user = getpwnam (value)) ? user->pw_uid : NOBODY;
  return true;
}

bool
caller_is_clear (char *text, size_t size)
{
  uint32_t login = read_login ();
  const char *first = NULL;
  uint32_t named = NOBODY;
  uint32_t uid;

  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    {
      if (!names_caller (variables[i], &uid))
        continue;
      if (first && uid != named)
        {
          snprintf (text, size, "the requesting user is not clear: %s and %s name different ones; unset the wrong one",
                    first, variables[i]);
          return false;
        }
      first = variables[i];
      named = uid;
    }
  if (!first || named != 0 || login == NOBODY || login == 0)
    return true;
  snprintf (text, size, "the requesting user is not clear: %s names root, but user %u logged in; unset it", first,
            login);
  return false;
}

static uint32_t
find_uid (void)
{
  uint32_t uid;

  if (replaced)
    return replaced->uid;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (names_caller (variables[i], &uid))
      return uid;
  uid = find_login ();
  return uid != NOBODY ? uid : getuid ();
}

/* The requesting user; NULL if there is no user of that number or name. */
static const struct passwd *
find_caller (void)
{
  static const struct passwd nameless = { .pw_name = "root", .pw_dir = "/" }; /* A board may lack /etc/passwd. */
  uint32_t uid = find_uid ();
  const struct passwd *user = uid != NOBODY ? getpwuid (uid) : NULL;

  return !user && uid == 0 ? &nameless : user;
}

/* Who owns the folder that we are in, without asking whoever serves it, who may never answer. */
static bool
find_folder_owner (uint32_t *uid)
{
  struct statx folder;

  if (statx (AT_FDCWD, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_UID, &folder) != 0)
    return false;
  *uid = folder.stx_uid;
  return true;
}

bool
caller_note (Caller *caller)
{
  const struct passwd *user = find_caller ();

  if (!user)
    return false;
  *caller = (Caller) { .uid = user->pw_uid, .mask = mask };
  memcpy (caller->limits, limits, sizeof limits);
  memcpy (caller->group, origin, sizeof origin);
  if (!find_folder_owner (&caller->folder_owner) || !getcwd (caller->folder, sizeof caller->folder))
    *caller->folder = '\0';
  return true;
}

void
caller_replace (const Caller *caller)
{
  replaced = caller;
}

/* Whether we are where the requesting user was, and may be there. A folder made anew by somebody else is another one.
 */
static bool
is_in_folder (void)
{
  uint32_t owner;

  if (replaced && (replaced->folder[0] != '/' || chdir (replaced->folder) != 0 || !find_folder_owner (&owner) ||
                   owner != replaced->folder_owner))
    return false;
  return access (".", X_OK) == 0;
}

/* Has no key and capability of the session that started us, and lets the audit system ascribe to @uid what is done from
 * now on. Where a container forbids it, keys are out of reach for all in it. */
static bool
leave_session (uint32_t uid)
{
  int file = open ("/proc/self/loginuid", O_WRONLY | O_CLOEXEC);

  if (file >= 0)
    {
      dprintf (file, "%u", uid); /* If the administrator lets it be changed. */
      close (file);
    }
  privileges_pass_none_on ();
  return syscall (SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0 || errno == ENOSYS || errno == EPERM;
}

bool
caller_become (void)
{
  const struct passwd *user = find_caller ();

  if (!user || (replaced && !leave_session (user->pw_uid)))
    return false;
  if (user->pw_uid != getuid () &&
      (initgroups (user->pw_name, user->pw_gid) != 0 || setgid (user->pw_gid) != 0 || setuid (user->pw_uid) != 0))
    return false;
  if (!is_in_folder () && chdir (user->pw_dir) != 0 && chdir ("/") != 0)
    return false;
  clearenv ();
  return setenv ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1) == 0 &&
         setenv ("HOME", user->pw_dir, 1) == 0 && setenv ("USER", user->pw_name, 1) == 0 &&
         setenv ("LOGNAME", user->pw_name, 1) == 0 && setenv ("SHELL", "/bin/sh", 1) == 0;
}

/* Our group lies below the first one, which is root's; no group that has processes lies above or below it. It is moved
 * to by files that were opened at the start, so that this needs no capability later. */

#define OWN "culprit-recorder"
#define OTHERS "culprit-undo" /* for who has none any more */

static int top = -1; /* the folder of the first group */

static bool is_apart; /* We have left the caller's group. */

static int caller = -1; /* the file that moves back to it */

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

/* The path of the caller's group below the first one, which the caller frees; empty: it is that one. NULL with errno.
 */
static char *
find_path (void)
{
  FILE *file = fopen ("/proc/self/cgroup", "re");
  char *path = NULL;
  char *line = NULL;
  size_t size = 0;
  int problem;

  if (file)
    errno = ENOENT;
  while (file && !path && getline (&line, &size, file) > 0)
    if (strncmp (line, "0::/", 4) == 0)
      path = strndup (line + 4, strcspn (line + 4, "\n"));
  problem = errno;
  free (line);
  if (file)
    fclose (file);
  errno = problem;
  return path;
}

/* Opens the file that moves to the group of @path below the first one, step by step, as the whole may be too long. A
 * group of another namespace lies above. -1 with errno. */
static int
open_group (const char *path)
{
  char *names = strdupa (path);
  int folder = dup (top);
  int file;

  for (const char *name = strtok (names, "/"); folder >= 0 && name; name = strtok (NULL, "/"))
    {
      int next = -1;

      if (strcmp (name, "..") != 0)
        next = openat (folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      else
        errno = ENOENT;
      close (folder);
      folder = next;
    }
  if (folder < 0)
    return -1;
  file = openat (folder, "cgroup.procs", O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  close (folder);
  return file;
}

/* "0" is whoever writes it. */
static bool
move_to (int group)
{
  return group >= 0 && write (group, "0", 1) == 1;
}

/* Moves us by @file, and closes it. */
static bool
move_and_close (int file)
{
  bool moved = move_to (file);
  int problem = errno;

  if (file >= 0)
    close (file);
  errno = problem;
  return moved;
}

/* Makes a group of root's that is not there yet, and stays: see folder_open_own(). False with errno. */
static bool
prepare_group (const char *name)
{
  return faccessat (top, name, F_OK, 0) == 0 || mkdirat (top, name, 0700) == 0 || errno == EEXIST;
}

bool
group_leave (int *kept)
{
  char *path;
  int problem;

  *kept = 0;
  top = open_top ();
  if (top < 0)
    return true;
  path = find_path ();
  problem = errno;
  if (!path || *path)
    *kept = (is_apart = prepare_group (OWN) && prepare_group (OTHERS) && move_and_close (open_group (OWN))) ? 0 : errno;
  if (is_apart && path)
    {
      caller = open_group (path);
      problem = errno;
    }
  if (path)
    snprintf (origin, sizeof origin, "%s", path);
  free (path);
  errno = problem;
  return !is_apart || caller >= 0;
}

/* To the group of a recording that was killed. */
static bool
move_to_replaced (void)
{
  return top < 0 || move_and_close (open_group (replaced->group)) || move_and_close (open_group (OTHERS)) || !is_apart;
}

bool
group_return (void)
{
  return replaced ? move_to_replaced () : caller < 0 || move_to (caller);
}

/* Who presses Ctrl-Z or Ctrl-\ in a terminal stops the session, not what restores the machine. */
static const int ignored[] = { SIGPIPE, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU };

static void
reset_signals (void)
{
  sigset_t none;

  for (int number = 1; number <= SIGRTMAX; number++)
    signal (number, SIG_DFL);
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    signal (ignored[i], SIG_IGN);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

/* A caller's alarm would end us. */
static void
reset_timers (void)
{
  static const struct itimerval never;

  for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++)
    setitimer (which, &never, NULL);
}

static void
reset_limits (void)
{
  for (size_t i = 0; i < CALLER_LIMITS; i++)
    {
      rlim_t most = resources[i] == RLIMIT_CORE     ? 0
                    : resources[i] == RLIMIT_NOFILE ? 4096
                    : resources[i] == RLIMIT_STACK  ? 8 << 20
                                                    : RLIM_INFINITY;
      struct rlimit wanted = { most, RLIM_INFINITY };

      getrlimit (resources[i], &limits[i]);
      if (resources[i] == RLIMIT_NOFILE)
        wanted.rlim_max = limits[i].rlim_max > most ? limits[i].rlim_max : most;
      if (setrlimit (resources[i], &wanted) == 0)
        continue;
      wanted.rlim_max = limits[i].rlim_max; /* Without the privilege to raise it, up to the hard limit. */
      wanted.rlim_cur = most < wanted.rlim_max ? most : wanted.rlim_max;
      setrlimit (resources[i], &wanted);
    }
}

/* What else decides how soon a process runs, and which one the kernel ends when memory is short. */
typedef struct
{
  int policy;
  struct sched_param parameters;
  int nice;
  unsigned long slack_ns; /* of timers */
  int badness;            /* oom_score_adj */
} Claims;

static const Claims usual = { .policy = SCHED_OTHER, .slack_ns = 50000 };

static const Claims own = { .policy = SCHED_OTHER, .nice = -10, .slack_ns = 50000, .badness = -1000 };

static Claims inherited;

static void
read_claims (Claims *claims)
{
  FILE *file = fopen ("/proc/self/oom_score_adj", "re");

  *claims = usual;
  claims->policy = sched_getscheduler (0);
  sched_getparam (0, &claims->parameters);
  claims->nice = getpriority (PRIO_PROCESS, 0);
  claims->slack_ns = prctl (PR_GET_TIMERSLACK, 0, 0, 0, 0);
  if (file && fscanf (file, "%d", &claims->badness) != 1)
    claims->badness = 0;
  if (file)
    fclose (file);
}

/* As far as may be without privileges. CPUs stay as they are: who keeps us off those that are measured is right. */
static void
set_claims (const Claims *claims)
{
  int file = open ("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

  sched_setscheduler (0, claims->policy, &claims->parameters);
  setpriority (PRIO_PROCESS, 0, claims->nice);
  prctl (PR_SET_TIMERSLACK, claims->slack_ns, 0, 0, 0);
  if (file < 0)
    return;
  if (dprintf (file, "%d", claims->badness) < 0)
    dprintf (file, "0"); /* Less than a login has takes a capability that a container may lack. */
  close (file);
}

/* Kernels before 5.9 cannot close many files at once. */
static void
close_files (unsigned first, unsigned last)
{
  unsigned end = sysconf (_SC_OPEN_MAX);

  if (syscall (SYS_close_range, first, last, 0) != 0)
    for (unsigned fd = first; fd <= last && fd < end; fd++)
      close (fd);
}

void
start_close_files (void)
{
  close_files (STDERR_FILENO + 1, ~0u);
}

void
start_close_files_but_groups (void)
{
  const int kept[] = { top, caller }; /* as they were opened */
  int first = STDERR_FILENO + 1;

  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (kept[i] >= first)
      {
        close_files (first, kept[i] - 1);
        first = kept[i] + 1;
      }
  close_files (first, ~0u);
}

/* Makes sure that the standard streams are open, and nothing else. */
static void
reset_files (void)
{
  int fd;

  do
    fd = open ("/dev/null", O_RDWR | O_CLOEXEC);
  while (fd >= 0 && fd <= STDERR_FILENO);
  start_close_files ();
}

void
start_afresh (void)
{
  reset_timers ();
  reset_signals ();
  reset_limits ();
  reset_files ();
  read_claims (&inherited);
  set_claims (&own);
  mask = umask (077);
  prctl (PR_SET_DUMPABLE, 0, 0, 0, 0); /* Also where cores go to a program. */
}

void
start_restore_inherited (void)
{
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    signal (ignored[i], SIG_DFL);
  umask (replaced ? replaced->mask : mask);
  set_claims (replaced ? &usual : &inherited);
  for (size_t i = 0; i < CALLER_LIMITS; i++)
    setrlimit (resources[i], replaced ? &replaced->limits[i] : &limits[i]);
}
