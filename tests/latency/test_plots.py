# SPDX-License-Identifier: GPL-3.0-or-later
# Plots as files: the content of an SVG, that a PNG shows something, which requests are rejected, and that the density
# equals a naive sum.

import json
import math
import os
import random
import re
import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

KINDS = ("histogram", "density", "quantiles", "probability")
SVG = "{http://www.w3.org/2000/svg}"
SIZE = (900, 540)


def png_pixels(path):
    """Width, height, and the set of colours of an 8-bit RGB PNG; its filters are undone."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, packed = 8, b""
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        body = data[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", body)
            assert (depth, colour) == (8, 2)
        packed += body if kind == b"IDAT" else b""
        place += length + 12
    return width, height, colours(zlib.decompress(packed), width * 3)


def paeth(left, up, corner):
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


def undo(method, row, above):
    if method == 2:
        return bytes(value + up & 255 for value, up in zip(row, above))
    for i, value in enumerate(row):
        left, corner = (row[i - 3], above[i - 3]) if i >= 3 else (0, 0)
        guess = left if method == 1 else (left + above[i]) // 2 if method == 3 else paeth(left, above[i], corner)
        row[i] = value + guess & 255
    return bytes(row)


def colours(raw, stride):
    found, above = set(), bytes(stride)
    for start in range(0, len(raw), stride + 1):
        method, row = raw[start], raw[start + 1:start + 1 + stride]
        if method:
            row = undo(method, bytearray(row), above)
        if row != above or not found:
            found.update(zip(row[::3], row[1::3], row[2::3]))
        above = row
    return found


def naive_density(samples, density):
    """By the definition, with kernels that never end."""
    h = density["bandwidth_ns"]
    for i in range(len(density["values"])):
        x = density["low_ns"] + i * density["step_ns"]
        yield sum(math.exp(-((x - s) / h) ** 2 / 2) for s in samples) / (len(samples) * h * math.sqrt(2 * math.pi))


def quantile(ordered, p):
    place = p * (len(ordered) - 1)
    low = int(place)
    return ordered[low] + (place - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low])


class Plotting(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.study = os.path.join(self.folder, "s.culprit")

    def path(self, name):
        return os.path.join(self.folder, name)

    def add(self, name, samples):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.writelines(f"{sample}\n" for sample in samples)
        result = culprit.run("import", "--study", self.study, "--unit", "1ns", self.path(name))
        self.assertEqual(result.status, 0, result.stderr)

    def add_gauss(self, name="calm", mean=20000, n=500):
        chance = random.Random(name)
        self.add(name, [round(chance.gauss(mean, 2000)) for _ in range(n)])

    def plot(self, *arguments):
        return culprit.run("latency", "--study", self.study, *arguments)

    def plot_all(self, suffix, *arguments):
        paths = {kind: self.path(kind + suffix) for kind in KINDS}
        result = self.plot(*arguments, *(part for kind in KINDS for part in ("--plot", f"{kind}={paths[kind]}")))
        self.assertEqual((result.status, result.stderr), (0, ""))
        return paths

    def assert_sound(self, path):
        """The SVG's title and description."""
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIsNone(re.search(r"\b(nan|inf)\b", text, re.IGNORECASE), path)
        root = ElementTree.fromstring(text)
        self.assertEqual((root.get("width"), root.get("height")), ("900px", "540px"))
        self.assertGreater(len(list(root.iter(SVG + "path"))), 10)
        return root.findtext(SVG + "title"), root.findtext(SVG + "desc")


class Tail(Plotting):
    def tail(self, *arguments):
        return culprit.run("tail", "--study", self.study, *arguments)

    def test_a_prediction_is_drawn_beyond_what_was_observed(self):
        chance = random.Random(1)
        self.add("late", [round(20000 + chance.expovariate(1 / 15000)) for _ in range(30000)])
        self.add("few", [10000] * 50)
        said = self.tail("--deadline", "400us")
        drawn = self.tail("--deadline", "400us", "--plot", self.path("tail.svg"), "--plot", self.path("tail.png"))
        self.assertEqual((drawn.status, drawn.stdout), (0, said.stdout))
        title, description = self.assert_sound(self.path("tail.svg"))
        self.assertEqual(title, "Tail of latencies, with its 95 % interval")
        self.assertRegex(description, r"late \(.*, predicted, deadline 400\.0 us\)")
        self.assertRegex(description, r"few \(.*, not predicted, deadline 400\.0 us\)")
        with open(self.path("tail.svg"), encoding="utf-8") as file:
            polygons = re.findall(r' d="M ([0-9. L]+)', file.read())
        band = [tuple(map(float, point.split())) for point in max(polygons, key=len).split("L")]
        observed = json.loads(self.tail("--json", "late").stdout)[0]["max_ns"]
        self.assertGreater(max(x for x, _ in band) - min(x for x, _ in band), 300)
        self.assertGreater(observed, 100000)
        self.assertGreater(len(png_pixels(self.path("tail.png"))[2]), 10)

    def test_what_is_no_picture_is_refused(self):
        self.add("few", [10000] * 50)
        for name in ("tail.pdf", "histogram=tail", ""):
            result = self.tail("--plot", name)
            self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1))
            self.assertIn("must end with .svg or .png", result.stderr)


