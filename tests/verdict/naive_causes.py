# SPDX-License-Identifier: GPL-3.0-or-later
# A naive verdict: what culprit-study(5) defines under Causes, sentence by sentence, from the rows of a study.

import collections
import math
import os
import random
import sys
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from naive_evidence import calls_elsewhere, read_populations  # noqa: E402
from naive_maths import (beta_quantile, binomial_tail, bucket_range, halve, hypergeometric_tail,  # noqa: E402
                         rank_sum_p, several_tail)

# Tails
TAIL_PART = 0.2
FEW_IN_TAIL = 4
LEAST_SD_OF_MEAN = 0.1
SCALE_ERRORS = 1.64
LEAST_SCALE_OF_START = 0.03
LEAST_SCALE = 1
SHAPE_OF_CALLS = 0.05
SHAPED_FROM = 8
SHAPED_FROM_TIME = 0.01
SHAPE_ADDED = 0.2
SHAPES = (0.1, 0.36)
SHAPE_NOT_KNOWN = 0.25
# Probabilities
MATERIAL = 1 / 4
ABNORMAL = 0.05
RARE_BELOW = 8
FAR = 3
# Confidence
ONE_AT_MOST = 0.9
MISJUDGED = 30
SURE = 0.95
# Class and label
OFTEN = 0.7
LONG = 0.3
SMALL = 1 / 10
HALF = 1 / 2
# Stalls
STRETCH = 1 / 10
HIT_AT_MOST = 0.95
HIT_AT_MOST_OF_SEVERAL = 0.98
GUILTY = 0.05
LEAST_PLACE = 0.001
PREFERRED = 4
FEW_PLACES = 8
ONE_PLACE = 0.8
SILENT_BY_CHANCE = 0.05
FAR_IN_GUEST = 10
OTHER_LENGTHS = 0.01
UNDECIDED_P = 0.01
LIKELY_BELOW = 5
# Weight
INTERVAL = (0.025, 0.975)
LEADS_DRAWN = 300


def is_pseudo(thing):
    return thing.name.startswith("[")


def middle_of(bucket):
    return sum(bucket_range(bucket)) / 2


def tail_start(counts):
    """Where the tail of @counts begins, and what lies in it: (excess, count) in rising order."""
    most = math.ceil(round((1 - TAIL_PART) * sum(counts.values()), 6))
    below = 0
    for bucket in sorted(counts):
        below += counts[bucket]
        if below >= most:
            start = bucket_range(bucket)[1]
            return start, [(middle_of(other) - start, counts[other]) for other in sorted(counts) if other > bucket]
    return 0, []


def survival(costs, kind, value, windows, shape):
    """S of @value."""
    counts = costs.spreads[kind][0] if costs else {}
    times = sum(counts.values())
    start, beyond = tail_start(counts)
    if times == 0 or value <= start:
        return 1
    many = sum(count for _, count in beyond)
    if many >= FEW_IN_TAIL:
        scale = sum(excess * count for excess, count in beyond) / many * (1 - shape)
    else:
        mean = sum(middle_of(bucket) * count for bucket, count in counts.items()) / times
        variance = sum((middle_of(bucket) - mean)**2 * count for bucket, count in counts.items()) / times
        scale = max(math.sqrt(variance), LEAST_SD_OF_MEAN * mean)
    scale = max(scale * (1 + SCALE_ERRORS / math.sqrt(max(many, 1))), LEAST_SCALE_OF_START * start, LEAST_SCALE)
    return TAIL_PART * (times + 1) / (windows + 1) * (1 + shape * (value - start) / scale)**(-1 / shape)


def shape_of(counts):
    """None where there are too few."""
    _, beyond = tail_start(counts)
    many = sum(count for _, count in beyond)
    if many < SHAPED_FROM:
        return None
    if len(beyond) == 1:
        return -math.inf
    mean = weighted = below = 0
    for excess, count in beyond:
        mean += excess * count / many
        weighted += excess * count / many * (1 - (below + count / 2) / many)
        below += count
    return 2 - mean / (mean - 2 * weighted)


