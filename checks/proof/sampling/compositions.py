"""PyTorch's samples of functions and methods as people write them: arguments that are operators, calls, conditionals,
attributes, subscripts, lambdas, and calls that are counted; the call itself as an operand, an argument, a condition.

A few of each name, the same ones each time. An argument keeps its value, bit for bit, in a form that does not: where
brackets were lost, ``x * (a * 2 - a)`` is something else. Runs in torch's interpreter.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
from collections.abc import Iterator
from typing import Any

import torch

from . import opinfo

entries, covers = opinfo.entries, opinfo.covers

DTYPES = {torch.float32: 5, torch.int64: 3}  # compositions of each name
TRIED = 3  # samples that are looked at for one that has what a composition needs

COUNT = "counts = []\ndef call(what, value):\n    counts.append(what)\n    return value"
BOX = "class Box:\n    pass\nbox = Box()"
SOURCE = (
    "class Source:\n    def __init__(self, value):\n        self._value, self.reads = value, 0\n"
    "    @property\n    def value(self):\n        self.reads += 1\n        return self._value"
)

#: An argument that is a float or complex tensor ``T``: (statements before, expression, what is shown besides).
REAL = {
    "sum": ("", "T * 0.5 + T * 0.5", ""),
    "difference": ("", "T * 2 - T", ""),
    "rule": ("", "torch.sub(T.mul(2), T)", ""),
    "rules": ("", "T.mul(0.5).add(T.mul(0.5))", ""),
    "nested rule": ("", "T.add(T).sub(T.add(T).sub(T))", ""),
    "negated": ("", "-(-T)", ""),
    "quotient": ("", "T / 2 * 2", ""),
}
WHOLE = {
    "difference": ("", "T * 2 - T", ""),
    "reversed": ("", "1 - (1 - T)", ""),
    "rule": ("", "torch.sub(T.mul(2), T)", ""),
    "rules": ("", "T.add(T).sub(T)", ""),
    "negated": ("", "-(-T)", ""),
    "bits": ("", "~(~T)", ""),
}
LOGICAL = {
    "not": ("", "~(~T)", ""),
    "or": ("", "T | T", ""),
    "rule": ("", "torch.logical_not(T).logical_not()", ""),
    "equal": ("", "T == (T == T)", ""),
}
ANY = {
    "conditional": ("", "T if T.dim() >= 0 else T + 1", ""),
    "attribute": (f"{BOX}\nbox.x = T", "box.x", ""),
    "subscript": ("items = [T, None]", "items[0]", ""),
    "key": ("table = {'a': T}", "table['a']", ""),
    "lambda": ("", "(lambda t: t)(T)", ""),
    "counted": (COUNT, "call('N', T)", "counts"),
    "property": (f"{SOURCE}\nsource = Source(T)", "source.value", "source.reads"),
    "whole": ("", "T[...]", ""),
    "clone": ("", "T.clone()", ""),
}
NUMBERS = {
    "name": ("size = T", "size", ""),
    "item": ("sizes = (T, 7)", "sizes[0]", ""),
    "difference": ("size = T", "size * 2 - size", ""),
    "conditional": ("", "T if T is not None else 0", ""),
    "counted": (COUNT, "call('N', T)", "counts"),
    "attribute": (f"{BOX}\nbox.size = T", "box.size", ""),
}

#: The call ``C`` as a part of more, by what it gives.
FLOATING = """
-C | 1 - C | 2.0 * C | C ** 2 | 3 - C * 2 | C / 2 | C - C | (C - 1) * C | torch.neg(C) | torch.sub(C, 0.5) | C.mul(0.5)
C.sub(0.5).mul(2) | 1.5 * C - 1 | -C ** 2 | [C * t for t in (1, 2)] | C + 1 if C is not None else 0
"""
TENSOR = """
C[None] | C.shape | (lambda: C)() | [C for _ in range(2)] | {'a': C}['a'] | C.reshape(-1) | C.dtype == torch.float32
torch.is_tensor(C) and 1 | (C, 1)[0] | call('C', C) | C.dim() * 2 | f'{C.dim() + 1}' | C == C | not C.dim()
C.unsqueeze(0).clone()
"""
INTEGRAL = "-C | C + 1 | 2 * C - 1 | C // 2 | C % 3 | 3 - C | C.add(1).mul(2) | C * C"
BOOLEAN = "~C | C & C | C ^ ~C | C.logical_not() | C.sum() * 2"
PARTS = """
C[0] | C[-1] | [t for t in C] | list(C)[0] | len(C) | (lambda r: r[0])(C) | call('C', C)[0] | -C[0] | C[0].neg()
"""


def listed(table: str) -> list[str]:
    return table.strip().replace("\n", " | ").split(" | ")


class Composed:
    """A sample's call in a new form.

    before: statements that make its arguments.
    shown:  expressions that are returned beside the result.
    """

    def __init__(self, text: str, before: list[str] | None = None, shown: list[str] | None = None) -> None:
        self.text = text
        self.before = before or []
        self.shown = shown or []

    def body(self) -> str:
        lines = list(dict.fromkeys(self.before))
        result = ", ".join([self.text, *dict.fromkeys(self.shown)])
        return "\n".join([*lines, f"return {result}"])


def rank(*words: str) -> bytes:
    """An order that is the same each time, and another for each name."""
    return hashlib.sha256(" ".join(words).encode()).digest()


def programs(entry: Any, arguments: Any, few: int | None = None) -> Iterator[dict[str, Any]]:
    """The compositions of an entry's forms; ``few`` or not."""
    variant = f"/{entry.variant_test_name}" if entry.variant_test_name else ""
    for dtype, many in DTYPES.items():
        if dtype not in entry.dtypes:
            continue
        name = str(dtype).removeprefix("torch.")
        torch.manual_seed(0)
        made = entry.sample_inputs(
            "cpu", dtype, requires_grad=bool(entry.supports_autograd) and dtype.is_floating_point
        )
        samples = list(itertools.islice(made, TRIED))
        found = chosen(entry, samples, arguments, f"{entry.name}{variant}", few or many)
        for word, kind, key, body, tensors in found:
            yield {
                "label": f"{entry.name}{variant}:{name}:{word}",
                "key": key,
                "train": False,
                "forms": [(kind, "")],
                "body": body,
                "tensors": tensors,
            }


