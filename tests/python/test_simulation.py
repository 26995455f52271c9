"""Runs that their user drives, and models that are prepared once."""
import gc
import math
import os
import pickle
import signal
import threading
import weakref

import numpy as np
import pytest

import daedal
from daedal import der

G = 9.81


def make_swing(kick=None):
    """A pendulum with room to both sides; `kick` makes it one that is kicked at t = 5 by its own `when`."""
    m = daedal.Model("Swing")
    g, L = m.parameter("g", G), m.parameter("L", 10.0)
    x = m.variable("x", start=[0.6 * L, 0], fixed=True)
    y = m.variable("y", start=0.8 * L)
    lam = m.variable("lambda")
    m.equation(der(x, 2) + x * lam == 0)
    m.equation(der(y, 2) + y * lam == g)
    m.equation("length", x**2 + y**2 == L**2)
    m.output("energy", 0.5 * (der(x) ** 2 + der(y) ** 2) - g * y)
    if kick is not None:
        m.when("kick", m.time >= 5, *kick(x, der(x)))
    return m


@pytest.fixture
def swing_model():
    return make_swing()


@pytest.fixture
def bouncing():
    """Dropped from 1 m, half of the speed is left at each bounce."""
    m = daedal.Model("Ball")
    h = m.variable("h", start=[1, 0], fixed=True)
    m.equation(der(h, 2) == -G)
    m.when("bounce", h < 0, daedal.reinit(der(h), -0.5 * der(h)))
    return m


def id_of(call):
    with pytest.raises(daedal.Error) as info:
        call()
    return info.value.id


def same_bits(one, other):
    """Everything that two runs of one model computed, to the last bit."""
    assert one.status == other.status and one.variables == other.variables
    assert np.array_equal(one.t, other.t)
    times = np.linspace(one.t[0], one.t[-1], 77)
    for order in (0, 1):
        assert np.array_equal(one(times, order=order), other(times, order=order))
    assert one.final == other.final
    return True


# Steps.


def test_steps_by_hand_give_the_bits_of_solve(swing_model):
    whole = swing_model.solve((0, 10), tol=1e-12)
    sim = swing_model.simulate((0, 10), tol=1e-12)
    assert sim.t == 0 and sim.num_steps == 0 and not sim.is_over
    times = [sim.t]
    while sim.step():
        times.append(sim.t)
    if times[-1] != sim.t:
        times.append(sim.t)
    assert sim.is_over and sim.ok and sim.t == 10
    assert np.array_equal(times, whole.t) and sim.num_steps == whole.statistics.steps
    assert same_bits(sim.solution(), whole)


def test_finish_gives_the_bits_of_solve(swing_model):
    sim = swing_model.simulate((0, 10), tol=1e-12)
    assert sim.finish() and sim.is_over
    assert same_bits(sim.solution(), swing_model.solve((0, 10), tol=1e-12))


def test_where_a_run_is_over_nothing_happens(swing_model):
    sim = swing_model.simulate((0, 1))
    sim.finish()
    steps = sim.num_steps
    assert not sim.step() and sim.t == 1 and sim.num_steps == steps and sim.ok


def test_step_until_ends_at_exactly_that_time(swing_model):
    sim = swing_model.simulate((0, 10), tol=1e-12)
    whole = swing_model.solve((0, 10), tol=1e-12)
    for t in (0.1, 1 / 3, 2.0, math.pi, 10):
        assert sim.step_until(t) and sim.t == t
        assert sim["x"] == pytest.approx(whole("x", t), abs=1e-10)


def test_beyond_its_end_a_run_is_extended(swing_model):
    sim = swing_model.simulate((0, 5), tol=1e-12)
    assert sim.finish() and sim.is_over
    assert sim.step_until(10) and sim.t == 10
    assert sim["x"] == pytest.approx(swing_model.solve((0, 10), tol=1e-12).final["x"], abs=1e-10)


def test_runs_go_backwards(swing_model):
    sim = swing_model.simulate((0, -3), tol=1e-12)
    assert sim.step_until(-1) and sim.t == -1 and sim.finish() and sim.t == -3
    assert sim["x"] == pytest.approx(swing_model.solve((0, -3), tol=1e-12).final["x"], abs=1e-10)
    assert id_of(lambda: sim.step_until(-1)) == "E-SIM-001"


