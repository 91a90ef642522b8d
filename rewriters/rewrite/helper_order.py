"""The order of definitions in a helper module: what a definition needs when Python reaches it stands before it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from rewriters.text.parsing import module_of

Place = tuple[str, int]


def in_order(definitions: Mapping[str, tuple[Place, str]]) -> list[str]:
    """The texts of definitions, by their places as far as each is there when it is needed: a class's bases first."""
    needs = {name: at_once(text) & definitions.keys() - {name} for name, (_, text) in definitions.items()}
    texts: list[str] = []
    done: set[str] = set()

    def put(name: str) -> None:
        if name in done:
            return
        done.add(name)
        for other in sorted(needs[name], key=lambda needed: definitions[needed]):
            put(other)
        texts.append(definitions[name][1])

    for name in sorted(definitions, key=lambda known: definitions[known]):
        put(name)
    return texts


def at_once(text: str) -> set[str]:
    """Names that a definition's text reads where it is executed: not those in the bodies of its functions."""
    names = (part for part in executed(module_of(text)) if isinstance(part, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def executed(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a tree that are evaluated when the module is imported."""
    yield node
    if isinstance(node, ast.Lambda):
        parts: list[ast.AST | None] = [*node.args.defaults, *node.args.kw_defaults]
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        spec = node.args
        held = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *([spec.vararg] if spec.vararg else [])]
        parts = [
            *node.decorator_list,
            *spec.defaults,
            *spec.kw_defaults,
            *(arg.annotation for arg in held),
            node.returns,
        ]
    else:
        parts = [*ast.iter_child_nodes(node)]
    for part in parts:
        if part is not None:
            yield from executed(part)
