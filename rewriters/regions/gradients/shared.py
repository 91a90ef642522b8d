"""What several computations begin with: the generator's output that both players of a GAN look at, one forward for two
losses. It is computed once, and gradients are carried back through it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.regions.gradients.events import Event
from rewriters.regions.gradients.losses import Early, Loss, only_detached, trained_by
from rewriters.regions.gradients.names import names_of, of_node
from rewriters.regions.gradients.order import in_order
from rewriters.regions.step import NotUnderstood, Parents, position
from rewriters.text.tree import walk


def find_early(losses: Iterable[Loss], events: list[Event], parents: Parents) -> None:
    """Take from losses what must come before them. Raises NotUnderstood."""
    losses = list(losses)
    found: dict[ast.stmt, Early] = {}
    insides = {loss: list(loss.inside) for loss in losses}
    for loss in losses:
        others = [s for other in losses if other is not loss for s in [*insides[other], other.event.statement]]
        others += [event.statement for event in events if event is not loss.event]
        inside = insides[loss]
        count = 0
        for number, statement in enumerate(inside):
            if statement in others or awaited(statement, inside[number + 1 :], loss, others):
                count = number + 1
        if not count:
            continue
        prefix = inside[:count]
        known = found.get(prefix[-1])
        if known is not None and known.inside != prefix:
            raise NotUnderstood(f"line {prefix[-1].lineno} is computed for several losses from different beginnings")
        early = found.setdefault(prefix[-1], Early(prefix))
        loss.early, loss.inside = early, inside[count:]
    for early in found.values():
        complete(early, losses, parents)
    taken: dict[ast.stmt, Early | Loss] = {}
    everything: list[Early | Loss] = [*found.values(), *losses]
    for one in everything:
        for statement in one.inside:
            if taken.setdefault(statement, one) is not one:
                raise NotUnderstood(f"line {statement.lineno} is computed for several losses from different beginnings")


def awaited(statement: ast.stmt, later: list[ast.stmt], loss: Loss, others: list[ast.stmt]) -> bool:
    """Whether something of another loss reads what a statement binds before this loss is computed."""
    binds = of_node(statement).binds
    place = position(later[-1] if later else loss.event.statement)
    for other in others:
        if position(statement) < position(other) < place and binds & of_node(other).reads:
            between = [s for s in later if position(s) < position(other)]
            if binds & of_node(other).reads - names_of(*between).sure and not rebound(other, others, binds, statement):
                return True
    return False


def rebound(reader: ast.stmt, others: list[ast.stmt], binds: set[str], after: ast.stmt) -> bool:
    """Whether what a statement reads was bound anew by others since."""
    since = [other for other in others if position(after) < position(other) < position(reader)]
    return not (binds & of_node(reader).reads - names_of(*since).sure)


def complete(early: Early, losses: list[Loss], parents: Parents) -> None:
    early.inside = in_order(early.inside, parents)
    binds = names_of(*early.inside)
    own = set(early.inside)
    readers: list[ast.AST] = []
    for loss in losses:
        readers += [*(s for s in loss.inside if s not in own), loss.final]
    read = {name for reader in readers for name in of_node(reader).reads}
    order = [n.id for s in early.inside for n in walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    early.outputs = [name for name in dict.fromkeys(order) if name in read & binds.binds]
    if binds.stores or binds.changes or binds.reads & binds.binds:
        raise NotUnderstood(f"line {early.place.lineno}: what several losses share is changed in place")
    early.modules, _ = trained_by(early.inside, binds, parents)


def carried(loss: Loss) -> list[str]:
    """The names of what came before through which gradients of a loss go back."""
    if loss.early is None:
        return []
    parts = [*loss.inside, loss.final]
    read = set()
    known: set[str] = set()
    for part in parts:
        names = of_node(part)
        read |= names.reads - only_detached(part) - known
        known |= names.sure
    return [name for name in loss.early.outputs if name in read]
