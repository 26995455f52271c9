"""Runs that are continued from a file."""
import numpy as np
import pytest

import daedal


def decay():
    m = daedal.Model("Decay")
    x = m.variable("x", start=1, fixed=True)
    m.equation(daedal.der(x) == -x)
    return m


def stopped(model, file, steps):
    sol = model.solve((0, 50), tol=1e-10, anchor_every=10, checkpoint=file, on_step=lambda progress: progress.steps < steps)
    assert sol.status == "interrupted"


def test_a_run_that_was_stopped_and_continued_gives_the_same_bits(pendulum, tmp_path):
    file = tmp_path / "run.checkpoint"
    whole = pendulum.solve((0, 50), tol=1e-10, anchor_every=10)
    stopped(pendulum, file, len(whole.t) // 2)
    rest = pendulum.solve(resume=file)
    assert rest.ok
    assert np.array_equal(rest.t, whole.t)
    times = np.linspace(0, 50, 501)
    for name in ("x", "y", "lambda"):
        assert np.array_equal(rest(name, times), whole(name, times))


def test_a_checkpoint_of_another_model_is_refused_and_left_alone(pendulum, tmp_path):
    file = tmp_path / "run.checkpoint"
    stopped(pendulum, file, 30)
    before = file.read_bytes()
    with pytest.raises(daedal.Error) as error:
        decay().solve(resume=str(file))
    assert error.value.problems[0].id == "E-CHK-004"
    assert file.read_bytes() == before


def test_an_unfinished_run_is_not_replaced(pendulum, tmp_path):
    file = tmp_path / "run.checkpoint"
    stopped(pendulum, file, 30)
    with pytest.raises(daedal.Error) as error:
        pendulum.solve((0, 50), checkpoint=file)
    assert error.value.problems[0].id == "E-CHK-006"
