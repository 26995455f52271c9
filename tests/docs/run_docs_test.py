#!/usr/bin/env python3
"""The runner of the documentation sees what is wrong: pages with false output, code that nobody runs, unknown blocks.

run_docs_test.py PROGRAM

And the runner of docs/seeds.md: rows whose commands do not print what stands beside them.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = sys.argv.pop(1)

MODEL = """`decay.mo`:

```modelica
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Decay;
```
"""


def block(kind, text):
    return f"\n```{kind}\n{text}\n```\n"


def run(page, *options):
    """Exit code, what was printed, and the page afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "page.md"
        path.write_text(page)
        done = subprocess.run([sys.executable, HERE / "run_docs.py", "--program", PROGRAM, *options, path],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr, path.read_text()


class Runner(unittest.TestCase):
    def passes(self, page):
        code, printed, _ = run(page)
        self.assertEqual(code, 0, printed)

    def fails(self, page, reason):
        code, printed, _ = run(page)
        self.assertEqual(code, 1, printed)
        self.assertIn(reason, printed)

    def test_true_output_passes_and_false_output_fails(self):
        self.passes(block("console", "$ echo one; echo two >&2\none\ntwo"))
        self.fails(block("console", "$ echo one\ntwo"), "prints")
        self.fails(block("console", "$ echo one"), "prints")
        self.fails(block("console", "$ echo one\none\nmore"), "prints")

    def test_an_ellipsis_stands_for_text_in_a_line_and_for_lines(self):
        self.passes(block("console", "$ echo took 3 s\ntook ... s"))
        self.passes(block("console", "$ printf 'a\\nb\\nc\\n'\na\n...\nc"))
        self.fails(block("console", "$ printf 'a\\nb\\nc\\n'\na\n...\nd"), "prints")
        self.fails(block("console", "$ printf 'took 3 s\\nmore\\n'\ntook ... s"), "prints")

    def test_numbers_may_differ_in_their_last_digits_only(self):
        self.passes(block("console", "$ echo x = 0.12345678901234\nx = 0.12345678901235"))
        self.fails(block("console", "$ echo x = 0.12345678\nx = 0.12345679"), "prints")
        self.fails(block("console", "$ echo 13 steps\n14 steps"), "prints")

    def test_a_command_must_succeed_unless_the_page_shows_that_it_fails(self):
        self.fails(block("console", "$ false"), "ends with 1")
        self.passes(block("console", "$ false\n$ echo $?\n1"))
        self.fails(block("console", "$ true\n$ echo $?\n1"), "prints")
        self.passes(MODEL.replace("-x", "-y") + block("console", "$ daedal run decay.mo\nE-LNG-002  ...\n..."))

    def test_commands_of_a_page_share_a_folder_of_their_own(self):
        self.passes(MODEL + block("console", "$ ls *.mo\ndecay.mo") + block("console", "$ mkdir sub && cd sub\n$ ls ..\n...\nsub"))
        self.passes(MODEL + block("console", "$ daedal run \\\n>   decay.mo --quiet\nreached t = 1...\n..."))

    def test_models_without_a_file_must_be_understood(self):
        self.passes(MODEL.split("\n\n", 1)[1])
        self.fails(MODEL.split("\n\n", 1)[1].replace("-x", "-y"), "E-LNG-002")

    def test_excerpts_stand_in_their_files(self):
        excerpt = "<!-- examples/010_pendulum/pendulum.cpp -->" + block("cpp", "  daedal::Model model(\"Pendulum\");")
        self.passes(excerpt)
        self.fails(excerpt.replace("Pendulum", "Pendel"), "not in examples/010_pendulum/pendulum.cpp")
        self.fails(excerpt.replace("010_pendulum", "099_nothing"), "does not exist")

    def test_code_that_nobody_runs_is_an_error(self):
        self.fails("Text.\n\n    make demo\n", "indentation")
        self.fails(block("fortran", "end"), "cannot be run")
        self.fails(block("", "what"), "cannot be run")
        self.fails(block("cpp", "int x;"), "a part of a program")
        self.fails(block("text", "42"), "output without a program")
        self.fails(block("python", "x = 1"), "without >>>")

    def test_what_is_not_run_is_listed(self):
        code, printed, _ = run(block("sh no-run", "make demo"))
        self.assertEqual(code, 0, printed)
        self.assertRegex(printed, r"not run:\n.*page\.md:2: make demo")

    def test_update_writes_the_true_output_and_leaves_what_holds(self):
        code, _, page = run(block("console", "$ echo one\ntwo") + block("console", "$ echo 3 s\n... s"), "--update")
        self.assertEqual(code, 0)
        self.assertEqual(page, block("console", "$ echo one\none") + block("console", "$ echo 3 s\n... s"))

    def test_update_does_not_write_a_failure_over_a_success(self):
        page = block("console", "$ echo one; false\none")
        code, printed, updated = run(page, "--update")
        self.assertEqual(code, 1)
        self.assertIn("ends with 1", printed)
        self.assertEqual(updated, page)


class Seeds(unittest.TestCase):
    def run_row(self, ours, command, verdict):
        """Exit code and what was printed for a page with one row."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text("## Paper\n\n| item | printed | ours | reproduced by | verdict |\n|---|---|---|---|---|\n"
                            f"| (1) | what | {ours} | {command} | {verdict} |\n")
            done = subprocess.run([sys.executable, HERE / "seeds_test.py", "--program", PROGRAM, "--build-folder", folder,
                                   "--page", path, "--only", "(1)"], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout + done.stderr

    def passes(self, *row):
        code, printed = self.run_row(*row)
        self.assertEqual(code, 0, printed)

    def fails(self, reason, *row):
        code, printed = self.run_row(*row)
        self.assertEqual(code, 1, printed)
        self.assertIn(reason, printed)

    def test_numbers_are_compared_to_the_digits_shown(self):
        self.passes("`x 1.235`", "`echo 'x   1.2345678'`", "as printed")
        self.fails("do not print", "`x 1.234`", "`echo 'x   1.2345678'`", "as printed")
        self.passes("`x 1.2e-05`", "`echo x 1.23e-05`", "as printed")
        self.fails("do not print", "`x 1.2e-05`", "`echo x 1.26e-05`", "as printed")
        self.fails("do not print", "`x -1.235`", "`echo x 1.2345678`", "as printed")

    def test_a_number_after_a_tilde_is_right_within_a_factor_of_3(self):
        self.passes("`error ~1e-09`", "`echo error 2.9e-09`", "as printed")
        self.fails("do not print", "`error ~1e-09`", "`echo error 3.1e-09`", "as printed")

    def test_counts_are_exact_and_whole(self):
        self.passes("`12 steps`", "`echo 12 steps`", "as printed")
        self.fails("do not print", "`12 steps`", "`echo 112 steps`", "as printed")
        self.fails("do not print", "`t 3`", "`echo t 31`", "as printed")
        self.fails("do not print", "`t 3`", "`echo t 3.1`", "as printed")

    def test_bars_of_tables_and_blanks_do_not_matter(self):
        self.passes("`a 1 2`", "`echo 'a   1    2'`", "better: of course")

    def test_a_command_that_fails_or_a_program_that_is_missing_is_seen(self):
        self.fails("ends with 1", "text", "`false`", "as printed")
        self.passes("`S-INI-001`", "`echo S-INI-001; exit 1`", "differs: a message")
        self.passes("`x`", "`build/release/benchmarks/none`", "as printed")

    def test_a_verdict_needs_its_word_and_its_command(self):
        self.fails("begins with none", "text", "`true`", "fine")
        self.fails("needs a command", "text", "", "as printed")
        self.passes("text", "", "not yet")
        self.fails("no command prints", "`text`", "", "stated")

    def test_long_commands_are_left_out(self):
        self.passes("`x`", "`false` (long)", "as printed")


if __name__ == "__main__":
    unittest.main()
