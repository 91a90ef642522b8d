"""Calls in the form that torch has given up and still takes: ``x.add_(0.1, y)`` for ``x.add_(y, alpha=0.1)``.

They are written anew before anything is inferred, so that whatever looks at calls meets one form only. Which form a
call has is told by how many arguments it has, and where numpy's or somebody else's method may have as many, by what
they are.
"""

from __future__ import annotations

import ast
import re

from rewriters.text.parsing import module_of
from rewriters.text.tree import walk

SCALED = ("add", "sub", "addcmul", "addcdiv")
PRODUCTS = ("addmm", "addmv", "addr", "addbmm", "baddbmm")
# Not where one plain argument is all that is given.
CALLED = re.compile(rb"\.(?:%s)_?\s*\((?![\w.\[\]'\" ]*\))" % "|".join((*SCALED, *PRODUCTS)).encode())
# How many tensors such a function is given beside what it is of.
OTHERS = {"add": 1, "sub": 1}
# Others' methods of that name take two arguments as well: sets of pairs, meters of values and counts.
COMMON = {"add", "sub"}
PURE = {"float", "int", "len", "abs", "min", "max", "pow", "sqrt", "exp", "item", "get"}
OF_TENSOR = {"data", "grad"}


def current(data: bytes) -> bytes:
    """The file with these calls in the form of today; the same bytes where there are none."""
    found = edits_of(data) if CALLED.search(data) else []
    while found:
        for start, end, new in sorted(found, reverse=True):
            data = data[:start] + new + data[end:]
        found = edits_of(data)  # those inside of others' arguments
    return data


def edits_of(data: bytes) -> list[tuple[int, int, bytes]]:
    try:
        return Former(module_of(data.decode("utf-8")), data).edits()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # whoever reads the file says so


class Former:
    """Looks for such calls in one file."""

    def __init__(self, tree: ast.Module, data: bytes) -> None:
        self.data = data
        self.lines = [0]
        for line in data.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        nodes = walk(tree)
        self.calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
        self.bodies = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self.idle = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
        self.imported = {
            one.asname or one.name.partition(".")[0]: one.name if one.asname else one.name.partition(".")[0]
            for node in imports
            for one in node.names
        }

    def edits(self) -> list[tuple[int, int, bytes]]:
        """Start, end and new text of each argument that changes; calls inside of others' arguments are left."""
        found: list[tuple[int, int, bytes]] = []
        for call in self.calls:
            named = self.numbers(call)
            if not named:
                continue
            spans = [self.span(one, call) for one in call.args]
            if any(start < old_end and old_start < end for start, end in spans for old_start, old_end, _ in found):
                continue
            texts = [self.data[start:end] for start, end in spans]
            tensors = [text for at, text in enumerate(texts) if at not in named]
            words = [name.encode() + b"=" + texts[at] for at, name in named.items()]
            new = [*tensors, *words]
            found += [(start, end, text) for (start, end), text in zip(spans, new, strict=True)]
        return found

    def numbers(self, call: ast.Call) -> dict[int, str]:
        """Which arguments are numbers that stand in front of tensors, with their keywords; none in today's form."""
        assert isinstance(call.func, ast.Attribute)
        name = call.func.attr.removesuffix("_")
        given = [word.arg for word in call.keywords]
        if name not in (*SCALED, *PRODUCTS) or any(isinstance(one, ast.Starred) for one in call.args):
            return {}
        if given not in ([], ["out"]):
            return {}
        owner = call.func.value
        of_module = isinstance(owner, ast.Name) and owner.id in self.imported
        if of_module and self.imported[owner.id] != "torch":  # type: ignore[attr-defined]
            return {}
        tensors = OTHERS.get(name, 2)
        extra = len(call.args) - tensors - of_module
        if name in SCALED:
            word = "alpha" if name in COMMON else "value"
            found = {of_module + 0: word} if extra == 1 else {}
        elif extra == 1:
            found = {0: "beta"}
        elif extra == 2:
            found = {0: "beta", of_module + 1: "alpha"}
        else:
            return {}
        if not found:
            return {}
        rest = [one for at, one in enumerate(call.args) if at not in found]
        numbers = [call.args[at] for at in found]
        if not of_module and not call.func.attr.endswith("_"):
            of_pairs = name in COMMON
            sure = self.is_tensor(rest[0], call) if of_pairs else all(map(is_number, numbers))
            if not sure or id(call) in self.idle or (of_pairs and any(map(is_called, numbers))):
                return {}
        # what the number does is done after what the tensors do
        moved = any(map(is_called, numbers)) and any(
            isinstance(part, ast.Call) for one in rest for part in ast.walk(one)
        )
        return {} if moved or any(isinstance(one, ast.Constant) for one in rest) else found

    def is_tensor(self, node: ast.expr, call: ast.Call) -> bool:
        """Whether the function around the call shows it to be one."""
        if isinstance(node, ast.Attribute):
            return node.attr in OF_TENSOR
        if not isinstance(node, ast.Name):
            return False
        around = [one for one in self.bodies if one.lineno <= call.lineno <= (one.end_lineno or 0)]
        if not around:
            return False
        name = re.escape(node.id.encode())
        start, end = self.start(around[-1]), self.end(around[-1])
        changed = rb"\b%s\.(?:\w+_\(|data\b|grad\b)" % name
        bound = rb"\b%s\s*(?:=[^=]|,)[^\n]*(?:\.grad\b|\.data\b|\btorch\.|\bstate\w*\[)" % name
        return re.compile(rb"%s|%s" % (changed, bound)).search(self.data, start, end) is not None

    def start(self, node: ast.stmt | ast.expr) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.stmt | ast.expr) -> int:
        return self.lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def span(self, node: ast.expr, call: ast.Call) -> tuple[int, int]:
        """An argument with the brackets around it."""
        start, end = self.start(node), self.end(node)
        opening = self.data.index(b"(", self.end(call.func))
        while True:
            before, behind = self.data[:start].rstrip(), self.data[end:]
            left = len(before) - 1
            right = end + len(behind) - len(behind.lstrip())
            if left <= opening or before[-1:] != b"(" or self.data[right : right + 1] != b")":
                return start, end
            start, end = left, right + 1


def is_number(node: ast.expr) -> bool:
    """Whether it is written as one: ``1 - beta``, ``-rate``, ``group["lr"]``."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and (is_number(node.operand) or isinstance(node.operand, ast.Name))
    if isinstance(node, ast.BinOp):
        return is_number(node.left) or is_number(node.right)
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
    return False


def is_called(node: ast.expr) -> bool:
    """Whether something is called in it that may do more than reckon."""
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    names = [getattr(call.func, "attr", getattr(call.func, "id", "")) for call in calls]
    return any(name not in PURE for name in names)
