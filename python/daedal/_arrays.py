"""Derivative arrays: a model's equations, their total derivatives in time, and the Jacobian of all of them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from daedal import _arguments, _core
from daedal._core import Problem
from daedal._errors import NumericalTrouble
from daedal._result import Result

if TYPE_CHECKING:
    from daedal._model import Model


class SparseMatrix:
    """A sparse matrix by rows, with the arrays that SciPy calls data, indices and indptr.

    Attributes
    ----------
    shape : (int, int)
    data, indices, indptr : array
        Entries indptr[i] to indptr[i + 1] - 1 belong to row i, their columns are indices, ascending.
    """

    def __init__(self, parts: Tuple[np.ndarray, np.ndarray, np.ndarray], shape: Tuple[int, int]) -> None:
        self.data, self.indices, self.indptr = parts
        self.shape = shape

    def toarray(self) -> np.ndarray:
        """The dense matrix."""
        matrix = np.zeros(self.shape)
        matrix[np.repeat(np.arange(self.shape[0]), np.diff(self.indptr)), self.indices] = self.data
        return matrix

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.toarray() if dtype is None else self.toarray().astype(dtype)

    def tocsr(self) -> Any:
        """The same as a matrix of SciPy, which must be there."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices, self.indptr), shape=self.shape)

    def __repr__(self) -> str:
        return f"<SparseMatrix {self.shape[0]} by {self.shape[1]} with {len(self.data)} entries>"


def array_options(differentiations: Any, entries: Any, columns: Any, t: Any) -> Tuple[Any, str, str, Optional[float]]:
    """The arguments of `DerivativeArray`, as the C++ library takes them."""
    name = "differentiations"
    each = _arguments.whole
    given = [each(name, k) for k in differentiations] if np.iterable(differentiations) else each(name, differentiations)
    return given, _arguments.text("entries", entries), _arguments.text("columns", columns), _arguments.optional_number("t", t)


class DerivativeArray:
    """G = (f, d/dt f, ..., d^r/dt^r f) of a model's equations f = left - right, and J = dG/d(x, x', ...).

    Recorded once, evaluated many times; exact up to rounding.

    Parameters
    ----------
    model : Model
        It may change or go away afterwards.
    differentiations : int or sequence of int
        How often every equation is differentiated, or how often each.
    entries : {"derivatives", "coefficients"}
        Derivatives, or coefficients of Taylor series: derivative k over k!.
    columns : {"ascending", "derivatives_first"}
        x, x', x'', ... or x', x'', ..., x.
    t : float, optional
        Of a model with modes: those equations that hold at the guesses at this time.
    """

    def __init__(
        self,
        model: "Model",
        differentiations: Union[int, Sequence[int]] = 1,
        *,
        entries: str = "derivatives",
        columns: str = "ascending",
        t: Optional[float] = None,
    ) -> None:
        self._core = _core.DerivativeArray(model._core, *array_options(differentiations, entries, columns, t))

    @property
    def row_names(self) -> List[str]:
        """``"length"``, ``"d/dt length"``, ``"d^2/dt^2 length"``: by order, then equation."""
        return self._core.row_names

    @property
    def column_names(self) -> List[str]:
        """``"x"``, ``"der(x)"``, ``"der(x, 2)"``."""
        return self._core.column_names

    @property
    def shape(self) -> Tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self.row_names), len(self.column_names)

    def column(self, variable: str, order: int = 0) -> int:
        """The number of the column of a variable or derivative."""
        return self._core.column(variable, _arguments.whole("order", order))

    def set_parameters(self, parameters: Optional[Mapping[str, float]] = None, **values: float) -> None:
        """Other values of parameters than the model's."""
        self._core.set_parameters(_arguments.numbers(parameters, values))

    def evaluate(self, t: float, values: Any) -> np.ndarray:
        """G at a time and at values by column; not finite where an operation is not defined."""
        return self._core.evaluate(t, values)

    def linearise(self, t: float, values: Any) -> Tuple[np.ndarray, SparseMatrix]:
        """G and its Jacobian J."""
        G, parts = self._core.linearise(t, values)
        return G, SparseMatrix(parts, self.shape)

    def source(self, prefix: str = "") -> str:
        """The same computation as one file of C99 that needs nothing of daedal.

        It has ``PREFIX_residual(t, X, p, G)`` and ``PREFIX_jacobian(t, X, p, G, J)``, sizes, the pattern of J, names, a driver, and
        interfaces for Fortran in its head. Without a prefix it is made of the model's name.
        """
        return self._core.source(_arguments.text("prefix", prefix))

    @property
    def undefined_operations(self) -> List[str]:
        """What was not defined in the last evaluation: ``"log(x)"``."""
        return self._core.undefined_operations()

    def __repr__(self) -> str:
        return f"<DerivativeArray {self.shape[0]} by {self.shape[1]}>"


class ArrayEvaluation(Result):
    """G and J of a derivative array at a point (`Model.evaluate_array`)."""

    @property
    def status(self) -> str:
        """``"ok"``, or why there is no point."""
        return self._core.status

    @property
    def problems(self) -> List[Problem]:
        """Empty if ok."""
        return self._core.problems

    @property
    def t(self) -> float:
        """The time of the point."""
        return self._core.t

    @property
    def rows(self) -> List[str]:
        """``"d/dt length"``."""
        return self._core.rows

    @property
    def columns(self) -> List[str]:
        """``"der(x, 2)"``."""
        return self._core.columns

    @property
    def point(self) -> np.ndarray:
        """Values by column."""
        return self._core.point

    @property
    def is_point_given(self) -> bool:
        """Whether the point was given; else it is the consistent one."""
        return self._core.is_point_given

    @property
    def G(self) -> np.ndarray:
        """The array, by row."""
        return self._core.G

    @property
    def J(self) -> SparseMatrix:
        """Its Jacobian."""
        return SparseMatrix(self._core.J, (len(self.rows), len(self.columns)))

    def raise_if_failed(self) -> "ArrayEvaluation":
        """Raises `NumericalTrouble` unless ok; else returns the evaluation itself."""
        if not self.ok:
            raise NumericalTrouble(self.problems, self)
        return self

    def text(self) -> str:
        """As ``daedal array --differentiate`` prints it."""
        return self._core.text()

    def to_json(self) -> str:
        """One JSON object with stable keys."""
        return self._core.to_json()

    def __str__(self) -> str:
        return self.text()