def chosen(
    entry: Any, samples: list[Any], arguments: Any, name: str, many: int
) -> Iterator[tuple[str, str, str, str, dict[str, Any]]]:
    """(composition, kind, the name called, body, tensors): so many of each form, from the first samples that can."""
    found: dict[tuple[str, str], dict[str, tuple[str, dict[str, Any]]]] = {}
    for sample in samples:
        printer = arguments()
        try:
            forms, _ = opinfo.forms(entry, sample, {}, printer)
            written = opinfo.in_place(entry, sample, printer)
        except printer.Unprintable:
            continue
        for form in forms:
            place = found.setdefault((form.key, form.kind), {})
            for word, composed in compositions(form.text, printer.tensors):
                place.setdefault(word, (composed.body(), printer.tensors))
        for form in written:
            place = found.setdefault((form.key, form.kind), {})
            for word, composed in in_place(form.text, printer.tensors):
                plain = {name: tensor.detach() for name, tensor in printer.tensors.items()}
                place.setdefault(word, (composed.body(), plain))
    for (key, kind), place in found.items():
        for word in sorted(place, key=lambda word: rank(name, key, kind, word))[:many]:
            yield word, f"{kind} composed", key, *place[word]


def compositions(text: str, tensors: dict[str, torch.Tensor]) -> Iterator[tuple[str, Composed]]:
    """(in a word what it is, the call): an argument at a time, all of them at once, and the call as a part of more."""
    tables = [table(node, tensors) for node in places(ast.parse(text, mode="eval"))]
    for number, ways in enumerate(tables):
        for word, way in ways.items():
            yield f"{word} as {number}", rewritten(text, {number: way})
    if len(tables) > 1:
        yield (
            "all counted",
            rewritten(text, dict.fromkeys(range(len(tables)), (COUNT, "call('N', T)", "counts"))),
        )
        for turn in "abc":
            yield f"mixed {turn}", rewritten(text, {n: mixed(ways, turn, n) for n, ways in enumerate(tables)})
    yield from contexts(text, tensors)


def mixed(ways: dict[str, tuple[str, str, str]], turn: str, number: int) -> tuple[str, str, str]:
    """One of an argument's ways, another each turn."""
    return ways[min(ways, key=lambda word: rank(turn, str(number), word))]


