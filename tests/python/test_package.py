"""The package as a whole: documented, typed, its examples true, and installable."""
import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import shutil
import subprocess
import sys

import pytest

import daedal
from conftest import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public_things():
    for name in daedal.__all__:
        thing = getattr(daedal, name)
        yield name, thing
        if inspect.isclass(thing):
            for member_name, member in vars(thing).items():
                if not member_name.startswith("_") and (callable(member) or isinstance(member, property) or hasattr(member, "func")):
                    yield f"{name}.{member_name}", member


def test_everything_public_has_a_docstring_and_belongs_to_the_package():
    without = [name for name, thing in public_things() if not inspect.getdoc(thing)]
    assert not without
    assert all(getattr(daedal, name).__module__ == "daedal" for name in daedal.__all__)
    assert daedal.__doc__ and set(daedal.__all__) <= set(dir(daedal))


def test_version_is_that_of_the_library():
    line = next(line for line in (ROOT / "CMakeLists.txt").read_text().splitlines() if line.startswith("project("))
    assert f"VERSION {daedal.__version__} " in line


@pytest.mark.parametrize("module", ["daedal"] + [f"daedal.{m.name}" for m in pkgutil.iter_modules(daedal.__path__) if m.name != "_core"])
def test_examples_in_docstrings(module):
    loaded = importlib.import_module(module)
    assert doctest.testmod(loaded, extraglobs={"daedal": daedal}, optionflags=FLAGS).failed == 0


def test_tutorial_and_readme(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for page in (ROOT / "docs/tutorials/09-python.md", ROOT / "python/README.md"):
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)
        examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
        result = doctest.DocTestRunner(optionflags=FLAGS).run(examples)
        assert result.failed == 0 and result.attempted > 5, page


@pytest.mark.parametrize("lesson", ["090_python/crane.py", "100_simulation/simulation.py"])
def test_lesson_prints_what_it_promises(lesson):
    file = ROOT / "examples" / lesson
    printed = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True).stdout
    assert printed == (file.parent / "expected.txt").read_text()


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_types(tmp_path):
    user = tmp_path / "user.py"
    user.write_text(
        "import numpy as np\nimport daedal\n"
        "m = daedal.Model('M')\nx = m.variable('x', start=[1, 0], fixed=True)\n"
        "m.equation('motion', daedal.der(x, 2) == -np.float64(2) * x)\n"
        "sol: daedal.Solution = m.solve((0, 1), tol=1e-9)\nlength: int = len(sol.t) + sol.statistics.steps\n"
        "event_times = [event.t + 1.0 for event in sol.events]\nindex = m.analyze().structural_index\n"
        "sim: daedal.Simulation = m.simulate((0, 1), tol=1e-9, start={'x': 1})\nsim['der(x)'] = sim['x'] + 1\nstate: bytes = sim.save()\n"
        "@sim.on_event\ndef show(sim: daedal.Simulation, event: daedal.Event) -> None:\n    print(sim.t - event.t)\n"
        "number: int = m.prepare(1).num_analyses\nend: float = m.prepare(1).solve(start={'x': 2}).final['x']\n"
    )
    package = ROOT / "python" / "daedal"
    env = {**os.environ, "MYPYPATH": str(package.parent)}
    options = ["--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"), "--python-executable", sys.executable]
    checked = subprocess.run(["mypy", *options, str(package), str(user)], capture_output=True, text=True, env=env, cwd=tmp_path, check=False)
    assert checked.returncode == 0, checked.stdout
    user.write_text("import daedal\nx: str = daedal.Model('M').analyze().c\n")
    checked = subprocess.run(["mypy", *options, str(user)], capture_output=True, text=True, env=env, cwd=tmp_path, check=False)
    assert checked.returncode == 1 and "Incompatible types" in checked.stdout


def test_stub_names_what_the_module_has():
    from daedal import _core

    stub = (ROOT / "python" / "daedal" / "_core.pyi").read_text()
    for name in dir(_core):
        if not name.startswith("__"):
            assert f"class {name}" in stub or f"def {name}(" in stub or f"\n{name}: " in stub, name
    for name in ("Event", "Statistics", "Progress", "ArrayAnalysis", "Problem", "Conversion", "StartValue", "Mode", "Zeno"):
        body = stub[stub.index(f"class {name}:") :]
        body = body[: body.index("\nclass ") if "\nclass " in body else None]
        assert all(f"def {field}(self)" in body for field in getattr(_core, name)._fields), name


@pytest.mark.skipif("DAEDAL_BUILD_DIR" not in os.environ, reason="DAEDAL_BUILD_DIR names the build to install")
def test_installation_in_a_fresh_environment(tmp_path):
    """From an empty folder, without the source tree: machine code is found, and no path into the build tree stays."""
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python3"
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "DAEDAL_COMPILER")}
    env.update(PYTHON=str(python), XDG_CACHE_HOME=str(tmp_path / "cache"))
    subprocess.run([str(ROOT / "python" / "install")], check=True, env=env, capture_output=True)
    empty = tmp_path / "empty"
    empty.mkdir()
    code = (
        "import daedal, os, sys\n"
        "assert daedal.__file__.startswith(sys.prefix), daedal.__file__\n"
        "m = daedal.Model('M'); x = m.variable('x', start=1, fixed=True); m.equation(daedal.der(x) == -x)\n"
        "sol = m.solve(1, tol=1e-12, kernel=sys.argv[1]); assert sol.kernel == sys.argv[1]\n"
        "print(sol('x', 1))\n"
        "print(os.path.dirname(daedal.__file__))\n"
    )
    folder = pathlib.Path(daedal.__file__).resolve().parent
    has_compiler = (pathlib.Path(os.environ["DAEDAL_BUILD_DIR"]) / "src" / "libdaedal_llvm.so").exists()
    ran = subprocess.run(
        [str(python), "-c", code, "compiled" if has_compiler else "interpreter"], cwd=empty, env=env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    value, place = ran.stdout.split()
    assert float(value) == pytest.approx(0.36787944117144233, rel=1e-12)
    installed = pathlib.Path(place)
    assert {"py.typed", "_core.pyi", "__init__.py"} <= {file.name for file in installed.iterdir()}
    for library in installed.glob("*.so"):
        assert str(ROOT).encode() not in library.read_bytes(), library
    if shutil.which("readelf"):
        dynamic = subprocess.run(["readelf", "-d", *map(str, installed.glob("*.so"))], capture_output=True, text=True, check=True).stdout
        assert "libdaedal.so" not in dynamic
