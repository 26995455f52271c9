"""Curves of a solution, with Matplotlib, which is imported when first needed."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional

import numpy as np

from daedal import _names
from daedal._core import Expression

if TYPE_CHECKING:
    from daedal._solution import Solution


def breaks(solution: "Solution") -> np.ndarray:
    """The times of events at which values may jump, inside the run."""
    inner = [event.t for event in solution.events if event.kind in ("mode", "when")]
    ends = solution.t[[0, -1]] if len(solution.t) else np.zeros(2)
    return np.array([t for t in dict.fromkeys(inner) if t not in ends])


def times(solution: "Solution", points: int) -> np.ndarray:
    """The same number of times in every step, which is short where the solution is quick, and the left limits of events."""
    ends = np.unique(solution.t)  # ascending, whatever the direction of the run
    if len(ends) < 2:
        return ends
    per_step = int(np.clip(np.ceil(points / (len(ends) - 1)), 1, 500))
    parts = ends[:-1, None] + np.diff(ends)[:, None] * np.arange(per_step) / per_step
    ascending = np.append(parts.ravel(), ends[-1])
    is_forward = solution.t[-1] >= solution.t[0]
    before = np.nextafter(breaks(solution), -np.inf if is_forward else np.inf)
    ascending = np.unique(np.concatenate([ascending, before]))
    return ascending if is_forward else ascending[::-1]


def with_gaps(solution: "Solution", ts: np.ndarray, values: np.ndarray) -> Any:
    """Times and rows of values with a NaN at every event, so that no line is drawn from the value before to the one behind it."""
    places = np.flatnonzero(np.isin(ts, breaks(solution)))
    return np.insert(ts, places, ts[places]), np.insert(values, places, np.nan, axis=1)


def curves(solution: "Solution", names: List[Any], points: int) -> Any:
    """(times, one row of values per name), with gaps at events."""
    ts = times(solution, points)
    values = np.array([ts if name == "t" and "t" not in solution._known else solution(name, ts) for name in names])
    return with_gaps(solution, ts, values)


def _label(solution: "Solution", name: Any, units: Dict[str, str]) -> str:
    text = name if isinstance(name, str) else repr(name)
    variable, order = _names.split(text, solution._known)
    unit = units.get(variable, "") if order == 0 else ""
    # A dollar sign would begin mathematics.
    return (f"{text} [{unit}]" if unit else text).replace("$", r"\$")


def _list(names: Any) -> List[Any]:
    # `==` of expressions is an equation: one must not look for them in a list.
    return [names] if isinstance(names, (str, Expression)) else list(names)


def plot(solution: "Solution", x: Any, y: Any, ax: Optional[Any], points: int, events: bool, style: Dict[str, Any]) -> Any:
    """See Solution.plot."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need Matplotlib (Debian: python3-matplotlib, elsewhere: pip install matplotlib)") from error

    over_time = y is None
    abscissa = "t" if over_time else x
    ordinates = _list(solution.variables if x is None and over_time else (x if over_time else y))
    if not over_time and not isinstance(abscissa, (str, Expression)):
        raise TypeError("the first of two arguments is one name; several names over t are one list: sol.plot(['x', 'y'])")
    _, rows = curves(solution, [abscissa, *ordinates], points)
    if ax is None:
        _, ax = plt.subplots()
    units = solution.model.units
    labels = [_label(solution, name, units) for name in ordinates]
    for label, row in zip(labels, rows[1:]):
        ax.plot(rows[0], row, **{"label": label, **style})
    if over_time and events:
        for event in solution.events:
            ax.axvline(event.t, color="0.8", linewidth=0.6, zorder=0)
    ax.set_xlabel("t" if over_time else _label(solution, abscissa, units))
    if len(labels) == 1:
        ax.set_ylabel(labels[0])
    elif len(labels) <= 12:
        ax.legend()
    if over_time:
        ax.set_title(solution.model_name.replace("$", r"\$"))
    return ax