def places(tree: ast.AST) -> list[ast.AST]:
    """The tensors of a call, and its numbers."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        tensor = isinstance(node, ast.Name) and node.id.startswith("a") and node.id[1:].isdigit()
        if tensor or (isinstance(node, ast.Constant) and type(node.value) in (int, float)):
            found.append(node)
    return found


def table(node: ast.AST, tensors: dict[str, torch.Tensor]) -> dict[str, tuple[str, str, str]]:
    """How an argument of this kind may be written."""
    if not isinstance(node, ast.Name):
        return NUMBERS
    dtype = tensors[node.id].dtype
    values = LOGICAL if dtype == torch.bool else REAL if dtype.is_floating_point or dtype.is_complex else WHOLE
    return {**values, **ANY}


def rewritten(text: str, ways: dict[int, tuple[str, str, str]]) -> Composed:
    """The call with the arguments at these places written so."""
    found = Composed("")
    tree = ast.parse(text, mode="eval")
    numbers = {id(node): number for number, node in enumerate(places(tree))}

    class Write(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            number = numbers.get(id(node))
            if number is None or number not in ways:
                return self.generic_visit(node)
            statements, expression, besides = ways[number]
            own, tag = ast.unparse(node), str(number)
            words = {word: f"{word}{tag}" for word in ("box", "items", "table", "sizes", "size", "source")}
            if statements:
                found.before.extend(named(statements, own, tag, words))
            if besides:
                found.shown.append(renamed(besides, words))
            return ast.parse(renamed(expression, words, own, tag), mode="eval").body

    found.text = ast.unparse(ast.fix_missing_locations(Write().visit(tree)))
    return found


def named(statements: str, own: str, tag: str, words: dict[str, str]) -> list[str]:
    """The statements that a way of writing needs; those that several ways share stand once."""
    shared = [part for part in (COUNT, SOURCE, BOX.rpartition("\n")[0]) if statements.startswith(part)]
    rest = statements[len(shared[0]) :].strip("\n") if shared else statements
    return [*shared, *([renamed(rest, words, own, tag)] if rest else [])]


def renamed(text: str, words: dict[str, str], own: str = "", tag: str = "") -> str:
    """With the argument itself in place of ``T``, names of its own, and a word that tells it from the others."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in words:
            node.id = words[node.id]
        elif isinstance(node, ast.Constant) and node.value == "N":
            node.value = f"argument {tag}"
    return put(tree, "T", own)


def put(tree: ast.AST, name: str, text: str) -> str:
    """The tree as text, with an expression in place of a name."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.parse(text, mode="eval").body if node.id == name else node

    return ast.unparse(ast.fix_missing_locations(Put().visit(tree)))


def contexts(text: str, tensors: dict[str, torch.Tensor]) -> Iterator[tuple[str, Composed]]:
    """The call as a part of more, as its result allows."""
    try:
        made = eval(text, {"torch": torch, **{name: tensor.detach().clone() for name, tensor in tensors.items()}})  # noqa: S307 - our own text
    except Exception:
        return
    if isinstance(made, torch.Tensor):
        real = made.is_floating_point() or made.is_complex()
        own = BOOLEAN if made.dtype == torch.bool else FLOATING if real else INTEGRAL
        ways = [*listed(own), *listed(TENSOR)]
    elif isinstance(made, (tuple, list)) and made and all(isinstance(item, torch.Tensor) for item in made):
        ways = [way for way in listed(PARTS) if made[0].dtype != torch.bool or "-" not in way]
    else:
        return
    for way in ways:
        counted = "call(" in way
        yield (
            f"in {way}",
            Composed(put(ast.parse(way), "C", text), [COUNT] if counted else [], ["counts"] if counted else []),
        )


def in_place(text: str, tensors: dict[str, torch.Tensor]) -> Iterator[tuple[str, Composed]]:
    """The call on a tensor that is reached through an attribute, an item, a view, a call that is counted."""
    call = ast.parse(text, mode="eval").body
    if not (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
    ):
        return
    own = call.func.value.id
    rest = text.removeprefix(own)
    if own in rest:
        return
    ways = {
        "attribute": ([*BOX.split("\nbox")[:1], "box = Box()", f"box.x = {own}.clone()"], "box.x", "box.x"),
        "subscript": ([f"items = [{own}.clone()]"], "items[0]", "items"),
        "counted": ([COUNT, f"held = {own}.clone()"], "call('self', held)", "held, counts"),
        "conditional": ([f"held = {own}.clone()"], "(held if held is not None else 0)", "held"),
        "alias": ([f"held = {own}.clone()", "other = held"], "held", "other"),
        "whole": ([f"held = {own}.clone()"], "held[...]", "held"),
        "view": ([f"held = torch.stack([{own}, {own}])"], "held[0]", "held"),
        "chained": ([f"held = {own}.clone()"], "held.mul_(1)", "held"),
    }
    for word, (before, receiver, shown) in ways.items():
        yield word, Composed(f"{receiver}{rest}", before, [shown])
