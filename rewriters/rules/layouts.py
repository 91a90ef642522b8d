"""Parameter layouts of a target: as its constructors' rules declare them, and as its ``layouts.py`` does.

A target's ``weights/layouts.py`` has ``LAYOUTS``: torch class, by public name -> {parameter or buffer: a word of
``layout.py``}, or a function that takes the ``Module`` and returns {the target's parameter: its ``Recipe``} and
{torch's: ``dropped(...)``}, raising ``NoLayout`` where the target's class cannot hold what torch's does. The function
of torch.nn.Module is for parameters that a project's own class has. It may have ``prefixes(modules)``: what comes
before the names of each module's parameters, where that is not the module's dotted path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rewriters.load_file import load_file
from rewriters.rules.rulebook import Rulebook, load_rulebook
from rewriters.target import Target, load_target
from rewriters.torch.table import entry
from rewriters.weights.layout import Layout
from rewriters.weights.recipe import Module, Recipe

Function = Callable[[Module], Mapping[str, Recipe | Layout]]
OfClass = Mapping[str, Layout] | Function
Modules = Mapping[str, Module]


def dotted(modules: Modules, sequences: Mapping[str, str] | None = None) -> dict[str, str]:
    """Module's path -> what comes before its parameters' names, "encoder.0.".

    sequences: container's class -> the attribute in which the target's has its children (``seq.layers.0``).
    """
    prefixes = {}
    for path in modules:
        parts, above = [], ""
        for name in path.split(".") if path else ():
            classes = modules[above].classes if above in modules else ()
            parts += [found for cls in classes if (found := (sequences or {}).get(cls))][:1]
            parts.append(name)
            above = f"{above}.{name}" if above else name
        prefixes[path] = "".join(f"{part}." for part in parts)
    return prefixes


@dataclass(frozen=True)
class Layouts:
    """Where a target puts torch's parameters.

    classes:    torch class, by public name -> how its parameters are stored; an empty mapping when nothing changes.
                With ":base" behind it, how they are in a class of the project's that derives from it; with another
                word, where the project's conversion calls for the rule of that key.
    prefixes:   modules -> what comes before the names of each one's parameters.
    keeps_ties: whether tied parameters share one layout, torch's, as converted code does; else each has its class's.
    """

    classes: Mapping[str, OfClass]
    prefixes: Callable[[Modules], Mapping[str, str]] = dotted
    keeps_ties: bool = True

    @property
    def are_torchs(self) -> bool:
        """True when every parameter keeps its name and its bytes, so that no model is needed to tell."""
        return self.prefixes is dotted and not any(
            callable(of_class) or any(not layout.keeps_bytes or layout.name for layout in of_class.values())
            for of_class in self.classes.values()
        )


@dataclass(frozen=True)
class _Declared:
    """What a layouts.py declares."""

    classes: Mapping[str, OfClass] = field(default_factory=dict)
    prefixes: Callable[[Modules], Mapping[str, str]] = dotted


def layouts(target: str) -> Layouts:
    """The layouts of the target of that name, or in the folder of that path.

    Raises rewriters.target.UnknownTarget and rewriters.rules.rulebook.RuleError.
    """
    found = load_target(target)
    return layouts_of(load_rulebook(found.folder), found)


def layouts_of(book: Rulebook, target: Target) -> Layouts:
    """As ``layouts``, of a rulebook that has a project's own rules too. A class with a rule has its rule's layouts."""
    names = {*book.rules, *book.same, *book.aliases}
    ruled = {
        name: book.layouts.get(name, {})
        for name in names
        if (known := entry(name.partition(":")[0])) and known["kind"] == "class" and known.get("module")
    }
    declared = _declared(target.folder)
    # A project's own rule has the last word.
    classes = {**ruled, **declared.classes, **{name: words for name, words in ruled.items() if words}}
    return Layouts(classes, declared.prefixes, keeps_ties=not target.weights_only)


def _declared(folder: Path) -> _Declared:
    path = folder / "weights" / "layouts.py"
    if not path.is_file():
        return _Declared()
    module = load_file(path)
    return _Declared(module.LAYOUTS, getattr(module, "prefixes", dotted))
