"""Properties of what is most likely a parameter, ``m.weight.data`` of any ``m``, or a device, ``x.device.type`` of any
``x``, by rules that look at run time.
"""

from __future__ import annotations

import ast

from rewriters.infer.either import is_hint
from rewriters.infer.values import Bottom, Choice, Either, ObjectOf, Tensor, Unknown
from rewriters.report import Outcome
from rewriters.rewrite.augmented import OF_LAYERS
from rewriters.rewrite.others_uses import is_of_another
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.tree import is_path, is_still
from rewriters.torch.table import entry


class LikelyProperties(Rewriting):
    """Rewrites reads by the rules under ``torch.Tensor.data:unknown`` and ``torch.device.type:unknown``, stores by that
    under ``torch.Tensor.data=:unknown`` and ``torch.nn.Module.forward=:unknown``; reads of what is a tensor at times
    by those under ``torch.Tensor.device:at_times``, of whatever is not known by those under ``torch.Tensor.real:any``.
    """

    def visited(self, node: ast.Attribute) -> bool:
        """Whether it was such a read, and has been rewritten."""
        key = f"torch.device.{node.attr}:unknown" if is_device(node.value) else f"torch.Tensor.{node.attr}:unknown"
        if not isinstance(node.ctx, ast.Load):
            return False
        at_times = f"torch.Tensor.{node.attr}:at_times"
        hinted = is_hint(value_at(node.value)) or self.says_where(node)
        anyhow = f"torch.Tensor.{node.attr}:any"
        if at_times in self.book.rules and hinted and self.is_open(node):
            key = at_times
        elif anyhow in self.book.rules and self.is_open(node):
            key = anyhow
        elif not self.is_likely(node, key):
            return False
        with self.source.collect() as inner:
            self.walk.visit(node.value)
        rules = self.book.rules[key]
        self.draft.record(node, key, Outcome.HELPER, rules[0].where)
        self.draft.replace(node, f"{self.draft.helper_text(rules)}({self.placing.given(node.value, inner)})")
        return True

    def stored(self, node: ast.Assign, target: ast.Attribute) -> bool:
        """Whether it was such a store, and has been rewritten."""
        key = self.draft.keys.get(node, f"torch.Tensor.{target.attr}=:unknown")
        if node in self.draft.keys and key.endswith(":unknown"):
            pass  # a pass asks for it
        elif self.is_of_class(target):
            key = f"torch.nn.Module.{target.attr}=:unknown"
        elif not self.is_likely(target, key) and not self.is_at_times(target, key):
            return False
        with self.source.collect() as inner:
            self.walk.visit(node.value)
            self.walk.visit(target.value)
        rules = self.book.rules[key]
        self.draft.record(target, key, Outcome.HELPER, rules[0].where)
        of, value = self.placing.given(target.value, inner), self.placing.given(node.value, inner)
        given = f"{of}, {value}"
        if not is_path(target.value) and not is_still(node.value):  # by keywords, in the order of the source
            first, second = (one.arg for one in rules[0].parameters.args)
            given = f"{second}={value}, {first}={of}"
        self.draft.replace(node, f"{self.draft.helper_text(rules)}({given})")
        return True

    def is_of_class(self, target: ast.Attribute) -> bool:
        """Whether it may be a method of modules that the target has under another name, ``cls.forward = told``, or what
        the target keeps of them otherwise: ``module.training = False``.
        """
        if f"torch.nn.Module.{target.attr}=:unknown" not in self.book.rules:
            return False
        value = value_at(target.value)
        is_other = isinstance(value, ObjectOf) and not value.info.is_module
        return f"torch.nn.Module.{target.attr}" in self.target.methods or not is_other

    def is_likely(self, node: ast.Attribute, key: str) -> bool:
        """Whether it is a tensor's property of what layers hold, or of a name of a loop over parameters."""
        around, held = self.source.nodes.parents.get(node), node.value
        if key not in self.book.rules or (isinstance(around, ast.Call) and around.func is node):
            return False
        if key.startswith("torch.device."):
            return isinstance(value_at(held), (Unknown, Bottom, Choice))
        of_layer = isinstance(held, ast.Attribute) and isinstance(held.value, (ast.Name, ast.Attribute))
        of_layer = of_layer and held.attr in OF_LAYERS | self.shared.travel.tensors  # type: ignore[attr-defined]
        return (of_layer or self.placing.is_item(held)) and self.is_open(node)

    def is_at_times(self, target: ast.Attribute, key: str) -> bool:
        """Whether it is stored to what is a tensor at times: arrays may take any attribute, which changes nothing."""
        return key in self.book.rules and is_hint(value_at(target.value)) and self.is_open(target)

    def says_where(self, node: ast.Attribute) -> bool:
        """Whether it stands for a device or a dtype: ``x.to(y.device)``, ``zeros(n, device=y.device)``, and
        ``device = y.device``."""
        around, held = self.source.nodes.parents.get(node), node.value
        if isinstance(held, ast.Name) and held.id == "self":
            return False
        if isinstance(around, ast.keyword):
            return around.arg == node.attr
        if isinstance(around, ast.Assign) and len(around.targets) == 1:
            return getattr(around.targets[0], "id", "") == node.attr
        method = around.func if isinstance(around, ast.Call) else None
        return isinstance(method, ast.Attribute) and method.attr == "to"

    def is_open(self, node: ast.Attribute) -> bool:
        """Whether the attribute would be rewritten if only its receiver were known to be a tensor."""
        receiver = value_at(node.value)
        if not isinstance(receiver, (Unknown, Bottom)) and not (isinstance(receiver, Tensor) and receiver.assumed):
            return False
        if isinstance(receiver, Either) and not receiver.tensor:
            return False  # one of a few, none of which is a tensor
        key = f"torch.Tensor.{node.attr}"
        if entry(key) is None or key in self.book.same or not self.book.answers(key):
            return False
        return not is_of_another(node, self.source.nodes)


def is_device(node: ast.expr) -> bool:
    """Whether it is called a device."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name == "device" or name.endswith("_device")