class Scale(Plotting):
    """Latencies are on a logarithmic axis where the maximum is more than twenty times the median."""

    def axes(self, *arguments):
        path = self.path("axes.svg")
        titles = []
        for kind in ("histogram", "density", "quantiles"):
            result = self.plot("--plot", f"{kind}={path}", *arguments)
            self.assertEqual(result.status, 0, result.stderr)
            titles.append("logarithmic (us)" in self.assert_sound(path)[1])
        self.assertEqual(len(set(titles)), 1, titles)
        return "log" if titles[0] else "linear"

    def test_it_follows_from_maximum_and_median(self):
        self.add("near", [10000] * 99 + [200000])
        self.add("far", [10000] * 99 + [200001])
        self.assertEqual([self.axes("near"), self.axes("far"), self.axes("near", "far")], ["linear", "log", "log"])

    def test_runs_that_are_far_apart_are_far(self):
        self.add("low", range(9000, 11000))
        self.add("high", range(290000, 310000))
        self.assertEqual([self.axes("low"), self.axes("high"), self.axes()], ["linear", "linear", "log"])

    def test_it_can_be_chosen(self):
        self.add("near", range(9000, 11000))
        self.add("far", [10000] * 99 + [900000])
        self.assertEqual(self.axes("near", "--scale", "log"), "log")
        self.assertEqual(self.axes("far", "--scale", "linear"), "linear")

    def test_latencies_on_both_sides_of_zero_are_near_it(self):
        self.add("jitter", range(-50000, 50001, 10))
        self.assertEqual(self.axes(), "linear")

    def report(self):
        """The SVG of the only histogram in a report: numbers across, and the corners of its steps."""
        path = self.path("report.html")
        self.assertEqual(culprit.run("report", "--study", self.study, "--out", path).status, 0)
        with open(path, encoding="utf-8") as file:
            svg = re.search(r'<svg class="chart".*?</svg>', file.read(), re.DOTALL)[0]
        texts = re.findall(r'<text class="across" x="([0-9.]+)"[^>]*>(-?[0-9.]+)</text>', svg)
        steps = re.search(r'<path class="steps[^"]*" d="([^"]*)"', svg)[1]
        corners = [tuple(map(float, corner.split())) for corner in re.split("[ML]", steps)[1:]]
        return [(float(x), float(number)) for x, number in texts], corners

    def test_every_latency_has_a_place_on_it(self):
        self.add("strange", [-3000000, -200, 0, 0, 1, 7000, *[9000] * 50, 11000, 4000000])
        ticks, corners = self.report()
        self.assertEqual(ticks, sorted(ticks))
        numbers = [number for _, number in ticks]
        self.assertEqual(numbers, sorted(numbers))
        self.assertIn(0, numbers)
        self.assertLess(numbers[0], -50)
        self.assertGreater(numbers[-1], 50)
        self.assertEqual(corners, sorted(corners, key=lambda corner: corner[0]))
        for x, y in corners:
            self.assertTrue(60 <= x <= 750 and 0 <= y <= 260, (x, y))
        bars = sum(1 for one, other in zip(corners, corners[1:]) if one[0] == other[0] and other[1] < one[1])
        self.assertGreaterEqual(bars, 6)

    def test_its_numbers_are_ones_twos_and_fives(self):
        self.add("far", [10000] * 99 + [900000])
        ticks, _ = self.report()
        self.assertEqual([number for _, number in ticks], [10, 20, 50, 100, 200, 500])


class Plots(Plotting):
    def test_what_is_told_has_median_maximum_and_peaks_of_every_run(self):
        self.add("two", [10000] * 600 + [30000] * 400 + [31000])
        self.add_gauss("calm")
        for path in self.plot_all(".svg").values():
            description = self.assert_sound(path)[1]
            self.assertIn("2 runs: two (n = 1,001, median 10.0 us, max 31.0 us, peaks 10.0 us, 30.0 us", description)
            self.assertIn("; calm (n = 500, median 20.0 us, ", description)

    def test_a_run_keeps_its_colour_without_the_others(self):
        first, second, third = (0, 0x72, 0xb2), (0xd5, 0x5e, 0), (0, 0x9e, 0x73)
        for name, mean in (("z", 20000), ("y", 90000), ("x", 60000)):
            self.add_gauss(name, mean)
        for runs, seen, unseen in ((["y"], {second}, {first, third}), (["x", "z"], {first, third}, {second})):
            path = self.path("some.png")
            self.assertEqual(self.plot(*runs, "--plot", f"quantiles={path}").status, 0)
            self.assert_shows(path, seen)
            self.assertFalse(png_pixels(path)[2] & unseen, runs)

    def test_an_svg_tells_its_title_its_axes_with_units_and_all_series(self):
        self.add_gauss("calm")
        self.add_gauss("loaded", 90000)
        axes = {"histogram": "Horizontal axis: latency (us). Vertical axis: latencies in each 1 us.",
                "density": "Horizontal axis: latency, from the 1 % to the 99 % quantile (us). Vertical axis: density (per us).",
                "quantiles": "Horizontal axis: share of latencies that are shorter (%). Vertical axis: latency (us).",
                "probability": "Horizontal axis: latency of the fitted distribution (us). Vertical axis: latency (us)."}
        for kind, path in self.plot_all(".svg").items():
            title, description = self.assert_sound(path)
            self.assertIn("of latencies", title)
            self.assertTrue(description.startswith(axes[kind]), description)
            self.assertIn(" calm (", description)
            self.assertIn(" loaded (", description)

    def test_only_named_runs_are_drawn(self):
        self.add_gauss("calm")
        self.add_gauss("loaded", 90000)
        self.assertEqual(self.plot("calm", "--plot", f"quantiles={self.path('q.svg')}").status, 0)
        self.assertNotIn("loaded", self.assert_sound(self.path("q.svg"))[1])

    def test_a_png_has_its_size_and_shows_paper_ink_and_the_series_colours(self):
        self.add_gauss("calm")
        self.add_gauss("loaded", 90000)
        light = self.plot_all(".png")
        dark = self.path("dark.png")
        self.assertEqual(self.plot("--dark", "--plot", f"quantiles={dark}").status, 0)
        for path in light.values():
            self.assert_shows(path, {(255, 255, 255), (0x22, 0x22, 0x22), (0, 0x72, 0xb2), (0xd5, 0x5e, 0)})
        self.assert_shows(dark, {(0x1e, 0x1e, 0x1e), (0xee, 0xee, 0xee), (0x56, 0xb4, 0xe9), (0xe6, 0x9f, 0)})

    def assert_shows(self, path, wanted):
        width, height, found = png_pixels(path)
        self.assertEqual((width, height), SIZE)
        self.assertLessEqual(wanted, found, path)

    def test_the_legend_tells_the_fit_and_its_correlation_as_the_description_does(self):
        self.add_gauss()
        fits = json.loads(self.plot("--json").stdout)[0]["fits"]
        for name in ("normal", "gamma", "lognormal"):
            path = self.path("p.svg")
            self.assertEqual(self.plot("--plot", f"probability={path}", "--fit", name).status, 0)
            self.assertIn(f" {name}, r = {fits[name]['ppcc']:.4f})", self.assert_sound(path)[1])
        best = max(fits, key=lambda name: fits[name]["loglik"])
        self.plot("--plot", f"probability={path}")
        self.assertIn(f" {best}, r", self.assert_sound(path)[1])

    def test_strange_profiles_are_drawn(self):
        self.add("equal", [12345678] * 100)
        self.add("single", [4321])
        self.add("negative", range(-5000, 3000, 7))
        self.add("two", [10, 1000000000])
        self.add("far", [-10 ** 15, 10 ** 15, 10 ** 15 + 1])
        for runs in (["equal"], ["single"], ["negative"], ["two"], ["far"], ["equal", "single", "negative", "two"]):
            for path in self.plot_all(".svg", *runs).values():
                description = self.assert_sound(path)[1]
                self.assertTrue(all(f" {run} (" in description for run in runs), description)
        self.plot_all(".svg", "equal")
        self.assertIn("nothing to fit)", self.assert_sound(self.path("probability.svg"))[1])

    def test_names_that_mean_something_in_xml_stay_names(self):
        self.add_gauss("<b> & \"c\"")
        for path in self.plot_all(".svg").values():
            self.assertIn("<b> & \"c\" (", self.assert_sound(path)[1])

    def test_more_runs_than_colours_are_drawn(self):
        for i in range(16):
            self.add_gauss(f"a-run-with-a-rather-long-name-{i}", 10000 + 500 * i, 50)
        for path in self.plot_all(".svg").values():
            self.assertIn("-name-15 (", self.assert_sound(path)[1])

    def test_an_existing_file_is_replaced_and_nothing_is_left_beside_it(self):
        self.add_gauss()
        with open(self.path("q.svg"), "w", encoding="ascii") as file:
            file.write("before")
        before = sorted(os.listdir(self.folder))
        self.assertEqual(self.plot("--plot", f"quantiles={self.path('q.svg')}").status, 0)
        self.assert_sound(self.path("q.svg"))
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if "culprit-" not in name),
                         sorted(name for name in before if "culprit-" not in name))

    def test_bad_requests_are_refused_in_one_line(self):
        self.add_gauss()
        path = self.path("x.svg")
        for arguments, words in ((["--plot", f"pie={path}"], "histogram, density, quantiles or probability"),
                                 (["--plot", path], "KIND=FILE"),
                                 (["--plot", f"={path}"], "KIND=FILE"),
                                 (["--plot", "histogram"], ".svg or .png"),
                                 (["--plot", "histogram=x.gif"], ".svg or .png"),
                                 (["--plot", f"density={path}", "--plot", "density=x"], ".svg or .png"),
                                 (["--plot", f"density={path}", "--fit", "cauchy"], "normal, gamma or lognormal"),
                                 (["--plot", f"density={path}", "--scale", "square"], "log or linear"),
                                 (["--plot", f"density={path}", "nosuch"], "nosuch"),
                                 (["--plot", f"density={self.path('no/where.svg')}"], "where.svg"),
                                 (["--density"], "--json")):
            result = self.plot(*arguments)
            self.assertEqual((result.status, result.stdout, len(result.error_lines())), (2, "", 1), result.stderr)
            self.assertIn(words, result.stderr)
            self.assertFalse(os.path.exists(path))

    def test_without_latencies_there_is_nothing_to_plot(self):
        capture = os.path.join(HERE, "..", "data", "count-1.dat")
        self.assertEqual(culprit.run("import", "--study", self.study, capture).status, 0)
        result = self.plot("--plot", f"density={self.path('x.svg')}")
        self.assertEqual((result.status, len(result.error_lines())), (2, 1))
        self.assertIn("nothing to plot", result.stderr)


