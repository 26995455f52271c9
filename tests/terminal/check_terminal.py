#!/usr/bin/env python3
"""What the program does on a terminal and nowhere else: colours, a width, progress.

check_terminal.py REPOSITORY PROGRAM

Each fact is looked at on a pseudoterminal, and its opposite in a pipe.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

root, program = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
COLOR = re.compile(r"\x1b\[[0-9;]*m")
PENDULUM = "problems/pendulum/pendulum.mo"
SECONDS = 120  # a hang is a failure
wrong = []


def environment(changes):
    clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG")}
    return {**clean, "TERM": "xterm", "LC_ALL": "C.UTF-8", "DAEDAL_COMPILER": "", **changes}


def on_terminal(*words, columns=100, interrupt_at=None, **changes):
    """What the program writes to a terminal of so many columns, standard output and error together. It is interrupted as soon as
    it has written the pattern `interrupt_at`."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen([program, *words], cwd=root, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(changes))
    os.close(theirs)
    said, until = b"", time.monotonic() + SECONDS
    while time.monotonic() < until:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            block = os.read(ours, 65536)
        except OSError:  # the other end is closed
            block = b""
        if not block:
            break
        said += block
        if interrupt_at and re.search(interrupt_at, said.decode(errors="replace")):
            process.send_signal(signal.SIGINT)
            interrupt_at = None
    else:
        process.kill()
        wrong.append(f"still running after {SECONDS} s: {words}")
    process.wait()
    os.close(ours)
    return said.decode().replace("\r\n", "\n")


def in_pipe(*words, **changes):
    said = subprocess.run([program, *words], cwd=root, env=environment(changes), capture_output=True, text=True, timeout=SECONDS,
                          check=False)
    return said.stdout + said.stderr


def check(is_true, fact):
    if not is_true:
        wrong.append(fact)


RUN = ["run", PENDULUM, "--to", "1"]
BAD = ["analyze", "problems/pendulum/pendulm.mo"]

for words, sign in ((RUN, "\x1b[1;32mreached t = 1\x1b[0m"), (BAD, "\x1b[1;31mE-FIL-001\x1b[0m"), (["help", "run"], "\x1b[1moptions\x1b[0m"),
                    (["explain", "E-STR-001"], "\x1b[1m# E-STR-001")):
    terminal, pipe = on_terminal(*words), in_pipe(*words)
    check(sign in terminal, f"{words} has no colour on a terminal: {terminal[:200]!r}")
    check(not COLOR.search(pipe), f"{words} is coloured in a pipe")
    check(COLOR.sub("", terminal).replace("\r", "").strip() == pipe.strip() or words is RUN,
          f"{words} says something else on a terminal than in a pipe")
    check(not COLOR.search(on_terminal(*words, NO_COLOR="1")), f"{words} is coloured in spite of NO_COLOR")
    check(COLOR.search(on_terminal(*words, NO_COLOR="")), f"an empty NO_COLOR takes the colour of {words}")
    check(not COLOR.search(on_terminal(*words, TERM="dumb")), f"{words} is coloured on a dumb terminal")
    check(not COLOR.search(on_terminal(*words, "--color", "never")), f"{words} is coloured in spite of --color never")
    check(COLOR.search(in_pipe("--color", "always", *words)), f"--color always does not colour {words} in a pipe")

for words in (["--json"], ["-o", "-"]):
    check(not COLOR.search(in_pipe(*RUN, *words, "--color=always")), f"{words} is coloured")
    check(not COLOR.search(on_terminal(*RUN, *words)), f"{words} is coloured on a terminal")

plot = [*RUN, "--plot", "x,x:y"]
for columns in (60, 100):
    widest = max(len(line) for line in COLOR.sub("", on_terminal(*plot, columns=columns)).split("\n\n", 2)[2].splitlines())
    check(widest == columns, f"a plot is {widest} wide on a terminal of {columns} columns")
check(re.search("[\u2800-\u28ff]", in_pipe(*plot)), "a plot has no dots in a UTF-8 locale")
check(in_pipe(*plot, LC_ALL="C").isascii(), "a plot is not ASCII in the locale C")
check(in_pipe(*plot, LC_ALL="", LC_CTYPE="C", LANG="de_DE.UTF-8").isascii(), "LC_CTYPE does not win over LANG")
check(not in_pipe(*plot, LC_ALL="", LANG="de_DE.utf8").isascii(), "LANG is not looked at")

# A run that would take years: a line that is rewritten, and erased when it is interrupted.
LINE = r"\r +\d+%  t = [\d.e+]+ of 1e\+12  \d+ steps  [\d.e+]+ steps/s  ETA over 99 h"
YEARS = ["run", PENDULUM, "--to", "1e12"]
for columns in (100, 50):
    terminal = on_terminal(*YEARS, columns=columns, interrupt_at=LINE[:LINE.index(" of")])
    lines = re.findall(r"\r +\d+%[^\r\n]*", terminal)
    check(columns < 80 or re.search(LINE, terminal), f"the line of progress is none: {terminal[:300]!r}")
    check(lines and max(map(len, lines)) <= columns, f"the line of progress is longer than {columns}: {lines}")
    check("S-INT-006" in terminal, f"interrupted, but it does not say so: {terminal[-300:]!r}")
    check(re.search(r"\r +\r[^%]*$", terminal), f"the line of progress is not erased: {terminal[:400]!r}")
check(not re.search(r"\d%", in_pipe("run", PENDULUM, "--to", "20000")), "progress in a pipe")
check(not re.search(r"\d%", on_terminal("run", PENDULUM, "--to", "20000", "--quiet")), "progress in spite of --quiet")

print("\n".join(wrong) or "terminal: colours, width and progress are as promised")
sys.exit(1 if wrong else 0)
