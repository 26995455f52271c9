#!/usr/bin/env python3
"""What docs/seeds.md says of the five papers is what the commands beside it print.

seeds_test.py --program PROGRAM --build-folder FOLDER [--all] [--only TEXT] [--page PAGE]

The page has tables with a row for each numbered item, table and figure of the papers. Of a row are looked at:

    ours            every `text` in it stands in what the commands of the row print. Blanks, and the bars of tables, do not
                    matter; `...` is any text of a line; a number with a decimal point or an exponent is right to the digits
                    shown, any after `~` within a factor of 3 (rounding errors, which depend on the processor, and counts of
                    iterations)
    reproduced by   `commands`, one after another, in a shell, in the folder of the page. `daedal` is PROGRAM,
                    build/release/ is FOLDER; `test PROGRAM NAMES` runs the entries of build/release/tests/PROGRAM that NAMES
                    chooses, of which there must be some, and all must pass. A command must end with 0 unless a text of the row
                    begins with the id of a message. "(long)" behind a command: it takes more than 10 s, and is left out without
                    --all, with the texts of its row
    verdict         begins with one of the words in VERDICTS

A command whose program was not built, because it is a benchmark or needs a library that is not here, is left out with a note.
Rows without a command say so in their verdict: "stated" or "not yet". The table of counts at the head of the
page must be true. Blocks of code are run as in run_docs.py, before the tables, in the same folder. --only runs the rows that
contain TEXT and nothing else.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import run_docs

PAGE = run_docs.ROOT / "docs/seeds.md"
HEAD = ["item", "printed", "ours", "reproduced by", "verdict"]
VERDICTS = ["as printed", "better", "differs", "ours", "stated", "not yet"]
WITHOUT_COMMAND = ["stated", "not yet"]
SECONDS = {False: 300, True: 3600}  # that a command may take, without and with --all: a stop for what hangs

# A number that is rounded where it is shown.
INEXACT = r"~-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|-?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)"
MESSAGE = re.compile(r"[ESW]-[A-Z]{3}-\d{3}\b")

Row = collections.namedtuple("Row", "line section item texts commands verdict")  # commands: (text, is long)
Printed = collections.namedtuple("Printed", "code text is_left_out")


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(page, lines):
    """The rows of the tables with this head, each with the section that it stands in."""
    section, is_ours = "", False
    for number, line in enumerate(lines, 1):
        if line.startswith("## "):
            section = line[3:]
        if not line.startswith("|"):
            is_ours = False
        elif cells_of(line) == HEAD:
            is_ours = True
        elif is_ours and not re.fullmatch(r"[|\s:-]+", line):
            cells = cells_of(line)
            if len(cells) != len(HEAD):
                sys.exit(f"{page.name}:{number}: a row has {len(HEAD)} cells, this one {len(cells)}")
            commands = [(text, bool(is_long)) for text, is_long in re.findall(r"`([^`]+)`(\s*\(long\))?", cells[3])]
            yield Row(number, section, cells[0], re.findall(r"`([^`]+)`", cells[2]), commands, cells[4])


def verdict_of(row):
    return next((word for word in VERDICTS if row.verdict.startswith(word)), None)


# ----------------------------------------------------------------------------------------------------------------------
# Texts


def is_close(printed, shown):
    if shown.startswith("~"):
        wanted, found = float(shown[1:]), float(printed)
        return wanted * found > 0 and 1 / 3 <= found / wanted <= 3
    mantissa, _, exponent = shown.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return abs(float(printed) - float(shown)) <= 0.5001 * unit


def has_text(printed, text):
    """Whether the text stands in what was printed, with numbers to the digits shown."""
    pattern, numbers = "", []
    for piece in re.split(rf"((?<![\w.])(?:{INEXACT})(?![\w.])|\.\.\.|\s+)", text.strip()):
        if not piece:
            continue
        if re.fullmatch(INEXACT, piece):
            pattern += r"(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)"
            numbers.append(piece)
        elif piece == "...":
            pattern += r"[^\n]*?"
        else:
            pattern += r"\s+" if piece.isspace() else re.escape(piece)
    begin, end = r"(?<![\w.])" if text[0].isalnum() else "", r"(?![\w.]*\w)" if text[-1].isalnum() else ""
    for found in re.finditer(f"(?={begin}{pattern}{end})", printed.replace("|", " ")):
        if all(is_close(number, shown) for number, shown in zip(found.groups(), numbers)):
            return True
    return False


# ----------------------------------------------------------------------------------------------------------------------
# Commands


class Runner:
    def __init__(self, tools, build_folder, folder, runs_all):
        self.tools, self.build, self.folder, self.runs_all = tools, build_folder, folder, runs_all
        self.known = {}
        self.notes = []
        (folder / "build").mkdir()
        (folder / "build/release").symlink_to(build_folder)
        for name in ["docs", "benchmarks", "tests", "tools", "src"]:
            (folder / name).symlink_to(run_docs.ROOT / name)

    def run(self, text, is_long):
        if is_long and not self.runs_all:
            return Printed(0, "", True)
        if text not in self.known:
            begin = time.monotonic()
            self.known[text] = self.run_now(text)
            if not is_long and time.monotonic() - begin > 10:
                self.notes.append(f"this took more than 10 s; is it (long)? {text}")
        return self.known[text]

    def run_now(self, text):
        chosen = re.fullmatch(r"test (\w+) (\S+)", text)
        command = f"build/release/tests/{chosen[1]} --gtest_filter='{chosen[2]}'" if chosen else text
        program = re.search(r"build/release/\S+", command)
        if program and not (self.folder / program.group()).exists():
            self.notes.append(f"{program.group()} was not built: {text}")
            return Printed(0, "", True)
        try:
            done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.tools.environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=SECONDS[self.runs_all], check=False)
        except subprocess.TimeoutExpired:
            return Printed(124, f"(no end within {SECONDS[self.runs_all]} s)\n", False)
        printed = done.stdout.decode("utf-8", "replace")
        if chosen and not re.search(r"\[  PASSED  \] [1-9]", printed):
            return Printed(done.returncode or 1, printed + "(no test of this name passed)\n", False)
        return Printed(done.returncode, printed, False)


def wrong_with(row, runner):
    """What is wrong with a row, as texts."""
    verdict = verdict_of(row)
    if verdict is None:
        return [f"the verdict begins with none of {', '.join(VERDICTS)}"]
    if not row.commands and verdict not in WITHOUT_COMMAND:
        return [f"'{verdict}' needs a command that shows it"]
    if row.texts and not row.commands:
        return ["no command prints what is claimed"]
    results = [(text, runner.run(text, is_long)) for text, is_long in row.commands]
    may_fail = any(MESSAGE.match(text) for text in row.texts)
    wrong = [f"`{command}` ends with {printed.code}:\n{printed.text[-2000:]}" for command, printed in results
             if printed.code != 0 and not (may_fail and printed.code == 1)]
    if not any(printed.is_left_out for _, printed in results):
        together = "".join(printed.text for _, printed in results)
        wrong += [f"the commands do not print `{text}`, but\n{together[-4000:]}" for text in row.texts
                  if not has_text(together, text)]
    return wrong


# ----------------------------------------------------------------------------------------------------------------------
# The page


def counts_table(rows):
    """How many items of each paper got which verdict, as the page shows it."""
    counts = collections.defaultdict(collections.Counter)
    for row in rows:
        counts[row.section][verdict_of(row)] += 1
    table = ["| paper | items | " + " | ".join(VERDICTS) + " |", "|" + "---|" * (len(VERDICTS) + 2)]
    for name, of in [*counts.items(), ("together", sum(counts.values(), collections.Counter()))]:
        table.append(f"| {name} | {sum(of.values())} | " + " | ".join(str(of[word]) for word in VERDICTS) + " |")
    return "\n".join(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, help="the program daedal")
    parser.add_argument("--build-folder", required=True, type=pathlib.Path, help="where programs were built")
    parser.add_argument("--all", action="store_true", help="run commands that take long, too")
    parser.add_argument("--only", help="rows that contain this text, and nothing else")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE, help="another page, to test this program with")
    options = parser.parse_args()
    options.python_path, options.python, options.compiler, options.update = None, sys.executable, "c++", False
    build_folder, options.build_folder = options.build_folder.resolve(), None

    path = options.page.resolve()
    lines = path.read_text().split("\n")
    rows = list(rows_of(path, lines))
    chosen = [row for row in rows if not options.only or options.only in lines[row.line - 1]]
    wrong = []
    if not options.only and counts_table(rows) not in "\n".join(lines):
        wrong.append(f"{path.name}: the table of counts should be\n{counts_table(rows)}")
    with tempfile.TemporaryDirectory() as stage:
        stage = pathlib.Path(stage).resolve()
        tools = run_docs.Tools(options, stage)
        folder = stage / "page"
        folder.mkdir()
        page = run_docs.Page(path, tools, folder)
        page.check()
        wrong += page.wrong
        runner = Runner(tools, build_folder, folder, options.all)
        for row in chosen:
            wrong += [f"{path.name}:{row.line}: {row.item}: {text}" for text in wrong_with(row, runner)]
    print("\n".join(wrong + runner.notes))
    num_long = sum(is_long for row in chosen for _, is_long in row.commands)
    print(f"{len(chosen)} items, {len(runner.known)} commands, "
          f"{'long ones too' if options.all else f'{num_long} long ones left out'}, {len(wrong)} things wrong")
    if not chosen:
        sys.exit("there was nothing to check")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
