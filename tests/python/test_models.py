"""Building models, from operators, from text and from a Lagrangian; analysis and starts."""
import copy
import math
import pathlib

import numpy as np
import pytest

import daedal
from conftest import PROBLEMS, digits, make_pendulum, reference


def test_pendulum_from_operators_is_the_one_of_the_text_bit_by_bit(swing):
    text = daedal.load(PROBLEMS / "pendulum" / "pendulum.mo").solve((0, 10), tol=1e-12)
    assert np.array_equal(swing.t, text.t)
    assert np.array_equal(swing(swing.t), text(swing.t))
    assert np.array_equal(swing.final_derivatives["x"], text.final_derivatives["x"])


def test_load_takes_parameters_structural_ones_too(tmp_path):
    file = tmp_path / "chain.mo"
    file.write_text("model Chain parameter Integer n = 2; Real x[n]; equation for i in 1:n loop x[i] = i; end for; end Chain;")
    assert daedal.load(file).variable_names == ["x[1]", "x[2]"]
    assert daedal.load(str(file), n=4).variable_names[-1] == "x[4]"
    assert daedal.load(file, {"n": 3}).variable_names[-1] == "x[3]"
    with pytest.raises(daedal.Error) as info:
        daedal.load(file).solve(1, n=3)  # too late
    assert info.value.id == "E-MOD-011"


def test_model_tells_what_it_is(pendulum):
    assert repr(pendulum) == "<Model Pendulum: 3 equations, 3 variables, 2 parameters>"
    assert pendulum.variable_names == ["x", "y", "lambda"] and pendulum.equation_names == ["equation 1", "equation 2", "length"]
    assert pendulum.equations[2] == "x^2 + y^2 = L^2"
    assert dict(pendulum.parameters) == {"g": 9.81, "L": 10.0}
    assert repr(pendulum["x"]) == "x" and repr(pendulum["L"]) == "L"
    with pytest.raises(KeyError, match="lambda"):
        pendulum["lamda"]


def test_parameters_change_the_model_or_one_run(pendulum):
    pendulum.parameters["L"] = 5
    assert pendulum.parameters["L"] == 5 and pendulum.initialize()["x"] == pytest.approx(5, rel=1e-15)
    assert pendulum.initialize(L=7)["x"] == pytest.approx(7, rel=1e-15) and pendulum.parameters["L"] == 5
    assert pendulum.solve(1, parameters={"L": 8}).start["x"] == pytest.approx(8, rel=1e-15)
    with pytest.raises(daedal.Error) as info:
        pendulum.parameters["l"] = 3
    assert info.value.id == "E-MOD-007"
    with pytest.raises(daedal.Error) as info:
        pendulum.solve(1, parameters={"l": 3})
    assert info.value.id == "E-MOD-007"
    unset = daedal.Model("U")
    unset.parameter("p")
    assert dict(unset.parameters) == {"p": None}


def test_a_copy_is_a_model_of_its_own(pendulum):
    twin = copy.copy(pendulum)
    twin.parameters["L"] = 3
    twin.variable("more")
    assert pendulum.parameters["L"] == 10 and len(pendulum.variable_names) == 3


def test_analysis_in_arrays(pendulum):
    a = pendulum.analyze()
    assert a.ok and a.structural_index == 3 and a.dof == 2 and a.quasilinear  # Pryce et al. 2018, eq. (12)
    assert a.c.tolist() == [0, 0, 2] and a.d.tolist() == [2, 2, 0]
    assert np.array_equal(a.signature, [[2, -np.inf, 0], [-np.inf, 2, 0], [0, 0, -np.inf]])
    assert (a.d - a.c[:, None] >= a.signature).all()
    assert (a.d - a.c[:, None])[range(3), a.transversal].tolist() == a.signature[range(3), a.transversal].tolist()
    rows, columns, orders = a.signature_triplets
    assert a.signature[rows, columns].tolist() == orders.tolist()
    assert a.initial_values == ["x", "der(x)", "y", "der(y)"]
    assert [(b.equations, b.variables, b.index) for b in a.blocks] == [(a.equations, a.variables, 3)]
    assert a.to_dict()["structural_index"] == 3 and a.text().startswith("Pendulum: 3 equations") and str(a) == a.text()
    assert "x^2 + y^2 = L^2" in a.text(equations=True)


def test_structurally_singular_models_are_a_finding_with_places_in_python():
    m = daedal.Model("Singular")
    x, y = m.variable("x"), m.variable("y")
    m.equation("one", x == 1)
    m.equation("two", x == 2)
    a = m.analyze()
    assert a.status == "structurally-singular" and a.structural_index is None and a.dof is None and not a.ok
    where = " ".join(problem.where for problem in a.diagnosis)
    assert "test_models.py:" in where and "'one'" in where and "'two'" in where
    with pytest.raises(daedal.Error) as info:
        m.solve(1)
    assert info.value.id == a.diagnosis[0].id == "E-STR-001"
    with pytest.raises(daedal.Error):
        a.raise_if_failed()