@pytest.mark.parametrize("method", ["taylor", "dd-erk", "dd-ida", "bdf", "array", "completion"])
def test_every_method_can_be_driven(swing_model, method):
    options = {"method": method, "tol": 1e-8}
    sim = swing_model.simulate((0, 2), **options)
    assert sim.step_until(1) and sim.t == 1
    sim["der(x)"] += 1
    assert sim.step_until(2)
    reference = swing_model.simulate((0, 2), tol=1e-12)
    reference.step_until(1)
    reference["der(x)"] += 1
    reference.finish()
    assert sim["x"] == pytest.approx(reference["x"], abs=1e-4)


# Looking.


def test_present_values_are_those_of_the_solution(swing_model):
    sim = swing_model.simulate((0, 10), tol=1e-12)
    sim.step_until(4)
    sol = swing_model.solve((0, 10), tol=1e-12)
    for name in ("x", "y", "lambda", "der(x)", "der(y)", "der(x, 2)", "energy"):
        assert sim[name] == pytest.approx(sol(name, 4), abs=1e-9), name
    assert sim.variables == ["x", "y", "lambda"] and sim.values == {name: sim[name] for name in sim.variables}
    assert math.hypot(sim["x"], sim["y"]) == pytest.approx(10, abs=1e-12)


def test_names_may_be_expressions(swing_model):
    sim = swing_model.simulate((0, 1))
    x = swing_model["x"]
    assert sim[x] == sim["x"] and sim[der(x)] == sim["der( x )"] == sim["der(x, 1)"] == sim["der(x)"]
    assert sim[der(x, 2)] == sim["der(der(x))"] == sim["der(x, 2)"]
    sim[der(x)] = 0.25
    assert sim["der(x)"] == 0.25
    assert x in sim and "der(x)" in sim and "z" not in sim


def test_a_simulation_says_how_it_is(swing_model):
    sim = swing_model.simulate((0, 1), tol=1e-12)
    assert repr(sim) == "<Simulation of Swing at t = 0: ok, 0 steps>"
    sim.finish()
    assert repr(sim).startswith("<Simulation of Swing at t = 1: ok, over, ")
    assert sim.raise_if_failed() is sim and sim.problems == []
    with pytest.raises(TypeError, match="sim.variables"):
        iter(sim)


def test_a_solution_in_between_does_not_change_when_the_run_goes_on(swing_model):
    sim = swing_model.simulate((0, 10), tol=1e-12)
    sim.step_until(3)
    early = sim.solution()
    values = early["x"].copy()
    sim["der(x)"] = 1
    sim.finish()
    assert early.t_final == 3 and np.array_equal(early["x"], values) and early.t[-1] == 3
    late = sim.solution()
    assert late.t_final == 10 and np.array_equal(late.t[: len(early.t)], early.t)


def test_trouble_on_the_way_is_a_status():
    m = daedal.Model("Pole")
    v = m.variable("v", start=1, fixed=True)
    m.equation(der(v) == v**2)
    sim = m.simulate((0, 2))
    assert sim.step_until(0.5) and sim.ok
    assert not sim.step_until(1.5)
    assert sim.is_over and sim.status == "blow-up" and sim.problems[0].id == "S-INT-004" and sim.t < 1.0001
    with pytest.raises(daedal.NumericalTrouble) as info:
        sim.raise_if_failed()
    assert info.value.result("v", 0.5) == pytest.approx(2, rel=1e-8)
    assert not sim.step() and not sim.finish()


# Changing.


def test_a_kick_by_hand_equals_a_when_that_does_the_same(swing_model):
    kicked = make_swing(lambda x, v: [daedal.reinit(v, v + 1)]).solve((0, 10), tol=1e-12)
    sim = swing_model.simulate((0, 10), tol=1e-12)
    sim.step_until(5)
    speed = sim["der(x)"]
    sim["der(x)"] += 1
    sim.finish()
    sol = sim.solution()
    assert sol("der(x)", 5) == pytest.approx(speed + 1, abs=1e-12)
    assert sol("x", 5) * sol("der(x)", 5) + sol("y", 5) * sol("der(y)", 5) == pytest.approx(0, abs=1e-10)
    times = np.concatenate([np.linspace(0, 4.999, 50), np.linspace(5, 10, 50)])
    for order in (0, 1):
        assert np.abs(sol(times, order=order) - kicked(times, order=order)).max() < 1e-10


