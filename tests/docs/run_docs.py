#!/usr/bin/env python3
"""Every code block of the README, the tutorials, how-to pages and guides is run, and shows its true output.

run_docs.py --program PROGRAM [--build-folder FOLDER] [--python-path PATH] [--python PYTHON] [--compiler CXX] [--update] [PAGE...]

Each page is run from top to bottom in an empty folder of its own, which has links to the project's problems/ and
examples/. What a block is follows from its first line and from a comment right above it:

    <!-- file: NAME -->     any block: it is written to that file. A line above that ends in "`NAME`:" does the same for
                            models. A NAME with a slash is a file of the project: then see the next line.
    <!-- PATH -->           any block: its lines stand in that file of the project or of the page, in this order; a line
                            `...` stands for lines that are left out.
    ```modelica             without any of these: a whole model, which must be understood
    ```console              "$ command" lines, each followed by what a terminal shows; "> " continues a command
    ```cpp                  a whole program: compiled, linked with the library, run; a ```text block below is its output
    ```python               a session with >>>, run by doctest; left out with a note if no --python-path says where daedal is
    ```LANGUAGE no-run      not run; every one of them is listed

Without PAGE all pages are run, links of all documentation must lead somewhere, and theory pages must name files that exist.
A line `...` in a console or text block stands for any lines, `...` inside a line for any text. Computed numbers (with a
decimal point) may differ in their last digits, which depend on compiler and processor. A command must succeed unless
the page shows that it does not: by a message with an id, or by `$ echo $?` after it. A block that is none of these is an error.

--update writes the true outputs into the pages: for those who edit them. Read the difference before you keep it.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/tutorials/*.md", "docs/howto/*.md", "docs/guide/*.md", "docs/determinism.md"]
SECONDS = 120  # that a command may take: a stop for what hangs, not a measure

NUMBER = r"-?\d+\.\d+(?:e[-+]?\d+)?"
MESSAGE = re.compile(r"^[ESW]-[A-Z]{3}-\d{3}  ", re.M)

Block = collections.namedtuple("Block", "line language words text comment lead first last")


def blocks_of(lines):
    """The fenced blocks of a page. lines[first:last] is what stands between the fences; line counts from 1."""
    blocks, i = [], 0
    while i < len(lines):
        fence = re.match(r"( *)(```+)(.*)$", lines[i])
        if not fence:
            i += 1
            continue
        end = i + 1
        while end < len(lines) and lines[end].strip() != fence.group(2):
            end += 1
        if end == len(lines):
            sys.exit(f"line {i + 1}: this block has no end: {lines[i]}")
        words = fence.group(3).split() or [""]
        above = [line for line in lines[max(0, i - 3):i] if line.strip()][-1:] or [""]
        comment = re.fullmatch(r"\s*<!-- (.*?) -->\s*", above[0])
        text = "".join(line[len(fence.group(1)):] + "\n" for line in lines[i + 1:end])
        blocks.append(Block(i + 1, words[0], words[1:], text, comment.group(1) if comment else "", above[0], i + 1, end))
        i = end + 1
    return blocks


def indented_code(lines):
    """Lines of code blocks made by indentation alone, which nobody would run."""
    is_fenced, is_list, before = False, False, ""
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            is_fenced = not is_fenced
        elif not is_fenced:
            if line.startswith("    ") and not before.strip() and not is_list:
                yield number
            if line.strip() and not line.startswith(" "):
                is_list = bool(re.match(r"([-*]|\d+\.) ", line))
        before = line


def is_same(printed, shown):
    """The same text, with `...` for anything, and computed numbers equal to their last digits."""
    pattern, numbers = "", []
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
            continue
        has_numbers = re.search(NUMBER, line)  # then columns may be of other widths
        for piece in re.split(rf"(\.\.\.|{NUMBER}(?![\d.]))", line):
            if piece == "...":
                pattern += r"[^\n]*?"
            elif re.fullmatch(NUMBER, piece):
                pattern += f"({NUMBER})"
                numbers.append(float(piece))
            else:
                pattern += re.sub(r"(\\ ){2,}", " +", re.escape(piece)) if has_numbers else re.escape(piece)
        pattern += r" *\n"
    found = re.fullmatch(pattern, printed.rstrip("\n") + "\n")
    return bool(found) and all(abs(float(a) - b) <= 1e-9 * max(1.0, abs(b)) for a, b in zip(found.groups(), numbers))


def has_lines(text, wanted):
    """Whether the wanted lines stand in the text one after another, indentation aside; `...` skips any number."""
    rest = [line.strip() for line in text.split("\n")]
    parts, part = [], []
    for line in [line.strip() for line in wanted.strip("\n").split("\n")] + ["..."]:
        if line != "...":
            part.append(line)
        elif part:
            parts.append(part)
            part = []
    for part in parts:
        places = [i for i in range(len(rest) - len(part) + 1) if rest[i:i + len(part)] == part]
        if not places:
            return False
        rest = rest[places[0] + len(part):]
    return True


def commands_of(text):
    """Pairs of a command and the output shown below it. Continuation lines belong to the command."""
    pairs = []
    for line in text.split("\n")[:-1]:
        if line.startswith("$ "):
            pairs.append([line[2:], ""])
        elif not pairs:
            raise ValueError("it begins with output; a line `$ command` must come first")
        elif line.startswith("> ") and not pairs[-1][1]:
            pairs[-1][0] += "\n" + line[2:]
        else:
            pairs[-1][1] += line + "\n"
    return pairs


class Tools:
    """What blocks are run with: the program, and the library as a user finds it, installed when first needed."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        (folder / "bin").mkdir()
        (folder / "bin/daedal").symlink_to(pathlib.Path(options.program).resolve())
        self.installed = None
        self.environment = {
            "PATH": f"{folder / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}", "HOME": str(folder), "LC_ALL": "C.UTF-8",
            "XDG_CACHE_HOME": str(folder / "cache"), "COLUMNS": "80", "PYTHONPATH": options.python_path or "",
        }
        if options.python_path:  # scripts of a page run with the same Python as its sessions
            (folder / "bin/python3").symlink_to(options.python)

    def run(self, command, folder, more=None):
        """Exit code and everything printed."""
        try:
            done = subprocess.run(command, cwd=folder, env={**self.environment, **(more or {})}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return 124, f"(no end within {SECONDS} s)\n"
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def install(self):
        if self.installed is None:
            self.installed = self.folder / "installed"
            code, printed = self.run(["cmake", "--install", str(pathlib.Path(self.options.build_folder).resolve()), "--prefix",
                                      str(self.installed)], self.folder)
            if code != 0:
                sys.exit(f"cmake --install: {printed}")
            self.environment["CMAKE_PREFIX_PATH"] = str(self.installed)
        return self.installed


class Page:
    def __init__(self, path, tools, folder):
        self.path, self.tools, self.folder = path, tools, folder
        self.name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        self.lines = path.read_text().split("\n")
        self.wrong, self.unrun, self.counts = [], [], collections.Counter()
        self.changes = []  # (first, last, new lines)
        self.place, self.last_code = folder, 0
        self.awaited = None  # what the program of the cpp block above printed
        self.session = []
        for link in ["problems", "examples"]:
            (folder / link).symlink_to(ROOT / link)
        if tools.options.build_folder and any("find_package(daedal" in line for line in self.lines):
            tools.install()

    def fail(self, block, text):
        self.wrong.append(f"{self.name}:{block.line}: {text}")

    def check(self):
        for number in indented_code(self.lines):
            self.wrong.append(f"{self.name}:{number}: code by indentation; write a fenced block, with its language")
        for block in blocks_of(self.lines):
            try:
                self.check_block(block)
            except ValueError as reason:
                self.fail(block, str(reason))
        self.run_session()

    def check_block(self, block):
        kind = self.kind_of(block)
        if self.awaited is not None and kind != "text":
            self.awaited = None
        self.counts[kind] += 1
        getattr(self, "check_" + kind)(block)

    def kind_of(self, block):
        if "no-run" in block.words:
            return "unrun"
        if self.file_of(block):
            return "file"
        if block.comment and re.fullmatch(r"[\w./-]+\.\w+|Makefile", block.comment):
            return "excerpt"
        if block.language in ("modelica", "console", "cpp", "python", "text"):
            return block.language
        raise ValueError(f"a block of '{block.language}' that cannot be run: see run_docs.py for what can")

    @staticmethod
    def file_of(block):
        if block.comment.startswith("file: "):
            return block.comment[6:]
        named = re.search(r"`([\w./-]+\.mo)`:\s*$", block.lead)
        return named.group(1) if named and block.language == "modelica" else None

    def check_unrun(self, block):
        self.unrun.append(f"{self.name}:{block.line}: {block.text.strip().splitlines()[0]}")

    def check_file(self, block):
        name = self.file_of(block)
        if "/" in name:
            self.check_excerpt(block, name)
            return
        (self.place / name).write_text(block.text)

    def check_excerpt(self, block, name=None):
        name = name or block.comment
        path = self.place / name if (self.place / name).exists() else ROOT / name
        if not path.exists():
            raise ValueError(f"it is said to be from {name}, which does not exist")
        if not has_lines(path.read_text(), block.text):
            raise ValueError(f"these lines are not in {name}")

    def check_modelica(self, block):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "model.mo").write_text(block.text)
            code, printed = self.tools.run(["daedal", "analyze", "model.mo"], folder)
        if code != 0:
            raise ValueError(f"the model is not understood:\n{printed}")

    def check_console(self, block):
        shown_all, printed_all, is_right = commands_of(block.text), [], True
        for number, (command, shown) in enumerate(shown_all):
            where = self.folder / ".place"
            script = f"(exit {self.last_code})\n{command}\ncode=$?\npwd > '{where}'\nexit $code"
            code, printed = self.tools.run(["sh", "-c", script], self.place)
            if where.exists():
                self.place = pathlib.Path(where.read_text().strip())
            self.last_code = code
            # --update takes a message for the truth where nothing was shown, not where a page shows success
            expected = printed if self.tools.options.update and not shown.strip() else shown
            is_failure_shown = number + 1 < len(shown_all) and shown_all[number + 1][0] == "echo $?"
            if code != 0 and not MESSAGE.search(expected) and not is_failure_shown:
                self.fail(block, f"`{command}` ends with {code}:\n{printed}")
                printed = shown
            elif is_same(printed, shown):
                printed = shown
            else:
                is_right = False
                if not self.tools.options.update:
                    self.fail(block, f"`{command}` prints\n{printed}\nbut the page shows\n{shown}")
                if printed and number + 1 < len(shown_all):
                    printed += "\n"
            printed_all.append("$ " + command.replace("\n", "\n> ") + "\n" + printed)
        if not is_right:
            self.changes.append((block.first, block.last, "".join(printed_all).rstrip("\n").split("\n")))

    def check_cpp(self, block):
        if "int main(" not in block.text:
            raise ValueError("a part of a program; name the file that has it in a comment above: <!-- examples/... -->")
        if not self.tools.options.build_folder:
            self.counts["cpp left out: no --build-folder"] += 1
            self.awaited = "left out"
            return
        installed = self.tools.install()
        (self.folder / "block.cpp").write_text(block.text)
        code, printed = self.tools.run(
            [self.tools.options.compiler, "-std=c++20", "-Wall", "-Werror", "block.cpp", "-o", "block", f"-I{installed}/include",
             f"-L{installed}/lib", "-ldaedal", f"-Wl,-rpath,{installed}/lib"], self.folder)
        if code != 0:
            raise ValueError(f"the program does not compile:\n{printed}")
        code, self.awaited = self.tools.run(["./block"], self.place)
        if code != 0:
            raise ValueError(f"the program ends with {code}:\n{self.awaited}")

    def check_text(self, block):
        if self.awaited is None:
            raise ValueError("output without a program: a text block stands below a whole program in C++")
        if self.awaited != "left out" and not is_same(self.awaited, block.text):
            self.changes.append((block.first, block.last, self.awaited.rstrip("\n").split("\n")))
            if not self.tools.options.update:
                self.fail(block, f"the program above prints\n{self.awaited}\nbut the page shows\n{block.text}")
        self.awaited = None

    def check_python(self, block):
        if ">>> " not in block.text:
            raise ValueError("a Python block without >>>: write a session, or name a file for it in a comment above")
        self.session.append((block.first, block.text))

    # All Python blocks of a page are one session. Blank lines keep the line numbers of the page.
    def run_session(self):
        if not self.session:
            return
        if not self.tools.options.python_path:
            self.counts["python left out: no --python-path"] += self.counts.pop("python")
            return
        text = [""] * len(self.lines)
        for first, block in self.session:
            text[first:first + block.count("\n")] = block.split("\n")[:-1]
        (self.folder / ".session").write_text("\n".join(text))
        code, printed = self.tools.run([self.tools.options.python, "-c", f"""
import doctest, sys
test = doctest.DocTestParser().get_doctest(open(".session").read(), {{"__name__": "__main__"}}, {str(self.name)!r}, {str(self.name)!r}, 0)
runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
sys.exit(1 if runner.run(test).failed else 0)
"""], self.folder, {"MPLBACKEND": "Agg"})
        if code != 0:
            self.wrong.append(printed)

    def update(self):
        for first, last, new in sorted(self.changes, reverse=True):
            self.lines[first:last] = new
        if self.changes:
            self.path.write_text("\n".join(self.lines))
            print(f"{self.name}: {len(self.changes)} blocks written anew")


