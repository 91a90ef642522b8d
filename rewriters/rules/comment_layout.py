"""Argument lists with comments between the arguments, or parentheses around them: libcst keeps both in their places.

Apart from ``call_layout``, since importing libcst takes longer than converting most files.
"""

from __future__ import annotations

import ast

import libcst as cst

from rewriters.rules.holes import Hole
from rewriters.rules.render import Printer, closed

Entry = tuple[str | None, ast.expr]
PLAIN_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def rewrite_with_comments(
    text: str, entries: list[Entry], places: list[int | None], count: int, printer: Printer
) -> str | None:
    """``(a, b=c)`` with other arguments; None where it is not understood.

    text:    the source from the opening to the closing parenthesis, arguments already rewritten.
    entries: keyword and value of each new argument.
    places:  per entry the argument of the source whose place it takes.
    count:   how many arguments the source has.
    """
    try:
        call = cst.parse_expression("f" + text)
    except cst.ParserSyntaxError:
        return None
    if not isinstance(call, cst.Call) or len(call.args) != count:
        return None
    new: list[cst.Arg] = []
    for (keyword, value), place in zip(entries, places, strict=True):
        name = cst.Name(keyword) if keyword else None
        equal = PLAIN_EQUAL if keyword else cst.MaybeSentinel.DEFAULT
        if place is None:
            new.append(cst.Arg(parsed(value, printer), name, equal))
            continue
        old = call.args[place]
        bare = isinstance(old.value, cst.NamedExpr) and (old.keyword is None) != (name is None)
        content = old.value if isinstance(value, Hole) and not bare else parsed(value, printer)
        if old.keyword is not None and name is not None:
            equal = old.equal
        new.append(old.with_changes(value=content, keyword=name, equal=equal))
    return layout(call, new)


def parsed(value: ast.expr, printer: Printer) -> cst.BaseExpression:
    return cst.parse_expression(closed(printer.text(value)))


def layout(call: cst.Call, new: list[cst.Arg]) -> str:
    """The argument list as text: commas and line breaks as they were, the last argument ending as the last one did.

    A comment behind what was the last argument stays there.
    """
    last = call.args[-1]
    spaced = next((without_comment(a.comma) for a in call.args if isinstance(a.comma, cst.Comma)), ONE_SPACE)
    stays = any(arg.comma is last.comma for arg in new[:-1]) and isinstance(last.comma, cst.Comma)
    for index, arg in enumerate(new):
        final = index == len(new) - 1
        if final:
            comma = ended(arg.comma, last.comma) if arg.comma is not last.comma else last.comma
            if stays and isinstance(comma, cst.Comma):
                comma = without_comment(comma)
            new[index] = arg.with_changes(comma=comma, whitespace_after_arg=last.whitespace_after_arg)
        elif not isinstance(arg.comma, cst.Comma) or arg.comma is last.comma:
            comma = ended(last.comma, spaced) if stays and arg.comma is last.comma else spaced
            new[index] = arg.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace(""))
    if not new:
        return "()"
    text = cst.Module([]).code_for_node(call.with_changes(args=new))
    return text[1:]


ONE_SPACE = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def without_comment(comma: cst.Comma) -> cst.Comma:
    """The comma with its line break, for another argument."""
    space = comma.whitespace_after
    if not isinstance(space, cst.ParenthesizedWhitespace):
        return comma
    line = cst.TrailingWhitespace(newline=space.first_line.newline)
    return comma.with_changes(whitespace_after=space.with_changes(first_line=line, empty_lines=[]))


def ended(own: cst.Comma | cst.MaybeSentinel, last: cst.Comma | cst.MaybeSentinel) -> cst.Comma | cst.MaybeSentinel:
    """The last argument's comma, with the comment that stood behind this one."""
    if not isinstance(own, cst.Comma) or not isinstance(last, cst.Comma):
        return last
    space, end = own.whitespace_after, last.whitespace_after
    if not isinstance(space, cst.ParenthesizedWhitespace) or not isinstance(end, cst.ParenthesizedWhitespace):
        return last
    return last.with_changes(whitespace_after=end.with_changes(first_line=space.first_line))
