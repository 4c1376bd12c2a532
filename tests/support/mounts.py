# SPDX-License-Identifier: GPL-3.0-or-later
# Small file systems for a test: they go away with it, however it ends.

import ctypes
import os
import shutil
import subprocess

CLONE_NEWNS = 0x00020000


def own_mounts():
    """From here on this process and its children see mounts of their own, which end with it, however it ends. Whether so."""
    if os.geteuid() != 0 or not shutil.which("mount"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    private = ["mount", "--make-rprivate", "/"]
    return libc.unshare(CLONE_NEWNS) == 0 and subprocess.run(private, capture_output=True, check=False).returncode == 0


def mount_small(test, place, kilobytes):
    """A file system in memory at @place; skips @test where there can be none."""
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", place], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        test.skipTest(f"nothing can be mounted here: {done.stderr.strip()}")


def remount(place, options):
    subprocess.run(["mount", "-o", f"remount,{options}", place], check=True)


def unmount(place):
    subprocess.run(["umount", place], check=True)
