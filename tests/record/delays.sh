# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest whose kernel has BPF: requests delays that are refused, and ends recordings with delays in several ways.
# Writes a line "CASE: none" if the kernel has no probe and no program of ours any more, or what it still has.
request () {
  echo '{"culprit":1,"do":"prove","period_ns":1000000,"limit_ns":'"$1"',"delay_at":"'"$2"'","delays":'"$3"'}'
}

left () {
  cat /sys/kernel/debug/kprobes/list
  bpftool prog show | grep -w delay
  pidof culprit-recorder culprit-delayer
}

# Starts a recording and waits until it has measured with a delay.
begin () {
  rm -f /tmp/in /tmp/out
  mkfifo /tmp/in
  setsid culprit-recorder </tmp/in >/tmp/out &
  exec 9>/tmp/in
  request 500000000 hrtimer_wakeup '[0,5000,0,5000,0,5000,0,5000,0,5000,0,5000,0,5000,0,5000]' >&9
  until grep -q '"run-end","run":2' /tmp/out || ! kill -0 $!; do usleep 100000; done
}

judge () {
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -n "$(left)" ] || break
    usleep 100000
  done
  echo "$1: $(left | tr '\n' ' ')none"
  killall -9 culprit-recorder culprit-delayer 2>/dev/null
  exec 9>&-
}

for function in no_such_function asm_sysvec_irq_work hrtimer_interrupt; do
  (request 500000000 $function '[0,2000000]'; sleep 60) | culprit-recorder | grep -o '"error".*'
done
begin
left | grep -q hrtimer_wakeup && left | grep -qw delay && echo "probed: none"
grep -o '"delay_calls":[1-9].*"delay_withheld":0' /tmp/out | head -n 2
killall -9 culprit-recorder culprit-delayer; judge killed
begin; killall -9 culprit-recorder; judge without-recorder
begin; exec 9>&-; judge end-of-input
begin; echo '{"do":"stop"}' >&9; judge stop
begin; killall -9 culprit-delayer; judge without-delayer
grep -o '"error".*' /tmp/out
