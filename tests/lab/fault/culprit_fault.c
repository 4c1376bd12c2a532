// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A latency fault with a known cause, for the lab's virtual machine.
 *
 * A pinned timer ticks on the grid of the measured task's wake-ups. Each tick
 * calls qh_completions() a few times and scan_periodic() once. Now and then,
 * by mode, one of these misbehaves:
 *
 *   count    qh_completions() is called several hundred times
 *   cost     scan_periodic() takes milliseconds
 *   both     one or the other
 *   blind    a probe on a tracepoint of the wake-up path stalls: no function
 *            shows it, as with an SMI, and it does not strike twice in a place
 *   storm    an interrupt comes several hundred times, one right after the other
 *   spread   flush_endpoints() takes milliseconds, in many short functions, of
 *            which it calls others each time
 *   softirq  a tasklet, giveback_urbs(), takes milliseconds in the same manner
 *   none     nothing ever happens
 *
 * With partial=P, a fault of count, cost, both or spread is in P % of the other
 * ticks too, a tenth up to three fifths of it. Two modes vary in each tick, and the worst
 * ticks are the faults:
 *
 *   queue    qh_completions() is called a geometrically distributed number of
 *            times, until a queue is empty
 *   long     scan_periodic() takes an exponentially distributed time
 *
 * What really happened is counted here, with the processor's own counter, so
 * that the truth does not depend on any trace: debugfs, culprit_fault/events
 * and culprit_fault/totals. As the machine is switched off, the events go to
 * the console.
 */

#include <linux/debugfs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/reboot.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>
#else
#include <asm/msr.h>
#include <asm/tsc.h>
#endif

static char *mode = "none";
module_param(mode, charp, 0444);
MODULE_PARM_DESC(mode, "count, cost, both, blind, storm, spread, softirq, queue, long or none");

static int cpu;
module_param(cpu, int, 0444);
MODULE_PARM_DESC(cpu, "CPU the timer is pinned to");

static uint grid_us = 5000;
module_param(grid_us, uint, 0444);
MODULE_PARM_DESC(grid_us, "wake-ups are expected at multiples of this, CLOCK_MONOTONIC");

static uint period_us = 20000;
module_param(period_us, uint, 0444);
MODULE_PARM_DESC(period_us, "period of the timer; divides grid_us or is a multiple of it");

static int phase_ns;
module_param(phase_ns, int, 0444);
MODULE_PARM_DESC(phase_ns, "tick relative to the grid; negative is before the wake-up");

static uint calls_min = 2;
module_param(calls_min, uint, 0444);
static uint calls_max = 6;
module_param(calls_max, uint, 0444);
MODULE_PARM_DESC(calls_max, "calls of qh_completions in an ordinary tick");

static uint burst_min = 400;
module_param(burst_min, uint, 0444);
static uint burst_max = 600;
module_param(burst_max, uint, 0444);
MODULE_PARM_DESC(burst_max, "calls of qh_completions in a burst");

static uint spin_ns = 3000;
module_param(spin_ns, uint, 0444);
MODULE_PARM_DESC(spin_ns, "time of one call of qh_completions");

static uint scan_ns = 3000;
module_param(scan_ns, uint, 0444);
MODULE_PARM_DESC(scan_ns, "time of an ordinary call of scan_periodic");

static uint cost_ns = 2500000;
module_param(cost_ns, uint, 0444);
MODULE_PARM_DESC(cost_ns, "time of a slow call of scan_periodic, flush_endpoints or giveback_urbs");

static uint partial;
module_param(partial, uint, 0444);
MODULE_PARM_DESC(partial, "ticks of 100 that have a part of the fault");

static uint queue_mean = 40;
module_param(queue_mean, uint, 0444);
MODULE_PARM_DESC(queue_mean, "mean length of the queue");

static uint long_mean_ns = 180000;
module_param(long_mean_ns, uint, 0444);
MODULE_PARM_DESC(long_mean_ns, "mean time of a call of scan_periodic in mode long");

static uint blind_ns = 1500000;
module_param(blind_ns, uint, 0444);
MODULE_PARM_DESC(blind_ns, "length of a blind stall");

static uint every_min = 75;
module_param(every_min, uint, 0444);
static uint every_max = 125;
module_param(every_max, uint, 0444);
MODULE_PARM_DESC(every_max, "ticks from fault to fault");

