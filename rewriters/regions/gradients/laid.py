"""Writes what touches gradients that lie at parameters: what reads, clears, clips and uses them finds them there."""

from __future__ import annotations

import ast

from rewriters.regions.gradients.changed import changed_text
from rewriters.regions.gradients.events import CLIPS, Event, Kind
from rewriters.regions.gradients.words import Words
from rewriters.regions.plan import Draft, replace_within
from rewriters.regions.tracing import is_module, value_of
from rewriters.text.source_text import Source


def keyword_text(word: ast.keyword, source: Source) -> str:
    """``max_norm=1.0``, ``**options`` as they become."""
    before = f"{word.arg}=" if word.arg else "**"
    return f"{before}{source.text(word.value, source.edits)}"


def at_parameters(event: Event, words: Words, draft: Draft) -> bool:
    """Write an event within its statement, which stays, where gradients lie at parameters; whether that is done."""
    source, node = draft.source, event.node
    if isinstance(event.statement, ast.For) or event.kind is Kind.CHANGE:
        return False
    assert isinstance(node, ast.Call)
    if event.scaler:
        return True  # the scaler's own methods find them there
    if event.kind is Kind.CLIP:
        given = [source.text(part, source.edits) for part in node.args]
        given += [keyword_text(word, source) for word in node.keywords]
        text = words.clipped_at(CLIPS[value_of(node.func).name], ", ".join(given), draft)  # type: ignore[union-attr]
        replace_within(source, node, text)
    elif event.kind is Kind.CLEAR and is_module(value_of(event.subject)):
        text = source.text(event.subject, source.edits)
        replace_within(source, node, words.cleared_at(text, draft))
    return True


def lines_at_parameters(event: Event, words: Words, draft: Draft) -> list[str]:
    source, node = draft.source, event.node
    if event.kind is Kind.CHANGE:
        return [changed_text(event, "", "", words, draft)]
    if event.kind is Kind.CLEAR:
        return [words.cleared_at(event.path, draft)]
    assert isinstance(node, ast.Call)
    high = source.text(node.args[1], source.edits)
    return [words.clipped_at("value", f"{event.path}, {high}", draft)]
