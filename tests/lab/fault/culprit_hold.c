// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Holds interrupts, or preemption, disabled for 100 and for 500 us, every 10 ms
 * in turn, by four functions of a worker. How long the longest by each of them
 * was is in /sys/module/culprit_hold/parameters/.
 */

#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#define STEPS 10

/* What a trace shows of it. */
static noinline __noclone void hold_step(u64 length_ns)
{
	u64 start_ns = ktime_get_mono_fast_ns();

	while (ktime_get_mono_fast_ns() - start_ns < length_ns)
		;
}

#define HOLD(name, length_us, disable, enable)                                                   \
	static ulong name##_ns;                                                                  \
	module_param(name##_ns, ulong, 0444);                                                    \
	static noinline __noclone void name(void)                                                \
	{                                                                                        \
		u64 start_ns;                                                                    \
		int i;                                                                           \
												 \
		disable;                                                                         \
		start_ns = ktime_get_mono_fast_ns();                                             \
		for (i = 0; i < STEPS; i++)                                                      \
			hold_step(length_us * 1000 / STEPS);                                     \
		name##_ns = max_t(ulong, name##_ns, ktime_get_mono_fast_ns() - start_ns);        \
		enable;                                                                          \
	}

HOLD(interrupts_100us, 100, local_irq_disable(), local_irq_enable())
HOLD(interrupts_500us, 500, local_irq_disable(), local_irq_enable())
HOLD(preemption_100us, 100, preempt_disable(), preempt_enable())
HOLD(preemption_500us, 500, preempt_disable(), preempt_enable())

static void (*const holds[])(void) = { interrupts_100us, interrupts_500us, preemption_100us, preemption_500us };

static void work(struct work_struct *work);
static DECLARE_DELAYED_WORK(worker, work);
static unsigned int turn;

static void work(struct work_struct *unused)
{
	holds[turn++ % ARRAY_SIZE(holds)]();
	schedule_delayed_work(&worker, msecs_to_jiffies(10));
}

static int __init culprit_hold_init(void)
{
	schedule_delayed_work(&worker, 1);
	return 0;
}

static void __exit culprit_hold_exit(void)
{
	cancel_delayed_work_sync(&worker);
}

module_init(culprit_hold_init);
module_exit(culprit_hold_exit);

MODULE_DESCRIPTION("Holds interrupts and preemption disabled for a known time");
MODULE_LICENSE("GPL");
