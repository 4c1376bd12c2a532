/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives up what root may do: capabilities by plain system calls, since that is all that is needed; the filter by
 * libseccomp, if available. */
#include "recorder-private.h"

#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
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

void
privileges_pass_none_on (void)
{
  keep_capabilities (UINT64_MAX);
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
