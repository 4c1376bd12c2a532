# SPDX-License-Identifier: GPL-3.0-or-later
# Small file systems for a test: they go away with it, however it ends.

import ctypes
import errno
import os
import shutil
import signal
import struct
import subprocess

CLONE_NEWNS = 0x00020000
PR_SET_PDEATHSIG = 1
FUSE_INIT, FUSE_ACCESS = 26, 34


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


def mount_mute(test, place, only_root_enters=False):
    """A file system at @place that one may enter, and that answers no question about it; skips @test where there can be
    none. @only_root_enters: others who try are not answered either, and wait in the kernel."""
    if not os.path.exists("/dev/fuse"):
        test.skipTest("there is no /dev/fuse")
    device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    test.addCleanup(os.close, device)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
    if subprocess.run(["mount", "-i", "-t", "fuse", "-o", options, "none", place], capture_output=True, check=False,
                      pass_fds=[device]).returncode != 0:
        test.skipTest("no such file system can be mounted here")
    test.addCleanup(subprocess.run, ["umount", "-f", "-l", place], check=True)
    serving = os.fork()  # A thread of ours would stand still while a child of ours enters it before its program begins.
    if serving == 0:
        serve_mutely(device, only_root_enters)
    test.addCleanup(os.waitpid, serving, 0)
    test.addCleanup(os.kill, serving, signal.SIGKILL)
    os.access(place, os.X_OK)


def serve_mutely(device, only_root_enters):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    while True:
        try:
            _, kind, number, _, user = struct.unpack_from("=IIQQI", os.read(device, 1 << 20))
        except OSError:  # It is unmounted.
            os._exit(0)
        if kind == FUSE_INIT:
            os.write(device, struct.pack("=IiQ4I2H2I2H8I", 80, 0, number, 7, 31, 4096, 0, 0, 0, 4096, 1, *[0] * 10))
        elif kind == FUSE_ACCESS and not only_root_enters:
            os.write(device, struct.pack("=IiQ", 16, -errno.ENOSYS, number))
        elif kind == FUSE_ACCESS and user == 0:
            os.write(device, struct.pack("=IiQ", 16, 0, number))


def remount(place, options):
    subprocess.run(["mount", "-o", f"remount,{options}", place], check=True)


def unmount(place):
    subprocess.run(["umount", place], check=True)
