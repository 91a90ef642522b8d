"""Parameters of the project's functions by which what holds a module's parameter comes, to be filled:
``trunc_normal_(self.pos_embed)`` of a function of the project's, ``init.zeros_(layer.weight[0])``.

In a target whose arrays do not change the holder is handed on, not its array, and the function writes to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rewriters.infer.values import Choice, FunctionInfo, FunctionOf, ModuleInfo, Ref, Unknown
from rewriters.members import Members, Role
from rewriters.members.items import is_item
from rewriters.members.roles import is_array
from rewriters.places import Places
from rewriters.places.calls import is_data
from rewriters.rewrite.augmented import OF_LAYERS
from rewriters.rewrite.resolving import value_at
from rewriters.text.tree import walk

FILLING = "torch.nn.init."
# What may be a holder, as it is written.
WRITTEN = (ast.Attribute, ast.Subscript, ast.Name, ast.Call)


@dataclass
class Filled:
    """handed: arguments, each what holds a parameter or a part of one, that are written to where they come.
    names: of each function, the parameters of its own by which such arguments come.
    asking: functions of which it is being found out what they give, each once.
    """

    places: Places
    members: Members
    handed: set[ast.expr] = field(default_factory=set)
    names: dict[ast.AST, set[str]] = field(default_factory=dict)
    asking: set[ast.AST] = field(default_factory=set)

    def find(self, modules: Iterable[ModuleInfo]) -> Filled:
        calls = [(module, call) for module in modules for call in module.nodes.of(ast.Call)]
        for module, call in calls:
            found = (one for one, _ in self.filled(call))
            self.handed |= {one for one in found if self.is_holder(one) or is_item(whole(one), module.nodes)}
        reached = [function for _, call in calls for one, taken in self.filled(call) if one in self.handed
                   for function in self.note(taken)]  # fmt: skip
        while reached:
            info = reached.pop()
            for call in (part for part in walk(info.node) if isinstance(part, ast.Call)):
                for one, taken in self.filled(call):
                    if isinstance(one, ast.Name) and one.id in self.names[info.node]:
                        reached += self.note(taken)
        return self

    def note(self, taken: list[tuple[FunctionInfo, str]]) -> list[FunctionInfo]:
        """Those functions of which this is new."""
        new = []
        for info, name in taken:
            known = self.names.setdefault(info.node, set())
            if name not in known:
                known.add(name)
                new.append(info)
        return new

    def filled(self, call: ast.Call) -> Iterator[tuple[ast.expr, list[tuple[FunctionInfo, str]]]]:
        """Arguments of a call that it writes to, with the parameters by which they come; torch's own have none."""
        value = value_at(call.func)
        several = value.values if isinstance(value, Choice) else (value,)
        may = [(place, one) for place, one in given_by(call) if isinstance(one, WRITTEN)]
        if may and all(isinstance(one, Ref) and one.name.startswith(FILLING) for one in several):
            yield from ((one, []) for place, one in may if place in (0, "tensor"))
        elif may and all(isinstance(one, FunctionOf) for one in several):
            for place, one in may:
                found = [self.taken(function, place) for function in several if isinstance(function, FunctionOf)]
                if all(found):
                    yield one, [each for taken in found for each in taken]

    def taken(self, function: FunctionOf, place: int | str) -> list[tuple[FunctionInfo, str]]:
        summary = self.places.summary(function)
        names = [name for name in summary.parameters.taken_by(place) if name in summary.changes]
        return [(function.info, name) for name in names if not is_bound_in(function.info.node, name)]

    def given_back(self, call: ast.Call) -> ast.expr | None:
        """What a call of a function of the project's gives again that it has written to: ``layer.bias`` of
        ``filled_(layer.bias)``.
        """
        function = value_at(call.func)
        if not isinstance(function, FunctionOf) or isinstance(function.info.node, ast.Lambda):
            return None
        if (body := function.info.node) in self.asking:
            return None
        self.asking.add(body)
        given = {self.name_given(one.value) for one in walk(body) if isinstance(one, ast.Return)}
        self.asking.discard(body)
        names = [({name for _, name in self.taken(function, place)}, one) for place, one in given_by(call)]
        return next((one for taken, one in names if taken and taken == given), None)

    def name_given(self, node: ast.expr | None) -> str | None:
        node = self.given_back(node) if isinstance(node, ast.Call) else node
        return node.id if isinstance(node, ast.Name) else None

    def is_holder(self, node: ast.expr | None) -> bool:
        """Whether it is an attribute that holds a parameter, a part of such a one, or its ``data``."""
        if isinstance(node, ast.Call):
            return self.is_holder(self.given_back(node))
        if node is None:
            return False
        node = node.value if isinstance(node, ast.Subscript) else whole(node)
        if not isinstance(node, ast.Attribute):
            return False
        if isinstance(value_at(node), Unknown):
            return node.attr in OF_LAYERS
        return is_array(node) and self.members.role(value_at(node.value), node.attr) is not Role.PLAIN


def given_by(call: ast.Call) -> list[tuple[int | str, ast.expr]]:
    """What a call gives, by position or by keyword."""
    return [*enumerate(call.args), *((word.arg, word.value) for word in call.keywords if word.arg)]


def whole(node: ast.expr) -> ast.expr:
    """``x`` of ``x.data``"""
    return node.value if isinstance(node, ast.Attribute) and is_data(node) else node


def is_bound_in(function: ast.AST, name: str) -> bool:
    """Whether a parameter stands for something else at times."""
    parts = walk(function)
    changed = {part.target for part in parts if isinstance(part, ast.AugAssign)}
    named = (part for part in parts if isinstance(part, ast.Name) and part.id == name)
    return any(not isinstance(part.ctx, ast.Load) and part not in changed for part in named)
