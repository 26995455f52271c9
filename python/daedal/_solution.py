"""Solutions: any variable or derivative at any time of a run."""
from __future__ import annotations

import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

import numpy as np

from daedal import _arguments, _core, _html, _names, _plot
from daedal._core import Event, Expression, Indicator, MethodInfo, Mode, Problem, Seconds, Singularity, StateVector, Statistics, Verification, Zeno
from daedal._errors import NumericalTrouble
from daedal._result import Result
from daedal._start import ConsistentPoint

if TYPE_CHECKING:
    from daedal._model import Model

Name = Union[str, Expression]


def methods() -> List[MethodInfo]:
    """The methods that a run may be made by, the default first, and what each accepts."""
    return _core.methods()


class Samples:
    """The values at the times asked for with ``at``.

    Attributes
    ----------
    t : array
        The times, as far as they were reached.
    values : array
        One row per variable, one column per time.

    ``sol.at["x"]`` is the row of a variable, discrete variable or output.
    """

    def __init__(self, variables: List[str], reported: List[str], core_samples: Any) -> None:
        self.t, self.values, self._reported = core_samples
        self._rows = {**dict(zip(reported, self._reported)), **dict(zip(variables, self.values))}

    def __getitem__(self, name: Name) -> np.ndarray:
        key = name if isinstance(name, str) else repr(name)
        if key not in self._rows:
            raise KeyError(f"no values of '{key}' were sampled; sol('{key}', sol.at.t) computes them from the steps")
        return self._rows[key]

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        return f"<Samples at {len(self.t)} times>"


