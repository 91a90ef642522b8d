"""Names that statements read, bind and change, as a function sees them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from rewriters.infer.syntax import all_arguments, bound_names
from rewriters.text.tree import COMPREHENSIONS, children, is_in_place, walk

CHANGING = {"append", "extend", "insert", "add", "update", "setdefault", "pop", "remove", "clear", "appendleft"}
"""Methods of lists, sets and dicts that change them."""


@dataclass
class Names:
    """Of a statement, or of several.

    reads:   names that are read before they are bound.
    binds:   names that are bound or changed in place; sure: those that are bound whatever happens.
    changes: of these, what is changed and not bound.
    stores:  attributes that are stored, as they are written.
    """

    reads: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)
    sure: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    stores: list[ast.Attribute] = field(default_factory=list)

    def then(self, other: Names) -> None:
        """What comes after."""
        self.reads |= other.reads - self.sure
        self.binds |= other.binds
        self.sure |= other.sure
        self.changes |= other.changes - self.sure
        self.stores += other.stores

    def perhaps(self, other: Names) -> None:
        """What may come after, or not."""
        self.reads |= other.reads - self.sure
        self.binds |= other.binds
        self.changes |= other.changes - self.sure
        self.stores += other.stores


def names_of(*statements: ast.AST) -> Names:
    """Of statements that follow one another."""
    found = Names()
    for statement in statements:
        found.then(of_node(statement))
    return found


def of_node(node: ast.AST) -> Names:
    if isinstance(node, ast.Name):
        return Names(reads={node.id}) if isinstance(node.ctx, ast.Load) else Names(binds={node.id}, sure={node.id})
    if isinstance(node, ast.Assign):
        return names_of(node.value, *node.targets)
    if isinstance(node, ast.AnnAssign):
        return names_of(*([node.value] if node.value is not None else []), node.target)
    if isinstance(node, ast.AugAssign):
        found = names_of(node.value)
        found.reads |= root(node.target)
        found.then(of_node(node.target))
        return found
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        found = names_of(node.slice)
        found.reads |= root(node.value)
        found.binds |= root(node.value)
        found.changes |= root(node.value)
        return found
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        found = names_of(node.value)
        found.stores.append(node)
        return found
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and changes(node.func.attr):
        found = names_of(*children(node))
        found.binds |= root(node.func.value)
        found.changes |= root(node.func.value)
        return found
    if isinstance(node, COMPREHENSIONS):
        return of_comprehension(node)
    if isinstance(node, ast.Lambda):
        found = names_of(node.body)
        found.reads -= {argument.arg for argument in all_arguments(node.args)}
        return found
    return of_statement(node)


def of_statement(node: ast.AST) -> Names:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        inner = names_of(*node.body)
        own = inner.sure | {argument.arg for argument in all_arguments(node.args)}
        return Names(reads=inner.reads - own, binds={node.name}, sure={node.name}, stores=inner.stores)
    if isinstance(node, ast.If):
        found, one, other = names_of(node.test), names_of(*node.body), names_of(*node.orelse)
        both = one.sure & other.sure
        found.perhaps(one)
        found.perhaps(other)
        found.sure |= both
        return found
    if isinstance(node, (ast.For, ast.AsyncFor)):
        found = names_of(node.iter)
        found.perhaps(names_of(node.target, *node.body))
        found.perhaps(names_of(*node.orelse))
        return found
    if isinstance(node, ast.While):
        found = names_of(node.test)
        found.perhaps(names_of(*node.body))
        return found
    if isinstance(node, ast.Try):
        found = Names()
        for block in (node.body, *(handler.body for handler in node.handlers), node.orelse):
            found.perhaps(names_of(*block))
        found.then(names_of(*node.finalbody))
        return found
    return names_of(*children(node))


def of_comprehension(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Names:
    parts: list[ast.AST] = []
    for generator in node.generators:
        parts += [generator.iter, generator.target, *generator.ifs]
    parts += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    inner = names_of(*parts)
    own = names_of(*(generator.target for generator in node.generators)).binds
    return Names(inner.reads, inner.binds - own, set(), inner.changes - own, inner.stores)


def free_in(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """The names that a function reads from around it."""
    parts = walk(node)
    own = bound_names(node, parts) | {part.arg for part in parts if isinstance(part, ast.arg)}
    return {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)} - own


def changes(method: str) -> bool:
    """Whether a method changes what it is of."""
    return method in CHANGING or (is_in_place(method))


def root(node: ast.expr) -> set[str]:
    """The name that a chain of attributes and subscripts begins with, if it is no attribute of an object."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def bound_inside(code: ast.AST) -> set[str]:
    """The names that comprehensions in it bind."""
    targets = (part.target for part in walk(code) if isinstance(part, ast.comprehension))
    return {part.id for target in targets for part in walk(target) if isinstance(part, ast.Name)}
