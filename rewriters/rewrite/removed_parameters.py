"""Parameters that are taken away from what may be any layer: ``setattr(m, name, None)``, ``m.bias = None``,
``m.register_parameter("bias", None)``. Of a layer that is known, ``layer.bias = None`` has a rule of its own.
"""

from __future__ import annotations

import ast
import re

from rewriters.infer.values import Bottom, Choice, Instance, ObjectOf, Unknown
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rules.given_values import is_none
from rewriters.text.tree import last_name

REMOVED = "torch.nn.Module:removed"
NAMES = {"weight", "bias"}
HAVING = re.compile(r"torch\.nn\.(?:Module|\w*Norm\w*)")
"""What may have one of the two without the other."""


class RemovedParameters(Rewriting):
    """Rewrites them by the rule under ``torch.nn.Module:removed``, which looks at run time what the layer is."""

    def by_call(self, node: ast.Call) -> bool:
        """``setattr(m, name, None)``, ``m.register_parameter("bias", None)``; whether it has been rewritten."""
        func, given = node.func, node.args
        if isinstance(func, ast.Name) and func.id == "setattr" and len(given) == 3:
            of, name, value = given
        elif isinstance(func, ast.Attribute) and func.attr == "register_parameter" and len(given) == 2:
            of, (name, value) = func.value, given
        else:
            return False
        text = getattr(name, "value", "")
        said = not isinstance(value_at(of), (Unknown, Bottom)) or not self.shared.travel.words.isdisjoint(NAMES)
        fits = text in NAMES if isinstance(name, ast.Constant) else said
        if node.keywords or is_none(value) is not True or not fits or not self.may_have(of):
            return False
        self.remove(node, of, name)
        return True

    def by_store(self, node: ast.Assign) -> bool:
        """``m.bias = None``; whether it has been rewritten."""
        target = node.targets[0]
        if len(node.targets) != 1 or not isinstance(target, ast.Attribute) or target.attr not in NAMES:
            return False
        if is_none(node.value) is not True or not self.may_have(target.value):
            return False
        self.remove(node, target.value, ast.Constant(target.attr))
        return True

    def remove(self, node: ast.Call | ast.Assign, of: ast.expr, name: ast.expr) -> None:
        rules = self.book.rules[REMOVED]
        self.draft.record(node, REMOVED, Outcome.HELPER, rules[0].where)
        with self.source.collect() as inner:
            self.walk.visit(of)
            if not isinstance(name, ast.Constant):
                self.walk.visit(name)
        shown = self.draft.printer.text(name) if isinstance(name, ast.Constant) else self.placing.given(name, inner)
        self.draft.replace(node, f"{self.draft.helper_text(rules)}({self.placing.given(of, inner)}, {shown})")

    def may_have(self, of: ast.expr) -> bool:
        """Whether it may be a norm; of a program's own module, whether it derives from one."""
        value = value_at(of)
        if REMOVED not in self.book.rules:
            return False
        if isinstance(value, Choice):
            return any(isinstance(one, Instance) and HAVING.fullmatch(one.name) for one in value.values)
        if isinstance(value, ObjectOf):
            return "Norm" in (value.info.torch_base() or "")
        if isinstance(value, Instance):
            return bool(HAVING.fullmatch(value.name))
        return isinstance(value, (Unknown, Bottom)) and last_name(of) not in {"self", "cls"}
