#!/usr/bin/env python3
"""The examples in docs/errors/ are real: each model on a page gives the message that the page shows.

check_error_pages.py REPOSITORY PROGRAM

A page's first ```modelica block is the model, the next plain block its message, headed by "$ daedal ..." or
preceded by `-p name=value` if the command has arguments of its own. A ```csv block is the file of that kind that the command names. Pages without a model (files, command lines, C++) are left to the approval and unit tests.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

root, program = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
wrong, num_checked = [], 0

for page in sorted((root / "docs/errors").glob("*-*-*.md")):
    text = page.read_text()
    tables = re.findall(r"```csv\n(.*?)```\n", text, re.S)
    text = re.sub(r"```csv\n.*?```\n", "", text, flags=re.S)
    found = re.search(r"```modelica\n(model .*?)```(.*?)```(?:console)?\n(.*?)```", text, re.S)
    if not found:
        continue
    model, between, shown = found.groups()
    command = re.search(r"^\$ (daedal .*)\n", shown, re.M)
    shown = re.sub(r"^\$ .*\n", "", shown, flags=re.M).strip()
    name = re.search(r"(\w+\.mo)", command.group(1) if command else shown)
    name = name.group(1) if name else "model.mo"
    options = " ".join(re.findall(r"`(-p [^`]*)`", between))
    arguments = shlex.split(command.group(1))[1:] if command else ["analyze", name, *shlex.split(options)]
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