def test_conversion_is_told():
    a = daedal.load(PROBLEMS / "robot_arm" / "robot_arm.mo").analyze()
    assert a.status == "structural-analysis-fails" and a.structural_index is None
    assert a.conversion.succeeded and a.conversion.steps and a.diagnosis[0].id == "S-STR-001"
    assert daedal.load(PROBLEMS / "robot_arm" / "robot_arm.mo", sign=1).analyze().structural_index == 3


def test_places_are_the_callers_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = pathlib.Path("crane.py")
    script.write_text("import daedal\nm = daedal.Model('M')\nx = m.variable('x')\nm.equation(x == 1)\nm.equation(\n    x == 2)\n")
    scope = {}
    exec(compile(script.read_text(), str(script.resolve()), "exec"), scope)
    where = scope["m"].analyze().diagnosis[0].where
    assert "crane.py:4 " in where and "crane.py:5 " in where and str(tmp_path) not in where


def test_start_is_nearest_to_the_guesses():
    # The point of the circle nearest to (3, 4), by hand: (6, 8).
    m = daedal.Model("Circle")
    x, y = m.variable("x", start=3), m.variable("y", start=4)
    m.equation(x**2 + y**2 == 100)
    m.equation(daedal.der(x) == y)
    point = m.initialize()
    assert point.ok and digits([point["x"], point["y"]], np.array([6, 8])) > 13
    assert point["der(x)"] == pytest.approx(8) and point.distance == pytest.approx(5) and point.residual < 1e-13
    assert {(s.variable, s.order): s.moved for s in point.start}[0, 0] == pytest.approx(3)
    with pytest.raises(KeyError, match="no derivative 7"):
        point["der(x, 7)"]
    with pytest.raises(KeyError, match="'x'"):
        point["xx"]


def test_conflicting_conditions_are_a_status():
    m = daedal.Model("Conflict")
    x = m.variable("x", start=1, fixed=True)
    m.equation(x == 2)
    point = m.initialize()
    assert point.status == "conflicting-conditions" and not point.ok and point.conflicts and point.problems
    with pytest.raises(daedal.NumericalTrouble) as info:
        point.raise_if_failed()
    assert info.value.id == point.problems[0].id and info.value.result is point
    assert str(info.value) == "".join(p.text() for p in point.problems).rstrip("\n")


def test_initial_equations_hold_at_the_start():
    m = daedal.Model("Decay")
    x = m.variable("x")
    m.equation(daedal.der(x) == -x)
    m.initial_equation("half", x + daedal.der(x, 0) == 3)
    assert m.initialize()["x"] == pytest.approx(1.5, rel=1e-15)


def test_lagrangian_gives_the_pendulum(swing):
    m = daedal.Model("Mechanics")
    x, y = m.variable("x", start=[10, 0]), m.variable("y", start=[0, 1], fixed=True)
    mass, g = m.parameter("m", 2), 9.81
    T = mass / 2 * (daedal.der(x) ** 2 + daedal.der(y) ** 2)
    (pull,) = m.lagrangian(T + mass * g * y, [x, y], constraints={"rod": x**2 + y**2 == 100})
    assert repr(pull) == "rod" and m.output_names == ["energy"]
    sol = m.solve((0, 10), tol=1e-12)
    exact = reference("pendulum", 10)
    assert digits([sol.final["x"], sol.final["y"]], np.array([exact["x"], exact["y"]])) > 9
    ts = np.linspace(0, 10, 50)
    assert np.ptp(sol("energy", ts)) < 1e-9  # constant


def test_lagrangian_with_force_and_dissipation():
    # m x'' + c x' = F with x(0) = x'(0) = 0: x' = F/c (1 - exp(-c t/m))
    m = daedal.Model("Cart")
    x = m.variable("x", start=[0, 0], fixed=True)
    v = daedal.der(x)
    m.lagrangian(0.5 * 2 * v**2, [x], forces={x: 3.0}, dissipation=0.5 * 0.5 * v**2)
    assert m.solve((0, 4), tol=1e-12)("x", 4, order=1) == pytest.approx(3 / 0.5 * (1 - math.exp(-0.5 * 4 / 2)), rel=1e-11)


def test_lagrangian_constraints_in_all_forms():
    for constraints, name in (([lambda x: x == 0], "lambda[1]"), ([("stop", lambda x: x == 0)], "stop")):
        m = daedal.Model("M")
        x = m.variable("x", start=[0, 0])
        made = [each(x) if callable(each) else (each[0], each[1](x)) for each in constraints]
        (multiplier,) = m.lagrangian(daedal.der(x) ** 2, [x], constraints=made)
        assert repr(multiplier) == name
    with pytest.raises(daedal.Error) as info:
        m.lagrangian(daedal.der(x) ** 2, [x])
    assert info.value.id == "E-LAG-007"


