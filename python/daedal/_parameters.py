"""The parameters of a model or a simulation, as a mapping."""
from __future__ import annotations

from typing import Any, Iterator, MutableMapping

from daedal import _arguments


class Parameters(MutableMapping[str, float]):
    """The parameters of a model or a simulation and their values; setting one changes what they are of.

    >>> m = daedal.Model("M")
    >>> g = m.parameter("g", 9.81)
    >>> m.parameters["g"] = 1.62
    >>> m.parameters
    {'g': 1.62}
    """

    def __init__(self, core: Any) -> None:
        self._core = core

    def __getitem__(self, name: str) -> float:
        return self._core.parameter_values()[name]

    def __setitem__(self, name: str, value: float) -> None:
        self._core.set_parameter(name, _arguments.number(name, value))

    def __delitem__(self, name: str) -> None:
        raise TypeError("a parameter cannot be taken out of a model")

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.parameter_names())

    def __len__(self) -> int:
        return len(self._core.parameter_names())

    def __repr__(self) -> str:
        return repr(dict(self))
