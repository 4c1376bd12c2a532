# SPDX-License-Identifier: GPL-3.0-or-later
# A naive verdict: what culprit-study(5) defines under Causes, sentence by sentence, from the rows of a study.

import collections
import math
import os
import statistics
import sys
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from naive_evidence import HALF, MISSING, read_populations  # noqa: E402
from naive_maths import beta_quantile, binomial_tail, rank_sum_p, spread_largest  # noqa: E402

INTERRUPTS = ("nmi", "hardirq", "softirq")
SURE = 0.95
BY_CHANCE = 0.05
BY_CHANCE_OF_ONE_STRETCH = 1 / 8
SO_FEW = 0.01
OTHER_LENGTHS = 0.01
WRONG_TASK = 0.05
MOST_OF_A_NODE = 3 / 4
MOST_OF_A_TASK = 9 / 10
FAR = 10
DISPATCHER = "x64_sys_call"
TIMES_THE_ODDS = 4
ONE_PLACE = 0.8
SILENT_BY_CHANCE = 0.05
ONE_AT_MOST = 0.9
OFTEN = 0.7
LONG = 0.3
SMALL = 1 / 10
ENDS = (0.025, 0.975)
PROOFS = ("unverifiable", "consistent", "confirmed")


def is_bracket(name):
    return name.startswith("[")


def class_by(part):
    return "called-too-often" if part >= OFTEN else "took-too-long" if part <= LONG else "mixed"


def group(ones, key):
    groups = collections.defaultdict(list)
    for one in ones:
        if key(one) is not None:
            groups[key(one)].append(one)
    return groups