def test_a_new_position_by_hand_equals_a_when_that_does_the_same(swing_model):
    moved = make_swing(lambda x, v: [daedal.reinit(x, 2), daedal.reinit(v, 0.5)]).solve((0, 8), tol=1e-12)
    sim = swing_model.simulate((0, 8), tol=1e-12)
    sim.step_until(5)
    sim["x"] = 2
    sim["der(x)"] = 0.5
    assert sim["x"] == 2 and sim["der(x)"] == 0.5
    sim.finish()
    assert sim.solution()("y", 5) == pytest.approx(math.sqrt(96), abs=1e-12)
    times = np.linspace(5, 8, 50)
    assert np.abs(sim.solution()(times) - moved(times)).max() < 1e-10


def test_several_changes_before_a_step_are_one(swing_model):
    one, other = (swing_model.simulate((0, 5), tol=1e-12) for _ in range(2))
    for sim in (one, other):
        sim.step_until(1)
    one["x"], one["der(x)"] = 1.0, 2.0
    other["der(x)"], other["x"] = 2.0, 1.0
    for sim in (one, other):
        sim.finish()
    assert same_bits(one.solution(), other.solution())


def test_a_parameter_changes_from_now_on():
    m = daedal.Model("Growth")
    k = m.parameter("k", 1.0)
    m.parameter("twice", 2 * k)
    x = m.variable("x", start=1, fixed=True)
    m.equation(der(x) == k * x)
    m.output("rate", k)
    sim = m.simulate((0, 2), tol=1e-12)
    sim.step_until(1)
    sim.parameters["k"] = -1
    assert dict(sim.parameters) == {"k": -1, "twice": -2}
    assert m.parameters["k"] == 1
    sim.finish()
    assert dict(sim.parameters) == {"k": -1, "twice": -2} and sim["rate"] == -1
    assert sim["x"] == pytest.approx(1, abs=1e-10)
    assert sim.solution()("x", 1.5) == pytest.approx(math.exp(0.5), abs=1e-10)


def test_a_longer_rod_moves_its_end_as_little_as_possible(swing_model):
    sim = swing_model.simulate((0, 5), tol=1e-12)
    sim.step_until(2)
    x, y = sim["x"], sim["y"]
    sim.parameters["L"] = 10.5
    assert sim.step()
    sol = sim.solution()
    assert math.hypot(sol("x", 2), sol("y", 2)) == pytest.approx(10.5, abs=1e-10)
    assert math.hypot(sol("x", 2) - x, sol("y", 2) - y) < 1


def test_a_change_that_has_no_solution_is_a_status(swing_model):
    sim = swing_model.simulate((0, 5))
    sim.step_until(1)
    sim["x"] = 11  # the rod is 10 long
    assert not sim.step() and not sim.ok and sim.t == 1
    assert "x" in sim.problems[0].text()
    assert id_of(lambda: sim.set("x", 1)) == "E-SIM-005" and id_of(sim.save) == "E-SIM-005"


def test_modes_follow_a_change():
    m = daedal.Model("Switch")
    x = m.variable("x", start=1, fixed=True)
    m.equation(der(x) == daedal.if_else(x > 0, 1, -2))
    sim = m.simulate((0, 3), tol=1e-12)
    sim.step_until(1)
    assert sim["x"] == pytest.approx(2, abs=1e-12)
    sim["x"] = -1
    sim.step_until(2)
    assert sim["x"] == pytest.approx(-3, abs=1e-12)


# Events.


