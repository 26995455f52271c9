"""Names of variables and their derivatives: "x", "der(x)", "der(x, 2)"."""
from __future__ import annotations

import re
from typing import Any, Collection, Tuple

_DERIVATIVE = re.compile(r"der\(\s*(.*?)\s*(?:,\s*(\d+)\s*)?\)", re.DOTALL)


def derivative_name(name: str, order: int) -> str:
    """As one writes it in a model."""
    return name if order == 0 else f"der({name})" if order == 1 else f"der({name}, {order})"


def split(name: Any, known: Collection[str]) -> Tuple[str, int]:
    """The variable and the order of the derivative that a name, or an expression of one variable, speaks of."""
    text = name if isinstance(name, str) else repr(name)
    if text in known:
        return text, 0
    match = _DERIVATIVE.fullmatch(text)
    if match is None:
        return text, 0
    inner, order = split(match.group(1), known)
    return inner, order + int(match.group(2) or 1)
