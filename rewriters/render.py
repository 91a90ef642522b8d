"""Printing what a rule gives: templates with holes as text, and calls changed in place where their shape allows it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

import libcst as cst

from rewriters.binding import Argument
from rewriters.inline import Hole
from rewriters.rulebook import dotted

Signature = list[list[Any]]  # [name, kind, default as repr or None] per parameter
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

# How tightly a node binds; what binds looser than its place needs parentheses.
PRECEDENCE: dict[type, int] = {
    ast.NamedExpr: 0, ast.Lambda: 1, ast.IfExp: 2, ast.Or: 3, ast.And: 4, ast.Not: 5, ast.Compare: 6,
    ast.BitOr: 7, ast.BitXor: 8,
    ast.BitAnd: 9, ast.LShift: 10, ast.RShift: 10, ast.Add: 11, ast.Sub: 11, ast.Mult: 12, ast.Div: 12,
    ast.FloorDiv: 12, ast.Mod: 12,
    ast.MatMult: 12, ast.USub: 13, ast.UAdd: 13, ast.Invert: 13, ast.Pow: 14, ast.Await: 15,
}  # fmt: skip
ATOM = 16


def precedence(node: ast.expr) -> int:
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp)):
        return PRECEDENCE[type(node.op)]
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return ATOM - 1  # 1.real does not parse
    if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Starred)):
        return -1
    if isinstance(node, ast.Tuple):
        return -1  # its parentheses lie outside or inside of its span, as the user wrote it
    return PRECEDENCE.get(type(node), ATOM)


class Printer:
    """Prints templates for one file.

    spell:  the text of a target's dotted name at the site.
    quote:  the quote that the file prefers.
    """

    def __init__(self, package: str, spell: Callable[[str], str], quote: str = '"') -> None:
        self.package = package
        self.spell = spell
        self.quote = quote
        self.slots: list[str] = []

    def text(self, node: ast.expr) -> str:
        """The source of a folded template."""
        self.slots = []
        prepared = self.prepare(node, 0)
        return self.fill(ast.unparse(ast.fix_missing_locations(prepared)))

    def statement(self, node: ast.stmt) -> str:
        self.slots = []
        if isinstance(node, ast.Assign):
            assert isinstance(node.targets[0], ast.Name)
            return f"{node.targets[0].id} = {self.text(node.value)}"
        assert isinstance(node, ast.Expr)
        return self.text(node.value)

    def fill(self, text: str) -> str:
        return PLACEHOLDER.sub(lambda match: self.slots[int(match.group(1))], text)

    def slot(self, text: str) -> ast.Name:
        self.slots.append(text)
        return ast.Name(id=f"__slot_{len(self.slots) - 1}__", ctx=ast.Load())

    def prepare(self, node: Any, needed: int) -> Any:
        """A copy in which holes, target names and strings are slots; ``needed``: how tightly the place binds."""
        if isinstance(node, Hole):
            return self.slot(enclosed(node.argument, needed))
        name = dotted(node) if isinstance(node, (ast.Attribute, ast.Name)) else None
        if name is not None and name.split(".")[0] == self.package:
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
            return ast.BinOp(self.prepare(node.left, own), node.op, self.prepare(node.right, own + 1))
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
            return ast.Starred(self.prepare(node.value, 7), ast.Load())
        if isinstance(node, ast.BoolOp):
            own = PRECEDENCE[type(node.op)]
            return ast.BoolOp(node.op, [self.prepare(part, own + 1) for part in node.values])
        if isinstance(node, ast.Dict):
            return ast.Dict([self.prepare(k, 0) for k in node.keys], [self.prepare(v, 0) for v in node.values])
        return node


def enclosed(argument: Argument, needed: int) -> str:
    """The argument's text, in parentheses where its place needs them."""
    node = argument.node
    text = argument.text
    if isinstance(node, ast.Tuple) and text.startswith("(") and text.endswith(")"):
        return text
    if isinstance(node, ast.GeneratorExp) and text.startswith("("):
        return text
    if precedence(node) < needed or isinstance(node, (ast.Tuple, ast.NamedExpr, ast.Yield, ast.GeneratorExp)):
        return f"({text})"
    if needed and "\n" in text and not isinstance(node, ATOMS):
        return f"({text})"
    return text


def quoted(value: str, quote: str) -> str:
    text = repr(value)
    other = '"' if quote == "'" else "'"
    if text[0] == other and quote not in value and "\\" not in text:
        return f"{quote}{text[1:-1]}{quote}"
    return text


# -- tidying --------------------------------------------------------------------------------------------------------


def tidy(node: ast.expr, signatures: Mapping[str, Signature], key: str) -> ast.expr:
    """Calls without defaults spelled out, positional where the source was, keywords in the source's order.

    key: the torch name whose rule gave the expression; a method's owner tells whose methods its ``self`` has.
    """
    owner = key.rpartition(".")[0]
    for child in ast.walk(node):
        if isinstance(child, ast.Call):
            tidy_call(child, signature_of(child, signatures, owner))
    return node


