"""The vocabulary of the engine's tests: snippets in, snippets out, and running what came out.

The fixtures are functions; they keep no state, so that hypothesis may call them as often as it likes.
"""

from __future__ import annotations

import ast
import itertools
import sys
import types
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from textwrap import dedent
from typing import Any

import pytest

from rewriters.convert import Conversion, convert_sources
from rewriters.report import Site
from rewriters.target import Target, load_target

FILE = PurePosixPath("snippet.py")

TOY = """
from rewriters.target import Environment, Target

TARGET = Target(
    name="toy",
    title="Toy",
    package="toy",
    environment=Environment(python="3.10", requirements=(), module="toy"),
    modules={"torch": "toy", "torch.nn": "toy.nn", "torch.nn.functional": "toy.nn.functional"},
)
"""


def as_target(target: str | Target) -> Target:
    return load_target(target) if isinstance(target, str) else target


def code(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else dedent(text).encode()


def run_conversion(sources: Any, target: str | Target = "paddle") -> Conversion:
    """Convert one snippet, or a project given as path -> text."""
    files = sources if isinstance(sources, dict) else {str(FILE): sources}
    done = convert_sources({PurePosixPath(path): code(text) for path, text in files.items()}, as_target(target))
    failed = [report.error for report in done.reports if report.status == "failed"]
    assert not failed, failed
    for path, data in done.files.items():
        ast.parse(data)
        assert path
    return done


@pytest.fixture(scope="session")
def converted() -> Callable[..., str]:
    """``converted(source, target="paddle")``: the text that a snippet becomes."""

    def check(source: str | bytes, target: str | Target = "paddle") -> str:
        return run_conversion(source, target).files[FILE].decode()

    return check


@pytest.fixture(scope="session")
def conversion() -> Callable[..., Conversion]:
    """``conversion(source or {path: source}, target="paddle")``: everything that came out."""
    return run_conversion


@pytest.fixture(scope="session")
def sites() -> Callable[..., list[Site]]:
    """``sites(source, target="paddle")``: what the report says of a snippet."""

    def check(source: str, target: str | Target = "paddle") -> list[Site]:
        return run_conversion(source, target).reports[0].sites

    return check


@pytest.fixture(scope="session")
def check_noop() -> Callable[..., None]:
    """``check_noop(source, target="paddle")``: not one byte changes."""

    def check(source: str | bytes, target: str | Target = "paddle") -> None:
        done = run_conversion(source, target)
        assert done.files[FILE] == code(source)
        assert not done.helpers
        assert done.reports[0].status == "unchanged"

    return check


@pytest.fixture(scope="session")
def check_converted() -> Callable[..., None]:
    """``check_converted(source, expected, target="paddle", helpers=())``: the snippet becomes the other, and the helper
    module has just these functions.
    """

    def check(source: Any, expected: Any, target: str | Target = "paddle", helpers: tuple[str, ...] = ()) -> None:
        done = run_conversion(source, target)
        assert done.files[FILE].decode() == code(expected).decode()
        assert helper_functions(done) == set(helpers)

    return check


def helper_functions(done: Conversion) -> set[str]:
    """Public functions of the helper modules."""
    trees = [ast.parse(text) for text in done.helpers.values()]
    return {
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }


@pytest.fixture(scope="session")
def toy_target(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Target]:
    """``toy_target(rules)``: a target of its own folder with these rules; its package is called ``toy``."""
    numbers = itertools.count()

    def make(rules: str, **files: str) -> Target:
        folder: Path = tmp_path_factory.mktemp("targets") / f"toy{next(numbers)}"
        (folder / "rules").mkdir(parents=True)
        (folder / "__init__.py").write_text(files.pop("init", TOY))
        head = "import toy\nimport torch\n\nfrom rewriters.rule import Values, alias, differs, refuse, rule, same\n\n\n"
        (folder / "rules" / "rules.py").write_text(head + dedent(rules))
        for name, text in files.items():
            place = folder / name.replace("__", ".")
            place = place.parent / "records" / place.name if place.suffix == ".json" else place
            place.parent.mkdir(exist_ok=True)
            place.write_text(text)
        return load_target(str(folder))

    return make


@pytest.fixture(scope="session")
def execute() -> Callable[..., dict[str, Any]]:
    """``execute(conversion, **names)``: the snippet's globals after running it, without torch.

    The module ``toy`` has these names; ``modules``: further modules, by name.
    """

    def run(done: Conversion, modules: dict[str, dict[str, Any]] | None = None, **names: Any) -> dict[str, Any]:
        contents = {"toy": names, **(modules or {}), **{path.stem: {} for path in done.helpers}}
        made: dict[str, types.ModuleType | None] = {"torch": None}
        for name, content in contents.items():
            made[name] = module = types.ModuleType(name)
            module.__dict__.update(content)
        before = {name: sys.modules.get(name) for name in made}
        sys.modules.update(made)  # type: ignore[arg-type]
        try:
            for path, text in done.helpers.items():
                exec(compile(text, str(path), "exec", dont_inherit=True), sys.modules[path.stem].__dict__)  # noqa: S102
            scope: dict[str, Any] = {"__name__": "snippet"}
            exec(compile(done.files[FILE], str(FILE), "exec", dont_inherit=True), scope)  # noqa: S102
            return scope
        finally:
            for name, module in before.items():
                if module is None:
                    sys.modules.pop(name, None)
                else:
                    sys.modules[name] = module

    return run
