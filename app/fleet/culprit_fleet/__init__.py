# SPDX-License-Identifier: GPL-3.0-or-later
"""Analyses the captures of many machines with Apache Spark. Captures are read, and verdicts computed, by the culprit
program alone; this package only distributes its work and adds up what it found."""
