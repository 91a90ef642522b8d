"""Syntax trees of less than half the size: nodes that keep what they hold in slots, not in a dict each.

A slotted node is of a class derived from its class in ``ast``, of the same name; what is looked up by a node's class is
looked up in a ``ByClass``. Copies of one are ordinary nodes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
OfClass = dict[type, list[Any]]
Fill = Callable[[dict[str, Any], Any, list[Any], list[Any]], None]

LINES = {"lineno", "end_lineno"}
# What is found out about a node: what it stands in; its value by inference.
FOUND = ("parent", "v")
# Fields in which no node stands, or such a one.
LEAVES = {
    "ctx", "op", "ops", "id", "attr", "kind", "type_comment", "is_async", "simple", "level", "module", "conversion",
    "rest",
}  # fmt: skip
# Fields in which nearly always None stands: that is their class's, anything else the node's own dict has.
RARE = {"kind", "type_comment"}
# What stands in such a field is one of a few that hold nothing: the class of the node that it stands in tells which.
TOLD = {"ctx", "op"}
USUAL = {"ctx": ast.Load(), "op": ast.Add()}
# Nodes that end on the line on which they begin, nearly all: there is one slot for both. The last line of another is in
# its own dict.
OF_ONE_LINE = (ast.Name, ast.Constant)
WITHOUT_NODES = (ast.Constant, ast.alias, ast.Pass, ast.Global, ast.Nonlocal)


class ByClass(dict[type, T]):
    """By classes of ``ast``; a slotted node's is looked up by the one that it is derived from."""

    def __missing__(self, kind: type) -> T:
        found = self[kind] = self.get(getattr(kind, "of_class", kind), self.otherwise)
        return found

    def __init__(self, table: dict[type, T], otherwise: T) -> None:
        super().__init__(table)
        self.otherwise = otherwise


def class_of(node: ast.AST) -> type[ast.AST]:
    """The node's class in ``ast``."""
    found: type[ast.AST] = getattr(node, "of_class", node.__class__)
    return found


def holds_nodes(kind: type[ast.AST], name: str) -> bool:
    """Whether other nodes may stand in that field."""
    return name not in LEAVES and not issubclass(kind, WITHOUT_NODES)


def slotted(tree: ast.Module, lines: int) -> tuple[ast.Module, OfClass]:
    """The tree with slotted nodes, each of which knows what it stands in, and all of them by their class in ``ast``,
    breadth first.

    lines: how many the text has.
    """
    NUMBERS.extend(range(len(NUMBERS), lines + 2))
    made: ast.Module = NEW[ast.Module]()
    found: OfClass = {}
    olds: list[Any] = [tree]
    news: list[Any] = [made]
    for old, new in zip(olds, news, strict=True):  # which grow
        kind = old.__class__
        if kind in found:
            found[kind].append(new)
        else:
            found[kind] = [new]
        FILL[kind](old.__dict__, new, olds, news)
    return made, found


class Empty(list[Any]):
    """A list in which nothing stands, the same one in all nodes: a quarter of a tree's lists. Nothing is put there."""

    def refuse(self, *what: object) -> NoReturn:
        raise TypeError("a list that many nodes of syntax trees share: copy the node and change the copy")

    append = extend = insert = __iadd__ = refuse

    def __setitem__(self, place: Any, values: Any) -> None:
        if values:
            self.refuse()


EMPTY = Empty()


def reduced(node: ast.AST) -> tuple[type, tuple[()], dict[str, Any]]:
    """For ``copy``: an ordinary node that holds the same, with its value by inference."""
    kind = class_of(node)
    names = (*kind._fields, *kind._attributes, "v")
    held = {name: getattr(node, name) for name in names if hasattr(node, name)} | vars(node)
    return kind, (), {name: [] if value is EMPTY else value for name, value in held.items()}


class New(dict[type, Callable[[], Any]]):
    """By class of ``ast``: what makes a slotted node that is empty yet."""

    def __missing__(self, kind: type[ast.AST]) -> Callable[[], Any]:
        NEW[kind], FILL[kind] = written(kind)
        return NEW[kind]


