"""Methods that change what may be a tensor, ``m.weight.data.fill_(1)``, for a target whose arrays do not change."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rewriters.report import Outcome
from rewriters.rewrite.others_uses import is_of_another
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.unknown_methods import DISPATCH, may_be_tensor
from rewriters.rules.binding import asked_for
from rewriters.text.source_text import Edit

CHANGED, OF_ATTRIBUTE = "torch.Tensor:changed", "torch.Tensor:changed_attribute"


class UnknownChanges(Rewriting):
    """Rewrites statements that are such a call, by helpers that look at run time what is changed: the rule under
    ``torch.Tensor:changed`` gives what a name is bound to, that under ``:changed_attribute`` stores into the attribute.
    """

    def __init__(self, tools: Tools, promoting: Callable[[str, ast.Call], str]) -> None:
        """promoting: key and call -> the key of the rules that see to dtypes, where that is to be."""
        super().__init__(tools)
        self.promoting = promoting

    def changes(self, node: ast.Call) -> bool:
        """Whether it was such a call; what is a part of a larger expression is marked, and raises of a tensor."""
        if not self.may_change(node):
            return False
        function = node.func
        assert isinstance(function, ast.Attribute)
        key = f"torch.Tensor.{function.attr}"
        place = function.value
        if isinstance(place, ast.Call):
            return self.chain(node)
        if not isinstance(place, (ast.Name, ast.Attribute, ast.Subscript)):
            return False
        name, binds = self.draft.printer.text(ast.Constant(function.attr)), self.bound_by(node, place)
        with self.source.collect() as inner:
            self.walk.visit(place.value if isinstance(place, ast.Attribute) else place)
        if binds is None:
            why = f"if it is a tensor, {key} gives a new value in {self.target.title}: use it as a statement of its own"
            self.draft.mark(node, key, why)
            given = f"{self.source.text(place, inner)}, {name}, {self.draft.stand_in(key)}"
            text = f"{self.draft.helper_text(self.book.rules[DISPATCH])}({given})"
        else:
            self.placing.tell(node, place, key)
            self.draft.record(node, key, Outcome.HELPER, "looks at run time whether it is a tensor's method")
            text = self.changed(place, f"{name}, {self.own_text(self.promoting(key, node))}", binds, inner)
        self.source.edit(self.source.start(node), self.source.end(function), text)
        for argument in [*node.args, *(word.value for word in node.keywords)]:
            self.walk.visit(argument)
        return True

    def of_looked_up(self, node: ast.Call) -> bool:
        """``getattr(m, name).copy_(x)`` as a statement, stored under that name; whether it was one."""
        function = node.func
        if self.target.in_place or not isinstance(function, ast.Attribute) or OF_ATTRIBUTE not in self.book.rules:
            return False
        place, key = function.value, f"torch.Tensor.{function.attr}"
        if isinstance(place, ast.Attribute) and place.attr == "data":
            place = place.value
        called = isinstance(place, ast.Call) and isinstance(place.func, ast.Name) and place.func.id == "getattr"
        if not called or len(place.args) != 2 or place.keywords or not may_be_tensor(value_at(place), sure=True):  # type: ignore[attr-defined]
            return False
        alone = isinstance(self.here.statement, ast.Expr) and self.here.statement.value is node
        if not alone or not any(rule.rebinds for rule in self.book.rules.get(key, [])):
            return False
        with self.source.collect() as inner:
            for part in place.args:  # type: ignore[attr-defined]
                self.walk.visit(part)
        held, name = (self.placing.given(part, inner) for part in place.args)  # type: ignore[attr-defined]
        method = f"{self.draft.printer.text(ast.Constant(function.attr))}, {self.own_text(self.promoting(key, node))}"
        self.draft.record(node, key, Outcome.HELPER, "stores what the attribute becomes")
        text = f"{self.draft.helper_text(self.book.rules[OF_ATTRIBUTE])}({held}, {name}, {method})"
        self.source.edit(self.source.start(node), self.source.end(function), text)
        for argument in [*node.args, *(word.value for word in node.keywords)]:
            self.walk.visit(argument)
        return True

    def chain(self, node: ast.Call) -> bool:
        """``m.mul_(0.9).add_(g)``, each of which changes m; whether it was rewritten."""
        links, place = [node], node.func.value  # type: ignore[attr-defined]
        while isinstance(place, ast.Call) and self.may_change(place):
            links.append(place)
            place = place.func.value  # type: ignore[attr-defined]
        binds = self.bound_by(node, place) if isinstance(place, (ast.Name, ast.Subscript)) else None
        if binds is None or isinstance(self.here.statement, ast.Return):
            return False
        text = ""
        for link in reversed(links):
            function = link.func
            assert isinstance(function, ast.Attribute)
            key, name = f"torch.Tensor.{function.attr}", self.draft.printer.text(ast.Constant(function.attr))
            with self.source.collect() as inner:
                for part in [*([] if text else [place]), *link.args, *(word.value for word in link.keywords)]:
                    self.walk.visit(part)
            text = text or self.source.text(place, inner)
            changed = f"{self.draft.helper_text(self.book.rules[CHANGED])}({text}, {name}, "
            given = self.source.segment(self.source.end(function), self.source.end(link), inner)
            text = f"{changed}{self.own_text(self.promoting(key, link))}){given}"
            self.draft.record(link, key, Outcome.HELPER, "looks at run time whether it is a tensor's method")
        self.placing.tell(node, place, f"torch.Tensor.{node.func.attr}")  # type: ignore[attr-defined]
        self.source.edit(self.source.start(node), self.source.end(node), f"{binds}{text}")
        return True

    def changed(self, place: ast.expr, method: str, binds: str, inner: list[Edit]) -> str:
        """The helper of the method, which is still to be called."""
        if isinstance(place, ast.Attribute):
            held = f"{self.placing.given(place.value, inner)}, {self.draft.printer.text(ast.Constant(place.attr))}"
            return f"{self.draft.helper_text(self.book.rules[OF_ATTRIBUTE])}({held}, {method})"
        return f"{binds}{self.draft.helper_text(self.book.rules[CHANGED])}({self.source.text(place, inner)}, {method})"

    def bound_by(self, node: ast.Call, place: ast.expr) -> str | None:
        """What stands before the call, so that a name is bound to what becomes of it; None where nothing can be."""
        statement = self.here.statement
        if isinstance(place, ast.Name) and self.placing.leaves(node, place):
            return ""
        if getattr(statement, "value", None) is not node:
            return None
        if isinstance(place, ast.Subscript):  # an item of a dict; of what has places it may be a tensor's part
            named = isinstance(place.slice, ast.Constant) and isinstance(place.slice.value, str)
            alone = named and isinstance(statement, ast.Expr) and self.placing.is_bound_here(place)
            return f"{self.draft.source.text(place, [])} = " if alone else None
        if not isinstance(place, (ast.Name, ast.Attribute)):
            return None
        if not self.placing.is_bound_here(place):
            return None
        if isinstance(place, ast.Attribute) or isinstance(statement, ast.Return):
            return "" if isinstance(statement, ast.Expr) or isinstance(place, ast.Name) else None
        simple = isinstance(statement, ast.Assign) and all(isinstance(one, ast.Name) for one in statement.targets)
        item = self.placing.aliases.place(place)
        bound = f"{place.id} = {item} = " if item else f"{place.id} = "
        return bound if isinstance(statement, ast.Expr) or simple else None

    def may_change(self, node: ast.Call) -> bool:
        """Whether a tensor would be bound anew, and nothing says that it is none."""
        function = node.func
        if self.target.in_place or not isinstance(function, ast.Attribute) or self.here.quotes:
            return False
        if not function.attr.endswith("_") or CHANGED not in self.book.rules:
            return False
        if not may_be_tensor(value_at(function.value)):
            return False
        rules = self.book.rules.get(f"torch.Tensor.{function.attr}", [])
        return any(rule.rebinds for rule in rules) and not is_of_another(function, self.source.nodes)

    def own_text(self, key: str) -> str:
        """The function that is the method, with what it asks for besides."""
        rules, ambient = self.book.rules[key], self.target.ambient
        text = self.draft.helper_text(rules)
        asked = dict.fromkeys(name for rule in rules for name in asked_for(rule, ambient))
        words = "".join(f", {name}={self.draft.spell(ambient[name])}" for name in asked)
        return f"{self.draft.spell('functools.partial')}({text}{words})" if words else text
