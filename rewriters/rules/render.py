"""Printing what a rule gives: templates with holes as text, and calls changed in place where their shape allows it."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Collection
from typing import Any

from rewriters.rules.binding import Argument
from rewriters.rules.holes import Hole
from rewriters.rules.rulebook import dotted
from rewriters.text.parsing import expression_of
from rewriters.text.precedence import ATOM, PRECEDENCE, precedence

ATOMS = (
    ast.Name,
    ast.Constant,
    ast.Call,
    ast.Attribute,
    ast.Subscript,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.JoinedStr,
)
PLACEHOLDER = re.compile(r"__slot_(\d+)__")


class Printer:
    """Prints templates for one file.

    spell:  the text of a target's dotted name at the site.
    quote:  the quote that the file prefers.
    """

    def __init__(self, packages: Collection[str], spell: Callable[[str], str], quote: str = '"') -> None:
        self.packages = packages
        self.spell = spell
        self.quote = quote
        self.slots: list[str] = []

    def quoting(self, quote: str) -> Printer:
        """The same with another quote."""
        return Printer(self.packages, self.spell, quote)

    def text(self, node: ast.expr) -> str:
        """The source of a folded template."""
        self.slots = []
        prepared = self.prepare(node, 0)
        return self.fill(ast.unparse(ast.fix_missing_locations(prepared)))

    def statement(self, node: ast.stmt) -> str:
        self.slots = []
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            plain = isinstance(target, ast.Name) and not isinstance(target, Hole)
            left = target.id if plain else self.text(target)  # type: ignore[attr-defined]
            return f"{left} = {closed(self.text(node.value))}"
        assert isinstance(node, ast.Expr)
        return closed(self.text(node.value))

    def fill(self, text: str) -> str:
        return PLACEHOLDER.sub(lambda match: self.slots[int(match.group(1))], text)

    def slot(self, text: str) -> ast.Name:
        self.slots.append(text)
        return ast.Name(id=f"__slot_{len(self.slots) - 1}__", ctx=ast.Load())

    def spelled(self, node: Any) -> Any:
        """A copy with the target's names as slots, of a node that holds no argument (a lambda, a comprehension)."""
        if not isinstance(node, ast.AST):
            return [self.spelled(part) for part in node] if isinstance(node, list) else node
        name = dotted(node) if isinstance(node, (ast.Attribute, ast.Name)) else None
        if name is not None and name.split(".")[0] in self.packages:
            return self.slot(self.spell(name))
        new = copy.copy(node)
        for field, value in ast.iter_fields(node):
            setattr(new, field, self.spelled(value))
        return new

    def prepare(self, node: Any, needed: int) -> Any:
        """A copy in which holes, target names and strings are slots; ``needed``: how tightly the place binds."""
        if node is None:
            return None
        if isinstance(node, Hole):
            return self.slot(enclosed(node.argument, needed))
        name = dotted(node) if isinstance(node, (ast.Attribute, ast.Name)) else None
        if name is not None and name.split(".")[0] in self.packages:
            return self.slot(self.spell(name))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.slot(quoted(node.value, self.quote))
        if isinstance(node, ast.Call):
            return ast.Call(
                self.prepare(node.func, ATOM),
                [self.prepare(argument, 0) for argument in node.args],
                [ast.keyword(word.arg, self.prepare(word.value, 0)) for word in node.keywords],
            )
        if isinstance(node, ast.Attribute):
            return ast.Attribute(self.prepare(node.value, ATOM), node.attr, ast.Load())
        if isinstance(node, ast.Subscript):
            return ast.Subscript(self.prepare(node.value, ATOM), self.prepare(node.slice, 0), ast.Load())
        if isinstance(node, ast.BinOp):
            own = PRECEDENCE[type(node.op)]
            if isinstance(node.op, ast.Pow):
                sides = self.prepare(node.left, own + 1), self.prepare(node.right, PRECEDENCE[ast.USub])
            else:
                sides = self.prepare(node.left, own), self.prepare(node.right, own + 1)
            return ast.BinOp(sides[0], node.op, sides[1])
        if isinstance(node, ast.UnaryOp):
            return ast.UnaryOp(node.op, self.prepare(node.operand, PRECEDENCE[type(node.op)]))
        if isinstance(node, ast.Compare):
            return ast.Compare(
                self.prepare(node.left, 7), node.ops, [self.prepare(part, 7) for part in node.comparators]
            )
        if isinstance(node, ast.IfExp):
            return ast.IfExp(*(self.prepare(part, 3) for part in (node.test, node.body, node.orelse)))
        if isinstance(node, ast.Set):
            return ast.Set([self.prepare(item, 0) for item in node.elts])
        if isinstance(node, (ast.List, ast.Tuple)):
            return type(node)([self.prepare(item, 0) for item in node.elts], ast.Load())
        if isinstance(node, ast.Slice):
            return ast.Slice(
                *(self.prepare(p, 0) if p is not None else None for p in (node.lower, node.upper, node.step))
            )
        if isinstance(node, ast.Starred):
            inside = spread(node.value)
            if inside is not None:
                return self.slot(inside)
            return ast.Starred(self.prepare(node.value, 7), ast.Load())
        if isinstance(node, ast.BoolOp):
            own = PRECEDENCE[type(node.op)]
            return ast.BoolOp(node.op, [self.prepare(part, own + 1) for part in node.values])
        if isinstance(node, ast.Dict):
            return ast.Dict([self.prepare(k, 0) for k in node.keys], [self.prepare(v, 0) for v in node.values])
        return self.spelled(node)


def closed(text: str) -> str:
    """The text in parentheses where it would end at a line break otherwise."""
    if "\n" not in text:
        return text
    try:
        expression_of(text)
    except SyntaxError:
        return f"({text})"
    return text


BARE = (ast.Tuple, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.GeneratorExp)
"""What cannot stand just anywhere without parentheses."""


def enclosed(argument: Argument, needed: int) -> str:
    """The argument's text, in parentheses where its place needs them."""
    form, text = argument.form, argument.text
    if form.bracketed:
        # Put there for the place in the source.
        spare = argument.changed and precedence(form.node) >= needed and not isinstance(form.node, BARE)
        return text[1:-1] if spare and "\n" not in text else text
    if form.precedence < needed or isinstance(form.node, BARE):
        return f"({text})"
    if needed and "\n" in text and not isinstance(form.node, ATOMS):
        return f"({text})"
    return text


def spread(node: ast.expr) -> str | None:
    """What stands in a list or a tuple that is an argument, ``a, b`` of ``*[a, b]``; None of anything else."""
    if not isinstance(node, Hole) or not isinstance(node.argument.node, (ast.List, ast.Tuple)):
        return None
    text = node.argument.text
    plain = text[:1] + text[-1:] in {"[]", "()"} and "#" not in text
    return (text[1:-1].strip().removesuffix(",") if plain else "") or None


def quoted(value: str, quote: str) -> str:
    text = repr(value)
    other = '"' if quote == "'" else "'"
    if text[0] == other and quote not in value and "\\" not in text:
        return f"{quote}{text[1:-1]}{quote}"
    return text
