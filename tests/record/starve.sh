# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest of one CPU: has a thread measure that never sleeps, and then lets real-time tasks take all time from
# others. Writes the last line of each recording.
throttle () {
  echo "$1" >/proc/sys/kernel/sched_rt_runtime_us
}

begin='{"culprit":1,"do":"record","method":"poll","period_ns":20000000'
mkfifo /tmp/in
exec 9<>/tmp/in

# What $2 says of a recording that may only take all time once it measures.
hog () {
  throttle 950000
  : >/tmp/out # which has the last recording's lines
  culprit-recorder "$begin,$2}" <&9 >/tmp/out &
  until grep -q '"progress"\|"error"' /tmp/out; do usleep 100000; done
  throttle -1
  wait $!
  echo "$1: $(tail -n 1 /tmp/out)"
}

# Linux 6.12 and later leave others some time without throttling, too.
echo "fair: $([ -d /sys/kernel/debug/sched/fair_server ] && echo true || echo false)"
throttle -1
echo "refused: $(culprit-recorder "$begin,\"cycles\":10}" <&9 | tail -n 1)"
hog limit '"limit_ns":2000000000'
hog starved '"cycles":1500'
throttle 950000