def test_callbacks_at_bounces_see_the_closed_form(bouncing):
    """Bounce n, n = 1, 2, ...: up with sqrt(2 g) / 2^n, from which the ball rises to 4^-n; the flight after it takes 2 sqrt(2/g) / 2^n."""
    sim = bouncing.simulate((0, 1.3), tol=1e-12)
    seen = []
    sim.on_event(lambda same, event: seen.append((same is sim, event.name, event.t, same.t, same["h"], same["der(h)"])))
    assert sim.finish()
    assert len(seen) == 5
    t = math.sqrt(2 / G)
    for n, (is_same, name, when, now, height, speed) in enumerate(seen, 1):
        assert is_same and name == "bounce" and when == now
        assert when == pytest.approx(t, abs=1e-10) and abs(height) < 1e-12
        assert speed**2 / (2 * G) == pytest.approx(4.0**-n, abs=1e-10)
        t += 2 * math.sqrt(2 / G) / 2**n


def test_a_step_ends_at_an_event(bouncing):
    sim = bouncing.simulate((0, 1), tol=1e-12)
    while sim["der(h)"] <= 0:
        assert sim.step()
    assert sim.t == pytest.approx(math.sqrt(2 / G), abs=1e-12) and sim["der(h)"] == pytest.approx(0.5 * math.sqrt(2 * G), abs=1e-10)
    assert [event.name for event in sim.solution().events] == ["bounce"]


def test_a_callback_may_change_what_happens_next(bouncing):
    """The ball gets back what it lost: it rises to where it was dropped, again and again."""
    sim = bouncing.simulate((0, 4), tol=1e-12)
    times = []

    @sim.on_event
    def give_back(sim, event):
        times.append(event.t)
        sim["der(h)"] = 2 * sim["der(h)"]

    assert sim.finish()
    expected = math.sqrt(2 / G) * np.arange(1, 2 * len(times), 2)
    assert len(times) == 4 and np.allclose(times, expected, atol=1e-9)


def test_what_a_callback_raises_comes_out_of_the_call_and_the_run_stays_usable(bouncing):
    sim = bouncing.simulate((0, 1), tol=1e-12)

    @sim.on_event
    def fail(sim, event):
        raise ValueError("here")

    with pytest.raises(ValueError, match="here"):
        sim.finish()
    assert sim.t == pytest.approx(math.sqrt(2 / G), abs=1e-12)
    sim.on_event(None)
    assert sim.finish() and sim.t == 1 and sim.ok
    assert sim["h"] == pytest.approx(bouncing.solve((0, 1), tol=1e-12).final["h"], abs=1e-10)


def test_a_callback_is_something_to_call(bouncing):
    with pytest.raises(TypeError, match="cannot be called"):
        bouncing.simulate((0, 1)).on_event(3)


def test_callbacks_cannot_make_steps(bouncing):
    sim = bouncing.simulate((0, 1))
    sim.on_event(lambda sim, event: sim.step())
    with pytest.raises(RuntimeError, match="callbacks cannot make other ones"):
        sim.finish()


def test_a_callback_at_steps_stops_a_call_but_not_the_run(swing_model):
    stops = []
    sim = swing_model.simulate((0, 10), tol=1e-12, on_step=lambda progress: not (progress.steps == 3 and stops.append(1) is None))
    sim.finish()
    assert sim.num_steps == 3 and stops == [1] and sim.t < 10
    assert sim.finish() and sim.t == 10 and sim.ok


def test_samples_are_given_as_the_run_goes(swing_model):
    seen = []
    sim = swing_model.simulate((0, 10), tol=1e-12, at=[1, 2, 3], on_sample=lambda t, values: seen.append((t, values[0])))
    sim.step_until(2.5)
    assert [t for t, _ in seen] == [1, 2]
    sim.finish()
    sol = swing_model.solve((0, 10), tol=1e-12)
    assert [t for t, _ in seen] == [1, 2, 3] and np.allclose([x for _, x in seen], sol("x", np.array([1, 2, 3])), atol=1e-10)


# Keeping.


def test_a_saved_state_goes_on_to_the_same_bits(swing_model):
    sim = swing_model.simulate((0, 10), tol=1e-12)
    sim.step_until(4)
    state = sim.save()
    assert isinstance(state, bytes)
    t, values = sim.t, sim.values
    sim.finish()
    end, times = sim.values, sim.solution().t

    sim.restore(state)
    assert (sim.t, sim.values) == (t, values) and not sim.is_over
    sim.finish()
    assert sim.values == end and np.array_equal(sim.solution().t, times[times >= t])

    other = make_swing().simulate((0, 10), tol=1e-12)
    other.restore(pickle.loads(pickle.dumps(state)))
    assert (other.t, other.values) == (t, values)
    other.finish()
    assert other.values == end


