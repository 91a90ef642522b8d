"""The optimizer's part of a training step: zero_grad, clipping, step, the scheduler's step."""

from __future__ import annotations

import ast

from rewriters.infer.values import Method, Ref
from rewriters.regions.hazards import short
from rewriters.regions.step import SIMPLE, NotUnderstood, Step
from rewriters.regions.tracing import is_module, path_of, value_of
from rewriters.text.tree import walk


def find_update(step: Step) -> None:
    """The optimizer's part: zero_grad, clipping, step, the scheduler's step."""
    at = step.body.index(step.backward)
    calls = [node for statement in step.body for node in walk(statement) if isinstance(node, ast.Call)]
    updates = [node for node in calls if method(node).startswith("torch.optim.") and method(node).endswith(".step")]
    own = [node for node in updates if "lr_scheduler" not in method(node)]
    if not own:
        raise NotUnderstood(
            "no optimizer is known to step in the same block; where it steps every few batches, let the graph add up "
            "the gradients: configure(accumulation_steps=...)"
        )
    if len(own) > 1:
        raise NotUnderstood("several optimizers step in one block; a graph here has one")
    update = own[0]
    statement = plain(step, update, "the optimizer's step")
    if update.args or update.keywords:
        raise NotUnderstood("optimizer.step(closure) runs the model several times; a graph runs it once")
    if step.body.index(statement) < at:
        raise NotUnderstood("the optimizer steps before backward")
    assert isinstance(update.func, ast.Attribute)
    step.optimizer_node = update.func.value
    step.optimizer = path_of(update.func.value) or ""
    if not step.optimizer:
        raise NotUnderstood(f"`{short(update.func.value)}` is no plain name")
    step.gone.append(statement)
    zeroed = False
    for other in step.body:
        call = other.value if isinstance(other, ast.Expr) and isinstance(other.value, ast.Call) else None
        name = method(call) if call is not None else ""
        if call is None or not isinstance(call.func, ast.Attribute):
            if isinstance(other, SIMPLE) and clips(other.value):
                raise NotUnderstood(f"`{short(other)}`: a graph clips gradients, but does not return their norm")
            continue
        between = at < step.body.index(other) < step.body.index(statement)
        owner = call.func.value
        if name.endswith(".zero_grad") and (path_of(owner) == step.optimizer or is_module(value_of(owner))):
            if between:
                raise NotUnderstood("gradients are set to zero between backward and the optimizer's step")
            step.gone.append(other)
            zeroed = True
        elif clips(call):
            if not method_of_parameters(call):
                raise NotUnderstood(f"`{short(call)}`: a graph clips all that an optimizer trains: model.parameters()")
            if not between or step.clip is not None:
                raise NotUnderstood(f"`{short(call)}` does not stand between backward and the optimizer's step")
            step.clip = call
            step.gone.append(other)
    nested = [node for statement in step.body for node in walk(statement) if clips(node) and node is not step.clip]
    if nested:
        raise NotUnderstood(f"`{short(nested[0])}` is under a condition; a graph clips always or never, to one norm")
    if not zeroed:
        raise NotUnderstood("gradients are not set to zero in the same block: a graph does that at each step")
    for node in [node for node in updates if "lr_scheduler" in method(node)]:
        other = plain(step, node, "the scheduler's step")
        assert isinstance(node.func, ast.Attribute)
        if step.schedule is not None:
            raise NotUnderstood("several schedulers step in one block; a graph takes one")
        if node.args or node.keywords or step.body.index(other) < step.body.index(statement):
            raise NotUnderstood(f"`{short(node)}`: a graph's schedule counts steps by itself, after each update")
        step.schedule, step.scheduler_node = other, node.func.value
        step.scheduler = path_of(node.func.value) or ""


def plain(step: Step, call: ast.Call, what: str) -> ast.stmt:
    """The statement of the block that is just this call."""
    for statement in step.body:
        if isinstance(statement, ast.Expr) and statement.value is call:
            return statement
    raise NotUnderstood(
        f"{what} is no plain statement beside backward (under `if`?); a graph updates at each call, and adds up "
        "gradients with configure(accumulation_steps=...)"
    )


def method(node: ast.AST) -> str:
    """The canonical name of the torch method that a call calls, ""."""
    value = value_of(node.func) if isinstance(node, ast.Call) else None
    return value.name if isinstance(value, Method) else ""


def clips(node: ast.AST | None) -> bool:
    value = value_of(node.func) if isinstance(node, ast.Call) else None
    name = value.name if isinstance(value, Ref) else ""
    return name.startswith("torch.nn.utils.clip_grad")


def method_of_parameters(call: ast.Call) -> bool:
    """``clip_grad_norm_(model.parameters(), ...)``"""
    first = call.args[0] if call.args else None
    return (
        isinstance(first, ast.Call)
        and isinstance(first.func, ast.Attribute)
        and first.func.attr == "parameters"
        and is_module(value_of(first.func.value))
    )
