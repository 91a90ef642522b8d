"""Putting an inlined rule where the call stood."""

from __future__ import annotations

import ast

from rewriters.infer.values import Ref
from rewriters.places.changed_by_calls import changed_by
from rewriters.report import Outcome
from rewriters.rewrite.only_numbers import are_looked_at
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.writing_back import WritingBack
from rewriters.rules.binding import Argument, Bound, asked_for
from rewriters.rules.call_layout import rewrite_arguments
from rewriters.rules.holes import Hole, hole
from rewriters.rules.inline import Inliner, Plan, RuleRaises
from rewriters.rules.ordering import check_effects, check_text
from rewriters.rules.refusal import Obstacle, Refusal
from rewriters.rules.render import closed, enclosed
from rewriters.rules.rulebook import Rule, dotted
from rewriters.rules.tidy import as_method, tidy
from rewriters.text.parsing import expression_of
from rewriters.text.precedence import Form, form_of
from rewriters.text.source_text import Edit
from rewriters.text.tree import walk

AVAILABLE = ".is_available"
"""How a function is called that says the same as long as the program runs."""

Use = ast.Call | ast.Attribute | ast.Subscript | ast.BinOp | ast.Compare | ast.UnaryOp


class Placing(WritingBack):
    """Inlines, changing as little of the call's text as possible."""

    def inline(self, node: Use, key: str, bound: Bound, arguments: list[Argument], inner: list[Edit]) -> None:
        discard = isinstance(self.here.statement, ast.Expr) and self.here.statement.value is node
        try:
            plan = Inliner(bound).plan(discard=discard)
        except Refusal as refusal:
            if refusal.obstacle is not Obstacle.STATEMENTS:
                raise
            plan = Inliner(bound, statement=True).plan(discard=discard)
        if discard and isinstance(plan.result, ast.IfExp):
            plan.result = self.asked_before(plan.result)
        taken = self.take_apart(node, plan)
        self.check_free_names(plan, bound.rule)
        if discard and plan.result is None and len(plan.statements) == 1 and isinstance(plan.statements[0], ast.Expr):
            plan = Plan(plan.statements[0].value, required=plan.required)
        for part in plan.statements:
            part.value = tidy(as_method(part.value, self.shared.signatures), self.shared.signatures, key)  # type: ignore[attr-defined]
        if plan.result is not None:
            plan.result = tidy(as_method(plan.result, self.shared.signatures), self.shared.signatures, key)
            plan.result = self.looked_into(node, plan.result)
        check_effects(plan, arguments, self.known.rebindable)
        if plan.result is not None and not bound.rule.rebinds:
            check_text(plan.result)
        plan = self.promote(plan, arguments)
        for reason in plan.differs:
            self.draft.differs(node, key, reason)
        if plan.statements:
            self.emit_statements(node, self.statement_of(node), plan, key, bound.rule, inner)
            return
        if (plan.result is None and discard) or self.is_idle(node, plan.result):
            self.draft.record(node, key, Outcome.INLINED, bound.rule.where)
            assert self.here.statement is not None
            self.draft.removal.remove(self.here.statement)
            return
        result = plan.result or ast.Constant(None)
        before = len(self.source.edits)
        if not self.in_place(node, result, arguments, inner):
            self.draft.replace(node, self.fitted(node, result))
        changed = taken is not None or any(edit not in inner for edit in self.source.edits[before:])
        if changed:
            self.draft.record(node, key, Outcome.INLINED, bound.rule.where)
        else:
            self.draft.record(node, key, Outcome.SAME, f"({bound.rule.where})")
        if taken is not None:
            self.source.edit(*taken)

    def asked_before(self, result: ast.IfExp) -> ast.expr:
        """``f()`` of ``f() if oneflow.cuda.is_available() else None``, right below ``if torch.cuda.is_available()``."""
        statement, asked = self.here.statement, result.test
        around = self.known.nodes.parents.get(statement) if statement is not None else None
        if not isinstance(around, ast.If) or statement not in around.body or not isinstance(asked, ast.Call):
            return result
        test, nothing = around.test, isinstance(result.orelse, ast.Constant) and result.orelse.value is None
        if not nothing or not isinstance(test, ast.Call) or test.args or asked.args or test.keywords or asked.keywords:
            return result
        called = value_at(test.func)
        if not isinstance(called, Ref) or not called.name.endswith(AVAILABLE) or called.name not in self.book.same:
            return result
        module, _, name = called.name.rpartition(".")
        return result.body if dotted(asked.func) == f"{self.draft.table.mapped(module)}.{name}" else result

    def looked_into(self, node: Use, result: ast.expr) -> ast.expr:
        """Of ``tuple(x.kept)`` whose parts are taken or gone through, ``x.kept``: the target keeps the same ones."""
        made = isinstance(result, ast.Call) and dotted(result.func) == "tuple" and len(result.args) == 1
        kept = result.args[0] if made and isinstance(result, ast.Call) else None
        looks = isinstance(kept, ast.Attribute) and are_looked_at(node, self.source.nodes, self.here.shadowed)
        return kept if looks and kept is not None else result

    def is_idle(self, node: Use, result: ast.expr | None) -> bool:
        """Whether the statement would be ``name = name``."""
        statement = self.here.statement
        if not (isinstance(statement, ast.Assign) and statement.value is node and len(statement.targets) == 1):
            return False
        target, value = statement.targets[0], result.argument.node if isinstance(result, Hole) else None
        return isinstance(target, ast.Name) and isinstance(value, ast.Name) and target.id == value.id

    def take_apart(self, node: Use, plan: Plan) -> tuple[int, int, str] | None:
        """``Values(a, b)`` of which the source only takes the parts: the parts; an edit of what took one of them."""
        made = plan.result
        pair = isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id == "Values"
        if not pair or node not in self.known.taken_apart or self.here.quotes:
            return None
        assert isinstance(made, ast.Call)
        whole = made.args[0].value if isinstance(made.args[0], ast.Starred) else None
        used = self.known.taken_apart[node]
        if used is None:
            plan.result = whole or ast.Tuple(made.args, ast.Load())
            return None
        taker, index = used
        span = (self.source.end(node), self.source.end(taker))
        if "#" in self.source.original(*span) or self.is_enclosed(node):
            return None
        plan.result = whole or made.args[index]
        return (*span, f"[{index}]" if whole is not None else "")

    def given(self, node: ast.expr, inner: list[Edit]) -> str:
        """The text of an expression as an argument of a call: ``1, 2`` in parentheses."""
        return enclosed(self.argument(node, 0, inner), 0)

    def fitted(self, node: ast.expr, result: ast.expr) -> str:
        """The result's text as it can stand in the node's place."""
        printer = self.draft.printer
        if self.here.quotes:
            printer = printer.quoting("'" if '"' in self.here.quotes else '"')
        if (
            isinstance(result, ast.Tuple)
            and len(result.elts) > 1
            and getattr(self.here.statement, "value", None) is node
        ):
            return ", ".join(closed(printer.text(part)) for part in result.elts)
        text = closed(printer.text(result))
        form = form_of(text) if isinstance(result, Hole) or text.startswith("(") else Form(result)
        needed = self.known.needed.get(node, 0)
        in_field = bool(self.here.quotes) and (text.startswith("{") or isinstance(form.node, ast.Lambda))
        if (form.precedence < needed or in_field) and not self.is_enclosed(node):
            text = f"({text})"
        # Before Python 3.12 a field of an f-string holds neither its quotes nor backslashes nor line breaks.
        if self.here.quotes and any(part in text for part in (*self.here.quotes, "\\", "\n", "#")):
            raise Refusal(Obstacle.F_STRING, text)
        return text

    def is_enclosed(self, node: ast.expr) -> bool:
        """Whether the source has the node in parentheses of its own."""
        return self.source.is_enclosed(self.source.start(node), self.source.end(node))

    def statement_of(self, node: ast.AST) -> ast.stmt | None:
        """The statement that is this call alone (`f(x)` or `name = f(x)`)."""
        statement = self.here.statement
        if statement is None or getattr(statement, "value", None) is not node:
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

    def stands_alone(self, statement: ast.stmt) -> bool:
        """Whether nothing else stands on its lines: not ``x.add_(1); y = x``."""
        end = self.source.end(statement)
        rest = self.source.buffer[end : end + 200].split(b"\n")[0].strip()
        return statement is self.here.anchor and (not rest or rest.startswith(b"#"))

    def emit_statements(
        self, node: Use, statement: ast.stmt | None, plan: Plan, key: str, rule: Rule, inner: list[Edit]
    ) -> None:
        if statement is None:
            raise Refusal(Obstacle.STATEMENTS, "the call is part of a larger expression")
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        name = target.id if isinstance(target, ast.Name) else None
        lines = []
        made = [part.targets[0] for part in plan.statements if isinstance(part, ast.Assign)]
        locals_ = {target.id for target in made if isinstance(target, ast.Name) and not isinstance(target, Hole)}
        renamed = {}
        if name is not None:
            if isinstance(plan.result, ast.Name) and not isinstance(plan.result, Hole) and plan.result.id in locals_:
                renamed[plan.result.id] = name
            elif plan.result is not None:
                plan.statements.append(ast.Assign([ast.Name(id=name)], plan.result))
            else:
                raise Refusal(Obstacle.STATEMENTS, "the rule returns nothing")
            if any(isinstance(part, ast.Name) and part.id == name for part in walk(node)):
                raise Refusal(Obstacle.STATEMENTS, f"{name} is used by its own right side")
        result = plan.result if isinstance(statement, ast.Expr) else None
        if result is not None and any(isinstance(part, ast.Call) for part in walk(result)):
            plan.statements.append(ast.Expr(result))  # nobody uses it, but it may change something
        leave = isinstance(statement, ast.Return)
        if leave and plan.result is None:
            raise Refusal(Obstacle.STATEMENTS, "the rule returns nothing")
        taken = (locals_ - set(renamed)) & self.draft.table.taken
        if taken:
            raise Refusal(Obstacle.STATEMENTS, f"{', '.join(sorted(taken))} is taken")
        if len(plan.statements) + leave > 1 and not self.stands_alone(statement):
            raise Refusal(Obstacle.STATEMENTS, "other statements stand on its line")
        for part in plan.statements:
            for inside in walk(part):
                if isinstance(inside, ast.Name) and not isinstance(inside, Hole) and inside.id in renamed:
                    inside.id = renamed[inside.id]
            lines.append(self.statement_text(part, inner))
        if leave and plan.result is not None:
            lines.append(f"return {self.draft.printer.text(plan.result)}")
        self.draft.record(node, key, Outcome.INLINED, rule.where)
        indent = self.source.indentation(statement.lineno)
        start, end = self.source.start(statement), self.source.end(statement)
        text = (self.source.newline + indent).join(lines)
        self.draft.keep_comments(start, end, text)
        self.source.edit(start, end, text)

    def statement_text(self, part: ast.stmt, inner: list[Edit]) -> str:
        """A statement of a plan; a receiver that is bound anew may be a part of something, into which it is stored."""
        place = part.targets[0] if isinstance(part, ast.Assign) else None
        if self.target.in_place or not isinstance(place, Hole) or not isinstance(part, ast.Assign):
            return self.draft.printer.statement(part)
        return self.bound_anew(place.argument.node, self.draft.printer.text(part.value), inner)

    def in_place(self, node: Use, result: ast.expr, arguments: list[Argument], inner: list[Edit]) -> bool:
        """Change the callee and the arguments that differ and nothing else of the text; False where that can't be."""
        if not (isinstance(node, ast.Call) and isinstance(result, ast.Call)):
            return False
        own = [a for a in arguments if not a.receiver]
        receiver = next((a for a in arguments if a.receiver), None)
        func = result.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, Hole):
            if receiver is None or func.value.argument is not receiver or not isinstance(node.func, ast.Attribute):
                return False
            if any(
                h.argument is receiver
                for part in [*result.args, *result.keywords]
                for h in walk(part)
                if isinstance(h, Hole)
            ):
                return False
            end = self.source.end(node.func)
            callee = (end - len(node.func.attr.encode()), end, func.attr)
            prefix = [e for e in inner if e.end <= callee[0]]
        else:
            name = dotted(func)
            if receiver is not None or name is None or name.split(".")[0] not in self.target.packages:
                return False
            callee = (self.source.start(node.func), self.source.end(node.func), self.draft.spell(name))
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
            text = None
            if not self.here.quotes:
                text = rewrite_arguments(self.source, node, opening, body, own, result, self.draft.printer)
            if text is None:
                return False
            self.draft.keep_comments(opening + 1, self.source.end(node) - 1, text[1:-1])
            self.source.edits += prefix
            self.source.edit(*callee)
            self.source.edit(opening, self.source.end(node), text)
            return True
        self.source.edits += prefix + body
        self.source.edit(*callee)
        for rename in renames:
            self.source.edit(*rename)
        for argument in own if self.target.held else ():  # ``jnp.abs(p[...])``: such a function takes no holder
            if self.stands_for_array(argument) and not argument.star:
                end = self.source.end(argument.node)
                self.source.edit(end, end, self.target.held)
        return True

    def tell_others(self, node: Use, key: str, rules: list[Rule], arguments: list[Argument]) -> None:
        """Of a method that binds its receiver anew: who else sees the change in torch."""
        if self.target.in_place or not arguments or not any(rule.rebinds for rule in rules):
            return
        if not arguments[0].fresh:
            self.tell(node, (arguments[0].place or arguments[0]).node, key)
        elif self.leaves(node):
            self.tell(node, changed_by(node), key)

    def bound_by_helper(
        self, node: Use, key: str, rules: list[Rule], arguments: list[Argument], inner: list[Edit]
    ) -> bool:
        """``x.clamp_(min=y)`` as ``x = helper.clamp_(x, min=y)``: what the helper gives is the receiver's new value."""
        if self.target.in_place or any(argument.star for argument in arguments) or not isinstance(node, ast.Call):
            return False
        given = [hole(argument) for argument in arguments if argument.keyword is None]
        words = [ast.keyword(a.called or a.keyword, hole(a)) for a in arguments if a.keyword is not None]
        ambient = {name for rule in rules for name in asked_for(rule, self.target.ambient)}
        words += [ast.keyword(name, expression_of(self.target.ambient[name])) for name in sorted(ambient)]
        call = ast.Call(expression_of(self.draft.helper_text(rules)), [*given], words)
        receiver = hole(arguments[0].place or arguments[0])
        plan = Plan(receiver, [ast.Assign([receiver], call)])
        if self.here.statement is not None and getattr(self.here.statement, "value", None) is node:
            plan.result = None if isinstance(self.here.statement, ast.Expr) else receiver
        try:
            self.emit_statements(node, self.statement_of(node), plan, key, rules[0], inner)
        except (Refusal, RuleRaises):
            return False
        self.tell_others(node, key, rules, arguments)
        return True

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

    def check_free_names(self, plan: Plan, rule: Rule) -> None:
        """A rule that uses definitions of its own file is called, not inlined."""
        file = self.book.files[rule.file]
        # What it imports under another name is in its bodies under the full one.
        definitions = {*file.by_name, *(full.partition(".")[0] for full in file.modules.values())}
        parts: list[ast.AST] = [*plan.statements, *([plan.result] if plan.result is not None else [])]
        for part in parts:
            for node in walk(part):
                if (
                    isinstance(node, ast.Name)
                    and not isinstance(node, Hole)
                    and node.id in definitions
                    and node.id not in self.target.packages
                ):
                    raise Refusal(Obstacle.USES_DEFINITION, node.id)
