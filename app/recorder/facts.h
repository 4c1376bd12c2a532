/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known about the target: its kernel, its CPUs, and what takes time from them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Writes all facts in one line. Changes nothing on the target. */
void facts_reply (void);

/* Whether we run as root with all its privileges. */
bool facts_root (void);

/* The number of system management interrupts of @cpu so far; -1 if it does not count them. */
int64_t facts_smi_count (int cpu);

/* The time that a hypervisor took from @n CPUs since boot, in ns; -1 if the kernel does not report it. */
int64_t facts_steal_ns (const int *cpus, int n);
