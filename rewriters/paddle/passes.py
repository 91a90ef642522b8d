"""What single rules cannot see, so that another rule answers: the keys with a colon.

* A Linear that shares its weight with an Embedding: ``self.head.weight = self.wte.weight`` needs torch's (out, in)
  weight, which paddle.nn.Linear does not have.
* An optimizer whose parameters may be groups with learning rates of their own.
* Kaiming initialization of a matrix that the class itself made, which is (out, in) as in torch.
* ``next(model.parameters())``: Paddle's is a list.
* The functional form with a Linear's own weight, which is Paddle's.
* The weight norm of a convolution, whose weight is laid out as torch's.
"""

from __future__ import annotations

import ast
from typing import Any

from rewriters.tree import walk
from rewriters.values import Bottom, Instance, Items, Mapping, ObjectOf, Series, Tensor, Unknown

TIED = "torch.nn.Linear:tied"
GROUPED = {f"torch.optim.{name}": f"torch.optim.{name}:groups" for name in ("SGD", "Adam", "AdamW", "RMSprop")}
OWN = {f"torch.nn.init.kaiming_{kind}_": f"torch.nn.init.kaiming_{kind}_:own" for kind in ("normal", "uniform")}
WEIGHT_NORM = ("torch.nn.utils.weight_norm", "torch.nn.utils.parametrizations.weight_norm")
LINEAR = "torch.nn.functional.linear"
# What torch's modules give one after another, and Paddle's at once.
LISTS = {"parameters", "buffers", "modules"}
# What a group says in other words in Paddle.
RENAMED = {"lr", "betas", "eps"}


def keys(project: Any, module: Any) -> dict[ast.AST, str]:
    """Constructor calls of this module that a special rule answers for, with the rule's key."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        key = special(node) if node.args or node.keywords else None
        if key:
            found[node] = key
        if isinstance(node.func, ast.Name) and node.func.id == "next" and node.args:
            first = node.args[0]
            if isinstance(first, ast.Call) and isinstance(first.func, ast.Attribute) and first.func.attr in LISTS:
                found[first] = f"torch.nn.Module.{first.func.attr}:next"
    if any(is_tie(node) for node in module.nodes.of(ast.Assign)):
        for node in module.nodes.of(ast.ClassDef):
            found.update(dict.fromkeys(tied_linears(node), TIED))
    return found


def is_tie(node: ast.Assign) -> bool:
    """``self.head.weight = self.wte.weight``"""
    sides = (node.targets[0], node.value)
    return len(node.targets) == 1 and all(isinstance(side, ast.Attribute) and side.attr == "weight" for side in sides)


def special(call: ast.Call) -> str | None:
    """The key for a call that its first argument decides."""
    name = constructed(call) or "" if isinstance(call.func, (ast.Name, ast.Attribute)) else ""
    first = call.args[0] if call.args else call.keywords[0].value
    value = getattr(first, "v", None)
    if name in GROUPED and not are_parameters(value) and not gives_parameters(first):
        return GROUPED[name]
    if name in OWN and is_own(first):
        return OWN[name]
    if name == LINEAR and len(call.args) > 1 and is_weight_of_linear(call.args[1]):
        return f"{LINEAR}:layer"
    if name in WEIGHT_NORM and isinstance(value, Instance) and value.name.startswith("torch.nn.Conv"):
        return "torch.nn.utils.weight_norm:convolution"
    return None


def is_weight_of_linear(node: ast.expr) -> bool:
    """``self.proj.weight`` of what is known to be an nn.Linear."""
    return isinstance(node, ast.Attribute) and node.attr == "weight" and class_of(node.value) == "torch.nn.Linear"


def are_parameters(value: Any) -> bool:
    """Whether an optimizer's first argument is known to hold parameters, or groups in words that Paddle shares."""
    if isinstance(value, Items):
        return all(is_plain(item) for item in value.values)
    return isinstance(value, Series) and is_plain(value.element)


def gives_parameters(node: ast.expr) -> bool:
    """``model.parameters()`` of what is not known, or a selection of that: only a project's own class, which would be
    known, gives groups by that name.
    """
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "parameters":
            return isinstance(getattr(node, "v", None), (Unknown, Bottom))
        if isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "filter") and node.args:
            return gives_parameters(node.args[-1])
        return False
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and isinstance(node.elt, ast.Name):
        (first, *others) = node.generators
        return (
            not others
            and isinstance(first.target, ast.Name)
            and first.target.id == node.elt.id
            and gives_parameters(first.iter)
        )
    return isinstance(node, ast.BinOp) and gives_parameters(node.left) and gives_parameters(node.right)


def is_plain(item: Any) -> bool:
    if isinstance(item, Mapping):
        return bool(item.known) and not RENAMED & {key for key, _ in item.known}
    return isinstance(item, Tensor)


def is_own(node: ast.expr) -> bool:
    """``self.weight`` in a class that is no Linear itself."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
        return False
    owner = getattr(node.value, "v", None)
    return isinstance(owner, ObjectOf) and owner.info.torch_base() == "torch.nn.Module"


def tied_linears(node: ast.ClassDef) -> list[ast.Call]:
    """Calls of nn.Linear assigned to an attribute whose weight is, or becomes, an Embedding's."""
    made: dict[str, ast.Call] = {}
    ties: list[tuple[ast.Attribute, ast.Attribute]] = []
    for part in walk(node):
        if not isinstance(part, ast.Assign) or len(part.targets) != 1:
            continue
        left, right = attribute(part.targets[0]), attribute(part.value)
        if left and isinstance(part.value, ast.Call):
            made[left] = part.value
        elif left and right and left.endswith(".weight") and right.endswith(".weight"):
            assert isinstance(part.targets[0], ast.Attribute)
            assert isinstance(part.value, ast.Attribute)
            ties.append((part.targets[0], part.value))
    found = []
    for pair in ties:
        sides = [(made.get(attribute(side.value) or ""), side.value) for side in pair]
        linears = [call for call, _ in sides if constructed(call) == "torch.nn.Linear"]
        # The other side's module is known by its call in this class, or by what the inference says of it; a weight that
        # is a Linear's on one side only is that of an Embedding, whose rows are the Linear's too.
        others = [value for call, value in sides if constructed(call) != "torch.nn.Linear"]
        if len(linears) == 1 and not any(class_of(value) == "torch.nn.Linear" for value in others):
            found += [call for call in linears if call is not None]
    return found


def class_of(node: ast.expr) -> str | None:
    """The torch class that an expression is an instance of, as far as it follows."""
    value = getattr(node, "v", None)
    return value.name if isinstance(value, Instance) else None


def attribute(node: ast.expr) -> str | None:
    """``self.a.b`` as text."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) and parts else None


def constructed(call: ast.Call | None) -> str | None:
    """The torch class that a call constructs."""
    value = getattr(call.func, "v", None) if call is not None else None
    return getattr(value, "name", None)
