"""Names that a project writes out as numbers, truth values and texts, and never as tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from rewriters.infer.syntax import all_arguments, defaults_of
from rewriters.infer.values import ModuleInfo
from rewriters.text.tree import walk

PLAIN = {"int", "float", "bool", "str", "None", "Optional", "Union", "Literal", "tuple", "Tuple", "list", "List"}
QUALIFYING = {"typing", "t"}


def names_of_settings(modules: Iterable[ModuleInfo]) -> frozenset[str]:
    """Names of parameters and fields that annotations say to be plain, or whose default is a truth value or a text; of
    these none that an annotation anywhere says to be something else.

    Only signatures and the bodies of classes are looked at: outlines have these too.
    """
    plain: set[str] = set()
    other: set[str] = set()
    for module in modules:
        for name, annotation, default in declared(module):
            if annotation is not None:
                (plain if is_plain(annotation) else other).add(name)
            elif isinstance(default, ast.Constant) and isinstance(default.value, (bool, str)):
                plain.add(name)
    return frozenset(plain - other)


def declared(module: ModuleInfo) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    """Parameters and fields: the name, what is annotated, what it is by default."""
    for node in module.nodes.of(ast.FunctionDef, ast.AsyncFunctionDef):
        defaults = defaults_of(node.args)
        for one in all_arguments(node.args):
            yield one.arg, one.annotation, defaults.get(one.arg)
    for field in module.nodes.of(ast.AnnAssign):
        if isinstance(field.target, ast.Name) and isinstance(module.nodes.parents.get(field), ast.ClassDef):
            yield field.target.id, field.annotation, field.value


def is_plain(annotation: ast.expr) -> bool:
    """``int``, ``Optional[float]``, ``str | None``, ``tuple[int, int]``, ``Literal["sum", "mean"]``."""
    for node in walk(annotation):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else "int"
        if name not in PLAIN | QUALIFYING:
            return False
        quoted = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "int"
        if quoted not in PLAIN and not is_choice(annotation):
            return False
    return True


def is_choice(annotation: ast.expr) -> bool:
    return any("Literal" in {getattr(node, "id", ""), getattr(node, "attr", "")} for node in walk(annotation))
