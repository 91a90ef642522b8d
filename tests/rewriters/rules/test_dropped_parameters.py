"""A rule that takes a parameter of torch's and never reads it drops what the program says, silently: each is declared.

``dropped_parameters.toml`` says of each why nothing is lost; a value that would change what comes out is refused by the
rule (``if pivot is False: raise NotImplementedError(...)``), which reads it then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import rewriters
from rewriters.rules.rulebook import Rule, load_rulebook

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib  # type: ignore[import-not-found, no-redef, unused-ignore]

TARGETS = [folder.parent for folder in sorted(Path(rewriters.__file__).parent.glob("targets/*/rules"))]
DECLARED = tomllib.loads(Path(__file__).with_name("dropped_parameters.toml").read_text(encoding="utf-8"))
EVERYWHERE = frozenset(DECLARED["everywhere"])
NAMED = [
    (name, parameter) for entry in DECLARED["dropped"] for name in entry["names"] for parameter in entry["parameters"]
]
# Of what has no axes there is one way alone.
OF_AXES = {
    *("dim", "dims", "keepdim", "dim0", "dim1", "axis0", "axis1", "start_dim", "end_dim", "source", "destination"),
    *("descending", "largest", "k", "sorted", "stable", "p", "s", "norm"),
}
Dropped = tuple[str, str, str]


def functions(node: ast.FunctionDef | ast.ClassDef) -> Iterator[tuple[ast.FunctionDef, bool]]:
    """A rule's function, or what a class of a rule is made and called with; whether its first parameter is its own."""
    if isinstance(node, ast.FunctionDef):
        yield node, False
        return
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name in {"__init__", "__call__", "forward", "step"}:
            yield part, True


def given(function: ast.FunctionDef, own: bool) -> list[ast.arg]:
    spec = function.args
    places = [*spec.posonlyargs, *spec.args][own:]
    return [*places, *spec.kwonlyargs, *(one for one in (spec.vararg, spec.kwarg) if one is not None)]


def refuses_all(function: ast.FunctionDef) -> bool:
    """Whether it marks the site whatever it is given."""
    rest = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    return isinstance(rest[0], ast.Raise)


def is_said(parameter: ast.arg) -> bool:
    """Whether the overload answers for one value of it alone: ``None``, ``Literal[0]``."""
    return parameter.annotation is not None and ast.unparse(parameter.annotation).startswith(("None", "Literal["))


def dropped_by(function: ast.FunctionDef, own: bool) -> Iterator[str]:
    if refuses_all(function):
        return
    parameters = given(function, own)
    read = {part.id for one in function.body for part in ast.walk(one) if isinstance(part, ast.Name)}
    bare = any(one.annotation is not None and ast.unparse(one.annotation) == "Rank[0]" for one in parameters)
    for one in parameters:
        if one.arg not in read and not is_said(one) and not (bare and one.arg in OF_AXES):
            yield one.arg


def dropped(rule: Rule) -> Iterator[str]:
    for function, own in functions(rule.written):
        yield from dropped_by(function, own)


def all_dropped(folder: Path) -> set[Dropped]:
    """(torch's name, parameter, where) of all rules of a target."""
    return {
        (key.partition(":")[0], name, rule.where)
        for key, rules in load_rulebook(folder).rules.items()
        for rule in rules
        for name in dropped(rule)
    }


@pytest.fixture(scope="module")
def found() -> dict[str, set[Dropped]]:
    return {folder.name: all_dropped(folder) for folder in TARGETS}


def declared(key: str, parameter: str) -> set[str]:
    """The names, or patterns of names, under which it is declared."""
    return {name for name, other in NAMED if other == parameter and fnmatchcase(key, name)}


def test_what_is_dropped_is_declared(found: dict[str, set[Dropped]]) -> None:
    unsaid = sorted(
        f"{target}/rules/{where}: {key}, {name}"
        for target, all_of in found.items()
        for key, name, where in all_of
        if name not in EVERYWHERE and not declared(key, name)
    )
    assert not unsaid, "refuse what would change the result, or declare it:\n" + "\n".join(unsaid)


def test_what_is_declared_is_dropped(found: dict[str, set[Dropped]]) -> None:
    there = {(key, name) for all_of in found.values() for key, name, _ in all_of}
    answering = {(pattern, name) for key, name in there if name not in EVERYWHERE for pattern in declared(key, name)}
    for entry in DECLARED["dropped"]:
        idle = [one for one in entry["names"] if not any((one, name) in answering for name in entry["parameters"])]
        idle += [one for one in entry["parameters"] if not any((name, one) in answering for name in entry["names"])]
        assert not idle, entry["reason"]
    assert {name for _, name in there} >= EVERYWHERE


def test_a_parameter_that_is_dropped_is_found() -> None:
    text = "def f(input, p, dim: None, *, keep=False):\n    return input"
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert list(dropped_by(function, False)) == ["p", "keep"]
