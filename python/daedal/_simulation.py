"""Runs that their user drives, and models prepared for many of them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NoReturn, Optional, Tuple, TypeVar, Union

import numpy as np

from daedal import _arguments, _core, _html, _names
from daedal._core import Event, Expression, Problem, Progress
from daedal._errors import Interrupted, NumericalTrouble
from daedal._options import RUN, Span, ends, keywords, split, takes_options
from daedal._parameters import Parameters
from daedal._solution import Solution

if TYPE_CHECKING:
    from daedal._model import Model

Name = Union[str, Expression]
Values = Optional[Mapping[Any, float]]
OnStep = Optional[Callable[[Progress], Any]]
OnSample = Optional[Callable[[float, np.ndarray], Any]]
Callback = TypeVar("Callback")

_OWN = ("span", "on_step", "on_sample", "parameters", "start", "fixed")


def _known(model: "Model") -> List[str]:
    """Names of variables, discrete ones included, and outputs."""
    parameters = set(model._core.parameter_names())
    return [name for name in model._core.labels() if name not in parameters]


def _canonical(name: Any, known: List[str]) -> str:
    """ "der(x, 2)" of an expression, and of any way to write it."""
    return _names.derivative_name(*_names.split(name, known))


def _start_values(what: str, given: Values, known: List[str]) -> Dict[str, float]:
    return {_canonical(name, known): _arguments.number(f"{what}[{name!r}]", value) for name, value in (given or {}).items()}


def _input(values: Mapping[str, float], start: Values, fixed: Values, known: List[str]) -> Tuple[Any, ...]:
    """In what a run differs from its model, as C++ takes it."""
    return values, _start_values("start", start, known), _start_values("fixed", fixed, known)


def _raise(exception: Optional[BaseException], result: Callable[[], Any]) -> None:
    """Raises what a callback or the handler of a signal has raised."""
    if isinstance(exception, KeyboardInterrupt):
        raise Interrupted(result()) from None
    if exception is not None:
        raise exception


class Simulation:
    """A run that you drive: step, look, change, step on.

    ``sim["x"]``, ``sim["der(x)"]`` and ``sim["energy"]`` are present values. ``sim["der(x)"] = v`` changes one from now on, and
    ``sim.parameters["L"] = 9`` a parameter: as a `when` clause with `reinit` does at that moment. What was set stays; the rest moves as
    little as the equations allow. Several changes before the next step are one. What was set is read back at once; what depends on it
    follows with the next step.

    Parameters
    ----------
    model : Model
        It may change or go away afterwards.
    span, on_step, on_sample, parameters, options, values of parameters
        As for `Model.solve`.
    start : dict of name to number, optional
        Guesses that take the place of the model's start values: ``{"x": 1, "der(x)": 0}``.
    fixed : dict of name to number, optional
        The same for values that must hold at the start.

    Raises
    ------
    Error
        As `Model.solve` does. E-SIM-002 for a name in `start` or `fixed` that the model does not have.

    Examples
    --------
    A pendulum that is kicked on its way:

    >>> m = daedal.Model("Pendulum")
    >>> x, y, pull = m.variable("x", start=[0.6, 0], fixed=True), m.variable("y", start=0.8), m.variable("pull")
    >>> m.equation(daedal.der(x, 2) == -x*pull)
    >>> m.equation(daedal.der(y, 2) == 9.81 - y*pull)
    >>> m.equation("rod", x**2 + y**2 == 1)
    >>> sim = m.simulate((0, 10), tolerance=1e-10)
    >>> sim.step_until(5)
    True
    >>> sim["der(x)"] += 1
    >>> sim.finish()
    True
    >>> sim
    <Simulation of Pendulum at t = 10: ok, over, ... steps>
    >>> sol = sim.solution()
    >>> sol.t_final, len(sol.events)
    (10.0, 0)
    """

    @takes_options(RUN)
    def __init__(
        self,
        model: "Model",
        span: Span = None,
        *,
        on_step: OnStep = None,
        on_sample: OnSample = None,
        parameters: Optional[Mapping[str, float]] = None,
        start: Values = None,
        fixed: Values = None,
        **options_and_values: Any,
    ) -> None:
        options, values = split(options_and_values, RUN)
        given = model._values("simulate", parameters, values, [*keywords(RUN), *_OWN])
        known = _known(model)
        begun = _core.simulate(model._core, _input(given, start, fixed, known), {**ends(span), **options}, (on_step, on_sample))
        self._begin(begun, known, on_step, on_sample)

    def _begin(self, begun: Tuple[Any, Any], known: List[str], on_step: OnStep, on_sample: OnSample) -> None:
        self._core, exception = begun
        self._known = known
        self._on_step, self._on_sample = on_step, on_sample
        self._on_event: Any = None
        _raise(exception, self.solution)

    # Steps.

    def step(self) -> bool:
        """Makes one accepted step, or the part of one up to the first event.

        Returns
        -------
        bool
            True if the simulation stands at the end of the step, also where that is the end of the run. False if the run was over
            before (then nothing happens), if a when clause ended it, or if there is no way on.
        """
        return self._drive(self._core.step)

    def step_until(self, t: float) -> bool:
        """Makes steps that end at exactly this time; a time beyond the end of the run extends the run.

        Returns
        -------
        bool
            False if the run ended before this time, `status` and `problems` say why; or if `on_step` ended the call.

        Raises
        ------
        Error
            E-SIM-001 for a time in the past.
        """
        return self._drive(self._core.step_until, _arguments.number("t", t))

    def finish(self) -> bool:
        """Makes steps to the end of the run; False if there was no way to it, or `on_step` ended the call."""
        return self._drive(self._core.finish)

    def on_event(self, callback: Callback) -> Callback:
        """Calls a function ``callback(sim, event)`` at events.

        It is called after a step that ended in events, once for each `Event`, when that has happened: it may read and change the
        simulation, but not step it. It takes the place of the one before; None takes that away. What it raises comes out of the call
        that made the step. It can be used as a decorator.

        Examples
        --------
        >>> m = daedal.Model("Ball")
        >>> h = m.variable("h", start=[1, 0], fixed=True)
        >>> m.equation(daedal.der(h, 2) == -9.81)
        >>> m.when("bounce", h < 0, daedal.reinit(daedal.der(h), -0.5*daedal.der(h)))
        >>> sim = m.simulate((0, 1))
        >>> @sim.on_event
        ... def show(sim, event):
        ...     print(f"{event.name} at {sim.t:.6f}, up with {sim['der(h)']:.6f}")
        >>> sim.finish()
        bounce at 0.451524, up with 2.214723
        bounce at 0.903047, up with 1.107362
        True
        """
        function: Any = callback
        if function is not None and not callable(function):
            raise TypeError(f"{callback!r} cannot be called")
        self._on_event = function
        return callback

    def _happen(self, event: Event) -> None:
        if self._on_event is not None:
            self._on_event(self, event)

    def _drive(self, work: Callable[..., Tuple[bool, Any]], *arguments: Any) -> bool:
        is_under_way, exception = work((self._on_step, self._on_sample, self._happen), *arguments)
        _raise(exception, self.solution)
        return is_under_way

    # Looking.

    @property
    def status(self) -> str:
        """``"ok"`` while the run may go on, and when it has come to its end."""
        return self._core.status()

    @property
    def ok(self) -> bool:
        """Whether the status is ``"ok"``."""
        return self.status == "ok"

    @property
    def problems(self) -> List[Problem]:
        """Why it is not; empty if it is."""
        return self._core.problems()

    @property
    def is_over(self) -> bool:
        """Whether the end of the run is reached, or there is no way on."""
        return self._core.is_over()

    @property
    def t(self) -> float:
        """The time reached."""
        return self._core.t()

    @property
    def num_steps(self) -> int:
        """Accepted steps so far."""
        return self._core.num_steps()

    @property
    def variables(self) -> List[str]:
        """Names of the variables, in the order of declaration."""
        return self._core.variables()

    @property
    def values(self) -> Dict[str, float]:
        """The present values of all variables."""
        return dict(zip(self.variables, self._core.values()))

    def __getitem__(self, name: Name) -> float:
        """The present value of a variable, an output or a derivative: ``sim["x"]``, ``sim["der(x, 2)"]``; E-SIM-002 if there is none."""
        return self._core.value(_canonical(name, self._known))

    def __contains__(self, name: Any) -> bool:
        return _names.split(name, self._known)[0] in self._known

    def __iter__(self) -> NoReturn:
        raise TypeError("a simulation is no sequence; sim.variables are its names, sim.values its values")

    def raise_if_failed(self) -> "Simulation":
        """Raises `NumericalTrouble` unless ok; else returns the simulation itself."""
        if not self.ok:
            raise NumericalTrouble(self.problems, self.solution())
        return self

    # Changing.

    def set(self, name: Name, value: float) -> None:
        """Changes a variable or a derivative from now on, as ``sim[name] = value`` does.

        If the equations have no solution with the new values, the next step does not happen, and `status` says why.
        """
        self._core.set(_canonical(name, self._known), _arguments.number(f"value of {name!r}", value))

    __setitem__ = set

    @property
    def parameters(self) -> Parameters:
        """The parameters with their present values; ``sim.parameters["L"] = 9`` changes one from now on."""
        return Parameters(self._core)

    # Keeping.

    def save(self) -> bytes:
        """All that the steps to come depend on, for `restore`.

        The simulation goes on from this state alone, which may change the last digits of the steps to come.

        Raises
        ------
        Error
            E-SIM-003 right after an event, where the state does not show what happens next, and at the end of the run.
        """
        return self._core.save()

    def restore(self, state: bytes) -> None:
        """Goes on from a saved state, of this simulation or of another one of the same model and options, to the same bits.

        The solution begins there.

        Raises
        ------
        Error
            E-SIM-004 for anything that is no such state.
        """
        if not isinstance(state, bytes):
            raise TypeError(f"a state is what save() gives: bytes, not {type(state).__name__}")
        self._drive(self._core.restore, state)

    def solution(self) -> Solution:
        """What was computed until now, as `Model.solve` gives it but without warnings; steps to come do not change it."""
        return Solution(self._core.solution())

    def __reduce__(self) -> NoReturn:
        raise TypeError("a simulation cannot be copied or pickled; what save() gives can, and restore() takes it")

    def __repr__(self) -> str:
        over = ", over" if self.is_over else ""
        steps = _html.count(self.num_steps, "step")
        return f"<Simulation of {self._core.model_name()} at t = {self.t:g}: {self.status}{over}, {steps}>"


class PreparedModel:
    """A model for many runs with other parameters and starts, analysed once.

    The first run checks and analyses the model, and raises what it finds. Machine code and searches for starts are made once, too. Several threads may use it; they take turns. `Model.ensemble` solves many
    members at a time.

    Parameters
    ----------
    model : Model
        It may change or go away afterwards.
    span, on_step, on_sample, parameters, options, values of parameters
        As for `Model.solve`, for all runs.

    Examples
    --------
    >>> m = daedal.Model("Decay")
    >>> k = m.parameter("k", 1)
    >>> x = m.variable("x", start=1, fixed=True)
    >>> m.equation(daedal.der(x) == -k*x)
    >>> prepared = m.prepare((0, 1), tolerance=1e-12)
    >>> for rate in (1, 2):
    ...     print(round(prepared.solve(k=rate, fixed={"x": 3}).final["x"], 9))
    1.103638324
    0.40600585
    >>> prepared.num_analyses
    1
    """

    @takes_options(RUN)
    def __init__(
        self,
        model: "Model",
        span: Span = None,
        *,
        on_step: OnStep = None,
        on_sample: OnSample = None,
        parameters: Optional[Mapping[str, float]] = None,
        **options_and_values: Any,
    ) -> None:
        options, values = split(options_and_values, RUN)
        given = model._values("prepare", parameters, values, [*keywords(RUN), *_OWN[:-2]])
        self._model = model.copy()
        self._model.parameters.update(given)
        self._known = _known(model)
        self._callbacks = on_step, on_sample
        self._core = _core.PreparedModel(self._model._core, {**ends(span), **options}, on_sample is not None)

    def solve(
        self, *, parameters: Optional[Mapping[str, float]] = None, start: Values = None, fixed: Values = None, **values: float
    ) -> Solution:
        """What `Model.solve` gives for the model with these parameters and start values, bit by bit.

        Parameters
        ----------
        parameters, and all other keywords
            Other values of parameters than the model's: ``prepared.solve(L=9)``.
        start, fixed : dict of name to number, optional
            Start values that take the place of the model's, guesses and values that must hold: ``{"x": 1, "der(x)": 0}``.
        """
        core, exception = self._core.solve(self._input("solve", parameters, start, fixed, values), self._callbacks)
        solution = Solution(core)
        _raise(exception, lambda: solution)
        return solution

    def simulate(
        self, *, parameters: Optional[Mapping[str, float]] = None, start: Values = None, fixed: Values = None, **values: float
    ) -> Simulation:
        """A `Simulation` of the model with these parameters and start values, as for `solve`."""
        begun = self._core.simulate(self._input("simulate", parameters, start, fixed, values), self._callbacks)
        simulation = Simulation.__new__(Simulation)
        simulation._begin(begun, self._known, *self._callbacks)
        return simulation

    def _input(
        self, verb: str, parameters: Optional[Mapping[str, float]], start: Values, fixed: Values, values: Mapping[str, float]
    ) -> Tuple[Any, ...]:
        return _input(self._model._values(verb, parameters, values, _OWN[3:]), start, fixed, self._known)

    @property
    def num_analyses(self) -> int:
        """How often structure was analysed: for `solve` once, or once for each mode that was met.

        The same again for `simulate`, for ``verify=True``, for each further simulation that is under way at the same time, and for a
        run that had no start on what was prepared. The analyses of a simulation count from its end on.
        """
        return self._core.num_analyses()

    @property
    def model(self) -> "Model":
        """The model as it was prepared, with the parameters of all runs: a copy."""
        return self._model.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a prepared model cannot be copied or pickled; its model can be copied")

    def __repr__(self) -> str:
        return f"<PreparedModel {self._model.name}>"
