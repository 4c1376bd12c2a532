# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by scripts that run in a guest that can trace: changes tracing settings as a user might have, starts
# recordings, and checks that the settings are restored.
tracing=/sys/kernel/tracing
trap '' PIPE # Of a recording that has ended early.
settings="current_tracer tracing_on trace_clock buffer_size_kb set_event set_event_pid set_event_notrace_pid set_ftrace_pid
  set_ftrace_notrace_pid set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace max_graph_depth tracing_thresh
  tracing_cpumask options/funcgraph-irqs options/sleep-time options/markers options/overwrite options/record-cmd
  options/stacktrace options/userstacktrace $(cd $tracing && ls per_cpu/*/buffer_size_kb)"

snapshot () {
  for setting in $settings; do
    echo "$setting: $(sort $tracing/$setting)"
  done
  echo "entries: $(cat $tracing/per_cpu/cpu*/stats | grep -c 'entries: [1-9]')"
}

# Settings that the user had before.
echo 1234 >$tracing/buffer_size_kb
[ ! -e $tracing/per_cpu/cpu1 ] || echo 777 >$tracing/per_cpu/cpu1/buffer_size_kb
echo global >$tracing/trace_clock
# Two functions each, one of them a module's: the kernel looks for each name among all functions whenever it is set, which
# takes a third of a second under emulation.
of_module=virtqueue_get_buf
printf '%s\n' "$of_module" hrtimer_interrupt >$tracing/set_graph_function
printf '%s\n' "$of_module" vfs_open >$tracing/set_graph_notrace
printf '%s\n' "$of_module" vfs_fsync >$tracing/set_ftrace_filter
echo kernel_halt:traceoff >>$tracing/set_ftrace_filter # Probes stay whatever is written there.
echo 7 >$tracing/max_graph_depth
echo 77 >$tracing/set_ftrace_pid
echo 78 >$tracing/set_ftrace_notrace_pid
echo 79 >$tracing/set_event_notrace_pid
echo 100 >$tracing/tracing_thresh
echo 0 >$tracing/tracing_cpumask
echo 0 >$tracing/options/funcgraph-irqs
echo 0 >$tracing/options/sleep-time
echo 0 >$tracing/options/markers
echo 0 >$tracing/options/record-cmd
echo 1 >$tracing/options/stacktrace
echo 1 >$tracing/options/userstacktrace
echo 0 >$tracing/tracing_on
snapshot >/tmp/before

# Whether the kernel also patches a tracer into all its functions, which takes seconds each time under emulation. Without
# that, a recording changes and restores the same settings.
patch_functions () {
  echo "$1" >/proc/sys/kernel/ftrace_enabled
}

request='{"culprit":1,"do":"record","period_ns":5000000,"threshold_ns":4000000,"captures":5,"tracing":"on",'
request="$request"'"buffer_kb":500,"graph_functions":["do_idle"],"events":["sched:sched_switch"],"load":"sleep 1000 & sleep 1000"}'

# Starts a recording that writes to the file given, and does not wait for it.
open_recording () {
  rm -f /tmp/in
  mkfifo /tmp/in
  setsid culprit-recorder </tmp/in >"$1" &
  front=$!
  exec 9>/tmp/in
  echo "$request" >&9
}

# Whether the recording has not ended. That of a process which has is empty.
runs () {
  grep -q . /proc/$front/cmdline
}

# Starts a recording and waits until it measures, or has ended.
begin () {
  rm -f /tmp/out
  open_recording /tmp/out
  until grep -q 'progress.*"cycles":[1-9]' /tmp/out; do
    if grep '"error"' /tmp/out || ! runs; then return; fi
    sleep 0.1
  done
  supervisor=$(cat /proc/$front/task/$front/children)
}

# Whether the settings are restored, and nothing of a recording is left. A process that outlives its parent needs a moment.
settled () {
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    snapshot >/tmp/after
    if cmp -s /tmp/before /tmp/after && ! pidof culprit-recorder sleep >/dev/null && [ ! -e /run/culprit/journal ] &&
      [ -z "$(ls -d /run/culprit/culprit-* /var/lib/culprit/culprit-* 2>/dev/null)" ]; then return 0; fi
    usleep 500000
  done
  return 1
}

# The settings that differ.
difference () {
  diff /tmp/before /tmp/after | tr '\n' ' '
  pidof culprit-recorder sleep
  ls -d /run/culprit/journal /run/culprit/culprit-* /var/lib/culprit/culprit-* 2>/dev/null
}
