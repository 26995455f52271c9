"""Instructions counted by valgrind's callgrind, and the phases of a run that they belong to.

Counts do not depend on the load of the machine. They do depend on compiler and libraries, and on the
instruction set: valgrind does not know AVX-512, so kernels run with AVX2. A function that no pattern names
(malloc, pow, templates of the standard library) counts for the phases of its callers, in proportion to what
they spend in it.
"""

import collections
import functools
import os
import pathlib
import re
import subprocess
import tempfile

# What is looked at on every step: functions whose callees count with them.
WATCHES = [
    ("singular points", [r"SingularPassage::", r"DeterminantWatch::"]),
    ("edges of domains", [r"DomainWatch::", r"EdgeWatch::"]),
    ("forcing", [r"ForcingWatch::"]),
    ("features of the state", [r"FeatureWatch::"]),
    ("progress", [r"Progress::", r"reached_limit"]),
]
# Called by a watch, but part of every step: the longest step is found once, by whoever asks first.
NO_WATCH = [r"TaylorIntegrator::longest_step"]
# The first phase with a matching pattern takes the function. Adapt these when the engine changes.
PHASES = [
    ("watches", [*(pattern for _, patterns in WATCHES for pattern in patterns),
                 r"SingularTime::", r"BlockJacobian::", r"TapeRanges::", r"::excess(_of)?\b", r"::Excess::", r"::settle\b", r"::Settle::"]),
    ("projection", [r"[Pp]roject", r"MinimumNorm", r"HouseholderQR", r"householder_qr"]),
    ("factorisation", [r"Lu.*::factorise", r"factorise_(rows|lanes|sparse)", r"lu_schedule", r"PivotSearch",
                       r"Lu::condition", r"klu_(re)?factor", r"klu_kernel", r"klu_scale", r"klu_rgrowth", r"klu_rcond",
                       r"partial_lu", r"PartialPivLU", r"rcond", r"parity", r"system_jacobian",
                       r"SystemJacobian", r"fill_jacobian", r"set_block_jacobian"]),
    ("solves", [r"Lu.*::solve\(", r"solve_(rows|lanes|sparse)", r"klu_[a-z]*solve"]),
    ("series", [r"SeriesTable", r"PackedSeries", r"taylor::(sse2|avx2|avx512)::", r"SeriesSolver::", r"Interpreter",
                r"taylor::rules", r"^0x", r"_coefficient", r"kernel"]),
    ("step control", [r"integrate::", r"run::Run::", r"run::(\(anonymous namespace\)::)?drive\(", r"run::TaylorStepper::(advance|count|note_step|cross)", r"solution::Step", r"scaled_tail"]),
    ("output", [r"Recorder", r"run::Transitions::", r"solution::", r"nlohmann", r"verbs", r"cli::", r"progress", r"write_csv"]),
    ("start", [r"daedal::init::", r"consistent_start", r"plan_of", r"Plan::", r"PlainRun::", r"RunWithModes::"]),
    ("analysis", [r"daedal::(lang|model|expr|structure|report)::", r"TapeBuilder", r"Schedul", r"amd_", r"btf_",
                  r"klu_analyze"]),
]
# What a step consists of; the others are before and after the steps.
STEP_PHASES = ("watches", "projection", "factorisation", "solves", "series", "step control")
NAMES = [phase for phase, _ in PHASES] + ["other"]

@functools.cache
def phase_of(function):
    return next((phase for phase, patterns in PHASES if any(re.search(p, function) for p in patterns)), None)


@functools.cache
def watch_of(function):
    return next((watch for watch, patterns in WATCHES if any(re.search(p, function) for p in patterns)), None)


class Profile:
    """Self cost of functions and inclusive cost of calls, from a file in callgrind's format."""

    def __init__(self, path):
        self.own = collections.Counter()
        self.calls = collections.defaultdict(collections.Counter)  # callee -> caller -> inclusive cost
        names, current, callee, is_call = {}, None, None, False

        def name_of(text):
            key, _, name = text.partition(" ")
            if key.startswith("("):
                if name:
                    names[key] = name
                return names.get(key, key)
            return text

        for line in open(path):
            if line.startswith("fn="):
                current = name_of(line[3:].strip())
            elif line.startswith("cfn="):
                callee = name_of(line[4:].strip())
            elif line.startswith("calls="):
                is_call = True
            elif line[:1].isdigit() or line[:1] in "+-*":
                cost = int(line.split()[1])
                if is_call:
                    if callee != current:
                        self.calls[callee][current] += cost
                else:
                    self.own[current] += cost
                is_call = False

    def total(self):
        return sum(self.own.values())

    def by_watch(self):
        """Costs of watches, with all that they call."""
        costs = collections.Counter()
        for callee, callers in self.calls.items():
            for caller, inclusive in callers.items():
                if watch_of(callee) and not watch_of(caller):
                    costs[watch_of(callee)] += inclusive
                elif watch_of(caller) and any(re.search(p, callee) for p in NO_WATCH):
                    costs[watch_of(caller)] -= inclusive
        return costs

    def by_phase(self):
        """Self costs by phase; those of unnamed functions move up to their callers until they meet a phase."""
        phases = collections.Counter()
        moving = collections.Counter()
        for function, cost in self.own.items():
            moving[function] += cost
        for _ in range(40):  # longer chains of unnamed callers are recursion
            above = collections.Counter()
            for function, cost in moving.items():
                phase = phase_of(function)
                callers = self.calls.get(function)
                if phase:
                    phases[phase] += cost
                elif not callers:
                    phases["other"] += cost
                else:
                    whole = sum(callers.values())
                    for caller, inclusive in callers.items():
                        above[caller] += cost * inclusive / whole if whole else cost / len(callers)
            moving = above
        phases["other"] += sum(moving.values())
        return phases


# What the loop over steps calls (src/run/drive.cpp).
STEPS = ("daedal::integrate::TaylorIntegrator::advance*", "daedal::run::Run::take_step*", "daedal::run::Run::go_on*")


def count(words, is_threaded=False, folder=None, inside=("main",), cache=None, options=()):
    """Runs a command in a folder, and returns what it printed and the profile of what is inside of some functions.

    The environment is the same for everybody, symbols are looked up before main begins, and the cache of
    machine code is empty unless a folder is given: what is counted is the program's own work. A threaded run
    is counted as a whole, because only the first thread passes through main.
    """
    started_in_main = [] if is_threaded else [f"--toggle-collect={function}" for function in inside]
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "callgrind.out"
        environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "LD_BIND_NOW": "1",
                       "XDG_CACHE_HOME": cache or scratch, "HOME": scratch, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(["valgrind", "--tool=callgrind", "--quiet", *started_in_main, *options,
                               f"--callgrind-out-file={out}", *words],
                              capture_output=True, text=True, timeout=1800, env=environment, cwd=folder)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}\nended with code {done.returncode}\n{done.stderr}")
        return done.stdout, Profile(out)


def count_steps(words, folder=None):
    """The steps alone of a run by machine code, which is in the cache, for the processor that valgrind pretends to be."""
    with tempfile.TemporaryDirectory() as cache:
        count(words, folder=folder, cache=cache)
        return count(words, folder=folder, inside=STEPS, cache=cache)
