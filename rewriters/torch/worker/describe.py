"""What a torch module's state_dict consists of, and which class owns each entry: run by an interpreter that has torch.

    python describe.py --project DIR --grammar checks/worker/entry.py --model "models.resnet:ResNet(depth=50)"

prints one JSON object. A failure prints {"error": ..., "mend": ...} and exits with 2. The file stands alone: it imports
nothing of this package, so that any interpreter can run it; what an entry like the model's may say is in the file that
``--grammar`` names.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SIMPLE = (bool, int, float, str, type(None))


class CannotBuild(Exception):
    """The model cannot be built; ``mend`` says what to do about it."""

    def __init__(self, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.mend = mend


def describe(module: Any) -> dict[str, Any]:
    """The entries of ``module.state_dict()``, in its order.

    entries: each with its name, shape, dtype ("float32"), kind ("parameter" or "buffer"), whether it takes gradients
             (``trained``), the path of the module that owns it ("" for the root), its attribute there, and that
             module's classes: the MRO's dotted names, torch's as they are public (``torch.nn.Linear``).
    modules: path -> its classes and, for one of torch's, its public attributes that are numbers, strings, None or
             tuples of them (``config``), and the file and line of the call that made it (``made``), where
             ``remember_makers`` was called before; the root has the path "".
    tied:    groups of names that are one and the same tensor.
    extra:   names of entries that are no tensors.
    """
    owners: dict[str, tuple[str, str, Any, str]] = {}
    for path, owner in module.named_modules(remove_duplicate=False):
        before = f"{path}." if path else ""
        for attribute, tensor in owner._parameters.items():
            if tensor is not None:
                owners[before + attribute] = (path, attribute, owner, "parameter")
        for attribute, tensor in owner._buffers.items():
            if tensor is not None and attribute not in owner._non_persistent_buffers_set:
                owners[before + attribute] = (path, attribute, owner, "buffer")
    entries, extra = [], []
    groups: dict[int, list[str]] = {}
    # keep_vars: without it each entry is a fresh tensor, and tied ones cannot be told.
    for name, value in module.state_dict(keep_vars=True).items():
        if not hasattr(value, "shape"):
            extra.append(name)
            continue
        path, attribute, owner, kind = owners.get(name, ("", name, None, "unowned"))
        entries.append(
            {
                "name": name,
                "shape": list(value.shape),
                "dtype": str(value.dtype).removeprefix("torch."),
                "kind": kind,
                "trained": kind == "parameter" and bool(value.requires_grad),
                "module": path,
                "attribute": attribute,
                "classes": classes_of(type(owner)) if owner is not None else [],
            }
        )
        groups.setdefault(id(value), []).append(name)
    return {
        "entries": entries,
        "modules": {
            path: {"classes": classes_of(type(owner)), "config": config_of(owner), "made": made_at(owner)}
            for path, owner in module.named_modules(remove_duplicate=False)
        },
        "tied": [names for names in groups.values() if len(names) > 1],
        "extra": extra,
    }


MADE = "_made_at"


def remember_makers() -> None:
    """From now on each module of torch's own remembers the call that made it, its copies too."""
    import torch

    plain = torch.nn.Module.__init__
    if getattr(plain, "remembers", False):
        return

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        if type(self).__module__.startswith("torch."):
            frame = sys._getframe(1)
            while frame.f_back is not None and (frame.f_locals.get("self") is self or is_of_torchs_layers(frame)):
                frame = frame.f_back
            self.__dict__[MADE] = (frame.f_code.co_filename, frame.f_lineno)
        plain(self, *args, **kwargs)

    init.remembers = True  # type: ignore[attr-defined]
    torch.nn.Module.__init__ = init  # type: ignore[method-assign]


def is_of_torchs_layers(frame: Any) -> bool:
    """Whether one of torch's own layers makes another there, as Transformers do."""
    name = frame.f_globals.get("__name__", "")
    return isinstance(name, str) and name.startswith("torch.nn.modules.")


def made_at(module: Any) -> list[Any] | None:
    """File and line of the call that made the module, if that is known."""
    found = vars(module).get(MADE)
    return list(found) if found else None


def config_of(module: Any) -> dict[str, Any]:
    """What a module of torch's own was made with, as far as it is plain values."""
    if not any(cls.__module__.startswith("torch.nn.") for cls in type(module).__mro__ if cls.__name__ != "Module"):
        return {}
    values = {name: _plain(value) for name, value in vars(module).items() if not name.startswith("_")}
    return {name: value for name, value in values.items() if _is_simple(value)}


def _plain(value: Any) -> Any:
    """Numbers of numpy's, and tensors of one number, as Python's: torch takes them for its layers' sizes."""
    alone = hasattr(value, "item") and getattr(value, "shape", None) == () and not getattr(value, "is_meta", False)
    return value.item() if alone else value


def _is_simple(value: Any) -> bool:
    return isinstance(value, SIMPLE) or (isinstance(value, tuple) and all(isinstance(item, SIMPLE) for item in value))