@pytest.mark.parametrize("method", ["taylor", "dd-erk", "dd-ida", "bdf", "array", "completion"])
def test_every_method_goes_on_to_the_same_bits(swing_model, method):
    sim = swing_model.simulate((0, 2), method=method, tol=1e-8)
    sim.step_until(1)
    state = sim.save()
    sim.finish()
    end = sim.values
    sim.restore(state)
    sim.finish()
    assert sim.values == end
    for first in (1.2, 1.9):
        sim.restore(state)
        state = sim.save()
        sim.step_until(first)
        sim.finish()
        end = sim.values
        sim.restore(state)
        sim.step_until(first)
        sim.finish()
        assert sim.values == end


def test_a_saved_state_has_changes_and_parameters(swing_model):
    sim = swing_model.simulate((0, 10), tol=1e-12)
    sim.step_until(3)
    sim["der(x)"] = 1
    sim.parameters["g"] = 1.62
    sim.step_until(4)
    state = sim.save()
    sim.finish()
    other = swing_model.simulate((0, 10), tol=1e-12)
    other.restore(state)
    assert other.parameters["g"] == 1.62
    other.finish()
    assert other.values == sim.values


def test_from_one_state_many_futures(swing_model):
    sim = swing_model.simulate((0, 10), tol=1e-12)
    sim.step_until(2)
    state, ends = sim.save(), []
    for kick in (0.0, 0.5, 0.0):
        sim.restore(state)
        sim["der(x)"] += kick
        sim.finish()
        ends.append(sim["x"])
        assert sim.solution().t_final == 10 and (np.diff(sim.solution().t) > 0).all()
    assert ends[0] == ends[2] != ends[1]


def test_simulations_themselves_are_not_copied(swing_model):
    sim = swing_model.simulate((0, 1))
    for make in (pickle.dumps, __import__("copy").copy, __import__("copy").deepcopy):
        with pytest.raises(TypeError, match="restore"):
            make(sim)


# Prepared models.


def test_prepared_solves_are_solves_bit_by_bit(swing_model):
    prepared = swing_model.prepare((0, 10), tol=1e-12)
    for length in (8.0, 9.5, 12.0):
        assert same_bits(prepared.solve(L=length), swing_model.solve((0, 10), tol=1e-12, L=length))
    assert same_bits(prepared.solve(parameters={"L": 9}, g=1.62), swing_model.solve((0, 10), tol=1e-12, L=9, g=1.62))
    assert same_bits(prepared.solve(), swing_model.solve((0, 10), tol=1e-12))
    assert prepared.num_analyses == 1
    assert prepared.solve(L=9).model.parameters["L"] == 9


def test_prepared_starts_are_those_of_a_model_that_has_them():
    def model(x, v, y):
        m = daedal.Model("Start")
        X, Y = m.variable("x", start=[x, v], fixed=True), m.variable("y", start=y)
        lam = m.variable("lambda")
        m.equation(der(X, 2) + X * lam == 0)
        m.equation(der(Y, 2) + Y * lam == G)
        m.equation("length", X**2 + Y**2 == 1)
        return m

    prepared = model(0.6, 0, 0.8).prepare((0, 3), tol=1e-12)
    for x, v, y in [(0.1, 1.0, 1.0), (0.5, 0.0, -1.0)]:
        expected = model(x, v, y).solve((0, 3), tol=1e-12)
        assert same_bits(prepared.solve(fixed={"x": x, "der(x)": v}, start={"y": y}), expected)
    assert prepared.num_analyses == 1


def test_a_thousand_solves_of_a_prepared_model_cost_no_second_analysis(swing_model):
    prepared = swing_model.prepare((0, 0.5), tol=1e-9)
    ends = [prepared.solve(L=5 + 0.01 * k, fixed={"x": 1 + 0.001 * k}).final["x"] for k in range(1000)]
    assert prepared.num_analyses == 1 and len(set(ends)) == 1000


