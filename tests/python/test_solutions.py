"""Solutions against closed forms and published references; the ways to read them; events; numerical trouble."""
import copy
import json
import math
import pickle

import numpy as np
import pytest

import daedal
from conftest import PROBLEMS, digits, make_pendulum, reference


@pytest.mark.parametrize("t", [10, 100])
def test_pendulum_against_elliptic_functions(pendulum, t):
    sol = pendulum.solve((0, t), tol=1e-13)
    exact = reference("pendulum", t)
    assert sol.ok and sol.t[-1] == t
    for name, value in exact.items():
        assert digits(sol(name, t), value) > 9, name


def test_car_axis_against_the_test_set():
    problem = json.loads((PROBLEMS / "car_axis" / "car_axis.json").read_text())
    entry = problem["references"][-1]
    sol = daedal.load(PROBLEMS / "car_axis" / "car_axis.mo").solve(float(entry["t"]), tol=1e-12)
    for name, value in entry["values"].items():
        assert digits(sol(name, float(entry["t"])), float(value)) > min(7, float(entry.get("digits", 7))), name


def test_exponential_in_every_way_to_ask():
    m = daedal.Model("Decay")
    x = m.variable("x", start=1, fixed=True)
    y = m.variable("y")
    m.equation(daedal.der(x) == -x)
    m.equation(y == 2 * x)
    m.output("three", 3 * x)
    sol = m.solve((0, 2), tol=1e-13, at=[0.5, 1.5])
    ts = np.linspace(0, 2, 11)
    exact = np.exp(-ts)
    assert digits(sol("x", ts), exact) > 12 and digits(sol("x", ts, order=1), -exact) > 12 and digits(sol("der(x, 2)", ts), exact) > 11
    assert np.array_equal(sol(x, ts), sol("x", ts)) and np.array_equal(sol(daedal.der(x), ts), sol("der(x)", ts))
    assert np.array_equal(sol("der(der(x))", ts), sol("x", ts, order=2)) and np.array_equal(sol("der(x)", ts, order=1), sol("x", ts, order=2))
    assert sol(ts).shape == (2, 11) and np.array_equal(sol(ts)[0], sol("x", ts)) and sol(1.0).shape == (2,)
    assert np.array_equal(sol(ts, order=1)[0], sol("der(x)", ts))
    assert sol(["y", "x", "three"], ts).shape == (3, 11) and digits(sol("three", ts), 3 * exact) > 12
    assert sol("x", ts.reshape(11, 1)).shape == (11, 1) and isinstance(sol("x", 1), float)
    assert np.array_equal(sol["x"], sol("x", sol.t)) and sol["t"] is sol.t and sol[["x", "y"]].shape == (2, len(sol.t))
    assert np.array_equal(sol[x], sol["x"]) and "der(x)" in sol and "z" not in sol
    assert sol.at.t.tolist() == [0.5, 1.5] and digits(sol.at["y"], 2 * np.exp([-0.5, -1.5])) > 12
    assert sol.at.values.shape == (2, 2) and digits(sol.at["three"], 3 * np.exp([-0.5, -1.5])) > 12
    assert digits(sol.final["three"], 3 * math.exp(-2)) > 12 and digits(sol.final_derivatives["x"][0], -math.exp(-2)) > 12
    assert sol.start["x"] == 1 and sol.t_final == 2


def test_a_second_run_tells_the_error_of_an_unstable_one():
    m = daedal.parse("model U Real x(start={1, -5}, fixed={true, true}); equation der(x, 2) = 25*x; end U;")
    assert m.solve((0, 3)).verification is None
    sol = m.solve((0, 3), tol=1e-9, verify=True)
    error = abs(sol.final["x"] - math.exp(-15)) / (1 + math.exp(-15))
    assert 0.5 < sol.verification.error / error < 2 and sol.verification.variable == "x" and sol.verification.error_at == 3
    assert [warning.id for warning in sol.warnings] == ["W-ERR-001"]
    members = m.ensemble([{}, {}], (0, 3), tol=1e-9, verify=True)
    assert [member.verification.error for member in members] == [sol.verification.error] * 2


def test_many_times_are_what_single_times_give(swing):
    ts = np.random.default_rng(1).uniform(0, 10, 300)
    together = swing(ts)
    assert np.array_equal(together, np.array([swing(t) for t in ts]).T)
    assert np.array_equal(swing("y", ts, order=1), [swing("y", t, order=1) for t in ts])
    assert np.array_equal(swing(["x", "der(y)"], ts), [swing("x", ts), swing("der(y)", ts)])
    assert swing("x", []).shape == (0,) and swing(np.empty((0,))).shape == (3, 0)


