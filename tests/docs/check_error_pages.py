#!/usr/bin/env python3
"""The examples in docs/errors/ are real: each model on a page gives the message that the page shows.

check_error_pages.py REPOSITORY PROGRAM

A page's first ```modelica block is the model, the next plain block its message, headed by "$ daedal ..." or
preceded by `-p name=value` if the command has arguments of its own. A ```csv block is the file of that kind that the command names. Pages
without a model show commands: those that need at most pendulum.mo are run, too. What is left (full disks, C++) is left to the approval
and unit tests. Every page has the sections What it means, Example and What to do.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

root, program = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
wrong, num_checked = [], 0
PENDULUM = (root / "problems/pendulum/pendulum.mo").read_text()


def command_only(text):
    """The command and the message of a page without a model, if an empty folder with pendulum.mo is all that it needs."""
    shown = re.search(r"```(?:console)?\n\$ (daedal [^\n>]*)\n(.*?)```", text, re.S)
    if not shown or "..." in shown.group(2):
        return None
    files = re.findall(r"\S+\.mo\b", shown.group(1))
    return shown.groups() if set(files) <= {"pendulum.mo"} else None


for page in sorted((root / "docs/errors").glob("*-*-*.md")):
    text = page.read_text()
    if re.findall(r"^## (.*)$", text, re.M)[:3] != ["What it means", "Example", "What to do"]:
        wrong.append(f"{page.name}: its sections are not What it means, Example, What to do")
    tables = re.findall(r"```csv\n(.*?)```\n", text, re.S)
    text = re.sub(r"```csv\n.*?```\n", "", text, flags=re.S)
    found = re.search(r"```modelica\n(model .*?)```(.*?)```(?:console)?\n(.*?)```", text, re.S)
    if found:
        model, between, shown = found.groups()
        command = re.search(r"^\$ (daedal .*)\n", shown, re.M)
        shown = re.sub(r"^\$ .*\n", "", shown, flags=re.M).strip()
        name = re.search(r"(\w+\.mo)", command.group(1) if command else shown)
        name = name.group(1) if name else "model.mo"
        options = " ".join(re.findall(r"`(-p [^`]*)`", between))
        arguments = shlex.split(command.group(1))[1:] if command else ["analyze", name, *shlex.split(options)]
    elif command_only(text):
        command, shown = command_only(text)
        model, name, shown, arguments = PENDULUM, "pendulum.mo", shown.strip(), shlex.split(command)[1:]
    else:
        continue
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(model)
        for table, table_name in zip(tables, [word for word in arguments if word.endswith(".csv")]):
            (pathlib.Path(folder) / table_name).write_text(table)
        run = subprocess.run([program] + arguments, cwd=folder, capture_output=True, text=True, check=False)
    num_checked += 1
    printed = (run.stdout + run.stderr).strip()
    if shown not in printed:
        wrong.append(f"{page.name}: shows\n{shown}\nbut the model gives\n{printed}\n")

print("\n".join(wrong) or f"error pages: {num_checked} examples give the messages they show")
sys.exit(1 if wrong or num_checked < 15 else 0)
