"""Where a project freezes parameters, and where the weight or the bias of a layer alone.

Paddle's batch and instance normalization give neither of the two a gradient where one of them takes none: a BatchNorm
with a frozen bias would never train its weight. What its LayerNorm hands to its input is wrong where the weight takes
none, or nobody asks for that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, TypeGuard

from rewriters.infer.values import Choice, Instance, ModuleInfo, ObjectOf, Ref, Tensor
from rewriters.places.freezing import told
from rewriters.targets.paddle.passes.second_gradients import ASKING
from rewriters.targets.paddle.passes.weight_makers import FUNCTIONS, is_unknown, names_of_torch, value_of
from rewriters.text.tree import called_name, walk

BATCH_NORMS = {f"torch.nn.BatchNorm{n}d" for n in (1, 2, 3)}
INSTANCE_NORMS = {f"torch.nn.InstanceNorm{n}d" for n in (1, 2, 3)}
FUNCTIONAL = {"torch.nn.functional.layer_norm", "torch.layer_norm"}
LAYER_NORMS = {"torch.nn.LayerNorm", *FUNCTIONAL}
PARTS = ("weight", "bias")
LONGEST = 40  # of a text that is part of a parameter's name, in characters


def freezes_apart(module: ModuleInfo) -> bool:
    """Whether a file may freeze one parameter of a normalization and not the other."""
    return any(is_apart(owner, site, value, module) for owner, site, value in told(module))


def asks_for_some(module: ModuleInfo) -> bool:
    """Whether a file asks for gradients of some tensors alone, so that those of weights may be left out."""
    return any(name == "torch.autograd.grad" or name.startswith(ASKING) for _, name in names_of_torch(module))


def of_no_parameter(modules: list[ModuleInfo]) -> Iterator[tuple[ast.Call, str]]:
    """Calls of a function whose weight is a tensor that is made no parameter: a constant, a buffer, a computed one."""
    calls = [
        (node, value.name, weight)
        for module in modules
        for node in module.nodes.of(ast.Call)
        if isinstance(value := getattr(node.func, "v", None), Ref) and value.name in FUNCTIONAL
        for weight in [*node.args[2:3], *(word.value for word in node.keywords if word.arg == "weight")]
    ]
    made = parameters_of(modules) if calls else set()
    for node, name, weight in calls:
        trained = isinstance(weight, ast.Attribute) and weight.attr in made
        if isinstance(value_of(weight), Tensor) and not trained:
            yield node, name


def parameters_of(modules: list[ModuleInfo]) -> set[str]:
    """Names of attributes that hold trained parameters: those of layers, and of ``self.scale = nn.Parameter(...)``."""
    found, buffers = {"weight"}, set()
    for module in modules:
        for node in module.nodes.of(ast.Assign, ast.AnnAssign):
            made = node.value
            if (
                isinstance(made, ast.Call)
                and called_name(made) == "Parameter"
                and len(made.args) + len(made.keywords) == 1
            ):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {target.attr for target in targets if isinstance(target, ast.Attribute)}
        for call in module.nodes.of(ast.Call):
            if called_name(call) == "register_buffer" and call.args and isinstance(call.args[0], ast.Constant):
                buffers.add(str(call.args[0].value))
    return found - buffers


def is_apart(owner: ast.expr, site: ast.AST, told_what: ast.expr, module: ModuleInfo) -> bool:
    if isinstance(owner, ast.Attribute):
        return owner.attr in PARTS and may_be_norm(value_of(owner.value), BATCH_NORMS | INSTANCE_NORMS)
    if is_by_name(owner):
        return True
    if not isinstance(owner, (ast.Name, ast.Subscript)):
        return False
    chosen = False
    node = site
    while node in module.nodes.parents and not isinstance(node, FUNCTIONS):
        for target, iterated, body in rounds(node):
            chosen = chosen or goes_by_round(told_what, target, body) or any(map(passes_some, body))
            if isinstance(iterated, ast.Name):
                iterated = kept_parameters(iterated.id, module) or iterated
            if takes_parameters(iterated):
                chosen = chosen or any(isinstance(part, ast.comprehension) and part.ifs for part in walk(iterated))
                return (chosen and names_parts(module)) or takes_some(iterated, chosen)
        chosen = chosen or isinstance(node, (ast.If, ast.IfExp, ast.BoolOp))
        node = module.nodes.parents[node]
    return False


def is_by_name(owner: ast.expr) -> bool:
    """Whether it is picked by a text that names a weight or a bias: ``dict(net.named_parameters())["bn.bias"]``."""
    given = owner.slice if isinstance(owner, ast.Subscript) else owner.args[0] if is_got(owner) else None
    return isinstance(given, ast.Constant) and str(given.value).endswith(PARTS)


def is_got(owner: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(owner, ast.Call) and called_name(owner) == "get_parameter" and len(owner.args) == 1


def rounds(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, list[ast.AST]]]:
    """What a loop or a comprehension binds, what it goes over, and what is done in each round."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.target, node.iter, [*node.body]
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        for part in node.generators:
            yield part.target, part.iter, [*part.ifs]


def passes_some(part: ast.AST) -> bool:
    """Whether it leaves rounds out: a condition of a comprehension, or a ``continue``."""
    return isinstance(part, ast.expr) or any(isinstance(inner, ast.Continue) for inner in walk(part))


def goes_by_round(told_what: ast.expr, target: ast.expr, body: list[ast.AST]) -> bool:
    """Whether what is told is reckoned from what the round binds."""
    bound = {part.id for part in walk(target) if isinstance(part, ast.Name)}
    for part in body:
        stored = [inner.id for inner in walk(part) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)]
        bound.update(stored)
    return any(isinstance(part, ast.Name) and part.id in bound for part in walk(told_what))


def kept_parameters(name: str, module: ModuleInfo) -> ast.expr | None:
    """The list of some of the parameters that a file keeps under a name."""
    kept: list[ast.expr] = [
        node.value
        for node in module.nodes.of(ast.Assign)
        if any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]
    return next(filter(takes_parameters, kept), None)


def may_be_norm(value: Any, norms: set[str]) -> bool:
    """Whether it may be one of these layers."""
    if isinstance(value, Choice):
        return any(may_be_norm(one, norms) for one in value.values)
    if isinstance(value, Instance):
        return value.name in norms or value.name == "torch.nn.Module"
    if isinstance(value, ObjectOf):
        return not norms.isdisjoint(filter(lambda one: isinstance(one, str), value.info.linear()))
    return is_unknown(value)


def takes_parameters(iterated: ast.expr) -> bool:
    return any(
        isinstance(part, ast.Attribute) and part.attr in {"parameters", "named_parameters"} for part in walk(iterated)
    )


def takes_some(iterated: ast.expr, chosen: bool) -> bool:
    """Whether parameters are taken by where they stand."""
    parts = list(walk(iterated))
    counted = any(isinstance(part, ast.Name) and part.id == "enumerate" for part in parts)
    return (counted and chosen) or any(isinstance(part, ast.Slice) for part in parts)


def names_parts(module: ModuleInfo) -> bool:
    """Whether a text of the file may be part of the name of a weight or a bias."""
    return any(
        isinstance(node.value, str) and len(node.value) <= LONGEST and any(part in node.value for part in PARTS)
        for node in module.nodes.of(ast.Constant)
    )
