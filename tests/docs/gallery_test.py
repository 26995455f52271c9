#!/usr/bin/env python3
"""The gallery: every problem is in its list; pages and index of two problems, one of which ends with numerical trouble.

gallery_test.py PROGRAM
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/make_gallery"
PROGRAM = sys.argv.pop(1)


def make(*arguments):
    return subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True, check=False)


class Gallery(unittest.TestCase):
    def test_the_list_has_every_problem(self):
        done = make("--check-list")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_name_that_is_no_problem_is_refused(self):
        done = make("--program", PROGRAM, "no_such_problem")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no_such_problem", done.stderr)

    def test_pages_and_index_also_of_a_run_that_ends_early_and_of_a_hostile_title(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name in ["pendulum", "blow_up"]:
                shutil.copytree(ROOT / "problems" / name, folder / "problems" / name)
            facts = folder / "problems/blow_up/blow_up.json"
            facts.write_text(json.dumps({**json.loads(facts.read_text()), "title": "<img src=x onerror=alert(1)>"}))
            done = make("--program", PROGRAM, "--out", str(folder / "out"), "--problems", str(folder / "problems"),
                        "pendulum", "blow_up")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            for name in ["pendulum", "blow_up"]:
                self.assertIn("<html", (folder / f"out/{name}.html").read_text())
            index = (folder / "out/index.html").read_text()
            self.assertIn('href="pendulum.html"', index)
            self.assertIn('href="blow_up.html"', index)
            self.assertRegex(index, r"pendulum\.html.*>3</td>.*>3</td>.*>2</td>.*<td>ok</td>")
            self.assertRegex(index, r'blow_up\.html.*<td class="trouble">blow-up</td>')
            self.assertNotIn("<img", index)
            self.assertIn("&lt;img", index)


if __name__ == "__main__":
    unittest.main()
