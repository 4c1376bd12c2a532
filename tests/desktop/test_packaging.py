# SPDX-License-Identifier: GPL-3.0-or-later
# What makes the window part of a desktop: each file is sound, they agree with each other and with the program, studies
# and captures are recognised, icons can be drawn.

import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
import zlib
from contextlib import closing

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("CULPRIT") or os.path.join(ROOT, "build", "app", "cli", "culprit")
FOLDER = os.path.join(ROOT, "data", "desktop")
ID = "io.github.culprit.Culprit"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"
STUDY, CAPTURE = "application/x-culprit-study", "application/x-trace-cmd"
KEYS = {"window-width": "i", "window-height": "i", "window-maximized": "b", "recent-studies": "as", "colour-scheme": "s",
        "traced-times": "b"}
PLACES = {".desktop": "applications", ".metainfo.xml": "metainfo", ".gschema.xml": "glib-2.0/schemas",
          ".svg": "icons/hicolor/scalable/apps", "-symbolic.svg": "icons/hicolor/symbolic/apps"}


def path(suffix):
    return os.path.join(FOLDER, ID + suffix)


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def entry():
    return dict(line.split("=", 1) for line in read(path(".desktop")).splitlines() if "=" in line and line[0] != "#")


class Packaging(unittest.TestCase):
    def accept(self, *command, **options):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr


class Files(Packaging):
    def test_the_desktop_entry_is_sound(self):
        self.assertEqual(self.accept("desktop-file-validate", path(".desktop")), "")
        self.assertEqual((entry()["Exec"], entry()["Icon"]), ("culprit-desktop %U", ID))

    def test_the_metainfo_is_sound(self):
        done = subprocess.run(["appstreamcli", "validate", "--no-net", path(".metainfo.xml")], capture_output=True, text=True, timeout=60, check=False)
        self.assertIn("Validation", done.stdout, done)
        # There is no home page.
        wrong = [line for line in done.stdout.splitlines() if re.match("[EW]: ", line) and not line.endswith("url-homepage-missing")]
        self.assertEqual(wrong, [])

    def test_the_settings_are_sound(self):
        self.assertEqual(self.accept("glib-compile-schemas", "--strict", "--dry-run", FOLDER), "")
        schema = ElementTree.parse(path(".gschema.xml")).find("schema")
        self.assertEqual(schema.get("id"), ID)
        self.assertEqual({key.get("name"): key.get("type") for key in schema.iter("key")}, KEYS)

    def test_every_file_is_well_formed_and_begins_with_its_licence(self):
        for name in os.listdir(FOLDER):
            with self.subTest(name=name):
                text = read(os.path.join(FOLDER, name))
                self.assertIn("SPDX-License-Identifier: GPL-3.0-or-later", "".join(text.splitlines(True)[:2]))
                if name.endswith((".xml", ".svg")):
                    self.accept("xmllint", "--noout", os.path.join(FOLDER, name))

    def test_they_agree_with_each_other_and_with_the_program(self):
        metainfo = ElementTree.parse(path(".metainfo.xml"))
        types = [kind.get("type") for kind in ElementTree.parse(path("-mime.xml")).iter(MIME + "mime-type")]
        self.assertEqual(types, [STUDY, CAPTURE])
        self.assertEqual(entry()["MimeType"].rstrip(";").split(";"), types)
        self.assertEqual([kind.text for kind in metainfo.iter("mediatype")], types)
        self.assertEqual(entry()["Categories"].rstrip(";").split(";"), [item.text for item in metainfo.iter("category")])
        self.assertEqual(metainfo.find("id").text, ID)
        self.assertEqual(metainfo.find("launchable").text, ID + ".desktop")
        self.assertIn(entry()["Exec"].split()[0], [binary.text for binary in metainfo.iter("binary")])
        version = re.search(r"version: '([\d.]+)'", read(os.path.join(ROOT, "meson.build")))[1]
        self.assertEqual(metainfo.find("releases/release").get("version"), version)
        identity = re.search(r"#define APPLICATION_ID (0x[0-9a-f]+)",
                             read(os.path.join(ROOT, "libanalysis", "study", "study.c")))[1]
        self.assertIn(f'offset="68" value="{identity}"', read(path("-mime.xml")))

    def test_each_is_installed_where_desktops_look(self):
        build = os.path.dirname(os.path.dirname(os.path.dirname(PROGRAM)))
        installed = json.loads(self.accept("meson", "introspect", "--installed", build))
        places = {os.path.relpath(source, ROOT): place for source, place in installed.items()}
        for suffix, place in PLACES.items():
            with self.subTest(suffix=suffix):
                self.assertTrue(places[f"data/desktop/{ID}{suffix}"].endswith(f"/share/{place}/{ID}{suffix}"))
        self.assertTrue(places[f"data/desktop/{ID}-mime.xml"].endswith(f"/share/mime/packages/{ID}.xml"))


