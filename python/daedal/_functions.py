"""Functions of expressions, and their way through NumPy.

Each function takes numbers, expressions, and arrays or lists of them. Of numbers alone it gives what NumPy gives.
"""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, Sequence

import numpy as np

from daedal import _arguments, _core
from daedal._core import Action, Condition, Equality, Expression

__all__ = [
    "ExpressionArray", "abs", "acos", "acosh", "array", "asin", "asinh", "assign", "atan", "atan2", "atanh", "cos", "cosh", "cross", "der", "dot",
    "erf", "exp", "if_else", "log", "log10", "max", "maximum", "min", "minimum", "norm", "pow", "reinit", "sign", "sin", "sinh", "sqr",
    "sqrt", "tan", "tanh", "terminate",
]

_MODEL_TYPES = (Expression, Equality, Condition)


def _is_array(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _as_object(value: Any) -> np.ndarray:
    """A plain array of objects; one without dimensions for anything that is no array."""
    if _is_array(value):
        return np.asarray(value, dtype=object).view(np.ndarray)
    result = np.empty((), dtype=object)
    result[()] = value
    return result


def _elementwise(function: Callable[..., Any], *arguments: Any) -> "ExpressionArray":
    values = np.frompyfunc(function, len(arguments), 1)(*map(_as_object, arguments))
    return np.asarray(values, dtype=object).view(ExpressionArray)


class ExpressionArray(np.ndarray):
    """A NumPy array of expressions, equations or conditions.

    Everything that NumPy does with arrays of objects works: slices, ``@``, ``sum``, broadcasting. Beyond that ``==`` gives an
    array of equations, ``<`` one of conditions, and ``numpy.sin`` and the like work element by element.
    """

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and ufunc in _UFUNCS and not options:
            return _elementwise(_UFUNCS[ufunc], *inputs)
        plain = [_as_object(each) if isinstance(each, (np.ndarray, Expression)) else each for each in inputs]
        if "out" in options:
            options["out"] = tuple(
                each.view(np.ndarray) if isinstance(each, ExpressionArray) else each for each in options["out"]
            )
        result = getattr(ufunc, method)(*plain, **options)
        return result.view(ExpressionArray) if isinstance(result, np.ndarray) and result.dtype == object else result

    # NumPy's own operator hides an error, such as one of shapes, and answers False.
    def __eq__(self, other: Any) -> Any:
        return np.equal(self, other)

    def __bool__(self) -> bool:
        raise TypeError("an array of expressions is neither true nor false; give equations to model.equation(...)")


def array(values: Any) -> ExpressionArray:
    """An array of expressions (or numbers), as `numpy.array` makes one of numbers.

    >>> m = daedal.Model("M")
    >>> r = daedal.array([m.variable("x"), m.variable("y")])
    >>> r @ r
    x^2 + y^2
    """
    return np.array(values, dtype=object).view(ExpressionArray)


def _of_expressions(arguments: Sequence[Any]) -> bool:
    """Whether an expression is among the arguments or in their arrays."""
    for each in arguments:
        if isinstance(each, _MODEL_TYPES) or (isinstance(each, np.ndarray) and each.dtype == object):
            return True
        if isinstance(each, (list, tuple)) and _of_expressions(each):
            return True
    return False


def _function(name: str, recorded: Callable[..., Any], on_numbers: Callable[..., Any], doc: str) -> Callable[..., Any]:
    def function(*arguments: Any) -> Any:
        if not _of_expressions(arguments):
            return on_numbers(*arguments)
        if any(map(_is_array, arguments)):
            return _elementwise(recorded, *arguments)
        return recorded(*arguments)

    return _named(function, name, doc)


def _named(function: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "daedal"
    function.__doc__ = doc
    return function


def _unary(name: str, on_numbers: Callable[..., Any], doc: str) -> Callable[[Any], Any]:
    general = _function(name, getattr(_core, name), on_numbers, doc)

    def function(x: Any) -> Any:
        return general(x)

    return _named(function, name, doc)


def _binary(name: str, core_name: str, on_numbers: Callable[..., Any], doc: str) -> Callable[[Any, Any], Any]:
    general = _function(name, getattr(_core, core_name), on_numbers, doc)

    def function(a: Any, b: Any) -> Any:
        return general(a, b)

    return _named(function, name, doc)


sin = _unary("sin", np.sin, "The sine.")
cos = _unary("cos", np.cos, "The cosine.")
tan = _unary("tan", np.tan, "The tangent.")
asin = _unary("asin", np.arcsin, "The inverse sine (``numpy.arcsin``).")
acos = _unary("acos", np.arccos, "The inverse cosine (``numpy.arccos``).")
atan = _unary("atan", np.arctan, "The inverse tangent (``numpy.arctan``).")
sinh = _unary("sinh", np.sinh, "The hyperbolic sine.")
cosh = _unary("cosh", np.cosh, "The hyperbolic cosine.")
tanh = _unary("tanh", np.tanh, "The hyperbolic tangent.")
asinh = _unary("asinh", np.arcsinh, "The inverse hyperbolic sine (``numpy.arcsinh``).")
acosh = _unary("acosh", np.arccosh, "The inverse hyperbolic cosine (``numpy.arccosh``).")
atanh = _unary("atanh", np.arctanh, "The inverse hyperbolic tangent (``numpy.arctanh``).")
exp = _unary("exp", np.exp, "The exponential function.")
log = _unary("log", np.log, "The natural logarithm.")
log10 = _unary("log10", np.log10, "The logarithm to base 10.")
sqrt = _unary("sqrt", np.sqrt, "The square root.")
sqr = _unary("sqr", np.square, "The square, ``x**2`` (``numpy.square``).")
erf = _unary("erf", np.vectorize(math.erf, otypes=[float]), "The error function.")
abs = _unary("abs", np.abs, "The absolute value, ``abs(x)``.")
sign = _unary("sign", np.sign, "-1, 0 or 1.")
atan2 = _binary("atan2", "atan2", np.arctan2, "The angle of the point (b, a) (``numpy.arctan2(a, b)``).")
pow = _binary("pow", "pow", np.power, "``a**b``.")
minimum = _binary("minimum", "min", np.minimum, "The smaller one of two (``numpy.minimum``).")
maximum = _binary("maximum", "max", np.maximum, "The larger one of two (``numpy.maximum``).")
min = minimum
max = maximum


def der(x: Any, order: int = 1) -> Any:
    """The derivative in time of an expression, or of every element of an array.

    Parameters
    ----------
    x : Expression, number or array
        Any expression, not only variables.
    order : int
        Which derivative, 0 or more.

    Returns
    -------
    Expression or array
    """
    times = _arguments.whole("order", order)
    if _is_array(x):
        return _elementwise(lambda each: _core.der(each, times), x)
    return _core.der(x, times)


def if_else(condition: Any, then: Any, otherwise: Any) -> Any:
    """`then` while the condition holds, else `otherwise` (as ``numpy.where`` of expressions).

    Where the condition changes, a solution has an event, and other equations hold behind it.
    """
    if any(map(_is_array, (condition, then, otherwise))):
        return _elementwise(_core.if_else, condition, then, otherwise)
    return _core.if_else(condition, then, otherwise)


def dot(a: Any, b: Any) -> Any:
    """The scalar product of two vectors, ``a @ b``."""
    return array(a) @ array(b)


def norm(a: Any) -> Any:
    """The length of a vector, ``sqrt(a @ a)``; ``numpy.linalg.norm`` takes numbers only."""
    return sqrt(dot(a, a))


def cross(a: Any, b: Any) -> ExpressionArray:
    """The vector product of two vectors in space."""
    (a1, a2, a3), (b1, b2, b3) = a, b
    return array([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1])


def reinit(target: Expression, value: Any) -> Action:
    """An action of ``Model.when``: a variable or derivative starts again from another value.

    Parameters
    ----------
    target : Expression
        ``x``, ``der(x)``, ``der(x, 2)``.
    value : Expression or number
        Computed from what holds just before the event.
    """
    return _core.reinit(target, value)


def assign(target: Expression, value: Any) -> Action:
    """An action of ``Model.when``: a discrete variable gets another value."""
    return _core.assign(target, value)


def terminate(message: str = "") -> Action:
    """An action of ``Model.when``: the run ends here, as planned."""
    return _core.terminate(message)


# What NumPy's functions mean for expressions.
_UFUNCS: Dict[np.ufunc, Callable[..., Any]] = {
    np.add: lambda a, b: a + b, np.subtract: lambda a, b: a - b, np.multiply: lambda a, b: a * b,
    np.true_divide: lambda a, b: a / b, np.power: _core.pow, np.float_power: _core.pow,
    np.negative: lambda a: -a, np.positive: lambda a: a, np.square: _core.sqr, np.sqrt: _core.sqrt,
    np.reciprocal: lambda a: 1 / a, np.absolute: _core.abs, np.fabs: _core.abs, np.sign: _core.sign,
    np.exp: _core.exp, np.log: _core.log, np.log10: _core.log10,
    np.sin: _core.sin, np.cos: _core.cos, np.tan: _core.tan,
    np.arcsin: _core.asin, np.arccos: _core.acos, np.arctan: _core.atan, np.arctan2: _core.atan2,
    np.sinh: _core.sinh, np.cosh: _core.cosh, np.tanh: _core.tanh,
    np.arcsinh: _core.asinh, np.arccosh: _core.acosh, np.arctanh: _core.atanh,
    np.minimum: _core.min, np.maximum: _core.max, np.fmin: _core.min, np.fmax: _core.max,
    np.hypot: lambda a, b: _core.sqrt(_core.sqr(a) + _core.sqr(b)),
    np.equal: lambda a, b: a == b, np.less: lambda a, b: a < b, np.less_equal: lambda a, b: a <= b,
    np.greater: lambda a, b: a > b, np.greater_equal: lambda a, b: a >= b,
    np.bitwise_and: lambda a, b: a & b, np.bitwise_or: lambda a, b: a | b, np.invert: lambda a: ~a,
    np.logical_and: lambda a, b: a & b, np.logical_or: lambda a, b: a | b, np.logical_not: lambda a: ~a,
}  # fmt: skip


def _expression_ufunc(self: Expression, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
    """numpy.sin(x) and array*x, for an expression x."""
    if method != "__call__" or options or ufunc not in _UFUNCS:
        return NotImplemented
    if any(map(_is_array, inputs)):
        return _elementwise(_UFUNCS[ufunc], *inputs)
    scalars = [each.item() if isinstance(each, (np.generic, np.ndarray)) else each for each in inputs]
    return _UFUNCS[ufunc](*scalars)


# NumPy asks elements of plain arrays of objects for methods of these names.
_METHODS: Dict[str, Callable[..., Any]] = {
    "sin": _core.sin, "cos": _core.cos, "tan": _core.tan, "arcsin": _core.asin, "arccos": _core.acos, "arctan": _core.atan,
    "arctan2": _core.atan2, "sinh": _core.sinh, "cosh": _core.cosh, "tanh": _core.tanh, "arcsinh": _core.asinh,
    "arccosh": _core.acosh, "arctanh": _core.atanh, "exp": _core.exp, "log": _core.log, "log10": _core.log10,
    "sqrt": _core.sqrt, "square": _core.sqr,
}  # fmt: skip


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *others: function(self, *others)


for _type in _MODEL_TYPES:
    setattr(_type, "__array_ufunc__", _expression_ufunc)
for _name, _recorded in _METHODS.items():
    setattr(Expression, _name, _named(_method(_recorded), _name, f"The same as ``daedal.{_recorded.__name__}``."))
