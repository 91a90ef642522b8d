"""What single rules cannot see, so that another rule answers: the keys with a colon.

* A Linear whose weight the project's code looks at, or shares with an Embedding: it needs torch's (out, in) weight,
  which paddle.nn.Linear does not have (``linear_weights.py``).
* An optimizer whose parameters may be groups with learning rates of their own.
* Kaiming initialization of a matrix that the class itself made, which is (out, in) as in torch.
* ``next(model.parameters())``: Paddle's is a list.
* Code that goes through parameters or buffers, where batch normalization's statistics are others than torch's
  (``norm_statistics.py``).
* Tensors that are plain attributes of a module (``plain_attributes.py``); resetting, filling views.
* The functional form with a Linear's own weight, which is Paddle's.
* The weight norm of a convolution, whose weight is laid out as torch's.
* A loss of classes where no label is ignored (``ignored_labels.py``).
"""

from __future__ import annotations

import ast
from typing import Any

from rewriters.paddle.ignored_labels import labelled
from rewriters.paddle.linear_weights import HANDED, LOOKED, looks_of
from rewriters.paddle.norm_statistics import statistics_of
from rewriters.paddle.plain_attributes import plains_of
from rewriters.paddle.weight_makers import value_of
from rewriters.paddle.weight_uses import is_layer_of
from rewriters.values import Bottom, Instance, Items, Mapping, ObjectOf, Series, Tensor, Unknown, torch_class

GROUPED = {
    f"torch.optim.{name}": f"torch.optim.{name}:groups"
    for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam")
}
SCHEDULES = "torch.optim.lr_scheduler."
SCHEDULED = {
    *("StepLR", "MultiStepLR", "LambdaLR", "MultiplicativeLR", "ExponentialLR", "CosineAnnealingLR", "OneCycleLR"),
    *("CosineAnnealingWarmRestarts", "LinearLR", "ConstantLR", "PolynomialLR", "ReduceLROnPlateau"),
}
VIEWED = {
    f"torch.nn.init.{name}_"
    for name in (
        *("normal", "uniform", "trunc_normal", "xavier_normal", "xavier_uniform", "kaiming_normal", "kaiming_uniform"),
        *("orthogonal", "eye"),
    )
}
VIEWS = {
    "view",
    "reshape",
    "t",
    "transpose",
    "permute",
    "detach",
    "narrow",
    "select",
    "squeeze",
    "unsqueeze",
    "flatten",
}
ASKED = "torch.nn.Module.reset_parameters:asked"
OWN = {f"torch.nn.init.kaiming_{kind}_": f"torch.nn.init.kaiming_{kind}_:own" for kind in ("normal", "uniform")}
WEIGHT_NORM = ("torch.nn.utils.weight_norm", "torch.nn.utils.parametrizations.weight_norm")
LINEAR = "torch.nn.functional.linear"
# What torch's modules give one after another, and Paddle's at once.
LISTS = {"parameters", "buffers", "modules"}
# What a group says in the same words in Paddle.
SHARED = {"params", "weight_decay", "name"}


def keys(project: Any, module: Any) -> dict[ast.AST, str]:
    """Constructor calls of this module that a special rule answers for, with the rule's key."""
    found: dict[ast.AST, str] = {}
    looks = looks_of(project)
    for node in module.nodes.of(ast.Call):
        key = special(node, looks) if node.args or node.keywords else None
        if key:
            found[node] = key
        found.update(filled(node, looks))
        if reset := resets(node):
            found[node] = reset
        if isinstance(node.func, ast.Name) and node.func.id == "next" and node.args:
            first = node.args[0]
            if isinstance(first, ast.Call) and isinstance(first.func, ast.Attribute) and first.func.attr in LISTS:
                found[first] = f"torch.nn.Module.{first.func.attr}:next"
    for node, key in statistics_of(project, looks.flow.parents).keys(module).items():
        found.setdefault(node, key)
    if has_groups(project):
        found.update(group_keys(module))
    if loads_optimizer(project):
        found.update(state_keys(module))
    found.update(plains_of(project).keys(module))
    found.update((site, LOOKED) for site in looks.sites if looks.is_in(site, module))
    found.update(dict.fromkeys(looks.handed_on(module), HANDED))
    if looks.at_all:
        found[module.tree] = LOOKED  # also for the Linears that are made by a variable
    found.update(linear_sizes(looks, module))
    found.update(labelled(project, module))
    return found


