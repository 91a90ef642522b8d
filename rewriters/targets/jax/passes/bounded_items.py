"""Loops over objects that have ``__getitem__`` and no ``__iter__``: what they take from a tensor ends these in torch,
by the IndexError of an index out of bounds, which arrays do not raise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from rewriters.infer import Project
from rewriters.infer.values import ClassInfo, ModuleInfo, ObjectOf, Tensor, Unknown
from rewriters.regions.tracing import value_of
from rewriters.text.tree import COMPREHENSIONS

KEY = "torch.Tensor.__getitem__:bounded"
DATASET = "torch.utils.data.Dataset"  # which counts up to its length, where it has one
GOING_THROUGH = {"list", "tuple", "set", "sorted", "zip", "enumerate", "map", "iter", "sum", "max", "min"}


def bounded_items(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """``self.data[i]`` in the ``__getitem__`` of such a class, by the index that it is given."""
    found: dict[ast.AST, str] = {}
    for info in gone_through(project):
        method = info.functions["__getitem__"]
        if info.module is not module or len(method.node.args.args) < 2:
            continue
        index = method.node.args.args[1].arg
        for node in module.nodes.of(ast.Subscript):
            if not isinstance(node.ctx, ast.Load) or getattr(node.slice, "id", "") != index:
                continue
            own = module.nodes.around(node, ast.FunctionDef) is method.node
            if own and isinstance(value_of(node.value), (Tensor, Unknown)):
                found[node] = KEY
    return found


@lru_cache(maxsize=1)
def gone_through(project: Project) -> list[ClassInfo]:
    """Such classes of the project whose objects it goes through somewhere."""
    found: dict[ClassInfo, None] = {}
    for module in project.modules.values():
        for node in iterated(module):
            value = value_of(node)
            owners = value.info.linear() if isinstance(value, ObjectOf) else []
            own = [one for one in owners if isinstance(one, ClassInfo)]
            getting = next((one for one in own if "__getitem__" in one.functions), None)
            if getting is not None and not counts(owners):
                found[getting] = None
    return list(found)


def counts(owners: list[ClassInfo | str]) -> bool:
    """Whether a class, by the order of look-up, goes through its items by itself."""
    own = {name for one in owners if isinstance(one, ClassInfo) for name in one.functions}
    of_torch = [one for one in owners if isinstance(one, str) and one.startswith("torch.")]
    return "__iter__" in own or (bool(of_torch) and (of_torch != [DATASET] or "__len__" in own))


def iterated(module: ModuleInfo) -> Iterator[ast.expr]:
    """Expressions of a file that something goes through."""
    for loop in module.nodes.of(ast.For):
        yield loop.iter
    for one in module.nodes.of(*COMPREHENSIONS):
        yield from (generator.iter for generator in one.generators)
    for call in module.nodes.of(ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id in GOING_THROUGH:
            yield from call.args
    for made in module.nodes.of(ast.Assign):
        if any(isinstance(target, (ast.Tuple, ast.List)) for target in made.targets):
            yield made.value
    for star in module.nodes.of(ast.Starred):
        yield star.value