def test_backwards_returns_to_the_start():
    m = daedal.Model("Decay")
    x = m.variable("x", start=1, fixed=True)
    m.equation(daedal.der(x) == -x)
    sol = m.solve((2, 0), tol=1e-13)
    assert sol.t[0] == 2 and sol.t[-1] == 0 and digits(sol("x", [2, 1, 0]), np.exp([0, 1, 2])) > 12
    assert (np.diff(sol.sample(50)) < 0).all()


@pytest.mark.parametrize("method", ["taylor", "dd-erk", "dd-ida", "bdf", "array"])
def test_methods_agree_with_the_reference(pendulum, method):
    sol = pendulum.solve((0, 10), tol=1e-8, method=method)
    assert sol.ok and sol.method.startswith(method) and digits(sol.final["x"], reference("pendulum", 10)["x"], 10) > 4


@pytest.mark.parametrize("kernel", ["interpreter", "compiled"])
def test_kernels_give_the_same_bits(pendulum, swing, kernel, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    sol = pendulum.solve((0, 10), tol=1e-12, kernel=kernel)
    assert sol.kernel == kernel and np.array_equal(sol(sol.t), swing(swing.t))


def test_span_defaults_and_options(pendulum):
    assert pendulum.solve().t_final == 1
    pendulum.set_experiment(stop_time=2, tolerance=1e-5)
    sol = pendulum.solve()
    assert sol.t_final == 2 and sol.tolerance == 1e-5 and pendulum.experiment == (None, 2.0, 1e-5)
    assert pendulum.solve(0.5).t_final == 0.5
    assert pendulum.solve((0, 1), max_step=0.01).statistics.largest_step <= 0.01 * (1 + 1e-12)
    assert pendulum.solve((0, 1), order=8).order == 8
    assert pendulum.solve((0, 100), max_steps=3).status == "too-many-steps"
    late = pendulum.solve((0, 1e12), max_seconds=0.05, keep_steps=False)
    assert late.status == "out-of-time" and 0 < late.t_final < 1e12
    assert pendulum.solve((0, 1), max_memory=0.001).status == "out-of-memory"
    short = pendulum.solve(1, keep_steps=False)
    assert len(short.t) == 0 and short.final["x"] == pendulum.solve(1).final["x"]
    with pytest.raises(daedal.Error) as info:
        short("x", 0.5)
    assert info.value.id == "E-SOL-003"
    with pytest.raises(ValueError, match="span"):
        pendulum.solve((0, 1, 2))


def test_wrong_options_are_all_told_at_once(pendulum):
    with pytest.raises(daedal.Error) as info:
        pendulum.solve(1, tol=7, order=1)
    assert len(info.value.problems) == 2 and all(problem.id.startswith("E-OPT") for problem in info.value.problems)
    with pytest.raises(TypeError, match="max_step"):
        pendulum.solve(1, maxstep=0.1)
    with pytest.raises(TypeError, match="neither an option nor a parameter"):
        pendulum.initialize(zzz=1)


@pytest.mark.parametrize(
    "name, value, kind",
    [
        ("tol", "a", TypeError), ("tol", 10**400, OverflowError), ("order", 1.5, TypeError), ("order", 10**12, OverflowError), ("max_steps", 2**70, OverflowError),
        ("method", 3, TypeError), ("keep_steps", "no", TypeError), ("max_step", "q", TypeError), ("at", "q", TypeError),
        ("span", (0, "q"), TypeError), ("L", "9", TypeError), ("L", 10**400, OverflowError),
    ],
)  # fmt: skip
def test_options_of_a_wrong_type_are_named(pendulum, name, value, kind):
    for run in (pendulum.solve, lambda **options: pendulum.ensemble([{}], **options)):
        with pytest.raises(kind, match=rf"^{name} (must be|is out of range)"):
            run(**{"span": 1, name: value})


def test_other_arguments_of_a_wrong_type_are_named(pendulum, swing):
    runs = pendulum.ensemble([{}], 1)
    x = pendulum["x"]
    for name, kind, question in (
        ("order", TypeError, lambda: swing("x", 1.0, order=1.5)),
        ("order", TypeError, lambda: swing(1.0, order="1")),
        ("order", OverflowError, lambda: swing("x", 1.0, order=10**12)),
        ("order", OverflowError, lambda: swing("der(x, 99999999999)", 1.0)),
        ("order", TypeError, lambda: runs("x", 1.0, order=1.5)),
        ("order", OverflowError, lambda: runs("x", 1.0, order=-(10**12))),
        ("order", TypeError, lambda: daedal.der(x, 1.5)),
        ("order", OverflowError, lambda: daedal.der([x], 2**40)),
        ("max_points", TypeError, lambda: swing.to_html("a")),
        ("max_points", OverflowError, lambda: swing.to_html(max_points=2**40)),
        ("lanes", TypeError, lambda: pendulum.ensemble([{}], 1, lanes=1.5)),
        ("threads", OverflowError, lambda: pendulum.ensemble([{}], 1, threads=2**40)),
        ("t", TypeError, lambda: pendulum.initialize("a")),
        ("method", TypeError, lambda: pendulum.initialize(method=3)),
        ("derivatives", OverflowError, lambda: pendulum.analyze_array(derivatives=2**40)),
        ("differentiations", TypeError, lambda: pendulum.derivative_array(1.5)),
        ("differentiations", OverflowError, lambda: pendulum.evaluate_array([2**40])),
        ("stop_time", TypeError, lambda: pendulum.set_experiment(stop_time="a")),
        ("g", TypeError, lambda: pendulum.set_parameter("g", "b")),
        ("n", TypeError, lambda: daedal.parse("model M end M;", n="b")),
    ):
        with pytest.raises(kind, match=rf"^{name} (must be|is out of range)"):
            question()
    assert swing("x", 1.0, order=np.int32(1)) == swing("der(x)", 1.0)


@pytest.mark.parametrize("method", ["taylor", "array", "dd-erk", "dd-ida", "bdf"])
def test_a_run_without_steps_is_known_at_its_start(method):
    m = daedal.Model("Decay")
    x, y = m.variable("x", start=2, fixed=True), m.variable("y")
    m.equation(daedal.der(x) == -x)
    m.equation(y == 3 * x)
    m.output("z", x + y)
    for sol in (m.solve((0.5, 0.5), method=method), m.solve((0.5, 1), method=method, max_steps=0)):
        assert sol.t.tolist() == [0.5] == sol.sample().tolist() and len(sol.steps) == 0
        assert sol["x"].tolist() == [2] and sol("y", 0.5) == 6 and sol(0.5).tolist() == [2, 6]
        assert sol("z", 0.5) == 8 and sol("der(x)", 0.5) == -2 and sol[["z", "x"]].tolist() == [[8], [2]]
        assert "2" in sol._repr_html_()
        for question, id in (
            (lambda: sol(0.6), "E-SOL-001"),
            (lambda: sol("z", [0.5, np.nan]), "E-SOL-001"),
            (lambda: sol("xx", 0.5), "E-SOL-002"),
            (lambda: sol("der(x, 99)", 0.5), "E-SOL-004"),
            (lambda: sol("x", 0.5, order=-1), "E-SOL-004"),
            (lambda: sol("der(z)", 0.5), "E-SOL-004"),
        ):
            with pytest.raises(daedal.Error) as info:
                question()
            assert info.value.id == id
    values = m.ensemble([{}, {}], (0.5, 0.5), method=method)("y", [0.5, 0.6])
    assert values[:, 0].tolist() == [6, 6] and np.isnan(values[:, 1]).all()
    with pytest.raises(daedal.Error) as info:
        m.solve((0.5, 0.5), keep_steps=False)(0.5)
    assert info.value.id == "E-SOL-003"


def test_copies_of_results_are_themselves_and_do_not_travel(pendulum, ball, swing):
    for result in (swing, swing.start, pendulum.analyze()):
        assert copy.copy(result) is result and copy.deepcopy([result])[0] is result
        with pytest.raises(TypeError, match=f"{type(result).__name__} cannot be pickled.*to_dict"):
            pickle.dumps(result)
    events = ball.solve((0, 1)).events
    assert events and all(a is b for a, b in zip(copy.deepcopy(events), events))
    runs = pendulum.ensemble({"L": [8, 9]}, 1)
    again = copy.deepcopy(runs)
    assert again is not runs and again.final["x"].tolist() == runs.final["x"].tolist()


def test_bouncing_ball_against_the_closed_form():
    data = json.loads((PROBLEMS / "bouncing_ball" / "bouncing_ball.json").read_text())
    sol = daedal.load(PROBLEMS / "bouncing_ball" / "bouncing_ball.mo").solve((0, 4), tol=1e-12)
    assert len(sol.events) == 19
    for event, exact in zip(sol.events, data["events"]):
        assert digits(event.t, float(exact["t"])) > 12 and event.name == exact["clause"] and event.kind == "when"
        jump = {each.name: each for each in event.jumps}["v"]
        assert digits([jump.before, jump.after], [float(exact["before"]["v"]), float(exact["after"]["v"])]) > 11
    exact = reference("bouncing_ball", 4)
    assert digits(sol.final["v"], exact["v"]) > 9


def test_events_from_operators(ball):
    sol = ball.solve((0, 10), tol=1e-12)
    t1 = math.sqrt(2 / 9.81)
    expected = [t1 * (1 + 2 * sum(0.5**k for k in range(1, n + 1))) for n in range(5)]
    bounces = [event for event in sol.events if event.name == "bounce"]
    assert digits([event.t for event in bounces], np.array(expected)) > 12
    assert sol.ok and sol.events[-1].kind == "end" and digits(sol.t_final, expected[-1]) > 12
    # Behind an event the value is the new one, just before it the old one.
    t = bounces[0].t
    assert sol("der(h)", t) == pytest.approx(0.5 * 9.81 * t1) and sol("der(h)", np.nextafter(t, 0)) == pytest.approx(-9.81 * t1)
    ts = sol.sample(100)
    assert t in ts and np.nextafter(t, 0) in ts and (np.diff(ts) > 0).all()


def test_modes_of_a_rectifier_like_switch():
    # x' = -1 above 1/2, -2 below: x = 0 at t = 1/2 + 1/4
    m = daedal.Model("Switch")
    x = m.variable("x", start=1, fixed=True)
    m.equation(daedal.der(x) == daedal.if_else(x > 0.5, -1, -2))
    sol = m.solve((0, 1), tol=1e-12)
    assert [event.kind for event in sol.events] == ["mode"] and digits(sol.events[0].t, 0.5) > 13
    assert len(sol.modes) == 2 and digits([mode.time for mode in sol.modes], [0.5, 0.5]) > 12
    assert digits(sol.final["x"], -0.5) > 12


def test_numerical_trouble_is_a_status_and_an_exception_on_request():
    m = daedal.Model("Pole")
    x = m.variable("x", start=1, fixed=True)
    m.equation(daedal.der(x) == x**2)  # 1/(1 - t)
    sol = m.solve((0, 2))
    assert sol.status == "blow-up" and not sol.ok and sol.t_final == pytest.approx(1, abs=1e-8)
    assert digits(sol("x", 0.5), 2.0) > 8  # what was computed stays usable
    with pytest.raises(daedal.NumericalTrouble) as info:
        sol.raise_if_failed()
    assert info.value.id == sol.problems[0].id and info.value.id.startswith("S-INT") and info.value.result is sol
    assert m.solve((0, 0.5)).raise_if_failed().ok


def test_wrong_questions(swing):
    for question, id in (
        (lambda: swing("x", 11), "E-SOL-001"),
        (lambda: swing(np.array([1.0, np.nan])), "E-SOL-001"),
        (lambda: swing("lamda", 1), "E-SOL-002"),
        (lambda: swing["nothing"], "E-SOL-002"),
        (lambda: swing("x", 1, order=99), "E-SOL-004"),
        (lambda: swing("x", 1, order=-1), "E-SOL-004"),
    ):
        with pytest.raises(daedal.Error) as info:
            question()
        assert info.value.id == id
    with pytest.raises(TypeError):
        swing("x", "y", 1)


def test_results_are_of_the_model_at_the_time_of_the_call(pendulum):
    sol = pendulum.solve(1, L=8)
    pendulum.parameters["g"] = 1
    assert sol.model.parameters["L"] == 8 and sol.model.parameters["g"] == 9.81


def test_text_json_and_dict(swing):
    assert swing.text().startswith("reached t = 10: ") and str(swing) == swing.text()
    data = swing.to_dict()
    assert data["status"] == "ok" and data["final"]["x"] == swing.final["x"] and json.loads(swing.to_json()) == data
    assert repr(swing).startswith("<Solution of Pendulum: ok, reached t = 10, ")
    assert swing.statistics.steps == len(swing.t) - 1 and swing.seconds.total > 0
    assert repr(swing.seconds).startswith("Seconds(analysis=")


def test_steps_tell_how_they_went(swing):
    steps = swing.steps
    assert np.array_equal(steps.end, swing.t[1:]) and len(steps) == swing.statistics.steps
    assert np.allclose(steps.length, np.diff(swing.t)) and steps.length.max() == swing.statistics.largest_step
    assert (steps.order == swing.order).all() and steps.rejected.sum() == swing.statistics.rejected


def test_dataframe(swing):
    pandas = pytest.importorskip("pandas")
    frame = swing.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["x", "y", "lambda"] and len(frame) == len(swing.t)


def test_callbacks(pendulum):
    seen, samples = [], []
    sol = pendulum.solve((0, 10), on_step=lambda p: seen.append((p.t, p.steps)), on_sample=lambda t, v: samples.append((t, v)))
    assert [t for t, _ in seen] == sol.t[1:].tolist() and seen[-1][1] == sol.statistics.steps
    assert [t for t, _ in samples] == sol.t.tolist() and np.array_equal(samples[-1][1], list(sol.final.values()))
    stopped = pendulum.solve((0, 10), on_step=lambda p: p.steps < 3)
    assert stopped.status == "interrupted" and stopped.statistics.steps == 3 and stopped.t_final == stopped.t[-1]


def test_anything_false_but_none_stops_a_run(pendulum):
    for answer, status in ((np.bool_(False), "interrupted"), (np.array(False), "interrupted"), (0, "interrupted"), (None, "ok"), (np.bool_(True), "ok")):
        assert pendulum.solve((0, 10), on_step=lambda p: answer).status == status
        assert pendulum.ensemble([{}], (0, 10), on_step=lambda p: answer).status.tolist() == [status]
    with pytest.raises(ValueError, match="ambiguous"):
        pendulum.solve((0, 10), on_step=lambda p: np.array([True, False]))


def test_exceptions_of_callbacks_come_through(pendulum):
    class Mine(Exception):
        pass

    def fail(*arguments):
        raise Mine("here")

    for options in ({"on_step": fail}, {"on_sample": fail}):
        with pytest.raises(Mine, match="here") as info:
            pendulum.solve((0, 10), **options)
        assert info.traceback[-1].name == "fail"


def test_progress_is_silent_unless_on_a_terminal(pendulum, capfd):
    pendulum.solve((0, 10), progress=True)
    assert capfd.readouterr() == ("", "")


def test_ensemble_members_are_single_runs(pendulum):
    lengths = np.linspace(8, 12, 5)
    runs = pendulum.ensemble({"L": lengths}, (0, 10), tol=1e-12, threads=2, lanes=2)
    assert len(runs) == 5 and runs.ok.all() and runs.parameters["L"].tolist() == lengths.tolist()
    ts = np.linspace(0, 10, 7)
    for run, length in zip(runs, lengths):
        single = pendulum.solve((0, 10), tol=1e-12, L=length)
        assert np.array_equal(run(ts), single(ts)) and run.model.parameters["L"] == length
    assert runs("x", ts).shape == (5, 7) and np.array_equal(runs("x", ts)[3], runs[3]("x", ts))
    assert runs("x", 10).tolist() == runs.final["x"].tolist() and np.array_equal(runs("x", ts, order=1), runs("der(x)", ts))
    assert [len(runs[1:3]), len(runs[runs.parameters["L"] > 9.5])] == [2, 3] and runs[-1] is runs[4]
    assert runs.raise_if_failed() is runs


def test_ensembles_of_dicts_and_of_several_arrays(pendulum):
    runs = pendulum.ensemble([{"L": 9}, {"g": 1.62}], 1)
    assert runs.parameters["L"].tolist() == [9, 10] and runs.parameters["g"].tolist() == [9.81, 1.62]
    grid = pendulum.ensemble({"L": np.array([[8], [9]]), "g": [1, 2, 3]}, 1, parameters={})
    assert len(grid) == 6 and grid.parameters["g"].tolist() == [1, 2, 3, 1, 2, 3]
    shared = pendulum.ensemble({"L": [8, 9]}, 1, g=5)
    assert shared.parameters["g"].tolist() == [5, 5]
    assert len(pendulum.ensemble([], 1)) == 0
    with pytest.raises(daedal.Error) as info:
        pendulum.ensemble({"l": [1]}, 1)
    assert info.value.id == "E-MOD-007"
    with pytest.raises(daedal.Error) as info:
        runs("xx", 1)
    assert info.value.id == "E-SOL-002"


def test_members_that_fail_are_nan_behind_their_end():
    m = daedal.Model("Pole")
    a = m.parameter("a", 1)
    x = m.variable("x", start=1, fixed=True)
    m.equation(daedal.der(x) == a * x**2)  # 1/(1 - a t)
    runs = m.ensemble({"a": [0.5, 2]}, 1, tol=1e-12)
    assert runs.ok.tolist() == [True, False] and runs.status[1] == "blow-up"
    values = runs("x", [0.25, 1])
    assert digits(values[0], 1 / (1 - 0.5 * np.array([0.25, 1]))) > 11 and digits(values[1, 0], 2.0) > 11 and np.isnan(values[1, 1])
    with pytest.raises(daedal.NumericalTrouble):
        runs.raise_if_failed()


def test_text_plot_draws_what_is_asked_for(pendulum):
    sol = pendulum.solve((0, 2))
    plot = sol.text_plot("x", "der(y)", width=60, unicode=False)
    assert plot.isascii()
    assert plot.startswith("x\n") and "\nder(y)\n" in plot
    assert max(map(len, plot.splitlines())) <= 60
    with pytest.raises(daedal.Error) as info:
        sol.text_plot("lambada")
    assert info.value.id == "E-SOL-002"


def test_a_tolerance_below_rounding_is_warned_of():
    m = daedal.Model("Decay")
    x = m.variable("x", start=1, fixed=True)
    m.equation(daedal.der(x) == -x)
    assert [w.id for w in m.solve(1, tol=2e-15).warnings] == ["W-TOL-001"]
    assert m.solve(1, tol=1e-12).warnings == []


def test_methods_say_what_they_accept_and_ensembles_use_the_one_asked_for():
    by_name = {method.name: method for method in daedal.methods()}
    assert list(by_name)[0] == "auto" and by_name["bdf"].is_multistep and by_name["array"].accepts_modes
    assert by_name["dd-erk"].orders == [2, 3, 4, 5, 6, 8]
    m = daedal.Model("Decay")
    k, x = m.parameter("k", 1.0), m.variable("x", start=1, fixed=True)
    m.equation(daedal.der(x) == -k * x)
    for name, method in by_name.items():
        if method.accepts_ensembles:
            members = m.ensemble({"k": [1.0, 2.0]}, 1.0, tol=1e-6, method=name)
            for member, value in zip(members, [1.0, 2.0]):
                alone = m.solve(1.0, tol=1e-6, method=name, k=value)
                assert member.method == alone.method and member.statistics.steps == alone.statistics.steps
                assert member.final["x"] == alone.final["x"], name


def test_discrete_variables_are_results(ball):
    sol = ball.solve((0, 20))
    assert sol.discretes == ["count"] and sol.outputs == [] and "count" in sol
    assert list(sol.final) == ["h", "count"] and sol.final["count"] == 5
    bounces = np.array([event.t for event in sol.events if event.name == "bounce"])[:-1]
    assert sol("count", bounces).tolist() == [1, 2, 3, 4]
    assert sol("count", np.nextafter(bounces, 0)).tolist() == [0, 1, 2, 3]
    assert sol(["count", "h"], 0.1).shape == (2,) and sol["count"].max() >= 4
    assert [(jump.name, jump.before, jump.after) for jump in sol.events[0].jumps if jump.name == "count"] == [("count", 0, 1)]
    sampled = ball.solve((0, 20), at=[0.1, 0.6])
    assert sampled.at["count"].tolist() == sol("count", [0.1, 0.6]).tolist()
    assert sol.to_dict()["final"]["count"] == 5 and sol.start.discretes == {"count": 0} and sol.start["count"] == 0
    with pytest.raises(daedal.Error) as info:
        sol("count", 0.1, order=1)
    assert info.value.id == "E-SOL-004"


def test_a_lagrangian_of_a_defined_variable_is_that_of_its_expression():
    finals = []
    for by_name in (True, False):
        m = daedal.Model("Arm")
        q, x = m.variable("q", start=[0.5, 0], fixed=True), m.variable("x")
        tip = 2 * daedal.cos(q)
        m.equation(x == tip)
        m.lagrangian(0.5 * daedal.der(q) ** 2 - 3 * (x if by_name else tip), [q])
        finals.append(m.solve(3, tol=1e-11).final["q"])
    assert finals[0] == pytest.approx(finals[1], abs=1e-9)
