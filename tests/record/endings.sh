# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest that can trace: ends recordings in every bad way, and tells whether the tracing settings were as before
# and the load was gone. Writes a line "CASE: same" or what differs.
. /guest.sh

# The process with the measuring threads.
loop () {
  for pid in $(cat /proc/$supervisor/task/*/children); do
    ! grep -q culprit-cycle /proc/$pid/task/*/comm || echo $pid
  done
}

judge () {
  exec 9>&-
  wait $front 2>/dev/null
  if settled; then echo "$1: same"; else echo "$1: $(difference | tr '\n' ' ')"; fi
}

begin; grep -q function_graph $tracing/current_tracer && echo "traced: same"
kill -9 $(loop); judge loop
begin; kill -9 $supervisor; judge supervisor
begin; kill -9 -$front; judge group
begin; kill -INT $front; judge interrupt
begin; judge end-of-input
begin; echo '{"do":"stop"}' >&9; judge stop

echo function >$tracing/current_tracer
echo "$request" | culprit-recorder | grep -q 'in use by another program' && echo "refused: same"
[ "$(cat $tracing/current_tracer)" = function ] && echo "untouched: same"
request="${request%\}},\"take_over\":true,\"cycles\":30}"
echo function >$tracing/current_tracer
snapshot >/tmp/before
begin; echo '{"do":"stop"}' >&9; judge taken-over
