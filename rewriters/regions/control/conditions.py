"""What decides: the tests of branches and loops, and how they are written where Python doesn't see their values."""

from __future__ import annotations

import ast
import struct
from collections.abc import Collection, Iterator

from rewriters.infer.values import BOOLEAN, INTEGRAL, Method, Tensor
from rewriters.regions.control.words import Words
from rewriters.regions.hazards import NUMBERS, is_tensor, short
from rewriters.regions.plan import Draft
from rewriters.regions.step import NotUnderstood
from rewriters.regions.tracing import value_of
from rewriters.text.tree import walk

READS = {"item", "__bool__", "__float__", "__int__"}
IDENTITY = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
NUMBER = {"int", "float", "bool"}


def read_of(node: ast.expr) -> ast.expr | None:
    """The tensor whose only element an expression gives to Python: of ``x.item()`` it is ``x``."""
    if not isinstance(node, ast.Call):
        return None
    value = value_of(node.func)
    if isinstance(value, Method) and value.name.startswith("torch.Tensor.") and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr in READS and not node.args else None
    numbers = isinstance(node.func, ast.Name) and node.func.id in NUMBERS and len(node.args) == 1
    return node.args[0] if numbers and isinstance(value_of(node.args[0]), Tensor) else None


def decides(node: ast.expr, traced: Collection[str] = ()) -> bool:
    """Whether the truth of an expression is that of a tensor's values, or of what a loop carries."""
    if isinstance(node, ast.BoolOp):
        return any(decides(part, traced) for part in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return decides(node.operand, traced)
    if isinstance(node, ast.Compare):
        if any(isinstance(op, IDENTITY) for op in node.ops):
            return False
        return is_tensor(node) or any(is_value(part, traced) for part in (node.left, *node.comparators))
    return is_value(node, traced)


def is_value(node: ast.expr, traced: Collection[str]) -> bool:
    carried = any(isinstance(part, ast.Name) and part.id in traced for part in walk(node))
    return is_tensor(node) or read_of(node) is not None or carried


def check_test(node: ast.expr, traced: Collection[str] = (), loop: bool = False) -> None:
    """Raises NotUnderstood for what must not be computed whatever else is true, or cannot be."""
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            if not decides(part, traced) and not (loop and is_plain(part)):
                raise NotUnderstood(
                    f"`{short(part)}` is Python's to decide, and stands beside a tensor's values: write an `if` of its "
                    "own for it"
                )
            check_test(part, traced, loop)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        check_test(node.operand, traced, loop)
    elif isinstance(node, ast.Compare) and len(node.ops) > 1:
        raise NotUnderstood(f"`{short(node)}` compares several: write `and` between them")
    for inner in walk(node):
        if isinstance(inner, ast.NamedExpr):
            raise NotUnderstood(f"`{short(inner)}` binds a name where it is decided")


def is_plain(node: ast.expr) -> bool:
    """A number's comparison, a constant, which may be computed at any time."""
    parts = (node.left, *node.comparators) if isinstance(node, ast.Compare) else (node,)
    return all(
        isinstance(part, ast.Constant)
        or (isinstance(part, (ast.Name, ast.Attribute)) and getattr(value_of(part), "kind", "") in NUMBER)
        for part in parts
    )


def reads_in(node: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(the expression that gives a value to Python, the tensor) of a test that is written without."""
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            yield from reads_in(part)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from reads_in(node.operand)
    else:
        for part in (node.left, *node.comparators) if isinstance(node, ast.Compare) else (node,):
            tensor = read_of(part)
            if tensor is not None:
                yield part, tensor
                yield from reads_in(tensor)


def text_of(node: ast.expr, words: Words, draft: Draft) -> str:
    """The converted test, as a scalar."""
    source = draft.source
    if isinstance(node, ast.BoolOp):
        parts = [text_of(part, words, draft) for part in node.values]
        return (words.both if isinstance(node.op, ast.And) else words.either)(parts, draft)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return words.negated(text_of(node.operand, words, draft), draft)
    tensor = read_of(node)
    if tensor is not None:
        return text_of(tensor, words, draft)
    value = value_of(node)
    if isinstance(node, ast.Compare) and any(read_of(part) is not None for part in (node.left, *node.comparators)):
        text = compared(node, words, draft)
        known = [value_of(read_of(part) or part) for part in (node.left, *node.comparators)]
        flat = all(not isinstance(part, Tensor) or part.ndim == 0 for part in known)
        return text if flat else words.scalar(text, draft)
    text = source.text(node, source.edits)
    if not isinstance(value, Tensor):
        return text if isinstance(node, (ast.Compare, ast.Constant)) else words.nonzero(text, draft)
    text = text if value.kinds == BOOLEAN else words.nonzero(text, draft)
    return text if value.ndim == 0 else words.scalar(text, draft)


def compared(node: ast.Compare, words: Words, draft: Draft) -> str:
    """Values that Python would compare: in its precision, where an array's own could decide otherwise."""
    source = draft.source
    left, right = node.left, node.comparators[0]
    texts = []
    for part, other in ((left, right), (right, left)):
        tensor = read_of(part)
        text = source.text(tensor if tensor is not None else part, source.edits)
        if tensor is not None and not (is_exact(other) or is_whole(tensor)):
            text = words.exact(text, draft)
        texts.append(text)
    between = source.segment(source.end(left), source.start(right)).strip()
    return f"{texts[0]} {between} {texts[1]}"


def is_whole(node: ast.expr) -> bool:
    value = value_of(node)
    return isinstance(value, Tensor) and not value.kinds & ~(BOOLEAN | INTEGRAL)


def is_exact(node: ast.expr) -> bool:
    """A number that any floating-point dtype holds as it is."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    number = node.operand if negative else node  # type: ignore[attr-defined]
    if not isinstance(number, ast.Constant) or not isinstance(number.value, (int, float)):
        return False
    try:
        bits = struct.unpack("<I", struct.pack("<f", number.value))[0]
        half = struct.unpack("<e", struct.pack("<e", number.value))[0]
    except (OverflowError, struct.error):
        return False
    whole = struct.unpack("<f", struct.pack("<I", bits))[0] == number.value
    return whole and half == number.value and not bits & 0xFFFF
