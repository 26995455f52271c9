"""Consistent points: where a solution may begin."""
from __future__ import annotations

import json
from functools import cached_property
from typing import Any, Dict, List, Optional

import numpy as np

from daedal import _core, _html, _names
from daedal._core import Conflict, Problem, StartValue
from daedal._errors import NumericalTrouble
from daedal._result import Result


class ConsistentPoint(Result):
    """The point nearest to the guesses at which every equation and every hidden constraint holds.

    ``point["x"]``, ``point["der(x)"]`` and ``point["energy"]`` give single values.
    """

    @property
    def status(self) -> str:
        """``"ok"``, ``"conflicting-conditions"``, ``"no-consistent-point"``, ..."""
        return self._core.status

    @property
    def problems(self) -> List[Problem]:
        """Why there is none; empty if ok."""
        return self._core.problems

    @property
    def t(self) -> float:
        """The time of the point."""
        return self._core.t

    @cached_property
    def variables(self) -> List[str]:
        """Names of the unknowns."""
        return self._core.variables

    @cached_property
    def values(self) -> Dict[str, np.ndarray]:
        """Of each variable its value, first derivative, ... as far as the equations tell them."""
        return dict(zip(self.variables, self._core.values))

    @property
    def outputs(self) -> Dict[str, float]:
        """The values of the outputs."""
        return dict(list(self._reported.items())[self._core.num_discretes :])

    @property
    def discretes(self) -> Dict[str, float]:
        """The values of the discrete variables."""
        return dict(list(self._reported.items())[: self._core.num_discretes])

    @property
    def _reported(self) -> Dict[str, float]:
        return dict(zip(self._core.outputs, self._core.output_values))

    @property
    def start(self) -> List[StartValue]:
        """What was searched for: guesses, and how far they moved."""
        return self._core.start

    @property
    def residual(self) -> float:
        """The largest |left - right| over all equations and hidden constraints."""
        return self._core.residual

    @property
    def distance(self) -> float:
        """The root of the sum of (moved/nominal)^2 over the guesses."""
        return self._core.distance

    @property
    def index(self) -> int:
        """The index of the model."""
        return self._core.index

    @property
    def index_kind(self) -> str:
        """``"structural"`` or ``"numerical"``."""
        return self._core.index_kind

    @property
    def converted(self) -> bool:
        """Whether an equivalent model was used, because structural analysis fails on this one."""
        return self._core.converted

    @property
    def dof(self) -> int:
        """Degrees of freedom."""
        return self._core.dof

    @property
    def condition(self) -> float:
        """Estimated condition of the worst block of the system Jacobian."""
        return self._core.condition

    @property
    def conflicts(self) -> List[Conflict]:
        """Sets of conditions that cannot hold together."""
        return self._core.conflicts

    @property
    def conditions(self) -> List[str]:
        """Those that hold just behind t, in a model with modes."""
        return self._core.conditions

    def __getitem__(self, name: Any) -> float:
        reported = self._reported
        variable, order = _names.split(name, [*self.variables, *reported])
        if order == 0 and variable in reported:
            return reported[variable]
        known = self.values.get(variable)
        if known is None:
            hint = _core.did_you_mean(variable, [*self.variables, *reported])
            raise KeyError(f"the point has no variable or output '{variable}'" + (f"; {hint}" if hint else ""))
        if order >= len(known):
            raise KeyError(f"the equations tell no derivative {order} of '{variable}' at the start")
        return float(known[order])

    def raise_if_failed(self) -> "ConsistentPoint":
        """Raises `NumericalTrouble` unless ok; else returns the point itself."""
        if not self.ok:
            raise NumericalTrouble(self.problems, self)
        return self

    def text(self) -> str:
        """As ``daedal init`` prints it."""
        return self._core.text()

    def to_json(self) -> str:
        """One JSON object with stable keys, as ``daedal init --json`` prints it."""
        return self._core.to_json()

    def to_dict(self) -> Dict[str, Any]:
        """The same as a dict."""
        return json.loads(self.to_json())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        if not self.ok:
            return f"<ConsistentPoint: {self.status}>"
        return f"<ConsistentPoint at t = {self.t:g}: index {self.index}, {_html.count(self.dof, 'degree')} of freedom, moved by {self.distance:.3g}>"

    def _repr_html_(self) -> str:
        return _html.point(self)
