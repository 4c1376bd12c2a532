/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit-delayer: delays a function of the kernel on purpose, to see which wake-ups become later by that.
 *
 * Usage: culprit-delayer FUNCTION BUDGET. FUNCTION may be MODULE:FUNCTION; BUDGET is how much of each second of a CPU
 * may be spent on delays, in ns. It is started by culprit-recorder, as root, and says "ready" or, in one line, why it
 * cannot. Then each line that it reads is the delay in ns from now on, and answered by three numbers: the calls since
 * the line before, the ns that they were really held up, and the calls that were not delayed, as the budget was used
 * up.
 *
 * It ends when its input does. The kernel then takes the probe away, as it does however this program ends: nothing but
 * its open files hold it. */
#include "delay.h"
#include "name.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define EXIT_BAD 2

/* The program for the kernel, as clang compiled it. */
static const unsigned char code[] __attribute__ ((aligned (16))) = {
#include "delay.bpf.h"
};

typedef struct
{
  int settings; /* maps */
  int counts;
  struct delay_settings wanted;
  struct delay_counts told; /* until the last answer */
} Delayer;

static int __attribute__ ((format (printf, 1, 2))) refuse (const char *text, ...)
{
  va_list arguments;

  va_start (arguments, text);
  vprintf (text, arguments);
  va_end (arguments);
  putchar ('\n');
  return EXIT_BAD;
}

/* libbpf says more than a person can use; what went wrong is said in our own words. */
static int
keep_silent (enum libbpf_print_level level, const char *text, va_list arguments)
{
  return 0;
}

/* Why this kernel cannot do it; NULL: it can. */
static const char *
missing (void)
{
  if (geteuid () != 0)
    return "delays need root";
  if (bpf_prog_get_next_id (0, &(__u32) { 0 }) != 0 && errno == ENOSYS)
    return "this kernel has no BPF (CONFIG_BPF_SYSCALL)";
  if (errno == EPERM)
    return "this kernel does not let root use BPF, as when it is locked down (/sys/kernel/security/lockdown)";
  if (access ("/sys/bus/event_source/devices/kprobe/type", R_OK) != 0)
    return "this kernel has no probes (CONFIG_KPROBES, CONFIG_KPROBE_EVENTS)";
  if (libbpf_probe_bpf_prog_type (BPF_PROG_TYPE_KPROBE, NULL) != 1)
    return "this kernel cannot run BPF at probes (CONFIG_BPF_EVENTS)";
  if (libbpf_probe_bpf_helper (BPF_PROG_TYPE_KPROBE, BPF_FUNC_loop, NULL) != 1)
    return "this kernel's BPF has no loops (bpf_loop, since Linux 5.17)";
  return NULL;
}

/* How many functions @wanted, of which the module may be named, can mean; -1: not known. */
static int
count_functions (const char *wanted)
{
  FILE *file = fopen ("/proc/kallsyms", "re");
  char line[1024];
  char name[512];
  char module[256];
  char full[800];
  char kind;
  int found = 0;

  if (!file)
    return -1;
  while (fgets (line, sizeof line, file))
    {
      *module = '\0';
      if (sscanf (line, "%*s %c %511s [%255[^]]", &kind, name, module) < 2 || !strchr ("tTwW", kind))
        continue;
      snprintf (full, sizeof full, "%s:%s", module, name);
      found += strcmp (wanted, name) == 0 || strcmp (wanted, full) == 0;
    }
  fclose (file);
  return found;
}

/* Loads the program and lets it run at the entry of @function. False: errno says why not. */
static bool
load (Delayer *delayer, const char *function)
{
  LIBBPF_OPTS (bpf_object_open_opts, options, .object_name = "culprit_delay");
  struct bpf_object *object = bpf_object__open_mem (code, sizeof code, &options);
  struct bpf_program *program = object ? bpf_object__find_program_by_name (object, "delay") : NULL;

  if (!program || bpf_object__load (object) != 0)
    return false;
  delayer->settings = bpf_object__find_map_fd_by_name (object, "settings");
  delayer->counts = bpf_object__find_map_fd_by_name (object, "counts");
  return bpf_map_update_elem (delayer->settings, &(__u32) { 0 }, &delayer->wanted, BPF_ANY) == 0 &&
         bpf_program__attach_kprobe (program, false, function);
}

static int
explain (const char *function)
{
  struct utsname kernel = { 0 };

  uname (&kernel);
  switch (errno)
    {
    case EPERM:
    case EACCES:
      return refuse ("Linux %s does not let root probe %s: %s", kernel.release, function, strerror (errno));
    case EINVAL:
    case EILSEQ:
    case EOPNOTSUPP:
      return refuse ("%s cannot be probed: the kernel excludes it (NOKPROBE, notrace or assembler)", function);
    default:
      return refuse ("%s cannot be delayed on Linux %s: %s", function, kernel.release, strerror (errno));
    }
}

/* The sums over all CPUs. */
static bool
read_counts (const Delayer *delayer, struct delay_counts *sum)
{
  int cpus = libbpf_num_possible_cpus ();
  struct delay_counts *each = cpus > 0 ? calloc (cpus, sizeof *each) : NULL;
  bool good = each && bpf_map_lookup_elem (delayer->counts, &(__u32) { 0 }, each) == 0;

  *sum = (struct delay_counts) { 0 };
  for (int i = 0; good && i < cpus; i++)
    {
      sum->calls += each[i].calls;
      sum->spun_ns += each[i].spun_ns;
      sum->withheld += each[i].withheld;
    }
  free (each);
  return good;
}

/* Answers lines until there are no more. */
static int
serve (Delayer *delayer)
{
  char line[64];

  puts ("ready");
  while (fgets (line, sizeof line, stdin))
    {
      struct delay_counts now;

      delayer->wanted.delay_ns = strtoull (line, NULL, 10);
      if (!read_counts (delayer, &now) ||
          bpf_map_update_elem (delayer->settings, &(__u32) { 0 }, &delayer->wanted, BPF_ANY) != 0)
        return refuse ("the delay cannot be changed: %s", strerror (errno));
      printf ("%llu %llu %llu\n", now.calls - delayer->told.calls, now.spun_ns - delayer->told.spun_ns,
              now.withheld - delayer->told.withheld);
      delayer->told = now;
    }
  return 0;
}

int
main (int argc, char **argv)
{
  Delayer delayer = { 0 };
  const char *problem;
  int functions;

  setvbuf (stdout, NULL, _IOLBF, BUFSIZ);
  if (argc != 3 || (delayer.wanted.budget_ns = strtoull (argv[2], NULL, 10)) == 0)
    return refuse ("culprit-delayer delays a function of the kernel; it is started by culprit prove");
  if (!delay_is_name (argv[1]))
    return refuse (DELAY_NO_NAME, argv[1]);
  libbpf_set_print (keep_silent);
  problem = missing ();
  if (problem)
    return refuse ("%s", problem);
  functions = count_functions (argv[1]);
  if (functions == 0)
    return refuse ("this kernel has no function %s", argv[1]);
  if (functions > 1)
    return refuse ("this kernel has %d functions called %s%s, which cannot be told apart", functions, argv[1],
                   strchr (argv[1], ':') ? "" : "; name its module, as MODULE:FUNCTION, unless all are in one");
  if (!load (&delayer, argv[1]))
    return explain (argv[1]);
  return serve (&delayer);
}