def has_groups(project: Any) -> bool:
    """Whether the project may have optimizers with groups of parameters with rates of their own."""
    calls = (node for module in project.modules.values() for node in module.nodes.of(ast.Call))
    return any(
        constructed(node) in GROUPED and not are_parameters(value_of(first)) and not gives_parameters(first)
        for node in calls
        if isinstance(node.func, (ast.Name, ast.Attribute)) and (first := first_of(node)) is not None
    )


def first_of(call: ast.Call) -> ast.expr | None:
    """What a call is given first."""
    return call.args[0] if call.args else call.keywords[0].value if call.keywords else None


def group_keys(module: Any) -> dict[ast.AST, str]:
    """Schedules, and rates that are read, where a rate is each group's."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        name = constructed(node) or "" if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
        if name.startswith(SCHEDULES) and name.removeprefix(SCHEDULES) in SCHEDULED:
            found[node] = f"{name}:groups"
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "get_last_lr":
            found[node] = f"{SCHEDULES}LRScheduler.get_last_lr:groups"
    for node in module.nodes.of(ast.Subscript):
        inner = node.value
        if isinstance(inner, ast.Subscript) and getattr(inner.value, "attr", "") == "param_groups":
            found[node] = "torch.optim.Optimizer.param_groups:groups"
        elif isinstance(inner, ast.Call) and getattr(inner.func, "attr", "") == "get_last_lr":
            found[node] = f"{SCHEDULES}LRScheduler.get_last_lr:groups"
    return found


def loads_optimizer(project: Any) -> bool:
    """Whether an optimizer's state is loaded, or its groups looked at, so that it must have its options."""
    nodes = [
        node
        for module in project.modules.values()
        for node in module.nodes.of(ast.Call)
        if isinstance(node.func, ast.Attribute) and is_of_optimizer(node.func, "load_state_dict")
    ]
    texts = (text.value for module in project.modules.values() for text in module.nodes.of(ast.Constant))
    return bool(nodes) or "param_groups" in [text for text in texts if isinstance(text, str)]


def is_of_optimizer(node: ast.Attribute, name: str) -> bool:
    owner = value_of(node.value)
    return node.attr == name and (torch_class(owner) or "").startswith("torch.optim.") and not is_schedule(owner)


def is_schedule(owner: Any) -> bool:
    return (torch_class(owner) or "").startswith(SCHEDULES)


def state_keys(module: Any) -> dict[ast.AST, str]:
    return {
        node: "torch.optim.Optimizer.state_dict:groups"
        for node in module.nodes.of(ast.Call)
        if isinstance(node.func, ast.Attribute) and is_of_optimizer(node.func, "state_dict")
    }


def linear_sizes(looks: Any, module: Any) -> dict[ast.AST, str]:
    """``layer.in_features``: Paddle's Linear tells them by its weight, torch's by their names."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Attribute):
        if node.attr in {"in_features", "out_features"} and class_of(node.value) == "torch.nn.Linear":
            kind = looks.kind_of(node.value)
            if kind:
                found[node] = f"torch.nn.Linear.{node.attr}:{kind}"
    return found


def special(call: ast.Call, looks: Any) -> str | None:
    """The key for a call that its first argument decides."""
    name = constructed(call) or "" if isinstance(call.func, (ast.Name, ast.Attribute)) else ""
    first = call.args[0] if call.args else call.keywords[0].value
    value = getattr(first, "v", None)
    if name in GROUPED and not are_parameters(value) and not gives_parameters(first):
        return GROUPED[name]
    if name in OWN and has_torch_layout(first, looks):
        return OWN[name]
    if name == LINEAR and len(call.args) > 1 and is_weight_of_linear(call.args[1], looks):
        return f"{LINEAR}:layer"
    if name in WEIGHT_NORM and isinstance(value, Instance) and value.name.startswith("torch.nn.Conv"):
        return "torch.nn.utils.weight_norm:convolution"
    return None


def is_weight_of_linear(node: ast.expr, looks: Any) -> bool:
    """``self.proj.weight`` of what is known to be an nn.Linear, and becomes Paddle's own."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "weight"
        and class_of(node.value) == "torch.nn.Linear"
        and not looks.kind_of(node.value)
    )


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
        decay = dict(item.known).get("weight_decay")
        return bool(item.known) and {key for key, _ in item.known} <= SHARED and getattr(decay, "kind", "") != "int"
    return isinstance(item, Tensor)