def signature_of(call: ast.Call, signatures: Mapping[str, Signature], owner: str) -> Signature | None:
    name = dotted(call.func)
    if name is not None and name in signatures:
        return signatures[name]
    if isinstance(call.func, ast.Attribute):
        return signatures.get(f"{owner}.{call.func.attr}") or signatures.get(f"torch.Tensor.{call.func.attr}")
    return None


def tidy_call(call: ast.Call, signature: Signature | None) -> None:
    if signature is not None:
        defaults = {name: default for name, _, default in signature}
        call.keywords = [w for w in call.keywords if not is_default(w.value, defaults.get(w.arg or ""))]
        names = [name for name, kind, _ in signature if kind == "positional"]
        while call.args and len(call.args) <= len(names):
            if not is_default(call.args[-1], defaults.get(names[len(call.args) - 1])):
                break
            call.args.pop()
        while call.keywords and len(call.args) < len(names):
            wanted = names[len(call.args)]
            word = next((w for w in call.keywords if w.arg == wanted), None)
            if word is None or not isinstance(word.value, Hole) or word.value.argument.keyword is not None:
                break
            call.keywords.remove(word)
            call.args.append(word.value)
        while call.args and len(call.args) <= len(names):
            last = call.args[-1]
            if not isinstance(last, Hole) or last.argument.keyword is None or last.argument.receiver:
                break
            call.args.pop()
            call.keywords.insert(0, ast.keyword(names[len(call.args)], last))
    call.keywords.sort(
        key=lambda word: min((h.argument.order for h in ast.walk(word.value) if isinstance(h, Hole)), default=10**6)
    )


def is_default(value: ast.expr, default: str | None) -> bool:
    """Whether a folded constant (never what the user wrote) is the target's default."""
    if default is None or any(isinstance(part, Hole) for part in ast.walk(value)):
        return False
    try:
        return repr(ast.literal_eval(value)) == default
    except ValueError:
        return False


# -- calls changed in place -----------------------------------------------------------------------------------------


class Shape:
    """The arguments of a result call against those of the source call."""

    def __init__(self, result: ast.Call) -> None:
        self.entries: list[tuple[str | None, ast.expr]] = [(None, a) for a in result.args]
        self.entries += [(w.arg, w.value) for w in result.keywords]

    def same_order(self, arguments: list[Argument]) -> bool:
        """The call's own arguments reappear in their order, whole or inside an expression; each at most once."""
        seen = [h.argument.order for _, value in self.entries for h in ast.walk(value) if isinstance(h, Hole)]
        own = {argument.order for argument in arguments}
        kept = [order for order in seen if order in own]
        return kept == sorted(set(kept)) and len(kept) == len(seen)


def rewrite_arguments(text: str, arguments: list[Argument], result: ast.Call, printer: Printer) -> str | None:
    """``(a, b=c)`` with the result's arguments, layout and comments kept; None where the shape does not allow it.

    text: the source from the opening to the closing parenthesis, arguments already rewritten.
    arguments: those of the call in source order, the receiver left out.
    """
    shape = Shape(result)
    if not shape.same_order(arguments) or not arguments:
        return None
    try:
        call = cst.parse_expression("f" + text)
    except cst.ParserSyntaxError:
        return None
    if not isinstance(call, cst.Call) or len(call.args) != len(arguments):
        return None
    originals = {argument.order: (argument, arg) for argument, arg in zip(arguments, call.args, strict=True)}
    new: list[cst.Arg] = []
    for keyword, value in shape.entries:
        inside = [h.argument for h in ast.walk(value) if isinstance(h, Hole)]
        name = cst.Name(keyword) if keyword else None
        equal = (
            cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
            if keyword
            else cst.MaybeSentinel.DEFAULT
        )
        if not inside:
            new.append(cst.Arg(cst.parse_expression(printer.text(value)), name, equal))
            continue
        _, arg = originals[inside[0].order]
        content = arg.value if isinstance(value, Hole) else cst.parse_expression(printer.text(value))
        if arg.keyword is not None and name is not None:
            equal = arg.equal
        new.append(arg.with_changes(value=content, keyword=name, equal=equal))
    dropped = {a.order for a in arguments} - {
        h.argument.order for _, v in shape.entries for h in ast.walk(v) if isinstance(h, Hole)
    }
    for order in dropped:
        _, arg = originals[order]
        if "#" in cst.Module([]).code_for_node(arg):
            return None
    return layout(call, new)


def layout(call: cst.Call, new: list[cst.Arg]) -> str:
    """The argument list as text: commas and line breaks as they were, the last argument ending as the last one did."""
    last = call.args[-1]
    spaced = next(
        (a.comma for a in call.args if isinstance(a.comma, cst.Comma)),
        cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")),
    )
    for index, arg in enumerate(new):
        final = index == len(new) - 1
        if final:
            new[index] = arg.with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
        elif not isinstance(arg.comma, cst.Comma) or arg.comma is last.comma:
            new[index] = arg.with_changes(comma=spaced, whitespace_after_arg=cst.SimpleWhitespace(""))
    if not new:
        return "()"
    text = cst.Module([]).code_for_node(call.with_changes(args=new))
    return text[1:]
