"""What all results are: made once, never changed."""
from __future__ import annotations

from typing import Any, NoReturn, TypeVar

Self = TypeVar("Self", bound="Result")


class Result:
    """Nobody can change it, so it is its own copy. It lives in the process that computed it."""

    def __init__(self, core: Any) -> None:
        self._core = core

    @property
    def status(self) -> str:
        """``"ok"``, or what is wrong."""
        return self._core.status

    @property
    def ok(self) -> bool:
        """Whether the status is ``"ok"``."""
        return self.status == "ok"

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"objects of type {type(self).__name__} cannot be pickled; what they tell can: arrays and numbers, and to_dict()"
        )
