"""The walk over a file's statements and expressions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rewriters.infer.values import External, Ref
from rewriters.regions.plan import Plan, wrap
from rewriters.report import FileReport, Outcome
from rewriters.rewrite.annotations import Annotations
from rewriters.rewrite.augmented import Augmented
from rewriters.rewrite.buffers import Buffers
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.classes import Classes
from rewriters.rewrite.cloned import Clones
from rewriters.rewrite.companions import Companions
from rewriters.rewrite.constructors import Constructors
from rewriters.rewrite.decided import Decided
from rewriters.rewrite.draft import Draft, Part
from rewriters.rewrite.errors import Errors
from rewriters.rewrite.guarded_imports import guarded_imports
from rewriters.rewrite.helper_module import HelperModule
from rewriters.rewrite.installed import Installed
from rewriters.rewrite.items import Items
from rewriters.rewrite.known import Known
from rewriters.rewrite.layer_attributes import LayerAttributes
from rewriters.rewrite.local_names import local_names
from rewriters.rewrite.lookups import LookUps
from rewriters.rewrite.members import MemberUses
from rewriters.rewrite.membership import Membership
from rewriters.rewrite.naming import Names
from rewriters.rewrite.numbers import Numbers
from rewriters.rewrite.operators import Operators
from rewriters.rewrite.outputs import Outputs
from rewriters.rewrite.placing import Placing
from rewriters.rewrite.probes import Probes
from rewriters.rewrite.rebinding import Rebinding
from rewriters.rewrite.references import References
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Tools
from rewriters.rewrite.static_calls import StaticCalls
from rewriters.rewrite.stored_by_name import stored
from rewriters.rewrite.texts import Texts
from rewriters.rewrite.truths import Truths
from rewriters.rewrite.unknown_operators import UnknownOperators
from rewriters.rewrite.versions import Versions
from rewriters.text.fstrings import outside_fields, place_fstring, with_names_kept
from rewriters.text.slots import ByClass
from rewriters.text.tree import COMPREHENSIONS, FIELDS, children, last_name, walk
from rewriters.torch.table import mro

MODES = {"torch.no_grad", "torch.enable_grad", "torch.inference_mode"}


class FileRewriter(Part):
    """Rewrites one module of an inferred project."""

    def __init__(self, known: Known, helper: HelperModule) -> None:
        super().__init__(Draft(known, helper))
        self.names, self.placing = Names(self.draft), Placing(self.draft)
        tools = Tools(self.draft, self, self.names, self.placing)
        self.calls, self.items, self.layers = Calls(tools), Items(tools), LayerAttributes(tools)
        self.outputs, self.constructors = Outputs(tools, self.calls), Constructors(tools, self.calls, self.layers)
        self.references = References(tools, self.calls, self.items, self.layers)
        self.lookups, self.versions, self.installed = LookUps(tools), Versions(tools), Installed(tools)
        self.augments, self.annotations, self.numbers = Augmented(tools), Annotations(tools), Numbers(tools, self.calls)
        self.operators, self.clones = Operators(tools, self.calls, self.augments, self.items), Clones(tools)
        self.unknown = UnknownOperators(tools, self.calls, self.augments)
        self.membership, self.truths = Membership(tools, self.calls, self.unknown), Truths(tools, self.unknown)
        self.buffers, self.companions, self.rebinding = Buffers(tools, self.calls), Companions(tools), Rebinding(tools)
        self.classes, self.members, self.static = Classes(tools, self.references), MemberUses(tools), StaticCalls(tools)
        self.errors, self.texts, self.probes, self.decided = Errors(tools), Texts(tools), Probes(tools), Decided(tools)

    def run(self) -> tuple[bytes, FileReport]:
        """The file's new bytes, and its row."""
        draft, plan = self.draft, self.known.plan
        self.augments.look_for_copies(None)
        guarded_imports(draft, self.names)
        self.block(self.source.tree.body)
        self.references.handed_on()
        if plan is not None:
            plan.apply(draft)
            if plan.uses:
                draft.table.extra.append(f"from {self.known.graphs} import {', '.join(sorted(plan.uses))}")
        return draft.result(), draft.report

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            anchor = self.here.anchor
            first = statement.decorator_list[0] if getattr(statement, "decorator_list", None) else statement  # type: ignore[attr-defined]
            if not self.source.buffer[self.source.line_start(first.lineno) : self.source.start(first)].strip(b" \t\f@"):
                anchor = statement
            with self.draft.within(anchor=anchor, statement=statement):
                self.augments.arriving.write(statement)
                if statement in self.augments.differing:
                    self.augments.mark_shared(statement)
                if not self.static.writes(statement):
                    self.visit_statement(statement)

    def visit_statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self.companions.imported(node)
            return
        around = self.source.nodes.parents.get(node)
        if isinstance(around, ast.Try) and node in around.body and node in self.probes.attempted(around):
            self.probes.goes_on(node)
            return
        self.errors.expected_errors(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.members.rename(node)
            for decorator in node.decorator_list:
                self.visit_decorator(decorator)
            self.signature(node.args)
            if node.returns is not None:
                self.annotations.visit(node.returns)
            self.inside(node, node.body)
        elif isinstance(node, ast.ClassDef):
            for decorator in node.decorator_list:
                self.visit_decorator(decorator)
            self.constructors.visit_bases(node)
            for word in node.keywords:
                self.visit(word.value)
            self.block(node.body)
        elif (
            self.buffers.store(node)
            or self.rebinding.statement(node)
            or self.members.registers(node)
            or (isinstance(node, (ast.Assign, ast.AugAssign)) and self.numbers.stored_in_array(node))
            or stored(node, self.references, self.items)
            or (
                isinstance(node, ast.AugAssign)
                and (
                    (self.clones.divides(node) or self.items.store_item(node))
                    or self.augments.augmented(node)
                    or self.operators.promoted(node, "torch.Tensor.__iadd__")
                )
            )
        ):
            return
        elif isinstance(node, ast.AnnAssign):
            self.annotations.visit(node.annotation)
            self.visit(node.target)
            if node.value is not None:
                of_classes = last_name(node.target) in self.known.class_names
                (self.calls.visit_classes if of_classes else self.visit)(node.value)
        elif isinstance(node, ast.Assign) and {last_name(target) for target in node.targets} <= self.known.class_names:
            self.calls.visit_classes(node.value)
        else:
            self.visit_parts(node)
            self.draft.drop_idle(node)

    def visit_decorator(self, node: ast.expr) -> None:
        """A decorator without a counterpart lets the module be imported; the function raises when it is called."""
        function = node.func if isinstance(node, ast.Call) else node
        callee = self.names.resolve(function)
        key = "" if callee is None else self.names.key_of(callee)
        if callee is None or callee.receiver is not None or (self.book.answers(key) and key not in self.book.refusals):
            self.visit(node)
            if callee is not None and function is node and callee.key in MODES:  # torch's take the function, too
                self.source.edit(self.source.end(node), self.source.end(node), "()")
            return
        self.names.count_load(function)
        self.draft.mark(node, key, self.book.refusals.get(key) or self.draft.no_rule(key))
        text = self.draft.stand_in(key) + ("._decorator" if isinstance(node, ast.Call) else "._decorate")
        self.source.edit(self.source.start(function), self.source.end(function), text)
        if isinstance(node, ast.Call):
            self.calls.visit_arguments(node)

    def caught(self, node: ast.expr) -> None:
        """What a handler catches: of the stand-in, a class that nothing is an instance of."""
        for part in node.elts if isinstance(node, ast.Tuple) else [node]:
            marked = self.draft.report.counts()[Outcome.MARKED]
            self.visit(part, as_class=True)
            if self.draft.report.counts()[Outcome.MARKED] > marked and self.names.resolve(part):
                self.source.edit(self.source.end(part), self.source.end(part), "._exception")

    def visit_pattern(self, node: ast.MatchClass) -> None:
        """``case nn.Linear(in_features=n)``: it must be a class, so that of the stand-in is one that fails in time."""
        marked = self.draft.report.counts()[Outcome.MARKED]
        with self.draft.within(in_pattern=True, in_class_test=True):
            self.visit(node.cls, as_class=True)
        if self.draft.report.counts()[Outcome.MARKED] > marked:
            self.source.edit(self.source.end(node.cls), self.source.end(node.cls), "._pattern")
        value = value_at(node.cls)
        bases = mro(value.name) if isinstance(value, Ref) else ()
        for name in node.kwd_attrs:
            key = next((f"{base}.{name}" for base in bases if f"{base}.{name}" in self.book.rules), None)
            if key is not None:
                why = f"the pattern asks {self.target.title}'s layer for {name}: ask in the guard"
                self.draft.differs(node.cls, key, why)
        for part in [*node.patterns, *node.kwd_patterns]:
            self.visit_parts(part)

    def visit_parts(self, node: ast.AST) -> None:
        if isinstance(node, ast.FormattedValue) and self.texts.field_as_text(node):
            return
        if isinstance(node, ast.MatchClass):
            self.visit_pattern(node)
            return
        for name in FIELDS[node.__class__]:
            value: Any = getattr(node, name, None)
            if value.__class__ is list:
                if value and isinstance(value[0], ast.stmt):
                    self.block(value)
                    continue
                for part in value:
                    if isinstance(part, ast.expr):
                        self.visit(part)
                    elif isinstance(part, ast.AST):
                        self.visit_parts(part)
            elif isinstance(value, ast.expr):
                (self.caught if isinstance(node, ast.ExceptHandler) else self.visit)(value)
            elif isinstance(value, ast.AST):
                self.visit_parts(value)

    def signature(self, arguments: ast.arguments) -> None:
        starred = (arguments.vararg, *arguments.kwonlyargs, arguments.kwarg)
        for argument in (*arguments.posonlyargs, *arguments.args, *starred):
            if argument is not None and argument.annotation is not None:
                self.annotations.visit(argument.annotation)
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.visit(default)

    def inside(self, function: ast.FunctionDef | ast.AsyncFunctionDef, body: list[ast.stmt]) -> None:
        own, functions = self.locals_of[function], (*self.here.functions, function)
        with self.draft.within(functions=functions, shadowed=self.here.shadowed | own, own=own):
            self.augments.look_for_copies(function)
            self.block(body)

    @cached_property
    def locals_of(self) -> dict[ast.AST, set[str]]:
        return local_names(self.source.nodes, self.known.module.own)

    def changes_in(self, node: ast.JoinedStr) -> bool:
        """Whether something in the f-string's fields may be rewritten or reported: then true positions are needed."""
        for part in walk(node):
            if isinstance(part, ast.FormattedValue) and part not in self.texts.told and self.texts.wants_text(part):
                return True
            if not isinstance(part, (ast.Name, ast.Attribute)):
                continue
            if part in self.known.names_asked:
                return True
            callee = self.names.resolve(part)
            if callee is not None:
                if callee.receiver is None or self.names.key_of(callee) not in self.book.same:
                    return True
            elif isinstance(value_at(part), Ref) or (isinstance(part, ast.Attribute) and self.references.is_open(part)):
                return True
        return False

    def visit(self, node: ast.expr, as_class: bool = False) -> None:
        if self.clones.visited(node):
            return
        if self.known.plan is None:
            self.visit_plainly(node, as_class)
        else:
            self.visit_in_place(node, as_class, self.known.plan)
        self.truths.visited(node)
        self.classes.sizes.visited(node)

    def visit_in_place(self, node: ast.expr, as_class: bool, plan: Plan) -> None:
        """As the plan of what becomes static asks for."""
        if node in plan.parts:
            for part in plan.parts[node]:
                self.visit(part)
        elif node in plan.calls:
            assert isinstance(node, ast.Call)
            self.static.call(node, plan.calls[node])
        else:
            self.visit_plainly(node, as_class)
            before, after = plan.wraps.get(node, ("", ""))
            if node in plan.given:
                before, after = f"{self.draft.helper_text(self.book.rules[plan.given[node]])}(", ")"
            if before or after:
                wrap(self.source, node, before, after)

    def visit_call(self, node: ast.Call) -> None:
        done = (
            self.members.calls_itself(node)
            or self.operators.operator_function(node)
            or self.numbers.as_number(node)
            or self.lookups.looks_up(node)
            or self.installed.asked(node)
            or self.classes.name_asked(node)
            or self.layers.asks(node)
            or self.constructors.constructs(node)
            or self.outputs.stores(node)
        )
        if not done:
            self.calls.visit_call(node)
        self.rebinding.in_place_result(node)

    def operates(self, node: ast.expr) -> bool:
        """Whether an operator is rewritten, and with it its operands."""
        if isinstance(node, ast.Compare) and (
            self.versions.compares_version(node) or self.calls.questions.compared(node) or self.classes.comparison(node)
        ):
            return True
        return self.operators.operator(node) or self.membership.asked(node) or self.unknown.unknown_operator(node)

    def visit_plainly(self, node: ast.expr, as_class: bool = False) -> None:
        if not self.augments.becoming.takes_rows(node):
            HANDLERS[node.__class__](self, node, as_class)

    def of_Name(self, node: ast.Name, as_class: bool) -> None:
        own = node.id not in self.draft.table.by_name and node not in self.draft.keys
        if own and not isinstance(value_at(node), (Ref, External)):
            self.members.identified(node)
            return  # no name of torch's, and not bound by an import of one: most are not
        self.of_Attribute(node, as_class)

    def of_Attribute(self, node: ast.Attribute | ast.Name, as_class: bool) -> None:
        if self.members.method(node):
            return
        if not self.companions.named(node) and not self.operators.handed_on(node):
            self.classes.visit_reference(node, as_class)
            self.members.read(node)

    def of_Constant(self, node: ast.Constant, as_class: bool) -> None:
        self.lookups.named_by_text(node)

    def of_Call(self, node: ast.Call, as_class: bool) -> None:
        if not self.texts.takes_text(node):
            self.visit_call(node)

    def of_BinOp(self, node: ast.BinOp, as_class: bool) -> None:
        if as_class:
            self.visit_classes(node)
        elif not self.texts.takes_text(node) and not self.operates(node):
            self.visit_parts(node)

    def of_Compare(self, node: ast.Compare | ast.UnaryOp, as_class: bool) -> None:
        if (as_class or not self.operates(node)) and not self.decided.visit_negation(node):
            self.visit_parts(node)

    of_UnaryOp = of_Compare

    def of_BoolOp(self, node: ast.BoolOp, as_class: bool) -> None:
        if not self.truths.alternatives(node):
            self.decided.visit_alternatives(node)

    def of_IfExp(self, node: ast.IfExp, as_class: bool) -> None:
        self.decided.visit_choice(node)

    def of_Dict(self, node: ast.Dict, as_class: bool) -> None:
        (self.classes.looked_up if node in self.known.dicts else self.visit_parts)(node)

    def of_List(self, node: ast.List | ast.Set | ast.Tuple, as_class: bool) -> None:
        if node in self.known.displays and not as_class:
            self.classes.members(node, based=True)
        elif isinstance(node, ast.Tuple) and as_class:
            self.visit_classes(node)
        else:
            self.visit_parts(node)

    of_Set = of_Tuple = of_List

    def visit_classes(self, node: ast.expr) -> None:
        for child in (one for one in children(node) if isinstance(one, ast.expr)):
            self.visit(child, as_class=True)

    def of_Subscript(self, node: ast.Subscript, as_class: bool) -> None:
        if not self.members.part(node):
            self.rebinding.index_lists(node)
            self.references.visit_subscript(node)

    def of_Lambda(self, node: ast.Lambda, as_class: bool) -> None:
        self.signature(node.args)
        own = {argument.arg for argument in walk(node.args) if isinstance(argument, ast.arg)}
        with self.draft.within(shadowed=self.here.shadowed | own):
            self.visit(node.body)

    def of_JoinedStr(self, node: ast.JoinedStr, as_class: bool) -> None:
        if self.changes_in(node):
            place_fstring(node, self.source)
        own = {quote for quote in "'\"" if quote in outside_fields(node, self.source)}
        with self.draft.within(quotes=self.here.quotes | own), self.source.collect() as inner:
            self.visit_parts(node)
        self.source.edits += with_names_kept(node, inner, self.source)

    def of_comprehension(self, node: ast.expr, as_class: bool) -> None:
        targets = [name for generator in node.generators for name in walk(generator.target)]  # type: ignore[attr-defined]
        own = {name.id for name in targets if isinstance(name, ast.Name)}
        with self.draft.within(shadowed=self.here.shadowed | own):
            self.visit_parts(node)


HANDLERS: ByClass[Any] = ByClass(
    {
        getattr(ast, name.removeprefix("of_")): method
        for name, method in vars(FileRewriter).items()
        if name.startswith("of_") and hasattr(ast, name.removeprefix("of_"))
    }
    | dict.fromkeys(COMPREHENSIONS, FileRewriter.of_comprehension),
    lambda walk, node, as_class: walk.visit_parts(node),
)
