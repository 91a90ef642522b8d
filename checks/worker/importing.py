"""Imports modules one after the other and says of each what came of it: one line of JSON each, on standard output.

    python importing.py LIST [STAND_IN ...]    # LIST: a file with a module's name a line

Runs in a framework's interpreter, by its path; needs nothing beside it. A name of a STAND_IN package is a class without
meaning.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import io
import json
import os
import sys
import types
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import Iterable, Iterator, Sequence


class Meaningless(type):
    """A class of which any attribute is another such class, and any call gives one."""

    def __getattr__(cls, name: str) -> Meaningless:
        if name.startswith("__"):
            raise AttributeError(name)
        return Meaningless(name, (), {})

    def __call__(cls, *args: object, **kwargs: object) -> Meaningless:
        return Meaningless("made", (), {})

    def __iter__(cls) -> Iterator[object]:
        return iter(())


class StandIn(types.ModuleType):
    """A module that has whatever is asked of it."""

    __version__ = "0.0.0"

    def __getattr__(self, name: str) -> Meaningless:
        if name.startswith("__"):
            raise AttributeError(name)
        return Meaningless(name, (), {})


class Installed(importlib.metadata.Distribution):
    """What is asked for the version of a package that is stood in for."""

    def __init__(self, name: str) -> None:
        self.text = f"Name: {name}\nVersion: {StandIn.__version__}\n"

    def read_text(self, filename: str) -> str | None:
        return self.text if filename == "METADATA" else None

    def locate_file(self, path: object) -> Path:
        return Path(str(path))


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of the packages that are stood in for, and their versions."""

    def __init__(self, packages: Iterable[str]) -> None:
        self.packages = set(packages)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] in self.packages:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def find_distributions(self, context: importlib.metadata.DistributionFinder.Context) -> Iterator[Installed]:
        yield from (Installed(name) for name in sorted(self.packages) if context.name in (None, name))

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> StandIn:
        made = StandIn(spec.name)
        made.__path__ = []
        return made

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def cause(error: BaseException) -> tuple[str, str]:
    """Where in the package the import failed, and why: (file:line, text)."""
    place, trace = "", error.__traceback__
    raised = type(error)  # what is marked raises from the helper module
    marker = sys.modules[raised.__module__].__file__ if raised.__name__ == "NotConvertedError" else ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file not in (__file__, marker) and not file.startswith(("<", os.path.dirname(importlib.__file__))):
            place = f"{file}:{trace.tb_lineno}"
        trace = trace.tb_next
    lines = f"{type(error).__name__}: {error}".splitlines()
    return place, lines[0][:300]


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as listed:
        names = listed.read().split()
    sys.path.remove(os.path.dirname(os.path.abspath(__file__)))  # what lies beside is none of the program's
    sys.meta_path.append(StandIns(sys.argv[2:]))
    warnings.simplefilter("ignore")
    out = os.fdopen(os.dup(1), "w")
    for name in names:
        print(json.dumps({"module": name, "started": True}), file=out, flush=True)
        row: dict[str, object] = {"module": name, "imports": True}
        sys.argv = [name]  # a program that reads its arguments when it is imported takes its defaults
        try:
            with redirect_stdout(io.StringIO()):
                importlib.import_module(name)
        except BaseException as error:  # whatever a package does when it is imported
            row["imports"] = False
            row["place"], row["why"] = cause(error)
        print(json.dumps(row), file=out, flush=True)
    out.flush()
    os._exit(0)  # frameworks may take long to end, or crash at it


if __name__ == "__main__":
    main()
