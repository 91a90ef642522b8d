"""Classes derived from torch's: what they derive from, and what they give its constructor.

``super().__init__(dim, eps=1e-6)`` in a class derived from nn.LayerNorm is a call of LayerNorm's rule like any other.
Where the rule makes one call of the target's class of it, the class derives from that; else from what stands for
torch's class, whose constructor takes torch's arguments.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import ClassOf, Ref
from rewriters.report import Outcome
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.layer_attributes import LayerAttributes
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.torch_class import made_classes, stands_for_class
from rewriters.rules.binding import choose
from rewriters.rules.call_layout import rewrite_arguments
from rewriters.rules.inline import Inliner, Plan, RuleRaises, reasons_of
from rewriters.rules.ordering import check_effects
from rewriters.rules.refusal import NoMatch, Refusal
from rewriters.rules.rulebook import dotted
from rewriters.rules.tidy import tidy
from rewriters.text.source_text import Edit
from rewriters.text.tree import children
from rewriters.torch.table import mro

MODULE = "torch.nn.Module"


class Constructors(Rewriting):
    """Rewrites the bases of classes, and calls of their constructors."""

    def __init__(self, tools: Tools, calls: Calls, layers: LayerAttributes) -> None:
        super().__init__(tools)
        self.calls, self.layers = calls, layers
        # Calls of a base's constructor that become calls of the target's, and torch's name of the base.
        self.constructions: dict[ast.Call, str] = {}

    def constructs(self, node: ast.Call) -> bool:
        """Whether it is such a call; it has been rewritten then."""
        if node in self.constructions:
            self.construct(node)
        return node in self.constructions

    def visit_bases(self, node: ast.ClassDef) -> None:
        calls = self.constructed_by(node)
        self.constructions.update(calls)
        self.layers.properties(node)
        self.unheard(node)
        with self.draft.within(in_bases=True):
            for base in node.bases:
                if calls and base is node.bases[0]:
                    self.name_base(base)
                else:
                    self.walk.visit(base, as_class=True)

    def unheard(self, node: ast.ClassDef) -> None:
        """Mark methods that torch calls of a module of the program's, and the target does not: ``get_extra_state``."""
        methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
        for part in methods if any(map(is_module, node.bases)) else []:
            for rule in self.book.rules.get(f"{MODULE}.{part.name}:own", []):
                with self.draft.within(anchor=part, statement=part):
                    for reason in reasons_of(rule.node):
                        self.draft.differs(part, f"{MODULE}.{part.name}", reason)

    def name_base(self, base: ast.expr) -> None:
        """The target's class, whose constructor is called."""
        callee = self.names.resolve(base)
        assert callee is not None
        self.names.count_load(base)
        key = self.names.key_of(callee)
        with self.draft.within(style=callee.style):
            text = self.draft.spell(made_classes(self.book, key)[0][0])
        self.draft.record(base, key, Outcome.INLINED, self.book.rules[key][0].where)
        self.source.edit(self.source.start(base), self.source.end(base), text)

    def constructed_by(self, node: ast.ClassDef) -> dict[ast.Call, str]:
        """The calls of the base's constructor in a class, with torch's name of the base, where each is one of the
        target's class. Empty where some are not, or where the constructor is inherited.
        """
        base = node.bases[0] if len(node.bases) == 1 else None
        value = value_at(base) if base is not None else None
        if not isinstance(value, Ref) or not stands_for_class(value.name, self.book) or base in self.draft.keys:
            return {}
        key = value.name
        made = [name for name, own in made_classes(self.book, key) if own is None]
        if (
            node in self.shared.travel.resetting
            or len(made) != 1
            or f"{key}:base" in self.book.rules
            or not any(is_init(part) for part in node.body)
        ):
            return {}
        calls = [call for part in node.body for call in parent_calls(part)]
        if any(self.construction(call, key, []) is None for call in calls) or names_init(node):
            return {}
        return dict.fromkeys(calls, key)

    def construction(self, node: ast.Call, key: str, inner: list[Edit]) -> tuple[Plan, ast.Call] | None:
        """The call of the target's class that the rule of torch's makes of these arguments."""
        arguments = self.calls.arguments(node, None, inner)
        try:
            bound = choose(self.book.rules[key], arguments, self.target.ambient)
            plan = Inliner(bound).plan()
            self.placing.check_free_names(plan, bound.rule)
            check_effects(plan, arguments, self.known.rebindable)
        except (NoMatch, Refusal, RuleRaises):
            return None
        made = {name for name, own in made_classes(self.book, key) if own is None}
        result = plan.result
        if plan.statements or plan.differs or not isinstance(result, ast.Call) or dotted(result.func) not in made:
            return None
        found = tidy(result, self.shared.signatures, key)
        return (plan, found) if isinstance(found, ast.Call) else None

    def construct(self, node: ast.Call) -> None:
        """``super().__init__(dim, eps=eps)`` with the target's arguments."""
        key = self.constructions[node]
        with self.source.collect() as inner:
            self.calls.visit_arguments(node)
        made = self.construction(node, key, inner)
        assert made is not None
        result = made[1]
        opening = self.placing.opening(node)
        text = rewrite_arguments(
            self.source, node, opening, inner, self.calls.arguments(node, None, inner), result, self.draft.printer
        )
        if text is None:
            shown = self.draft.printer.text(result)
            text = shown[shown.index("(") :]
        same = text == self.source.original(opening, self.source.end(node))
        self.draft.record(node, key, Outcome.SAME if same else Outcome.INLINED, self.book.rules[key][0].where)
        if not same:
            self.draft.keep_comments(opening, self.source.end(node), text)
            self.source.edit(opening, self.source.end(node), text)


def is_init(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "__init__"


def parent_calls(node: ast.AST) -> list[ast.Call]:
    """``super().__init__(...)``, ``super(Name, self).__init__(...)`` below a node, those of inner classes left out."""
    found: list[ast.Call] = []
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.ClassDef):
            continue
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "__init__":
            of = part.func.value
            if isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "super":
                found.append(part)
        stack += children(part)
    return found


def is_module(base: ast.expr) -> bool:
    """Whether a base is one of torch's modules, or a class of the project's that derives from one."""
    value = value_at(base)
    return MODULE in mro(value.name) if isinstance(value, Ref) else isinstance(value, ClassOf) and value.info.is_module


def names_init(node: ast.ClassDef) -> bool:
    """Whether a class calls a constructor by its class's name, or hands a constructor on."""
    called = {call.func for part in node.body for call in parent_calls(part)}
    stack: list[ast.AST] = list(node.body)
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Attribute) and part.attr == "__init__" and part not in called:
            return True
        stack += children(part)
    return False