class Judge:
    """Judges a population."""
    def __init__(self, population):
        self.population, self.tree, self.pool = population, population.tree, population.pool
        self.things = {node_id: self.tree.things(node_id) for node_id in self.tree.nodes}
        self.pool_ns, self.windows = self.summed(self.pool.ns), self.count_windows()
        self.in_guest = any(one.machine for one in population.late)
        self.waits = self.find_waits()
        for one in population.late:
            self.judge(one)
        self.counting = [one for one in population.late if not one.ignored]
        self.standing = [one for one in self.counting if one.stands_out]
        self.causes, self.struck, self.proof = [], [], PROOFS[0]
        self.find_causes()

    # What carries it

    def summed(self, by_node):
        """What is known of the own time of nodes, by thing."""
        found = collections.Counter()
        for node_id, ns in by_node.items():
            for thing in self.things[node_id]:
                found[thing] += ns
        return found

    def count_windows(self):
        found = collections.Counter({("node", node_id): windows for node_id, windows in self.pool.windows.items()})
        for node_id in self.tree.nodes:
            missing = self.things[node_id][0] == MISSING and self.tree.nodes[node_id].depth == 0
            found[MISSING] += self.pool.windows[node_id] if missing else 0
        for thing in {thing for things in self.things.values() for thing in things if thing[0] == "function"}:
            found[thing] = self.pool.part_windows[thing[1], thing[3]]
        return found

    def share(self, thing):
        """Of a capture's time, without the twentieth of the wake-ups in which it takes longest."""
        few = self.pool.count() * 5 // 100
        ns = self.pool_ns[thing]
        if thing[0] == "function":
            rare = min(spread_largest(self.pool.part_spread[thing[1], thing[3]], few), ns)
        else:
            rare = ns * min(1, few / self.windows[thing]) if self.windows[thing] else 0
        if ns <= rare:
            return 0
        parts = [self.summed(self.pool.ns_in[capture])[thing] / all_ns for capture, all_ns in self.pool.all_ns.items() if all_ns > 0]
        part = min(max(sum(parts) / len(self.pool.all_ns), 0), 1)
        usual = 1 - rare / ns
        return part * usual / (part * usual + 1 - part)

    def carries(self, one, thing):
        all_ns = sum(self.pool.latencies)
        a = min(self.pool_ns[thing] / all_ns, self.windows[thing] / self.pool.count()) if all_ns > 0 else 0
        calls = self.calls(self.pool.calls, thing)
        if self.population.apart and calls > 0:
            more = self.calls(one.calls, thing) - calls / self.pool.count()
            if more * self.pool_ns[thing] / calls >= HALF * one.excess_ns:
                return True
        return a < 1 and (one.excess[thing] / one.excess_ns - a) / (1 - a) >= HALF

    def name(self, thing):
        return "[not captured]" if thing == MISSING else self.tree.function_names[thing[3]] if thing[0] == "function" else self.tree.nodes[thing[1]].name

    def below(self, thing):
        """What is directly below a node, None being the root."""
        nodes = self.tree.nodes.values()
        if thing is None:
            return {self.things[node.node_id][0] for node in nodes if node.depth == 0}
        return {("node", node.node_id) for node in nodes if thing == ("node", node.parent_id)}

    def find_carrier(self, one):
        functions = [thing for thing in one.excess if thing[0] == "function" and not is_bracket(self.name(thing))]
        greatest = max(functions, key=lambda thing: (one.excess[thing], -thing[3]), default=None)
        if greatest and self.carries(one, greatest):
            return greatest
        found = None
        while True:
            inside = max(self.below(found), key=lambda thing: one.excess[thing], default=None)
            if inside is None or not self.carries(one, inside):
                return found
            found = inside
            if found == MISSING:
                return found

    def find_waits(self):
        """The functions in which the idle task waits."""
        idle = {thing: self.population.elsewhere.get(thing[3], 0) for thing in self.windows if thing[:2] == ("function", "idle")}
        brackets = {thing for thing in idle if is_bracket(self.name(thing))}
        longer = [thing for thing, each_ns in idle.items() if thing not in brackets and self.pool.latencies and each_ns > self.pool.mean_ns()]
        usual = [thing for thing in longer if self.windows[thing] >= HALF * self.pool.count()]
        called = {thing for thing in longer if "idle" in self.name(thing) or "halt" in self.name(thing)}
        return brackets | called | {max(usual, key=lambda thing: (idle[thing], -thing[3]))} if usual else brackets | called

    def timer_rang(self, one):
        """Whether its interrupt woke somebody other than for the tick, or the kernel's timers are not seen."""
        paths = [self.tree.names(node_id) for node_id in one.ns]
        wakes = [path for path in paths if any(("timer_interrupt" in above or "hrtimer_run_softirq" in above) and "wake" in below and not any("tick" in name for name in path[i:k + 1])
                                               for i, above in enumerate(path) for k, below in enumerate(path) if k >= i)]
        names = {name for path in paths for name in path}
        return bool(wakes) or (any("timer_interrupt" in name for name in names) and not any("hrtimer_interrupt" in name for name in names))

    def judge(self, one):
        """Gives @one its carrier and its class."""
        own = collections.Counter(one.ns)
        for node_id, ns in one.base.ns.items():
            own[node_id] -= ns / one.ordinary
        one.stands_out = one.stands_out and bool(self.pool.latencies)
        by_tracing = one.by_tracing and bool(self.pool.latencies)
        one.excess, one.carrier, one.klass = self.summed(own), None, "tracing" if by_tracing else "unexplained"
        if not one.stands_out:
            return
        thing = self.find_carrier(one)
        if thing is None:
            one.klass = "spread"
        elif thing != MISSING:
            carrier = self.describe(one, thing)
            klass = "late-timer" if carrier.in_user_mode else carrier.klass
            if not (carrier.late_timer and not self.timer_rang(one)) and not self.hides(one, klass):
                one.carrier, one.klass = carrier, carrier.klass

    def describe(self, one, thing):
        """All that is said of a carrier."""
        nodes = [node_id for node_id, things in self.things.items() if thing in things]
        heaviest = max(nodes, key=lambda node_id: (one.ns[node_id], -node_id)) if thing[0] == "function" else thing[1]
        at = max(nodes, key=lambda node_id: one.longest[node_id])
        context = self.tree.nodes[heaviest].context
        carrier = SimpleNamespace(thing=thing, ns=one.excess[thing], node=heaviest, context=context, source=self.tree.nodes[heaviest].path[0],
                                  stretch=one.longest[at], place=(self.tree.nodes[at].context, self.tree.nodes[at].function_id),
                                  bracket=thing[0] == "node" and is_bracket(self.name(thing)))
        carrier.single = carrier.stretch >= HALF * carrier.ns
        most = max(nodes, key=lambda node_id: (one.ns[node_id], -node_id))
        carrier.late_timer = context == "idle" and self.things[most][-1] in self.waits
        user = self.things[most][-1]
        carrier.in_user_mode = (is_bracket(self.name(user)) and user[0] == "function" and user[1] == "task" and one.before_event == "" and
                                (one.stalled_context, one.stalled_function) == (user[1], user[3]) and one.length_ns >= HALF * carrier.ns)
        mine = next((urgency for node_id, urgency in one.priority.items() if self.tree.nodes[node_id].context == "measured" and urgency is not None), None)
        its = one.priority.get(carrier.source)
        if one.interrupts_traced == 0 and mine is not None and its is not None and its < mine:
            carrier.in_user_mode = False
        carrier.by = self.by_calls(one, carrier)
        carrier.klass = ("late-timer" if carrier.late_timer else
                         "interference" if context == "task" or (context in INTERRUPTS and thing[0] == "node") else class_by(carrier.by))
        return carrier

    # Class

    def reference(self, thing):
        """Calls and the time of one, or None."""
        calls = self.calls(self.pool.calls, thing)
        if calls > 0:
            return calls / self.windows[thing], self.pool_ns[thing] / calls
        if thing[0] == "function" and thing[3] in self.population.elsewhere:
            return 1, self.population.elsewhere[thing[3]]
        return None

    def calls(self, by_node, thing):
        return by_node[thing[1]] if thing[0] == "node" else sum(by_node[node_id] for node_id in by_node if thing == self.things[node_id][-1])

    def by_calls(self, one, carrier):
        """Which part of the difference is due to calls."""
        calls = self.calls(one.calls, carrier.thing)
        if calls < 2 or carrier.single:
            return 0
        ns = self.summed(one.ns)[carrier.thing]
        reference = self.reference(carrier.thing)
        if reference is None:
            return int(ns / calls < SMALL * one.excess_ns)
        usual_calls, usual_ns = reference
        difference = ns - usual_calls * usual_ns
        return min(max((calls - usual_calls) * (ns / calls + usual_ns) / 2 / difference, 0), 1) if difference > 0 else 0

    @staticmethod
    def hides(one, klass):
        """Whether what was not traced may be to blame instead."""
        limited = one.graph_depth is not None or one.interrupts_traced == 0
        chosen = one.graph_functions is not None
        return ((limited and klass in ("took-too-long", "mixed", "late-timer", "blind-stall")) or
                (chosen and klass in ("interference", "late-timer", "blind-stall")))

    # What carries many

    def find_causes(self):
        self.remain = list(self.standing)
        self.find_tasks()
        self.find_functions()
        self.find_nodes()
        self.find_stalls()
        self.acquit(self.remain)
        self.find_late_timers()
        self.find_suspects()
        self.acquit(self.population.late)

    def m(self):
        """Those that no established cause has."""
        return len(self.standing) - sum(len(cause.ones) for cause in self.causes if cause.sure)

    def left(self):
        """Those that remain and are carried by something."""
        return [one for one in self.remain if one.carrier]

    def confidence(self, thing, ones, m):
        k = len(ones)
        single = sum(one.carrier.single for one in ones) > k / 2
        if not single and thing[0] == "node" and self.tree.nodes[thing[1]].context == "task" and self.tree.nodes[thing[1]].depth == 0:
            return 1 - WRONG_TASK**(k - 1)
        rate = (max(self.share(thing), BY_CHANCE_OF_ONE_STRETCH) if single else
                BY_CHANCE if thing[0] == "function" else max(self.share(thing), BY_CHANCE))
        return 1 - min(1, binomial_tail(k, m, rate) / rate)

    def add(self, kind, thing, ones, confidence):
        self.causes.append(SimpleNamespace(kind=kind, thing=thing, ones=ones, confidence=confidence,
                                           sure=confidence >= SURE or kind == "stall"))
        self.remain = [one for one in self.remain if one not in ones]

    def find_tasks(self):
        tasks = group(self.left(), lambda one: one.carrier.source if one.carrier.context == "task" and
                      not (one.carrier.bracket and one.carrier.single) else None)
        m = self.m()
        for source, ones in tasks.items():
            if len(ones) >= 2 and not self.are_stalls(source, ones, m):
                self.add("task", ("node", source), ones, self.confidence(("node", source), ones, m))

    def function_of(self, one):
        carrier = one.carrier
        return carrier.thing if carrier.thing[0] == "function" and carrier.context != "task" and not carrier.late_timer else None

    def find_functions(self):
        while True:
            found = [(self.confidence(thing, ones, self.m()), len(ones), -thing[3], thing, ones)
                     for thing, ones in group(self.left(), self.function_of).items() if len(ones) >= 2]
            confidence, _, _, thing, ones = max(found, key=lambda item: item[:3], default=(0, 0, 0, None, None))
            if confidence < SURE:
                return
            self.add("function", thing, ones, confidence)

    def find_nodes(self):
        meeting = [one for one in self.left() if one.carrier.context != "task" and not one.carrier.single and not one.carrier.late_timer]
        m = self.m()
        for node_id, ones in self.divide(None, meeting):
            functions = {self.function_of(one) for one in ones}
            kind, thing = ("node", ("node", node_id)) if None in functions or len(functions) > 1 else ("function", *functions)
            self.add(kind, thing, ones, self.confidence(thing, ones, m))

    def divide(self, node_id, ones):
        """(node, captures) of each cause at or below a node, None being the root."""
        depth = 0 if node_id is None else self.tree.nodes[node_id].depth + 1
        below = group(ones, lambda one: (self.tree.nodes[one.carrier.node].path + (None,))[depth] if depth <= self.tree.nodes[one.carrier.node].depth else None)
        several = {inside: found for inside, found in below.items() if len(found) >= 2}
        if node_id is None or sum(map(len, several.values())) >= MOST_OF_A_NODE * len(ones):
            return [cause for inside, found in sorted(several.items()) for cause in self.divide(inside, found)]
        return [(node_id, ones)] if len(ones) >= 2 else []

    # Stalls

    def may_be_blind(self, one):
        return (one.carrier.single and not self.hides(one, "blind-stall") and one.carrier.stretch >= FAR * max(self.pool.part_stretch.values(), default=0))

    def tell_proof(self, ones):
        """(the proof, in how many captures it is)"""
        silent = sum(one.silent for one in ones)
        told = sum((one.smi_count or 0) > 0 or (one.steal_ns is not None and one.steal_ns >= HALF * one.excess_ns) for one in ones)
        proof = PROOFS[2] if told > len(ones) / 2 else PROOFS[1] if silent > len(ones) / 2 else PROOFS[0]
        return proof, max(told, silent)

    def preferred(self, thing):
        """How likely a stall strikes it, at most."""
        return self.prefer(self.share(thing))

    def prefer(self, share):
        odds = TIMES_THE_ODDS * share
        return max(odds / (1 - share + odds), BY_CHANCE_OF_ONE_STRETCH)

    def keep_to_few(self, ones):
        """Whether they are at fewer places than stalls would be."""
        things = [("function", context, self.tree.nodes[one.carrier.source].source if context == "task" else None, function)
                  for one in ones for context, function in [one.carrier.place] if not self.in_user_mode(one) and self.place(one) != "idle"]
        m = len(set(things))
        likely = max(sum(map(self.share, set(things))), m * BY_CHANCE_OF_ONE_STRETCH)
        return 0 < m < 8 and math.comb(8, m) * likely**len(things) <= SO_FEW

    def certainty(self, blind):
        """That they are stalls; 0: they are not. And the proof."""
        proof, proved = self.tell_proof(blind)
        telling = [one for one in blind if not (self.may_be_blind(one) and self.may_be_busy(one))]
        alike = collections.Counter(self.place(one) for one in telling if self.may_be_blind(one))
        if proof != PROOFS[0]:
            return (ONE_AT_MOST if len(blind) == 1 else 1 - SILENT_BY_CHANCE**proved), proof
        return binomial_tail(max(alike.values()) + 1, len(telling), ONE_PLACE) if len(alike) >= 2 else 0, proof

    def are_stalls(self, source, ones, m):
        """Whether those of a task that may be blind, if these are most, establish stalls alone, in many of its functions, and the
        task has so much of the time that stalls would strike it so often."""
        blind = [one for one in ones if self.may_be_blind(one)]
        return (2 * len(blind) > len(ones) and self.certainty(blind)[0] >= SURE and not self.keep_to_few(blind) and
                binomial_tail(len(ones), m, self.prefer(self.windows["node", source] / self.pool.count())) > 1 - SURE)

    def find_stalls(self):
        self.candidates = [one for one in self.standing if one.carrier and self.may_be_blind(one)]
        blind = [one for one in self.candidates if one in self.remain]
        users = bool(blind) and self.tell_proof(blind)[0] != PROOFS[0]
        blind = [one for one in blind if users or not self.may_be_busy(one)]
        if not blind or self.certainty(blind)[0] <= 0 or (self.tell_proof(blind)[0] == PROOFS[0] and not self.in_guest and self.keep_to_few(blind)):
            return
        if self.in_guest:
            blind += [one for one in self.left() if one.carrier.late_timer and one not in blind]
        others = list(blind)
        for cause in [cause for cause in self.causes if cause.kind in ("task", "function")]:
            single = [one for one in cause.ones if one.carrier.single]
            share = self.preferred(cause.thing)
            k = len(cause.ones)
            lengths = [[one.carrier.stretch for one in some] for some in (cause.ones, others)]
            if (len(single) > k / 2 and binomial_tail(k, k + len(others), share) > 1 - SURE and
                    rank_sum_p(*lengths) >= OTHER_LENGTHS):
                self.causes.remove(cause)
                self.remain += cause.ones
                blind += [one for one in cause.ones if self.may_be_blind(one) and
                          (users or not self.may_be_busy(one))]
        confidence, self.proof = self.certainty(blind)
        like_them = [one for one in self.population.late if one.ignored and one.carrier and self.may_be_blind(one) and not one.carrier.in_user_mode and
                     not any(cause.sure and self.has(one, cause) for cause in self.causes)]
        for one in blind + like_them:
            one.klass = "blind-stall"
        self.struck = blind
        self.add("stall", None, blind, confidence)

    def place(self, one):
        """Where its stretch is: all in which the idle CPU waits are one place."""
        context, function = one.carrier.place
        return "idle" if ("function", context, None, function) in self.waits else one.carrier.place

    def in_user_mode(self, one):
        context, function = one.carrier.place
        return context != "idle" and is_bracket(self.tree.function_names[function])

    def may_be_busy(self, one):
        """A stretch in user mode, but for one that held a timer off, is no sign of a stall."""
        return self.in_user_mode(one) and not one.carrier.in_user_mode

    def acquit(self, ones):
        """A late timer is nobody's fault who was in user mode."""
        for one in ones:
            if one.carrier and one.carrier.in_user_mode and one.klass != "blind-stall":
                one.carrier, one.klass = None, "unexplained"

    def find_late_timers(self):
        ones = [one for one in self.left() if one.carrier.late_timer]
        if ones:
            self.add("timer", ("node", ones[0].carrier.source), ones, self.confidence(ones[0].carrier.thing, ones, self.m()))

    def find_suspects(self):
        """Tasks first, then functions."""
        for kind, key in (("task", lambda one: ("node", one.carrier.source) if one.carrier.context == "task" else None),
                          ("function", self.function_of), ("node", lambda one: ("node", one.carrier.node))):
            m = self.m()
            for thing, ones in group(self.left(), key).items():
                self.add(kind, thing, ones, self.confidence(thing, ones, m))

    # What is said of a cause

    def node_of(self, cause):
        """None: it has none."""
        if cause.kind in ("stall", "timer"):
            return None
        if cause.kind == "function":
            ns = collections.Counter()
            for one in cause.ones:
                ns[one.carrier.node] += one.ns[one.carrier.node]
            return max(ns, key=lambda node_id: (ns[node_id], -node_id))
        if cause.kind == "task":
            counts = collections.Counter(node_id for one in cause.ones for node_id in self.tree.nodes[one.carrier.node].path)
            shared = [node_id for node_id, count in counts.items() if count >= MOST_OF_A_TASK * len(cause.ones)]
            return max(shared, key=lambda node_id: self.tree.nodes[node_id].depth)
        return cause.thing[1]

    def breakdown(self, cause):
        """How many of its captures go on by each of what is directly below its node."""
        node = self.node_of(cause)
        if cause.kind == "function" or node is None:
            return {}
        depth = self.tree.nodes[node].depth
        paths = [self.tree.nodes[one.carrier.node].path for one in cause.ones]
        return collections.Counter(self.first_told(path[depth + 1:]) for path in paths if node in path and len(path) > depth + 1)

    def first_told(self, path):
        """Of the nodes of @path that which does not only dispatch system calls; the last if all do."""
        return next((node_id for node_id in path if self.tree.nodes[node_id].name != DISPATCHER), path[-1])

    def culprit(self, kind, thing):
        if kind == "stall":
            return "hypervisor" if self.in_guest else "blind stall"
        if kind == "timer":
            return "idle"
        return self.name(thing)

    def culprit_of(self, one):
        """What a late wake-up is due to, or None."""
        if not one.carrier:
            return None
        if one.klass == "blind-stall":
            return self.culprit("stall", None)
        kind = "timer" if one.carrier.late_timer else "task" if one.carrier.context == "task" else one.carrier.thing[0]
        thing = ("node", one.carrier.source) if kind == "task" else one.carrier.thing
        return self.culprit(kind, thing)

    def cause_of(self, one):
        """The cause or suspect that it has; one that does not count, that which it would have."""
        return next((cause for cause in self.causes if one in cause.ones or (one.ignored and one.carrier and self.has(one, cause))), None)

    def has(self, one, cause):
        if cause.kind == "stall" or one.klass == "blind-stall":
            return cause.kind == "stall" and one.klass == "blind-stall"
        if cause.kind in ("task", "node"):
            return cause.thing[1] in self.tree.nodes[one.carrier.node].path
        return one.carrier.late_timer if cause.kind == "timer" else one.carrier.thing == cause.thing

    def klass(self, cause):
        if cause.kind in ("stall", "timer"):
            return {"stall": "blind-stall", "timer": "late-timer"}[cause.kind]
        if cause.kind == "task" or (cause.kind == "node" and self.tree.nodes[cause.thing[1]].context in INTERRUPTS):
            return "interference"
        return class_by(sum(one.carrier.by * one.carrier.ns for one in cause.ones) / sum(one.carrier.ns for one in cause.ones))

    def relation(self, cause):
        """In how many ordinary windows it occurs, and the most there."""
        pool, thing = self.pool, cause.thing
        if cause.kind in ("stall", "timer"):
            return None
        if thing[0] == "function":
            part = (thing[1], thing[3])
            return pool.part_windows[part], pool.count(), pool.part_max_ns[part], pool.part_max_calls[part]
        node = self.node_of(cause)
        return pool.windows[node], pool.count(), pool.max_ns[node], pool.max_calls[node]


