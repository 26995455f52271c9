"""Options of solve() and ensemble() on their way to C++."""
from __future__ import annotations

import os
from typing import Any, Dict, Optional, Sequence, Union

import numpy as np

from daedal import _arguments

Number = Union[int, float, np.number]
Span = Union[None, int, float, Sequence[Number]]

# As the C++ library calls them.
OPTIONS = (
    "tol", "order", "method", "index", "fixed_step", "start_up", "kernel", "use_cache", "max_step", "max_steps", "max_seconds",
    "max_memory", "at", "keep_steps", "checkpoint", "checkpoint_every", "resume", "anchor_every", "verify",
)


def file_name(path: Union[None, str, "os.PathLike[str]"]) -> Optional[str]:
    return None if path is None else os.fspath(path)


def run_options(span: Span, **options: Any) -> Dict[str, Any]:
    """Those that were given, under the names of the C++ library."""
    given = {name: value for name, value in options.items() if value is not None}
    if "at" in given:
        given["at"] = [_arguments.number("at", t) for t in np.ravel(given["at"])]
    if isinstance(span, (int, float, np.number)):
        given["to"] = float(span)
    elif span is not None:
        ends = list(span) if np.iterable(span) else [span]
        if len(ends) != 2:
            raise ValueError(f"span is (from, to) or the end alone, not {span!r}; use `at` for times between")
        given["from"], given["to"] = (_arguments.number("span", end) for end in ends)
    return given
