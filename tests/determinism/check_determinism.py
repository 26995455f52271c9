#!/usr/bin/env python3
"""The same input gives the same bytes: JSON, CSV, reports and text, in whatever surroundings the program runs.

check_determinism.py PROGRAM [--without-reports]

Left out of the comparison are times (`seconds`) and who computed the series at the end (`kernel`), which a clock decides; the
numbers do not depend on either (docs/determinism.md). Reports repeat the command, which is not the same where options differ.
"""
import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
HAS_REPORTS = "--without-reports" not in sys.argv
sys.argv = [word for word in sys.argv if word != "--without-reports"]
SECONDS = 300  # a hang is a failure
CLOCKED = [
    (re.compile(rb'"seconds":\{[^{}]*\}'), b'"seconds":{}'),
    (re.compile(rb'"kernel":"(interpreter|compiled)"'), b'"kernel":""'),
    (re.compile(rb'"command":"[^"]*"'), b'"command":""'),
]


def problem(name):
    return str(ROOT / f"problems/{name}/{name}.mo")


# One run for each way through the program: words, and whether it takes --kernel.
RUNS = {
    "pendulum": (["run", problem("pendulum"), "--tol", "1e-12", "--to", "50"], True),
    "chaotic": (["run", problem("double_pendulum"), "--to", "20"], True),
    "Newton at every step": (["run", problem("shuttle")], True),
    "sparse block": (["run", problem("tray_column"), "--to", "0.5"], True),
    "modes": (["run", problem("slack_pendulum")], True),
    "events that accumulate": (["run", problem("bouncing_ball")], True),
    "conversion": (["run", problem("transistor_amplifier"), "--to", "0.01"], True),
    "derivative array": (["run", problem("pendulum"), "--method", "array", "--to", "1"], False),
    "completion": (["run", problem("pendulum"), "--method", "completion", "--to", "1"], False),
    "state vectors": (["run", problem("pendulum"), "--method", "dd-erk", "--to", "20"], False),
    "IDA": (["run", problem("chemical_akzo"), "--method", "dd-ida"], False),
    "BDF": (["run", problem("pendulum"), "--method", "bdf", "--to", "2"], False),
    "failure": (["run", problem("blow_up"), "--to", "2"], True),
    "structure": (["analyze", problem("reactor_separator")], False),
    "start": (["init", problem("pendulum_first_order")], False),
}
FAIL = {"events that accumulate", "failure"}
WRITES_FILES = {"run"}


def masked(content):
    for pattern, replacement in CLOCKED:
        content = pattern.sub(replacement, content)
    return content


class Surroundings:
    """Where and how a program runs; what is not said is plain."""

    def __init__(self, words=(), before=(), limit=None, umask=0o022, one_processor=False, **environment):
        self.words, self.before, self.limit, self.umask = list(words), list(before), limit, umask
        self.one_processor = one_processor
        self.environment = environment

    def prepare(self):
        os.umask(self.umask)
        if self.one_processor:
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        if self.limit is not None:
            resource.setrlimit(resource.RLIMIT_STACK, (self.limit, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def outcome(words, surroundings=None, folder_name="here"):
    """All that a run tells: status, both streams, every file it wrote."""
    s = surroundings or Surroundings()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / folder_name
        folder.mkdir()
        environment = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(folder / "cache"), "SOURCE_DATE_EPOCH": "86400", **s.environment}
        files = ["-o", "out.csv", *(["--report", "out.html"] if HAS_REPORTS else [])] if words[0] in WRITES_FILES else []
        done = subprocess.run([*s.before, PROGRAM, *words, *files, "--json", *s.words], cwd=folder, env=environment, timeout=SECONDS,
                              capture_output=True, preexec_fn=s.prepare, check=False)
        result = {"status": done.returncode, "standard output": masked(done.stdout), "standard error": done.stderr}
        for file in files[1::2]:
            result[file] = masked((folder / file).read_bytes())
        return result


def difference(one, other):
    """The first place where they differ, or nothing."""
    for part in one:
        a, b = one[part], other[part]
        if a != b and not isinstance(a, bytes):
            return f"{part}: {a} and {b}"
        if a != b:
            at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            return f"{part}, byte {at}: ...{a[max(0, at - 80):at + 40]!r} and ...{b[max(0, at - 80):at + 40]!r}"
    return None


def in_parallel(function, arguments):
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(lambda each: function(*each), arguments))


