# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest that can trace: kills and blocks recorders, and prints for each way how often the tracing settings were
# restored and the load was gone: "CASE: N of N". The argument is how often each is repeated.
. /guest.sh
strikes=$1
request="${request%\}},\"calibrate\":\"skip\"}"
one_cycle='{"culprit":1,"do":"record","period_ns":5000000,"cycles":1}'

# Does $2 to recordings, every other time at a random moment during their start.
strike () {
  good=0
  for strike in $(seq "$strikes"); do
    if [ $((strike % 2)) -eq 0 ]; then
      begin
    else
      open_recording /tmp/out
      usleep $((RANDOM * 20))
      supervisor=$(cat /proc/$front/task/$front/children)
    fi
    eval "$2"
    exec 9>&-
    if settled; then good=$((good + 1)); else difference; fi
  done
  echo "$1: $good of $strikes"
}

kill_both='kill -9 $front $supervisor'
strike supervisor 'kill -9 $supervisor'
patch_functions 0
strike front 'kill -9 $front'
strike restored "$kill_both; culprit-recorder restore >/dev/null"
strike next "$kill_both; (echo '$one_cycle'; sleep 0.5) | culprit-recorder >/dev/null"
strike garbage 'printf "x\0\n" >&9'

# Nobody reads its output. What would pass it on gives up after 30 s.
good=0
mkfifo /tmp/full
for strike in $(seq "$strikes"); do
  exec 8<>/tmp/full
  head -c 61440 /dev/zero >&8 # all but a page of what fits
  open_recording /tmp/full
  until { grep -q function_graph $tracing/current_tracer && pidof sleep >/dev/null; } || ! runs; do usleep 50000; done
  runs
  ran=$?
  kill -TERM $front
  if [ $ran -eq 0 ] && { settled || settled || settled; }; then good=$((good + 1)); else difference; fi
  exec 8>&- 9>&-
done
echo "blocked: $good of $strikes"

# The clock is set back by a day. The recorder can still be stopped; if it waits by that clock, it says so.
good=0
monotonic=$request
for strike in $(seq "$strikes"); do
  [ $((strike % 2)) -eq 0 ] || request="${monotonic%\}},\"clock\":\"realtime\"}"
  begin
  date -s "@$(($(date +%s) - 86400))" >/dev/null
  echo '{"do":"stop"}' >&9
  wait $front
  if grep -q '"reason":"stopped"\|a clock that was set' /tmp/out && settled; then good=$((good + 1)); else difference; fi
  exec 9>&-
  request=$monotonic
done
echo "clock: $good of $strikes"

begin
eval "$kill_both"
wait $front 2>/dev/null
echo '{"culprit":1,"do":"examine"}' | culprit-recorder | grep -q '"unrestored":true' && echo "told: yes"
culprit-recorder restore
