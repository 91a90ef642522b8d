"""Calls of the target as its own signatures let them be written: defaults left out, positional where the source was."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rewriters.infer.values import Items, Plain, Series
from rewriters.rules.binding import KINDS, Argument
from rewriters.rules.holes import Hole, literal
from rewriters.rules.rulebook import dotted
from rewriters.text.tree import walk

Signature = list[list[Any]]
"""[name, kind, default as repr or None] per parameter; of an overload, also its type in the target's words."""


class Signatures(dict[str, Signature]):
    """Of what has one signature.

    overloads: name -> the signatures of what has several, in the order in which the target tries them.
    same:      torch's name -> the signatures of what has this name, and is the same, in the target.
    """

    def __init__(
        self, single: dict[str, Signature], overloads: dict[str, list[Signature]], same: dict[str, list[Signature]]
    ) -> None:
        super().__init__(single)
        self.overloads, self.same = overloads, same

    def of(self, name: str) -> list[Signature]:
        return [self[name]] if name in self else self.overloads.get(name, [])


@cache
def signatures(folder: Path) -> Signatures:
    """The target's own signatures, as far as its rules mention them (generated; see rewriters.tables.signatures)."""
    path = folder / "records" / "signatures.json"
    loaded = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return Signatures(loaded.get("signatures", {}), loaded.get("overloads", {}), loaded.get("same", {}))


def tidy(node: ast.expr, signatures: Signatures, key: str) -> ast.expr:
    """Calls without defaults spelled out, positional where the source was, keywords in the source's order.

    key: the torch name whose rule gave the expression; a method's owner tells whose methods its ``self`` has.
    """
    owner = key.rpartition(".")[0]
    for child in walk(node):
        if isinstance(child, ast.Call):
            found = signatures_of(child, signatures, owner)
            if len(found) == 1:
                tidy_call(child, found[0])
            else:
                tidy_overloaded(child, found)
            child.keywords.sort(key=lambda word: place_of(word.value))
    return node


def as_method(node: ast.expr, signatures: Signatures) -> ast.expr:
    """``paddle.cumsum(x, 0)`` as ``x.cumsum(0)`` where the source had a method too and the target's is the function."""
    for call in walk(node):
        first = call.args[0] if isinstance(call, ast.Call) and call.args else None
        if not isinstance(call, ast.Call) or not isinstance(first, Hole) or not first.argument.receiver:
            continue
        name = dotted(call.func) or ""
        last = name.rpartition(".")[2]
        method, function = signatures.of(f"torch.Tensor.{last}"), signatures.of(name)
        if method and [parameters[1:] for parameters in function] == method:
            call.args.pop(0)
            call.func = ast.Attribute(first, last, ast.Load())
    return node


def signatures_of(call: ast.Call, signatures: Signatures, owner: str) -> list[Signature]:
    name = dotted(call.func)
    if name is not None and (found := signatures.of(name)):
        return found
    if isinstance(call.func, ast.Attribute):
        return signatures.of(f"{owner}.{call.func.attr}") or signatures.of(f"torch.Tensor.{call.func.attr}")
    return []


def tidy_overloaded(call: ast.Call, overloads: Sequence[Signature]) -> None:
    """As each overload that takes the call has it, where they agree and the very same ones take the outcome."""
    fitting = [overload for overload in overloads if takes(overload, call)]
    outcomes = [copy.copy(call) for _ in fitting]
    for overload, outcome in zip(fitting, outcomes, strict=True):
        outcome.args, outcome.keywords = [*call.args], [*call.keywords]
        tidy_call(outcome, overload)
    if not outcomes or any(written(outcome) != written(outcomes[0]) for outcome in outcomes):
        return
    if [overload for overload in overloads if takes(overload, outcomes[0])] == fitting:
        call.args, call.keywords = outcomes[0].args, outcomes[0].keywords


def written(call: ast.Call) -> list[tuple[str | None, int]]:
    """What a call gives, by identity."""
    return [(None, id(value)) for value in call.args] + [(word.arg, id(word.value)) for word in call.keywords]