class Determinism(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # In text, once: what is compared with everything else.
        cls.plain = dict(zip(RUNS, in_parallel(lambda words, _: outcome(words), RUNS.values())))

    def expect_same(self, surroundings, runs=RUNS, folder_name="here"):
        results = in_parallel(lambda name: outcome(RUNS[name][0], surroundings, folder_name), [(name,) for name in runs])
        for name, result in zip(runs, results):
            with self.subTest(run=name):
                self.assertIsNone(difference(self.plain[name], result))

    def test_runs_do_what_their_names_say(self):
        for name in RUNS:
            with self.subTest(run=name):
                self.assertEqual(self.plain[name]["status"], 1 if name in FAIL else 0, self.plain[name]["standard error"])
                self.assertGreater(len(self.plain[name]["standard output"]), 100)

    @unittest.skipUnless(HAS_REPORTS, "this program writes no reports")
    def test_a_page_is_dated_by_the_clock_unless_the_environment_says_otherwise(self):
        words = RUNS["pendulum"][0]
        self.assertIn(b'"created":"1970-01-02 00:00"', self.plain["pendulum"]["out.html"])
        for wrong in ["", "soon", "-1", "99999999999999999999", "1e5"]:
            page = outcome(words, Surroundings(SOURCE_DATE_EPOCH=wrong))["out.html"]
            self.assertRegex(page, rb'"created":"2[0-9]{3}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}"', wrong)

    def test_a_second_run_is_the_same(self):
        self.expect_same(Surroundings())

    def test_language_time_zone_and_permissions_of_new_files_change_nothing(self):
        installed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
        language = next((name for name in installed if name.startswith(("de_", "fr_", "tr_"))), "de_DE.UTF-8")
        self.expect_same(Surroundings(umask=0o077, LC_ALL=language, LANG=language, TZ="Pacific/Kiritimati", TERM="dumb"))

    def test_the_folder_and_a_long_environment_change_nothing(self):
        padding = {f"PADDING_{k}": "x" * 100_000 for k in range(8)}
        self.expect_same(Surroundings(**padding), folder_name="a folder: with 'other' characters \u00fc")

    def test_addresses_change_nothing(self):
        """Memory in other places: a large stack, a small one, no randomisation."""
        self.expect_same(Surroundings(limit=resource.RLIM_INFINITY))
        self.expect_same(Surroundings(limit=1 << 20))
        if shutil.which("setarch") and subprocess.run(["setarch", "-R", "true"], check=False).returncode == 0:
            self.expect_same(Surroundings(before=["setarch", "-R"]))

    def test_what_was_in_memory_before_changes_nothing(self):
        """glibc fills memory that is handed out with a pattern, and with another one when it is given back."""
        self.expect_same(Surroundings(MALLOC_PERTURB_="85", GLIBC_TUNABLES="glibc.malloc.tcache_count=0"))
        self.expect_same(Surroundings(MALLOC_PERTURB_="170", MALLOC_ARENA_MAX="1"))

    def test_processors_and_threads_of_libraries_change_nothing(self):
        self.expect_same(Surroundings(one_processor=True, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"))
        self.expect_same(Surroundings(OMP_NUM_THREADS="8", OPENBLAS_NUM_THREADS="8"))

    def test_machine_code_changes_nothing(self):
        """By the interpreter alone; compiled from the first step on; compiled whenever, without a cache."""
        runs = [name for name, (_, has_kernel) in RUNS.items() if has_kernel]
        self.expect_same(Surroundings(words=["--kernel", "interpreter"]), runs)
        self.expect_same(Surroundings(words=["--no-cache"]), runs)
        if self.is_compiler_there():
            self.expect_same(Surroundings(words=["--kernel", "compiled"]), runs)

    def test_a_cold_cache_and_a_warm_one_give_the_same(self):
        if not self.is_compiler_there():
            self.skipTest("no compiler")
        runs = [name for name, (_, has_kernel) in RUNS.items() if has_kernel]
        with tempfile.TemporaryDirectory() as cache:
            for _ in ("cold", "warm"):
                self.expect_same(Surroundings(words=["--kernel", "compiled"], XDG_CACHE_HOME=cache), runs)
            self.assertTrue(list(pathlib.Path(cache).glob("daedal/*.code")))

    @staticmethod
    def is_compiler_there():
        words = [PROGRAM, "run", problem("pendulum"), "--to", "0.1", "--kernel", "compiled", "--no-cache", "--quiet"]
        return subprocess.run(words, capture_output=True, check=False).returncode == 0

    def test_ensembles_are_the_same_whatever_the_threads_and_lanes(self):
        counts = re.compile(rb'"lanes":\d+,"threads":\d+')
        with tempfile.TemporaryDirectory() as name:
            members = {"pendulum": "L\n" + "".join(f"{5 + k / 3}\n" for k in range(17)),
                       "bouncing_ball": "e\n" + "".join(f"{0.5 + k / 50}\n" for k in range(11))}
            for model, text in members.items():
                file = pathlib.Path(name) / f"{model}.csv"
                file.write_text(text)
                seen = []
                for threads, lanes in [(1, 1), (1, 8), (2, 8), (3, 2), (4, 4), (8, 1), (8, 8), (0, 8)]:
                    words = ["ensemble", problem(model), str(file), "--to", "1", "--threads", str(threads), "--lanes", str(lanes)]
                    result = outcome(words)
                    self.assertEqual(result["status"], 0, result["standard error"])
                    result["standard output"] = counts.sub(b"", result["standard output"])
                    seen.append(result)
                    self.assertIsNone(difference(seen[0], result), f"{model}: {threads} threads, {lanes} lanes")

    def test_every_problem_gives_the_same_with_other_memory_and_other_kernels(self):
        """Interpreted in one memory, compiled in another."""
        first = Surroundings(words=["--kernel", "interpreter"], MALLOC_PERTURB_="85")
        second = Surroundings(words=["--kernel", "compiled" if self.is_compiler_there() else "auto"], MALLOC_PERTURB_="170")
        models = sorted((ROOT / "problems").glob("*/*.mo"))
        self.assertGreater(len(models), 40)
        results = in_parallel(lambda model, s: outcome(["run", str(model)], s), [(m, s) for m in models for s in (first, second)])
        for k, model in enumerate(models):
            with self.subTest(model=model.name):
                self.assertIsNone(difference(results[2 * k], results[2 * k + 1]))


if __name__ == "__main__":
    unittest.main()
