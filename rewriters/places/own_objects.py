"""``y = x.view(x.shape)`` and then ``y.data = z``: in the target y is x itself, in torch another one.

What gives such a thing is noted where the one becomes other than it was, and the other is read. So is what gives
another tensor that has its shape in common with the one that it is of: ``y = x.detach()`` and then ``y.unsqueeze_(0)``;
and what is the same object in torch alone: ``y = x.flatten()``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from rewriters.infer.values import Bottom, Unknown
from rewriters.places.calls import is_tensor
from rewriters.places.changes import Changes
from rewriters.places.effect import Effect
from rewriters.places.sites import ANYWHERE, Site, Sites
from rewriters.text.tree import Nodes, walk

#: Attributes by which a tensor becomes other than it was, and not its numbers.
STORED = {"data", "requires_grad"}
#: Methods that do the same, the first by another shape.
RESHAPING = {
    "unsqueeze_", "squeeze_", "t_", "transpose_", "swapaxes_", "swapdims_", "resize_", "resize_as_", "as_strided_",
}  # fmt: skip
CALLED = {"requires_grad_", *RESHAPING}
ITEMS = "torch.Tensor.__getitem__"


def changes_objects(nodes: Nodes) -> Iterator[ast.AST]:
    """What in a file may make a tensor other than it was."""
    for node in nodes.of(ast.Attribute):
        stored = isinstance(node.ctx, ast.Store) and node.attr in STORED and may_be_tensor(node.value)
        if stored or node.attr in CALLED:
            yield node


def may_be_tensor(node: ast.expr) -> bool:
    return is_tensor(node) or isinstance(getattr(node, "v", None), (Unknown, Bottom))


def become_other(changes: Changes, by: str, sites: Sites, node: ast.expr) -> None:
    """Note that something becomes another tensor than it was, by that attribute or method, and what that breaks."""
    changes.itself.update(gave_itself(changes, by, sites, node))
    changes.becoming.update((site, by) for site in sites)


def gave_itself(changes: Changes, by: str, sites: Sites, node: ast.expr) -> Iterator[ast.AST]:
    """What gave, in torch or the target alone, what becomes other or what is read later and is the same object.

    by: the attribute or method by which; sites: what becomes other; node: the expression that is it.
    """
    memory = changes.memory
    names = memory.itself | memory.its_shape if by in RESHAPING else memory.itself
    for call, held, shape in memory.alike:
        if (not shape or by in RESHAPING) and not (held - ANYWHERE).isdisjoint(sites):
            seen = any(one.outside or one in memory.state.escaped for one in held)
            if seen or is_read(changes, held, node, others=True):
                yield call
    for site in memory.sites.values():
        if not gives_itself(changes, site, names):
            continue
        same = alike(changes, site, names)
        if same.isdisjoint(sites):
            continue
        others = same - {site} if site in sites else {site}
        if any(one.outside or one in memory.state.escaped for one in others) or is_read(changes, others, node):
            assert site.node is not None
            yield site.node


def gives_itself(changes: Changes, site: Site, names: frozenset[str]) -> bool:
    """Whether it may be, in torch or the target alone, what it is a view of, or have its shape in common with that."""
    node = site.node
    called = isinstance(node, ast.Call) and site.base  # ``as_tensor(x)``: a copy, a view or x itself
    if node is None or not (site.view or called):
        return False
    if isinstance(node, ast.Subscript):
        return ITEMS in names and may_be_all(node.slice)
    if isinstance(node, ast.Attribute):
        return f"torch.Tensor.{node.attr}" in names
    effect = changes.memory.effect(node) if isinstance(node, ast.Call) else None
    return isinstance(effect, Effect) and effect.name in names and may_keep_axes(node)


def may_be_all(index: ast.expr) -> bool:
    """Whether an index may take all: ``x[...]``, ``x[:n]``, and ``x[::2]`` of one element."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return all(isinstance(part, ast.Slice) or getattr(part, "value", None) is ... for part in parts)


def may_keep_axes(call: ast.AST) -> bool:
    """Whether a call's result may have as many axes as what it is of."""
    if not isinstance(call, ast.Call):
        return False
    bound = isinstance(call.func, ast.Attribute) and is_tensor(call.func.value)
    of = call.func.value if bound and isinstance(call.func, ast.Attribute) else call.args[0] if call.args else None
    made, given = (getattr(getattr(node, "v", None), "ndim", None) for node in (call, of))
    return made is None or given is None or made == given


def alike(changes: Changes, site: Site, names: frozenset[str]) -> set[Site]:
    """All that it may be in the target, one made of the other."""
    found = {site}
    for part in site.base:
        found |= alike(changes, part, names) if gives_itself(changes, part, names) else {part}
    return found


def is_read(changes: Changes, sites: Set[Site], node: ast.expr, others: bool = False) -> bool:
    """Whether a name that holds one of these itself is read after the statement, or behind the node in it.

    others: another name than the node's.
    """
    statement, memory = changes.statement, changes.memory
    assert statement is not None
    before = getattr(statement, "value", None) if isinstance(statement, ast.Assign) else None
    spare = [part for tree in (node, before) if tree is not None for part in walk(tree) if isinstance(part, ast.Name)]
    own = getattr(node, "id", "") if others else ""
    holding = (name for name, held in memory.state.holds.items() if not sites.isdisjoint(held - ANYWHERE))
    holders = [name for name in holding if name != own]
    if any(changes.accesses.later_read(name, statement, frozenset(spare)) is not None for name in holders):
        return True
    behind = (part for part in walk(statement) if isinstance(part, ast.Name) and part not in spare)
    return any(part.id in holders and start_of(part) > start_of(node) for part in behind)


def start_of(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset
