# SPDX-License-Identifier: GPL-3.0-or-later
# Four published tables of delay (us) and count, each of 10,400 delays, against independently computed statistics, to
# six significant digits; and the same in words.

import json
import math
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import culprit  # noqa: E402

US = 1000


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


class Published(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.study = os.path.join(cls.folder, "s.culprit")
        cls.expected = load("published-statistics.json")["tables"]
        for name, table in load("published-tables.json")["tables"].items():
            path = os.path.join(cls.folder, f"{name}.txt")
            with open(path, "w", encoding="ascii") as file:
                file.writelines(f"{delay} {count}\n" for delay, count in table)
            assert culprit.run("import", "--study", cls.study, path).status == 0
        result = culprit.run("latency", "--study", cls.study, "--json")
        cls.found = {profile["run"]: profile for profile in json.loads(result.stdout)}

    def assert_close(self, found, expected, what):
        self.assertTrue(math.isclose(found, expected, rel_tol=5e-7, abs_tol=1e-12), f"{what}: {found}, not {expected}")

    def each(self):
        return [(self.found[name], expected) for name, expected in self.expected.items()]

    def test_moments(self):
        for found, expected in self.each():
            self.assertEqual(found["n"], expected["n"])
            for key, name in (("min_ns", "min"), ("max_ns", "max"), ("mean_ns", "mean"), ("sd_ns", "sd"),
                              ("mode_ns", "mode"), ("mad_ns", "mad")):
                self.assert_close(found[key] / US, expected[name], name)
            self.assert_close(found["skewness"], expected["skewness_g1"], "skewness")
            self.assert_close(found["excess_kurtosis"], expected["excess_kurtosis_g2"], "kurtosis")

    def test_quantiles(self):
        for found, expected in self.each():
            for quantile in found["quantiles"]:
                p = f"{quantile['p']:g}"
                self.assert_close(quantile["ns"] / US, expected["quantiles_type7"][p], f"type 7, {p}")
                self.assert_close(quantile["nearest_ns"] / US, expected["quantiles_nearest_rank"][p], f"nearest, {p}")

    def test_intervals_of_quantiles_by_order_statistics(self):
        for name, p, low, high in (("idle_max64", 0.999, 41, 52), ("iozone_max64", 0.999, 70, 143),
                                   ("iozone_max32", 0.99, 26, 34), ("iozone_max16", 0.999, 78, 90)):
            quantile, = [found for found in self.found[name]["quantiles"] if found["p"] == p]
            self.assertEqual((quantile["low_ns"], quantile["high_ns"]), (low * US, high * US), name)
        for profile in self.found.values():
            self.assertIsNone(profile["quantiles"][-1]["high_ns"])

    def test_fits(self):
        for found, expected in self.each():
            shift = found["n"] * math.log(US)  # of a log-likelihood, as latencies are in ns here
            gamma, normal, lognormal = (found["fits"][name] for name in ("gamma", "normal", "lognormal"))
            self.assert_close(gamma["shape"], expected["gamma_mle_loc0"]["shape"], "gamma shape")
            self.assert_close(gamma["scale_ns"] / US, expected["gamma_mle_loc0"]["scale"], "gamma scale")
            self.assert_close(gamma["loglik"] + shift, expected["gamma_mle_loc0"]["loglik"], "gamma likelihood")
            self.assert_close(normal["mean_ns"] / US, expected["normal_mle"]["mean"], "normal mean")
            self.assert_close(normal["sd_ns"] / US, expected["normal_mle"]["sd"], "normal sd")
            self.assert_close(normal["loglik"] + shift, expected["normal_mle"]["loglik"], "normal likelihood")
            self.assert_close(lognormal["mu"] - math.log(US), expected["lognormal_mle"]["mu"], "lognormal mu")
            self.assert_close(lognormal["sigma"], expected["lognormal_mle"]["sigma"], "lognormal sigma")
            self.assert_close(normal["ppcc"], expected["ppcc_normal"], "normal plot")
            self.assertAlmostEqual(found["gamma_plot_shape"], expected["ppcc_gamma"]["best_shape"], delta=1e-5)
            self.assert_close(found["gamma_plot_ppcc"], expected["ppcc_gamma"]["best_r"], "gamma plot")
            self.assertIn("none fits well", found["fits_in_words"])

    def against(self, *arguments):
        result = culprit.run("compare", "--study", self.study, "--json", *arguments)
        self.assertEqual((result.status, result.stderr), (0, ""))
        return json.loads(result.stdout)["against"]

    def compare(self, *names):
        """With --independent: so were the published tests computed."""
        return self.against("--independent", *names)

    def test_comparisons(self):
        for pair, expected in load("published-statistics.json")["comparisons"].items():
            other, base = pair.split(" vs ")  # the published difference is the first less the second
            found, = self.compare(base, other)
            with self.subTest(pair=pair):
                n = self.found[base]["n"] * self.found[other]["n"]
                for value, name in ((found["mean_difference_ns"] / US, "mean_difference"), (found["t"], "welch_t"),
                                    (found["df"], "welch_df"), (found["p"], "welch_p"),
                                    (n - found["mannwhitney"]["u"], "mannwhitney_u"),
                                    (found["mannwhitney"]["p"], "mannwhitney_p"), (found["ks"]["d"], "ks_d"),
                                    (found["ks"]["p"], "ks_p"), (found["cliffs_delta"], "cliffs_delta"),
                                    (found["wasserstein_ns"] / US, "wasserstein")):
                    self.assert_close(value, expected[name], name)
                for value, end in zip(found["ci95_ns"], expected["welch_ci95"]):
                    self.assert_close(value / US, end, "interval")

    def test_differences_of_quantiles_lie_in_intervals_that_repeat(self):
        """Published intervals are of another bootstrap; they differ by no more than its noise."""
        found, = self.compare("idle_max64", "iozone_max64")
        for quantile, (p, difference, low, high) in zip(found["quantiles"], ((0.5, 5, 4, 5), (0.9, 2, 1, 3), (0.99, 2, 1, 4),
                                                                           (0.999, 63.005, 28, 86.217))):
            self.assertEqual(quantile["p"], p)
            self.assertLessEqual(quantile["low_ns"], quantile["difference_ns"])
            self.assertGreaterEqual(quantile["high_ns"], quantile["difference_ns"])
            self.assertAlmostEqual(quantile["difference_ns"] / US, difference, places=3)
            self.assertLessEqual(abs(quantile["low_ns"] / US - low), max(1, 0.1 * difference))
            self.assertLessEqual(abs(quantile["high_ns"] / US - high), max(1, 0.1 * difference))
        self.assertEqual(self.compare("idle_max64", "iozone_max64"), [found])

    def test_equal_means_are_not_taken_for_an_equal_shape(self):
        found, = self.compare("iozone_max32", "iozone_max16")
        self.assertFalse(found["significant"])
        self.assertIn("the means are not distinguishable, but the distributions differ", found["in_words"])

    def test_a_lower_maximum_is_not_taken_for_a_lighter_tail(self):
        found, = self.compare("iozone_max64", "iozone_max32")
        self.assertIn("the maximum is lower, but the tail is heavier", found["in_words"])
        self.assertLess(found["tail"]["p"], 1e-5)

    def test_means_of_which_no_more_is_published(self):
        for options in ([], ["--independent"]):
            self.assert_published_means(options)

    def assert_published_means(self, options):
        base, *others = "43.483,0.178,10", "43.517,0.265,10", "43.629,0.167,10"
        found = self.against(*options, base, *others)
        self.assertEqual([f"{abs(one['t']):.3f}" for one in found], ["0.337", "1.892"])
        self.assertEqual([f"{one['overhead_percent']:.1f}" for one in found], ["0.1", "0.3"])
        self.assertEqual([one["significant"] for one in found], [False, False])
        found = self.against(*options, "196.704,0.459,10", "195.812,0.477,10", "196.752,0.356,10")
        self.assertEqual([f"{abs(one['t']):.3f}" for one in found], ["4.261", "0.261"])
        self.assertEqual([f"{one['overhead_percent']:.2f}" for one in found], ["-0.45", "0.02"])
        self.assertEqual([one["significant"] for one in found], [True, False])

    def test_a_quantile_that_got_worse_fails_where_asked_to(self):
        for limit, status in (("p50=5%", 0), ("p99.5=5%", 1), ("p99.5=200%", 0)):
            result = culprit.run("compare", "--study", self.study, "--independent", "--fail-if-worse", limit,
                                 "iozone_max64", "iozone_max32")
            self.assertEqual(result.status, status, limit)
        self.assertEqual(culprit.run("compare", "--study", self.study, "--fail-if-worse", "x", "a", "b").status, 2)

    def test_peaks(self):
        peaks = {name: [(peak["ns"] // US, peak["weak"]) for peak in found["peaks"]] for name, found in self.found.items()}
        self.assertEqual(peaks, {"idle_max64": [(7, False), (16, False)], "iozone_max64": [(9, False)],
                                 "iozone_max32": [(10, False), (15, True), (73, False)], "iozone_max16": [(7, False), (10, False)]})
        late = self.found["iozone_max32"]["peaks"][-1]
        self.assertEqual((late["band_low_ns"] <= 70 * US, late["at_ns"] // US), (True, 73))
        for found in self.found.values():
            self.assertAlmostEqual(sum(peak["share"] for peak in found["peaks"]), 1)


if __name__ == "__main__":
    unittest.main()
