"""What may stand in equation(), initial_equation() and lagrangian(): left == right, with or without a name."""
from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np

from daedal._core import Condition, Equality, Expression


def named(constraint: Any) -> Tuple[str, Any]:
    return ("", constraint) if isinstance(constraint, Equality) else tuple(constraint)  # type: ignore[return-value]


def equality(verb: str, value: Any) -> Equality:
    if isinstance(value, Equality):
        return value
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(
            f"{verb}() got {value}, which is no equation: no variable of a model is in this comparison, or it is one of arrays of "
            "different shapes"
        )
    if isinstance(value, Condition):
        raise TypeError(f"{verb}() needs left == right, not the condition '{value!r}'; conditions belong into if_else and when")
    if isinstance(value, Expression):
        raise TypeError(f"{verb}() needs left == right, not the expression '{value!r}'; did you mean '{value!r} == 0'?")
    raise TypeError(f"{verb}() needs left == right, not an object of type {type(value).__name__}")


def named_equalities(verb: str, arguments: Tuple[Any, ...], name: str) -> List[Tuple[str, Equality]]:
    rest = list(arguments)
    if rest and isinstance(rest[0], str):
        name = rest.pop(0)
    if len(rest) == 2 and isinstance(rest[1], str):
        raise TypeError(f"the name comes first: {verb}({rest[1]!r}, left == right)")
    if len(rest) != 1:
        raise TypeError(f"{verb}() takes a name, if there is one, and left == right")
    given = rest[0]
    if not isinstance(given, (np.ndarray, list, tuple)):
        return [(name, equality(verb, given))]
    elements = np.asarray(given, dtype=object)
    return [
        (f"{name}[{','.join(str(k + 1) for k in place)}]" if name else "", equality(verb, elements[place]))
        for place in np.ndindex(*elements.shape)
    ]
