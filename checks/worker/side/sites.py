"""Where in the project each module was made, and where its class computes."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
from typing import Any, Iterator


def inside(file: str, project: str) -> bool:
    """Whether a file belongs to the project, and is not an installed package below its folder."""
    return file.startswith(project + os.sep) and "site-packages" not in file


@contextlib.contextmanager
def recorded(runtime: Any, project: str) -> Iterator[dict[int, str]]:
    """Note the innermost line of the project that runs while a module's base class is initialised: id -> file:line."""
    found: dict[int, str] = {}
    base = getattr(runtime, "MODULE", None)
    if base is None:
        yield found
        return
    original = base.__init__

    def noted(self: Any, *args: Any, **kwargs: Any) -> None:
        frame = sys._getframe(1)
        while frame is not None and not inside(frame.f_code.co_filename, project):
            frame = frame.f_back  # type: ignore[assignment]
        if frame is not None:
            found[id(self)] = f"{os.path.relpath(frame.f_code.co_filename, project)}:{frame.f_lineno}"
        original(self, *args, **kwargs)

    base.__init__ = noted
    try:
        yield found
    finally:
        base.__init__ = original


def is_own(module: Any, project: str) -> bool:
    """Whether the project defines the module's class."""
    return inside(_file(type(module)), project)


def where(module: Any, project: str, made: dict[int, str]) -> str:
    """file:line, relative to the project: ``forward`` of the project's own class, else where the module was made."""
    if inspect.isfunction(module):
        own = module.__code__
        return _relative(own.co_filename, own.co_firstlineno, project)
    forward = getattr(type(module), "forward", None)
    code = getattr(inspect.unwrap(forward), "__code__", None) if forward is not None else None
    if code is not None and inside(code.co_filename, project):
        return _relative(code.co_filename, code.co_firstlineno, project)
    return made.get(id(module), "")


def _relative(file: str, line: int, project: str) -> str:
    return f"{os.path.relpath(file, project)}:{line}" if inside(file, project) else ""


def _file(cls: type) -> str:
    return getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
