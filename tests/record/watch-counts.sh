# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest that can trace: watches the program loop in several ways without function tracing, while this script
# has the events themselves recorded. Writes for each "= DEFINITION", what the recorder said, what the loop said and,
# except for marks, whose recording needs the buffer itself, the trace. After the line "== follow" all that once more,
# marks aside, while the kernel seems to lack buckets, so that windows are watched from user space; then a capture
# follows, too.
tracing=/sys/kernel/tracing
trap '' PIPE
echo mono >$tracing/trace_clock
echo 20000 >$tracing/buffer_size_kb

trace () {
  echo "$1" >$tracing/events/sched/sched_switch/enable
  echo "$1" >$tracing/events/sched/sched_waking/enable
  echo "$1" >$tracing/events/timer/hrtimer_start/enable
}

watch () {
  rm -f /tmp/in /tmp/out
  mkfifo /tmp/in
  culprit-recorder </tmp/in >/tmp/out &
  exec 9>/tmp/in
  echo '{"culprit":1,"do":"watch",'"$1"',"limit_ns":90000000000}' >&9
  until grep -q '"progress"\|"error"' /tmp/out; do usleep 50000; done
  if [ "$3" = traced ]; then trace 1; fi
  echo "= $1"
  loop "$2" 200
  usleep 20000
  trace 0
  echo '{"do":"stop"}' >&9
  wait
  exec 9>&-
  grep '"bins"\|"error"\|"note"\|"run-end"' /tmp/out
  if [ "$3" = traced ]; then
    grep 'myloop' $tracing/trace
    echo >$tracing/trace
  fi
}

watch_all () {
  watch '"wakeup_of":"myloop"' plain traced
  watch '"wakeup_of":"myloop","from_waking":true' plain traced
  watch '"response_of":"myloop"' lock traced
  watch '"response_of":"myloop","from_waking":true' lock traced
  watch '"between":"sched:sched_waking/comm==\"myloop\"/..sched:sched_switch","key":"pid=next_pid"' plain traced
  watch '"between":"sched:sched_waking/comm==\"myloop\"/..sched:sched_switch","key":"comm=next_comm"' plain traced
  if [ "$1" = marks ]; then
    watch '"marks":"begin of the work..end of the work","take_over":true' marks
  fi
  watch '"between":"uprobe:loop:work_begin..uprobe:loop:work_end%return"' marks
  watch '"between":"usdt:loop:myloop:work_begin..usdt:loop:myloop:work_end"' marks
}

watch_all marks
echo "== follow"
sed 's/\.buckets=/.other=/' $tracing/README >/tmp/README
mount -o bind /tmp/README $tracing/README
watch_all
echo "= capture"
loop call 100000 >/dev/null &
rm -f /tmp/in
mkfifo /tmp/in
culprit-recorder </tmp/in &
recorder=$!
exec 9>/tmp/in
echo '{"culprit":1,"do":"watch","response_of":"myloop","threshold_ns":3000000,"captures":1,"tracing":"on","buffer_kb":4000,"take_over":true}' >&9
wait $recorder
ls $tracing/instances
