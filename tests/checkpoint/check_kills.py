#!/usr/bin/env python3
"""Kills a run with SIGKILL at random instants, again and again, and continues it each time: rows and results are those of a
run that nobody touched, and no more is lost than the time since the last checkpoint and the steps since the last anchor.

check_kills.py PROGRAM SOURCE_FOLDER [--kills N] [--seed S]
"""
import argparse
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

INTERVAL = 0.02  # seconds between checkpoints

# Runs of some seconds: without modes, with many events, by methods that forget more.
RUNS = [
    ("double_pendulum/double_pendulum_spinning.mo", ["--to", "400", "--tol", "1e-11"]),
    ("bouncing_ball/bouncing_ball.mo", ["--to", "3", "--tol", "1e-12", "--max-step", "1e-4"]),
    ("double_pendulum/double_pendulum_spinning.mo", ["--to", "40", "--tol", "1e-8", "--method", "dd-ida"]),
    ("double_pendulum/double_pendulum_spinning.mo", ["--to", "20", "--tol", "1e-7", "--method", "bdf"]),
]


def fail(message):
    print("check_kills.py:", message)
    sys.exit(1)


def results_of(text):
    results = json.loads(text)
    results.pop("seconds")
    results.pop("kernel", None)  # who computed the last series depends on when machine code was ready
    return results


def rows_in(path):
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


class Run:
    def __init__(self, program, model, options, folder):
        self.command = [str(program), "run", str(model), "--json"]
        self.options = options
        self.folder = folder
        self.file = folder / "run.checkpoint"
        self.rows = folder / "out.csv"

    def untouched(self):
        """Results, rows and seconds of a run that nobody touches."""
        rows = self.folder / "untouched.csv"
        began = time.monotonic()
        done = subprocess.run(self.command + self.options + ["-o", str(rows)], capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"the run itself fails: {done.stderr}")
        return results_of(done.stdout), rows.read_bytes(), time.monotonic() - began

    def words(self):
        if self.file.exists():
            return self.command + ["--resume", str(self.file), "--checkpoint-every", str(INTERVAL)]
        return self.command + self.options + ["-o", str(self.rows), "--checkpoint", str(self.file),
                                              "--checkpoint-every", str(INTERVAL)]

    def killed_after(self, seconds):
        """True if it was killed; else its results."""
        process = subprocess.Popen(self.words(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            return None
        if process.returncode != 0:
            fail(f"the continued run fails: {err}\n{out[:2000]}")
        return results_of(out)


def check(program, model, options, kills, dice):
    """Kills survived, and the times that one left half a row."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run(program, model, options, pathlib.Path(folder))
        expected, rows, seconds = run.untouched()
        survived = torn = 0
        results = None
        while results is None:
            enough = survived >= kills
            results = run.killed_after(10 * seconds + 60 if enough else dice.uniform(0.01, 0.4 * seconds + 0.05))
            if results is None:
                if enough:
                    fail("a run that is continued does not come to its end")
                survived += 1
                torn += run.rows.exists() and not run.rows.read_bytes().endswith(b"\n")
        if results != expected:
            different = [key for key in expected if results.get(key) != expected[key]]
            fail(f"{model.name} {' '.join(options)}: other results after {survived} kills: {different}")
        if run.rows.read_bytes() != rows:
            fail(f"{model.name} {' '.join(options)}: other rows after {survived} kills")
        if list(pathlib.Path(folder).glob("*.part")):
            fail("a temporary file is left over")
        return survived, torn


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=5, help="of each kind of run")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    all_kills = all_torn = 0
    for model, options in RUNS:
        program, file = arguments.program.resolve(), arguments.source.resolve() / "problems" / model
        kills = rounds = 0
        while kills < arguments.kills:  # a run may be over before it was killed so often
            more, torn = check(program, file, options, arguments.kills - kills, dice)
            kills += more
            all_torn += torn
            rounds += 1
            if rounds == 10 * arguments.kills:
                fail("no run is long enough to be killed")
        all_kills += kills
        print(f"{file.stem} {' '.join(options)}: {kills} kills in {rounds} runs, the same rows and results each time")
    print(f"{all_kills} kills survived, {all_torn} of them in the middle of a row")


main()
