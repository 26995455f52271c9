"""Structural analysis of a model."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from daedal import _core, _html
from daedal._core import Conversion, Problem
from daedal._errors import Error
from daedal._result import Result


@dataclass(frozen=True, eq=False)
class Block:
    """Equations and variables that must be solved together.

    Attributes
    ----------
    equations, variables : list of str
        Their names.
    rows, columns : array of int
        Their numbers in the order of declaration.
    index : int or None
        Structural index of the block taken alone; None for a block of the bare pattern.
    linear : bool or None
        Whether it is linear in its highest derivatives.
    """

    equations: List[str]
    variables: List[str]
    rows: np.ndarray
    columns: np.ndarray
    index: Optional[int] = None
    linear: Optional[bool] = None


class Analysis(Result):
    """What the structure of a model tells: index, degrees of freedom, offsets, blocks, or what is wrong with it.

    Attributes are valid as far as `status` says: of a structurally singular model there is no index, and no offsets; where structural
    analysis fails, index and degrees of freedom are None, and `conversion` is the model that is solved instead.
    """

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._core.model_name

    @property
    def status(self) -> str:
        """``"ok"``, ``"structurally-singular"`` or ``"structural-analysis-fails"``."""
        return self._core.status

    @property
    def size(self) -> int:
        """Number of equations."""
        return len(self.equations)

    @cached_property
    def variables(self) -> List[str]:
        """Names of the unknowns, in the order of declaration."""
        return self._core.variables

    @cached_property
    def equations(self) -> List[str]:
        """Names of the equations, or ``"equation 3"``."""
        return self._core.equations

    @property
    def equation_texts(self) -> List[str]:
        """The equations as text."""
        return self._core.equation_texts

    @property
    def outputs(self) -> Dict[str, str]:
        """Names and text of what is told beside the variables."""
        return dict(zip(self._core.outputs, self._core.output_texts))

    @property
    def conditions(self) -> List[str]:
        """Of a model with modes: those that hold at the guesses. The rest is the analysis of that mode."""
        return self._core.conditions

    @cached_property
    def signature_triplets(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(equations, variables, orders): variable j occurs in equation i with derivatives up to this order."""
        return self._core.signature

    @property
    def signature(self) -> np.ndarray:
        """The signature matrix: the order of the highest derivative of variable j in equation i, -inf where it does not occur.

        A dense matrix is made at every call; `signature_triplets` is better for large models.
        """
        matrix = np.full((len(self.equations), len(self.variables)), -np.inf)
        rows, columns, orders = self.signature_triplets
        matrix[rows, columns] = orders
        return matrix

    @cached_property
    def transversal(self) -> np.ndarray:
        """The variable matched to each equation."""
        return self._core.transversal

    @cached_property
    def c(self) -> np.ndarray:
        """How often each equation is differentiated."""
        return self._core.c

    @cached_property
    def d(self) -> np.ndarray:
        """The highest derivative of each variable that then occurs."""
        return self._core.d

    @property
    def structural_index(self) -> Optional[int]:
        """The structural index; None unless ok."""
        return self._core.structural_index if self.ok else None

    @property
    def dof(self) -> Optional[int]:
        """Degrees of freedom; None unless ok."""
        return self._core.dof if self.ok else None

    @property
    def quasilinear(self) -> Optional[bool]:
        """Whether every block is linear in its highest derivatives; None if structurally singular."""
        return None if self.status == "structurally-singular" else self._core.quasilinear

    @property
    def initial_values(self) -> List[str]:
        """What to give at the start: ``"x"``, ``"der(x)"``, ``"der(x, 2)"``."""
        return self._core.initial_values

    @cached_property
    def blocks(self) -> List[Block]:
        """The finest blocks, in the order in which they can be solved."""
        return [self._block(*parts) for parts in self._core.blocks]

    @cached_property
    def coarse_blocks(self) -> List[Block]:
        """Blocks of the pattern of the equations alone."""
        return [self._block(*parts) for parts in self._core.coarse_blocks]

    def _block(self, rows: np.ndarray, columns: np.ndarray, index: Optional[int] = None, linear: Optional[bool] = None) -> Block:
        return Block([self.equations[i] for i in rows], [self.variables[j] for j in columns], rows, columns, index, linear)

    @property
    def conversion(self) -> Optional[Conversion]:
        """If structural analysis fails: the equivalent model that is solved instead."""
        return self._core.conversion

    @property
    def numerical_index(self) -> Optional[int]:
        """The index that the derivative array shows, if it was computed."""
        return self._core.numerical_index

    @property
    def diagnosis(self) -> List[Problem]:
        """What is wrong, with names, reasons and remedies; empty if nothing is."""
        return self._core.diagnosis

    def raise_if_failed(self) -> "Analysis":
        """Raises `Error` if the model is structurally singular; else returns the analysis itself."""
        if self.status == "structurally-singular":
            raise Error(self.diagnosis)
        return self

    def text(self, equations: bool = False) -> str:
        """As ``daedal analyze`` prints it; with every equation as understood, if wanted."""
        return self._core.text(equations)

    def to_html(self) -> str:
        """A report of the structure: one HTML page that needs nothing besides itself."""
        return self._core.to_html("")

    def report(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes `to_html` to a file, to look at in a browser and to pass on."""
        page = self.to_html()  # before the file that may be there is given up
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def to_json(self) -> str:
        """One JSON object with stable keys, as ``daedal analyze --json`` prints it."""
        return self._core.to_json()

    def to_dict(self) -> Dict[str, Any]:
        """The same as a dict."""
        return json.loads(self.to_json())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        if not self.ok:
            return f"<Analysis of {self.model}: {self.status}>"
        return f"<Analysis of {self.model}: structural index {self.structural_index}, {_html.count(self.dof or 0, 'degree')} of freedom>"

    def _repr_html_(self) -> str:
        return _html.analysis(self)