static uint seed = 1;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "of the random numbers");

/* One fault as it was. Times from the grid's instant on are those a measured
 * task sees; what came before it cost nobody anything. */
struct fault_event {
	const char *name;
	u64 expected_ns;
	u64 start_ns;
	u64 end_ns;
	u32 calls;
	u32 calls_after_expected;
	u64 spun_ns;
	u64 spun_after_expected_ns;
	bool traced;
};

#define EVENTS 512
static struct fault_event events[EVENTS];
static u64 n_events;

static u64 total_ticks, total_qh_completions, total_scan_periodic, total_blind;

static struct hrtimer timer;
static struct dentry *folder;
static u64 random_state;
static int until_fault;

/* The processor's own counter, which no tracer sees being read. */
#ifdef CONFIG_ARM64
static __always_inline u64 read_counter(void)
{
	isb();
	return read_sysreg(cntvct_el0);
}

static __always_inline u32 counter_khz(void)
{
	return arch_timer_get_cntfrq() / 1000;
}
#else
static __always_inline u64 read_counter(void)
{
	return rdtsc();
}

static __always_inline u32 counter_khz(void)
{
	return tsc_khz;
}
#endif

/* What the calls of one tick add up to, in cycles of that counter. */
struct tick {
	u64 expected_cycles;
	u64 spun;
	u64 spun_after;
	u32 calls;
	u32 calls_after;
};

static __always_inline u64 cycles_of_ns(u64 ns)
{
	return div_u64(ns * counter_khz(), 1000000);
}

static __always_inline u64 ns_of_cycles(u64 cycles)
{
	return div_u64(cycles * 1000000, counter_khz());
}

static __always_inline u32 random_between(u32 low, u32 high)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return low + (u32)(random_state >> 33) % (high - low + 1);
}

static __always_inline u64 spin(u64 start, u64 length)
{
	u64 now;

	do
		now = read_counter();
	while (now - start < length);
	return now;
}

static __always_inline void spin_in(struct tick *tick, u64 length)
{
	u64 start = read_counter();
	u64 end = spin(start, length);

	tick->calls++;
	tick->spun += end - start;
	if ((s64)(end - tick->expected_cycles) > 0) {
		tick->calls_after++;
		tick->spun_after += end - max(start, tick->expected_cycles);
	}
}

static noinline __noclone void qh_completions(struct tick *tick, u64 length)
{
	spin_in(tick, length);
	total_qh_completions++;
}

static noinline __noclone void scan_periodic(struct tick *tick, u64 length)
{
	spin_in(tick, length);
	total_scan_periodic++;
}

static __always_inline u64 nearest_expected(u64 now_ns)
{
	u64 grid_ns = (u64)grid_us * 1000;

	return div64_u64(now_ns + grid_ns / 2, grid_ns) * grid_ns;
}

static __always_inline void record(const char *name, u64 expected_ns, u64 start_ns,
				   const struct tick *tick, bool traced)
{
	struct fault_event *e = &events[n_events % EVENTS];

	e->name = name;
	e->expected_ns = expected_ns;
	e->start_ns = start_ns;
	e->end_ns = ktime_get_mono_fast_ns();
	e->calls = tick->calls;
	e->calls_after_expected = tick->calls_after;
	e->spun_ns = ns_of_cycles(tick->spun);
	e->spun_after_expected_ns = ns_of_cycles(tick->spun_after);
	e->traced = traced;
	n_events++;
}

/* One line of the log. */
#define EVENT_FORMAT "%s %llu %llu %llu %u %u %llu %llu %d\n"
#define EVENT_VALUES(e)                                                                          \
	(e)->name, (e)->expected_ns, (e)->start_ns, (e)->end_ns, (e)->calls,                     \
		(e)->calls_after_expected, (e)->spun_ns, (e)->spun_after_expected_ns, (e)->traced

static u64 oldest_event(void)
{
	return n_events > EVENTS ? n_events - EVENTS : 0;
}

/* The tick's time against the grid, in cycles: read both clocks at one instant. */
static __always_inline void begin(struct tick *tick, u64 start_ns, u64 expected_ns)
{
	s64 ahead = (s64)(expected_ns - start_ns);
	u64 now = read_counter();

	*tick = (struct tick){ };
	tick->expected_cycles = ahead > 0 ? now + cycles_of_ns(ahead) : now - cycles_of_ns(-ahead);
}

