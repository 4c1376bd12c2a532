# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the window on a display and a message bus of its own and drives it through its actions: CULPRIT_DESKTOP names the
# program, else the one built in build/.

import contextlib
import ctypes
import os
import re
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

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


class Refused(Exception):
    """What a method was called for was not done."""


class Bus:
    """A connection to the message bus at @address, in this process: a program for each call would cost more than what it asks."""

    class Error(ctypes.Structure):
        _fields_ = [("domain", ctypes.c_uint32), ("code", ctypes.c_int), ("message", ctypes.c_char_p)]

    gio = ctypes.CDLL("libgio-2.0.so.0")
    for function, result in (("g_dbus_connection_new_for_address_sync", ctypes.c_void_p), ("g_dbus_connection_call_sync", ctypes.c_void_p),
                             ("g_variant_parse", ctypes.c_void_p), ("g_variant_print", ctypes.c_void_p)):
        getattr(gio, function).restype = result
    CLIENT_OF_A_BUS = 1 | 8

    def __init__(self, address):
        self.connection = self.do("g_dbus_connection_new_for_address_sync", address.encode(), self.CLIENT_OF_A_BUS, None, None)

    def do(self, function, *arguments):
        """What a function gives that also sets a GError."""
        error = ctypes.POINTER(self.Error)()
        found = getattr(self.gio, function)(*arguments, ctypes.byref(error))
        if error:
            message = error[0].message.decode(errors="replace")
            self.gio.g_error_free(error)
            raise Refused(message)
        return ctypes.c_void_p(found)

    def call(self, name, path, method, parameters="()"):
        """What the method gives, a GVariant in text as its @parameters are."""
        given = self.do("g_variant_parse", None, parameters.encode(), None, None)
        interface, _, member = method.rpartition(".")
        told = self.do("g_dbus_connection_call_sync", self.connection, name.encode(), path.encode(), interface.encode(),
                       member.encode(), given, None, 0, TIMEOUT * 1000, None)
        text = self.gio.g_variant_print(told, True)
        self.gio.g_variant_unref(told)
        try:
            return ctypes.string_at(text).decode()
        finally:
            self.gio.g_free(ctypes.c_void_p(text))

    def close(self):
        self.gio.g_dbus_connection_close_sync(self.connection, None, None)
        self.gio.g_object_unref(self.connection)


class Screen:
    """What an X server shows: its pixels as bytes of blue, green, red, and nothing, row after row."""

    class Image(ctypes.Structure):
        _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int), ("format", ctypes.c_int),
                    ("data", ctypes.c_void_p)]

    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    x11.XGetImage.restype = ctypes.POINTER(Image)
    ALL_PLANES = ctypes.c_ulong(-1)
    Z_PIXMAP = 2

    def __init__(self, name):
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(name.encode()))
        self.root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display))

    def size(self, window=None):
        geometry = [ctypes.c_uint() for _ in range(6)]
        root = ctypes.c_ulong()
        self.x11.XGetGeometry(self.display, window or self.root, ctypes.byref(root), *map(ctypes.byref, geometry))
        return geometry[2].value, geometry[3].value

    def sizes_of_windows(self):
        number, count, children = ctypes.c_ulong(), ctypes.c_uint(), ctypes.POINTER(ctypes.c_ulong)()
        self.x11.XQueryTree(self.display, self.root, ctypes.byref(number), ctypes.byref(number), ctypes.byref(children),
                            ctypes.byref(count))
        return [self.size(ctypes.c_ulong(child)) for child in children[:count.value]]

    def pixels(self):
        width, height = self.size()
        image = self.x11.XGetImage(self.display, self.root, 0, 0, width, height, self.ALL_PLANES, self.Z_PIXMAP)
        data = ctypes.string_at(image[0].data, 4 * width * height)
        self.x11.XDestroyImage(image)
        return data

    def move_pointer_away(self):
        """Into a corner: no tip is shown."""
        self.x11.XWarpPointer(self.display, ctypes.c_ulong(0), self.root, 0, 0, 0, 0, 0, 0)
        self.x11.XSync(self.display, 0)

    def close(self):
        self.x11.XCloseDisplay(self.display)


def write_png(path, pixels, width, height):
    """@pixels: as those of a Screen."""
    colours = bytearray(3 * width * height)
    for place in range(3):
        colours[place::3] = pixels[2 - place::4]
    rows = b"".join(b"\0" + colours[start:start + 3 * width] for start in range(0, len(colours), 3 * width))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


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
        self.wait(lambda: self.call("/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", f"('{NAME}',)",
                                    name="org.freedesktop.DBus") == "(true,)")
        self.wait(self.window_paths)

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
        self.screen = Screen(self.environment["DISPLAY"])

    def start_bus(self):
        bus = self.start(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        bus.stdout.close()
        self.bus = Bus(self.environment["DBUS_SESSION_BUS_ADDRESS"])

    # The bus.

    def call(self, path, method, parameters="()", name=NAME):
        """What the method gives, as text; None where it fails."""
        try:
            return self.bus.call(name, path, method, parameters)
        except Refused:
            return None

    def window_paths(self):
        """The windows that are there, by number."""
        return [f"{APPLICATION}/window/{number}" for number in range(1, 6)
                if self.call(f"{APPLICATION}/window/{number}", "org.gtk.Actions.List") is not None]

    def act(self, action, value="", window=1):
        """Does what an action says; @value: its parameter as a GVariant in text."""
        try:
            self.activate(f"{APPLICATION}/window/{window}", action, value)
        except Refused as error:
            raise AssertionError(f"{action} could not be done: {error} {self.text()}") from error

    def try_to(self, action, value="", window=1):
        """Whether it was done: an action can be taken back at any time while a study is read."""
        try:
            self.activate(f"{APPLICATION}/window/{window}", action, value)
        except Refused:
            return False
        return True

    def activate(self, path, action, value):
        self.bus.call(NAME, path, "org.gtk.Actions.Activate", f"('{action}', @av {f'[<{value}>]' if value else '[]'}, @a{{sv}} {{}})")

    def act_on_application(self, action, value=""):
        with contextlib.suppress(Refused):
            self.activate(APPLICATION, action, value)

    def set_state(self, action, value, window=1):
        self.call(f"{APPLICATION}/window/{window}", "org.gtk.Actions.SetState", f"('{action}', <{value}>, @a{{sv}} {{}})")

    def set_colours(self, scheme):
        self.call(APPLICATION, "org.gtk.Actions.SetState", f"('colours', <'{scheme}'>, @a{{sv}} {{}})")

    def describe(self, action, window):
        return self.call(f"{APPLICATION}/window/{window}", "org.gtk.Actions.Describe", f"('{action}',)") or ""

    def can(self, action, window=1):
        """Whether the action can be done now."""
        return self.describe(action, window).startswith("((true,")

    def state(self, action, window=1):
        """The state of an action as a GVariant in text, as "'outliers'"; None where it has none."""
        found = re.search(r"\[<(.*)>\]\),\)$", self.describe(action, window))
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
        write_png(path, self.screen.pixels(), *self.screen.size())

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
        self.bus.close()
        self.screen.close()
        for child in reversed(self.children):
            if child.poll() is None:
                child.kill()
            child.wait()
        self.log.close()
        self.home.cleanup()
        return status