class Solution(Result):
    """A trajectory, and what the run that made it tells of itself.

    ``sol(t)`` gives all variables at t, ``sol("x", t)`` one of them, ``sol("x", t, order=1)`` or ``sol("der(x)", t)`` a derivative; t
    may be an array. ``sol.t`` are the ends of the steps, ``sol["x"]`` the values there. At an event the values are those just behind
    it. Copies of a solution are the solution itself.
    """

    # Values.

    @cached_property
    def t(self) -> np.ndarray:
        """The start and every step end; empty if steps were not kept."""
        times = self._core.step_times
        times.setflags(write=False)
        return times

    @cached_property
    def variables(self) -> List[str]:
        """Names of the variables, in the order of declaration."""
        return self._core.variables

    @cached_property
    def discretes(self) -> List[str]:
        """Names of the discrete variables: they keep their values between events."""
        return self._reported[: self._core.num_discretes]

    @cached_property
    def outputs(self) -> List[str]:
        """Names of the outputs of the model; the energy of a Lagrangian is one."""
        return self._reported[self._core.num_discretes :]

    @cached_property
    def _reported(self) -> List[str]:
        # What is reported beside the variables.
        return self._core.outputs

    def __call__(self, *arguments: Any, order: int = 0) -> Any:
        """Values at any time of the run, from the polynomials of the steps.

        ``sol(t)``, ``sol(name, t)``, ``sol([name, ...], t)``, each with ``order=k`` for derivative k.

        Parameters
        ----------
        name : str, Expression or list of them, optional
            A variable, a derivative such as ``"der(x)"``, a discrete variable or an output. Default: all variables.
        t : float or array
            Times of the run.
        order : int
            Which derivative.

        Returns
        -------
        float or array
            Of one name: a number, or an array of the shape of t. Of several, or of all variables: an array with one row for each, so
            that ``sol(numpy.linspace(0, 1, 5))`` has the shape (variables, 5), as SciPy's solutions have.

        Raises
        ------
        Error
            E-SOL-001 for a time outside the run, E-SOL-002 for an unknown name, E-SOL-003 if steps were not kept, E-SOL-004 for a
            derivative that cannot be told.
        """
        if len(arguments) not in (1, 2):
            raise TypeError("sol(t), sol(name, t) or sol([name, ...], t)")
        times = np.asarray(arguments[-1], dtype=float)
        order = _arguments.whole("order", order)
        if len(arguments) == 1 and order == 0:
            return self._core.all_values_at(times.ravel()).reshape((len(self.variables),) + times.shape)
        names = self.variables if len(arguments) == 1 else arguments[0]
        if isinstance(names, (str, Expression)):
            values = self._core.values_at([self._item(names, order)], times.ravel())[0]
            return values.reshape(times.shape) if times.ndim else float(values[0])
        items = [self._item(name, order) for name in names]
        return self._core.values_at(items, times.ravel()).reshape((len(items),) + times.shape)

    def __getitem__(self, name: Union[Name, Sequence[Name]]) -> np.ndarray:
        """Values on `t`, the ends of the steps: ``sol["x"]``, ``sol["der(x)"]``, ``sol[["x", "y"]]``; ``sol["t"]`` is `t` itself."""
        if isinstance(name, str) and name in ("t", "time") and name not in self._known:
            return self.t
        return self(name, self.t)

    def __contains__(self, name: Any) -> bool:
        return _names.split(name, self._known)[0] in self._known

    def __iter__(self) -> Any:
        raise TypeError("a solution is no sequence; sol.variables are its names, sol.t its times")

    @cached_property
    def _known(self) -> List[str]:
        return self.variables + self._reported

    def _item(self, name: Name, order: int = 0) -> Any:
        variable, derivative = _names.split(name, self._known)
        return variable, _arguments.whole("order", derivative + order)

    @cached_property
    def at(self) -> Samples:
        """The values at the times that ``solve(..., at=...)`` asked for."""
        return Samples(self.variables, self._reported, self._core.samples())

    @property
    def start(self) -> ConsistentPoint:
        """Where the run began."""
        return ConsistentPoint(self._core.start)

    @property
    def t_final(self) -> float:
        """The time reached."""
        return self._core.t_reached

    @cached_property
    def final(self) -> Dict[str, float]:
        """The variables, the discrete ones, then the outputs, at the time reached.

        They are put back onto the constraints, while ``sol(sol.t_final)`` is the end of the last step's polynomial: both are within the
        tolerance.
        """
        values = dict(zip(self._reported, map(float, self._core.final_outputs)))
        return {**dict(zip(self.variables, map(float, self._core.final))), **values}

    @property
    def final_derivatives(self) -> Dict[str, np.ndarray]:
        """First, second, ... derivatives of each variable at the time reached, as far as known."""
        return dict(zip(self.variables, self._core.final_derivatives))

    # How the run went.

    @property
    def status(self) -> str:
        """``"ok"``, or why the run ended early: ``"blow-up"``, ``"singular-point"``, ``"interrupted"``, ..."""
        return self._core.status

    @property
    def problems(self) -> List[Problem]:
        """Why it ended early; empty if ok."""
        return self._core.problems

    @property
    def warnings(self) -> List[Problem]:
        """What the result should not be trusted for, ok or not: a tolerance below rounding, an error that has grown."""
        return self._core.warnings

    @property
    def verification(self) -> Optional[Verification]:
        """What a second, more accurate run says of this one, if it was asked for with ``verify=True`` and the end was reached."""
        return self._core.verification

    def raise_if_failed(self) -> "Solution":
        """Raises `NumericalTrouble` unless ok; else returns the solution itself: ``m.solve((0, 1)).raise_if_failed()``."""
        if not self.ok:
            raise NumericalTrouble(self.problems, self)
        return self

    @property
    def method(self) -> str:
        """The method used."""
        return self._core.method

    @property
    def method_reason(self) -> str:
        """Why ``"auto"`` did not take the usual one; empty if it did."""
        return self._core.method_reason

    @property
    def order(self) -> int:
        """The order of the method."""
        return self._core.order

    @property
    def tolerance(self) -> float:
        """The tolerance used."""
        return self._core.tolerance

    @property
    def kernel(self) -> str:
        """Who computed the last series: ``"interpreter"`` or ``"compiled"``."""
        return self._core.kernel

    @property
    def converted(self) -> bool:
        """Whether an equivalent model was solved, because structural analysis fails on this one."""
        return self._core.converted

    @cached_property
    def steps(self) -> np.recarray:
        """How every accepted step went, as a record array: ``end``, ``length``, ``order``, ``rejected`` (longer ones tried before),
        ``condition`` and ``residual`` at its end; NaN where the method does not know. Empty if steps were not kept."""
        names: Any = "end,length,order,rejected,condition,residual"
        return np.rec.fromarrays(self._core.step_notes, names=names)

    @cached_property
    def events(self) -> List[Event]:
        """What happened on the way, in the order of the run."""
        return self._core.events

    @cached_property
    def modes(self) -> List[Mode]:
        """Sets of equations that held for some time, in the order of their first entry; empty for a model without modes."""
        return self._core.modes

    @property
    def zeno(self) -> Optional[Zeno]:
        """Events that accumulate at a finite time, if they do."""
        return self._core.zeno

    @property
    def singularities(self) -> List[Singularity]:
        """Points on the way at which the system Jacobian was singular."""
        return self._core.singularities

    @property
    def indicators(self) -> List[Indicator]:
        """Of the method ``"array"``: condition of the derivative array on the way."""
        return self._core.indicators

    @property
    def state_vectors(self) -> List[StateVector]:
        """Of the methods ``"dd-erk"`` and ``"dd-ida"``: what the ODE was made of."""
        return self._core.state_vectors

    @property
    def statistics(self) -> Statistics:
        """Steps, iterations, residuals."""
        return self._core.statistics

    @property
    def seconds(self) -> Seconds:
        """Where the time went."""
        return self._core.seconds

    @property
    def model(self) -> "Model":
        """The model as it was solved, with the parameters of this run: a copy."""
        from daedal._model import Model

        return Model._of(self._core.model)

    @property
    def model_name(self) -> str:
        """The name of the model."""
        return self._core.model_name

    # For people and for other programs.

    def plot(
        self,
        x: Union[None, Name, Sequence[Name]] = None,
        y: Union[None, Name, Sequence[Name]] = None,
        *,
        ax: Any = None,
        points: int = 2000,
        events: bool = True,
        **style: Any,
    ) -> Any:
        """Draws curves with Matplotlib, smooth between the steps, and broken where values jump.

        It reads like Matplotlib's own ``plot``: one argument is drawn over time, two are drawn one against the other.

        ==========================  =======================================
        ``sol.plot()``              all variables over t
        ``sol.plot("x")``           x over t
        ``sol.plot(["x", "y"])``    x and y over t
        ``sol.plot("x", "y")``      the phase plot: y over x
        ``sol.plot("x", "der(x)")`` the phase plane
        ==========================  =======================================

        Parameters
        ----------
        x : name or list of names, optional
            What is drawn over t; or, if y is given, what y is drawn over.
        y : name or list of names, optional
            For phase plots.
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.
        points : int
            About how many points a curve has; never fewer than the step ends.
        events : bool
            Mark events by thin vertical lines in plots over t.
        **style
            Passed on to Matplotlib: ``color``, ``linestyle``, ``label``, ...

        Returns
        -------
        matplotlib Axes
        """
        return _plot.plot(self, x, y, ax, points, events, style)

    def sample(self, points: int = 2000) -> np.ndarray:
        """About so many times, denser where the steps are short, for smooth curves: ``ts = sol.sample(); sol("x", ts)``.

        Just before each event that may change values there is one more, so that jumps look like jumps.
        """
        return _plot.times(self, points)

    def to_html(self, max_points: int = 100_000) -> str:
        """A report: one HTML page that needs nothing besides itself, with the model, its structure, curves to zoom into, events.

        Parameters
        ----------
        max_points : int
            Most points of a curve.
        """
        return self._core.to_html("", _arguments.whole("max_points", max_points))

    def report(self, path: Union[str, "os.PathLike[str]"], max_points: int = 100_000) -> None:
        """Writes `to_html` to a file, to look at in a browser and to pass on: ``sol.report("crane.html")``."""
        page = self.to_html(max_points)  # before the file that may be there is given up
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def to_dict(self) -> Dict[str, Any]:
        """What the run tells, as a dict with the stable keys of ``daedal run --json``."""
        return json.loads(self.to_json())

    def to_json(self) -> str:
        """The same as one JSON object."""
        return self._core.to_json()

    def to_dataframe(self, t: Any = None) -> Any:
        """Variables, discrete ones included, and outputs by time as a pandas DataFrame (needs pandas); default: at the step ends."""
        import pandas

        times = self.t if t is None else np.asarray(t, dtype=float)
        return pandas.DataFrame(self(self._known, times).T, index=pandas.Index(times, name="t"), columns=self._known)

    def text(self) -> str:
        """As ``daedal run`` prints it."""
        return self._core.text()

    def text_plot(self, *names: str, width: int = 80, unicode: bool = True) -> str:
        """Curves drawn with characters, as ``daedal run --plot`` does: ``print(sol.text_plot("x", "der(x)", "x:y"))``.

        Without names the first variables, four at most; ``x:y`` draws y against x.
        """
        return self._core.text_plot(list(names), _arguments.whole("width", width), bool(unicode))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return (
            f"<Solution of {self.model_name}: {self.status}, reached t = {self.t_final:g}, "
            f"{_html.count(self.statistics.steps, 'step')}, {self.method} of order {self.order}>"
        )

    def _repr_html_(self) -> str:
        return _html.solution(self)
