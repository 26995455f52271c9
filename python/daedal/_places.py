"""Where the user wrote something: the file and line of the first frame outside this package."""
from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Optional, Tuple

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _shown(file: str) -> str:
    """Short where that is clear: relative to the working folder; the number of a cell in a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    describe = getattr(getattr(shell, "compile", None), "format_code_name", None)
    if describe is not None:
        found = describe(file)
        if found:
            return " ".join(found)
    if not os.path.isabs(file):
        return file
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):  # the working folder is gone, or on another drive
        return file
    return file if relative.startswith(os.pardir) else relative


def caller() -> Tuple[str, int]:
    """File and line of the caller of the package."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    if frame is None:
        return "", 0
    return _shown(frame.f_code.co_filename), frame.f_lineno
