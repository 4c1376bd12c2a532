# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest that can trace: stops, freezes and kills the caller of recordings, which lives in a control group of
# version 2. Writes a line "CASE: same" if the tracing settings were restored, or what differs. The recorder's side is
# told to wait 10 s for a word of the caller, who says one every second.
. /guest.sh
groups=/sys/fs/cgroup
mkdir -p $groups
mount -t cgroup2 cgroup2 $groups
mkdir $groups/caller
request="${request%\}},\"calibrate\":\"skip\",\"watchdog_ns\":10000000000,\"limit_ns\":1000000000000}"
request=$(echo "$request" | sed 's/"threshold_ns":4000000,"captures":5,//; s/"period_ns":5000000/"period_ns":20000000/')

# The caller. It does not sleep by that name, which is the load's.
cat >/tmp/caller <<'END'
echo 0 >/sys/fs/cgroup/caller/cgroup.procs
culprit-recorder </tmp/in >/tmp/out &
echo $! >/tmp/front
exec >/tmp/in
echo "$1"
while usleep 1000000; do echo '{"do":"go on"}'; done
END

call () {
  rm -f /tmp/in /tmp/out /tmp/front
  mkfifo /tmp/in
  sh /tmp/caller "$request" &
  caller=$!
}

begin_called () {
  call
  until grep -q "progress.*\"cycles\":$1" /tmp/out 2>/dev/null; do
    if grep '"error"' /tmp/out; then return; fi
    usleep 500000 # Under tracing, to look costs as much as a second of the recording.
  done
  front=$(cat /tmp/front)
  supervisor=$(cat /proc/$front/task/$front/children)
}

# After as long as the recorder may take to notice and to stop.
judge () {
  if settled || settled || settled; then echo "$1: same"; else echo "$1: $(difference | tr '\n' ' ')"; fi
  echo 0 >$groups/caller/cgroup.freeze
  echo 1 >$groups/caller/cgroup.kill
  settled || { culprit-recorder restore; killall -9 culprit-recorder sleep; settled; }
}

# Goes on for twice as long as it would without a word: 1000 cycles of 20 ms.
begin_called '[1-9][0-9][0-9][0-9]\b'
grep -q function_graph $tracing/current_tracer && echo "traced: same"
[ "$(cat /proc/$supervisor/cgroup /proc/$front/cgroup | sort -u)" = 0::/culprit-recorder ] && echo "apart: same"
kill -9 $caller; judge killed
patch_functions 0
begin_called '[1-9]'; kill -STOP $caller; judge stopped
begin_called '[1-9]'; echo 1 >$groups/caller/cgroup.freeze; judge frozen
begin_called '[1-9]'; echo 1 >$groups/caller/cgroup.kill; judge group-killed
ordinary=$request
request="${request%\}},\"graph_notrace\":[$(seq -s, 500 | sed 's/[0-9]*/"*b[a-z&]*"/g')]}" # The kernel needs minutes for them.
call
until grep -q '\[mono\]' $tracing/trace_clock || grep '"error"' /tmp/out 2>/dev/null; do usleep 100000; done
kill -9 $caller; judge named
request=$ordinary
echo '*time*' >$tracing/set_ftrace_filter # hundreds of functions
snapshot >/tmp/before
begin_called '[1-9]'; kill -9 $caller; judge filtered
echo >$tracing/set_ftrace_filter
snapshot >/tmp/before
begin_called '[1-9]'; kill -STOP $front; kill -9 $caller; usleep 100000
until [ "$(cat $tracing/current_tracer)" = nop ]; do usleep 500000; done; kill -CONT $front; judge front-stopped
[ -z "$(cat $groups/culprit-recorder/cgroup.procs)" ] && echo "left: same"
