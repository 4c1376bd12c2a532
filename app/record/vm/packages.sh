# SPDX-License-Identifier: GPL-3.0-or-later
# For scripts that unpack Debian's packages without installing them, also those of another architecture, whose package
# lists are kept below the folder in $vm, so that this machine's are not touched and root is not needed.

# apt ARCH PROGRAM [ARGUMENT...]: apt-get or apt-cache for the packages of ARCH.
apt () {
  local arch=$1 program=$2 state=$vm/apt/$1
  shift 2
  if [[ $arch == "$(dpkg --print-architecture)" ]]; then
    "$program" "$@"
  else
    "$program" -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State=$state" \
      -o "Dir::State::status=$state/status" -o "Dir::Cache=$state" -o APT::Sandbox::User= "$@"
  fi
}

# update_lists ARCH: brings its lists up to date with this machine's.
update_lists () {
  local state=$vm/apt/$1
  [[ $1 != "$(dpkg --print-architecture)" ]] || return 0
  [[ ! $state/lists -nt /var/lib/apt/lists ]] || return 0
  mkdir -p "$state/lists/partial" "$state/archives/partial"
  touch "$state/status"
  apt "$1" apt-get update -qq >"$state/log" 2>&1 || { cat "$state/log" >&2; return 2; }
  touch "$state/lists"
}

# depends ARCH PACKAGE: the packages that it depends on, one per line.
depends () {
  apt "$1" apt-cache depends "$2" 2>/dev/null | awk '$1 == "Depends:" { print $2 }'
}

# unpack ARCH FOLDER PACKAGE...: downloads these and unpacks them into FOLDER.
unpack () {
  local arch=$1 folder=$2 work file
  shift 2
  mkdir -p "$folder"
  work=$(mktemp -d "$folder/download.XXXXXX")
  (cd "$work" && apt "$arch" apt-get download -qq "$@") >"$work/log" 2>&1 || { cat "$work/log" >&2; rm -rf "$work"; return 2; }
  for file in "$work"/*.deb; do dpkg -x "$file" "$folder"; done
  rm -rf "$work"
}

# with_dependencies ARCH PACKAGE...: these and all their dependencies, one per line, as if nothing were installed.
with_dependencies () {
  local arch=$1
  shift
  apt "$arch" apt-get install -s --no-install-recommends "$@" | awk '$1 == "Inst" { print $2 }'
}
