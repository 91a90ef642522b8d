"""Rewriting one file: every use of torch meets its rule."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from rewriters import imports
from rewriters.binding import Argument, Bound, NoMatch, Refusal, choose
from rewriters.fstrings import place_fstrings
from rewriters.helper_module import HelperModule, helper_name
from rewriters.inline import Hole, Inliner, Plan, RuleRaises, check_effects
from rewriters.render import ATOM, Printer, Signature, precedence, rewrite_arguments, tidy
from rewriters.report import FileReport, Site
from rewriters.rulebook import Rule, Rulebook, dotted
from rewriters.source.table import entry, is_module, mro
from rewriters.source_text import Edit, Source, comments
from rewriters.target import Target
from rewriters.values import Bottom, Instance, Method, ModuleInfo, ObjectOf, Ref, Tensor, Unknown, Value, torch_class

# Attributes that tensors share with builtin containers: an assumed tensor's are left alone.
SHARED = set(dir(list)) | set(dir(dict)) | set(dir(str)) | set(dir(tuple)) | set(dir(set))
Use = ast.Call | ast.Attribute | ast.Subscript
CLASS_TESTS = {"isinstance", "issubclass"}


@dataclass(eq=False)
class Callee:
    """What a call or reference resolves to.

    key:      canonical torch name.
    receiver: the expression a method is called on.
    style:    the import binding through which the source named the torch object.
    spelling: torch's name as the source has it, where that is not the canonical one (``torch.long``).
    """

    key: str
    receiver: ast.expr | None = None
    style: imports.Binding | None = None
    owner: str = ""
    spelling: str = ""


class FileRewriter:
    """Rewrites one module of an inferred project."""

    def __init__(
        self,
        source: Source,
        module: ModuleInfo,
        target: Target,
        book: Rulebook,
        signatures: dict[str, Signature],
        helper: HelperModule,
        helper_import: str,
        helper_call: str,
        keys: dict[ast.AST, str],
        handed_on: set[str],
    ) -> None:
        self.source = source
        self.module = module
        self.target = target
        self.book = book
        self.signatures = signatures
        self.helper = helper
        self.helper_import = helper_import
        self.helper_call = helper_call
        self.keys = keys
        self.table = imports.collect(source, target)
        for binding in self.table.bindings:
            if binding.name in handed_on and binding.scope is None:
                binding.kept = True
        self.report = FileReport(str(module.path))
        self.functions: list[ast.AST] = []
        self.shadowed: set[str] = set()
        self.anchor: ast.stmt | None = None
        self.statement: ast.stmt | None = None
        self.above: dict[int, list[str]] = {}
        self.helper_used = False
        self.operands = operands(source.tree)
        self.style: imports.Binding | None = None
        quote = "'" if source.buffer.count(b"'") > source.buffer.count(b'"') else '"'
        self.printer = Printer(target.package, self.spell, quote)

    # -- the walk -------------------------------------------------------------------------------------------------

    def run(self) -> bytes:
        """The file's new bytes."""
        place_fstrings(self.source)
        self.block(self.source.tree.body)
        if self.helper_used:
            self.table.extra.append(self.helper_import)
        self.table.rewrite()
        for line, texts in self.above.items():
            indent = self.source.indentation(line)
            at = self.source.line_start(line)
            unique = list(dict.fromkeys(texts))
            self.source.edit(at, at, "".join(f"{indent}{text}{self.source.newline}" for text in unique))
        result = self.source.result()
        changed = bool(self.source.edits)
        self.report.status = "converted" if changed else "unchanged"
        self.report.sites.sort(key=lambda site: (site.line, site.column))
        return result

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            outer = (self.anchor, self.statement)
            first = statement.decorator_list[0] if getattr(statement, "decorator_list", None) else statement  # type: ignore[attr-defined]
            start = self.source.start(first)
            if not self.source.original(self.source.line_start(first.lineno), start).strip(" \t\f@"):
                self.anchor = statement
            self.statement = statement
            self.visit_statement(statement)
            self.anchor, self.statement = outer

    def visit_statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                self.visit(decorator)
            self.signature(node.args)
            if node.returns is not None:
                self.annotation(node.returns)
            self.inside(node, node.body)
        elif isinstance(node, ast.ClassDef):
            for decorator in node.decorator_list:
                self.visit(decorator)
            for base in node.bases:
                self.visit(base, as_class=True)
            for word in node.keywords:
                self.visit(word.value)
            self.block(node.body)
        elif isinstance(node, ast.AnnAssign):
            self.annotation(node.annotation)
            self.visit(node.target)
            if node.value is not None:
                self.visit(node.value)
        else:
            self.visit_parts(node)

    def visit_parts(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self.block(value)
            elif isinstance(value, list):
                for part in value:
                    if isinstance(part, ast.expr):
                        self.visit(part)
                    elif isinstance(part, ast.AST):
                        self.visit_parts(part)
            elif isinstance(value, ast.expr):
                self.visit(value, as_class=isinstance(node, ast.ExceptHandler) and name == "type")
            elif isinstance(value, ast.AST):
                self.visit_parts(value)

    def signature(self, arguments: ast.arguments) -> None:
        for argument in ast.walk(arguments):
            if isinstance(argument, ast.arg) and argument.annotation is not None:
                self.annotation(argument.annotation)
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.visit(default)

    def inside(self, function: ast.FunctionDef | ast.AsyncFunctionDef, body: list[ast.stmt]) -> None:
        outer = self.shadowed
        self.functions.append(function)
        self.shadowed = outer | local_names(function)
        self.block(body)
        self.functions.pop()
        self.shadowed = outer

    def annotation(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant):
            return
        if isinstance(node, (ast.Name, ast.Attribute)):
            self.visit(node, as_class=True)
            return
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.annotation(child)

    def visit(self, node: ast.expr, as_class: bool = False) -> None:
        if isinstance(node, ast.Call):
            self.visit_call(node)
        elif isinstance(node, ast.Subscript):
            self.visit_subscript(node)
        elif isinstance(node, (ast.Attribute, ast.Name)):
            self.visit_reference(node, as_class)
        elif isinstance(node, (ast.Tuple, ast.BinOp)) and as_class:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self.visit(child, as_class=True)
        elif isinstance(node, ast.Lambda):
            self.signature(node.args)
            outer = self.shadowed
            self.shadowed = outer | {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
            self.visit(node.body)
            self.shadowed = outer
        else:
            self.visit_parts(node)

    # -- resolving --------------------------------------------------------------------------------------------------

    def binding_of(self, node: ast.expr) -> imports.Binding | None:
        """The import binding at the root of a dotted name that is torch's."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        return self.table.find(node.id, self.functions)

    def resolve(self, node: ast.expr) -> Callee | None:
        """The torch object that an expression names directly, or whose method or property it is."""
        value = value_at(node)
        if node in self.keys:
            return Callee(self.keys[node], None, self.binding_of(node))
        if isinstance(value, Ref) and not is_module(value.name):
            binding = self.binding_of(node)
            if binding is None and not self.through_project(node):
                return None
            text = dotted(node) or ""
            spelling = binding.source + text[len(binding.name) :] if binding is not None else ""
            return Callee(value.name, None, binding, spelling=spelling)
        if not isinstance(node, ast.Attribute):
            return None
        receiver = value_at(node.value)
        if isinstance(receiver, Tensor):
            if entry(f"torch.Tensor.{node.attr}") is None or (receiver.assumed and node.attr in SHARED):
                return None
            return Callee(f"torch.Tensor.{node.attr}", node.value)
        if isinstance(value, Method) and value.name.startswith("torch."):
            return Callee(value.name, node.value, owner=torch_class(value.receiver) or "")
        if isinstance(receiver, (Instance, ObjectOf)) and not isinstance(value, Method):
            owner = torch_class(receiver)
            if (
                owner
                and self.filed(owner, node.attr)
                and not (isinstance(receiver, ObjectOf) and defines(receiver, node.attr))
            ):
                return Callee(f"{owner}.{node.attr}", node.value, owner=owner)
        return None

    def through_project(self, node: ast.expr) -> bool:
        """Whether a dotted name reaches torch through another module of the project (``common.nn.Linear``)."""
        return isinstance(node, ast.Attribute) and isinstance(value_at(node.value), Ref)

    def filed(self, owner: str, attribute: str) -> bool:
        return any(self.book.answers(f"{base}.{attribute}") for base in mro(owner))

    def key_of(self, callee: Callee) -> str:
        """The name under which the rulebook answers: a method may be filed under a base class."""
        if self.book.answers(callee.key):
            return callee.key
        name = callee.key.rpartition(".")[2]
        owner = callee.owner or callee.key.rpartition(".")[0]
        for base in mro(owner):
            if self.book.answers(f"{base}.{name}"):
                return f"{base}.{name}"
        return callee.key

    def spell(self, name: str) -> str:
        return self.table.spell(name, self.functions, self.shadowed, self.style)

    # -- references -------------------------------------------------------------------------------------------------

    def visit_reference(self, node: ast.Attribute | ast.Name, as_class: bool = False) -> None:
        """A name used as a value, a property, or an attribute of something."""
        callee = self.resolve(node)
        if callee is None:
            if isinstance(node, ast.Attribute):
                self.unknown(node)
                if isinstance(value_at(node), Ref) and self.binding_of(node):
                    self.module_reference(node)
                else:
                    self.visit(node.value)
            elif isinstance(value_at(node), Ref) and isinstance(node.ctx, ast.Load):
                self.module_reference(node)
            return
        if callee.receiver is not None:
            self.property(node, callee)
            return
        self.count_load(node)
        key = self.key_of(callee)
        outcome, text, detail = self.value_text(key, callee, as_class)
        if outcome == "marked":
            self.mark(node, key, detail)
        else:
            self.record(node, key, outcome, detail)
        self.source.edit(self.source.start(node), self.source.end(node), text)

    def count_load(self, node: ast.expr) -> None:
        binding = self.binding_of(node)
        if binding is not None:
            binding.loads += 1

    def module_reference(self, node: ast.Attribute | ast.Name) -> None:
        """One of torch's modules itself used as a value: ``getattr(nn, name)``."""
        value = value_at(node)
        binding = self.binding_of(node)
        if not isinstance(value, Ref) or binding is None:
            return
        binding.loads += 1
        module = self.table.mapped(value.name)
        if not is_module(value.name):
            return
        if module is None:
            self.mark(node, value.name, f"{value.name} has no counterpart in {self.target.title}")
            self.source.edit(self.source.start(node), self.source.end(node), self.stand_in(value.name))
            return
        text = self.table.spell(module, self.functions, self.shadowed)
        self.source.edit(self.source.start(node), self.source.end(node), text)
        self.mark(
            node,
            value.name,
            f"what is looked up in {value.name} by a computed name is not converted: "
            f"check that {module} has it, with the same arguments",
        )

    def value_text(self, key: str, callee: Callee, as_class: bool) -> tuple[str, str, str]:
        """(outcome, text, detail) of a torch object used as a value."""
        self.style = callee.style
        try:
            book = self.book
            if key in book.refusals:
                return "marked", self.stand_in(key), book.refusals[key]
            if callee.spelling in book.spelled:
                return "inlined", self.constant(book.spelled[callee.spelling]), "alias"
            if key in book.aliases:
                return "inlined", self.constant(book.aliases[key]), "alias"
            if key in book.same:
                return "same", self.spell(self.map_name(key)), ""
            rules = book.rules.get(key, [])
            if not rules:
                return "marked", self.stand_in(key), self.no_rule(key)
            name = plain_target(rules, self.target.package)
            if as_class and name:
                return "inlined", self.spell(name), rules[0].where
            if name and transparent(rules[0], self.signatures.get(name)):
                return "inlined", self.spell(name), rules[0].where
            return "helper", self.helper_text(rules), "Value: used as a value, its calls are not known"
        finally:
            self.style = None

    def constant(self, text: str) -> str:
        """An alias's text: a dotted name of the target, or a literal such as 'float32'."""
        if text.split(".")[0] == self.target.package:
            return self.spell(text)
        return text

    def map_name(self, key: str) -> str:
        """The target's name for a torch name that is the same there."""
        module, _, name = key.rpartition(".")
        while module:
            mapped = self.table.mapped(module)
            if mapped is not None:
                return f"{mapped}.{name}"
            module, _, head = module.rpartition(".")
            name = f"{head}.{name}"
        return key

    def property(self, node: ast.Attribute | ast.Name, callee: Callee) -> None:
        """A property, or a bound method that is not called."""
        assert isinstance(node, ast.Attribute)
        assert callee.receiver is not None
        key = self.key_of(callee)
        if key in self.book.same:
            self.record(node, key, "same")
            self.visit(callee.receiver)
            return
        known = entry(key) or {}
        rules = self.book.rules.get(key, [])
        if rules and isinstance(node.ctx, ast.Load) and known.get("kind") in {"property", None}:
            with self.source.collect() as inner:
                self.visit(callee.receiver)
            argument = Argument(callee.receiver, 0, text=self.source.text(callee.receiver, inner), receiver=True)
            self.apply(node, key, rules, [argument], inner)
            return
        reason = self.book.refusals.get(key) or (
            f"{key} is stored to, which has no rule"
            if not isinstance(node.ctx, ast.Load)
            else f"the method {key} is used as a value"
            if rules
            else self.no_rule(key)
        )
        self.mark(node, key, reason)
        with self.source.collect() as inner:
            self.visit(callee.receiver)
        if isinstance(node.ctx, ast.Load):
            text = self.source.text(callee.receiver, inner)
            self.source.edit(self.source.start(node), self.source.end(node), f"{self.stand_in(key)}({text})")
        else:
            self.source.edits += inner

    def unknown(self, node: ast.Attribute) -> None:
        """An attribute that tensors have and whose receiver is not known: left as it stands, and reported."""
        receiver = value_at(node.value)
        if not isinstance(receiver, (Unknown, Bottom)) and not (isinstance(receiver, Tensor) and receiver.assumed):
            return
        key = f"torch.Tensor.{node.attr}"
        if entry(key) is None or key in self.book.same or not self.book.answers(key):
            return
        text = self.source.text(node.value)
        hint = (
            f"annotate {text} as a torch.Tensor"
            if isinstance(node.value, ast.Name)
            else f"what {shorten(text)} is does not follow"
        )
        self.record(node, f".{node.attr}", "unknown", hint)

    def visit_subscript(self, node: ast.Subscript) -> None:
        """``optimizer.param_groups[0]["lr"]``: a rule may be filed under the whole chain, ``...param_groups[][lr]``."""
        suffix = ""
        part: ast.expr = node
        while isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant):
            suffix = f"[{part.slice.value if isinstance(part.slice.value, str) else ''}]{suffix}"
            part = part.value
        if isinstance(part, ast.Call) and not part.args and not part.keywords:
            suffix, part = f"(){suffix}", part.func
        callee = self.resolve(part) if isinstance(part, ast.Attribute) and isinstance(node.ctx, ast.Load) else None
        if callee is None and isinstance(part, ast.Attribute):
            owner = torch_class(value_at(part.value))
            callee = Callee(f"{owner}.{part.attr}", part.value, owner=owner) if owner else None
        if callee is not None and callee.receiver is not None:
            key = self.key_of(Callee(callee.key + suffix, owner=callee.owner))
            rules = self.book.rules.get(key)
            if rules and isinstance(node.ctx, ast.Load):
                with self.source.collect() as inner:
                    self.visit(callee.receiver)
                receiver = Argument(callee.receiver, 0, text=self.source.text(callee.receiver, inner), receiver=True)
                self.apply(node, key, rules, [receiver], inner)
                return
        self.visit_parts(node)

    # -- calls ------------------------------------------------------------------------------------------------------

    def visit_call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in CLASS_TESTS and len(node.args) == 2:
            self.visit(node.args[0])
            self.visit(node.args[1], as_class=True)
            return
        callee = self.resolve(node.func)
        if node in self.keys and callee is not None:
            callee = Callee(self.keys[node], callee.receiver, callee.style)
        if callee is None:
            self.visit_parts(node)
            return
        if callee.receiver is None:
            self.count_load(node.func)
        key = self.key_of(callee)
        book = self.book
        if key in book.rules:
            self.call_rule(node, key, callee)
            return
        if key in book.same and callee.receiver is not None:
            self.record(node, key, "same")
            self.visit_parts(node)
            return
        if callee.receiver is not None:
            self.mark_method(node, key, callee)
            return
        outcome, text, detail = self.value_text(key, callee, as_class=False)
        if outcome == "marked":
            self.mark(node, key, detail)
        else:
            self.record(node, key, outcome, detail)
        self.source.edit(self.source.start(node.func), self.source.end(node.func), text)
        self.visit_arguments(node)

    def visit_arguments(self, node: ast.Call) -> None:
        for argument in node.args:
            self.visit(argument)
        for word in node.keywords:
            self.visit(word.value)

    def mark_method(self, node: ast.Call, key: str, callee: Callee) -> None:
        """A method without a counterpart: ``torch.Tensor.lu(x)`` through the stand-in, which raises."""
        assert callee.receiver is not None
        self.mark(node, key, self.book.refusals.get(key) or self.no_rule(key))
        with self.source.collect() as inner:
            self.visit(callee.receiver)
            self.visit_arguments(node)
        self.move_receiver(node, callee.receiver, self.stand_in(key), inner)

    def move_receiver(self, node: ast.Call, receiver: ast.expr, function: str, inner: list[Edit]) -> None:
        """``x.f(a)`` -> ``function(x, a)``: the arguments' text stays as it is."""
        source = self.source
        opening = self.opening(node)
        text = source.text(receiver, inner)
        if isinstance(receiver, (ast.NamedExpr, ast.GeneratorExp, ast.Yield)) and not text.startswith("("):
            text = f"({text})"
        separator = ""
        if node.args or node.keywords:
            separator = "," if source.buffer[opening + 1 : opening + 2] in (b"\n", b"\r") else ", "
        source.edits += [edit for edit in inner if edit.start > opening]
        source.edit(source.start(node), opening + 1, f"{function}({text}{separator}")

    def opening(self, node: ast.Call) -> int:
        """Offset of the call's opening parenthesis."""
        position = self.source.end(node.func)
        buffer = self.source.buffer
        while buffer[position : position + 1] != b"(":
            if buffer[position : position + 1] == b"#":
                while buffer[position : position + 1] not in (b"\n", b"\r"):
                    position += 1
            position += 1
        return position

    def call_rule(self, node: ast.Call, key: str, callee: Callee) -> None:
        rules = self.book.rules[key]
        parts: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        ordered = sorted(parts, key=lambda part: (part.lineno, part.col_offset))
        with self.source.collect() as inner:
            if callee.receiver is not None:
                self.visit(callee.receiver)
            self.visit_arguments(node)
        arguments: list[Argument] = []
        if callee.receiver is not None:
            arguments.append(Argument(callee.receiver, 0, text=self.source.text(callee.receiver, inner), receiver=True))
        for order, part in enumerate(ordered, start=1):
            if isinstance(part, ast.keyword):
                text = self.source.text(part.value, inner)
                arguments.append(Argument(part.value, order, part.arg, text, star="" if part.arg else "**"))
            elif isinstance(part, ast.Starred):
                arguments.append(Argument(part.value, order, None, self.source.text(part.value, inner), star="*"))
            else:
                arguments.append(Argument(part, order, None, self.source.text(part, inner)))
        self.style = callee.style
        try:
            self.apply(node, key, rules, arguments, inner)
        finally:
            self.style = None

    def apply(self, node: Use, key: str, rules: list[Rule], arguments: list[Argument], inner: list[Edit]) -> None:
        """Inline the rule that fits, else call the helper."""
        try:
            bound = choose(rules, arguments)
            self.inline(node, key, bound, arguments, inner)
        except NoMatch:
            shown = ", ".join(a.keyword or shorten(a.text) for a in arguments)
            self.mark_call(node, key, f"no rule of {key} takes these arguments: {shown}", arguments, inner)
        except RuleRaises as error:
            self.mark_call(node, key, str(error), arguments, inner)
        except Refusal as refusal:
            self.record(node, key, "helper", f"{rules[0].where}, {refusal}")
            self.call_function(node, self.helper_text(rules), arguments, inner)

    def mark_call(self, node: Use, key: str, reason: str, arguments: list[Argument], inner: list[Edit]) -> None:
        self.mark(node, key, reason)
        self.call_function(node, self.stand_in(key), arguments, inner)

    def call_function(self, node: Use, function: str, arguments: list[Argument], inner: list[Edit]) -> None:
        """The same call, of a function with torch's signature."""
        if not isinstance(node, ast.Call):
            self.source.edit(self.source.start(node), self.source.end(node), f"{function}({arguments[0].text})")
        elif arguments and arguments[0].receiver:
            self.move_receiver(node, arguments[0].node, function, inner)
        else:
            self.source.edits += inner
            self.source.edit(self.source.start(node.func), self.source.end(node.func), function)

    def inline(self, node: Use, key: str, bound: Bound, arguments: list[Argument], inner: list[Edit]) -> None:
        statement = self.statement_of(node)
        discard = isinstance(statement, ast.Expr)
        try:
            plan = Inliner(bound).plan(discard=discard)
        except Refusal as refusal:
            if refusal.name != "Statements" or statement is None:
                raise
            plan = Inliner(bound, statement=True).plan(discard=discard)
        self.check_free_names(plan, bound.rule)
        if discard and plan.result is None and len(plan.statements) == 1 and isinstance(plan.statements[0], ast.Expr):
            plan = Plan(plan.statements[0].value)
        for part in plan.statements:
            part.value = tidy(part.value, self.signatures, key)  # type: ignore[attr-defined]
        if plan.result is not None:
            plan.result = tidy(plan.result, self.signatures, key)
        check_effects(plan, arguments)
        if plan.statements or (plan.result is None):
            self.emit_statements(node, statement, plan, key, bound.rule)
            return
        result = plan.result
        self.record(node, key, "inlined", bound.rule.where)
        if (
            isinstance(node, ast.Call)
            and isinstance(result, ast.Call)
            and self.in_place(node, result, arguments, inner)
        ):
            return
        text = self.printer.text(result)
        if self.needs_parentheses(node, result):
            text = f"({text})"
        old = self.source.text(node)
        if "#" in old:
            lost = [c for c in comments(old) if c not in text]
            self.note(node, lost)
        self.source.edit(self.source.start(node), self.source.end(node), text)

    def statement_of(self, node: ast.AST) -> ast.stmt | None:
        """The statement that is this call alone (`f(x)` or `name = f(x)`), when it stands on lines of its own."""
        statement = self.statement
        if statement is not self.anchor or statement is None or getattr(statement, "value", None) is not node:
            return None
        end = self.source.end(statement)
        rest = self.source.buffer[end : end + 200].split(b"\n")[0].strip()
        if rest and not rest.startswith(b"#"):
            return None
        if isinstance(statement, (ast.Expr, ast.Return)):
            return statement
        if (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
        ):
            return statement
        return None

    def emit_statements(self, node: Use, statement: ast.stmt | None, plan: Plan, key: str, rule: Rule) -> None:
        if statement is None:
            raise Refusal("Statements", "the call is part of a larger expression")
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        name = target.id if isinstance(target, ast.Name) else None
        lines = []
        locals_ = {
            s.targets[0].id for s in plan.statements if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
        }
        renamed = {}
        if name is not None:
            if isinstance(plan.result, ast.Name) and not isinstance(plan.result, Hole) and plan.result.id in locals_:
                renamed[plan.result.id] = name
            elif plan.result is not None:
                plan.statements.append(ast.Assign([ast.Name(id=name)], plan.result))
            else:
                raise Refusal("Statements", "the rule returns nothing")
            if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node)):
                raise Refusal("Statements", f"{name} is used by its own right side")
        leave = isinstance(statement, ast.Return)
        if leave and plan.result is None:
            raise Refusal("Statements", "the rule returns nothing")
        taken = (locals_ - set(renamed)) & self.table.taken
        if taken:
            raise Refusal("Statements", f"{', '.join(sorted(taken))} is taken")
        for part in plan.statements:
            for inside in ast.walk(part):
                if isinstance(inside, ast.Name) and not isinstance(inside, Hole) and inside.id in renamed:
                    inside.id = renamed[inside.id]
            lines.append(self.printer.statement(part))
        if leave and plan.result is not None:
            lines.append(f"return {self.printer.text(plan.result)}")
        self.record(node, key, "inlined", rule.where)
        indent = self.source.indentation(statement.lineno)
        start, end = self.source.start(statement), self.source.end(statement)
        old = self.source.original(start, end)
        text = (self.source.newline + indent).join(lines)
        if "#" in old:
            self.note(node, [c for c in comments(old) if c not in text])
        self.source.edit(start, end, text)

    def in_place(self, node: ast.Call, result: ast.Call, arguments: list[Argument], inner: list[Edit]) -> bool:
        """Change the callee and the arguments that differ and nothing else of the text; False where that can't be."""
        own = [a for a in arguments if not a.receiver]
        receiver = next((a for a in arguments if a.receiver), None)
        func = result.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, Hole):
            if receiver is None or func.value.argument is not receiver or not isinstance(node.func, ast.Attribute):
                return False
            if any(
                h.argument is receiver
                for part in [*result.args, *result.keywords]
                for h in ast.walk(part)
                if isinstance(h, Hole)
            ):
                return False
            end = self.source.end(node.func)
            callee = (end - len(node.func.attr.encode()), end, func.attr)
            prefix = [e for e in inner if e.end <= callee[0]]
        else:
            name = dotted(func)
            if receiver is not None or name is None or name.split(".")[0] != self.target.package:
                return False
            callee = (self.source.start(node.func), self.source.end(node.func), self.spell(name))
            prefix = []
        opening = self.opening(node)
        body = [e for e in inner if e.start > opening]
        shape = [(None, a) for a in result.args] + [(w.arg, w.value) for w in result.keywords]
        renames: list[tuple[int, int, str]] = []
        words = {id(w.value): w for w in node.keywords}
        plain = len(shape) == len(own)
        for (keyword, value), argument in zip(shape, own, strict=False):
            if (
                not plain
                or not isinstance(value, Hole)
                or value.argument is not argument
                or (keyword is None) != (argument.keyword is None)
            ):
                plain = False
                break
            if keyword != argument.keyword and keyword is not None:
                start = self.source.start(words[id(argument.node)])
                renames.append((start, start + len((argument.keyword or "").encode()), keyword))
        if not plain:
            text = rewrite_arguments(
                self.source.segment(opening, self.source.end(node), body), own, result, self.printer
            )
            if text is None:
                return False
            self.source.edits += prefix
            self.source.edit(*callee)
            self.source.edit(opening, self.source.end(node), text)
            return True
        self.source.edits += prefix + body
        self.source.edit(*callee)
        for rename in renames:
            self.source.edit(*rename)
        return True

    def needs_parentheses(self, node: ast.expr, result: ast.expr) -> bool:
        """Whether a result that binds loosely stands where the source had an atom: before a dot or an operator."""
        shown = result.argument.node if isinstance(result, Hole) else result
        return precedence(shown) < ATOM and node in self.operands

    def check_free_names(self, plan: Plan, rule: Rule) -> None:
        """A rule that uses definitions of its own file is called, not inlined."""
        definitions = self.book.definitions[rule.file]
        parts: list[ast.AST] = [*plan.statements, *([plan.result] if plan.result is not None else [])]
        for part in parts:
            for node in ast.walk(part):
                if (
                    isinstance(node, ast.Name)
                    and not isinstance(node, Hole)
                    and node.id in definitions
                    and node.id != self.target.package
                ):
                    raise Refusal("UsesDefinition", node.id)

    # -- marks and helpers --------------------------------------------------------------------------------------------

    def helper_text(self, rules: list[Rule]) -> str:
        self.helper_used = True
        return f"{self.helper_call}.{self.helper.use(helper_name(rules[0]), rules)}"

    def stand_in(self, key: str) -> str:
        self.helper_used = True
        self.helper.stand_in = True
        return f"{self.helper_call}.{key}"

    def no_rule(self, key: str) -> str:
        return f"{key} has no rule for {self.target.title} yet"

    def mark(self, node: ast.expr, key: str, reason: str) -> None:
        self.record(node, key, "marked", reason)
        code = "refused" if key in self.book.refusals else "no-rule" if not self.book.answers(key) else "unsupported"
        self.note(node, [f"# migrate: {code} {reason}"])

    def note(self, node: ast.AST, texts: list[str]) -> None:
        """Comment lines above the statement that holds the node."""
        anchor = self.anchor or self.statement
        if anchor is None or not texts:
            return
        first = anchor.decorator_list[0] if getattr(anchor, "decorator_list", None) else anchor  # type: ignore[attr-defined]
        self.above.setdefault(first.lineno, []).extend(texts)

    def record(self, node: ast.expr, key: str, outcome: str, detail: str = "") -> None:
        self.report.sites.append(Site(node.lineno, node.col_offset + 1, key, outcome, detail))


