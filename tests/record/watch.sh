# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest that can trace, with a task to watch: ends recordings that watch it in every bad way, while somebody
# else has events and triggers as well. Writes a line "CASE: same" if nothing of ours is left, or what is.
. /guest.sh

# Beside the settings: whose events, instances and triggers there are.
watched=" events/sched/sched_switch/trigger events/sched/sched_waking/trigger events/timer/hrtimer_start/trigger
  events/ftrace/print/trigger events/sched/sched_switch/enable events/sched/sched_process_exit/enable
  events/synthetic/other/enable dynamic_events"
echo sched:sched_process_exit >$tracing/set_event
settings="$settings $watched"
snapshot_settings () {
  for setting in $settings; do
    echo "$setting: $(grep -v '^#' $tracing/$setting)"
  done
  ls $tracing/instances $tracing/events/synthetic
  grep -v '^#' $tracing/events/synthetic/*/trigger
}
snapshot () {
  snapshot_settings
  echo "entries: $(cat $tracing/per_cpu/cpu*/stats | grep -c 'entries: [1-9]')"
}

mkdir $tracing/instances/other
echo 's:other u64 lat; pid_t pid' >>$tracing/dynamic_events
echo 'hist:keys=pid:t=common_timestamp' >>$tracing/events/sched/sched_waking/trigger
echo 'hist:keys=next_pid:l=common_timestamp-$t:onmatch(sched.sched_waking).other($l,next_pid)' >>$tracing/events/sched/sched_switch/trigger
echo "p:other/sleeps $(ls /lib/*/libc.so.6):0x100" >>$tracing/uprobe_events
echo 'traceoff if lat > 5000000000' >>$tracing/events/synthetic/other/trigger
echo 'stacktrace:1 if buf ~ "nothing"' >>$tracing/events/ftrace/print/trigger
echo global >$tracing/trace_clock
snapshot >/tmp/before
cyclictest -q -p 80 -i 5000 -l 10000000 >/dev/null &

ask () {
  request='{"culprit":1,"do":"watch",'"$1"',"limit_ns":90000000000}'
}

# Starts a recording and waits until it watches.
begin () {
  rm -f /tmp/out
  open_recording /tmp/out
  until grep -q '"progress"' /tmp/out; do
    if grep -q '"error"' /tmp/out || ! runs; then
      wait $front
      grep '"error"' /tmp/out
      return
    fi
    usleep 100000
  done
  supervisor=$(cat /proc/$front/task/$front/children)
  ls $tracing/instances | grep -q culprit_ || echo "$1: nothing was made"
}

judge () {
  exec 9>&-
  wait $front 2>/dev/null
  if settled; then echo "$1: same"; else echo "$1: $(difference | tr '\n' ' ')"; fi
}

# Kills everything at once; then what was made is still there.
kill_all () {
  killall -9 culprit-recorder
  while pidof culprit-recorder >/dev/null; do usleep 50000; done
  ls $tracing/instances | grep -q culprit_ || echo "$1: nothing was left"
}

traced='"threshold_ns":4000000,"captures":5,"tracing":"on","buffer_kb":500,"graph_functions":["do_idle"],"take_over":true'
patch_functions 0
ask '"wakeup_of":"cyclictest"'
begin off; kill_all off; culprit-recorder restore; judge off
begin supervisor; kill -9 $supervisor; judge supervisor
begin front; kill -9 $front; judge front
begin stop; echo '{"do":"stop"}' >&9; judge stop
begin end-of-input; judge end-of-input
ask '"wakeup_of":"'"$(pidof cyclictest)"'","from_waking":true'
begin pid; until grep -q '"progress".*"cycles":[1-9]' /tmp/out; do usleep 50000; done; echo '{"do":"stop"}' >&9; judge pid
ask '"wakeup_of":"cyclictest",'"$traced"
begin traced; grep -o 'kernel.ftrace_enabled is 0' /tmp/out; kill_all traced; culprit-recorder restore; judge traced
begin traced-stop; echo '{"do":"stop"}' >&9; judge traced-stop
ask '"response_of":"cyclictest",'"$traced"
begin response; kill_all response
ask '"between":"sched:sched_waking/comm==\"cyclictest\"/..sched:sched_switch","key":"pid=next_pid"'
begin next; echo '{"do":"stop"}' >&9; judge next
ask '"marks":"begin..end",'"$traced"
begin marks; kill_all marks; culprit-recorder restore; judge marks
sleeps=uprobe:$(ls /lib/*/libc.so.6):clock_nanosleep
ask '"between":"'"$sleeps..$sleeps%return"'",'"$traced"
begin probes; grep -c ':culprit_libc_so_6/clock_nanosleep' $tracing/uprobe_events; kill_all probes; culprit-recorder restore; judge probes
begin probes-stop; echo '{"do":"stop"}' >&9; judge probes-stop
# What a hit interrupts may be called anything.
while :; do :; done &
printf 'a\nb' >/proc/$!/comm
ask '"wakeup_of":"cyclictest",'"$(echo "$traced" | sed 's/:4000000,"captures":5/:1000,"captures":1/')"
echo 0 >$tracing/options/context-info # which our own trace must not inherit, nor what follows
echo 1 >$tracing/options/latency-format
echo 1 >$tracing/options/verbose
begin newline; until ! runs; do usleep 100000; done; grep -o '"reason":"captures"' /tmp/out; judge newline
kill $!
echo 1 >$tracing/options/context-info
echo 0 >$tracing/options/latency-format
echo 0 >$tracing/options/verbose
ask '"between":"sched:no_such_event..sched:sched_switch"'
begin no-event; judge no-event
ask '"between":"sched:sched_waking..sched:sched_switch","key":"pid=no_such_field"'
begin no-field; judge no-field
ask '"between":"irq:irq_handler_entry/irq>0 && cpu == 0/..irq:irq_handler_exit"'
begin no-such; judge no-such
ask '"wakeup_of":"cyclictest",'"$traced"
echo next_pid==99999 >$tracing/events/sched/sched_switch/filter
begin filtered
echo 0 >$tracing/events/sched/sched_switch/filter
judge filtered

# Where the kernel lacks something, windows are watched from user space.
sed 's/\.buckets=/.other=/' $tracing/README >/tmp/README
mount -o bind /tmp/README $tracing/README
ask '"response_of":"cyclictest"'
begin follow; kill_all follow; culprit-recorder restore; judge follow
begin follow-stop; echo '{"do":"stop"}' >&9; judge follow-stop
