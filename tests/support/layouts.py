# SPDX-License-Identifier: GPL-3.0-or-later
# How kernels lay out events: the format descriptions in the kernel's own text form, and the bytes that go with them. A
# layout is picked by name from LAYOUTS; dataclasses.replace() creates variants.

import struct
from dataclasses import dataclass
from functools import cache, cached_property

ID = {"print": 5, "funcgraph_exit": 10, "funcgraph_entry": 11, "fgraph_retaddr_entry": 17, "sched_switch": 372,
      "sched_waking": 373, "sched_migrate_task": 374, "hrtimer_start": 375, "hrtimer_cancel": 376}
UNKNOWN_ID = 1999
CODES = {1: "b", 2: "h", 4: "i", 8: "q"}

COMMON = [("unsigned short", "common_type"), ("unsigned char", "common_flags"),
          ("unsigned char", "common_preempt_count"), ("int", "common_pid")]
COMMON_RT = COMMON + [("unsigned short", "common_migrate_disable"), ("unsigned short", "common_padding")]

LONG, U64, INT, UINT = "unsigned long", "unsigned long long", "int", "unsigned int"
ENTRY = [(LONG, "func"), (INT, "depth")]
ENTRY_ARGS = [(LONG, "func"), (LONG, "depth"), (LONG, "args[]")]
RETADDR = [(LONG, "func"), (INT, "depth"), (LONG, "retaddr")]
EXIT_OLD = [(LONG, "func"), (LONG, "overrun"), (U64, "calltime"), (U64, "rettime"), (INT, "depth")]
EXIT_6_1 = [(LONG, "func"), (INT, "depth"), (UINT, "overrun"), (U64, "calltime"), (U64, "rettime")]
EXIT_RETVAL = [(LONG, "func"), (LONG, "retval"), (INT, "depth"), (UINT, "overrun"), (U64, "calltime"),
               (U64, "rettime")]
PRINT = [(LONG, "ip"), ("char", "buf[]")]
SWITCH = [("char", "prev_comm[16]"), ("pid_t", "prev_pid"), (INT, "prev_prio"), ("long", "prev_state"),
          ("char", "next_comm[16]"), ("pid_t", "next_pid"), (INT, "next_prio")]
WAKING = [("char", "comm[16]"), ("pid_t", "pid"), (INT, "prio"), (INT, "target_cpu")]
MIGRATE = [("char", "comm[16]"), ("pid_t", "pid"), (INT, "prio"), (INT, "orig_cpu"), (INT, "dest_cpu")]
TIMER_START = [("void *", "hrtimer"), ("void *", "function"), ("s64", "expires"), ("s64", "softexpires"), (INT, "mode")]
TIMER_CANCEL = [("void *", "hrtimer")]
PRINT_FMT = {
    "print": '"%ps: %s", (void *)REC->ip, REC->buf',
    "funcgraph_entry": '"--> %ps (%d)", (void *)REC->func, REC->depth',
    "fgraph_retaddr_entry": '"--> %ps (%d) <- %ps", (void *)REC->func, REC->depth, (void *)REC->retaddr',
    "funcgraph_exit": '"<-- %ps (%d) (start: %llx  end: %llx) over: %d", (void *)REC->func, REC->depth, '
                      'REC->calltime, REC->rettime, REC->depth',
    "sched_switch": '"prev_comm=%s prev_pid=%d ==> next_comm=%s next_pid=%d", REC->prev_comm, REC->prev_pid, '
                    'REC->next_comm, REC->next_pid',
    "sched_waking": '"comm=%s pid=%d prio=%d target_cpu=%03d", REC->comm, REC->pid, REC->prio, REC->target_cpu',
    "sched_migrate_task": '"comm=%s pid=%d dest_cpu=%d", REC->comm, REC->pid, REC->dest_cpu',
    "hrtimer_start": '"hrtimer=%p function=%ps expires=%llu", REC->hrtimer, REC->function, REC->expires',
    "hrtimer_cancel": '"hrtimer=%p", REC->hrtimer',
}


