"""Names that hold what an object's attribute has: ``old = self.x; self.x += 1; return old``.

Where arrays do not change the object has a new one afterwards, and the name what it was.
"""

from __future__ import annotations

import ast

from rewriters.infer.syntax import path_of
from rewriters.infer.values import Bottom, Items, Mapping, Series, Tensor, Unknown
from rewriters.places.accesses import Accesses, name_of_root
from rewriters.places.sites import ANYWHERE, Reader, Site, Sites, State, overlap
from rewriters.text.tree import LOOPS, walk

# What holds a tensor, and not the object that has it: who holds that finds the new one.
HOLDING = (Tensor, Unknown, Bottom, Items, Series, Mapping)


def named_beside(
    state: State, accesses: Accesses, event: ast.AST, statement: ast.stmt, sites: Sites, node: ast.expr
) -> Reader | None:
    """The name that holds some of what changes by ``node`` in a statement, and is read later."""
    own = frozenset(part for part in walk(evaluated_before(event, statement, accesses)) if isinstance(part, ast.Name))
    own |= frozenset(part for part in walk(node) if isinstance(part, ast.Name))
    attributes = frozenset(filter(is_attribute, sites))
    for name, held in state.holds.items():
        if name == name_of_root(node) or not overlap(sites, held - ANYWHERE):
            continue
        bound = [one for one in accesses.writes.get(name, ()) if isinstance(one, ast.Assign)]
        same = any(gives_attribute(one.value, node) for one in bound) or overlap(attributes, held - ANYWHERE)
        if same and not any(begun_anew(one, node, statement, accesses) for one in bound):
            read = accesses.later_read(name, statement, own)
            if read is not None and isinstance(getattr(read, "v", None), HOLDING):
                return Reader(name, read.lineno)
    return None


def evaluated_before(event: ast.AST, statement: ast.stmt, accesses: Accesses) -> ast.AST:
    """What of a statement is evaluated before it changes something: all of ``x[i] = y``, not in a loop."""
    stores = event is statement or (isinstance(statement, ast.Assign) and event in statement.targets)
    again = any(isinstance(one, LOOPS) for one in accesses.around.get(statement, ()))
    return statement if stores and not again else event


def gives_attribute(value: ast.expr, node: ast.expr) -> bool:
    """Whether a name is bound to the attribute that changes by ``node``, or a part of it; also another object's."""
    changed = attribute_of(node)
    return changed is not None and getattr(attribute_of(value), "attr", "") == changed.attr


def begun_anew(bound: ast.stmt, node: ast.expr, statement: ast.stmt, accesses: Accesses) -> bool:
    """Whether the attribute is given something else between where a name is bound to it and where it changes."""
    changed = attribute_of(node)
    path = path_of(changed) if changed is not None else None
    between = (one for one in accesses.around if bound.lineno < one.lineno < statement.lineno)
    return path is not None and any(path in map(path_of, one.targets) for one in between if isinstance(one, ast.Assign))


def is_attribute(site: Site) -> bool:
    """Whether it is what an attribute has, known by its text: what an object was made of may be another's."""
    return site.node is None and "." in site.name


def attribute_of(node: ast.expr) -> ast.Attribute | None:
    """``m.x`` of ``m.x[0]`` and ``m.x.view(-1)``"""
    while isinstance(node, (ast.Subscript, ast.Call)):
        inner = node.func if isinstance(node, ast.Call) else node
        if not isinstance(inner, (ast.Attribute, ast.Subscript)):
            return None
        node = inner.value
    return node if isinstance(node, ast.Attribute) else None
