"""daedal solves differential-algebraic equations as people write them.

Any index, any order, modes and events, or straight from a Lagrangian with constraints.

>>> import daedal
>>> m = daedal.Model("Pendulum")
>>> x, y = m.variable("x", start=[1, 0]), m.variable("y", start=[0, 0], fixed=True)
>>> pull = m.variable("pull")
>>> m.equation(daedal.der(x, 2) == -x*pull)
>>> m.equation(daedal.der(y, 2) == 9.81 - y*pull)
>>> m.equation("rod", x**2 + y**2 == 1)
>>> sol = m.solve((0, 10), tolerance=1e-10)
>>> sol
<Solution of Pendulum: ok, reached t = 10, ... steps, taylor of order ...>

Models
    `Model` builds one from expressions; `load` and `parse` read model text. `der`, `sin`, ..., and NumPy's functions work on
    expressions; ``==`` makes equations, ``<`` conditions, which `if_else` and `Model.when` use with `reinit`, `assign`, `terminate`.
Using them
    `Model.analyze`, `Model.initialize`, `Model.solve`, `Model.ensemble`, and for derivative arrays `Model.analyze_array`. `methods`
    lists the methods of a run, and what each accepts; `options` lists their options.
    `Model.simulate` gives a run that you drive yourself, `Model.prepare` analyses once for many runs.
Results
    `Analysis`, `ConsistentPoint`, `Solution` (``sol.t``, ``sol["x"]``, ``sol("x", 3.2)``, ``sol.plot()``), `Ensemble`.
When something is wrong
    `Error` for wrong input, with ids that `explain` explains. Numerical trouble is a status of the result, and an exception on
    request: ``sol.raise_if_failed()``.
"""
from daedal._core import (
    Action,
    ArrayAnalysis,
    Condition,
    Conflict,
    Conversion,
    ConversionStep,
    Equality,
    Event,
    Expression,
    Indicator,
    Jump,
    MethodInfo,
    Mode,
    OptionInfo,
    Problem,
    Progress,
    Seconds,
    Singularity,
    StartValue,
    StateVector,
    Statistics,
    Verification,
    Zeno,
    __version__,
)
from daedal._analysis import Analysis, Block
from daedal._arrays import ArrayEvaluation, DerivativeArray, SparseMatrix
from daedal._ensemble import Ensemble
from daedal._errors import Error, Interrupted, NumericalTrouble, error_ids, explain
from daedal._functions import (
    ExpressionArray,
    abs,
    acos,
    acosh,
    array,
    asin,
    asinh,
    assign,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    cross,
    der,
    dot,
    erf,
    exp,
    if_else,
    log,
    log10,
    max,
    maximum,
    min,
    minimum,
    norm,
    pow,
    reinit,
    sign,
    sin,
    sinh,
    sqr,
    sqrt,
    tan,
    tanh,
    terminate,
)
from daedal._load import load, parse
from daedal._model import Model
from daedal._options import options
from daedal._parameters import Parameters
from daedal._simulation import PreparedModel, Simulation
from daedal._solution import Samples, Solution, methods
from daedal._start import ConsistentPoint

# `from daedal import *` leaves Python's own abs, min, max and pow alone; they are daedal.abs and so on.
__all__ = [
    "Action", "Analysis", "ArrayAnalysis", "ArrayEvaluation", "Block", "Condition", "Conflict", "ConsistentPoint", "Conversion",
    "ConversionStep", "DerivativeArray", "Ensemble", "Equality", "Error", "Event", "Expression", "ExpressionArray", "Indicator",
    "Interrupted", "Jump", "MethodInfo", "Mode", "Model", "NumericalTrouble", "OptionInfo", "Parameters", "PreparedModel", "Problem", "Progress", "Samples", "Seconds",
    "Simulation", "Singularity", "Solution", "SparseMatrix", "StartValue", "StateVector", "Statistics", "Verification", "Zeno", "acos", "acosh", "array", "asin",
    "asinh", "assign", "atan", "atan2", "atanh", "cos", "cosh", "cross", "der", "dot", "erf", "error_ids", "exp", "explain", "if_else", "load",
    "log", "log10", "maximum", "methods", "minimum", "norm", "options", "parse", "reinit", "sign", "sin", "sinh", "sqr", "sqrt", "tan", "tanh", "terminate",
]  # fmt: skip

for _name in __all__:
    _public = globals()[_name]
    if isinstance(_public, type) or callable(_public):
        _public.__module__ = "daedal"  # what messages and help() show
del _name, _public
