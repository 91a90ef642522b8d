"""Parameter layouts of a target, as its constructors' rules declare them."""

from __future__ import annotations

from rewriters.layout import Layout
from rewriters.rulebook import load_rulebook
from rewriters.source.table import entry
from rewriters.target import load_target


def layouts(target: str) -> dict[str, dict[str, Layout]]:
    """torch class, by public name -> parameter or buffer -> its layout in the target.

    A class whose constructor has a rule is there, with an empty dict when nothing changes.
    Raises rewriters.target.UnknownTarget and rewriters.rulebook.RuleError.
    """
    book = load_rulebook(load_target(target).folder)
    names = {*book.rules, *book.same, *book.aliases}
    return {
        name: book.layouts.get(name, {})
        for name in names
        if (known := entry(name)) and known["kind"] == "class" and known.get("module")
    }