/* Tracepoints of the wake-up path: a blind stall picks one of them. */
struct site {
	const char *name;
	struct tracepoint *tracepoint;
};

static struct site sites[] = {
	{ "local_timer_entry" },
	{ "hrtimer_cancel" },
	{ "hrtimer_expire_entry" },
	{ "hrtimer_expire_exit" },
	{ "sched_waking" },
	{ "sched_wakeup" },
	{ "sched_update_nr_running_tp" },
	{ "hrtimer_start" },
	{ "local_timer_exit" },
	{ "cpu_idle" },
	{ "rcu_utilization" },
	{ "pelt_rt_tp" },
	{ "sched_switch" },
};

static struct site *armed;

static notrace void blind_probe(void *data)
{
	struct site *site = data;
	u64 start_ns, expected_ns;
	struct tick tick;
	bool traced;

	if (site != READ_ONCE(armed) || smp_processor_id() != cpu)
		return;
	start_ns = ktime_get_mono_fast_ns();
	expected_ns = nearest_expected(start_ns);
	if (start_ns < expected_ns || start_ns - expected_ns > 300000)
		return;
	WRITE_ONCE(armed, NULL);
	traced = tracing_is_on();
	begin(&tick, start_ns, expected_ns);
	spin_in(&tick, cycles_of_ns(blind_ns));
	record(site->name, expected_ns, start_ns, &tick, traced);
	total_blind++;
}

static void find_site(struct tracepoint *tp, void *unused)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(sites); i++)
		if (!strcmp(tp->name, sites[i].name))
			sites[i].tracepoint = tp;
}

static void remove_probes(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(sites); i++)
		if (sites[i].tracepoint)
			tracepoint_probe_unregister(sites[i].tracepoint, blind_probe, &sites[i]);
	tracepoint_synchronize_unregister();
}

static void add_probes(void)
{
	int i;

	for_each_kernel_tracepoint(find_site, NULL);
	for (i = 0; i < ARRAY_SIZE(sites); i++) {
		if (!sites[i].tracepoint)
			continue;
		if (tracepoint_probe_register(sites[i].tracepoint, blind_probe, &sites[i]))
			sites[i].tracepoint = NULL;
	}
}

static void arm_blind(void)
{
	struct site *site;

	do
		site = &sites[random_between(0, ARRAY_SIZE(sites) - 1)];
	while (!site->tracepoint);
	WRITE_ONCE(armed, site);
}

/* Asks for the next interrupt from inside of this one: what was interrupted does not come on. */
static unsigned int storm_left;

static noinline __noclone void storm_handler(struct irq_work *work)
{
	if (storm_left && --storm_left)
		irq_work_queue(work);
}

static struct irq_work storm = IRQ_WORK_INIT_HARD(storm_handler);

static void begin_storm(u64 expected_ns, bool traced)
{
	struct tick tick = { };

	storm_left = random_between(burst_min, burst_max);
	tick.calls = tick.calls_after = storm_left;
	record("storm_handler", expected_ns, ktime_get_mono_fast_ns(), &tick, traced);
	irq_work_queue(&storm);
}

/* The guilty path of spread and softirq: many short functions, of which each
 * fault uses the half that follows a random one. */
#define LEAVES 32

#define LEAF(name)                                                                               \
	static noinline __noclone void name(struct tick *tick, u64 length)                       \
	{                                                                                        \
		spin_in(tick, length);                                                           \
	}
#define FOUR_LEAVES(name) LEAF(name##_in) LEAF(name##_out) LEAF(name##_setup) LEAF(name##_status)

FOUR_LEAVES(bulk)
FOUR_LEAVES(control)
FOUR_LEAVES(interrupt)
FOUR_LEAVES(iso)
FOUR_LEAVES(split)
FOUR_LEAVES(stream)
FOUR_LEAVES(hub)
FOUR_LEAVES(port)

#define FOUR_NAMES(name) name##_in, name##_out, name##_setup, name##_status
static void (*const leaves[LEAVES])(struct tick *tick, u64 length) = {
	FOUR_NAMES(bulk),  FOUR_NAMES(control), FOUR_NAMES(interrupt), FOUR_NAMES(iso),
	FOUR_NAMES(split), FOUR_NAMES(stream),	FOUR_NAMES(hub),       FOUR_NAMES(port),
};