def interval(part, whole):
    return [beta_quantile(end, part + 0.5, whole - part + 0.5) for end in ENDS]


def frequency(k, n):
    low, high = interval(k, n)
    return 0 if k == 0 else low, 1 if k == n else high


def weight(ns, excesses):
    whole = ns / sum(excesses)
    wakes = sum(excesses)**2 / sum(excess**2 for excess in excesses)
    return (whole, *interval(min(max(whole, 0), 1) * wakes, wakes))


def judge_study(study, **options):
    judges = [Judge(population) for population in read_populations(study, **options)]
    for kind in ("task", "function"):
        while judge_together(judges, kind):
            pass
    return judges


def judge_together(judges, kind):
    """Makes a cause of the task or function that all populations together are most certain of; whether there is one."""
    groups = collections.defaultdict(list)
    for judge in judges:
        for cause in judge.causes:
            if cause.kind == kind and not cause.sure:
                groups[cause.thing].append((judge, cause))
    open_ones = sum(judge.m() for judge in judges)
    best = (SURE, 0, 0, None)
    for thing, found in groups.items():
        ones = [one for _, cause in found for one in cause.ones]
        rate = BY_CHANCE
        if sum(one.carrier.single for one in ones) > len(ones) / 2:
            rate = max(BY_CHANCE_OF_ONE_STRETCH, *(judge.share(thing) for judge, _ in found))
        elif kind == "task":
            rate = None
        confidence = 1 - (WRONG_TASK**(len(ones) - 1) if rate is None else min(1, binomial_tail(len(ones), open_ones, rate) / rate))
        best = max(best, (confidence, len(ones), -thing[-1], thing), key=lambda item: item[:3])
    confidence, _, _, thing = best
    for _, cause in groups.get(thing, []):
        cause.sure, cause.confidence = True, confidence
    return thing is not None


