"""The walk over a file's statements and expressions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from rewriters.infer.values import Ref
from rewriters.regions.plan import Plan
from rewriters.report import Code, Outcome, Site, Status
from rewriters.rewrite.class_uses import name_of
from rewriters.rewrite.import_edits import ImportEditor
from rewriters.rewrite.local_names import COMPREHENSIONS, local_names
from rewriters.rewrite.marks import shorten
from rewriters.rewrite.resolving import Callee, value_at
from rewriters.rewrite.texts import Texts, told
from rewriters.rewrite.truths import KEY, may_be_lost, tested
from rewriters.rules.rulebook import dotted
from rewriters.text.fstrings import place_fstring
from rewriters.text.tree import FIELDS, children, walk
from rewriters.torch.table import mro


class FileRewriter(Texts):
    """Rewrites one module of an inferred project."""

    plan: Plan | None = None

    def run(self, plan: Plan | None = None, graphs: str = "") -> bytes:
        """The file's new bytes.

        plan: what becomes a static graph; graphs: the module that has what it uses.
        """
        self.plan = plan
        self.differing = {}
        self.look_for_copies(None)
        self.guarded_imports()
        self.told = told(self.source.nodes)
        self.block(self.source.tree.body)
        if plan is not None:
            plan.apply(self)
            if plan.uses:
                self.table.extra.append(f"from {graphs} import {', '.join(sorted(plan.uses))}")
        if self.helper_used:
            self.table.extra.append(self.helper_import)
        ImportEditor(self.table, self.helper_import, self.helper_call, self.removal).rewrite()
        for line, texts in self.above.items():
            indent = self.source.indentation(line)
            at = self.source.line_start(line)
            self.source.edit(at, at, "".join(f"{indent}{text}{self.source.newline}" for text in texts.values()))
        result = self.source.result()
        changed = bool(self.source.edits)
        self.report.status = Status.CONVERTED if changed else Status.UNCHANGED
        self.report.sites.sort(key=lambda site: (site.line, site.column))
        return result

    def guarded_imports(self) -> None:
        """``try: from torch import f`` with another way behind ``except ImportError``: the name stays bound, to what f
        is here, or else the other way is taken.
        """
        for binding in self.table.bindings:
            statement = binding.statement
            if not binding.guarded or statement is None:
                continue
            key = binding.source
            if binding.is_module:
                binding.lacking = self.table.mapped(key) is None and not self.book.answers_below(key)
                binding.kept |= self.table.mapped(key) is not None and binding.fallback
                detail = f"{key} has no counterpart in {self.target.title}"
            else:
                binding.lacking = key in self.book.refusals or not self.book.answers(key)
                detail = self.book.refusals.get(key) or self.no_rule(key)
                if not binding.lacking and binding.fallback:
                    _, binding.text, _ = self.value_text(key, Callee(key, style=binding), as_class=False)
            if binding.lacking:
                self.report.sites.append(Site(statement.lineno, statement.col_offset + 1, key, Outcome.MARKED, detail))
                text = (Code.REFUSED if key in self.book.refusals else Code.NO_RULE).comment(detail)
                self.above.setdefault(statement.lineno, {})[text] = text

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            outer = (self.anchor, self.statement)
            first = statement.decorator_list[0] if getattr(statement, "decorator_list", None) else statement  # type: ignore[attr-defined]
            start = self.source.start(first)
            if not self.source.original(self.source.line_start(first.lineno), start).strip(" \t\f@"):
                self.anchor = statement
            self.statement = statement
            if statement in self.differing:
                self.mark_shared(statement)
            self.visit_statement(statement)
            self.anchor, self.statement = outer

    def visit_statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        self.expected_errors(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                self.visit_decorator(decorator)
            self.signature(node.args)
            if node.returns is not None:
                self.annotation(node.returns)
            self.inside(node, node.body)
        elif isinstance(node, ast.ClassDef):
            for decorator in node.decorator_list:
                self.visit_decorator(decorator)
            self.visit_bases(node)
            for word in node.keywords:
                self.visit(word.value)
            self.block(node.body)
        elif (isinstance(node, ast.Assign) and (self.store_item(node) or self.store(node))) or (
            isinstance(node, ast.AugAssign)
            and (self.store_item(node) or self.augmented(node) or self.promoted(node, "torch.Tensor.__iadd__"))
        ):
            return
        elif isinstance(node, ast.AnnAssign):
            self.annotation(node.annotation)
            self.visit(node.target)
            if node.value is not None:
                (self.visit_classes if name_of(node.target) in self.class_names else self.visit)(node.value)
        elif isinstance(node, ast.Assign) and {name_of(target) for target in node.targets} <= self.class_names:
            self.visit_classes(node.value)
        else:
            self.visit_parts(node)

    def visit_decorator(self, node: ast.expr) -> None:
        """A decorator without a counterpart lets the module be imported; the function raises when it is called."""
        function = node.func if isinstance(node, ast.Call) else node
        callee = self.resolve(function)
        if callee is None or callee.receiver is not None or self.has_counterpart(self.key_of(callee)):
            self.visit(node)
            return
        self.count_load(function)
        key = self.key_of(callee)
        self.mark(node, key, self.book.refusals.get(key) or self.no_rule(key))
        text = self.stand_in(key) + ("._decorator" if isinstance(node, ast.Call) else "._decorate")
        self.source.edit(self.source.start(function), self.source.end(function), text)
        if isinstance(node, ast.Call):
            self.visit_arguments(node)

    def has_counterpart(self, key: str) -> bool:
        return self.book.answers(key) and key not in self.book.refusals

    def caught(self, node: ast.expr) -> None:
        """What a handler catches: of the stand-in, a class that nothing is an instance of."""
        for part in node.elts if isinstance(node, ast.Tuple) else [node]:
            marked = self.report.counts()[Outcome.MARKED]
            self.visit(part, as_class=True)
            if self.report.counts()[Outcome.MARKED] > marked and self.resolve(part):
                self.source.edit(self.source.end(part), self.source.end(part), "._exception")

    def visit_pattern(self, node: ast.MatchClass) -> None:
        """``case nn.Linear(in_features=n)``: it must be a class, so that of the stand-in is one that fails in time."""
        marked = self.report.counts()[Outcome.MARKED]
        self.in_pattern = self.in_class_test = True
        self.visit(node.cls, as_class=True)
        self.in_pattern = self.in_class_test = False
        if self.report.counts()[Outcome.MARKED] > marked:
            self.source.edit(self.source.end(node.cls), self.source.end(node.cls), "._pattern")
        value = value_at(node.cls)
        bases = mro(value.name) if isinstance(value, Ref) else ()
        for name in node.kwd_attrs:
            key = next((f"{base}.{name}" for base in bases if f"{base}.{name}" in self.book.rules), None)
            if key is not None:
                self.differs(
                    node.cls, key, f"the pattern asks {self.target.title}'s layer for {name}: ask in the guard"
                )
        for part in [*node.patterns, *node.kwd_patterns]:
            self.visit_parts(part)

    def visit_parts(self, node: ast.AST) -> None:
        if isinstance(node, ast.FormattedValue) and self.field_as_text(node):
            return
        if isinstance(node, ast.MatchClass):
            self.visit_pattern(node)
            return
        held = node.__dict__
        for name in FIELDS[node.__class__]:
            value = held.get(name)
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
        for argument in walk(arguments):
            if isinstance(argument, ast.arg) and argument.annotation is not None:
                self.annotation(argument.annotation)
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.visit(default)

    def inside(self, function: ast.FunctionDef | ast.AsyncFunctionDef, body: list[ast.stmt]) -> None:
        outer = self.shadowed
        self.functions.append(function)
        self.look_for_copies(function)
        self.shadowed = outer | self.locals_of[function]
        self.block(body)
        self.functions.pop()
        self.shadowed = outer

    @cached_property
    def locals_of(self) -> dict[ast.AST, set[str]]:
        return local_names(self.source.nodes)

    def annotation(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant):
            quoted = self.quoted(node)
            if quoted is not None:
                self.annotation(quoted)
            return
        if isinstance(node, ast.Subscript) and (dotted(node.value) or "").rpartition(".")[2] == "Literal":
            self.annotation(node.value)
            return
        if isinstance(node, (ast.Name, ast.Attribute)):
            self.visit(node, as_class=True)
            return
        for child in children(node):
            if isinstance(child, ast.expr):
                self.annotation(child)

    def changes_in(self, node: ast.JoinedStr) -> bool:
        """Whether something in the f-string's fields may be rewritten or reported: then true positions are needed."""
        for part in walk(node):
            if isinstance(part, ast.FormattedValue) and part not in self.told and self.wants_text(part):
                return True
            if not isinstance(part, (ast.Name, ast.Attribute)):
                continue
            if part in self.names_asked:
                return True
            callee = self.resolve(part)
            if callee is not None:
                if callee.receiver is None or self.key_of(callee) not in self.book.same:
                    return True
            elif isinstance(value_at(part), Ref) or (isinstance(part, ast.Attribute) and self.is_open(part)):
                return True
        return False

    def outside_fields(self, node: ast.JoinedStr) -> str:
        """The f-string's text without its replacement fields."""
        fields = [part.value for part in walk(node) if isinstance(part, ast.FormattedValue)]
        text, position = "", self.source.start(node)
        for field in sorted(fields, key=self.source.start):
            if self.source.start(field) >= position:
                text += self.source.original(position, self.source.start(field))
                position = self.source.end(field)
        return text + self.source.original(position, self.source.end(node))

    def quoted(self, node: ast.Constant) -> ast.expr | None:
        """The expression inside a quoted annotation, with positions in the file; None where the text is not plain."""
        inner: ast.expr | None = getattr(node, "quoted", None)
        text = self.source.text(node)
        if inner is None or text[1:-1] != node.value or node.lineno != node.end_lineno:
            return None
        for part in walk(inner):
            if isinstance(part, ast.expr):
                part.lineno = part.end_lineno = node.lineno
                part.col_offset += node.col_offset + 1
                part.end_col_offset = (part.end_col_offset or 0) + node.col_offset + 1
        return inner

    def visit(self, node: ast.expr, as_class: bool = False) -> None:
        if self.plan is None:
            self.visit_plainly(node, as_class)
        else:
            self.visit_in_place(node, as_class, self.plan)
        if node in self.conditions and may_be_lost(node):
            rules = self.book.rules[KEY]
            self.record(node, KEY, Outcome.HELPER, rules[0].where)
            self.source.edit(self.source.start(node), self.source.start(node), f"{self.helper_text(rules)}(")
            self.source.edit(self.source.end(node), self.source.end(node), ")")

        elif isinstance(node, ast.BoolOp) and KEY in self.book.rules:
            for part in node.values[:-1]:
                if may_be_lost(part) and part not in self.conditions:
                    shown = shorten(self.source.text(part))
                    why = f"{self.target.title} holds a tensor below 0 for false: compare {shown} with 0"
                    self.differs(part, KEY, why)

    @cached_property
    def conditions(self) -> frozenset[ast.expr]:
        """What is asked whether it holds, where the target has an answer of its own."""
        return tested(self.module.nodes) if KEY in self.book.rules else frozenset()

    def visit_in_place(self, node: ast.expr, as_class: bool, plan: Plan) -> None:
        """As the plan of what becomes static asks for."""
        if node in plan.calls:
            assert isinstance(node, ast.Call)
            self.visit_static_call(node, plan.calls[node])
        else:
            self.visit_plainly(node, as_class)
            if node in plan.wraps:
                before, after = plan.wraps[node]
                self.source.edit(self.source.start(node), self.source.start(node), before)
                self.source.edit(self.source.end(node), self.source.end(node), after)

    def visit_static_call(self, node: ast.Call, function: str) -> None:
        """``receiver.method(x)`` becomes ``function(receiver, x)``."""
        assert isinstance(node.func, ast.Attribute)
        receiver, source = node.func.value, self.source
        self.visit(receiver)
        for argument in [*node.args, *(word.value for word in node.keywords)]:
            self.visit(argument)
        opening = source.buffer.index(b"(", source.end(node.func)) + 1
        source.edit(source.start(node), source.start(node), f"{function}(")
        source.edit(source.end(receiver), opening, ", " if node.args or node.keywords else "")

    def visit_plainly(self, node: ast.expr, as_class: bool = False) -> None:
        if isinstance(node, (ast.Attribute, ast.Name)):
            self.visit_reference(node, as_class)
        elif isinstance(node, ast.Constant) or (isinstance(node, (ast.Call, ast.BinOp)) and self.takes_text(node)):
            return
        elif isinstance(node, ast.Call):
            self.visit_call(node)
        elif isinstance(node, (ast.BinOp, ast.Compare, ast.UnaryOp)) and not as_class and self.changes(node):
            return
        elif isinstance(node, ast.Dict) and node in self.dicts:
            self.looked_up(node)
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set)) and node in self.displays and not as_class:
            self.members(node, based=True)
        elif isinstance(node, ast.Subscript):
            self.visit_subscript(node)
        elif isinstance(node, (ast.Tuple, ast.BinOp)) and as_class:
            for child in children(node):
                if isinstance(child, ast.expr):
                    self.visit(child, as_class=True)
        elif isinstance(node, ast.Lambda):
            self.signature(node.args)
            outer = self.shadowed
            self.shadowed = outer | {argument.arg for argument in walk(node.args) if isinstance(argument, ast.arg)}
            self.visit(node.body)
            self.shadowed = outer
        elif isinstance(node, ast.JoinedStr):
            outer_quotes = self.quotes
            if self.changes_in(node):
                place_fstring(node, self.source)
            self.quotes = outer_quotes | {quote for quote in "'\"" if quote in self.outside_fields(node)}
            self.visit_parts(node)
            self.quotes = outer_quotes
        elif isinstance(node, COMPREHENSIONS):
            outer = self.shadowed
            targets = [name for generator in node.generators for name in walk(generator.target)]
            self.shadowed = outer | {name.id for name in targets if isinstance(name, ast.Name)}
            self.visit_parts(node)
            self.shadowed = outer
        else:
            self.visit_parts(node)