static __always_inline void walk_leaves(struct tick *tick, u32 length_ns)
{
	u32 share_ns = length_ns / (LEAVES / 2);
	u32 i = random_between(0, LEAVES - 1);
	u32 end = i + LEAVES / 2;

	for (; i < end; i++)
		leaves[i % LEAVES](tick, cycles_of_ns(random_between(share_ns / 2, share_ns * 3 / 2)));
}

static noinline __noclone void flush_endpoints(struct tick *tick, u32 length_ns)
{
	walk_leaves(tick, length_ns);
}

static noinline __noclone void giveback_urbs(struct tasklet_struct *tasklet)
{
	u64 start_ns = ktime_get_mono_fast_ns();
	u64 expected_ns = nearest_expected(start_ns);
	bool traced = tracing_is_on();
	struct tick tick;

	begin(&tick, start_ns, expected_ns);
	walk_leaves(&tick, cost_ns);
	record("giveback_urbs", expected_ns, start_ns, &tick, traced);
}

static DECLARE_TASKLET(giveback, giveback_urbs);

/* May a fault begin with this tick? Only one that belongs to a wake-up. */
static bool fault_is_due(u64 expires_ns)
{
	u64 into_grid;

	if (--until_fault > 0)
		return false;
	div64_u64_rem(expires_ns - phase_ns, (u64)grid_us * 1000, &into_grid);
	if (into_grid)
		return false;
	until_fault = random_between(every_min, every_max);
	return true;
}

static __always_inline bool is_mode(const char *name)
{
	return !strcmp(mode, name);
}

/* -log2(u) of a random 0 < u <= 1, in 1/65536: a straight line between the powers of two. */
static __always_inline u32 random_log2(void)
{
	u32 u = random_between(1, 1u << 30);
	u32 power = ilog2(u);
	u32 fraction = (u32)(((u64)(u - (1u << power)) << 16) >> power);

	return ((30 - power) << 16) - fraction;
}

/* Exponentially distributed. */
static __always_inline u32 random_exponential(u32 mean)
{
	return (u32)(((u64)mean * random_log2() * 45426) >> 32); /* ln 2 in 1/65536 */
}

/* What a tick does beyond the usual. */
struct plan {
	const char *name; /* for the log, if it is a fault */
	u32 calls;	  /* of qh_completions */
	u32 scan_ns;
	u32 flush_ns;
};

static __always_inline void plan_burst(struct plan *plan, u32 percent)
{
	plan->name = "qh_completions";
	plan->calls = random_between(burst_min, burst_max) * percent / 100;
}

static __always_inline void plan_cost(struct plan *plan, u32 percent)
{
	plan->name = "scan_periodic";
	plan->scan_ns = cost_ns / 100 * percent;
}

static __always_inline struct plan plan_tick(bool due)
{
	struct plan plan = { NULL, random_between(calls_min, calls_max), scan_ns, scan_ns };
	u32 percent = due ? 100 : partial && random_between(1, 100) <= partial ? random_between(10, 60) : 0;

	if (percent && (is_mode("count") || (is_mode("both") && random_between(0, 1)))) {
		plan_burst(&plan, percent);
	} else if (percent && (is_mode("cost") || is_mode("both"))) {
		plan_cost(&plan, percent);
	} else if (percent && is_mode("spread")) {
		plan.name = "flush_endpoints";
		plan.flush_ns = cost_ns / 100 * percent;
	} else if (is_mode("queue")) {
		plan.calls = 1 + random_exponential(queue_mean);
		plan.name = plan.calls > 3 * queue_mean ? "qh_completions" : NULL;
	} else if (is_mode("long")) {
		plan.scan_ns = random_exponential(long_mean_ns);
		plan.name = plan.scan_ns > 3 * long_mean_ns ? "scan_periodic" : NULL;
	}
	return plan;
}

static __always_inline void run_plan(struct plan *plan, u64 expected_ns, bool traced)
{
	u64 start_ns = ktime_get_mono_fast_ns();
	struct tick queue, scan, flush;

	begin(&queue, start_ns, expected_ns);
	scan = flush = queue;
	while (plan->calls--)
		qh_completions(&queue, cycles_of_ns(spin_ns));
	scan_periodic(&scan, cycles_of_ns(plan->scan_ns));
	if (is_mode("spread"))
		flush_endpoints(&flush, plan->flush_ns);
	if (plan->name)
		record(plan->name, expected_ns, start_ns,
		       plan->name[0] == 'q' ? &queue : plan->name[0] == 's' ? &scan : &flush, traced);
}

