"""What stands between a loss and its ``backward``, where the gradients are computed with the loss: before it."""

from __future__ import annotations

from rewriters.regions.gradients.events import Event, Kind
from rewriters.regions.gradients.find import Region
from rewriters.regions.gradients.losses import Loss
from rewriters.regions.step import position


def must_wait(region: Region, loss: Loss) -> bool:
    """Whether something there touches gradients that those of the loss must not be among."""
    return bool(between(region, loss) - overtakes(region, loss))


def between(region: Region, loss: Loss) -> set[Event]:
    """Events that come after a loss is computed and before its ``backward``, of the same groups."""
    groups = region.about[loss.event]
    return {
        event
        for event in region.events
        if position(loss.place) < position(event.statement) < position(loss.event.statement)
        and any(group in groups for group in region.about[event])
    }


def overtakes(region: Region, loss: Loss) -> set[Event]:
    """Of these, what clears gradients that the loss brings anew, whose own are computed before: nothing is to do."""
    found, groups = between(region, loss), region.about[loss.event]
    fresh = all(loss.event in group.fresh for group in groups)
    clears = all(one.kind is Kind.CLEAR and set(region.about[one]) <= set(groups) for one in found)
    return found if fresh and clears else set()
