/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Undoes what is inherited from the caller, e.g. an ignored SIGCHLD, a CPU limit of one second, a closed standard
 * output. */
#include "recorder-private.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
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

/* Limits that would end or hinder a recording; and a core in the caller's folder would be a file of root's. */
static const int resources[CALLER_LIMITS] = {
  RLIMIT_AS,     RLIMIT_CORE,  RLIMIT_CPU,    RLIMIT_DATA,  RLIMIT_FSIZE,
  RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_RTTIME, RLIMIT_STACK,
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

bool
caller_become (void)
{
  const struct passwd *user = find_caller ();

  if (!user)
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

/* Capabilities by plain system calls, since that is all that is needed; the filter by libseccomp, if available. */

#ifdef HAVE_SECCOMP
#include <errno.h>
#include <seccomp.h>
#endif

#define BIT(capability) (1ull << (capability))

/* To end another user's load; to read delay accounting, lock memory, schedule threads, read SMI counters; and for
 * trace-cmd, to see the addresses of symbols. */
#define NEEDED                                                                                                         \
  (BIT (CAP_KILL) | BIT (CAP_NET_ADMIN) | BIT (CAP_IPC_LOCK) | BIT (CAP_SYS_NICE) | BIT (CAP_SYS_RAWIO) |              \
   BIT (CAP_SYSLOG))

static void
keep_capabilities (uint64_t kept)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct words[_LINUX_CAPABILITY_U32S_3] = { 0 };

  if (syscall (SYS_capget, &header, words) != 0)
    return;
  for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
    {
      words[i].permitted &= (uint32_t) (kept >> 32 * i);
      words[i].effective = words[i].permitted;
      words[i].inheritable = 0;
    }
  syscall (SYS_capset, &header, words);
}

/* A program run by root gets what the bounding set has. */
static void
bound_capabilities (uint64_t kept)
{
  for (int capability = 0; capability < 64 && prctl (PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
    if (!(kept & BIT (capability)))
      prctl (PR_CAPBSET_DROP, capability, 0, 0, 0);
  prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

#ifdef HAVE_SECCOMP
/* What the supervisor, the measuring process and trace-cmd call, including variants the C library uses on other
 * architectures. Names unknown on this machine are skipped. */
static const char calls[] =
    /* memory */
    "brk mmap mmap2 munmap mremap mprotect madvise mlock mlock2 mlockall munlock munlockall "
    /* files */
    "open openat close close_range read readv pread64 write writev pwrite64 lseek _llseek stat stat64 fstat "
    "fstat64 fstatat64 newfstatat lstat lstat64 statx statfs statfs64 fstatfs fstatfs64 access faccessat "
    "faccessat2 readlink readlinkat getdents getdents64 getcwd chdir fchdir fcntl fcntl64 flock fsync ftruncate "
    "ftruncate64 fallocate rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir umask fchmod dup dup2 "
    "dup3 pipe pipe2 splice tee sendfile sendfile64 copy_file_range ioctl poll ppoll ppoll_time64 select "
    "_newselect pselect6 pselect6_time64 fadvise64 "
    /* processes */
    "fork vfork clone clone3 execve execveat exit exit_group wait4 waitid waitpid kill tkill tgkill getpid "
    "getppid gettid getpgrp getpgid getsid setsid setpgid getuid geteuid getgid getegid getresuid getresgid "
    "getuid32 geteuid32 getgid32 getegid32 getgroups capget capset prctl arch_prctl set_thread_area set_tls "
    "set_tid_address set_robust_list get_robust_list rseq futex futex_time64 getrlimit ugetrlimit prlimit64 "
    "getrusage sysinfo uname getrandom getcpu membarrier restart_syscall "
    /* signals */
    "rt_sigaction rt_sigprocmask rt_sigreturn sigreturn rt_sigtimedwait rt_sigtimedwait_time64 rt_sigsuspend "
    "sigaltstack signalfd4 "
    /* time */
    "clock_gettime clock_gettime64 clock_getres clock_getres_time64 gettimeofday time times nanosleep "
    "clock_nanosleep clock_nanosleep_time64 timer_create timer_settime timer_settime64 timer_delete "
    "timerfd_create timerfd_settime timerfd_settime64 setitimer getitimer "
    /* scheduling */
    "sched_yield sched_setattr sched_getattr sched_setscheduler sched_getscheduler sched_setparam sched_getparam "
    "sched_setaffinity sched_getaffinity sched_get_priority_min sched_get_priority_max "
    /* delay accounting */
    "socket bind connect getsockname setsockopt sendto send recvfrom recv recvmsg "
    /* the end of output */
    "shutdown ";

/* The measured threads have the filter too, since children inherit it: its cost must not change what they measure.
 * Hence no mitigation of speculative execution, and a binary search. */
static void
filter_calls (void)
{
  char names[sizeof calls];
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ERRNO (ENOSYS));

  if (!filter)
    return;
  memcpy (names, calls, sizeof calls);
  seccomp_attr_set (filter, SCMP_FLTATR_CTL_SSB, 1);
  seccomp_attr_set (filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  for (char *name = strtok (names, " "); name; name = strtok (NULL, " "))
    {
      int number = seccomp_syscall_resolve_name (name);

      if (number != __NR_SCMP_ERROR)
        seccomp_rule_add (filter, SCMP_ACT_ALLOW, number, 0);
    }
  seccomp_load (filter);
  seccomp_release (filter);
}
#endif

void
privileges_confine (void)
{
  bound_capabilities (NEEDED);
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  keep_capabilities (NEEDED);
#ifdef HAVE_SECCOMP
  filter_calls ();
#endif
}

void
privileges_drop (void)
{
  keep_capabilities (BIT (CAP_IPC_LOCK));
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