def test_each_mode_is_analysed_once(bouncing):
    prepared = bouncing.prepare((0, 1), tol=1e-10)
    first = prepared.solve()
    analyses = prepared.num_analyses
    for height in (1.5, 1.0, 2.0):
        assert prepared.solve(fixed={"h": height}).ok
    assert prepared.num_analyses == analyses
    assert same_bits(prepared.solve(), first) and same_bits(first, bouncing.solve((0, 1), tol=1e-10))


def test_simulations_of_a_prepared_model_are_simulations(swing_model):
    prepared = swing_model.prepare((0, 10), tol=1e-12)
    sim = prepared.simulate(L=9, fixed={"x": 1})
    sim.finish()
    assert same_bits(sim.solution(), prepared.solve(L=9, fixed={"x": 1}))
    one, other = prepared.simulate(), prepared.simulate(L=9)
    while not (one.is_over and other.is_over):
        one.step()
        other.step()
    assert same_bits(one.solution(), swing_model.solve((0, 10), tol=1e-12))
    assert same_bits(other.solution(), swing_model.solve((0, 10), tol=1e-12, L=9))
    del prepared
    assert not one.step() and one.step_until(11)


def test_a_model_that_changes_later_does_not_change_what_is_prepared(swing_model):
    prepared, sim = swing_model.prepare((0, 1)), swing_model.simulate((0, 1))
    swing_model.parameters["L"] = 3
    assert prepared.solve().final["y"] > 5 and prepared.model.parameters["L"] == 10
    sim.finish()
    assert sim["y"] > 5 and repr(prepared) == "<PreparedModel Swing>"


def test_callbacks_of_a_prepared_model_are_called_in_every_run(swing_model):
    steps = []
    prepared = swing_model.prepare((0, 1), on_step=lambda progress: steps.append(progress.t))
    prepared.solve()
    once = len(steps)
    prepared.solve()
    assert len(steps) == 2 * once > 0
    def fail(t, values):
        raise ValueError("here")

    with pytest.raises(ValueError, match="here"):
        swing_model.prepare((0, 1), on_sample=fail).solve()


def test_discrete_variables_are_read_and_changed():
    """x grows with slope `on` until 1, falls until 0; `on` is 1 or -1."""
    m = daedal.Model("Switch")
    on = m.discrete("on", 1)
    x = m.variable("x", start=0, fixed=True)
    m.equation(der(x) == on)
    m.when("up", x > 1, daedal.assign(on, -1))
    m.when("down", x < 0, daedal.assign(on, 1))
    sim = m.simulate((0, 10), tol=1e-12)
    sim.step_until(0.5)
    assert sim["on"] == 1 and "on" in sim
    sim.step_until(1.5)
    assert sim["on"] == -1 and sim["x"] == pytest.approx(0.5, abs=1e-10)
    sim["on"] = 1
    sim.step_until(1.75)
    assert sim["on"] == 1 and sim["x"] == pytest.approx(0.75, abs=1e-10)
    state = sim.save()
    sim.finish()
    end = sim.values
    sim.restore(state)
    assert sim["on"] == 1
    sim.finish()
    assert sim.values == end


# Errors.


def test_a_time_in_the_past_is_refused(swing_model):
    sim = swing_model.simulate((0, 10))
    sim.step_until(5)
    assert id_of(lambda: sim.step_until(4)) == "E-SIM-001"
    assert sim.t == 5 and sim.finish()


def test_unknown_names_are_refused_with_the_nearest_one(swing_model):
    sim = swing_model.simulate((0, 1))
    with pytest.raises(daedal.Error, match="did you mean 'lambda'") as info:
        sim["lamda"]
    assert info.value.id == "E-SIM-002"
    for call in (
        lambda: sim.set("lamda", 1),
        lambda: sim["der(z)"],
        lambda: sim["der(x, 60)"],
        lambda: swing_model.simulate((0, 1), start={"z": 1}),
        lambda: swing_model.simulate((0, 1), fixed={"der(z)": 1}),
        lambda: swing_model.prepare((0, 1)).solve(start={"z": 1}),
        lambda: sim.set("energy", 1),
    ):
        assert id_of(call) == "E-SIM-002"
    assert sim.finish()


