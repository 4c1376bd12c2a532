/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in loads. Each keeps all CPUs busy with one kind of work. */
#include "loads.h"

#include <string.h>

const CulpritLoad culprit_loads[] = {
  { "cpu", "stress-ng --cpu 0", "computing" },
  { "memory", "stress-ng --vm 0 --vm-bytes 50% --vm-keep", "memory and its bandwidth" },
  { "pages", "stress-ng --fork 0 --mmap 2", "page tables and new processes" },
  { "disk", "stress-ng --hdd 1 --iomix 1", "files and disks" },
  { "network", "stress-ng --udp 1 --sock 1", "the network stack and softirqs" },
  { "timers", "stress-ng --timer 1 --clock 1", "timers and their interrupts" },
  { "switch", "stress-ng --switch 0", "context switches" },
  { "calls", "stress-ng --get 1 --procfs 1 --sysfs 1", "system calls and the files of the kernel" },
  { 0 },
};

const char *
culprit_load_command (const char *load)
{
  for (const CulpritLoad *ready = culprit_loads; ready->name; ready++)
    if (strcmp (ready->name, load) == 0)
      return ready->command;
  return load;
}
