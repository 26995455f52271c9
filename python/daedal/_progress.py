"""How far a run has come."""
from __future__ import annotations

import sys
from typing import Any, Callable, Optional

from daedal._core import Progress


class ProgressLine:
    """One line on standard error that tells how far a run has come; nothing if that is no terminal."""

    def __init__(self, on_step: Optional[Callable[[Progress], Any]]) -> None:
        self._on_step = on_step
        self._percent = -1
        self._shows = sys.stderr.isatty()

    def __call__(self, progress: Progress) -> Any:
        length = progress.to - progress.from_
        percent = int(100 * (progress.t - progress.from_) / length) if length else 100
        if self._shows and percent != self._percent:
            self._percent = percent
            sys.stderr.write(f"\r{percent:3d} %  t = {progress.t:.6g}  {progress.steps} steps")
            sys.stderr.flush()
        return self._on_step(progress) if self._on_step is not None else None

    def finish(self) -> None:
        if self._percent >= 0:
            sys.stderr.write("\n")
