"""What a file changes in place, by what names it: attributes anywhere in the file, variables where they are bound."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

from rewriters.infer.connected import connected
from rewriters.infer.values import ModuleInfo, Ref
from rewriters.places.asked_in_place import AskedInPlace
from rewriters.places.by_text import is_told_to_change, text
from rewriters.places.calls import may_be_stored_into
from rewriters.places.whole import whole
from rewriters.text.tree import text_of, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
NO_GRAD = {"torch.no_grad", "torch.inference_mode"}

Key = tuple[ast.AST | None, str]
"""A variable's name with the outermost function that binds it; an attribute's text, wherever it stands."""


class Changing:
    """Of a file. binds_anew: whether ``y *= 2`` changes nothing in the target."""

    def __init__(self, module: ModuleInfo, asked: AskedInPlace, binds_anew: bool) -> None:
        self.module, self.asked, self.binds_anew = module, asked, binds_anew
        self.bound: dict[ast.AST, frozenset[str]] = {}

    def key(self, name: str, at: ast.AST) -> Key:
        """What a text names that stands there."""
        around = list(self.module.nodes.all_around(at, ast.FunctionDef, ast.AsyncFunctionDef))
        outermost = around[-1] if around else None
        if outermost is None or "." in name:
            return None, name
        if outermost not in self.bound:
            parts = walk(outermost)
            own = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
            self.bound[outermost] = frozenset(own | {part.arg for part in parts if isinstance(part, ast.arg)})
        return (outermost if name in self.bound[outermost] else None), name

    def key_of(self, node: ast.expr) -> Key | None:
        """Of a part, or a view, what it is of."""
        name = text(whole(node))
        return self.key(name, node) if name else None

    @cached_property
    def without(self) -> set[ast.AST]:
        """What stands in blocks and functions that record no gradients."""
        return under_no_grad(self.module)

    @cached_property
    def groups(self) -> dict[Key, frozenset[Key]]:
        """What assignments bind to the same, by each of it."""
        pairs = []
        for node in self.module.nodes.of(ast.Assign):
            for target in node.targets:
                names = text(target), text(node.value)
                if all(names):
                    pairs.append({self.key(name, node) for name in names})
        return {key: frozenset(group) for group in connected(pairs) for key in group}

    def alike(self, keys: Iterable[Key]) -> set[Key]:
        """These, and what is bound to the same."""
        return {other for key in keys for other in self.groups.get(key, (key,))}

    @cached_property
    def events(self) -> list[tuple[Key, ast.AST]]:
        """What changes, with what changes it."""
        found = []
        for node in self.module.nodes.of(ast.AugAssign, ast.Call, ast.Subscript):
            found += [(key, node) for part in self.changed_by(node) if (key := self.key_of(part)) is not None]
        return found

    @cached_property
    def texts(self) -> set[str]:
        """Of what changes, and of what is bound to the same."""
        return {name for _, name in self.alike(key for key, _ in self.events)}

    def later(self, keys: set[Key], node: ast.AST, but: Key | None = None) -> bool:
        """Whether what has one of these keys, or is bound to the same, changes after what a node does.

        but: what the node's own statement binds anew.
        """
        alike = self.alike(keys) - {but}
        return any(key in alike and by is not node and self.comes_later(node, by) for key, by in self.events)

    def comes_later(self, node: ast.AST, change: ast.AST) -> bool:
        """Whether a change may come after what a node does: below it, in one loop with it, in another function."""
        nodes = self.module.nodes
        if nodes.around(change, *FUNCTIONS) is not nodes.around(node, *FUNCTIONS):
            return True
        if (change.lineno, change.col_offset) > (node.lineno, node.col_offset):  # type: ignore[attr-defined]
            return True
        loops = set(nodes.all_around(node, ast.For, ast.While))
        return not loops.isdisjoint(nodes.all_around(change, ast.For, ast.While))

    def changed_by(self, node: ast.AST) -> Iterator[ast.expr]:
        """What a statement or an expression changes, also through a view."""
        if isinstance(node, ast.AugAssign) and (not self.binds_anew or isinstance(node.target, ast.Subscript)):
            yield node.target
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            if may_be_stored_into(node.value) and text_of(node.slice) is None:  # no dict
                yield node
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            yield from (word.value for word in node.keywords if word.arg == "out")
            if isinstance(node.func, ast.Attribute) and name.endswith("_") and not name.startswith("_"):
                function = isinstance(getattr(node.func, "v", None), Ref)  # nn.init.zeros_(x)
                yield from node.args[:1] if function else [node.func.value]
            elif is_told_to_change(node) or self.asked.asked(node):
                yield from node.args[:1]


def under_no_grad(module: ModuleInfo) -> set[ast.AST]:
    """What stands in blocks and functions that record no gradients."""
    blocks: list[ast.AST] = [
        node for node in module.nodes.of(ast.With) if any(stops(item.context_expr) for item in node.items)
    ]
    blocks += [node for node in module.nodes.of(ast.FunctionDef) if any(map(stops, node.decorator_list))]
    return {part for node in blocks for part in walk(node)}


def stops(node: ast.expr) -> bool:
    value = getattr(node.func, "v", None) if isinstance(node, ast.Call) else None
    return isinstance(value, Ref) and value.name in NO_GRAD
