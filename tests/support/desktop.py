# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the window on a display and a message bus of its own and drives it through its actions: CULPRIT_DESKTOP names the
# program, else the one built in build/.

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("CULPRIT_DESKTOP") or os.path.join(ROOT, "build", "app", "desktop", "culprit-desktop")
NAME = "io.github.culprit.Culprit"
APPLICATION = "/io/github/culprit/Culprit"
SCHEMA = os.path.join(ROOT, "data", "desktop", f"{NAME}.gschema.xml")
PAGES = ("latency", "outliers", "functions", "flame", "stalls", "compare", "record")  # that every study has
TIMEOUT = 60


def settings_in(folder):
    """The environment in which the window remembers; @folder is for the description of its settings."""
    shutil.copy(SCHEMA, folder)
    subprocess.run(["glib-compile-schemas", folder], check=True, timeout=TIMEOUT)
    return {"GSETTINGS_SCHEMA_DIR": folder, "GSETTINGS_BACKEND": "keyfile"}


class Desktop:
    """A display of @size, a bus, and the program with @arguments, whose window fills the display with @fill."""

    def __init__(self, *arguments, size="1366x768", fill=False, environment=None):
        self.children = []
        self.log = tempfile.NamedTemporaryFile(prefix="desktop", suffix=".log")
        self.home = tempfile.TemporaryDirectory()
        self.environment = {**os.environ, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory",
                            "G_DEBUG": "fatal-criticals", "HOME": self.home.name, "XDG_CACHE_HOME": self.home.name,
                            "XDG_DATA_HOME": self.home.name, "XDG_CONFIG_HOME": self.home.name,
                            "XDG_STATE_HOME": self.home.name, "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", **(environment or {})}
        if fill:
            self.remember_size(*size.split("x"))
        self.start_display(size)
        self.start_bus()
        self.program = self.start([PROGRAM, *map(str, arguments)], stdout=self.log, stderr=self.log)
        self.wait(lambda: self.call("/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", f"'{NAME}'",
                                    name="org.freedesktop.DBus") == "(true,)")
        self.wait(lambda: "window" in (self.call(f"{APPLICATION}/window", "org.freedesktop.DBus.Introspectable.Introspect") or "")
                  or self.window_paths())

    def remember_size(self, width, height):
        """Makes the window as large as it would remember to have been; nothing moves in it, so that pictures are alike."""
        self.environment.update(settings_in(self.home_folder("schemas")))
        with open(os.path.join(self.home_folder("glib-2.0/settings"), "keyfile"), "w", encoding="ascii") as file:
            file.write(f"[io/github/culprit/Culprit]\nwindow-width={width}\nwindow-height={height}\n")
        with open(os.path.join(self.home_folder("gtk-4.0"), "settings.ini"), "w", encoding="ascii") as file:
            file.write("[Settings]\ngtk-enable-animations=false\ngtk-cursor-blink=false\n")

    def home_folder(self, name):
        path = os.path.join(self.home.name, name)
        os.makedirs(path)
        return path

    def start(self, command, **options):
        child = subprocess.Popen(command, env=self.environment, **options)
        self.children.append(child)
        return child

    def start_display(self, size):
        read, write = os.pipe()
        self.start(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"], pass_fds=[write],
                   stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.environment["DISPLAY"] = ":" + pipe.readline().strip()

    def start_bus(self):
        bus = self.start(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        bus.stdout.close()

    # The bus.

    def call(self, path, method, *arguments, name=NAME):
        """What the method gives as text; None where it fails."""
        done = subprocess.run(["gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", method,
                               *arguments], env=self.environment, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        return done.stdout.strip() if done.returncode == 0 else None

    def window_paths(self):
        """The windows that are there, by number."""
        return [f"{APPLICATION}/window/{number}" for number in range(1, 6)
                if self.call(f"{APPLICATION}/window/{number}", "org.gtk.Actions.List") is not None]

    def act(self, action, value="", window=1):
        """Does what an action says; @value: its parameter as a GVariant in text."""
        parameter = f"[<{value}>]" if value else "[]"
        done = self.call(f"{APPLICATION}/window/{window}", "org.gtk.Actions.Activate", action, parameter, "{}")
        if done is None:
            raise AssertionError(f"{action} could not be done: {self.text()}")

    def can(self, action, window=1):
        """Whether the action can be done now."""
        return (self.call(f"{APPLICATION}/window/{window}", "org.gtk.Actions.Describe", action) or "").startswith("((true,")

    def act_on_application(self, action, value=""):
        parameter = f"[<{value}>]" if value else "[]"
        self.call(APPLICATION, "org.gtk.Actions.Activate", action, parameter, "{}")

    def set_colours(self, scheme):
        self.call(APPLICATION, "org.gtk.Actions.SetState", "colours", f"<'{scheme}'>", "{}")

    def state(self, action, window=1):
        """The state of an action as a GVariant in text, as "'outliers'"; None where it has none."""
        told = self.call(f"{APPLICATION}/window/{window}", "org.gtk.Actions.Describe", action) or ""
        found = re.search(r"\[<(.*)>\]\),\)$", told)
        return re.sub(r"^(u?int(16|32|64)) ", "", found[1]) if found else None

    def begin_study(self, path):
        """Shows the study that will come to be at @path, in the window without a study."""
        self.act("new-study-at", f"'{path}'")
        self.wait(lambda: self.state("page") == "'record'", "the new study")
        self.act("page", "'outliers'")

    # What is seen.

    def wait(self, condition, what="it"):
        """Waits until @condition holds; there is no other sign of what an idle window has done."""
        end = time.monotonic() + TIMEOUT
        while not (found := condition()):
            if self.program_ended():
                raise AssertionError(f"the window ended with status {self.program.returncode}: {self.text()}")
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not happen in {TIMEOUT} s: {self.state('dismiss')} {self.text()}")
            time.sleep(0.05)
        return found

    def program_ended(self):
        return hasattr(self, "program") and self.program.poll() is not None

    def text(self):
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            return file.read()

    def screenshot(self, path):
        subprocess.run(["import", "-window", "root", path], env=self.environment, check=True, timeout=TIMEOUT)

    def largest(self):
        """The width and the height of the largest window, in pixels of the display."""
        library = ctypes.CDLL("libX11.so.6")
        library.XOpenDisplay.restype = ctypes.c_void_p
        library.XDefaultRootWindow.restype = ctypes.c_ulong
        display = ctypes.c_void_p(library.XOpenDisplay(self.environment["DISPLAY"].encode()))
        number, count, children = ctypes.c_ulong(), ctypes.c_uint(), ctypes.POINTER(ctypes.c_ulong)()
        library.XQueryTree(display, ctypes.c_ulong(library.XDefaultRootWindow(display)), ctypes.byref(number), ctypes.byref(number),
                           ctypes.byref(children), ctypes.byref(count))
        sizes = []
        for child in children[:count.value]:
            geometry = [ctypes.c_uint() for _ in range(6)]
            library.XGetGeometry(display, ctypes.c_ulong(child), ctypes.byref(number), *map(ctypes.byref, geometry))
            sizes.append((geometry[2].value, geometry[3].value))
        library.XCloseDisplay(display)
        return max(sizes)

    def close(self):
        """Ends all; gives the status of the program, None where it had to be killed."""
        status = None
        if self.log.closed:
            return self.program.returncode
        if not self.program_ended():
            self.act_on_application("quit")
            if self.state("recording") == "true":
                self.act("stop-and-close")
            try:
                status = self.program.wait(timeout=300)
            except subprocess.TimeoutExpired:
                pass
        else:
            status = self.program.returncode
        for child in reversed(self.children):
            if child.poll() is None:
                child.kill()
            child.wait()
        self.log.close()
        self.home.cleanup()
        return status
