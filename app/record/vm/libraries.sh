# SPDX-License-Identifier: GPL-3.0-or-later
# For scripts that copy programs of this machine into a virtual machine.

# copy_libraries ROOT PROGRAM...: copies the libraries that these need into ROOT, where they are here. Only libraries of
# the system are taken, by what a program says that it needs: ldd would load, and so run, what a program names, and finds
# libraries at any path. Says what is missing, and fails.
copy_libraries () {
  local root=$1 library place file loader tag needed
  local -A places=() copied=()
  shift
  case $(dpkg --print-architecture) in
    amd64) tag=x86-64 loader=/lib64/ld-linux-x86-64.so.2 ;;
    arm64) tag=AArch64 loader=/lib/ld-linux-aarch64.so.1 ;;
  esac
  while read -r library place; do
    [[ ${places[$library]:-} ]] || places[$library]=$place
  done < <(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk -v tag="$tag" 'index ($2, "libc6," tag) { print $1, $NF }')
  places[${loader##*/}]=$loader
  while [[ $# -gt 0 ]]; do
    file=$1
    shift
    mapfile -t needed < <(LC_ALL=C readelf -dW "$file" 2>/dev/null | sed -n 's/.*(NEEDED) *Shared library: \[\(.*\)\]$/\1/p')
    [[ ${#needed[@]} -eq 0 || $(od -An -tu1 -j4 -N1 "$file") -eq 2 ]] ||
      { echo "$file: needs libraries of 32 bits, which the virtual machine has not; link it statically" >&2; return 2; }
    [[ ${#needed[@]} -eq 0 ]] || needed+=("${loader##*/}")
    for library in "${needed[@]}"; do
      place=${places[$library]:-}
      [[ $place ]] || { echo "$file: needs ${library@Q}, which is no library of this system; link it statically" >&2; return 2; }
      [[ -z ${copied[$library]:-} ]] || continue
      copied[$library]=1
      [[ -e $root$place ]] || install -D "$place" "$root$place"
      set -- "$@" "$place"
    done
  done
}