def anchor_of(heading):
    return re.sub(r"[^\w\- ]", "", re.sub(r"`|\[|\]\([^)]*\)", "", heading.lower())).strip().replace(" ", "-")


def without_code(text):
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)


def dead_links():
    """Links of all documentation that lead nowhere, to files and to headings."""
    for page in sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")}):
        for target in re.findall(r"\]\(([^)\s]+)[^)]*\)", without_code(page.read_text())):
            name, _, anchor = target.partition("#")
            if "://" in target or target.startswith("{"):
                continue
            path = page.parent / name if name else page
            if not path.exists():
                yield f"{page.relative_to(ROOT)}: links to {name}, which does not exist"
            elif anchor and path.suffix == ".md":
                text = re.sub(r"```.*?```", "", path.read_text(), flags=re.S)
                if anchor not in {anchor_of(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}:
                    yield f"{page.relative_to(ROOT)}: links to {target}, which has no such heading"


def unnamed_code():
    """Theory pages that do not say where they are implemented, or name files that do not exist."""
    for page in sorted((ROOT / "docs/theory").glob("*.md")):
        code = re.search(r"^Code: .*?\n\n", page.read_text(), re.M | re.S)
        if page.name == "notation.md":
            continue
        if not code:
            yield f"{page.relative_to(ROOT)}: a paragraph `Code:` must name the files that implement it"
            continue
        for name in re.findall(r"`((?:src|backends|tests|include)/[^`]*)`", code.group(0)):
            if not (ROOT / name).exists():
                yield f"{page.relative_to(ROOT)}: names {name}, which does not exist"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, help="the program daedal")
    parser.add_argument("--build-folder", help="where the library was built; without it, programs in C++ are left out")
    parser.add_argument("--python-path", help="where the Python package is; without it, sessions in Python are left out")
    parser.add_argument("--python", default=sys.executable, help="for sessions in Python")
    parser.add_argument("--compiler", default="c++", help="for programs in C++")
    parser.add_argument("--update", action="store_true", help="write the true outputs into the pages")
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="default: " + ", ".join(PAGES))
    options = parser.parse_args()
    chosen = [page.resolve() for page in options.pages] or [page for name in PAGES for page in sorted(ROOT.glob(name))]

    wrong, unrun, counts = [], [], collections.Counter()
    if not options.pages:  # all documentation: then also what holds it together
        wrong += [*dead_links(), *unnamed_code()]
    with tempfile.TemporaryDirectory() as stage:
        stage = pathlib.Path(stage).resolve()
        tools = Tools(options, stage)
        for number, path in enumerate(chosen):
            folder = stage / f"page{number}"
            folder.mkdir()
            page = Page(path, tools, folder)
            page.check()
            if options.update:
                page.update()
            wrong, unrun, counts = wrong + page.wrong, unrun + page.unrun, counts + page.counts

    if wrong:
        print("\n".join(wrong))
    print(f"{len(chosen)} pages:", ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    if unrun:
        print("not run:\n  " + "\n  ".join(unrun))
    if not chosen or not sum(counts.values()):
        sys.exit("there was nothing to check")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
