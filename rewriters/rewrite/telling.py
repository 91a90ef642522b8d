"""Who else sees a change in torch, where arrays do not change: a comment at the line that changes says so."""

from __future__ import annotations

import ast
from functools import cached_property

from rewriters.infer.values import Tensor
from rewriters.members.items import is_item
from rewriters.places import Change
from rewriters.places.calls import is_data
from rewriters.places.closures import beside_closure
from rewriters.places.given_pieces import given_to
from rewriters.places.kept_copies import stored_by_name
from rewriters.places.kept_pieces import is_made_before, is_of_class, kept_pieces
from rewriters.places.kept_views import View, beside_items, beside_views, kept_views
from rewriters.rewrite.aliases import Aliases
from rewriters.rewrite.augmented_targets import is_open
from rewriters.rewrite.promoting import Promoting
from rewriters.rewrite.resolving import value_at
from rewriters.text.tree import walk


class Telling(Promoting):
    """Says who else sees a change."""

    def is_item(self, node: ast.AST) -> bool:
        """Whether it is a name of a loop over parameters, or one by which such come: what is written to it reaches the
        module.
        """
        if not self.target.held:
            return False
        functions = self.here.functions
        if isinstance(node, ast.Name) and functions and node.id in self.shared.holders.get(functions[-1], ()):
            return True
        return is_item(node, self.source.nodes)

    @cached_property
    def aliases(self) -> Aliases:
        return Aliases(self.source)

    def change_of(self, event: ast.AST) -> Change | None:
        function = self.here.functions[-1] if self.here.functions else None
        return self.shared.places.change(event, function, self.known.module)

    def is_named_elsewhere(self, event: ast.AST) -> bool:
        """Whether a name is known that sees a change, too."""
        change = self.change_of(event)
        return change is not None and change.others is not None and bool(change.others.line)

    def tell(self, event: ast.AST, node: ast.expr, key: str) -> None:
        """A comment where somebody else sees the change in torch."""
        change, root = self.change_of(event), root_of(node)
        if change is None or self.is_item(root):
            return
        others = str(change.others or beside_closure(root, self.known.module, self.shared.places) or "")
        place = self.aliases.place(root)  # whoever has what holds it finds the new array there
        if change.others is not None and not change.others.line:
            if isinstance(root, ast.Attribute):  # so does whoever has the object
                others = str(change.named or self.beside_object(root))
            others = beside_items(place, self.known.module) if place else others
        elif place and change.others is not None:
            own = {place.partition("[")[0], getattr(root, "id", "")}
            others = next((str(one) for one in change.readers if one.name not in own), "")
        if not others and isinstance(root, ast.Subscript):
            others = beside_items(ast.unparse(root), self.known.module)
        if others:
            why = f"torch changes it for {others} too; {self.target.title}'s arrays do not change: hand the new one on"
            self.draft.differs(node, key, why)

    def beside_object(self, root: ast.Attribute) -> str:
        """Who else than the object has what its attribute holds."""
        if is_of_class(root):
            return "the class"
        given = given_to(root, self.shared.places.given_pieces, self.known.module)
        line = f"line {self.pieces[root.attr]}" if root.attr in self.pieces else given
        if line and not is_made_before(root, self.source.nodes):
            return f"who has what {line} keeps or gives of it"
        if name := self.named_beside(root):
            return f"{name} (the same tensor)"
        return beside_views(self.views.get(root.attr, ()), root, self.known.module)

    def may_keep_tensor(self, node: ast.expr) -> bool:
        """Whether an attribute of which nothing is known is given a tensor somewhere in the file."""
        if not isinstance(node, ast.Attribute) or not is_open(value_at(node)):
            return False
        given = self.shared.places.given_pieces
        return (
            node.attr in self.pieces or node.attr in given or any(sure for _, _, sure in self.named.get(node.attr, ()))
        )

    def named_beside(self, root: ast.Attribute) -> str:
        """The name under which the function that stores the attribute reads what it stores, later on."""
        for name, stored, _ in self.named.get(root.attr, ()):
            home = self.source.nodes.around(stored, ast.FunctionDef, ast.AsyncFunctionDef) or self.source.tree
            for part in walk(home):
                later = isinstance(part, ast.Name) and part.id == name and part.lineno > root.lineno
                if later and isinstance(part.ctx, ast.Load) and part.lineno > stored.lineno:  # type: ignore[attr-defined]
                    return name
        return ""

    @cached_property
    def named(self) -> dict[str, list[tuple[str, ast.Assign | ast.Call, bool]]]:
        """Attribute -> the names that are stored under it, or hold what is, each with what stores it and whether it is
        a tensor."""
        found: dict[str, list[tuple[str, ast.Assign | ast.Call, bool]]] = {}
        for attribute, value, stored in stored_by_name(self.source.nodes):
            holder = value.value if isinstance(value, ast.Subscript) and not is_of_tensor(value) else value
            if isinstance(holder, ast.Name):  # also of what a dict holds: ``box.x = state["x"]``
                known = value_at(value)
                sure = isinstance(known, Tensor) and not known.assumed
                found.setdefault(attribute, []).append((holder.id, stored, sure))
        return found

    @cached_property
    def views(self) -> dict[str, list[View]]:
        return kept_views(self.known.module)

    @cached_property
    def pieces(self) -> dict[str, int]:
        return kept_pieces(self.known.module)


def is_of_tensor(node: ast.Subscript) -> bool:
    """``x[i]`` of a tensor, as far as is known."""
    value = value_at(node.value)
    if isinstance(node.value, ast.Subscript) and is_open(value):
        return is_of_tensor(node.value)
    return isinstance(value, Tensor) and not value.assumed


def root_of(node: ast.expr) -> ast.expr:
    """``x`` of ``x[0].data``; of what a list or a dict holds, its item."""
    while is_data(node) or (isinstance(node, ast.Subscript) and is_of_tensor(node)):
        node = node.value
    return node
