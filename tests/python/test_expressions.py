"""Expressions: operators, NumPy's functions, arrays, and what must not be done with them."""
import fractions
import gc
import inspect
import math
import pickle

import numpy as np
import pytest

import daedal
from daedal import der


@pytest.fixture
def model():
    return daedal.Model("M")


def value_of(expression, model, **values):
    """The value of an expression, through the whole solver: e = expression, with variables given by constants."""
    for name, value in values.items():
        model.equation(model[name] == value)
    e = model.variable("e")
    model.equation(e == expression)
    return model.initialize().raise_if_failed()["e"]


UNARY = {
    "sin": 0.3, "cos": 0.3, "tan": 0.3, "asin": 0.3, "acos": 0.3, "atan": 0.3, "sinh": 0.3, "cosh": 0.3, "tanh": 0.3,
    "asinh": 0.3, "acosh": 1.3, "atanh": 0.3, "exp": 0.3, "log": 0.3, "log10": 0.3, "sqrt": 0.3, "erf": 0.3,
}  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_functions_have_the_values_of_the_math_module(model, name):
    x = model.variable("x", start=UNARY[name])
    exact = getattr(math, name)(UNARY[name])
    assert value_of(getattr(daedal, name)(x), model, x=UNARY[name]) == pytest.approx(exact, rel=1e-14)
    assert getattr(daedal, name)(UNARY[name]) == pytest.approx(exact, rel=1e-14)  # of a number: a number


@pytest.mark.parametrize("function", [np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh,
                                      np.arctanh, np.exp, np.log, np.log10, np.sqrt, np.square, np.abs, np.sign, np.negative,
                                      np.reciprocal])  # fmt: skip
def test_numpy_functions_of_one_argument(model, function):
    x = model.variable("x", start=0.3)
    assert value_of(function(x), model, x=0.3) == pytest.approx(function(0.3), rel=1e-14)


@pytest.mark.parametrize("function", [np.add, np.subtract, np.multiply, np.divide, np.power, np.arctan2, np.minimum, np.maximum,
                                      np.hypot])  # fmt: skip
def test_numpy_functions_of_two_arguments(model, function):
    x, y = model.variable("x", start=0.3), model.variable("y", start=0.7)
    assert value_of(function(x, y), model, x=0.3, y=0.7) == pytest.approx(function(0.3, 0.7), rel=1e-14)
    assert isinstance(function(2.0, y), daedal.Expression)
    assert isinstance(function(np.float64(2), y), daedal.Expression)


@pytest.mark.parametrize("number", [2, 2.0, True, np.float64(2), np.float32(2), np.int64(2), np.array(2.0), fractions.Fraction(2)])
def test_numbers_of_every_type_mix_with_expressions(model, number):
    x = model.variable("x", start=3)
    for expression in (number * x, x * number, number + x, x - number, number / x, x**number, number - x):
        assert isinstance(expression, daedal.Expression)
    assert value_of(number * x - number, model, x=3) == 3 * float(number) - float(number)
    assert isinstance(number == x, daedal.Equality) and isinstance(x == number, daedal.Equality)
    assert isinstance(number < x, daedal.Condition) and isinstance(x >= number, daedal.Condition)


def test_text_is_that_of_the_model_language(model):
    x, y = model.variable("x"), model.variable("y")
    assert repr(der(x, 2) + 2 * x * y) == "der(x, 2) + 2*x*y"
    assert repr(x**2 + y**2 == 1) == "x^2 + y^2 == 1.0"
    assert repr((x > 0) & ~(y > 1)) == "x > 0 and y <= 1" or "and" in repr((x > 0) & ~(y > 1))
    assert repr(abs(x)) == "abs(x)"
    assert repr(daedal.reinit(der(x), 0)) == "reinit(der(x), 0.0)"


def test_equalities_and_conditions_are_neither_true_nor_false(model):
    x, y = model.variable("x"), model.variable("y")
    for expression, hint in (
        (lambda: bool(x == y), r"model\.equation"),
        (lambda: x == y == 1, "chained"),
        (lambda: 0 < x < 1, r"\(0 < x\) & \(x < 1\)"),
        (lambda: x > 0 and y > 0, "& |"),
        (lambda: not x > 0, "~"),
        (lambda: bool(x), "if_else"),
        (lambda: x in [y], "in"),
        (lambda: x != y, "!="),
        (lambda: float(x), "not a number"),
    ):
        with pytest.raises(TypeError, match=hint):
            expression()


@pytest.mark.parametrize("wrong", ["2", None, 2j, object(), [1, 2], {"x": 1}])
def test_other_types_are_refused(model, wrong):
    x = model.variable("x")
    with pytest.raises(TypeError):
        daedal.der(x) + daedal.exp(x) * wrong if not isinstance(wrong, list) else daedal.der(x) + wrong
    with pytest.raises(TypeError):
        model.parameter("p", wrong) if wrong is not None else model.discrete("p", wrong)


def test_equation_says_what_it_needs(model):
    x = model.variable("x")
    for wrong, hint in ((2 == 2, "no variable"), (x > 0, "condition"), (x, "x == 0"), ("x", "takes"), (3, "type int")):
        with pytest.raises(TypeError, match=hint):
            model.equation(wrong)
    with pytest.raises(TypeError, match="name comes first"):
        model.equation(x == 0, "name")
    with pytest.raises(TypeError, match="daedal.Condition"):
        model.when(x)
    with pytest.raises(TypeError, match="no action"):
        model.when(x > 0, x == 1)