@dataclass(frozen=True)
class Layout:
    """exit_listing is the order in which the description names the exit's fields, where memory order differs."""
    order: str = "<"
    long_size: int = 8
    user_long_size: int = 8
    packed: bool = True
    u64_align: int = 8
    common: tuple = tuple(COMMON)
    entry: tuple = tuple(ENTRY)
    exit: tuple = tuple(EXIT_6_1)
    exit_listing: tuple = ()
    retaddr: bool = False
    record_align: int = 4

    @property
    def data_offset(self):
        """Where the records of a page begin."""
        return -(-(8 + self.long_size) // self.record_align) * self.record_align

    def size(self, ctype):
        return {"unsigned short": 2, "unsigned char": 1, "char": 1, U64: 8, "s64": 8, LONG: self.long_size,
                "void *": self.long_size, "long": self.long_size}.get(ctype, 4)

    @cache
    def fields(self, event):
        """(type, name, offset, size) of every field of an event, in memory order."""
        body = {"funcgraph_entry": self.entry, "fgraph_retaddr_entry": RETADDR, "funcgraph_exit": self.exit,
                "print": PRINT, "sched_switch": SWITCH, "sched_waking": WAKING,
                "sched_migrate_task": MIGRATE, "hrtimer_start": TIMER_START, "hrtimer_cancel": TIMER_CANCEL}[event]
        packed = self.packed and event.startswith(("funcgraph", "fgraph"))
        placed, offset = [], 0
        for ctype, name in tuple(self.common) + tuple(body):
            count = 16 if name.endswith("[16]") else 0 if name.endswith("[]") else 1
            align = 1 if packed else min(self.size(ctype), self.u64_align)
            offset = -(-offset // align) * align
            placed.append((ctype, name, offset, count * self.size(ctype)))
            offset += placed[-1][3]
        return tuple(placed)

    def description(self, event):
        fields = self.fields(event)
        if event == "funcgraph_exit" and self.exit_listing:
            rank = {name: i for i, name in enumerate(self.exit_listing)}
            fields = sorted(fields, key=lambda field: rank.get(field[1], -1))
        lines = [f"name: {event}", f"ID: {ID[event]}", "format:"]
        for i, (ctype, name, offset, size) in enumerate(fields):
            if i == len(self.common):
                lines.append("")
            signed = int(ctype in ("int", "long", "pid_t"))
            lines.append(f"\tfield:{ctype} {name};\toffset:{offset};\tsize:{size};\tsigned:{signed};")
        return "\n".join(lines + ["", f"print fmt: {PRINT_FMT[event]}", ""])

    def names(self):
        """The events of system ftrace that a file in this layout describes."""
        return ["funcgraph_exit", "funcgraph_entry", "print"] + ["fgraph_retaddr_entry"] * self.retaddr

    def event_name(self, event):
        """The name under which the event is written; retaddr kernels write both sorts of entries."""
        if event.kind == "entry" and self.retaddr and event.ts % 3:
            return "fgraph_retaddr_entry"
        return {"entry": "funcgraph_entry", "exit": "funcgraph_exit", "switch": "sched_switch",
                "waking": "sched_waking", "migrate": "sched_migrate_task", "timer": "hrtimer_start",
                "cancel": "hrtimer_cancel"}.get(event.kind, event.kind)

    @cached_property
    def packers(self):
        """What packs each event, and the names and bits of its fields; texts have none."""
        made = {}
        for event in ID:
            form, end, given = self.order, 0, []
            for _, field, offset, size in self.fields(event):
                number = size and not field.endswith("]")
                form += f"{offset - end}x" + (CODES[size].upper() if number else f"{size}s")
                end = offset + size
                given.append((field, (1 << 8 * size) - 1 if number else 0))
            made[event] = struct.Struct(form), given
        return made

    def encode(self, event):
        name = self.event_name(event)
        if name == "unknown":
            head = struct.pack(self.order + "HBBi", UNKNOWN_ID, event.flags, event.preempt, event.pid)
            return head + b"\x5a" * (4 + event.ts % 9 * 4)
        values = {"common_type": ID[name], "common_flags": event.flags,
                  "common_preempt_count": event.preempt, "common_pid": event.pid, "func": event.func,
                  "depth": event.depth, "calltime": event.calltime, "rettime": event.rettime, "retval": 0xdead,
                  "retaddr": event.func, "prev_pid": event.pid, "pid": event.pid, "prio": 77,
                  **dict(zip(("prev_prio", "next_pid", "next_prio"), event.priorities)), **event.values}
        tail = b""
        if name == "print":
            tail = event.text.encode() + b"\0"
        elif name == "funcgraph_entry" and self.entry[-1][1] == "args[]":
            tail = b"\xa5" * (self.long_size * (event.ts % 7))
        packer, fields = self.packers[name]
        return packer.pack(*(values.get(field, 0) & mask if mask else b"comm" for field, mask in fields)) + tail

    def header_page(self, page_size):
        start = self.data_offset
        return ("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                f"\tfield: local_t commit;\toffset:8;\tsize:{self.long_size};\tsigned:1;\n"
                "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                f"\tfield: char data;\toffset:{start};\tsize:{page_size - start};\tsigned:1;\n")


HEADER_EVENT = """# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\ttime_stamp : type == 31
\tdata max type_len  == 28
"""

OLD_LISTING = ("func", "calltime", "rettime", "overrun", "depth")

LAYOUTS = {
    "5.10": Layout(exit=tuple(EXIT_OLD), exit_listing=OLD_LISTING, packed=False),
    "6.1": Layout(),
    "6.5-retval": Layout(exit=tuple(EXIT_RETVAL)),
    "6.13-retaddr": Layout(exit=tuple(EXIT_RETVAL), retaddr=True),
    "6.15-args": Layout(exit=tuple(EXIT_RETVAL), entry=tuple(ENTRY_ARGS)),
    "4.4-rt": Layout(exit=tuple(EXIT_OLD), exit_listing=OLD_LISTING, packed=False, common=tuple(COMMON_RT)),
    "6.1-compat": Layout(user_long_size=4),
    "4.4-i386": Layout(long_size=4, user_long_size=4, u64_align=4, packed=False, exit=tuple(EXIT_OLD),
                       exit_listing=OLD_LISTING),
    "6.1-i386": Layout(long_size=4, user_long_size=4, u64_align=4),
    "6.1-arm": Layout(long_size=4, user_long_size=4, packed=False),
    "6.1-arm-aligned": Layout(long_size=4, user_long_size=4, packed=False, record_align=8),
    "6.5-retval-i386": Layout(long_size=4, user_long_size=4, u64_align=4, exit=tuple(EXIT_RETVAL)),
    "5.10-ppc64": Layout(order=">", exit=tuple(EXIT_OLD), exit_listing=OLD_LISTING, packed=False),
    "6.1-s390": Layout(order=">"),
    "6.13-retaddr-s390": Layout(order=">", exit=tuple(EXIT_RETVAL), retaddr=True),
    "6.15-args-s390": Layout(order=">", exit=tuple(EXIT_RETVAL), entry=tuple(ENTRY_ARGS)),
    "4.4-ppc32": Layout(order=">", long_size=4, user_long_size=4, packed=False, exit=tuple(EXIT_OLD),
                        exit_listing=OLD_LISTING),
}
