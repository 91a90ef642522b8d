"""Names and attributes that are not called: values, properties, modules, items."""

from __future__ import annotations

import ast

from rewriters.infer.joining import is_dtype, torch_class
from rewriters.infer.values import Bottom, Choice, Method, Ref, Unknown
from rewriters.members.taken import OF_HOLDER
from rewriters.report import Code, Outcome
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.draft import shorten
from rewriters.rewrite.handed_classes import HandedClasses
from rewriters.rewrite.imports import Binding
from rewriters.rewrite.items import Items
from rewriters.rewrite.kept_dtypes import KEY as KEPT
from rewriters.rewrite.kept_dtypes import is_kept
from rewriters.rewrite.layer_attributes import LayerAttributes
from rewriters.rewrite.likely_properties import LikelyProperties
from rewriters.rewrite.naming import plain_targets
from rewriters.rewrite.only_numbers import variant_of
from rewriters.rewrite.resolving import Callee, value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.risk import mend_of, risk_of
from rewriters.rewrite.settings import Settings
from rewriters.rewrite.used_otherwise import is_no_tensors
from rewriters.rules.binding import Argument, choose
from rewriters.rules.given_values import is_none
from rewriters.rules.inline import Inliner, RuleRaises
from rewriters.rules.ordering import check_effects
from rewriters.rules.refusal import NoMatch, Refusal
from rewriters.rules.render import enclosed
from rewriters.rules.rulebook import Rule, hands_on
from rewriters.text.tree import is_path, is_still
from rewriters.torch.table import entry, is_module, of_base


def is_kept_so(node: ast.Attribute, rules: list[Rule]) -> bool:
    """Whether the target's layer keeps the attribute under its name for those that read it: ``return self.n`` alone."""
    body = rules[0].node.body if len(rules) == 1 and isinstance(rules[0].node, ast.FunctionDef) else []
    value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    if not isinstance(value, ast.Attribute) or not isinstance(value.value, ast.Name) or value.attr != node.attr:
        return False
    return [value.value.id] == [one.arg for one in rules[0].parameters.args[:1]]


