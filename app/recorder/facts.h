/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the target: its kernel, its CPUs, and what takes time away from them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Says all facts, in one line. Changes nothing on the target. */
void facts_reply (void);

/* Whether we may do all. */
bool facts_root (void);

/* How many system management interrupts @cpu has had; -1 where it does not say. */
int64_t facts_smi_count (int cpu);

/* The time that a hypervisor took from @n CPUs since boot, in ns; -1 where the kernel does not say. */
int64_t facts_steal_ns (const int *cpus, int n);
