"""Putting an inlined rule where the call stood."""

from __future__ import annotations

import ast

from rewriters.binding import Argument, Bound, Refusal
from rewriters.inline import Hole, Inliner, Plan, check_effects
from rewriters.render import ATOM, precedence, rewrite_arguments, tidy
from rewriters.rewrite.naming import Naming
from rewriters.rulebook import Rule, dotted
from rewriters.source_text import Edit, comments

Use = ast.Call | ast.Attribute | ast.Subscript


class Placing(Naming):
    """Inlines, changing as little of the call's text as possible."""

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