def describe_all(judges):
    """What is said of each cause and suspect, over all populations; those that explain most come first."""
    groups = collections.defaultdict(list)
    for judge in judges:
        for cause in judge.causes:
            groups[cause.sure, cause.kind, cause.kind if cause.kind in ("stall", "timer") else cause.thing].append((judge, cause))
    standing = [one for judge in judges for one in judge.standing]
    found = [describe(found, standing) for found in groups.values()]
    return sorted(found, key=lambda said: -said.ns)


def describe(judged, standing):
    """What is said of a cause of some populations; @judged: (judge, cause) of each."""
    judge, first = min(judged, key=lambda item: item[0].in_guest)
    ones = [one for _, cause in judged for one in cause.ones]
    cause = SimpleNamespace(kind=first.kind, thing=first.thing, ones=ones)
    node, ns = judge.node_of(cause), sum(one.carrier.ns for one in ones)
    relations = list({judge: judge.relation(cause) for judge, cause in reversed(judged)}.values())  # a task may be two suspects
    return SimpleNamespace(
        sure=first.sure, causes=[cause for _, cause in judged], culprit=judge.culprit(first.kind, first.thing), kind=first.kind, klass=judge.klass(cause), ones=ones, ns=ns,
        node=judge.tree.names(node) if node else None, context=judge.tree.nodes[node].context if node else "idle" if first.kind == "timer" else None,
        breakdown={tuple(judge.tree.names(below)): count for below, count in judge.breakdown(cause).items()},
        captures=len(ones), of=len(standing), frequency=frequency(len(ones), len(standing)),
        confidence=max(cause.confidence for _, cause in judged), share=ns / sum(one.excess_ns for one in ones),
        weight=weight(ns, [one.excess_ns for one in standing]),
        ordinary=relations[0] and [*map(sum, list(zip(*relations))[:2]), *map(max, list(zip(*relations))[2:])])
