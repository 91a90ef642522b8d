"""Torch's classes where only their identity matters: compared, looked up, collected to test with."""

from __future__ import annotations

import ast
import builtins
import re

from rewriters.infer.values import Bottom, Choice, ClassOf, External, Instance, Plain, Ref, Unknown
from rewriters.report import Outcome
from rewriters.rewrite.class_names import (
    NAMES,
    TORCH_NAME,
    is_function,
    is_the_same,
    name_of_function,
    of_a_class,
    torch_names,
)
from rewriters.rewrite.class_uses import DISPLAYS, NAMED
from rewriters.rewrite.references import References
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.sizes import Sizes
from rewriters.rewrite.torch_class import stands_for_class
from rewriters.text.tree import last_name
from rewriters.torch.table import entry

# Values that may as well be written twice.
REPEATED = (ast.Constant, ast.Name, ast.Attribute, ast.Lambda)
IDENTITY = (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)


class Classes(Rewriting):
    """Rewrites comparisons with classes, and classes that nothing calls."""

    def __init__(self, tools: Tools, references: References) -> None:
        super().__init__(tools)
        self.references, self.sizes = references, Sizes(tools)

    def visit_reference(self, node: ast.Attribute | ast.Name, as_class: bool = False) -> None:
        if isinstance(node, ast.Attribute) and node in self.known.names_asked and self.may_name_otherwise(node):
            self.named_as_in_torch(node)
            return
        if isinstance(node, ast.Attribute) and node.attr in NAMES and self.name_of_function(node):
            return
        self.references.visit_reference(node, as_class)
        if node in self.known.hashed and node not in self.draft.keys and self.is_class(node):
            names = self.identical(node)
            if names is not None and len(names) > 1:
                why = f"the class is {' or '.join(names)} here, of which this is one key: use isinstance"
                self.draft.differs(node, self.source.text(node), why)

    def may_name_otherwise(self, node: ast.Attribute) -> bool:
        """Whether ``type(m).__name__`` is known to be a layer's, or compared with what is one's, and not the same."""
        of = of_a_class(node.value)
        value = value_at(of) if of is not None else None
        names = torch_names(self.book)
        questions = self.known.names_asked[node]
        if questions is not None and all(is_the_same(question, names) for question in questions):
            return False
        if isinstance(value, Instance):
            return value.name.startswith(("torch.nn.", "torch.optim."))
        return questions is not None and isinstance(value, (Unknown, Bottom, Choice))

    def name_of_function(self, node: ast.Attribute) -> bool:
        """``torch.clamp.__name__``, ``fn.__name__`` where functions of torch's are handed on; whether it is written."""
        value = value_at(node.value)
        if not isinstance(node.ctx, ast.Load) or of_a_class(node.value) is not None:
            return False
        known = (entry(value.name) or {}).get("kind") if isinstance(value, Ref) else None
        if isinstance(value, Ref) and known in {"function", "method"} and self.names.binding_of(node):
            quote = self.draft.printer.quote
            self.draft.record(node, value.name, Outcome.INLINED, "torch's name of it")
            self.draft.replace(node, f"{quote}{name_of_function(value.name)}{quote}")
            return True
        if not self.may_be_function(node.value):
            return False
        self.named_as_in_torch(node)
        return True

    def may_be_function(self, node: ast.expr) -> bool:
        """Whether it may be one of torch's functions that is handed on."""
        value = value_at(node)
        if not self.shared.travel.functions or last_name(node) in {"cls", "self"}:
            return False
        return isinstance(value, (Unknown, Bottom, Choice)) or (isinstance(value, Ref) and is_function(value.name))

    def name_asked(self, node: ast.Call) -> bool:
        """``getattr(fn, "__name__", "?")`` likewise."""
        if getattr(node.func, "id", "") != "getattr" or len(node.args) not in {2, 3} or node.keywords:
            return False
        of, name = node.args[:2]
        if getattr(name, "value", None) not in NAMES or not self.may_be_function(of):
            return False
        self.draft.helper_used = self.draft.helper.names_classes = True
        self.source.edit(self.source.start(node.func), self.source.end(node.func), f"{self.known.helper}.{TORCH_NAME}")
        self.walk.visit(of)
        self.source.edit(self.source.end(of), self.source.end(name), "")
        for other in node.args[2:]:
            self.walk.visit(other)
        return True

    def named_as_in_torch(self, node: ast.Attribute) -> None:
        self.draft.helper_used = self.draft.helper.names_classes = True
        start, end = self.source.start(node), self.source.end(node.value)
        self.source.edit(start, start, f"{self.known.helper}.{TORCH_NAME}(")
        self.walk.visit(node.value)
        self.source.edit(end, self.source.end(node), ")")
        self.draft.record(node, "type.__name__", Outcome.HELPER, f"{self.target.title}'s classes have other names")

    def comparison(self, node: ast.Compare) -> bool:
        """Whether it compares classes; it has been rewritten then."""
        if len(node.ops) != 1:
            return False
        if self.sizes.compared(node):
            return True
        op, left, right = node.ops[0], node.left, node.comparators[0]
        if isinstance(op, (ast.In, ast.NotIn)):
            if not self.is_class(left) and not (isinstance(right, DISPLAYS) and any(map(self.is_class, right.elts))):
                return False
            if isinstance(right, DISPLAYS):
                self.walk.visit(left)
                self.members(right)
            else:
                self.sought(node, left, right)
                self.walk.visit(right)
            return True
        if not isinstance(op, IDENTITY):
            return False
        for named, other in ((right, left), (left, right)):
            if self.is_class(named):
                self.compare_with(node, named, other)
                return True
        sides = (is_type_of(left), is_type_of(right))
        other = right if sides[0] else left
        if isinstance(op, (ast.Is, ast.IsNot)) and any(sides) and not all(sides) and self.may_be_handed_on(other):
            self.as_equality(node)
        elif isinstance(op, (ast.Is, ast.IsNot)) and all(map(self.may_be_class, (left, right))):
            return self.as_either(node)
        return False

    def may_be_class(self, node: ast.expr) -> bool:
        """Whether a variable may hold what stands for one of torch's classes, or its instances' class."""
        known = isinstance(value_at(node), (Unknown, Bottom, Choice))
        return known and isinstance(node, NAMED) and not is_type_of(node) and self.may_be_handed_on(node)

    def as_either(self, node: ast.Compare) -> bool:
        """``kind is other`` of what may be classes: the same object, or equal ones."""
        self.walk.visit(node.left)
        self.walk.visit(node.comparators[0])
        left, right = self.source.text(node.left), self.source.text(node.comparators[0])
        start, end = self.source.start(node), self.source.end(node)
        if isinstance(node.ops[0], ast.Is):
            self.source.edit(start, start, "(")
            self.source.edit(end, end, f" or isinstance({left}, type) and {left} == {right})")
        else:
            self.source.edit(start, start, "(")
            self.source.edit(end, end, f" and not (isinstance({left}, type) and {left} == {right}))")
        return True

    def sought(self, node: ast.Compare, named: ast.expr, right: ast.expr) -> None:
        """``nn.Linear in kinds``: any of the classes that torch's becomes, each of another hash."""
        names = self.identical(named) if self.is_class(named) else None
        if names is None or len(names) < 2:
            self.walk.visit(named)
            return
        absent = isinstance(node.ops[0], ast.NotIn)
        self.name_classes(named, f"{'' if absent else 'not '}{{{', '.join(names)}}}")
        self.operator_text(node, r"\s*\bnot\s+in\b\s*" if absent else r"\s*\bin\b\s*", ".isdisjoint(")
        self.source.edit(self.source.end(right), self.source.end(right), ")")

    def compare_with(self, node: ast.Compare, named: ast.expr, other: ast.expr) -> None:
        """``type(m) is nn.Linear``, ``norm_layer == nn.BatchNorm2d``: with each class that torch's becomes."""
        callee = self.names.resolve(named)
        assert callee is not None
        tested = f"{self.names.key_of(callee)}:test" in self.book.rules
        if tested and named is not node.left and isinstance(other, ast.Call) and is_type_of(other):
            self.as_test(node, named, other.args[0])
            return
        self.walk.visit(other)
        if not stands_for_class(self.names.key_of(callee).partition(":")[0], self.book):
            self.walk.visit(named)
            return
        names = None if is_base_of(other) else self.identical(named)
        if names is None or (len(names) > 1 and (named is node.left or not is_type_of(other))):
            self.walk.visit(named)  # it is handed on, and equal to any of them
            self.as_equality(node)
        elif len(names) == 1:
            self.name_classes(named, names[0])
            if not is_type_of(other):
                self.as_equality(node)
        else:
            self.name_classes(named, f"({', '.join(names)})")
            negated = isinstance(node.ops[0], (ast.IsNot, ast.NotEq))
            self.operator_text(node, r"(is\s+not|is|==|!=)", "not in" if negated else "in")

    def as_test(self, node: ast.Compare, named: ast.expr, tested: ast.expr) -> None:
        """``type(x) is torch.device``, where instances are of several classes here, none of which torch's becomes."""
        source = self.source
        negated = isinstance(node.ops[0], (ast.IsNot, ast.NotEq))
        source.edit(source.start(node), source.start(tested), "(not isinstance(" if negated else "isinstance(")
        self.walk.visit(tested)
        source.edit(source.end(tested), source.start(named), ", ")
        with self.draft.within(in_class_test=True):
            self.walk.visit(named, as_class=True)
        source.edit(source.end(named), source.end(node), "))" if negated else ")")

    def members(self, node: ast.Tuple | ast.List | ast.Set, based: bool = False) -> None:
        """The classes in a display that are tested with, for instances too where it is ``based``."""
        for part in node.elts:
            names = self.identical(part, based) if self.is_class(part) else None
            if names:
                self.name_classes(part, ", ".join(names))
            else:
                self.walk.visit(part)

    def looked_up(self, node: ast.Dict) -> None:
        """A dict whose keys are only looked up."""
        for name, value in zip(node.keys, node.values, strict=True):
            with self.source.collect() as inner:
                self.walk.visit(value)
            names = self.identical(name) if name is not None and self.is_class(name) else None
            if name is not None and names and (len(names) == 1 or isinstance(value, REPEATED)):
                text = self.source.text(value, inner)
                self.name_classes(name, "".join(f"{other}: {text}, " for other in names[:-1]) + names[-1])
            elif name is not None:
                self.walk.visit(name)
            self.source.edits += inner

    def is_class(self, node: ast.expr) -> bool:
        """Whether it names one of torch's classes."""
        value = value_at(node) if isinstance(node, NAMED) else None
        if not isinstance(value, Ref) or (entry(value.name) or {}).get("kind") != "class":
            return False
        callee = self.names.resolve(node)
        return callee is not None and callee.receiver is None

    def identical(self, node: ast.expr, based: bool = False) -> list[str] | None:
        """The text of each class that instances of torch's class have; None where some are not the target's own.

        based: with those that classes of the project derive from.
        """
        callee = self.names.resolve(node)
        assert callee is not None
        key = self.names.key_of(callee).partition(":")[0]
        if not stands_for_class(key, self.book):
            return None
        with self.draft.within(style=callee.style):
            return self.names.classes_of(key, based)

    def name_classes(self, node: ast.expr, text: str) -> None:
        callee = self.names.resolve(node)
        assert callee is not None
        self.names.count_load(node)
        key = self.names.key_of(callee).partition(":")[0]
        same = text == self.source.text(node)
        self.draft.record(node, key, Outcome.SAME if same else Outcome.INLINED, self.book.rules[key][0].where)
        if not same:
            self.source.edit(self.source.start(node), self.source.end(node), text)

    def as_equality(self, node: ast.Compare) -> None:
        """What stands for a torch class that is handed on is equal to the target's, not the same object."""
        if isinstance(node.ops[0], ast.Is):
            self.operator_text(node, r"\bis\b", "==")
        elif isinstance(node.ops[0], ast.IsNot):
            self.operator_text(node, r"\bis\s+not\b", "!=")

    def operator_text(self, node: ast.Compare, pattern: str, text: str) -> None:
        start, end = self.source.end(node.left), self.source.start(node.comparators[0])
        between = re.sub(rb"#[^\n]*", lambda found: b" " * len(found[0]), self.source.buffer[start:end])
        found = re.search(pattern.encode(), between)
        assert found is not None
        self.source.edit(start + found.start(), start + found.end(), text)

    def may_be_handed_on(self, node: ast.expr) -> bool:
        """Whether an expression that is compared with a class may be what stands for one of torch's."""
        value = value_at(node)
        if isinstance(value, (ClassOf, External, Plain)) or isinstance(node, ast.Constant):
            return False
        if isinstance(node, ast.Name) and node.id not in self.here.shadowed and hasattr(builtins, node.id):
            return False
        return self.shared.travel.classes and not self.is_class(node)


def is_type_of(node: ast.expr) -> bool:
    """``type(m)`` or ``m.__class__``"""
    if isinstance(node, ast.Attribute):
        return node.attr == "__class__"
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
    return called and len(node.args) == 1  # type: ignore[attr-defined]


def is_base_of(node: ast.expr) -> bool:
    """``Net.__bases__[0]``, ``Net.__base__``: what stands there for a class of torch's has a class of its own."""
    owner = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(owner, ast.Attribute) and owner.attr in {"__bases__", "__base__"}