class Types(Packaging):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        packages = os.path.join(self.folder, "mime", "packages")
        os.makedirs(packages)
        shutil.copy(path("-mime.xml"), packages)
        self.environment = {**os.environ, "XDG_DATA_HOME": self.folder, "XDG_DATA_DIRS": "/usr/share"}
        self.assertEqual(self.accept("update-mime-database", os.path.join(self.folder, "mime"), env=self.environment), "")

    def kind(self, name, attribute="standard::content-type"):
        """What a desktop takes the file @name for."""
        text = self.accept("gio", "info", "-a", attribute, os.path.join(self.folder, name), env=self.environment)
        return re.search(attribute + r": (\S+)", text)[1]

    def make(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)

    def test_a_study_is_recognised_by_its_name_and_by_its_content(self):
        sample = os.path.join(ROOT, "data", "sample", "sample.culprit")
        for name in ("a.culprit", "without-suffix"):
            shutil.copy(sample, os.path.join(self.folder, name))
            self.assertEqual(self.kind(name), STUDY)
        self.assertEqual(self.kind("a.culprit", "standard::fast-content-type"), STUDY)

    def test_another_database_is_no_study(self):
        with closing(sqlite3.connect(os.path.join(self.folder, "other"))) as database:
            database.execute("CREATE TABLE t (a)")
        self.assertEqual(self.kind("other"), "application/vnd.sqlite3")

    def test_a_capture_is_recognised_by_its_content_and_other_files_are_none(self):
        shutil.copy(os.path.join(ROOT, "tests", "data", "count-1.dat"), os.path.join(self.folder, "late.dat"))
        self.assertEqual(self.kind("late.dat"), CAPTURE)
        self.make("weather.dat", b"12.5 13.0\n")
        self.assertNotEqual(self.kind("weather.dat"), CAPTURE)


class Icons(Packaging):
    def test_they_are_drawn_in_every_size(self):
        for suffix in (".svg", "-symbolic.svg"):
            for size in (16, 64, 256):
                with self.subTest(icon=suffix, size=size):
                    done = subprocess.run(["rsvg-convert", "-w", str(size), "-h", str(size), path(suffix)],
                                          capture_output=True, timeout=60, check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, b""))
                    data = done.stdout
                    self.assertEqual(struct.unpack(">II", data[16:24]), (size, size))
                    start = data.index(b"IDAT")
                    length = struct.unpack(">I", data[start - 4:start])[0]
                    pixels = zlib.decompressobj().decompress(data[start + 4:start + 4 + length])
                    self.assertGreater(len(set(pixels)), 10)

    def test_the_symbolic_one_is_of_one_colour_that_themes_replace(self):
        text = read(path("-symbolic.svg"))
        self.assertEqual(set(re.findall(r'fill="([^"]+)"', text)), {"#2e3436"})
        self.assertNotIn("stroke", text)


if __name__ == "__main__":
    unittest.main()
