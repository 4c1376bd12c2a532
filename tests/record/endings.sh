# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest that can trace: ends recordings in every bad way, and tells whether the tracing settings were as before
# and the load was gone. Writes a line "CASE: same" or what differs.
tracing=/sys/kernel/tracing
settings="current_tracer tracing_on trace_clock buffer_size_kb set_event set_event_pid set_ftrace_pid set_ftrace_filter
  set_ftrace_notrace set_graph_function set_graph_notrace max_graph_depth options/overwrite"

snapshot () {
  for setting in $settings; do
    echo "$setting: $(cat $tracing/$setting)"
  done
  echo "entries: $(cat $tracing/per_cpu/cpu*/stats | grep -c 'entries: [1-9]')"
}

# Settings that somebody had before, and would miss.
echo 1234 >$tracing/buffer_size_kb
echo global >$tracing/trace_clock
echo 'hrtimer_interrupt' >$tracing/set_graph_function
echo 7 >$tracing/max_graph_depth
echo 0 >$tracing/tracing_on
snapshot >/tmp/before

request='{"culprit":1,"do":"record","period_ns":5000000,"threshold_ns":4000000,"captures":5,"tracing":"on",'
request="$request"'"buffer_kb":500,"graph_functions":["do_idle"],"events":["sched:sched_switch"],"load":"sleep 1000 & sleep 1000"}'

# Starts a recording and waits until it measures.
begin () {
  rm -f /tmp/in /tmp/out
  mkfifo /tmp/in
  setsid culprit-recorder </tmp/in >/tmp/out &
  front=$!
  exec 9>/tmp/in
  echo "$request" >&9
  until grep -q 'progress.*"cycles":[1-9]' /tmp/out; do
    if grep '"error"' /tmp/out; then return; fi
    sleep 0.1
  done
  supervisor=$(cat /proc/$front/task/$front/children)
}

# The process with the measuring threads.
loop () {
  for pid in $(cat /proc/$supervisor/task/*/children); do
    ! grep -q culprit-cycle /proc/$pid/task/*/comm || echo $pid
  done
}

judge () {
  exec 9>&-
  wait $front 2>/dev/null
  # What outlives its parent needs a moment.
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    snapshot >/tmp/after
    if cmp -s /tmp/before /tmp/after && ! pidof culprit-recorder sleep >/dev/null; then break; fi
    usleep 500000
  done
  if cmp -s /tmp/before /tmp/after && ! pidof culprit-recorder sleep >/dev/null && [ -z "$(ls /tmp/culprit-* /var/tmp/culprit-* 2>/dev/null)" ]; then
    echo "$1: same"
  else
    echo "$1: $(diff /tmp/before /tmp/after | tr '\n' ' ') $(pidof culprit-recorder sleep) $(ls -d /tmp/culprit-* /var/tmp/culprit-* 2>/dev/null)"
  fi
}

begin; grep -q function_graph $tracing/current_tracer && echo "traced: same"
kill -9 $(loop); judge loop
begin; kill -9 $supervisor; judge supervisor
begin; kill -9 -$front; judge group
begin; kill -INT $front; judge interrupt
begin; judge end-of-input
begin; echo '{"do":"stop"}' >&9; judge stop

echo function >$tracing/current_tracer
echo "$request" | culprit-recorder | grep -q 'in use by somebody else' && echo "refused: same"
[ "$(cat $tracing/current_tracer)" = function ] && echo "untouched: same"
request="${request%\}},\"take_over\":true,\"cycles\":30}"
echo function >$tracing/current_tracer
snapshot >/tmp/before
begin; echo '{"do":"stop"}' >&9; judge taken-over
