#!/usr/bin/env python3
"""Help texts tell the truth: every example runs, every page they name exists, the model they show can be solved.

check_help.py REPOSITORY PROGRAM

Examples are lines "  daedal ..." below a line "examples". They run in a folder that has the project's problems and examples in
it, so that what they write goes nowhere else.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

root, program = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
wrong, num_examples = [], 0


def run(words, folder):
    return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for part in ("problems", "examples"):
        (folder / part).symlink_to(root / part)
    overview = run(["help"], folder).stdout
    verbs = re.findall(r"^  (\w+) ", overview.split("\nverbs\n")[1].split("\n\n")[0], re.M)
    for verb in ["", *verbs]:
        text = run(["help", *([verb] if verb else [])], folder).stdout
        examples = re.findall(r"^  daedal (.*)$", text.split("\nexamples\n")[-1].split("\n\n")[0], re.M)
        if not examples:
            wrong.append(f"help {verb}: no examples")
        for example in examples:
            num_examples += 1
            said = run(shlex.split(example), folder)
            if said.returncode != 0:
                wrong.append(f"help {verb}: `daedal {example}` ends with {said.returncode}:\n{said.stderr}")
        wrong += [f"help {verb}: {page} does not exist" for page in re.findall(r"docs/[\w/.-]+\.md", text)
                  if not (root / page).exists()]
    model = re.search(r"^a first model, (\w+\.mo)\n((?:  .*\n)+)", overview, re.M)
    (folder / model.group(1)).write_text(model.group(2))
    said = run(["run", model.group(1)], folder)
    if said.returncode != 0:
        wrong.append(f"the first model of the help does not run:\n{said.stderr}")

print("\n".join(wrong) or f"help: {num_examples} examples run")
sys.exit(1 if wrong or len(verbs) < 8 or num_examples < 15 else 0)
