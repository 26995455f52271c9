"""What the tests of the Python package share. They run against the package on PYTHONPATH, or the one installed."""
import json
import os
import pathlib

os.environ.setdefault("MPLBACKEND", "Agg")  # figures are drawn, not shown

import numpy as np
import pytest

import daedal

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROBLEMS = ROOT / "problems"


def reference(problem, t, name=None):
    """The published or closed-form values of a problem at a time: {"x": ..., "der(x)": ...}."""
    data = json.loads((PROBLEMS / problem / f"{name or problem}.json").read_text())
    found = [entry for entry in data["references"] if float(entry["t"]) == t]
    return {key: float(value) for key, value in found[0]["values"].items()}


def digits(value, exact, nominal=1.0):
    """Correct digits, as the project counts them."""
    error = np.max(np.abs(np.asarray(value) - exact) / np.maximum(np.abs(exact), nominal))
    return np.inf if error == 0 else -np.log10(error)


def make_pendulum():
    m = daedal.Model("Pendulum")
    g, L = m.parameter("g", 9.81), m.parameter("L", 10)
    x = m.variable("x", start=[10, 0])
    y = m.variable("y", start=[0, 1], fixed=[True, True])
    lam = m.variable("lambda")
    m.equation(daedal.der(x, 2) + x * lam == 0)
    m.equation(daedal.der(y, 2) + y * lam == g)
    m.equation("length", x**2 + y**2 == L**2)
    return m


@pytest.fixture
def pendulum():
    return make_pendulum()


@pytest.fixture(scope="session")
def swing():
    """The pendulum from 0 to 10, solved once."""
    return make_pendulum().solve((0, 10), tol=1e-12)


@pytest.fixture
def ball():
    m = daedal.Model("Ball")
    count = m.discrete("count", 0)
    h = m.variable("h", start=[1, 0], fixed=True, unit="m")
    m.equation(daedal.der(h, 2) == -9.81)
    m.when("bounce", h < 0, daedal.reinit(daedal.der(h), -0.5 * daedal.der(h)), daedal.assign(count, count + 1))
    m.when("five times", count >= 5, daedal.terminate("enough"))
    return m