class References(Rewriting):
    """Rewrites references."""

    def __init__(self, tools: Tools, calls: Calls, items: Items, layers: LayerAttributes) -> None:
        super().__init__(tools)
        self.calls, self.items, self.layers = calls, items, layers
        self.handed, self.likely, self.settings = HandedClasses(tools), LikelyProperties(tools), Settings(tools)
        # Why a rule for a store refuses what is stored.
        self.reasons: dict[ast.AST, str] = {}

    def visit_reference(self, node: ast.Attribute | ast.Name, as_class: bool = False) -> None:
        """A name used as a value, a property, or an attribute of something."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            self.absent(node)
            return
        callee = self.names.resolve(node)
        if callee is None:
            bound = self.names.binding_of(node)
            if bound is not None and self.names.is_left(bound):
                return
            if isinstance(node, ast.Name) and bound is None:
                return
            if isinstance(node, ast.Attribute) and self.names.of_class(node):
                self.class_attribute(node)
            elif isinstance(node, ast.Attribute) and (self.layers.of_layer(node) or self.likely.visited(node)):
                return
            elif isinstance(node, ast.Attribute):
                self.layers.own_name(node)
                self.unknown(node)
                if isinstance(value_at(node), Ref) and bound is not None:
                    self.module_reference(node)
                else:
                    self.walk.visit(node.value)
            elif isinstance(value_at(node), Ref) and isinstance(node.ctx, ast.Load):
                self.module_reference(node)
            else:
                self.leftover(node)
            return
        if callee.receiver is not None:
            self.property(node, callee)
            return
        self.names.count_load(node)
        key = self.names.key_of(callee)
        if self.here.in_bases and self.book.answers(f"{key}:base"):
            key = f"{key}:base"
        outcome, text, detail = self.handed.value_text(node, key, callee, as_class)
        if outcome == Outcome.MARKED:
            self.draft.mark(node, key, detail)
            text += "._fail()" * self.is_asked_for(node)
        else:
            self.draft.record(node, key, outcome, detail)
        if self.shared.travel.dtypes and KEPT in self.book.rules and is_dtype(value_at(node)):
            text = self.kept_dtype(node, text)
        self.source.edit(self.source.start(node), self.source.end(node), text)

    def kept_dtype(self, node: ast.expr, text: str) -> str:
        """A dtype that may be looked up: what has the hash of those that tensors have."""
        names = plain_targets(self.book.rules[KEPT], self.target.packages)
        if not names or self.here.in_annotation or not is_kept(node, self.source.nodes):
            return text
        return f"{self.draft.spell(names[0])}({text})"

    def is_asked_for(self, node: ast.expr) -> bool:
        """``torch.version.cuda is None``: what stands in is never None, and would answer wrongly, but for what the file
        calls.
        """
        text = self.source.text(node)
        if any(self.source.text(call.func) == text for call in self.source.nodes.of(ast.Call)):
            return False
        return any(
            isinstance(op, (ast.Is, ast.IsNot)) and node in sides and any(is_none(side) is True for side in sides)
            for one in self.source.nodes.all_around(node, ast.Compare)
            if isinstance(one, ast.Compare)
            for op, *sides in zip(one.ops, [one.left, *one.comparators[:-1]], one.comparators, strict=True)
        )

    def class_attribute(self, node: ast.Attribute) -> None:
        """``nn.Conv2d.__name__`` is torch's; else what the class is that stands there for torch's."""
        value = value_at(node.value)
        if node.attr in {"__name__", "__qualname__"} and isinstance(value, Ref) and self.names.binding_of(node):
            text = f"{self.draft.printer.quote}{value.name.rpartition('.')[2]}{self.draft.printer.quote}"
            self.draft.record(node, value.name, Outcome.INLINED, "torch's name of it")
            self.draft.replace(node, text)
            return
        with self.draft.within(in_bases=(as_base := node.attr in {"__init__", "forward"})):
            self.walk.visit(node.value, as_class=as_base)
        if isinstance(value, Ref) and (new := of_base(self.target.methods, f"{value.name}.{node.attr}")):
            self.source.edit(self.source.end(node) - len(node.attr.encode()), self.source.end(node), new)

    def absent(self, node: ast.Name) -> None:
        """``except ImportError: torch = None``: the name follows that of the import."""
        binding = self.names.binding_of(node)
        statement = self.here.statement
        nothing = isinstance(statement, ast.Assign) and is_none(statement.value) is True
        if binding is None or not nothing or binding.certain or binding.project or self.here.functions:
            return
        if binding.is_module and self.draft.table.mapped(binding.source) is not None:
            binding.kept = True
            self.source.edit(self.source.start(node), self.source.end(node), self.draft.table.local(binding))

    def leftover(self, node: ast.Name) -> None:
        """A name that an import binds, where what it holds does not follow: it is bound by other statements too."""
        binding = self.names.binding_of(node)
        known = isinstance(node.ctx, ast.Load) and not isinstance(value_at(node), (Unknown, Bottom, Choice))
        if binding is None or known or binding.text:
            return
        self.bound_otherwise(binding, node)

    def handed_on(self) -> None:
        """Names of which the same is true and that other files import from this one, and those that it says to have."""
        names = self.known.handed_on
        listed = self.known.staying({binding.name for binding in self.draft.table.bindings if not binding.loads})
        for binding in self.draft.table.bindings:
            wanted = binding.name in names or ("*" in names and not binding.name.startswith("_"))
            said = binding.name in listed and not binding.is_module
            wanted = said or (wanted and not (binding.project or binding.certain))
            if binding.scope is not None or binding.is_star or not wanted:
                continue
            statement, value = binding.statement, self.known.module.scope.get(binding.name)
            if statement and (said or not isinstance(value, Ref)) and not (binding.text or binding.lacking):
                with self.draft.within(statement=statement):
                    self.bound_otherwise(binding, statement)

    def bound_otherwise(self, binding: Binding, node: ast.Name | ast.stmt) -> None:
        """The name stays bound, to what takes torch's arguments, or to what raises when it is used."""
        key = binding.source
        if not binding.is_module and self.book.answers(key) and key not in self.book.refusals:
            outcome, text, detail = self.names.bound_text(key, binding)
            if outcome != Outcome.MARKED:
                binding.text = text
                self.draft.record(node, key, outcome, detail)
                return
        binding.leftover = True
        reason = f"what {binding.name} is here does not follow: it is bound by other statements than the import too"
        if binding.is_module and self.draft.table.mapped(key) and self.draft.table.local(binding) == binding.name:
            binding.kept = True
            self.draft.record(node, key, Outcome.UNKNOWN, reason)
            return
        self.draft.mark(node, key, reason, Code.UNSUPPORTED)
        self.draft.stand_in(key)

    def module_reference(self, node: ast.Attribute | ast.Name) -> None:
        """One of torch's modules itself used as a value: ``getattr(nn, name)``."""
        value = value_at(node)
        binding = self.names.binding_of(node)
        if not isinstance(value, Ref) or binding is None:
            return
        binding.loads += 1
        module = self.draft.table.mapped(value.name)
        if not is_module(value.name):
            return
        if module is None or (self.target.imports and node not in self.draft.tested):
            self.draft.mark(node, value.name, f"{value.name} has no counterpart in {self.target.title}")
            self.source.edit(self.source.start(node), self.source.end(node), self.draft.stand_in(value.name))
            return
        text = self.draft.table.spell(module, self.here.functions, self.here.shadowed, binding)
        self.source.edit(self.source.start(node), self.source.end(node), text)
        if node in self.draft.tested:
            self.draft.record(node, value.name, Outcome.SAME)
            return
        call = self.known.nodes.parents[node]
        name = call.args[1] if isinstance(call, ast.Call) and len(call.args) > 1 and call.args[0] is node else None
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            why = f"{value.name} has no {name.value} that is known here: check whether {module} has, and means the same"
        else:
            what = f"what is looked up in {value.name} by a computed name is not converted"
            why = f"{what}: check that {module} has it, with the same arguments"
        self.draft.mark(node, value.name, why, Code.UNSUPPORTED)

    def property(self, node: ast.Attribute | ast.Name, callee: Callee) -> None:
        """A property, or a bound method that is not called."""
        assert isinstance(node, ast.Attribute)
        assert callee.receiver is not None
        key = self.names.key_of(callee)
        if key in self.book.same and node not in self.reasons:
            self.draft.record(node, key, Outcome.SAME)
            self.walk.visit(callee.receiver)
            return
        known, rules = entry(key) or {}, self.book.rules.get(key, [])
        is_method = isinstance(value_at(node), Method)
        if is_method and any(hands_on(rule, key) for rule in rules):
            self.draft.record(node, key, Outcome.SAME, rules[0].where)
            self.walk.visit(callee.receiver)
            return
        if isinstance(node.ctx, ast.Load) and (variant := variant_of(node, key, self.names)):
            key, rules = variant, self.book.rules[variant]
        if rules and isinstance(node.ctx, ast.Load) and known.get("kind") in {"property", None} and not is_method:
            with self.source.collect() as inner:
                self.walk.visit(callee.receiver)
            argument = self.placing.argument(callee.receiver, 0, inner, receiver=True)
            if node in self.shared.handed:  # and written to where it comes
                key, rules = f"{key}:unknown", self.book.rules.get(f"{key}:unknown", rules)
            elif key.rpartition(".")[2] not in OF_HOLDER - {"data"}:
                argument = self.placing.as_array(argument)
            self.calls.apply(node, key, rules, [argument], inner)
            return
        if is_method and rules and isinstance(node.ctx, ast.Load) and not any(rule.rebinds for rule in rules):
            self.bound_method(node, key, rules, callee.receiver)
            return
        if isinstance(node.ctx, ast.Store) and is_kept_so(node, rules) and node not in self.reasons:
            self.draft.record(node, key, Outcome.SAME, rules[0].where)
            self.walk.visit(callee.receiver)
            return
        reason = (
            self.reasons.get(node)
            or self.book.refusals.get(key)
            or (
                f"{key} is stored to, which has no rule"
                if not isinstance(node.ctx, ast.Load)
                else f"the method {key} is used as a value"
                if rules
                else self.draft.no_rule(key)
            )
        )
        self.draft.mark(node, key, reason)
        with self.source.collect() as inner:
            self.walk.visit(callee.receiver)
        text = f"{self.draft.stand_in(key)}({enclosed(self.placing.argument(callee.receiver, 0, inner), 0)})"
        # A store keeps its form, `stand_in(x).data = y`: calling the stand-in raises.
        whole = node if isinstance(node.ctx, ast.Load) else callee.receiver
        self.source.edit(self.source.start(whole), self.source.end(whole), text)

    def bound_method(self, node: ast.Attribute, key: str, rules: list[Rule], receiver: ast.expr) -> None:
        """``f = x.mul``: torch's method of this very tensor, wherever it is called."""
        self.draft.record(node, key, Outcome.HELPER, f"{rules[0].where}, a method that is handed on")
        start, end = self.source.start(node), self.source.end(node)
        name = self.draft.spell("functools.partial")
        self.source.edit(start, start, f"{name}({self.draft.helper_text(rules)}, ")
        self.walk.visit(receiver)
        self.source.edit(self.source.end(receiver), end, ")")

    def store(self, node: ast.Assign) -> bool:
        """``x.requires_grad = False`` by the rule under ``torch.Tensor.requires_grad=``; False where none applies."""
        target = node.targets[0]
        if len(node.targets) != 1 or not isinstance(target, ast.Attribute):
            return self.layers.stored(node)
        setting = self.names.setting_of_layer(target)
        if setting is not None and self.store_by_helper(node, setting):
            return True
        callee = self.names.resolve(target)
        if callee is None:
            return self.likely.stored(node, target) or self.layers.stored(node)
        by_name = self.draft.keys.get(target) == callee.key
        if by_name:
            callee.receiver = target.value
        if callee.receiver is None:
            return self.settings.stored(node, callee)
        key = self.draft.keys.get(node) or f"{self.names.key_of(callee)}="
        rules = self.book.rules.get(key)
        if not rules:
            return False
        before = len(self.draft.report.sites)
        with self.source.collect() as inner:
            self.walk.visit(node.value)
            self.walk.visit(callee.receiver)
        # The value is evaluated before what it is stored to.
        value = self.placing.argument(node.value, 0, inner)
        receiver = self.placing.argument(callee.receiver, 1, inner, receiver=True)
        # A special rule for the store of an attribute is given its name as well.
        name = ast.copy_location(ast.Constant(target.attr), target)
        more = [Argument(name, 2, text=f'"{target.attr}"')] if by_name else []
        try:
            plan = Inliner(choose(rules, [receiver, value, *more], self.target.ambient), statement=True).plan(
                discard=True
            )
            self.placing.check_free_names(plan, rules[0])
            check_effects(plan, [value, receiver], self.known.rebindable)
        except (NoMatch, Refusal, RuleRaises) as refusal:
            plan = None
            if isinstance(refusal, RuleRaises):
                self.reasons[target] = str(refusal)
            in_any_order = is_path(callee.receiver) or is_still(node.value)
            if isinstance(refusal, Refusal) and (in_any_order or len(rules) == 1):
                self.draft.record(target, key, Outcome.HELPER, f"{rules[0].where}, {refusal}")
                words = ", ".join(enclosed(one, 0) for one in (receiver, value, *more))
                if not in_any_order:  # by keywords, in the order of the source
                    names = [one.arg for one in rules[0].parameters.args]
                    pairs = [*zip(names, (receiver, value, *more), strict=True)]
                    words = ", ".join(f"{one}={enclosed(given, 0)}" for one, given in (pairs[1], pairs[0], *pairs[2:]))
                self.draft.replace(node, f"{self.draft.helper_text(rules)}({words})")
                return True
        for reason in plan.differs if plan is not None else ():
            self.draft.differs(target, key, reason)
        lines = len(plan.statements) if plan is not None and plan.result is None else 0
        if plan is not None and plan.result is None and lines == 0:
            self.draft.record(target, key, Outcome.INLINED, rules[0].where)
            self.draft.removal.remove(node)
            return True
        if plan is None or lines == 0 or (lines > 1 and self.here.anchor is not node):
            del self.draft.report.sites[before:]  # they are visited again
            if by_name:
                del self.draft.keys[target]
            return False
        self.draft.record(target, key, Outcome.INLINED, rules[0].where)
        indent = self.source.newline + self.source.indentation(node.lineno)
        self.draft.replace(node, indent.join(map(self.draft.printer.statement, plan.statements)))
        return True

    def store_by_helper(self, node: ast.Assign, callee: Callee) -> bool:
        """``layer.bias = None``: the rule looks whether it is None. False where it is certainly not."""
        if is_none(node.value) is False or callee.receiver is None or not is_path(callee.receiver):
            return False
        with self.source.collect() as inner:
            self.walk.visit(node.value)
            self.walk.visit(callee.receiver)
        value = self.placing.argument(node.value, 0, inner)
        receiver = self.placing.argument(callee.receiver, 1, inner, receiver=True)
        rules = self.book.rules[callee.key]
        self.draft.record(node.targets[0], callee.key, Outcome.HELPER, rules[0].where)
        self.draft.replace(node, f"{self.draft.helper_text(rules)}({enclosed(receiver, 0)}, {enclosed(value, 0)})")
        return True

    def unknown(self, node: ast.Attribute) -> None:
        """An attribute that tensors have and whose receiver is not known: left as it stands, and reported."""
        if not self.is_open(node) or is_no_tensors(node, self.source.nodes):
            return
        origin = self.shared.origins.of(node.value, self.known.module)
        hint = mend_of(origin, shorten(self.source.text(node.value)), node.attr)
        stored = f"torch.Tensor.{node.attr}=" in self.book.rules
        risk = risk_of(node, self.source.nodes, self.target.folder, stored)
        self.draft.left_alone(node, hint, risk, origin.answer if origin is not None else "")

    def is_open(self, node: ast.Attribute) -> bool:
        """Whether the attribute would be rewritten if only its receiver were known to be a tensor."""
        return self.likely.is_open(node)

    def visit_subscript(self, node: ast.Subscript) -> None:
        """``optimizer.param_groups[0]["lr"]``: a rule may be filed under the whole chain, ``...param_groups[][lr]``."""
        if self.draft.keys.get(node) in self.book.rules and self.items.visited(node, self.draft.keys[node]):
            return
        suffix = ""
        part: ast.expr = node
        while isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant):
            suffix = f"[{part.slice.value if isinstance(part.slice.value, str) else ''}]{suffix}"
            part = part.value
        if isinstance(part, ast.Call) and not part.args and not part.keywords:
            suffix, part = f"(){suffix}", part.func
        callee = (
            self.names.resolve(part) if isinstance(part, ast.Attribute) and isinstance(node.ctx, ast.Load) else None
        )
        if callee is None and isinstance(part, ast.Attribute):
            owner = torch_class(value_at(part.value))
            callee = Callee(f"{owner}.{part.attr}", part.value, owner=owner) if owner else None
        if callee is not None and callee.receiver is not None:
            key = self.names.key_of(Callee(callee.key + suffix, owner=callee.owner))
            # A special rule for part of the chain answers for it.
            rules = self.book.rules.get(key) if node not in self.draft.keys else None
            if rules and isinstance(node.ctx, ast.Load):
                with self.source.collect() as inner:
                    self.walk.visit(callee.receiver)
                receiver = self.placing.argument(callee.receiver, 0, inner, receiver=True)
                self.calls.apply(node, key, rules, [receiver], inner)
                return
        self.walk.visit_parts(node)
