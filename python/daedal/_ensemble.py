"""Many runs of one model."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Dict, Iterator, List

import numpy as np

from daedal import _arguments, _core, _html, _names
from daedal._solution import Solution


def members_of(given: Any, shared: "Mapping[str, float]") -> List[Dict[str, float]]:
    """One dict of parameters per member, from a dict of arrays or a sequence of dicts."""
    if isinstance(given, Mapping):
        names = list(given)
        if not names:
            return [dict(shared)]
        columns = np.broadcast_arrays(*(np.asarray(given[name], dtype=float) for name in names))
        return [{**shared, **dict(zip(names, map(float, row)))} for row in zip(*(column.ravel() for column in columns))]
    return [_arguments.numbers(shared, member) for member in given]


class Ensemble(Sequence):  # type: ignore[type-arg]
    """The solutions of an ensemble, a sequence of `Solution`, with arrays over all members.

    ``ensemble("x", t)`` gives a variable of all members: an array (members,) for a number t, (members, times) for an array; NaN
    where a member was not there. ``ensemble.final["x"]`` is the array of last values, ``ensemble.parameters["L"]`` that of a
    parameter.
    """

    def __init__(self, solutions: List[Solution], members: List[Dict[str, float]], defaults: Dict[str, float]) -> None:
        self._solutions = solutions
        self._members = members
        self._defaults = defaults

    def __len__(self) -> int:
        return len(self._solutions)

    def __getitem__(self, place: Any) -> Any:
        """A member, or an ensemble of those in a slice or where a mask is true: ``ensemble[ensemble.ok]``."""
        if isinstance(place, (int, np.integer)):
            return self._solutions[place]
        chosen = np.arange(len(self))[place]
        return Ensemble([self._solutions[k] for k in chosen], [self._members[k] for k in chosen], self._defaults)

    def __iter__(self) -> Iterator[Solution]:
        return iter(self._solutions)

    @property
    def variables(self) -> List[str]:
        """Names of the variables."""
        return self._solutions[0].variables if self._solutions else []

    @property
    def parameters(self) -> Dict[str, np.ndarray]:
        """The parameters in which members differ from the model, each as an array over the members."""
        names = dict.fromkeys(name for member in self._members for name in member)
        return {
            name: np.array([member.get(name, self._defaults.get(name, np.nan)) for member in self._members], dtype=float)
            for name in names
        }

    def __call__(self, name: Any, t: Any, order: int = 0) -> np.ndarray:
        """A variable, derivative or output of all members.

        Parameters
        ----------
        name : str or Expression
        t : float or array
        order : int
            Which derivative.

        Returns
        -------
        array
            (members,) for a number t, else (members,) + t.shape; NaN at times that a member did not reach.
        """
        times = np.asarray(t, dtype=float)
        known = self._solutions[0]._known if self._solutions else []
        variable, derivative = _names.split(name, known)
        if known and variable not in known:
            self._solutions[0](name, times.ravel()[:1])  # says what is wrong with the name
        cores = [solution._core for solution in self._solutions]
        item = variable, _arguments.whole("order", derivative + _arguments.whole("order", order))
        values = _core.ensemble_values_at(cores, item, times.ravel())
        return values.reshape((len(cores),) + times.shape)

    @property
    def status(self) -> np.ndarray:
        """The status of each member."""
        return np.array([solution.status for solution in self._solutions], dtype=object)

    @property
    def ok(self) -> np.ndarray:
        """Whether each member came to its end."""
        return np.array([solution.ok for solution in self._solutions], dtype=bool)

    @property
    def t_final(self) -> np.ndarray:
        """The time that each member reached."""
        return np.array([solution.t_final for solution in self._solutions], dtype=float)

    @property
    def steps(self) -> np.ndarray:
        """The steps of each member."""
        return np.array([solution.statistics.steps for solution in self._solutions], dtype=int)

    @property
    def final(self) -> Dict[str, np.ndarray]:
        """Variables, discrete ones included, and outputs at the times reached, each as an array over the members."""
        names = list(self._solutions[0].final) if self._solutions else []
        return {name: np.array([solution.final[name] for solution in self._solutions]) for name in names}

    def raise_if_failed(self) -> "Ensemble":
        """Raises `NumericalTrouble` for the first member that is not ok; else returns the ensemble itself."""
        for solution in self._solutions:
            solution.raise_if_failed()
        return self

    def __repr__(self) -> str:
        return f"<Ensemble of {len(self)} members, {int(self.ok.sum())} of them ok>"

    def _repr_html_(self) -> str:
        return _html.ensemble(self)