def value_at(node: ast.AST) -> Value:
    found: Value = getattr(node, "v", Unknown())
    return found


def operands(tree: ast.AST) -> set[ast.AST]:
    """Calls and attributes that stand before a dot or an index, are called, or are operands."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Subscript, ast.Await, ast.Starred)):
            found.add(node.value)
        elif isinstance(node, ast.Call):
            found.add(node.func)
        elif isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp)):
            found |= {child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)}
    return found


def defines(receiver: ObjectOf, name: str) -> bool:
    return any(not isinstance(c, str) and (name in c.functions or name in c.attributes) for c in receiver.info.linear())


def shorten(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def local_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Names that are local to the function; imports are not counted, they are bindings of their own."""
    names = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def plain_target(rules: list[Rule], package: str) -> str | None:
    """The target's class or function when every overload is one call of it."""
    found: set[str | None] = set()
    for rule in rules:
        body = [s for s in rule.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        last = body[-1] if body else None
        value = last.value if isinstance(last, ast.Return) else None
        name = (
            dotted(value.func)
            if isinstance(value, ast.Call)
            else dotted(value)
            if isinstance(value, ast.Attribute)
            else None
        )
        found.add(name if name and name.split(".")[0] == package else None)
    return found.pop() if len(found) == 1 else None


def transparent(rule: Rule, signature: Signature | None) -> bool:
    """Whether the target's own callable takes the rule's arguments as they are, position and name."""
    body = [s for s in rule.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if (
        signature is None
        or len(body) != 1
        or not isinstance(body[0], ast.Return)
        or not isinstance(body[0].value, ast.Call)
    ):
        return False
    call = body[0].value
    spec = rule.node.args
    parameters = [a.arg for a in [*spec.posonlyargs, *spec.args]]
    if spec.vararg or spec.kwarg or spec.kwonlyargs:
        return False
    names = [name for name, _, _ in signature]
    passed = [(names[i] if i < len(names) else "", a) for i, a in enumerate(call.args)] + [
        (w.arg or "", w.value) for w in call.keywords
    ]
    if [name for name, _ in passed] != parameters or names[: len(parameters)] != parameters:
        return False
    return all(isinstance(value, ast.Name) and value.id == name for name, value in passed)


__all__ = ["FileRewriter"]