def written(kind: type[ast.AST]) -> tuple[Callable[[], Any], Fill]:
    """What makes the nodes of one class, and what fills one from what an ordinary one holds, with nodes that are empty
    yet: these wait at the ends of two lists, beside those that they come from. The fields are written out: a package
    has millions of nodes.
    """
    shared = {name for name in kind._fields if name in TOLD}
    once = {"end_lineno"} if issubclass(kind, OF_ONE_LINE) else set()
    slots = [name for name in (*kind._fields, *kind._attributes, *FOUND) if name not in RARE | once | shared]
    variants = Variants(kind, slots)
    rows = ["def fill(held, made, olds, news):"]
    for name in kind._fields:
        if name in shared:
            rows += [
                f" of = held[{name!r}].__class__",
                f" if of is not USUAL[{name!r}].__class__: made.__class__ = VARIANTS[{name!r}, of]",
            ]
            continue
        if name in RARE:
            rows.append(f" if held[{name!r}] is not None: made.{name} = held[{name!r}]")
            continue
        if not holds_nodes(kind, name):
            rows.append(f" made.{name} = held[{name!r}]")
            continue
        rows += [
            f" value = held[{name!r}]",
            " of = value.__class__",
            f" if of is list: made.{name} = of_list(value, made, olds, news) if value else EMPTY",
            f" elif of in PLAIN: made.{name} = value",
            " else:",
            f"  made.{name} = child = NEW[of]()",
            "  child.parent = made",
            "  olds.append(value)",
            "  news.append(child)",
        ]
    for name in (name for name in kind._attributes if name not in once):
        rows.append(f" made.{name} = " + (f"NUMBERS[held[{name!r}]]" if name in LINES else f"held[{name!r}]"))
    if once:
        rows += [
            " if held['end_lineno'] != held['lineno']:",
            "  made.__class__ = VARIANTS['end_lineno', None]",
            "  made.end_lineno = NUMBERS[held['end_lineno']]",
        ]
    names: dict[str, Any] = {"PLAIN": PLAIN, "NEW": NEW, "NUMBERS": NUMBERS, "EMPTY": EMPTY, "of_list": of_list}
    names |= {"USUAL": USUAL, "VARIANTS": variants}
    exec("\n".join([*rows, " pass"]), names)  # noqa: S102  # of the names of fields alone
    own = variants.usual
    return partial(own.__new__, own), names["fill"]


class Variants(dict[tuple[str, Any], Any]):
    """The slotted classes of one class of ``ast``, by what they tell that is unusual: the field, and the class of what
    stands in it. A node may change from one to another, as all have the same slots.

    usual: the one of nodes of which nothing is unusual.
    """

    def __init__(self, kind: type[ast.AST], slots: list[str]) -> None:
        super().__init__()
        self.kind, self.slots = kind, slots
        self.usual = self.made({name: USUAL[name] for name in kind._fields if name in TOLD})
        if "end_lineno" in kind._attributes and "end_lineno" not in slots:
            self.usual.end_lineno = self.usual.lineno  # what reads the one slot

    def made(self, told: dict[str, ast.AST]) -> Any:
        own = {"__slots__": self.slots, "__reduce__": reduced, "of_class": self.kind}
        return type(self.kind.__name__, (self.kind,), own | told)

    def __missing__(self, key: tuple[str, Any]) -> Any:
        name, of = key
        found = self[key] = self.made({} if of is None else {name: of()})
        if of is not None and hasattr(self.usual, "end_lineno") and "end_lineno" not in self.slots:
            found.end_lineno = found.lineno
        return found


def of_list(values: list[Any], made: Any, olds: list[Any], news: list[Any]) -> list[Any]:
    """The nodes for those that stand in a list of an ordinary one."""
    found = values.copy()  # of just that length
    for place, value in enumerate(values):
        if value.__class__ not in PLAIN:
            found[place] = child = NEW[value.__class__]()
            child.parent = made
            olds.append(value)
            news.append(child)
    return found


PLAIN = {str, int, bool, type(None)}
# The numbers of lines, each kept once for all trees.
NUMBERS: list[int] = []
NEW = New()
# What fills it: made with that.
FILL: dict[type, Fill] = {}
