"""Models from text in daedal's language."""
from __future__ import annotations

import os
from typing import Mapping, Optional, Union

from daedal import _arguments, _core
from daedal._model import Model


def load(
    path: Union[str, "os.PathLike[str]"],
    parameters: Optional[Mapping[str, float]] = None,
    *,
    max_elements: Optional[int] = None,
    **values: float,
) -> Model:
    """Reads a model from a file in daedal's language, a subset of flat Modelica.

    Parameters
    ----------
    path : str or path
        Such as ``"crane.mo"``.
    parameters, **values
        Override the defaults in the text, structural ones (array sizes, loop bounds) included: ``daedal.load("chain.mo", n=20)``.
    max_elements : int, optional
        How many elements the text may unroll into. Default: 10 million.

    Raises
    ------
    Error
        With every problem found, each with file, line and column.
    """
    return Model._of(_core.load_model(os.fspath(path), _arguments.numbers(parameters, values), _elements(max_elements)))


def parse(
    text: str,
    file: str = "model",
    parameters: Optional[Mapping[str, float]] = None,
    *,
    max_elements: Optional[int] = None,
    **values: float,
) -> Model:
    """The same as `load`, from text; `file` is the name that messages use."""
    return Model._of(_core.parse_model(text, file, _arguments.numbers(parameters, values), _elements(max_elements)))


def _elements(given: Optional[int]) -> Optional[int]:
    if given is None:
        return None
    elements = _arguments.whole("max_elements", given)
    if elements <= 0:
        raise ValueError(f"max_elements must be above 0, not {elements}")
    return elements