def filled(call: ast.Call, looks: Any) -> dict[ast.AST, str]:
    """``nn.init.normal_(w.data)``: most of Paddle's functions give a tensor new memory, which a view does not share."""
    name = constructed(call) or ""
    if not name.startswith("torch.nn.init.") or not call.args:
        return {}
    first = call.args[0]
    if isinstance(first, ast.Attribute) and first.attr == "data":
        return {first: "torch.Tensor.data:init"}
    return {call: f"{name}:view"} if name in VIEWED and is_view(first, looks.flow) else {}


def is_view(node: ast.expr, flow: Any) -> bool:
    """Whether a tensor is, or may be, a part of another by the way it is written."""
    if isinstance(node, ast.Subscript):
        return isinstance(getattr(node, "v", None), Tensor) and isinstance(getattr(node.value, "v", None), Tensor)
    if isinstance(node, ast.Attribute):
        return node.attr in {"T", "mT", "data"} and isinstance(getattr(node.value, "v", None), Tensor)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in VIEWS and isinstance(getattr(node.func.value, "v", None), Tensor)
    if isinstance(node, ast.Name):
        values = [value for scope in flow.outwards(node) for value in flow.bound.get((scope, node.id), ())]
        return any(value is not None and not isinstance(value, ast.Name) and is_view(value, flow) for value in values)
    return False


def resets(call: ast.Call) -> str | None:
    """``m.reset_parameters()`` and ``hasattr(m, "reset_parameters")`` of what may be a layer of torch's."""
    func = call.func
    if isinstance(func, ast.Name) and func.id == "hasattr" and len(call.args) == 2:
        value = getattr(call.args[0], "v", None)
        is_layer = isinstance(value, (Instance, Unknown, Bottom))
        return ASKED if is_layer and getattr(call.args[1], "value", None) == "reset_parameters" else None
    if not (isinstance(func, ast.Attribute) and func.attr == "reset_parameters"):
        return None
    value = getattr(func.value, "v", None)
    is_module = isinstance(value, Instance) and value.name == "torch.nn.Module"
    return "torch.nn.Linear.reset_parameters" if is_module or isinstance(value, (Unknown, Bottom)) else None


def has_torch_layout(node: ast.expr, looks: Any) -> bool:
    """Whether a tensor, if it is a matrix, is (out, in) as torch's: all but the weight of Paddle's own Linear."""
    while isinstance(node, ast.Attribute) and node.attr == "data":
        node = node.value
    value = getattr(node, "v", None)
    if isinstance(value, Tensor) and value.ndim is not None and value.ndim != 2:
        return False
    if not isinstance(node, ast.Attribute):
        return True
    owner = getattr(node.value, "v", None)
    if isinstance(owner, ObjectOf):
        return not (owner.info.torch_base() or "").startswith("torch.nn.Conv")
    if is_layer_of(looks.flow, node):
        return (class_of(node.value) or "").startswith("torch.nn.Conv") < bool(looks.kind_of(node.value))
    return not (class_of(node.value) or "").startswith(("torch.nn.Conv", "torch.nn.BatchNorm"))


def class_of(node: ast.expr) -> str | None:
    """The torch class that an expression is an instance of, as far as it follows."""
    value = getattr(node, "v", None)
    return value.name if isinstance(value, Instance) else None


def constructed(call: ast.Call | None) -> str | None:
    """The torch class that a call constructs."""
    value = getattr(call.func, "v", None) if call is not None else None
    return getattr(value, "name", None)
