# SPDX-License-Identifier: GPL-3.0-or-later
# A power cut without a machine: synced.c keeps what a program synced, which is all that a disk is sure to contain. What
# was not synced may be there or not, file by file.

import os
import random
import shutil

SYNCED = os.environ.get("SYNCED") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "tests",
                                                  "study", "libsynced.so")
MEMORY = "/dev/shm"  # a file system that never gives the number of an inode twice

# What remains of what was not synced: nothing; names without content; for each file, its content or not.
KINDS = ("nothing", "names", "some")


class Disk:
    """What lies below the folder @root, and what of it was synced."""

    def __init__(self, root, keep):
        self.root, self.keep = root, keep
        os.mkdir(keep)
        self.sync_all()

    def sync_all(self):
        """As if all that lies there had been written long ago."""
        for folder, _, files in os.walk(self.root):
            with open(self.kept(os.stat(folder).st_ino), "w", encoding="utf-8") as listing:
                listing.writelines(f"{os.lstat(os.path.join(folder, name)).st_ino} {name}\n" for name in os.listdir(folder))
            for name in files:
                path = os.path.join(folder, name)
                shutil.copyfile(path, self.kept(os.stat(path).st_ino))

    def kept(self, inode):
        return os.path.join(self.keep, str(inode))

    def environment(self, cut=None):
        """Of a program that works on this disk; @cut: the power fails before its sync of that number."""
        return {**os.environ, "LD_PRELOAD": SYNCED, "SYNCED_KEEP": self.keep, **({"SYNCED_CUT": str(cut)} if cut else {})}

    def cut_power(self, place, kind, seed=0):
        """Puts to @place what is there when the power is back."""
        self.dice = random.Random(seed)
        self.put(self.root, os.stat(self.root).st_ino, place, kind)

    def put(self, folder, inode, place, kind):
        os.mkdir(place)
        names = {}
        if os.path.exists(self.kept(inode)):
            with open(self.kept(inode), encoding="utf-8") as listing:
                names = {name: int(number) for number, name in (line.rstrip("\n").split(" ", 1) for line in listing)}
        live = {entry.name: entry for entry in os.scandir(folder)} if folder else {}
        if kind != "nothing":
            names = {name: entry.inode() for name, entry in live.items()}
        for name, number in names.items():
            entry = live.get(name) if name in live and live[name].inode() == number else None
            path = os.path.join(place, name)
            if entry and entry.is_dir():
                self.put(entry.path, number, path, kind)
            elif entry and kind == "some" and self.dice.random() < 0.5:
                shutil.copyfile(entry.path, path)
            elif os.path.exists(self.kept(number)):
                shutil.copyfile(self.kept(number), path)
            else:
                open(path, "wb").close()