def test_arrays_of_variables_are_numpy_arrays(model):
    x = model.variables("x", 3, start=[1, 2, 3])
    assert isinstance(x, np.ndarray) and x.shape == (3,) and x.dtype == object
    assert [repr(each) for each in x] == ["x[1]", "x[2]", "x[3]"]
    assert model.variables("z", (2, 2)).shape == (2, 2) and repr(model["z[2,1]"]) == "z[2,1]"
    assert (x == 0).shape == (3,) and all(isinstance(each, daedal.Equality) for each in x == 0)
    assert all(isinstance(each, daedal.Condition) for each in (x > 0) & (x < 1))
    assert repr(x @ x) == "x[1]^2 + x[2]^2 + x[3]^2" == repr(np.dot(x, x)) == repr((x * x).sum()) == repr(np.sum(x**2))
    assert repr(np.cumsum(x)[1]) == "x[1] + x[2]"
    assert repr(der(x, 2)[1]) == "der(x[2], 2)" and repr(np.sin(x)[0]) == "sin(x[1])" == repr(daedal.sin(x)[0])
    assert (np.eye(3) @ x).shape == (3,)
    assert isinstance(x[0] * np.ones(3), daedal.ExpressionArray) and (np.ones((2, 3)) * x).shape == (2, 3)
    assert repr((np.array([1.0]) * x[0])[0]) == "x[1]"  # one element is an array, too
    assert repr(np.sin(np.array([x[0], x[1]], dtype=object))[1]) == "sin(x[2])"  # a plain array of objects
    with pytest.raises(TypeError):
        bool(x)
    with pytest.raises(ValueError, match="shape"):
        model.variables("w", 3, start=[1, 2])


@pytest.mark.filterwarnings("ignore:elementwise comparison failed:DeprecationWarning")
def test_shapes_that_do_not_match_are_told(model):
    x = model.variables("shaped", 3)
    for compare in (lambda: x == np.array([1, 2]), lambda: np.array([1, 2]) == x, lambda: x == [1, 2], lambda: [1, 2] == x):
        with pytest.raises(ValueError, match=r"\(3,\)|\(2,\)"):
            compare()
    assert (x == np.array([[1], [2]])).shape == (2, 3)
    with pytest.raises((TypeError, ValueError), match="shapes"):  # newer NumPy raises before equation() is called
        model.equation(list(x) == np.array([1, 2]))


def test_vectors_in_space(model):
    a, b = model.variables("a", 3), model.variables("b", 3)
    assert repr(daedal.dot(a, b)) == repr(a @ b) and repr(daedal.norm(a)) == "sqrt(a[1]^2 + a[2]^2 + a[3]^2)"
    assert [repr(each) for each in daedal.cross(a, b)] == [repr(each) for each in np.cross(a, b)]
    assert list(daedal.cross([1, 0, 0], [0, 1, 0])) == [0, 0, 1] and daedal.norm([3.0, 4.0]) == 5


def test_conditions_and_arrays_mix(model):
    x, y = model.variables("x", 2), model.variable("y")
    assert ((x > 0) & (y > 0)).shape == (2,) == ((y > 0) | (x > 0)).shape == (~(x > 0)).shape
    assert repr((y > 0) & np.bool_(True)) == "y > 0" == repr(True & (y > 0))


def test_linear_system_from_a_matrix_equation(model):
    A, b = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
    x = model.variables("x", 2)
    model.equation("row", A @ x == b)
    assert model.equation_names == ["row[1]", "row[2]"]
    point = model.initialize()
    assert np.allclose([point["x[1]"], point["x[2]"]], np.linalg.solve(A, b), rtol=1e-14)


def test_if_else_and_conditions_choose(model):
    x = model.variable("x", start=2)
    assert value_of(daedal.if_else((x > 1) & ~(x > 3), 10, 20), model, x=2) == 10
    other = daedal.Model("N")
    x = other.variable("x", start=2)
    assert value_of(daedal.if_else((x < 1) | (x > 3), 10, 20), other, x=2) == 20


def test_expressions_can_be_keys(model):
    x, y = model.variable("x"), model.variable("y")
    table = {x: 1, y: 2}
    assert table[x] == 1 and table[y] == 2 and hash(x) == hash(model["x"]) != hash(y)


def test_expressions_keep_their_model_alive():
    def build():
        m = daedal.Model("M")
        return m.variable("x") + m.parameter("p", 1)

    expression = build()
    gc.collect()
    assert repr(daedal.sin(expression)) in ("sin(x + p)", "sin(p + x)")
    left = (expression == 0).left
    del expression
    gc.collect()
    assert "x" in repr(left)


def test_models_do_not_mix(model):
    other = daedal.Model("N")
    with pytest.raises(daedal.Error) as info:
        model.variable("x") + other.variable("y")
    assert info.value.id == "E-MOD-006"
    with pytest.raises(daedal.Error) as info:
        model.equation(other.variable("z") == 0)
    assert info.value.id == "E-MOD-006" and "test_expressions.py" in info.value.problems[0].where


def test_star_import_leaves_builtins_alone():
    assert not {"abs", "min", "max", "pow", "sum"} & set(daedal.__all__)
    assert daedal.max(1, 2) == 2 and list(daedal.minimum([1, 5], [3, 4])) == [1, 4]