def shape_of_times(pool):
    all_ns = pool.mean_ns() * len(pool.latencies)
    shapes = sorted(shape for key, costs in pool.costs.items() if key[0] == "part" and costs.self_ns >= SHAPED_FROM_TIME * all_ns
                    for shape in [shape_of(costs.spreads["untraced"][0])] if shape is not None)
    return min(max(shapes[len(shapes) // 2] + SHAPE_ADDED, SHAPES[0]), SHAPES[1]) if shapes else SHAPE_NOT_KNOWN


def held_ns(one, holder):
    return sum(other.excess_ns for other in one.items.values() if other.is_holder and other.context == holder.context and
               (other is holder or holder.context != "task"))


def held_alone_ns(one, holder):
    """Beyond what the rest is slower by: in the middle of its ordinary time, the parts in order of that."""
    base_ns = sum(other.base_ns for other in one.items.values() if other.is_holder and other.context == holder.context and
                  (other is holder or holder.context != "task"))
    rest = sorted((part.excess_ns / part.base_ns, part.base_ns) for part in one.items.values()
                  if not part.is_holder and part.context != holder.context and part.base_ns > 0)
    half_ns = sum(base for _, base in rest) / 2
    slower = next((factor for i, (factor, _) in enumerate(rest) if sum(base for _, base in rest[:i + 1]) >= half_ns), 0)
    return held_ns(one, holder) - base_ns * max(slower, 0)


class Judge:
    """Judges a population."""
    def __init__(self, population):
        self.population = population
        self.pool = population.pool
        self.windows = population.pool.spread_windows
        self.in_guest = any(case.machine for case in population.late)
        self.counting = [one for one in population.late if not one.ignored]
        self.tested = len({key for one in self.counting for key in one.items})
        self.shape = shape_of_times(self.pool)
        self.exposures = {}
        self.suspects = {}
        for one in population.late:
            for key, thing in one.items.items():
                self.suspects.setdefault(key, SimpleNamespace(key=key, name=thing.name, is_holder=thing.is_holder, context=thing.context,
                                                              ran=self.times(key), rest=False, guilty=False,
                                                              undecided=False, share=0, p=[]))
        self.find_rest()
        for one in population.late:
            if one.stands_out and self.windows > 0:
                self.find_abnormal(one)
        for suspect in self.suspects.values():
            suspect.confidence = self.confidence(suspect)
        for one in population.late:
            self.label(one)
        self.test_stalls()
        for one in population.late:
            one.confidence = (self.stall_confidence if one.klass == "blind-stall" else
                              self.suspects[one.suspect].confidence if one.suspect else 0)

    def times(self, key, kind="untraced"):
        return sum(self.pool.costs[key].spreads[kind][0].values()) if key in self.pool.costs else 0

    def survival(self, key, kind, value):
        return survival(self.pool.costs.get(key), kind, value, self.windows, SHAPE_OF_CALLS if kind == "calls" else self.shape)

    def is_far(self, key, kind, value):
        return value >= FAR * max(self.pool.costs[key].spreads[kind][1] if key in self.pool.costs else 0, 1)

    def find_rest(self):
        longest = 0
        for suspect in self.suspects.values():
            if suspect.is_holder or suspect.context != "idle":
                continue
            suspect.rest = is_pseudo(suspect)
            calls, each_ns = calls_elsewhere(self.population, suspect.key[2])
            if calls and suspect.ran >= HALF * self.windows and each_ns > longest:
                longest, place = each_ns, suspect
        if longest > 0:
            place.rest = True

    def probability(self, one, thing):
        if self.suspects[thing.key].ran < RARE_BELOW:
            return 0 if self.is_far(thing.key, "untraced", thing.own_ns) else 1
        time = self.survival(thing.key, "untraced", thing.own_ns)
        if thing.is_holder or thing.calls == 0:
            return min(1, one.cycles * time)
        return min(1, 2 * one.cycles * min(time, self.survival(thing.key, "calls", thing.calls)))

    def is_struck(self, one, part):
        if part.longest_ns < STRETCH * one.excess_ns or part.longest_ns == 0:
            return False
        if part.context == "task" and is_pseudo(part) and not one.stood_still:
            return False
        counts = self.pool.costs[part.key].spreads["stretch"][0] if part.key in self.pool.costs else {}
        if self.in_guest and part.longest_ns >= FAR_IN_GUEST * max(tail_start(counts)[0], 1):
            return True
        if self.times(part.key, "stretch") < RARE_BELOW:
            return self.is_far(part.key, "stretch", part.longest_ns)
        return one.cycles * self.tested * self.survival(part.key, "stretch", part.longest_ns) < ABNORMAL

    def find_abnormal(self, one):
        for thing in one.items.values():
            material = thing.excess_ns >= MATERIAL * one.excess_ns
            if thing.is_holder:
                material = thing.excess_ns > 0 and held_alone_ns(one, thing) >= MATERIAL * one.excess_ns
            else:
                thing.struck = self.is_struck(one, thing)
            if material:
                thing.p = self.probability(one, thing)
                if not one.ignored:
                    self.suspects[thing.key].p.append(thing.p)

    def confidence(self, suspect):
        n = len(self.counting)
        p = sorted(suspect.p)
        if not p:
            return 0
        if len(p) == 1:
            return min(max(1 - self.tested * p[0], 0), ONE_AT_MOST)
        if suspect.ran < RARE_BELOW:
            return max(1 - self.tested * hypergeometric_tail(len(p), n, len(p) + suspect.ran, n + self.windows), 0)
        agree = min([p[1]] + [binomial_tail(i, n, min(1, MISJUDGED * p[i - 1])) for i in range(2, len(p) + 1)])
        return max(1 - self.tested * (n - 1) * agree, 0)

    # Class

    def reference(self, part):
        """Its calls when it ordinarily runs, and the time of one."""
        costs = self.pool.costs.get(part.key)
        if costs and costs.calls > 0:
            return costs.calls / costs.windows, costs.self_ns / costs.calls
        return 1, calls_elsewhere(self.population, part.key[2])[1]

    def count_ns(self, part):
        """Which part of its excess is for more calls than in the windows it is compared with."""
        each = part.own_ns / part.calls if part.calls else math.nan
        usual = part.base_ns / part.base_calls if part.base_calls else self.reference(part)[1]
        each, usual = usual if math.isnan(each) else each, each if math.isnan(usual) else usual
        return 0 if math.isnan(each) else (part.calls - part.base_calls) * (each + usual) / 2

    def by_calls(self, one, part):
        """What part of it is by calls."""
        if part.calls < 2 or part.longest_ns >= HALF * part.excess_ns:
            return 0
        each = part.own_ns / part.calls
        usual_calls, usual = self.reference(part)
        if math.isnan(usual):
            return 1 if max(each, part.longest_ns) < SMALL * one.excess_ns else 0
        more = part.calls * each - usual_calls * usual
        return min(max((part.calls - usual_calls) * (each + usual) / 2 / more, 0), 1) if more > 0 else 0

    # Label

    def blame(self, one, klass, culprit=None, ns=0, thing=None, by=0):
        one.klass, one.culprit, one.ns, one.by = klass, culprit, ns, by
        one.thing = thing
        one.suspect = thing.key if thing else None

    def blame_part(self, one, part):
        by = self.by_calls(one, part)
        self.blame(one, class_by(by), part.name, part.excess_ns, part, by)

    def label(self, one):
        self.blame(one, "unexplained")
        missing = sum(thing.excess_ns for thing in one.items.values() if not thing.is_holder and thing.name == "[not captured]")
        if one.ordinary == 0 or not one.stands_out or self.windows == 0 or missing >= HALF * one.excess_ns:
            return
        abnormal = [thing for thing in one.items.values() if thing.p < ABNORMAL]
        parts = [thing for thing in abnormal if not thing.is_holder]
        proper = [part for part in parts if not is_pseudo(part)]
        holder = max((thing for thing in abnormal if thing.is_holder and thing.context not in ("idle", "measured")),
                     key=lambda thing: (held_ns(one, thing), thing.excess_ns), default=None)
        rest = max((part for part in parts if self.suspects[part.key].rest), key=lambda part: part.excess_ns, default=None)
        idle_ns = sum(thing.excess_ns for thing in one.items.values() if not thing.is_holder and thing.context == "idle")
        has_ns = held_ns(one, holder) if holder else 0
        pieces = (holder is not None and holder.context != "task" and
                  not (rest and rest.longest_ns >= HALF * one.excess_ns))
        if pieces:
            proper = [part for part in proper if part.context != "idle"]
        held = has_ns > 0 and has_ns >= HALF * (one.excess_ns - (max(idle_ns, 0) if pieces else 0))

        def is_entry(part):
            return held and part.name == holder.name and self.by_calls(one, part) >= OFTEN
        leader = max(proper, key=lambda part: part.excess_ns, default=None)
        inside = max((part for part in one.items.values() if held and not part.is_holder and not is_pseudo(part) and
                      part.context == holder.context), key=lambda part: part.excess_ns, default=None)
        by_one = inside and inside.excess_ns >= HALF * has_ns and not is_entry(inside)
        if leader and leader.excess_ns >= HALF * one.excess_ns and not is_entry(leader) and leader is not rest:
            self.blame_part(one, leader)
        elif by_one and inside.p < ABNORMAL:
            self.blame_part(one, inside)
        elif held and not by_one:
            self.blame(one, "interference", holder.name, has_ns, holder)
        elif rest and idle_ns >= HALF * one.excess_ns:
            self.blame(one, "late-timer", "idle", idle_ns, rest)
        elif leader:
            self.blame_part(one, leader)

    # Stalls

    def hit_probability(self, captures, suspect, times=1, at_least=0):
        hits = sum(suspect.key in one.struck for one in captures)
        odds = max(times * suspect.share / (1 + (times - 1) * suspect.share), at_least)
        rates = [min(odds, HIT_AT_MOST) if len(one.struck) == 1 else
                 min(1 - math.exp(-self.exposure(len(one.struck)) * odds), HIT_AT_MOST_OF_SEVERAL) for one in captures]
        return several_tail(hits, rates)

    def exposure(self, places):
        if places not in self.exposures:
            shares = [suspect.share for suspect in self.suspects.values() if suspect.share > 0]
            self.exposures[places] = halve(lambda t: sum(1 - math.exp(-t * share) for share in shares), places, 0, 1e16)
        return self.exposures[places]

    def find_shares(self):
        time = collections.Counter()
        for one in self.counting:
            for thing in one.items.values():
                if not thing.is_holder:
                    late = one.stands_out and thing.excess_ns >= STRETCH * one.excess_ns
                    time[thing.key] += thing.base_ns + (thing.base_ns if late else thing.own_ns)
        for key, suspect in self.suspects.items():
            suspect.share = time[key] / time.total() if time.total() > 0 else 0

    def test_stalls(self):
        self.find_shares()
        for one in self.population.late:
            one.struck = {thing.key for thing in one.items.values() if thing.struck}
            for thing in one.items.values():
                thing.struck_ns = (max(thing.longest_ns, thing.excess_ns) if self.in_guest else thing.longest_ns) if thing.struck else 0
            one.struck_ns = sum(thing.struck_ns for thing in one.items.values())
            one.candidate = one.stands_out and len(one.struck) > 0 and one.struck_ns >= HALF * one.excess_ns
        self.candidates = [one for one in self.counting if one.candidate]
        left = self.convict(self.candidates)
        guilty = [suspect for suspect in self.suspects.values() if suspect.guilty]
        if len(left) >= 2 and len({key for one in left for key in one.struck}) >= 2:
            places = len({key for one in self.candidates for key in one.struck})
            for suspect in guilty:
                of_few = self.hit_probability(self.candidates, suspect, at_least=1 / FEW_PLACES)
                suspect.guilty = ((self.hit_probability(self.candidates, suspect, PREFERRED) < GUILTY and of_few * max(places, FEW_PLACES) < GUILTY) or
                                  self.has_lengths_of_its_own(suspect))
            guilty = [suspect for suspect in guilty if suspect.guilty]
            left = [one for one in self.candidates if not any(suspect.key in one.struck for suspect in guilty)]
        left = self.set_aside(left)
        self.find_by_stalls()
        self.places = {key: (sum(key in one.struck for one in self.candidates), self.suspects[key].share,
                             self.hit_probability(self.candidates, self.suspects[key]), self.suspects[key].guilty,
                             *self.neighbours(key))
                       for one in self.candidates for key in one.struck}
        self.conclude_stalls(left)

    def convict(self, left):
        """Those that are left when the guilty places are found."""
        while True:
            found = []
            for suspect in self.suspects.values():
                hits = sum(suspect.key in one.struck for one in left)
                if suspect.is_holder or suspect.rest or is_pseudo(suspect) or hits < 2:
                    continue
                p = self.hit_probability(left, suspect) / max(suspect.share, LEAST_PLACE)
                if hits == len(left) and sum(other.share**hits for other in self.suspects.values()) < GUILTY:
                    p = min(p, GUILTY / 2)
                if p < GUILTY:
                    found.append((p, suspect.key))
            if not found:
                return left
            self.suspects[min(found)[1]].guilty = True
            left = [one for one in left if min(found)[1] not in one.struck]

    def why(self, suspect):
        """It is guilty or not."""
        prefers = self.hit_probability(self.candidates, suspect) / max(suspect.share, LEAST_PLACE) < GUILTY
        return ("the idle CPU waits there" if suspect.rest else "no function ran there" if is_pseudo(suspect) else
                "struck too often for blind stalls" if suspect.guilty else "stalls may prefer it" if prefers else "may be chance")

    def has_lengths_of_its_own(self, suspect):
        here = [one.items[suspect.key].struck_ns for one in self.candidates if suspect.key in one.struck]
        elsewhere = [max(thing.struck_ns for thing in one.items.values()) for one in self.candidates if suspect.key not in one.struck]
        return bool(here and elsewhere) and rank_sum_p(here, elsewhere) < OTHER_LENGTHS

    def set_aside(self, left):
        for suspect in self.suspects.values():
            carried = sum(suspect.key in one.struck and one.items[suspect.key].struck_ns >= HALF * one.excess_ns for one in left)
            if (not (suspect.is_holder or suspect.rest or is_pseudo(suspect)) and carried >= HALF * len(left) and
                    self.hit_probability(left, suspect, at_least=1 / FEW_PLACES) < UNDECIDED_P):
                suspect.undecided = True
                return [one for one in left if suspect.key not in one.struck]
        return left

    def find_by_stalls(self):
        for suspect in self.suspects.values():
            abnormal = [one for one in self.counting if suspect.key in one.items and one.items[suspect.key].p < ABNORMAL]
            struck = [one for one in abnormal if one.candidate and suspect.key in one.struck]
            suspect.sure = suspect.confidence >= SURE and (suspect.is_holder or suspect.guilty or len(struck) <= HALF * len(abnormal))

    def neighbours(self, key):
        """The events around the longest stretches at a place that was struck, where they are the same in all candidates."""
        around = [one.stretch for one in self.candidates if key in one.struck and one.stretch[0] == key]
        return tuple(around[0][end] if around and len({stretch[end] for stretch in around}) == 1 else None for end in (1, 2))

    def conclude_stalls(self, left):
        n = len(left)
        places = {key for one in left for key in one.struck}
        told = sum((one.smi_count or 0) > 0 or (one.steal_ns or -1) >= HALF * one.struck_ns for one in left)
        silent = sum(one.stood_still for one in left)
        self.proof = "confirmed" if told > n / 2 else "consistent" if silent > n / 2 else "unverifiable"
        alike = collections.Counter(key for one in left for key in one.struck if one.items[key].struck_ns >= HALF * one.excess_ns)
        self.stall_confidence = binomial_tail(max(alike.values(), default=0) + 1, n, ONE_PLACE) if n else 0
        if self.proof != "unverifiable":
            self.stall_confidence = 1 - SILENT_BY_CHANCE**max(told, silent)
        if n == 1:
            self.stall_confidence = min(self.stall_confidence, ONE_AT_MOST)
        self.blind = n > 0 and (self.proof != "unverifiable" or (n >= 2 and len(places) >= 2))
        self.likely = self.blind and n < LIKELY_BELOW and self.proof == "unverifiable"
        self.left = left if self.blind else []
        only_rest = n >= 2 and all(self.suspects[key].rest for key in places)
        for one in self.population.late:
            if self.blind and self.in_guest and one.klass == "late-timer":
                self.blame(one, "blind-stall", "hypervisor", one.ns)
            if one.candidate and not any(self.suspects[key].guilty or self.suspects[key].undecided for key in one.struck):
                stalled_ns = min(one.struck_ns, one.excess_ns)
                if self.blind:
                    self.blame(one, "blind-stall", "hypervisor" if self.in_guest else "blind stall", stalled_ns)
                elif only_rest:
                    self.blame(one, "late-timer", "idle", stalled_ns, max(one.items.values(), key=lambda thing: thing.struck_ns))

    # What each late wake-up is due to

    def is_due_to_a_cause(self, one):
        """Whether what it is labelled with is one."""
        return (one.klass == "blind-stall" or (one.klass == "late-timer" and one.confidence >= SURE) or
                (one.suspect is not None and self.suspects[one.suspect].sure))

    def dues(self, one):
        """Of each that @one is due to: the culprit, its class, what it explains, and whether it is a cause."""
        if one.culprit:
            sure = self.is_due_to_a_cause(one)
            measured = [thing.priority for thing in one.items.values() if thing.is_holder and thing.context == "measured"]
            inverted = (one.klass == "interference" and one.thing.context == "task" and measured and
                        None not in (measured[0], one.thing.priority) and one.thing.priority > measured[0])
            yield SimpleNamespace(name=one.culprit, inverted=bool(inverted), thing=one.thing, klass=one.klass, ns=one.ns, by=one.by, sure=sure, confidence=one.confidence,
                                  part=one.klass in ("called-too-often", "took-too-long", "mixed"),
                                  context="idle" if one.klass == "late-timer" else one.thing and one.thing.context)
        for part in one.items.values():
            suspect = self.suspects[part.key]
            inside = one.klass == "interference" and one.thing.context == part.context
            if (not part.is_holder and part.p < ABNORMAL and suspect.sure and part.key != one.suspect and not inside and
                    not suspect.rest and not is_pseudo(part)):
                by = self.by_calls(one, part)
                yield SimpleNamespace(name=part.name, inverted=False, thing=part, klass=class_by(by), ns=part.excess_ns, by=by, sure=True,
                                      confidence=suspect.confidence, part=True, context=part.context)


def class_by(by):
    return "called-too-often" if by >= OFTEN else "took-too-long" if by <= LONG else "mixed"


def weigh(judges):
    """(sure, culprit, context or class) -> what is said of it, over all populations."""
    counting = [one for judge in judges for one in judge.counting]
    excesses = [one.excess_ns for one in counting if one.stands_out]
    captures = sum(excesses)**2 / sum(excess**2 for excess in excesses) if excesses else 0
    found = {}
    for place, (judge, one) in enumerate((judge, one) for judge in judges for one in judge.counting):
        for due in judge.dues(one):
            key = (due.sure, due.name, due.context if due.part else due.klass)
            sums = found.setdefault(key, SimpleNamespace(captures=0, ns=0, all_ns=0, by_ns=0, confidence=0, klass=due.klass, part=due.part, inverted=0, count_ns=0,
                                                         context=due.context, explains=[0] * len(counting)))
            sums.captures += 1
            sums.ns += due.ns
            sums.explains[place] += due.ns
            sums.all_ns += one.excess_ns
            sums.inverted += due.inverted
            sums.count_ns += judge.count_ns(due.thing) if due.part else 0
            sums.by_ns += due.by * due.ns
            sums.confidence = max(sums.confidence, due.confidence)
    for sums in found.values():
        sums.klass = class_by(sums.by_ns / sums.ns) if sums.part else sums.klass
        sums.weight = sums.ns / sum(excesses)
        part = min(max(sums.weight, 0), 1) * captures
        sums.low, sums.high = (beta_quantile(end, part + 0.5, captures - part + 0.5) for end in INTERVAL)
    return found


def draw_leads(causes, captures):
    """How often each of @causes explains most when as many of @captures are drawn from them, with repetition."""
    draw = random.Random(1)
    leads = collections.Counter()
    for _ in range(LEADS_DRAWN if causes else 0):
        drawn = draw.choices(range(captures), k=captures)
        explained = {key: sum(cause.explains[place] for place in drawn) for key, cause in causes.items()}
        leader = max(explained, key=explained.get)
        leads[leader] += explained[leader] > 0
    return {key: leads[key] / LEADS_DRAWN for key in causes}


def judge_study(study):
    judges = [Judge(population) for population in read_populations(study)]
    return judges, weigh(judges)
