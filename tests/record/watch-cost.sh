# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in a guest: the program loop as often as the first argument says, in turn without and with a recording that watches
# it as the second one says. Writes "= 0" or "= 1" before what it prints.
trap '' PIPE

round () {
  echo "= $1"
  loop plain 200
}

for i in $(seq "$1"); do
  round 0
  rm -f /tmp/in /tmp/out
  mkfifo /tmp/in
  culprit-recorder </tmp/in >/tmp/out &
  exec 9>/tmp/in
  echo '{"culprit":1,"do":"watch",'"$2"',"limit_ns":90000000000}' >&9
  until grep -q '"progress"\|"error"' /tmp/out; do usleep 50000; done
  round 1
  echo '{"do":"stop"}' >&9
  wait
  exec 9>&-
  grep -q '"bins"' /tmp/out || cat /tmp/out
done
