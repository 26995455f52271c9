"""Models: named variables, parameters and equations."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from daedal import _arguments, _core, _equations, _html
from daedal._analysis import Analysis
from daedal._arrays import ArrayEvaluation, DerivativeArray, array_options
from daedal._core import Action, ArrayAnalysis, Equality, Expression, Progress
from daedal._ensemble import Ensemble, members_of
from daedal._errors import Interrupted
from daedal._functions import ExpressionArray
from daedal._options import ENSEMBLE, RUN, Span, ends, keywords, split, takes_options
from daedal._parameters import Parameters
from daedal._places import caller
from daedal._progress import ProgressLine
from daedal._simulation import PreparedModel, Simulation
from daedal._solution import Solution
from daedal._start import ConsistentPoint

Term = Union[Expression, int, float, np.number]


class Model:
    """A model: variables, parameters, equations, events.

    Parameters
    ----------
    name : str
        For messages and reports.
    description : str, optional
        One line for reports.

    Examples
    --------
    The pendulum in cartesian coordinates, index 3:

    >>> m = daedal.Model("Pendulum")
    >>> g, L = m.parameter("g", 9.81), m.parameter("L", 10)
    >>> x = m.variable("x", start=[10, 0])
    >>> y = m.variable("y", start=[0, 1], fixed=True)
    >>> lam = m.variable("lambda")
    >>> m.equation(daedal.der(x, 2) + x*lam == 0)
    >>> m.equation(daedal.der(y, 2) + y*lam == g)
    >>> m.equation("length", x**2 + y**2 == L**2)
    >>> m.analyze().structural_index
    3
    >>> sol = m.solve((0, 10), tolerance=1e-12)
    >>> round(float(sol("x", 10)), 9)
    -8.096287984
    """

    def __init__(self, name: str, description: str = "") -> None:
        self._core = _core.Model(name, description)

    @classmethod
    def _of(cls, core: Any) -> "Model":
        model = cls.__new__(cls)
        model._core = core
        return model

    # Building.

    def variable(
        self,
        name: str,
        start: Union[None, Term, Sequence[Term]] = None,
        fixed: Union[bool, Sequence[bool]] = False,
        nominal: Term = 1.0,
        unit: str = "",
        description: str = "",
    ) -> Expression:
        """A new unknown.

        Parameters
        ----------
        name : str
            Each name may occur once in a model.
        start : number, expression of parameters, or sequence of them, optional
            The value at the start, or the value and derivatives ``[x, x', ...]``: guesses unless fixed.
        fixed : bool or sequence of bool
            Which of the start values must hold; True means all of them.
        nominal : number or expression of parameters
            Typical size, > 0; scales tolerances and distances.
        unit, description : str
            For reports and plots.

        Returns
        -------
        Expression
            To write equations with.
        """
        values = _start_values(start)
        return self._core.variable(
            name, values, _fixed_values(fixed, len(values)), nominal, unit, description, caller()
        )

    def variables(
        self,
        name: str,
        shape: Union[int, Tuple[int, ...]],
        start: Any = None,
        fixed: Union[bool, Sequence[bool]] = False,
        nominal: Term = 1.0,
        unit: str = "",
        description: str = "",
    ) -> ExpressionArray:
        """An array of new unknowns ``name[1]``, ``name[2]``, ... or ``name[1,1]``, ``name[1,2]``, ...

        Parameters
        ----------
        name : str
            Of the array.
        shape : int or tuple of int
            As for `numpy.empty`.
        start : number, or array, optional
            One value for all elements; or an array of the shape, a value for each; or one with another axis at the end, the
            value and derivatives of each element.
        fixed, nominal, unit, description
            The same for all elements, as for `variable`.

        Returns
        -------
        ExpressionArray
            A NumPy array of expressions.

        Examples
        --------
        >>> m = daedal.Model("Chain")
        >>> x = m.variables("x", 3, start=[[0, 0], [1, 0], [2, 0]])
        >>> x[1:] - x[:-1]
        ExpressionArray([-x[1] + x[2], -x[2] + x[3]], dtype=object)
        """
        result = np.empty(shape, dtype=object).view(ExpressionArray)
        starts: Any = None
        if start is not None and np.ndim(start) > 0:
            starts = np.asarray(start, dtype=object)
            if starts.shape[: result.ndim] != result.shape or starts.ndim > result.ndim + 1:
                raise ValueError(
                    f"start of '{name}' has shape {starts.shape}; it must be {result.shape}, or that and one more axis for derivatives"
                )
        for place in np.ndindex(*result.shape):
            element = f"{name}[{','.join(str(k + 1) for k in place)}]"
            value = start if starts is None else starts[place]
            result[place] = self.variable(element, value, fixed, nominal, unit, description)
        return result

    def parameter(self, name: str, value: Optional[Term] = None, unit: str = "", description: str = "") -> Expression:
        """A new parameter: an input of the model, which every run may set to another value.

        Parameters
        ----------
        name : str
        value : number or expression of earlier parameters, optional
            The default. Without one, a value must be given before the model is used.
        unit, description : str
            For reports.
        """
        return self._core.parameter(name, value, unit, description, caller())

    def discrete(self, name: str, start: Term) -> Expression:
        """A variable that keeps its value from event to event; `assign` in a `when` clause changes it."""
        return self._core.discrete(name, start, caller())

    @property
    def time(self) -> Expression:
        """The independent variable."""
        return self._core.time()

    def equation(self, *arguments: Any, name: str = "") -> None:
        """Adds an equation ``left == right``, or an array of them.

        ``m.equation(x**2 + y**2 == L**2)`` or, with a name for messages, ``m.equation("length", x**2 + y**2 == L**2)``. Without a
        name, messages speak of "equation 3", with the file and line of this call. The equations of an array with a name are
        called ``name[1]``, ``name[2]``, ...
        """
        for each_name, equality in _equations.named_equalities("equation", arguments, name):
            self._core.equation(each_name, equality, caller())

    def initial_equation(self, *arguments: Any, name: str = "") -> None:
        """Adds an extra condition that holds only at the start; arguments as for `equation`."""
        for each_name, equality in _equations.named_equalities("initial_equation", arguments, name):
            self._core.initial_equation(each_name, equality, caller())

    def when(self, *arguments: Any, name: str = "") -> None:
        """Adds an event: something that happens at every instant at which a condition becomes true.

        ``m.when(condition, action, ...)`` or ``m.when("name", condition, action, ...)``. Actions are made by `reinit`, `assign`
        and `terminate`; they see the values just before the event. Without actions the event is told, and nothing changes.

        Examples
        --------
        >>> m = daedal.Model("Ball")
        >>> h = m.variable("h", start=[1, 0], fixed=True)
        >>> m.equation(daedal.der(h, 2) == -9.81)
        >>> m.when("bounce", h < 0, daedal.reinit(daedal.der(h), -0.5*daedal.der(h)))
        >>> [round(event.t, 6) for event in m.solve((0, 1)).events]
        [0.451524, 0.903047]
        """
        rest = list(arguments)
        if rest and isinstance(rest[0], str):
            name = rest.pop(0)
        if not rest:
            raise TypeError("when() needs a condition, such as h < 0")
        condition = rest.pop(0)
        if len(rest) == 1 and isinstance(rest[0], (list, tuple)):
            rest = list(rest[0])
        for action in rest:
            if not isinstance(action, Action):
                raise TypeError(f"{action!r} is no action: daedal.reinit, daedal.assign and daedal.terminate make them")
        self._core.when(name, condition, rest, caller())

    def output(self, name: str, expression: Term, unit: str = "", description: str = "") -> None:
        """An expression that is told beside the variables: computed from the solution, not solved for.

        It can be asked for like a variable, ``sol["energy"]``, but must not be used in equations.
        """
        self._core.output(name, expression, unit, description, caller())

    def draw(
        self, kind: str, points: Any, color: str = "", width: float = 2.0, radius: Term = 0.0
    ) -> None:
        """Adds a shape to the animation of the model's reports.

        Parameters
        ----------
        kind : {"line", "polygon", "circle", "trace"}
            Through the points; closed and filled; about each point; the path that each point leaves behind.
        points : sequence of points, or one point
            Each (x, y) or (x, y, z), y or z upwards: expressions of the model, or numbers.
        color : str
            As in CSS: ``"steelblue"``, ``"#4682b4"``. Default: chosen by the report.
        width : float
            Of lines, in pixels.
        radius : Expression or number
            Of circles, in the units of the points; 0 is a dot.
        """
        listed = [each if isinstance(each, Expression) or np.ndim(each) == 0 else list(each) for each in points]
        if listed and not any(isinstance(each, list) for each in listed):
            listed = [listed]
        self._core.draw(kind, listed, color, width, radius, caller())

    def lagrangian(
        self,
        function: Term,
        coordinates: Sequence[Expression],
        constraints: Union[Mapping[str, Equality], Sequence[Any]] = (),
        forces: Union[Mapping[Expression, Term], Sequence[Tuple[Expression, Term]]] = (),
        dissipation: Term = 0.0,
        allow_redundant: bool = False,
    ) -> ExpressionArray:
        """Adds the equations of motion of a mechanical system.

        For every coordinate q: ``d/dt dL/dq' - dL/dq + sum_j lambda_j dC_j/dq + dR/dq' = Q``, and every constraint C_j = 0. In a
        constraint on velocities, dC_j/dq' stands in place of dC_j/dq.

        Parameters
        ----------
        function : Expression
            The Lagrangian L = T - V, of the coordinates, their first derivatives, and time; of variables that equations written before
            define by these (``m.equation(x == l*cos(q))``); and of others that do not move when the coordinates do.
        coordinates : sequence of Expression
            Variables of the model.
        constraints : dict of name to equation, or sequence of equations or of (name, equation), optional
            A multiplier is called like its constraint, or lambda[j].
        forces : dict of coordinate to force, or sequence of (coordinate, force), optional
            Generalised forces Q.
        dissipation : Expression, optional
            Rayleigh's function R.
        allow_redundant : bool
            Constraints may depend on each other; their multipliers are then the smallest ones.

        Returns
        -------
        ExpressionArray
            The multipliers, one per constraint. The energy becomes an output of the model.
        """
        named = constraints.items() if isinstance(constraints, Mapping) else [_equations.named(each) for each in constraints]
        pairs = forces.items() if isinstance(forces, Mapping) else forces
        multipliers = self._core.lagrangian(
            function,
            list(coordinates),
            [(name, _equations.equality("lagrangian", each)) for name, each in named],
            [(coordinate, _term(force)) for coordinate, force in pairs],
            dissipation,
            allow_redundant,
            caller(),
        )
        result = np.empty(len(multipliers), dtype=object).view(ExpressionArray)
        result[:] = multipliers
        return result

    def set_parameter(self, name: str, value: float) -> None:
        """Changes a parameter's value, as ``m.parameters[name] = value`` does."""
        self._core.set_parameter(name, _arguments.number(name, value))

    def set_start(self, name: str, value: float) -> None:
        """Gives ``"x"``, ``"der(x)"`` or ``"der(x, 2)"`` another guess for the start."""
        self._core.set_start(name, _arguments.number(name, value))

    def fix_start(self, name: str, value: float) -> None:
        """Gives ``"x"``, ``"der(x)"`` or ``"der(x, 2)"`` a value that must hold at the start."""
        self._core.fix_start(name, _arguments.number(name, value))

    def set_nominal(self, variable: str, nominal: float) -> None:
        """Gives a variable another typical size, above 0."""
        self._core.set_nominal(variable, _arguments.number(variable, nominal))

    def set_experiment(
        self, start_time: Optional[float] = None, stop_time: Optional[float] = None, tolerance: Optional[float] = None
    ) -> None:
        """Defaults of `solve`: where a run begins and ends, and its tolerance."""
        self._core.set_experiment(
            _arguments.optional_number("start_time", start_time),
            _arguments.optional_number("stop_time", stop_time),
            _arguments.optional_number("tolerance", tolerance),
        )

    # Reading.

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._core.name()

    @property
    def description(self) -> str:
        """One line of description, or nothing."""
        return self._core.description()

    @property
    def experiment(self) -> Tuple[Optional[float], Optional[float], Optional[float]]:
        """Start time, stop time and tolerance, as far as the model gives them."""
        return self._core.experiment()

    @property
    def variable_names(self) -> List[str]:
        """Names of the unknowns, in the order of declaration."""
        return self._core.variable_names()

    @property
    def parameters(self) -> Parameters:
        """The parameters with their values; ``m.parameters["g"] = 1.62`` changes one."""
        return Parameters(self._core)

    @property
    def output_names(self) -> List[str]:
        """Names of what is told beside the variables."""
        return self._core.output_names()

    @property
    def equation_names(self) -> List[str]:
        """Names of the equations, ``"equation 3"`` for those without."""
        return self._core.equation_names()

    @property
    def equations(self) -> List[str]:
        """The equations as text."""
        return self._core.equation_texts()

    @property
    def units(self) -> Dict[str, str]:
        """The unit of each name that has one."""
        return {name: unit for name, (unit, _) in self._core.labels().items() if unit}

    def __getitem__(self, name: str) -> Expression:
        """The variable or parameter of this name, to go on building a model that was loaded."""
        found = self._core.find(name)
        if found is None:
            known = self.variable_names + list(self.parameters)
            hint = _core.did_you_mean(name, known)
            raise KeyError(f"model '{self.name}' has no variable or parameter '{name}'" + (f"; {hint}" if hint else ""))
        return found

    def copy(self) -> "Model":
        """A model of its own with the same equations."""
        return Model._of(self._core.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Model":
        return self.copy()

    def __repr__(self) -> str:
        return (
            f"<Model {self.name}: {_html.count(len(self.equation_names), 'equation')}, "
            f"{_html.count(len(self.variable_names), 'variable')}, {_html.count(len(self.parameters), 'parameter')}>"
        )

    def _repr_html_(self) -> str:
        return _html.model(self)

    # Using.

    def analyze(self, *, parameters: Optional[Mapping[str, float]] = None, **values: float) -> Analysis:
        """Structural analysis: index, degrees of freedom, offsets, blocks, and what is wrong with the model if anything is.

        Parameters
        ----------
        parameters, **values
            Other values of parameters than the model's.
        """
        return Analysis(_core.analyze(self._core, self._values("analyze", parameters, values, ())))

    def initialize(
        self,
        t: Optional[float] = None,
        *,
        method: str = "auto",
        start_weighting: str = "choosable",
        parameters: Optional[Mapping[str, float]] = None,
        **values: float,
    ) -> ConsistentPoint:
        """The consistent point nearest to the guesses: every equation and every hidden constraint holds there.

        Parameters
        ----------
        t : float, optional
            Default: the model's start time, else 0.
        method : {"auto", "structure", "array"}
            Stages of structural analysis, or the derivative array.
        start_weighting : {"choosable", "all"}
            Which guesses weigh: those of values that the start may choose; or all, accelerations, forces and multipliers
            included, where the model is not linear in its highest derivatives.
        parameters, **values
            Other values of parameters than the model's.
        """
        given = self._values("initialize", parameters, values, ("t", "method", "start_weighting"))
        when, how = _arguments.optional_number("t", t), _arguments.text("method", method)
        weighting = _arguments.text("start_weighting", start_weighting)
        return ConsistentPoint(_core.initialize(self._core, when, how, weighting, given))

    @takes_options(RUN)
    def solve(
        self,
        span: Span = None,
        *,
        on_step: Optional[Callable[[Progress], Any]] = None,
        on_sample: Optional[Callable[[float, np.ndarray], Any]] = None,
        progress: bool = False,
        parameters: Optional[Mapping[str, float]] = None,
        **options_and_values: Any,
    ) -> Solution:
        """Solves the model: analysis, consistent start, integration.

        Parameters
        ----------
        span : (float, float), or float, optional
            Where the run begins and ends; a single number is the end. Default: what the model says, else from 0, and for a
            duration of 1. The end may be before the beginning.
        {options}
        on_step : callable, optional
            Called with a `Progress` after every accepted step; returning False, or anything else that is false besides None, ends
            the run there.
        on_sample : callable, optional
            Called with t and an array of variables, discrete variables, then outputs, at the start, at every step end and again after an event that
            entered a mode or set values; or at every time of `at`.
        progress : bool
            Show on standard error how far the run has come.
        parameters, and all other keywords
            Other values of parameters than the model's, for this run: ``m.solve((0, 10), L=9)``.

        Returns
        -------
        Solution
            Also of a run that ended early; ``sol.status`` and ``sol.problems`` say why, ``sol.raise_if_failed()`` raises.

        Raises
        ------
        Error
            Wrong input: options out of range, a model that makes no sense or is structurally singular.
        Interrupted
            On Ctrl-C, which is noticed after a step. A KeyboardInterrupt, with the run so far as ``solution``.
        """
        options, values = split(options_and_values, RUN)
        given = self._values("solve", parameters, values, [*keywords(RUN), "span", "on_step", "on_sample", "progress"])
        bar = ProgressLine(on_step) if progress else None
        core, exception = _core.solve(self._core, given, {**ends(span), **options}, bar or on_step, on_sample)
        if bar is not None:
            bar.finish()
        solution = Solution(core)
        if isinstance(exception, KeyboardInterrupt):
            raise Interrupted(solution) from None
        if exception is not None:
            raise exception
        return solution

    @takes_options(ENSEMBLE)
    def ensemble(
        self,
        members: Union[Mapping[str, Any], Sequence[Mapping[str, float]]],
        span: Span = None,
        *,
        on_step: Optional[Callable[[Progress], Any]] = None,
        parameters: Optional[Mapping[str, float]] = None,
        **options_and_values: Any,
    ) -> Ensemble:
        """Many runs of the model with different parameters, side by side in the processor's vectors and cores.

        Parameters
        ----------
        members : dict of name to array, or sequence of dict
            The parameters in which runs differ: ``{"L": numpy.linspace(8, 12, 5)}``; scalars and arrays are broadcast. Or the
            parameters of each member: ``[{"L": 8}, {"L": 9, "g": 1.62}]``.
        span
            As for `solve`, the same for all members, as are the options.
        {options}
        on_step : callable, optional
            Called after every step of any member, from several threads, one at a time; returning False ends that member, as in `solve`.
        parameters, and all other keywords
            Other values than the model's that all members share.

        Returns
        -------
        Ensemble
            The solutions in order; each is bit by bit what `solve` gives.
        """
        options, values = split(options_and_values, ENSEMBLE)
        shared = self._values("ensemble", parameters, values, [*keywords(ENSEMBLE), "members", "span", "on_step"])
        list_of_members = members_of(members, shared)
        cores, exception = _core.solve_ensemble(self._core, list_of_members, {**ends(span), **options}, on_step, None)
        result = Ensemble([Solution(core) for core in cores], list_of_members, dict(self.parameters))
        if isinstance(exception, KeyboardInterrupt):
            raise Interrupted(result) from None
        if exception is not None:
            raise exception
        return result

    @takes_options(RUN)
    def simulate(
        self,
        span: Span = None,
        *,
        on_step: Optional[Callable[[Progress], Any]] = None,
        on_sample: Optional[Callable[[float, np.ndarray], Any]] = None,
        parameters: Optional[Mapping[str, float]] = None,
        start: Optional[Mapping[Any, float]] = None,
        fixed: Optional[Mapping[Any, float]] = None,
        **options_and_values: Any,
    ) -> Simulation:
        """A run to drive by hand: analysis and consistent start now, steps when you ask for them.

        Arguments are those of `solve`, with start values in `start` (guesses) and `fixed` that take the place of the model's; see
        `Simulation`.
        """
        return Simulation(
            self, span, on_step=on_step, on_sample=on_sample, parameters=parameters, start=start, fixed=fixed, **options_and_values
        )

    @takes_options(RUN)
    def prepare(
        self,
        span: Span = None,
        *,
        on_step: Optional[Callable[[Progress], Any]] = None,
        on_sample: Optional[Callable[[float, np.ndarray], Any]] = None,
        parameters: Optional[Mapping[str, float]] = None,
        **options_and_values: Any,
    ) -> PreparedModel:
        """A model for many runs with other parameters and starts, analysed once; arguments as for `solve`, see `PreparedModel`."""
        return PreparedModel(self, span, on_step=on_step, on_sample=on_sample, parameters=parameters, **options_and_values)

    def analyze_array(self, t: Optional[float] = None, derivatives: int = 1) -> ArrayAnalysis:
        """What the derivative array tells at a consistent point: numerical index, projectors, degrees of freedom.

        For models of moderate size, whatever their structure.
        """
        return _core.analyze_array(self._core, _arguments.optional_number("t", t), _arguments.whole("derivatives", derivatives))

    def derivative_array(
        self,
        differentiations: Union[int, Sequence[int]] = 1,
        *,
        entries: str = "derivatives",
        columns: str = "ascending",
        t: Optional[float] = None,
    ) -> DerivativeArray:
        """The equations and their total derivatives in time, with the Jacobian of all of them.

        See `DerivativeArray` for the arguments.
        """
        return DerivativeArray(self, differentiations, entries=entries, columns=columns, t=t)

    def evaluate_array(
        self,
        differentiations: Union[int, Sequence[int]] = 1,
        *,
        entries: str = "derivatives",
        columns: str = "ascending",
        t: Optional[float] = None,
        point: Optional[Mapping[str, float]] = None,
    ) -> ArrayEvaluation:
        """Values and Jacobian of a derivative array at the consistent point of `analyze_array`, or at a point that is given.

        Parameters
        ----------
        point : dict, optional
            Values of variables and derivatives, ``{"x": 1.0, "der(x)": 0.0}``, consistent or not; what it does not name is as
            guessed, else 0.
        differentiations, entries, columns, t
            As of `DerivativeArray`.
        """
        given = None if point is None else _arguments.numbers(point)
        return ArrayEvaluation(_core.evaluate_array(self._core, *array_options(differentiations, entries, columns, t), given))

    def _values(
        self, verb: str, parameters: Optional[Mapping[str, float]], values: Mapping[str, float], options: Sequence[str]
    ) -> Dict[str, float]:
        """Parameters given as a dict and as keywords. An unknown keyword is an error of the call, as everywhere in Python."""
        known = self._core.labels() if values else {}
        for name in values:
            if name not in known:
                hint = _core.did_you_mean(name, list(options) + list(self.parameters))
                raise TypeError(
                    f"{verb}() got '{name}', which is neither an option nor a parameter of model '{self.name}'"
                    + (f"; {hint}" if hint else "")
                )
        return _arguments.numbers(parameters, values)


def _start_values(start: Any) -> List[Any]:
    if start is None:
        return []
    if isinstance(start, Expression) or np.ndim(start) == 0:
        return [start]
    return list(start)


def _fixed_values(fixed: Any, size: int) -> List[bool]:
    if isinstance(fixed, (bool, np.bool_)):
        return [True] * max(size, 1) if fixed else []  # without a start there is nothing to fix, which C++ refuses
    return [bool(each) for each in fixed]


def _term(value: Any) -> Expression:
    return value if isinstance(value, Expression) else _core.number(value)
