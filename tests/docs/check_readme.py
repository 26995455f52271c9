#!/usr/bin/env python3
"""The README tells the truth: its commands print what it shows, its C++ is the first example, its links lead somewhere.

check_readme.py REPOSITORY PROGRAM
"""
import pathlib
import re
import subprocess
import sys

root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
readme = (root / "README.md").read_text()
wrong = []

NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def is_same(printed, shown):
    """The same text; computed numbers may differ in their last digits, which depend on compiler and processor."""
    if NUMBER.sub("#", printed) != NUMBER.sub("#", shown):
        return False
    pairs = zip(map(float, NUMBER.findall(printed)), map(float, NUMBER.findall(shown)))
    return all(abs(a - b) <= 1e-9 * max(1.0, abs(b)) for a, b in pairs)


# Blocks of indented or fenced console text: "$ daedal ..." followed by its output.
for block in re.findall(r"```console\n(.*?)```", readme, re.S):
    for command, shown in re.findall(r"^\$ (daedal [^\n]*)\n((?:(?!\$ ).*\n)*)", block, re.M):
        run = subprocess.run([program] + command.split()[1:], cwd=root, capture_output=True, text=True, check=False)
        printed = run.stdout + run.stderr
        if not is_same(printed.strip(), shown.strip()):
            wrong.append(f"`{command}` prints\n{printed}\nbut the README shows\n{shown}")

for name, code in re.findall(r"<!-- (\S+) -->\n```cpp\n(.*?)```", readme, re.S):
    if code.strip() not in (root / name).read_text():
        wrong.append(f"the C++ block marked {name} is not in that file")

for page in [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted(root.glob("*.md"))]:
    for target in re.findall(r"\]\(([^)#\s{]+)[^)]*\)", re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.S)):
        if "://" not in target and not (page.parent / target).exists():
            wrong.append(f"{page.relative_to(root)} links to {target}, which does not exist")

print("\n".join(wrong) or "README: every command, code block and link holds")
sys.exit(1 if wrong else 0)
