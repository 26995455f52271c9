"""Options of solve() and ensemble(): keywords, signatures and documentation from the table of the C++ library."""
from __future__ import annotations

import functools
import inspect
import os
import re
import textwrap
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple, TypeVar, Union

import numpy as np

from daedal import _arguments, _core
from daedal._core import OptionInfo

Number = Union[int, float, np.number]
Span = Union[None, int, float, Sequence[Number]]
Function = TypeVar("Function", bound=Callable[..., Any])

RUN = ("run", "method", "bdf", "resources", "checkpoints")
ENSEMBLE = ("run", "method", "bdf", "resources", "ensemble")


def options() -> List[OptionInfo]:
    """The options of `Model.solve` and `Model.ensemble`, with defaults, ranges and what they do.

    >>> [option.default_text for option in daedal.options() if option.name == "tolerance"]
    ["the model's Tolerance, else 1e-9"]
    """
    return _core.options()


@functools.lru_cache(maxsize=None)
def keywords(groups: Tuple[str, ...]) -> Mapping[str, OptionInfo]:
    """Options by each of their names. Where a run begins and ends is what `span` says."""
    chosen = [option for option in options() if option.group in groups and option.name not in ("from", "to")]
    return {name: option for option in chosen for name in (option.name, option.short_name) if name}


def split(given: Mapping[str, Any], groups: Tuple[str, ...]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Options among keywords, and the other ones. None is as good as not given."""
    known = keywords(groups)
    chosen: Dict[str, Any] = {}
    for name, value in given.items():
        if name not in known or value is None:
            continue
        if any(known[other].name == known[name].name for other in chosen):
            raise TypeError(f"{name} is given twice: {known[name].short_name} is short for {known[name].name}")
        chosen[name] = _converted(name, known[name], value)
    return chosen, {name: value for name, value in given.items() if name not in known}


def _converted(name: str, option: OptionInfo, value: Any) -> Any:
    if option.type == "numbers":
        return [_arguments.number(name, each) for each in np.ravel(value)]
    return os.fspath(value) if option.type == "file" else value


def ends(span: Span) -> Dict[str, float]:
    """Where a run begins and ends, as far as that is given."""
    if span is None:
        return {}
    if isinstance(span, (int, float, np.number)):
        return {"to": float(span)}
    given = list(span) if np.iterable(span) else [span]
    if len(given) != 2:
        raise ValueError(f"span is (from, to) or the end alone, not {span!r}; use `at` for times between")
    return {name: _arguments.number("span", end) for name, end in zip(("from", "to"), given)}


def takes_options(groups: Tuple[str, ...]) -> Callable[[Function], Function]:
    """Completes the signature of a function and its documentation, where that has a line {options}."""

    def completed(function: Function) -> Function:
        signature = inspect.signature(function)
        own = list(signature.parameters.values())
        added = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=option.default)
                 for name, option in keywords(groups).items()]  # fmt: skip
        function.__signature__ = signature.replace(parameters=own[:-1] + added + own[-1:])  # type: ignore[attr-defined]
        if function.__doc__:
            function.__doc__ = function.__doc__.replace("        {options}\n", _documentation(groups))
        return function

    return completed


def _documentation(groups: Tuple[str, ...]) -> str:
    chosen = dict.fromkeys(option.name for option in keywords(groups).values())
    return "".join(_entry(option) for option in options() if option.name in chosen)


def _entry(option: OptionInfo) -> str:
    names = option.name + (f", {option.short_name}" if option.short_name else "")
    kind = "{" + ", ".join(f'"{choice}"' for choice in option.choices) + "}" if option.choices else option.type
    about = re.sub(rf"\b{option.value_name}\b", option.name, option.help) if option.value_name else option.help
    lines = textwrap.wrap(f"{about[0].upper()}{about[1:]}. Default: {option.default_text}.", 116) + option.details
    return f"        {names} : {kind}, optional\n" + "".join(f"            {line}\n" for line in lines)
