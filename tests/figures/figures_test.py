#!/usr/bin/env python3
"""tools/figures sees what is wrong with figures: marks that are malformed, stale ones, figures without a mark.

figures_test.py TOOL

Each case has a git repository of its own, with sources, a program that prints tables, and pages.
"""
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(sys.argv.pop(1)).resolve()
TODAY = datetime.date.today().isoformat()
WHO = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "a"), ("EMAIL", "a@b"))}

PROGRAM = """#!/bin/sh
echo 'seconds by rods'
printf '| rods  | seconds |\\n|------:|---------|\\n| 1     | %s |\\n| 20    | 5.5     |\\n' "$(cat src/speed)"
echo 'bytes by rods'
printf '| rods | bytes |\\n|---|---|\\n| 1 | 100 |\\n'
echo '12 runs, 12 right'
"""


def part(attributes, body="| rods | seconds |\n|---|---|\n| 1 | 0.1 |", visible=""):
    return f"<!-- figures: {attributes} -->\n{body}\n{visible}<!-- end of figures -->\n"


class Figures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "tree"
        self.root.mkdir()
        self.git("init", "-q")
        self.write("src/speed", "0.25")
        self.write("docs/other.md", "Text.\n")
        self.write("Makefile", "fuzz:\n\ttrue\n")
        self.write("benchmarks/CMakeLists.txt", "add_executable(speed speed.cpp)\n")
        self.write("benchmarks/measure", PROGRAM)
        (self.root / "benchmarks/measure").chmod(0o755)
        self.first = self.commit()

    def git(self, *words):
        environment = {**os.environ, **WHO, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(["git", "-C", self.root, *words], capture_output=True, text=True, check=True,
                              env=environment).stdout.strip()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "--short", "HEAD")

    def run_tool(self, *words):
        done = subprocess.run([sys.executable, TOOL, "--root", self.root, *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def page(self, text):
        self.write("docs/page.md", text)

    def read_page(self):
        return (self.root / "docs/page.md").read_text()

    def good_page(self, commit=None, **more):
        """A page with one part that is in order."""
        attributes = " ".join([f"{name}={value}" for name, value in more.items()])
        self.page(part(f'id=speed command="benchmarks/measure" {attributes}date={TODAY} commit={commit or self.first}'))
        self.run_tool("lines")

    def passes(self, *words):
        code, printed = self.run_tool(*words or ("check",))
        self.assertEqual(code, 0, printed)
        return printed

    def fails(self, reason, *words):
        code, printed = self.run_tool(*words or ("check",))
        self.assertEqual(code, 1, printed)
        self.assertIn(reason, printed)

    def finds(self, line):
        self.page(line + "\n")
        self.fails("looks measured")

    def passes_page(self, text):
        self.page(text + "\n")
        self.passes()

    # ------------------------------------------------------------------------------------------------ figures without a mark

    def test_a_time_a_size_and_a_count_outside_of_marks_are_found(self):
        for line in ("It takes 0.25 s.", "Half of 3 ms.", "Some 7.5 µs.", "A file of 12 MB.", "At 233 ns each.", "It took 38 minutes.",
                     "It is 50 times as fast.", "A second run costs 1.1 to 1.6 times the first.", "2,647,629 runs, nothing found.",
                     "They pass 58 tests.", "A step takes 196,108 instructions.", "It takes about a second.",
                     "| n | seconds |\n|---|---|\n| 1 | 2 |", "- in a list: 4 ms"):
            with self.subTest(line):
                self.finds(line)

    def test_times_of_models_code_and_settings_are_not_figures(self):
        for line in ("Solve to t = 100.", "Its period is 2 pi sqrt(L/g) = 5.7 s.", "A file every 5 s.", "`sleep 3 s`", "Turn 9 times.",
                     "Files of at most 64 MB.", "```text\n3 s\n```", "    took 3 s", "[x](y_3 s)", "A second run.", "| IDA's form |\n|---|\n| 1 |"):
            with self.subTest(line):
                self.passes_page(line)

    def test_an_exemption_covers_its_line_or_its_paragraph_and_needs_a_reason(self):
        self.passes_page("DAETS took 0.65 s. <!-- no measurement: published -->")
        self.passes_page("<!-- no measurement: a limit -->\nAt most\n64 MB.")
        self.finds("<!-- no measurement: a limit -->\nAt most 64 MB.\n\nIt takes 3 s.")
        self.finds("It takes 3 s. <!-- no measurement: -->")
        self.finds("It takes 3 s, not `<!-- no measurement: in code -->`.")

    def test_a_figure_after_a_part_is_outside(self):
        self.good_page()
        self.passes()
        self.page(self.read_page() + "\nIt takes 3 s.\n")
        self.fails("'3 s' looks measured")

    def test_the_change_log_is_history(self):
        self.write("CHANGELOG.md", "0.25 s instead of 0.5 s.\n")
        self.passes()

    # ------------------------------------------------------------------------------------------------------- malformed marks

    def test_malformed_marks_fail(self):
        stamp = f"date={TODAY} commit={self.first}"
        for mark, reason in ((f"command=\"benchmarks/measure\" {stamp}", "has no id"), (f"id=a {stamp}", "has no command"),
                             (f'id=a command="benchmarks/measure" colour=red {stamp}', "has no 'colour'"),
                             (f'id=a id=b command="benchmarks/measure" {stamp}', "given twice"),
                             (f'id=a command="benchmarks/measure {stamp}', "cannot read"),
                             (f'id=a command="benchmarks/measure" date={TODAY}', "has no commit"),
                             (f'id=a command="benchmarks/measure" date=2026-13-01 commit={self.first}', "is not a date"),
                             (f'id=a command="benchmarks/measure" date=2001-01-01 commit={self.first}', "before the day"),
                             (f'id=a command="benchmarks/measure" date={TODAY} commit=0123456', "not in the history"),
                             (f'id=a command="benchmarks/measure" date={TODAY} commit=HEAD', "not in the history")):
            with self.subTest(mark):
                self.page(part(mark))
                self.fails(reason)

    def test_marks_that_are_not_closed_or_not_opened_or_misspelt_fail(self):
        self.good_page()
        text = self.read_page()
        for wrong, reason in ((text.replace("<!-- end of figures -->", ""), "has no end"),
                              (text[text.index("\n") + 1:], "has no beginning"),
                              (text.replace("end of figures", "end figures"), "alone on its line"),
                              (text.replace("figures: id", "figure: id"), "alone on its line"),
                              (text.replace("<!-- end of figures -->", "") + text, "has no end")):
            with self.subTest(wrong):
                self.page(wrong)
                self.fails(reason)

    def test_an_id_occurs_once(self):
        self.good_page()
        self.write("docs/other.md", self.read_page())
        self.fails("is that of")

    def test_readers_see_date_and_commit_of_the_mark(self):
        self.good_page()
        line = f"*{TODAY}, commit {self.first}: `benchmarks/measure`*\n"
        self.assertIn(line, self.read_page())
        self.page(self.read_page().replace(line, line.replace(self.first, "1234567")))
        self.fails("the last line must be")
        self.page(self.read_page().replace(line.replace(self.first, "1234567"), ""))
        self.fails("the last line must be")
        self.passes("lines")
        self.passes()

    def test_a_command_names_what_the_tree_has(self):
        for command, reason in (("build/release/benchmarks/speed chain", ""), ("build/release/benchmarks/spee", "no target 'spee'"),
                                ("FUZZ_SECONDS=9 make fuzz", ""), ("make fuss", "no target 'fuss'"), ("tools/none", "no file"),
                                ("python3 benchmarks/measure", ""), ("python3 tests/none.py", "no file"),
                                ("benchmarks/measure && tools/none", "no file")):
            with self.subTest(command):
                self.page(part(f'id=a command="{command}" date={TODAY} commit={self.first}'))
                self.run_tool("lines")
                self.fails(reason) if reason else self.passes()

    # ----------------------------------------------------------------------------------------------------------------- stale

    def test_a_part_is_stale_after_a_commit_on_sources_and_not_after_one_on_pages(self):
        self.good_page()
        self.commit()
        self.assertIn("0 of 1 parts are stale", self.passes())
        self.write("docs/other.md", "Other text.\n")
        self.write("src/README.md", "A page among the sources.\n")
        self.commit()
        self.assertIn("0 of 1 parts are stale", self.passes())
        self.write("src/speed", "0.5")
        self.commit()
        self.assertIn("stale: speed (docs/page.md:1)", self.passes())
        self.assertIn("1 of 1 parts are stale", self.passes("list"))

    def test_a_part_is_stale_after_a_change_of_its_program_and_of_the_paths_it_names(self):
        self.write("problems/pendulum.mo", "model")
        self.commit()
        self.good_page(self.git("rev-parse", "--short", "HEAD"))
        self.write("problems/pendulum.mo", "another model")
        self.commit()
        self.assertIn("0 of 1 parts", self.passes())
        self.page(self.read_page().replace("command", "paths=problems command", 1))
        self.assertIn("1 of 1 parts", self.passes())
        self.good_page(self.git("rev-parse", "--short", "HEAD"))
        self.assertIn("0 of 1 parts", self.passes())
        self.write("benchmarks/measure", PROGRAM + "# changed\n")
        self.commit()
        self.assertIn("1 of 1 parts", self.passes())

    def test_a_clean_clone_knows_as_much(self):
        self.good_page()
        self.commit()
        self.write("src/speed", "0.5")
        self.commit()
        clone = self.root.parent / "clone"
        self.git("clone", "-q", self.root, clone)
        self.root = clone
        self.assertIn("1 of 1 parts are stale", self.passes())

    def test_without_git_or_history_it_says_so_and_checks_the_rest(self):
        self.good_page()
        self.commit()
        self.write("src/speed", "0.5")
        self.commit()
        shallow = self.root.parent / "shallow"
        self.git("clone", "-q", "--depth=1", f"file://{self.root}", shallow)
        for root in (shallow, self.root.parent / "tarball"):
            with self.subTest(root):
                if root.name == "tarball":
                    root.mkdir()
                    subprocess.run(f"git -C '{self.root}' archive HEAD | tar x -C '{root}'", shell=True, check=True)
                whole, self.root = self.root, root
                self.assertIn("is not known", self.passes())
                self.write("docs/other.md", "It takes 3 s.\n")
                self.fails("looks measured")
                self.root = whole

    # ---------------------------------------------------------------------------------------------------------------- update

    def test_update_replaces_the_table_and_writes_date_and_commit(self):
        self.page("# Page\n\n" + part('id=speed command="benchmarks/measure" tables=1', "In 20 rows:\n\n| a |\n|---|\n| 7 |\n\nAfter."))
        self.fails("has no date")
        printed = self.passes("update", "speed")
        self.assertIn("prose to be read again by hand: docs/page.md:4", printed)
        self.assertEqual(self.read_page(), f"""# Page

<!-- figures: id=speed command="benchmarks/measure" tables=1 date={TODAY} commit={self.first} -->
In 20 rows:

| rods | seconds |
|---:|---|
| 1 | 0.25 |
| 20 | 5.5 |

After.

*{TODAY}, commit {self.first}: `benchmarks/measure`*
<!-- end of figures -->
""")
        self.passes()

    def test_update_takes_stale_parts_only_where_asked_to(self):
        self.good_page(tables='"1" ')
        self.commit()
        self.assertIn("0 parts renewed", self.passes("update", "--stale"))
        self.write("src/speed", "0.5")
        second = self.commit()
        self.assertIn("1 parts renewed", self.passes("update", "--stale"))
        self.assertIn("| 1 | 0.5 |", self.read_page())
        self.assertIn(f"commit={second} -->", self.read_page())

    def test_tables_are_chosen_by_number_by_heading_and_by_row(self):
        mark = 'command="benchmarks/measure"'
        self.page(part(f"id=a {mark} tables=2") + "\n" + part(f'id=b {mark} heading="bytes by"') + "\n" +
                  part(f'id=c {mark} heading=seconds rows="^. 20 "') + "\n" + part(f"id=d {mark}", "Both:") + "\n" +
                  part(f'id=e {mark} lines="right$"', "A line:"))
        self.assertIn("5 parts renewed, 0 not", self.passes("update", "--all"))
        a, b, c, d, e = re.findall(r"commit=\w+ -->\n(.*?)\n\n\*", self.read_page(), re.S)
        self.assertEqual(a, "| rods | bytes |\n|---|---|\n| 1 | 100 |")
        self.assertEqual(b, a)
        self.assertEqual(c, "| rods | seconds |\n|---:|---|\n| 20 | 5.5 |")
        self.assertEqual(d, "Both:\n\n| rods | seconds |\n|---:|---|\n| 1 | 0.25 |\n| 20 | 5.5 |\n\n" + a)
        self.assertEqual(e, "A line:\n\n```text no-run\n12 runs, 12 right\n```")
        self.passes()

    def test_update_leaves_a_part_as_it_is_where_the_command_fails_or_prints_something_else(self):
        for command, reason in (("benchmarks/measure", "the part has 1 tables, the command printed 2"), ("false", "ended with 1"),
                                ("benchmarks/measure\" lines=\"never", "no line that"),
                                ("benchmarks/measure\" tables=\"1\" rows=\"never", "no row of a table")):
            with self.subTest(command):
                self.page(part(f'id=a command="{command}"'))
                before = self.read_page()
                self.fails(reason, "update", "a")
                self.assertEqual(self.read_page(), before)

    def test_a_command_may_end_with_the_status_that_its_mark_names(self):
        self.page(part('id=a command="benchmarks/measure; exit 1" tables=1'))
        self.fails("ended with 1", "update", "a")
        self.page(part('id=a command="benchmarks/measure; exit 1" tables=1 status=1'))
        self.passes("update", "a")

    def test_figures_of_sources_that_are_not_committed_are_not_taken(self):
        self.good_page(tables='"1" ')
        self.write("src/speed", "0.5")
        self.fails("commit these first", "update", "speed")

    def test_an_unknown_id_is_refused(self):
        self.fails("no part has the id", "update", "none")


if __name__ == "__main__":
    unittest.main()
