"""Exceptions. They carry the same problems, ids and text as the program's messages."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List

from daedal import _core
from daedal._core import Problem

if TYPE_CHECKING:
    from daedal._solution import Solution


class Error(Exception):
    """Wrong input: a model, an option, a name or a file that makes no sense.

    Raised before any work is done, with every problem found.

    Attributes
    ----------
    problems : list of Problem
        What is wrong, at least one.
    id : str
        The id of the first problem, such as ``"E-LNG-002"``; ``daedal.explain(error.id)`` tells more.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: List[Problem] = list(problems)
        super().__init__(self.problems)

    @property
    def id(self) -> str:
        """The id of the first problem."""
        return self.problems[0].id if self.problems else ""

    def __str__(self) -> str:
        return "\n".join(problem.text() for problem in self.problems).rstrip("\n")


class NumericalTrouble(Error):
    """A computation that ended early, raised on request only (``raise_if_failed``).

    Attributes
    ----------
    result : Solution, ConsistentPoint or None
        What was computed until then; None in another process, to which only the problems travel.
    """

    def __init__(self, problems: Iterable[Problem], result: Any = None) -> None:
        super().__init__(problems)
        self.result = result

    def __reduce__(self) -> Any:
        return type(self), (self.problems,)


class Interrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C, or by the stop button of a notebook.

    It is a `KeyboardInterrupt`, and ends a script as usual. What was computed is not lost.

    Attributes
    ----------
    solution : Solution or Ensemble
        The run up to its last step, with status ``"interrupted"``. At a prompt or in a notebook,
        ``sys.last_value.solution`` gives it.
    """

    def __init__(self, solution: Any) -> None:
        super().__init__("the run was interrupted; what was computed is in `solution` of this exception")
        self.solution = solution

    def __reduce__(self) -> Any:
        return type(self), (None,)


class Page(str):
    """Text of a page in Markdown: shown as it is at a prompt, and laid out in a notebook."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return str(self)


def explain(id: str) -> Page:
    """The page of an error id: what it means, an example, how to get rid of it.

    Parameters
    ----------
    id : str
        Such as ``"E-LNG-002"``; case does not matter.

    Returns
    -------
    str
        Markdown, as ``daedal explain`` prints it.
    """
    page = _core.error_page(id.rstrip(":"))
    if not page:
        hint = _core.did_you_mean(id, _core.error_ids())
        raise Error(
            [
                Problem(
                    "E-CLI-004",
                    f"there is no error '{id}'",
                    where=f"daedal.explain({id!r})",
                    why="no page has this id",
                    todo=(hint + " " if hint else "") + "`daedal.error_ids()` lists all",
                )
            ]
        )
    return Page(page)


def error_ids() -> List[str]:
    """All ids that have a page, sorted."""
    return _core.error_ids()