def takes(overload: Signature, call: ast.Call) -> bool:
    """Whether an overload may be the one that is called, by names, number and what surely is no tensor."""
    words = [word.arg for word in call.keywords]
    if None in words or any(isinstance(value, ast.Starred) for value in call.args):
        return False
    positional = [row for row in overload if row[1] == "positional"]
    given = {row[0]: (row[3], value) for row, value in zip(positional, call.args, strict=False)}
    # A list that is the only positional parameter may be given as several arguments.
    if len(call.args) > len(positional) and not (len(positional) == 1 and is_list(positional[0][3])):
        return False
    types = {name: kind for name, _, _, kind in overload}
    if any(word not in types or word in given for word in words):
        return False
    given |= {word.arg or "": (types[word.arg], word.value) for word in call.keywords}
    if any(default is None and name not in given for name, _, default, _ in overload):
        return False
    return not any(kind == "Tensor" and is_no_tensor(value) for kind, value in given.values())


def is_list(kind: str) -> bool:
    return kind == "Shape" or kind.endswith("List")


def is_no_tensor(value: ast.expr) -> bool:
    """Whether that is sure; what a library gives may be one."""
    if isinstance(value, Hole):
        known = value.argument.value
        return isinstance(known, (Items, Series)) or (isinstance(known, Plain) and known.kind in KINDS)
    return isinstance(value, (ast.Constant, ast.List, ast.Tuple))


def tidy_call(call: ast.Call, signature: Signature) -> None:
    defaults = {name: default for name, _, default, *_ in signature}
    call.keywords = [w for w in call.keywords if not is_default(w.value, defaults.get(w.arg or ""))]
    names = [name for name, kind, *_ in signature if kind == "positional"]
    while call.args and len(call.args) <= len(names) and is_default(call.args[-1], defaults[names[len(call.args) - 1]]):
        call.args.pop()
    while call.keywords and len(call.args) < len(names):
        wanted = names[len(call.args)]
        word = next((w for w in call.keywords if w.arg == wanted), None)
        position = len(call.args) - shift(call)
        if word is None or not isinstance(word.value, Hole) or not stands_at(word.value.argument, position):
            break
        call.keywords.remove(word)
        call.args.append(word.value)
    while call.args and len(call.args) <= len(names):
        last, name = call.args[-1], names[len(call.args) - 1]
        # Only under the very same name: what a decorated function says of its parameters is not always so.
        if isinstance(last, Hole) and last.argument.keyword == name:
            call.keywords.insert(0, ast.keyword(name, last))
        elif not is_default(last, defaults[name]):
            break
        call.args.pop()


def place_of(value: ast.expr) -> float:
    """The first of the source's arguments that a value is made of or was decided by; a large number for none."""
    orders = [part.argument.order for part in walk(value) if isinstance(part, Hole)]
    return min(orders, default=getattr(value, "origin", 10**6))


def shift(call: ast.Call) -> int:
    """How much later an argument stands than in the source: after the receiver of a method that became a function."""
    first = call.args[0] if call.args else None
    if isinstance(first, Hole) and first.argument.receiver:
        return 1
    function = call.func
    of = function.value if isinstance(function, ast.Attribute) else None
    return -1 if isinstance(of, Hole) and not of.argument.receiver and of.argument.order == 1 else 0


def stands_at(argument: Argument, position: int) -> bool:
    """Whether the source passes the argument by that position (the receiver not counted)."""
    return argument.keyword is None and not argument.receiver and argument.order - 1 == position


def is_default(value: ast.expr, default: str | None) -> bool:
    """Whether a folded constant (never what the user wrote) is the target's default."""
    if default is None or any(isinstance(part, Hole) for part in walk(value)):
        return False
    try:
        found = literal(value)
    except ValueError:
        return False
    return repr(found) == default or (type(found) is float and same_number(found, default))


def same_number(found: float, default: str) -> bool:
    """Whether a number is what the target's default says in another way: 20.0, 20. Optimizers show 0 and 0.0 apart."""
    try:
        return default not in {"True", "False"} and float(default) == found
    except ValueError:
        return False
