"""The text of a dtype, a device or a size, where a program takes it to work with: as torch writes it.

By rules under ``torch.dtype.__str__`` and the like. What is only told to a reader stays as the target writes it.
"""

from __future__ import annotations

import ast
from functools import cached_property

from rewriters.infer.either import is_hint
from rewriters.infer.values import Bottom, Choice, Instance, Items, Plain, Ref, Unknown, Value
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rules.binding import choose
from rewriters.rules.inline import Inliner
from rewriters.rules.ordering import check_effects
from rewriters.rules.refusal import Refusal
from rewriters.rules.render import enclosed
from rewriters.text.tree import Nodes, children
from rewriters.torch.table import entry

TEXTS = {"torch.dtype", "torch.device", "torch.Size"}
SIZES = "torch.Size"
OWNER = ":owner"  # of rules that are given what has the dtype or the shape
ASKED = {"dtype": "torch.dtype", "shape": SIZES, "device": "torch.device"}
SAME_AS_REPR = {"torch.dtype", "torch.Size"}
TAKING = {"str", "repr", "format"}
TELLING = {
    "print", "debug", "info", "warning", "warn", "error", "critical", "exception", "log", "fail", "skip", "skipTest",
}  # fmt: skip


def told(nodes: Nodes) -> set[ast.AST]:
    """Expressions of which the text goes to a reader: what is printed, logged, or said by an error."""
    found: set[ast.AST] = set()
    stack: list[ast.AST | None] = [node.msg for node in nodes.of(ast.Assert)]
    for node in nodes.of(ast.Raise):
        stack += [*node.exc.args] if isinstance(node.exc, ast.Call) else []
    for node in nodes.of(ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in TELLING or name.endswith(("Error", "Exception", "Warning")):
            stack += [*node.args, *(word.value for word in node.keywords)]
    while stack:
        part = stack.pop()
        if part is None or part in found:
            continue
        found.add(part)
        if isinstance(part, (ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.Tuple, ast.Starred)):
            stack += children(part)
        elif isinstance(part, ast.Call) and (is_taking(part) or is_format(part)):
            stack += [*part.args, *(word.value for word in part.keywords)]
    return found


def named_alone(node: ast.Subscript) -> ast.expr | None:
    """``str(x.dtype)`` in ``str(x.dtype).split(".")[-1]``: what is before the point does not matter."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
        return None
    if not isinstance(call.args[0], ast.Constant) or call.args[0].value != ".":
        return None
    taken = call.func.value
    if isinstance(taken, ast.Call) and getattr(taken.func, "id", "") == "repr":
        return None  # "<DataType.FLOAT32: 10>"
    kept = {"split": ("-1", "1"), "rsplit": ("-1", "1"), "partition": ("-1", "2"), "rpartition": ("-1", "2")}
    return taken if ast.unparse(node.slice) in kept.get(call.func.attr, ()) else None


def is_taking(node: ast.Call) -> bool:
    """``str(x)`` and the like."""
    if not isinstance(node.func, ast.Name) or node.func.id not in TAKING or len(node.args) != 1 or node.keywords:
        return False
    return value_at(node.func) == Plain(f"builtin:{node.func.id}")


def is_format(node: ast.Call) -> bool:
    """``"{}".format(x)``."""
    return isinstance(node.func, ast.Attribute) and node.func.attr == "format"


def kind_of(node: ast.expr) -> str:
    """Of which of the classes in TEXTS the value is for sure; "" for others.

    What is not known is taken for a tensor where its dtype is asked for, and where it is one at times: the rules leave
    other texts as they are.
    """
    value = value_at(node)
    if isinstance(node, ast.Attribute) and node.attr in ASKED:
        owner = value_at(node.value)
        if is_hint(owner) or (node.attr == "dtype" and isinstance(owner, (Unknown, Bottom))):
            return ASKED[node.attr]
    if isinstance(value, Choice):
        kinds = {kind_of_value(one) for one in value.values}
        return kinds.pop() if len(kinds) == 1 else ""
    return kind_of_value(value)


def kind_of_value(value: Value) -> str:
    if isinstance(value, Instance) and value.name in TEXTS:
        return value.name
    if isinstance(value, Ref) and (entry(value.name) or {}).get("type") == "dtype":
        return "torch.dtype"
    return ""


def key_of(node: ast.expr) -> str:
    """The rule's key for the text of it; of what is a tensor at times the shape may be an array's."""
    kind = kind_of(node)
    unknown = kind == SIZES and isinstance(node, ast.Attribute) and is_hint(value_at(node.value))
    return f"{kind}.__str__:unknown" if unknown else f"{kind}.__str__"


def owner_of(node: ast.expr) -> ast.expr | None:
    """What has the dtype or the shape, where that may be no tensor."""
    if not isinstance(node, ast.Attribute) or node.attr not in ASKED:
        return None
    owner = value_at(node.value)
    return node.value if is_hint(owner) or isinstance(owner, (Unknown, Bottom)) else None


class Texts(Rewriting):
    """Rewrites what takes a text."""

    @cached_property
    def told(self) -> set[ast.AST]:
        found = told(self.source.nodes)
        if f"torch.dtype.__str__{OWNER}" not in self.book.rules:  # there more differs than what is before the point
            found |= {text for node in self.source.nodes.of(ast.Subscript) if (text := named_alone(node)) is not None}
        return found

    def takes_text(self, node: ast.expr) -> bool:
        """Whether the expression takes the text of a dtype or the like; it has been rewritten then."""
        if node in self.told:
            return False
        if isinstance(node, ast.Call):
            if is_taking(node):
                name = node.func.id  # type: ignore[attr-defined]
                return self.as_text(node, node.args[0], name == "repr")
            return is_format(node) and self.parts_as_texts(node, [*node.args, *(w.value for w in node.keywords)])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and value_at(node.left) == Plain("str"):
            several = isinstance(node.right, ast.Tuple) and isinstance(value_at(node.right), Items)
            if kind_of(node.right) == SIZES:
                return self.sizes_as_tuple(node.right)
            return self.parts_as_texts(node, node.right.elts if several else [node.right])  # type: ignore[attr-defined]
        return False

    def sizes_as_tuple(self, node: ast.expr) -> bool:
        """``"%dx%d" % x.shape``: sizes are a tuple in torch, whose items go into the text."""
        if f"{SIZES}.__str__" not in self.book.rules:
            return False
        with self.source.collect() as inner:
            self.walk.visit(node)
        self.draft.replace(node, f"tuple({enclosed(self.placing.argument(node, 0, inner), 0)})")
        return True

    def parts_as_texts(self, node: ast.expr, parts: list[ast.expr]) -> bool:
        """``"%s" % x.dtype``, ``"{}".format(x.dtype)``."""
        # What a star takes apart are numbers.
        plain = (part for part in parts if not isinstance(part, ast.Starred))
        wanted = [part for part in plain if self.key_of(part) in self.book.rules]
        if not wanted:
            return False
        form = node.func.value if isinstance(node, ast.Call) else node.left  # type: ignore[attr-defined]
        shown = form.value if isinstance(form, ast.Constant) and isinstance(form.value, str) else ""
        if "%r" in shown or "!r" in shown:
            reason = f"this text is {self.target.title}'s own; write %s or {{}} for torch's"
            self.draft.differs(node, self.key_of(wanted[0]), reason)
            return False
        for child in children(node):
            inner = child.value if isinstance(child, ast.keyword) else child
            for part in inner.elts if isinstance(inner, ast.Tuple) else [inner]:
                if isinstance(part, ast.expr) and not (part in wanted and self.as_text(part, part, False)):
                    self.walk.visit(part)
        return True

    def as_text(self, node: ast.expr, of: ast.expr, written_out: bool) -> bool:
        """The text of ``of`` in the place of ``node``."""
        kind, key = kind_of(of), self.key_of(of)
        if key.endswith(OWNER):
            of = owner_of(of) or of
        rules = self.book.rules.get(key)
        if not rules or (written_out and kind not in SAME_AS_REPR):
            return False
        with self.source.collect() as inner:
            self.walk.visit(of)
        argument = self.placing.argument(of, 0, inner)
        try:
            plan = Inliner(choose(rules, [argument], self.target.ambient)).plan()
            check_effects(plan, [argument], self.known.rebindable)
            assert plan.result is not None
            text = self.placing.fitted(node, plan.result)
            self.draft.record(node, key, Outcome.INLINED, rules[0].where)
        except Refusal as refusal:
            text = f"{self.draft.helper_text(rules)}({enclosed(argument, 0)})"
            self.draft.record(node, key, Outcome.HELPER, f"{rules[0].where}, {refusal}")
        self.draft.replace(node, text)
        return True

    def field_as_text(self, node: ast.FormattedValue) -> bool:
        """A field of an f-string."""
        if node in self.told or not self.wants_text(node):
            return False
        if not self.as_text(node.value, node.value, node.conversion == ord("r")):
            return False
        end = self.source.end(node.value)
        if node.conversion == ord("r") and self.source.original(end, end + 2) == "!r":
            self.source.edit(end, end + 2, "")
        return True

    def wants_text(self, node: ast.FormattedValue) -> bool:
        return self.key_of(node.value) in self.book.rules

    def key_of(self, node: ast.expr) -> str:
        """The rule's key for the text of it; where there is one for what has it, of what may be no tensor, that."""
        by_owner = f"{kind_of(node)}.__str__{OWNER}"
        return by_owner if by_owner in self.book.rules and owner_of(node) is not None else key_of(node)
