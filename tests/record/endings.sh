# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest that can trace: ends recordings in every bad way, and checks whether the tracing settings were restored
# and the load was gone. Writes a line "CASE: same" or what differs; "CASE: told" if a warning was expected and came.
. /guest.sh

# The process with the measuring threads.
loop () {
  grep -l culprit-cycle /proc/[0-9]*/task/*/comm 2>/dev/null | cut -d / -f 3
}

judge () {
  exec 9>&-
  wait $front 2>/dev/null
  if settled && ! grep 'what is refused' /tmp/out; then echo "$1: same"; else echo "$1: $(difference | tr '\n' ' ')"; fi
}

begin; grep -q function_graph $tracing/current_tracer && echo "traced: same"
[ -z "$(cat $tracing/set_event_notrace_pid; grep -v '^no pid' $tracing/set_ftrace_notrace_pid)" ] &&
  [ "$(cd $tracing; cat tracing_thresh options/funcgraph-irqs options/sleep-time options/markers options/record-cmd tracing_cpumask options/*stacktrace | tr '\n' ' ')" = '0 1 1 1 1 1 0 0 ' ] && echo "whole: same"
kill -9 $(loop); judge loop
patch_functions 0
begin; kill -9 -$front; judge group

# Without tracing, while the user traces.
sound=$request
request='{"culprit":1,"do":"record","period_ns":5000000,"limit_ns":60000000000}'
echo 1 >$tracing/tracing_on
snapshot >/tmp/before
begin; kill -9 $(loop); judge untraced
echo 0 >$tracing/tracing_on
snapshot >/tmp/before
request=$sound

# Requests that tracing makes unreliable, from a user who was warned: these recordings continue.
warned () {
  request=$(echo "$sound" | sed "s/\"threshold_ns\":4000000,\"captures\":5/$1,\"limit_ns\":60000000000,\"calibrate\":\"warn\"/")
}
warned '"threshold_ns":5000'
begin; kill -INT $front; judge interrupt
grep -q 'a threshold of 5 us lies below the smallest latency under tracing' /tmp/out && echo "threshold: told"
warned '"band_low_ns":1000,"band_high_ns":2000'
begin; judge end-of-input
grep -q 'the band ends at 2 us, below the smallest latency under tracing' /tmp/out && echo "band: told"
request=$sound
begin; echo '{"do":"stop"}' >&9; judge stop

# What somebody has set on an event would keep it out of a trace, or stops the trace before a hit.
ended () {
  open_recording /tmp/out
  wait $front
  grep -q "$2" /tmp/out && echo "$1: told"
}
request="${sound%\}},\"calibrate\":\"skip\",\"take_over\":true,\"limit_ns\":20000000000}"
echo prev_pid==99999 >$tracing/events/sched/sched_switch/filter
ended filtered 'somebody has set a filter for the event sched:sched_switch'
echo 0 >$tracing/events/sched/sched_switch/filter
judge filtered-after
echo disable_event:sched:sched_switch >$tracing/events/sched/sched_process_fork/trigger
ended disabled 'somebody has an event switched off by disable_event:sched:sched_switch'
sh -c "$(sed -n 's/.*remove that with: \(.*\)"}/\1/p' /tmp/out)"
[ "$(cat $tracing/events/sched/sched_switch/enable)" = 0 ] && judge disabled-after
echo snapshot >$tracing/events/sched/sched_wait_task/trigger
ended snapshots 'somebody has the trace taken away by snapshot:unlimited'
sh -c "$(sed -n 's/.*remove that with: \(.*\)"}/\1/p' /tmp/out)"
judge snapshots-after
request=$(echo "$request" | sed 's/"threshold_ns":4000000/"threshold_ns":1000/')
echo traceoff >$tracing/events/sched/sched_switch/trigger
ended stopped "another program stopped this machine's tracing"
echo '!traceoff' >$tracing/events/sched/sched_switch/trigger
judge stopped-after
# No event is needed, none that nobody records matters, and who reads trace_pipe keeps the tracer from being changed
# until then, for a run without tracing as well.
echo 1 >$tracing/tracing_on
snapshot >/tmp/before
to_free='end what uses it, such as what reads trace or trace_pipe, or free memory'
request=$(echo "$sound" | sed 's/,"events":\["sched:sched_switch"\]//; s/}$/,"take_over":true}/')
echo disable_event:sched:sched_wakeup >$tracing/events/sched/sched_process_fork/trigger
begin; sleep 1000 <$tracing/trace_pipe & reader=$!
usleep 300000; echo '{"do":"stop"}' >&9; exec 9>&-; wait $front
grep -q "what is refused: set_ftrace_pid, current_tracer, tracing_on; $to_free, then: culprit-recorder restore" /tmp/out && ! grep -q '"error"' /tmp/out &&
  [ "$(cat $tracing/tracing_on)" = 0 ] && ! grep -q 77 $tracing/set_ftrace_pid && echo "busy: told"
culprit-recorder restore | grep -q "before the recording, except for set_ftrace_pid, current_tracer, tracing_on; $to_free" && echo "busy-still: told"
ended busy-traced "\"error\".*not yet what it was before an earlier recording; $to_free"
exec 9>&-
echo '{"culprit":1,"do":"record","period_ns":5000000,"cycles":3}' | culprit-recorder | grep -q "\"error\".*not yet what it was before an earlier recording" && echo "busy-untraced: told"
kill $reader; wait $reader 2>/dev/null
echo '!disable_event:sched:sched_wakeup' >$tracing/events/sched/sched_process_fork/trigger
culprit-recorder restore | grep -q 'tracing is restored to what it was before the recording$' && echo "freed: told"
if settled; then echo "busy-after: same"; else echo "busy-after: $(difference | tr '\n' ' ')"; fi
echo 0 >$tracing/tracing_on
snapshot >/tmp/before
# Who reads trace keeps the ring buffer from being resized, which the kernel calls a lack of memory.
begin; sleep 1000 <$tracing/trace & reader=$!
usleep 300000; echo '{"do":"stop"}' >&9; exec 9>&-; wait $front
grep -q "what is refused: buffer_size_kb; $to_free, then: culprit-recorder restore" /tmp/out && echo "held: told"
kill $reader; wait $reader 2>/dev/null
culprit-recorder restore >/dev/null
if settled; then echo "held-after: same"; else echo "held-after: $(difference | tr '\n' ' ')"; fi
sleep 1000 <$tracing/trace & reader=$!
# Newer kernels call it busy.
ended held-before '"error".*\(somebody has /sys/kernel/tracing/trace open, .*record again\|buffer_size_kb: Device or resource busy; .* reads trace or trace_pipe\)"}'
exec 9>&-
kill $reader; wait $reader 2>/dev/null
if settled && ! grep 'what is refused' /tmp/out; then echo "held-before-after: same"; else echo "held-before-after: $(difference | tr '\n' ' ')"; fi
request='{"culprit":1,"do":"record","period_ns":5000000,"cycles":3,"tracing":"on","buffer_kb":4194304,"take_over":true}'
ended memory '"error".*not enough memory for a ring buffer of 4194304 KB on each CPU.*"remedy":"smaller-buffer"'
judge memory-after
# A note in between does not take the remedy of the error.
request='{"culprit":1,"do":"record","period_ns":20000,"limit_ns":60000000000,"tracing":"on","take_over":true}'
open_recording /tmp/out
until [ "$(cat $tracing/tracing_on)" = 1 ] || ! runs; do usleep 50000; done
sleep 1000 <$tracing/trace_pipe & reader=$!
wait $front; exec 9>&-
grep -q 'what is refused: set_ftrace_pid, current_tracer; [^"]*"}' /tmp/out && grep -q '"error".*"remedy":"longer-period"' /tmp/out && echo "remedy: told"
kill $reader; wait $reader 2>/dev/null
culprit-recorder restore >/dev/null
# Set back, the clock keeps a wait from its end, which is noted; set forward, it ends the run before a wait that is none.
request='{"culprit":1,"do":"record","period_ns":5000000,"limit_ns":4000000000,"clock":"realtime"}'
begin; date -s "@$(($(date +%s) - 1))" >/dev/null; wait $front
grep -q '"note".*run 1: the real-time clock was set by -[12]' /tmp/out && echo "clock-back: told"
begin; date -s "@$(($(date +%s) + 3600))" >/dev/null; wait $front
grep -q '"run-end".*"cycles":[1-9].*"min_ns":[0-9]' /tmp/out && grep -q '"error".*"the real-time clock was set by +3[56]' /tmp/out &&
  ! grep -q '"note"' /tmp/out && echo "clock: told"
request='{"culprit":1,"do":"record","period_ns":5000000,"limit_ns":1000000000,"tracing":"both","runs":2,"calibrate":"skip"}'
begin
until grep -q function_graph $tracing/current_tracer || ! runs; do sleep 0.1; done
sleep 1000 <$tracing/trace_pipe & reader=$!
wait $front
grep -q '"error".*tracer cannot be removed for a run without it' /tmp/out && echo "untraced-busy: told"
kill $reader; wait $reader 2>/dev/null
culprit-recorder restore >/dev/null
request=$sound

# Files of another user: what would be changed, and could not be restored, is not changed; what is given away later is
# restored all the same.
chown 1000 $tracing/tracing_on
ended owned 'tracing_on belongs to another user.* give it back with: chown root /sys/kernel/tracing/tracing_on'
judge owned-after
chown 0 $tracing/tracing_on
chown 1000 $tracing/dynamic_events
echo '{"culprit":1,"do":"watch","wakeup_of":"nobody","limit_ns":1000000000}' | culprit-recorder | grep -q 'dynamic_events belongs to another user' && echo "owned-watch: told"
chown 0 $tracing/dynamic_events
chown 1000 $tracing/trace_marker # which root's group may write
begin; chown 1000 $tracing/trace_clock $tracing/tracing_on; echo '{"do":"stop"}' >&9; exec 9>&-; wait $front
grep -q "what is refused: trace_clock, tracing_on; that is tried again with all of root's rights" /tmp/out && echo "owned-late: told"
if settled; then echo "restored-late: same"; else echo "restored-late: $(difference | tr '\n' ' ')"; fi
chown 0 $tracing/trace_clock $tracing/tracing_on $tracing/trace_marker

# A snapshot that somebody has taken.
echo 1 >$tracing/tracing_cpumask
echo 1 >$tracing/options/markers
echo 1 >$tracing/tracing_on
echo mine >$tracing/trace_marker
echo 1 >$tracing/snapshot
echo "$request" | culprit-recorder | grep -q 'in use by another program: its snapshot holds events' && echo "snapshot: same"
grep -q mine $tracing/snapshot && echo "kept: same"
echo 0 >$tracing/snapshot
echo 0 >$tracing/tracing_on
echo 0 >$tracing/options/markers
echo 0 >$tracing/tracing_cpumask

# A tracer that exists and takes no time to switch to.
echo blk >$tracing/current_tracer
echo "$request" | culprit-recorder | grep -q 'in use by another program' && echo "refused: same"
[ "$(cat $tracing/current_tracer)" = blk ] && echo "untouched: same"
request="${request%\}},\"take_over\":true,\"cycles\":30}"
snapshot >/tmp/before
begin; echo '{"do":"stop"}' >&9; judge taken-over
