# SPDX-License-Identifier: GPL-3.0-or-later
# System calls made by a running process that did not ask for them, by each way into an x86-64 kernel.

import ctypes
import os
import platform
import signal
import struct

SUPPORTED = platform.machine() == "x86_64"
X32 = 1 << 30  # in the number of a system call
SYSCALL = bytes([0x0F, 0x05])
INT_80 = bytes([0xCD, 0x80])
BREAKPOINT = 0xCC

GETREGS, SETREGS, CONT, ATTACH, DETACH, PEEKDATA, POKEDATA = 12, 13, 7, 16, 17, 2, 5
NAMES = ("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es "
         "fs gs").split()

ptrace_call = ctypes.CDLL(None, use_errno=True).ptrace
ptrace_call.restype = ctypes.c_long
ptrace_call.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def ptrace(request, thread, address=None, data=None):
    ctypes.set_errno(0)
    result = ptrace_call(request, thread, address, data)
    if result == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def read_registers(thread):
    words = (ctypes.c_ulonglong * len(NAMES))()
    ptrace(GETREGS, thread, None, words)
    return dict(zip(NAMES, words))


def write_registers(thread, registers):
    ptrace(SETREGS, thread, None, (ctypes.c_ulonglong * len(NAMES))(*(registers[name] for name in NAMES)))


class Killed(Exception):
    """By the signal in its argument."""


def wait(thread):
    """The signal that stopped @thread."""
    _, status = os.waitpid(thread, 0x40000000)  # __WALL
    if os.WIFSIGNALED(status):
        raise Killed(os.WTERMSIG(status))
    assert os.WIFSTOPPED(status), status
    return os.WSTOPSIG(status)


def call(thread, way, number, *arguments):
    """What the system call @number returns to @thread by the instruction @way. The thread then goes on with what it did
    before. Raises Killed if it dies of it."""
    ptrace(ATTACH, thread)
    wait(thread)
    before = read_registers(thread)
    code = ptrace(PEEKDATA, thread, before["rip"])
    ptrace(POKEDATA, thread, before["rip"],
           struct.unpack("<q", (way + bytes([BREAKPOINT]) + struct.pack("<q", code)[len(way) + 1:]))[0])
    names = ("rbx", "rcx", "rdx") if way == INT_80 else ("rdi", "rsi", "rdx")
    write_registers(thread, {**before, "rax": number, "orig_rax": 2**64 - 1,  # not to be restarted
                             **dict.fromkeys(names, 0), **dict(zip(names, arguments))})
    ptrace(CONT, thread)
    while (stop := wait(thread)) != signal.SIGTRAP:
        ptrace(CONT, thread, None, stop)
    result = ctypes.c_longlong(read_registers(thread)["rax"]).value
    ptrace(POKEDATA, thread, before["rip"], code)
    write_registers(thread, before)
    ptrace(DETACH, thread)
    return result