def classes_of(cls: type) -> list[str]:
    """Dotted names of the class's MRO without ``object``."""
    return [public_name(base) for base in cls.__mro__ if base is not object]


def public_name(cls: type) -> str:
    """The class's dotted name; for torch's own, through the outermost module that exports it."""
    parts = cls.__module__.split(".")
    if parts[0] == "torch":
        for end in range(1, len(parts)):
            outer = sys.modules.get(".".join(parts[:end]))
            if getattr(outer, cls.__qualname__, None) is cls:
                return ".".join([*parts[:end], cls.__qualname__])
    return f"{cls.__module__}.{cls.__qualname__}"


def build(spec: str, project: Path, grammar: Any) -> tuple[Any, str, str]:
    """The module that ``spec`` names in ``project``: (module, its device, a note on the device or "").

    Built on the meta device, which allocates nothing; on the CPU where the constructor needs values.
    grammar: the module that parses ``spec``. Raises CannotBuild.
    """
    remember_makers()
    make = find(spec, project, grammar)
    import torch

    try:
        with torch.device("meta"):
            module = make()
    except Exception as error:
        # The error may have nothing to do with meta: then building on the CPU raises it again, to be reported.
        reason = _reason(error)
        try:
            module = make()
        except Exception as second:
            where = _where(second, project)
            raise CannotBuild(f"{where}building {spec} raised {_reason(second)}") from second
        device, note = "cpu", f"{spec} cannot be built on the meta device ({reason}); it was built on the CPU"
    else:
        device, note = "meta", ""
    if not isinstance(module, torch.nn.Module):
        raise CannotBuild(f"{spec} gives a {type(module).__name__}, not a torch.nn.Module", _takes(grammar))
    return module, device, note


def find(spec: str, project: Path, grammar: Any) -> Callable[[], Any]:
    """A function that makes what ``spec`` names, which has been imported. Raises CannotBuild."""
    try:
        entry = grammar.parse(spec)
    except ValueError as error:
        raise CannotBuild(f"--model: {error}", _takes(grammar)) from error
    name = entry.module
    sys.path[:0] = [str(project), *grammar.script_folders(str(project), name)]
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            raise CannotBuild(
                f"no module {name!r} in {project}", "--project names the folder that imports start from"
            ) from error
        raise CannotBuild(
            f"{_where(error, project)}importing {name} raised {_reason(error)}", f"install it for {sys.executable}"
        ) from error
    except Exception as error:
        raise CannotBuild(f"{_where(error, project)}importing {name} raised {_reason(error)}") from error
    try:
        found = grammar.find(module, entry.attribute)
    except AttributeError as error:
        known = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
        raise CannotBuild(
            f"{name} has no {entry.attribute!r}", f"it has: {', '.join(sorted(known)[:12]) or 'no callables'}"
        ) from error
    import torch

    if isinstance(found, torch.nn.Module) and entry.call is None:
        return lambda: found
    if not callable(found):
        raise CannotBuild(f"{spec} is a {type(found).__name__}, which cannot be called", _takes(grammar))
    if entry.call is None:
        return lambda: found()

    def make() -> Any:
        args, kwargs = grammar.arguments(module, entry.call)
        return found(*args, **kwargs)

    return make


def _takes(grammar: Any) -> str:
    return f"--model takes {grammar.GRAMMAR}; for more, add a function to the project that builds the model"


def _load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("entry", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["entry"] = module  # its NamedTuple looks itself up there
    spec.loader.exec_module(module)
    return module


def _import_torch() -> None:
    try:
        importlib.import_module("torch")
    except Exception as error:
        raise CannotBuild(f"{sys.executable} cannot import torch: {_reason(error)}", "migrate doctor") from error


def _reason(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def _where(error: BaseException, project: Path) -> str:
    """ "file:line: " of the innermost frame in the project, "" when no frame is."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}: "
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _inside(frame.filename, project)]
    return f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""


def _inside(filename: str, project: Path) -> bool:
    return Path(filename).is_relative_to(project) and "site-packages" not in filename


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", required=True, metavar="ENTRY")
    parser.add_argument("--grammar", type=Path, required=True, help="the file that says what an entry is")
    parser.add_argument("--project", type=Path, default=Path(), help="the folder that imports start from")
    arguments = parser.parse_args(argv)
    project = arguments.project.resolve()
    # This file's own folder is no part of the project.
    sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() != Path(__file__).resolve().parent]
    # What the model prints, from C++ too, must not mix with the answer.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        _import_torch()
        # Nothing is to be written into the project; set only now, for torch's compiled modules are worth keeping.
        sys.dont_write_bytecode = True
        module, device, note = build(arguments.model, project, _load(arguments.grammar))
        result: dict[str, Any] = {"model": arguments.model, "device": device, "note": note, **describe(module)}
    except CannotBuild as error:
        result = {"error": str(error), "mend": error.mend}
    with answer:
        json.dump(result, answer)
    return 2 if "error" in result else 0


if __name__ == "__main__":
    sys.exit(main())
