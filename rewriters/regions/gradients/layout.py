"""Where lines that are written anew stand, and the comments that were above the old ones."""

from __future__ import annotations

import ast

from rewriters.regions.gradients.losses import Loss
from rewriters.regions.gradients.sums import is_none, items_of
from rewriters.regions.gradients.words import Words
from rewriters.regions.plan import Draft, standing_alone
from rewriters.regions.step import Parents
from rewriters.text.precedence import CLOSED
from rewriters.text.source_text import Source


def kept(source: Source, span: tuple[int, int], lines: list[str]) -> list[str]:
    """Lines with the comments above the old ones."""
    before = [line.strip() for line in source.original(*span).splitlines()]
    return [*(line for line in before if line.startswith("#")), *lines] if lines else []


def above(lines: list[str], place: ast.stmt, span: tuple[int, int], source: Source, parents: Parents) -> None:
    """A function of the file, above what holds a loss, or above the loss where it is the file's own."""
    top: ast.AST = place
    while not isinstance(parents.of[top], ast.Module):
        top = parents.of[top]
    first = (getattr(top, "decorator_list", None) or [top])[0]
    line = first.lineno
    while line > 1 and source.original(source.line_start(line - 1), source.line_start(line)).startswith("#"):
        line -= 1
    at = min(source.line_start(line), span[0])
    if top is place and span[0] > source.line_start(place.lineno):  # behind others of its line
        at = span[0]
    source.edit(at, at, "\n".join([*lines, "", "", ""]).replace("\n", source.newline))


def final_text(loss: Loss, words: Words, draft: Draft) -> str:
    """The expression that is differentiated; where its gradient is given, the sum of it times that."""
    source = draft.source
    subjects = items_of(loss.event.subject)
    if loss.by is None and len(subjects) == 1:
        return standing_alone(source.text(loss.final if subjects[0] is loss.final else subjects[0], source.edits))
    bys = items_of(loss.by) if loss.by is not None else [None] * len(subjects)
    found = []
    for subject, by in zip(subjects, bys, strict=True):
        text = source.text(subject, source.edits)
        text = text if isinstance(subject, CLOSED) else f"({text})"
        times = words.constant(source.text(by, source.edits), True, draft) if by is not None and not is_none(by) else ""
        found.append(f"({text} * {times}).sum()" if times else text)
    return " + ".join(found)