def test_wrong_values_are_refused(swing_model):
    sim = swing_model.simulate((0, 1))
    with pytest.raises(daedal.Error) as info:
        sim.parameters["l"] = 3
    assert info.value.id == "E-SIM-002" and "did you mean 'L'" in str(info.value)
    assert id_of(lambda: sim.parameters.update(L=math.nan)) == "E-MOD-003"
    for value in (math.nan, math.inf):
        assert id_of(lambda: sim.set("x", value)) == "E-SIM-006"
        assert id_of(lambda: swing_model.simulate((0, 1), start={"x": value})) == "E-SIM-006"
    with pytest.raises(TypeError, match="neither an option nor a parameter"):
        swing_model.prepare((0, 1)).solve(l=3)
    with pytest.raises(TypeError, match="must be a number"):
        sim["x"] = "a"
    assert sim.finish()


def test_right_after_an_event_a_state_cannot_be_saved(bouncing):
    sim = bouncing.simulate((0, 1))
    while not sim.solution().events:
        sim.step()
    assert id_of(sim.save) == "E-SIM-003"
    sim.step_until(0.7)
    state = sim.save()
    sim.finish()
    end = sim.values
    sim.restore(state)
    sim.finish()
    assert sim.values == end


def test_states_that_are_damaged_or_of_another_run_are_refused(swing_model, bouncing):
    sim = swing_model.simulate((0, 10))
    sim.step_until(2)
    state = sim.save()
    ball = bouncing.simulate((0, 1))
    ball.step()
    for wrong in (b"", b"no state", state[:-1], state[: len(state) // 2], state + b"x", bytes([state[0] ^ 1]) + state[1:],
                  state[:-20] + bytes([state[-20] ^ 1]) + state[-19:]):  # fmt: skip
        assert id_of(lambda: sim.restore(wrong)) == "E-SIM-004"
    other = swing_model.simulate((0, 10), tol=1e-6)
    assert id_of(lambda: other.restore(state)) == "E-SIM-004"
    assert id_of(lambda: ball.restore(state)) == "E-SIM-004"
    with pytest.raises(TypeError, match="bytes"):
        sim.restore("text")
    assert sim.t == 2 and sim.finish() and ball.finish() and other.finish()


# Threads, signals, memory.


def test_ctrl_c_ends_a_call_with_what_was_computed_and_the_run_goes_on(swing_model):
    sim = swing_model.simulate((0, 1e9), tol=1e-12, keep_steps=False)
    thread = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    thread.start()
    with pytest.raises(daedal.Interrupted) as info:
        sim.finish()
    thread.join()
    t = sim.t
    assert 0 < t < 1e9 and info.value.solution.t_final == t
    assert sim.step() and sim.t > t


def test_another_thread_cannot_use_a_simulation_that_makes_steps(swing_model):
    is_under_way, goes_on = threading.Event(), threading.Event()

    def on_step(progress):
        is_under_way.set()
        goes_on.wait(60)

    sim = swing_model.simulate((0, 10), tol=1e-12, on_step=on_step)
    thread = threading.Thread(target=sim.finish)
    thread.start()
    assert is_under_way.wait(60)
    for use in (lambda: sim.t, lambda: sim["x"], lambda: sim.set("x", 1), sim.step, sim.save, sim.solution):
        with pytest.raises(RuntimeError, match="makes steps at this moment"):
            use()
    goes_on.set()
    thread.join()
    assert sim.t == 10 and sim.ok


def test_threads_take_turns_with_a_prepared_model(swing_model):
    prepared = swing_model.prepare((0, 10), tol=1e-12, on_step=lambda progress: None)
    ends = {}

    def work(length):
        ends[length] = prepared.solve(L=length).final["x"]
        sim = prepared.simulate(L=length)
        sim.finish()
        assert sim["x"] == ends[length]

    threads = [threading.Thread(target=work, args=(8.0 + k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == {8.0 + k: swing_model.solve((0, 10), tol=1e-12, L=8.0 + k).final["x"] for k in range(4)}


def test_a_simulation_that_its_callback_refers_to_is_freed(bouncing):
    class Owner:
        def __init__(self):
            self.sim = bouncing.simulate((0, 1), on_step=self.step)
            self.sim.on_event(self.happen)
            self.sim.finish()

        def step(self, progress):
            pass

        def happen(self, sim, event):
            pass

    owner = weakref.ref(Owner())
    gc.collect()
    assert owner() is None