class Density(Plotting):
    def density(self, samples, name="run"):
        self.add(name, samples)
        profile, = json.loads(self.plot(name, "--json", "--density").stdout)
        return profile["density"]

    def assert_naive(self, samples, density):
        highest = max(density["values"])
        for found, expected in zip(density["values"], naive_density(samples, density)):
            self.assertAlmostEqual(found / highest, expected / highest, delta=5e-6)

    def test_json_has_it_only_when_asked(self):
        self.add_gauss()
        self.assertNotIn("density", json.loads(self.plot("--json").stdout)[0])

    def test_the_bandwidth_is_silvermans_and_the_values_are_those_of_the_definition(self):
        chance = random.Random(7)
        samples = [round(chance.gauss(20000, 2000) if chance.random() < .7 else chance.gauss(50000, 900))
                   for _ in range(700)]
        density = self.density(samples)
        ordered, mean = sorted(samples), sum(samples) / len(samples)
        sd = math.sqrt(sum((s - mean) ** 2 for s in samples) / (len(samples) - 1))
        spread = quantile(ordered, .75) - quantile(ordered, .25)
        self.assertAlmostEqual(density["bandwidth_ns"], .9 * min(sd, spread / 1.34) * len(samples) ** -.2, places=6)
        self.assert_naive(samples, density)
        self.assertGreater(sum(density["values"]) * density["step_ns"], .97)

    def test_the_range_leaves_the_farthest_hundredths_out_and_has_room_for_the_kernel(self):
        samples = [1000 + i for i in range(1000)] + [10 ** 6]
        density = self.density(samples)
        room = 3 * density["bandwidth_ns"]
        self.assertAlmostEqual(density["low_ns"], 1010 - room)
        self.assertAlmostEqual(density["low_ns"] + 511 * density["step_ns"], 1990 + room)
        self.assert_naive(samples, density)

    def test_a_kernel_is_not_narrower_than_half_a_bin_nor_than_a_step(self):
        self.assertEqual(self.density([5000] * 90, "equal")["bandwidth_ns"], .5)
        self.assertEqual(self.density([5000], "single")["bandwidth_ns"], .5)
        wide = self.density([5000] * 90 + [5001] * 5 + [900000] * 5, "wide")
        self.assertEqual(wide["bandwidth_ns"], wide["step_ns"])
        self.assert_naive([5000] * 90 + [5001] * 5 + [900000] * 5, wide)


if __name__ == "__main__":
    unittest.main()
