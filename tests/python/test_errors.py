"""Errors have the ids, the text and the pages of the program's messages."""
import os
import pickle
import subprocess

import numpy as np
import pytest

import daedal

WRONG = "model Wrong\n  Real x;\nequation\n  x = y + ;\nend Wrong;\n"


def test_problems_of_text_have_file_line_column_and_excerpt():
    with pytest.raises(daedal.Error) as info:
        daedal.parse(WRONG, file="wrong.mo")
    problem = info.value.problems[0]
    assert problem.id == info.value.id and problem.id.startswith("E-LNG")
    assert problem.where.startswith("wrong.mo:4:") and "^" in problem.excerpt and problem.what and problem.todo
    assert str(info.value).startswith(problem.id + "  " + problem.what + "\n  where  wrong.mo:4:")


@pytest.mark.skipif("DAEDAL_PROGRAM" not in os.environ, reason="DAEDAL_PROGRAM names the program to compare with")
def test_text_is_that_of_the_program(tmp_path):
    (tmp_path / "wrong.mo").write_text(WRONG)
    printed = subprocess.run(
        [os.environ["DAEDAL_PROGRAM"], "analyze", "wrong.mo"], cwd=tmp_path, capture_output=True, text=True, check=False
    ).stderr
    with pytest.raises(daedal.Error) as info:
        daedal.parse(WRONG, file="wrong.mo")
    assert printed.strip() == str(info.value)


def test_every_problem_is_carried():
    with pytest.raises(daedal.Error) as info:
        daedal.parse("model M Real x; equation x = a; x = b; end M;")
    assert len(info.value.problems) >= 2 and str(info.value).count("  where  ") >= 2


def test_missing_file(tmp_path):
    with pytest.raises(daedal.Error) as info:
        daedal.load(tmp_path / "nothing.mo")
    assert info.value.id.startswith("E-FIL") and "nothing.mo" in str(info.value)


def test_names_are_checked_with_the_place_in_python():
    m = daedal.Model("M")
    m.equation(m.variable("x") == 1)
    m.equation(m.variable("x") == 2)
    with pytest.raises(daedal.Error) as info:
        m.analyze()
    assert info.value.id == "E-MOD-005" and "test_errors.py:" in info.value.problems[0].where


def test_start_that_depends_on_a_variable():
    m = daedal.Model("M")
    x = m.variable("x")
    with pytest.raises(daedal.Error) as info:
        m.variable("y", start=x)
    assert info.value.id == "E-MOD-009" and f"test_errors.py:{info.traceback[0].lineno + 1}" in info.value.problems[0].where


def test_explain():
    page = daedal.explain("e-lng-002")
    assert page.startswith("# E-LNG-002") and repr(page) == str(page) == page._repr_markdown_()
    assert "E-LNG-002" in daedal.error_ids() and all(daedal.explain(id) for id in daedal.error_ids())
    with pytest.raises(daedal.Error) as info:
        daedal.explain("E-LNG-2")
    assert info.value.id == "E-CLI-004" and "E-LNG-002" in str(info.value)


def test_errors_travel_between_processes():
    for kind in (daedal.Error, daedal.NumericalTrouble):
        error = kind([daedal.Problem("E-MOD-001", "what", where="here", why="so", todo="that")])
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kind and again.problems == error.problems and str(again) == str(error)
        assert hash(again.problems[0]) == hash(error.problems[0])


def test_numerical_trouble_travels_without_its_result():
    m = daedal.Model("Pole")
    x = m.variable("x", start=1, fixed=True)
    m.equation(daedal.der(x) == x**2)
    sol = m.solve((0, 2))
    with pytest.raises(daedal.NumericalTrouble) as info:
        sol.raise_if_failed()
    again = pickle.loads(pickle.dumps(info.value))
    assert str(again) == str(info.value) and info.value.result is sol and again.result is None
    stopped = pickle.loads(pickle.dumps(daedal.Interrupted(sol)))
    assert isinstance(stopped, KeyboardInterrupt) and stopped.solution is None


def test_fixed_without_a_start_is_refused():
    m = daedal.Model("M")
    for fixed in (True, np.bool_(True), [True]):
        with pytest.raises(daedal.Error) as info:
            m.variable("v", fixed=fixed)
        assert info.value.id == "E-MOD-010" and "'v'" in str(info.value) and "test_errors.py:" in info.value.problems[0].where
    with pytest.raises(daedal.Error) as info:
        m.variables("w", 2, fixed=True)
    assert info.value.id == "E-MOD-010"
    m.variable("u", fixed=False)


def test_text_of_a_problem():
    problem = daedal.Problem("E-X", "what", where="here", why="so", todo="that")
    assert problem.text() == str(problem) == "E-X  what\n  where  here\n  why    so\n  do     that\n"
    assert repr(problem).startswith("Problem(id='E-X', what='what', where='here'")
    assert problem != "E-X" and issubclass(daedal.NumericalTrouble, daedal.Error)
