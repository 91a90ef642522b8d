"""Gradients of what goes into a loss beside modules: ``x.grad`` of ``loss = criterion(net(x), y)``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rewriters.infer.leaves import is_leaf
from rewriters.regions.gradients.events import Event, Kind
from rewriters.regions.gradients.losses import Loss
from rewriters.regions.gradients.names import names_of, of_node
from rewriters.regions.hazards import short
from rewriters.regions.step import NotUnderstood, Parents
from rewriters.text.tree import LOOPS, walk


def find_inputs(losses: Mapping[Event, Loss], events: list[Event], parents: Parents) -> set[Event]:
    """The events that read such a gradient, each noted at its loss. Raises NotUnderstood."""
    found = set()
    for event in events:
        if event.kind not in (Kind.READ, Kind.CHANGE) or not isinstance(event.subject, ast.Name):
            continue
        name = event.subject.id
        if is_leaf(event.subject, parents.nodes):
            continue
        having = [loss for loss in losses.values() if name in goes_in(loss) or name in computed_in(loss)]
        if not having:
            continue
        check(name, event, having, parents)
        if event.kind is Kind.CHANGE:
            raise NotUnderstood(f"`{short(event.statement)}` changes the gradient of what goes into the loss")
        having[0].asked[name] = None
        found.add(event)
    return found


def goes_in(loss: Loss) -> set[str]:
    """The names that a loss is computed from."""
    everything = names_of(*loss.inside)
    everything.then(of_node(loss.final))
    return everything.reads


def computed_in(loss: Loss) -> set[str]:
    """Those that its computation binds."""
    return names_of(*loss.inside).binds


def check(name: str, read: Event, losses: list[Loss], parents: Parents) -> None:
    """That the gradient is what one ``backward`` just gave, of what went in. Raises NotUnderstood."""
    what = f"`{short(read.node)}`"
    if len(losses) > 1:
        raise NotUnderstood(f"{what} sums gradients of several losses: take them with torch.autograd.grad")
    loss = losses[0]
    if name in computed_in(loss) or loss.early is not None:
        raise NotUnderstood(f"{what} is of what is computed on the way to the loss: take it with torch.autograd.grad")
    block, statement = parents.block(loss.event.statement), top(read.statement, loss.event.statement, parents)
    place = block.index(loss.event.statement)
    if statement is None or block.index(statement) <= place:
        raise NotUnderstood(f"{what} is not read behind `backward`, in the same block: give it a name there")
    loop = next((node for node in parents.around(read.statement) if isinstance(node, LOOPS)), None)
    if loop is not None and name not in names_of(loop).sure | names_of(*loop.body).sure | bound_by(loop):
        raise NotUnderstood(f"{what} adds up over the turns of the loop: give `{name}` a new tensor in each")
    for between in block[place + 1 : block.index(statement)]:
        if name in of_node(between).binds:
            raise NotUnderstood(f"`{name}` is another tensor when {what} is read: read it before line {between.lineno}")


def bound_by(loop: ast.stmt) -> set[str]:
    target = getattr(loop, "target", None)
    return set() if target is None else {node.id for node in walk(target) if isinstance(node, ast.Name)}


def top(inner: ast.stmt, beside: ast.stmt, parents: Parents) -> ast.stmt | None:
    """The statement around one that stands in the same block as another."""
    around = {inner, *parents.around(inner)}
    return next((statement for statement in parents.block(beside) if statement in around), None)
