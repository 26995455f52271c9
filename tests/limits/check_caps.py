"""Caps of the command line where no steps are made: check_caps.py PROGRAM.

Memory that the system refuses and time that is over in the middle of an analysis end the program with a message, an exit code and nothing
else (docs/reference/limits.md)."""
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]

CHAIN = """model Chain
  parameter Integer n = 10;
  Real x[n];
equation
  der(x[1]) = -x[1];
  for i in 2:n loop
    x[i] = sin(x[i - 1]) + 1;
  end for;
end Chain;
"""

HUGE = """model Huge
  Real x[1000000000];
equation
  for i in 1:1000000000 loop
    der(x[i]) = -x[i];
  end for;
end Huge;
"""


def run(folder, *words):
    ended = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True)
    return ended.returncode, ended.stdout, ended.stderr


def check(is_true, what, *details):
    if not is_true:
        sys.exit("\n".join([f"check_caps: {what}", *map(str, details)]))


def check_messages(folder):
    for words, code, expected in [
        (["analyze", "chain.mo", "-p", "n=1000000", "--max-memory", "60"], 2, ["E-CLI-006", "the limit is 60 MB"]),
        (["analyze", "chain.mo", "-p", "n=1000000", "--max-seconds", "0.01"], 1, ["S-LIM-001"]),
        (["analyze", "huge.mo"], 2, ["E-LNG-008", "huge.mo:2"]),
        (["analyze", "chain.mo", "-p", "n=1000", "--max-elements", "100"], 2, ["E-LNG-008", "chain.mo:3"]),
    ]:
        ended, printed, told = run(folder, *words)
        check(ended == code, f"{words} ended with {ended}", printed[-500:], told[-2000:])
        for part in expected:
            check(part in told, f"{words} does not say {part}", told[-2000:])


def check_small_model_is_not_concerned(folder):
    ended, printed, told = run(folder, "analyze", "chain.mo", "--json", "--max-seconds", "60", "--max-memory", "500")
    check(ended == 0 and not told, "a small model meets a limit", told)
    check(json.loads(printed)["structural_index"] == 1, "the chain has another index", printed)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "chain.mo").write_text(CHAIN)
    (folder / "huge.mo").write_text(HUGE)
    check_messages(folder)
    check_small_model_is_not_concerned(folder)
print("caps: 4 refusals and a model that is none of theirs")