static noinline __noclone enum hrtimer_restart ehci_work(struct hrtimer *t)
{
	u64 expires_ns = ktime_to_ns(hrtimer_get_expires(t));
	u64 expected_ns = nearest_expected(expires_ns - phase_ns);
	bool traced = tracing_is_on();
	bool due = fault_is_due(expires_ns);
	struct plan plan = plan_tick(due);

	total_ticks++;
	if (due && is_mode("blind"))
		arm_blind();
	else if (due && is_mode("storm"))
		begin_storm(expected_ns, traced);
	else if (due && is_mode("softirq"))
		tasklet_schedule(&giveback);
	run_plan(&plan, expected_ns, traced);

	hrtimer_forward_now(t, ns_to_ktime((u64)period_us * 1000));
	return HRTIMER_RESTART;
}

static void start_timer(void *unused)
{
	u64 grid_ns = (u64)grid_us * 1000;
	u64 first = nearest_expected(ktime_get_ns()) + 2 * grid_ns + phase_ns;

	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	timer.function = ehci_work;
	hrtimer_start(&timer, ns_to_ktime(first), HRTIMER_MODE_ABS_PINNED_HARD);
}

/* The last faults, oldest first, one a line. */
static int events_show(struct seq_file *file, void *unused)
{
	u64 i;

	seq_puts(file, "name expected_ns start_ns end_ns calls calls_after_expected spun_ns spun_after_expected_ns traced\n");
	for (i = oldest_event(); i < n_events; i++)
		seq_printf(file, EVENT_FORMAT, EVENT_VALUES(&events[i % EVENTS]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(events);

/* The same for those who cannot read files of the machine. */
static int print_events(struct notifier_block *block, unsigned long action, void *unused)
{
	u64 i;

	for (i = oldest_event(); i < n_events; i++)
		pr_emerg("fault: " EVENT_FORMAT, EVENT_VALUES(&events[i % EVENTS]));
	return NOTIFY_DONE;
}

static struct notifier_block at_power_off = { .notifier_call = print_events };

static int totals_show(struct seq_file *file, void *unused)
{
	int i;

	seq_printf(file, "ticks %llu\nqh_completions %llu\nscan_periodic %llu\nblind %llu\nfaults %llu\ncounter_khz %u\n",
		   total_ticks, total_qh_completions, total_scan_periodic, total_blind,
		   n_events, counter_khz());
	for (i = 0; i < ARRAY_SIZE(sites); i++)
		if (sites[i].tracepoint)
			seq_printf(file, "site %s\n", sites[i].name);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(totals);

static int __init culprit_fault_init(void)
{
	static const char * const modes[] = { "count",	"cost",	   "both",  "blind", "storm",
					      "spread", "softirq", "queue", "long",  "none" };

	if (match_string(modes, ARRAY_SIZE(modes), mode) < 0)
		return -EINVAL;
	if (!period_us || !grid_us || (grid_us % period_us && period_us % grid_us) || calls_max < calls_min ||
	    burst_max < burst_min || every_max < every_min || !every_min || partial > 100 || !queue_mean || !long_mean_ns)
		return -EINVAL;

	random_state = seed * 2654435761u;
	random_between(0, 1);
	until_fault = random_between(every_min, every_max);
	folder = debugfs_create_dir("culprit_fault", NULL);
	debugfs_create_file("events", 0444, folder, NULL, &events_fops);
	debugfs_create_file("totals", 0444, folder, NULL, &totals_fops);
	register_reboot_notifier(&at_power_off);
	if (is_mode("blind"))
		add_probes();
	return smp_call_function_single(cpu, start_timer, NULL, 1);
}

static void __exit culprit_fault_exit(void)
{
	hrtimer_cancel(&timer);
	irq_work_sync(&storm);
	tasklet_kill(&giveback);
	unregister_reboot_notifier(&at_power_off);
	if (is_mode("blind"))
		remove_probes();
	debugfs_remove_recursive(folder);
}

module_init(culprit_fault_init);
module_exit(culprit_fault_exit);

MODULE_DESCRIPTION("Latency faults with a known cause");
MODULE_LICENSE("GPL");
