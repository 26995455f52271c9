"""Arguments on their way to C++: the wrong type or size is told with the argument's name."""
from __future__ import annotations

import operator
from typing import Any, Dict, Mapping, Optional

_LARGEST = 2**31 - 1  # of an int in C++


def whole(name: str, value: Any) -> int:
    """An integer, of NumPy's types too."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
    if not -_LARGEST <= number <= _LARGEST:
        raise OverflowError(f"{name} is out of range")
    return number


def number(name: str, value: Any) -> float:
    """What float() takes, but no text."""
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except OverflowError:
        raise OverflowError(f"{name} is out of range") from None
    except TypeError:
        pass
    raise TypeError(f"{name} must be a number, not {value!r}")


def optional_number(name: str, value: Any) -> Optional[float]:
    """A number, or None."""
    return None if value is None else number(name, value)


def text(name: str, value: Any) -> str:
    """A string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {value!r}")
    return value


def numbers(*given: Optional[Mapping[str, Any]]) -> Dict[str, float]:
    """Values of parameters by name; later ones replace earlier ones."""
    return {name: number(name, value) for values in given for name, value in (values or {}).items()}
