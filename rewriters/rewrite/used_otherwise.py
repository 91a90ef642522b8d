"""What is no tensor by how the rest of the program uses it: nothing of it is listed as unknown.

Weaker than ``others_uses.py``: it says what a thing is for, not what it is whenever a line is reached, and decides
only whether a person is asked about it. Either way the use is left as it stands.
"""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from rewriters.infer.handing_on import Class, family_of, first_of, is_asked, is_used_otherwise
from rewriters.infer.syntax import path_of
from rewriters.text.tree import FUNCTIONS, Nodes, last_name, text_of
from rewriters.torch.table import entry

# What files name that have tensors with ``values()`` of their own.
OF_SPARSE = ("sparse", "coalesce", "nested", "jagged", "indices")


def is_no_tensors(node: ast.Attribute, nodes: Nodes) -> bool:
    """Whether an attribute that tensors have is asked of something else, or stored to something else."""
    if isinstance(node.ctx, ast.Store):  # nobody hides a tensor's method
        return (entry(f"torch.Tensor.{node.attr}") or {}).get("kind") == "method"
    if node.attr == "values" and not names_sparse(nodes):
        return True  # those of dense tensors raise
    return is_attribute_of_others(node.value, nodes)


_sparse: WeakKeyDictionary[Nodes, bool] = WeakKeyDictionary()


def names_sparse(nodes: Nodes) -> bool:
    found = _sparse.get(nodes)
    if found is None:
        names = [last_name(node) for node in nodes.of(ast.Attribute, ast.Name)]
        names += [text for node in nodes.of(ast.Constant) if (text := text_of(node)) is not None]
        found = _sparse[nodes] = any(word in name for name in names for word in OF_SPARSE)
    return found


_found: WeakKeyDictionary[Nodes, dict[tuple[ast.AST, str], bool]] = WeakKeyDictionary()


def is_attribute_of_others(node: ast.expr, nodes: Nodes) -> bool:
    """Whether it is ``self.model`` in a class that uses this as no tensor can be used: ``self.model(x)``."""
    path = path_of(node)
    method = next((one for one in nodes.all_around(node, *FUNCTIONS) if is_method(one, nodes)), None)
    if path is None or method is None:
        return False
    me, _, attribute = path.partition(".")
    if not attribute or me != first_of(method):  # type: ignore[arg-type]
        return False
    owner = nodes.parents[method]
    assert isinstance(owner, ast.ClassDef)
    known = _found.setdefault(nodes, {})
    if (owner, attribute) not in known:
        here = [Class(one, nodes) for one in nodes.of(ast.ClassDef)]
        family = family_of(Class(owner, nodes), lambda name: (one for one in here if one.node.name == name))
        used = any(is_used_otherwise(attribute, one) for one in family)
        known[owner, attribute] = used and not any(is_asked(attribute, one) for one in family)
    return known[owner, attribute]


def is_method(node: ast.AST, nodes: Nodes) -> bool:
    return isinstance(nodes.parents.get(node), ast.ClassDef)