def test_derivative_array_of_the_pendulum(pendulum):
    array = pendulum.derivative_array(2)
    assert array.shape == (9, 15) and array.row_names[8] == "d^2/dt^2 length" and array.column("x", 1) == array.column_names.index("der(x)")
    z = np.zeros(array.shape[1])
    for name, value in {"x": 6, "der(x)": 4, "der(x, 2)": 1, "y": 8, "der(y)": -3, "der(y, 2)": 2, "lambda": 0.5}.items():
        z[array.column_names.index(name)] = value
    G, J = array.linearise(0.0, z)
    assert np.array_equal(G, array.evaluate(0.0, z))
    assert G[array.row_names.index("length")] == 0  # 6^2 + 8^2 - 10^2
    assert G[array.row_names.index("d/dt length")] == 2 * (6 * 4 - 8 * 3)
    assert G[array.row_names.index("d^2/dt^2 length")] == 2 * (4**2 + 6 * 1 + 3**2 + 8 * 2)
    dense = J.toarray()
    h = 1e-6
    for k in range(len(z)):  # central differences
        step = np.zeros(len(z))
        step[k] = h
        assert np.allclose((array.evaluate(0, z + step) - array.evaluate(0, z - step)) / (2 * h), dense[:, k], atol=1e-7)
    array.set_parameters(L=5)
    assert array.evaluate(0.0, z)[2] == 75
    with pytest.raises(daedal.Error) as info:
        array.evaluate(0.0, [1.0])
    assert info.value.id == "E-ARR-002"
    assert np.asarray(J).shape == J.shape == array.shape


def test_derivative_array_at_a_point_that_is_given(pendulum):
    at = pendulum.evaluate_array(2, point={"x": 6, "y": 8, "der(x)": 4, "der(y)": -3, "der(y, 2)": 2})
    assert at.ok and at.is_point_given and not pendulum.evaluate_array(2).is_point_given
    G = dict(zip(at.rows, at.G))
    assert G["length"] == 0 and G["d/dt length"] == 0 and G["d^2/dt^2 length"] == 2 * (16 + 9 + 8 * 2)
    with pytest.raises(daedal.Error, match="E-ARR-003"):
        pendulum.evaluate_array(2, point={"lamda": 1})
    with pytest.raises(daedal.Error, match="E-SIM-006"):
        pendulum.evaluate_array(2, point={"x": float("nan")})


def test_derivative_array_as_source(pendulum):
    source = pendulum.derivative_array(2).source()
    assert "void Pendulum_jacobian(double t, const double *X, const double *p, double *G, double *J);" in source
    assert "X[7]  der(y, 2)" in source and "swing_residual(" in pendulum.derivative_array(2).source("swing")
    with pytest.raises(daedal.Error, match="E-ARR-004"):
        pendulum.derivative_array(2).source("a swing")


def test_array_analysis_of_the_pendulum(pendulum):
    a = pendulum.analyze_array()
    assert a.ok and a.index == 3 and a.dof == 2
    assert np.allclose(a.P @ a.P, a.P) and np.allclose(a.P + a.Q, np.eye(len(a.variables)))
    assert round(np.trace(a.Pi)) == 2 and a.values["x"][0] == pytest.approx(10)
    evaluation = pendulum.evaluate_array(2)
    assert evaluation.ok and np.abs(evaluation.G).max() < 1e-12 and evaluation.J.shape == (9, 15)
    assert "d^2/dt^2 length" in evaluation.rows and len(evaluation.point) == 15
    with pytest.raises(ValueError, match="entries"):
        pendulum.derivative_array(1, entries="other")


def test_the_limit_of_elements_is_the_callers():
    text = "model M\n  Real x[10];\nequation\n  x = ones(10);\nend M;\n"
    assert daedal.parse(text, max_elements=100).analyze().size == 10
    with pytest.raises(daedal.Error) as info:
        daedal.parse(text, max_elements=5)
    assert info.value.id == "E-LNG-008"
    with pytest.raises(ValueError, match="max_elements"):
        daedal.parse(text, max_elements=0)


def test_a_start_given_later_takes_the_place_of_the_earlier_one():
    m = daedal.parse("model Fall Real h(start = {0, 7}); equation der(h, 2) = -2; end Fall;")
    m.fix_start("h", 5)
    m.set_start("der(h)", 1)
    m.set_nominal("h", 10)
    assert m.solve((0, 1))("h", 1) == pytest.approx(5)  # 5 + t - t^2
    with pytest.raises(daedal.Error) as info:
        m.set_start("height", 1)
    assert info.value.id == "E-SIM-002"
