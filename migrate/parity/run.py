"""Checks: from the two processes of a session to a report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from checks.parity.process import SideFailed
from checks.parity.report import Folder, Report, Side
from migrate.parity.check import Check
from migrate.parity.digest import digest_of_sources
from migrate.parity.failures import unusable
from migrate.parity.request import Request
from migrate.parity.session import Kept, Session
from migrate.parity.sides import Sides
from migrate.parity.state import Origin


def check_parity(
    request: Request, on_stage: Callable[[str], None] = lambda stage: None, kept: Kept | None = None
) -> Report:
    """Run both sides and compare; a report of one entry.

    on_stage:  told what is going on, in a few words.
    kept:      processes of checks before.
    Raises Unusable: a wrong spec, an entry that does not import or needs arguments, weights that do not fit, a torch
    side that does not run.
    """
    with Session(request, on_stage, kept) as session:
        return compare(session)


def compare(session: Session, converted: Path | None = None, origin: Origin | None = None) -> Report:
    """Compare a conversion with torch; by default the request's. Raises Unusable.

    origin: what it was made of, where that is not the request's project: which layers the converted code has, and
            so how its weights lie, follows from the code that was converted.
    """
    request = session.request
    folder = converted or request.converted
    try:
        sides = Sides(session, folder, session.new_folder(), origin)
        entry = Check(sides).run()
    except SideFailed as error:
        raise unusable(
            error, request.entry, session.target_name, error.side is session.torch.side, request.source
        ) from None
    return Report(
        torch=side("torch", "torch", session.here),
        target=side(request.target.name, request.target.title, sides.there),
        source=Folder(str(request.source), digest_of_sources(request.source)),
        converted=Folder(str(folder), digest_of_sources(folder)),
        threads=session.threads,
        rtol=request.tolerance.rtol if request.tolerance else None,
        atol=request.tolerance.atol if request.tolerance else None,
        entries=[entry],
    )


def side(name: str, title: str, found: dict[str, Any]) -> Side:
    return Side(name, title, found["framework"], found["python"], found["numpy"], found["executable"])
