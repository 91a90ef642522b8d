"""``self.table = nn.Buffer(x)``, ``setattr(self, name, nn.Buffer(x))``: torch registers what is assigned to a module;
elsewhere it is registered by a call.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from rewriters.infer.joining import torch_class
from rewriters.report import Outcome
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rules.binding import Argument, choose
from rewriters.rules.inline import Inliner, RuleRaises
from rewriters.rules.ordering import check_effects
from rewriters.rules.refusal import NoMatch, Refusal
from rewriters.rules.tidy import tidy
from rewriters.text.tree import called_name
from rewriters.torch.table import mro

BUFFER, REGISTERS, MODULE = "torch.nn.Buffer", "torch.nn.Module.register_buffer", "torch.nn.Module"


class Buffers(Rewriting):
    """Rewrites the assignment of a buffer."""

    def __init__(self, tools: Tools, calls: Calls) -> None:
        super().__init__(tools)
        self.calls = calls

    def store(self, node: ast.stmt) -> bool:
        """The statement as a call of ``register_buffer``; False for another statement."""
        holder, name, value = stored(node)
        callee = self.names.resolve(value.func) if isinstance(value, ast.Call) else None
        if callee is None or callee.key != BUFFER or not isinstance(holder, ast.Name):
            return False
        assert isinstance(value, ast.Call)
        assert name is not None
        if not self.is_module(holder) or not (value.args or value.keywords):
            return False
        before = len(self.draft.report.sites)
        with self.source.collect() as inner:
            for part in [holder, name, *value.args, *(word.value for word in value.keywords)]:
                if isinstance(part, ast.expr):
                    self.walk.visit(part)
        if isinstance(name, ast.expr):
            called = self.placing.argument(name, 0.5, inner)
        else:
            quoted = self.draft.printer.text(ast.Constant(name))
            called = Argument(ast.copy_location(ast.Constant(name), holder), 0.5, text=quoted, changed=True)
        receiver, *given = self.calls.arguments(value, holder, inner)
        given = [argument if argument.keyword != "data" else as_tensor(argument) for argument in given]
        rules = self.book.rules.get(REGISTERS)
        if not rules:
            words = [called.text, *(f"{one.keyword}={one.text}" if one.keyword else one.text for one in given)]
            text = f"{receiver.text}.register_buffer({', '.join(words)})"
        else:
            try:
                arguments = [receiver, called, *given]
                plan = Inliner(choose(rules, arguments, self.target.ambient)).plan(discard=True)
                check_effects(plan, arguments, self.known.rebindable)
            except (NoMatch, Refusal, RuleRaises):
                del self.draft.report.sites[before:]  # they are visited again
                return False
            assert plan.result is not None
            text = self.draft.printer.text(tidy(plan.result, self.shared.signatures, REGISTERS))
        self.names.count_load(value.func)
        self.draft.record(value, BUFFER, Outcome.INLINED, rules[0].where if rules else "a registered buffer")
        self.draft.replace(node, text)
        return True

    def is_module(self, node: ast.Name) -> bool:
        owner = torch_class(value_at(node))
        return owner is not None and MODULE in mro(owner)


def stored(node: ast.stmt) -> tuple[ast.expr | None, ast.expr | str | None, ast.expr | None]:
    """What a statement stores to, under which name, and what."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Attribute):
        return node.targets[0].value, node.targets[0].attr, node.value
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and called_name(call) == "setattr" and len(call.args) == 3 and not call.keywords:
        return call.args[0], call.args[1], call.args[2]
    return None, None, None


def as_tensor(argument: Argument) -> Argument:
    """``data=x`` of a buffer, as ``register_buffer`` calls it."""
    return replace(argument, keyword="tensor", called="tensor")
