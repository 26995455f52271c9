#!/usr/bin/env python3
"""What the program does when streams and files around it are not as they should be: closed, full, limited, pipes, written by others.

check_streams.py REPOSITORY PROGRAM

Exit codes and results stay what they are; nothing hangs, and no file gets what was meant for another.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

root, program = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
PENDULUM = str(root / "problems/pendulum/pendulum.mo")
SPINNING = str(root / "problems/double_pendulum/double_pendulum_spinning.mo")
SECONDS = 120  # a hang is a failure
wrong = []


def check(is_true, fact):
    if not is_true:
        wrong.append(fact)


def run(*words, closed=(), limit=None, **streams):
    """The program, with these of its standard streams closed, and files limited to so many bytes."""
    def prepare():
        for descriptor in closed:
            os.close(descriptor)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run([program, *words], preexec_fn=prepare, text=True, timeout=SECONDS, check=False, **streams)


def check_closed_streams():
    expected = run("run", PENDULUM, "--to", "1", "-o", "expected.csv")
    rows = pathlib.Path("expected.csv").read_bytes()
    check(expected.returncode == 0 and rows.startswith(b"t,"), "the run itself fails")
    for closed in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]):
        said = run("run", PENDULUM, "--to", "1", "-o", "rows.csv", closed=closed)
        check(said.returncode == (2 if 1 in closed else 0), f"with {closed} closed the run ends with {said.returncode}")
        check(pathlib.Path("rows.csv").read_bytes() == rows, f"with {closed} closed the file has other rows")
    check("E-CLI-007" in run("analyze", PENDULUM, closed=[0, 1]).stderr, "a closed standard output is not told")


def check_messages_that_nobody_takes():
    with open("/dev/full", "w", encoding="utf-8") as full:
        for streams in ({"closed": [2]}, {"stderr": full}):
            said = run("analyze", "missing.mo", "--json", **streams)
            check(said.returncode == 2, f"an error with {streams} ends with {said.returncode}")
            check(json.loads(said.stdout or "{}").get("status") == "error", f"an error with {streams} has no JSON")
            said = run("run", SPINNING, "--max-steps", "2", "--json", **streams)
            check(said.returncode == 1, f"a run too short with {streams} ends with {said.returncode}")
            check(json.loads(said.stdout or "{}").get("status") == "too-many-steps", f"a run too short with {streams} has no JSON")


def check_limited_files():
    said = run("run", SPINNING, "--to", "100", "-o", "limited.csv", limit=50000)
    check(said.returncode == 2 and "E-FIL-005" in said.stderr, f"a file at its limit: {said.returncode} {said.stderr}")
    check(pathlib.Path("limited.csv").read_bytes().endswith(b"\n"), "a file at its limit ends in half a line")


def check_two_runs():
    """A run that continues a checkpoint while the first one still writes."""
    first = subprocess.Popen([program, "run", SPINNING, "--to", "1e6", "-o", "two.csv", "--checkpoint", "two", "--checkpoint-every", "0.05",
                              "--quiet"])
    try:
        until = time.monotonic() + SECONDS
        while not pathlib.Path("two").exists() and time.monotonic() < until:
            time.sleep(0.01)
        second = run("run", SPINNING, "--resume", "two", "--max-seconds", "5")
    finally:
        first.kill()
        first.wait()
    check(second.returncode == 2 and "another process is writing it" in second.stderr, f"a second run goes on: {second.stderr}")
    check(b"\0" not in pathlib.Path("two.csv").read_bytes(), "two runs tore the file")


def check_pipes():
    """Nobody stands at the other end of this one."""
    os.mkfifo("pipe")
    for words, expected in ((["--checkpoint", "pipe"], "E-CHK-006"), (["--resume", "pipe"], "E-CHK-001")):
        said = run("run", PENDULUM, "--to", "1", *words)
        check(said.returncode == 2 and expected in said.stderr, f"{words} of a pipe: {said.returncode} {said.stderr}")


CHECKS = [check_closed_streams, check_messages_that_nobody_takes, check_limited_files, check_two_runs, check_pipes]

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for each in CHECKS:
        each()
    os.chdir(root)
for fact in wrong:
    print("check_streams.py:", fact)
if wrong:
    sys.exit(1)
print(f"streams: {len(CHECKS)} kinds of surroundings")
