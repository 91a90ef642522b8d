"""Calls: arguments meet the rule's parameters; helpers and stand-ins where they do not."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from rewriters.infer.kinds import known_low
from rewriters.infer.values import Instance, Ref, Value
from rewriters.members.taken import OF_HOLDER, TAKE_HOLDERS
from rewriters.places.calls import asks_in_place
from rewriters.report import Outcome
from rewriters.rewrite.class_names import of_a_class
from rewriters.rewrite.class_uses import is_class_test
from rewriters.rewrite.draft import shorten
from rewriters.rewrite.fallbacks import falls_back
from rewriters.rewrite.given_keywords import GivenKeywords, without_defaults
from rewriters.rewrite.given_numbers import GivenNumbers, is_of_numbers, meant_by
from rewriters.rewrite.members import hold_given
from rewriters.rewrite.placing import Use
from rewriters.rewrite.promoting import share_tensors
from rewriters.rewrite.questions import Questions
from rewriters.rewrite.resolving import Callee, keys_of_module, value_at
from rewriters.rewrite.rewriting import Tools
from rewriters.rewrite.unknown_changes import UnknownChanges
from rewriters.rewrite.unknown_methods import UnknownMethods, promoted_value
from rewriters.rules.binding import SYNONYMS, Argument, asked_for, bind, choose
from rewriters.rules.inline import RuleRaises, reasons_of
from rewriters.rules.ordering import is_reflected
from rewriters.rules.promotion import is_open, mixed, of_open_widths
from rewriters.rules.refusal import NoMatch, Obstacle, Refusal
from rewriters.rules.render import enclosed
from rewriters.rules.rulebook import Rule, hands_on
from rewriters.text.parsing import expression_of
from rewriters.text.source_text import Edit, comments
from rewriters.torch.alone import is_placement
from rewriters.torch.table import entry, is_tensor_class


class Calls(UnknownMethods):
    """Rewrites calls."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self.given, self.keywords = GivenNumbers(tools), GivenKeywords(tools)
        self.questions, self.unknown_changes = Questions(tools), UnknownChanges(tools, self.promoting)

    def visit_classes(self, node: ast.expr) -> None:
        """What isinstance tests for: each class once, where several of torch's are one here."""
        with self.draft.within(in_class_test=True):
            if not isinstance(node, ast.Tuple) or not node.elts:
                self.walk.visit(node, as_class=True)
                return
            source, kept = self.source, dict[str, ast.expr]()
            for before, part in zip([node, *node.elts], node.elts, strict=False):
                with source.collect() as inner:
                    self.walk.visit(part, as_class=True)
                text = source.text(part, inner)
                behind = source.original(source.end(before), source.start(part)) if kept else ""
                if inner and text in kept and re.fullmatch(r",\s*", behind):
                    source.edit(source.end(before), source.end(part), "")
                else:
                    source.edits += inner
                    kept.setdefault(text, part)
            start, end = source.start(node), source.end(node)
            inside = [edit for edit in source.edits if start <= edit.start and edit.end <= end]
            if inside and len(kept) == 1 < len(node.elts) and not comments(source.text(node)):
                source.edits = [edit for edit in source.edits if edit not in inside]
                source.edit(start, end, *kept)

    def visit_call(self, node: ast.Call) -> None:
        if is_class_test(node):
            self.walk.visit(node.args[0])
            self.visit_classes(node.args[1])
            return
        if self.questions.visit_question(node) or self.unknown_changes.of_looked_up(node):
            return
        callee = self.names.resolve(node.func)
        if node in self.draft.keys and callee is not None:
            callee = Callee(self.draft.keys[node], callee.receiver, callee.style)
        elif self.draft.keys.get(node, "").endswith((":asked", ":asarray", ":kinked")):
            callee = Callee(self.draft.keys[node])  # Python's own function, of a module or a tensor; numpy's, of one
        elif node in self.draft.keys and isinstance(node.func, ast.Attribute) and self.is_method(self.draft.keys[node]):
            callee = Callee(self.draft.keys[node], node.func.value)  # of what is not known, by its name
        if callee is None:
            callee = self.of_same_class(node)
        if callee is not None and self.names.is_kept_object(node, callee):
            callee = None  # its parts are visited, that which is called among them
        if callee is None:
            if not self.call_module(node) and not self.unknown_changes.changes(node) and not self.unknown_method(node):
                self.walk.visit_parts(node)
                hold_given(node, self.source, self.target.held, self.draft)
                self.source.edits += self.keywords.call_of_layer(node)
            return
        if callee.receiver is None:
            self.names.count_load(node.func)
        key, book = self.names.key_of(callee), self.book
        if callee.receiver is None and self.draft.is_loading(node) and (taken := self.absent(node)):
            self.draft.mark(node, key, f"{taken} was not converted")
            later = f"{self.draft.stand_in(key)}._later"
            self.source.edit(self.source.start(node.func), self.source.end(node.func), later)
            self.visit_arguments(node, key)
            return
        if unsaid := self.keywords.unsaid(node, key, callee.receiver is not None):
            with self.keywords.without(node, unsaid):
                self.visit_call(node)
            return
        if f"{key}:inplace" in book.rules and self.layer_seen(node, key):
            key = f"{key}:inplace"
        elif f"{key}:of_array" in book.rules and self.placing.fills_array(node):
            key = f"{key}:of_array"
        elif f"{key}:numbers" in book.rules and is_of_numbers(node):
            key = f"{key}:numbers"  # of which torch makes a tensor
        if key in book.rules and not book.rules[key][0].is_class:
            self.call_rule(node, key, callee)
            return
        if key in book.same and f"{key}:mixed" in book.rules and self.is_mixed(node, key, callee):
            self.call_rule(node, key, callee)
            return
        if key in book.same and callee.receiver is not None:
            self.draft.record(node, key, Outcome.SAME)
            self.walk.visit(callee.receiver)
            self.visit_arguments(node, key, callee.receiver)
            self.source.edits += self.keywords.by_place(node, key)
            if self.target.held:
                self.source.edits += self.as_arrays(self.arguments(node, None, []))
            return
        if callee.receiver is not None:
            self.mark_method(node, key, callee)
            return
        outcome, text, detail = self.names.value_text(key, callee, as_class=False)
        if outcome == Outcome.MARKED:
            self.draft.mark(node, key, detail)
            text += "._made" if is_placement(key) else "._later" if self.draft.is_loading(node) else ""
        else:
            self.draft.record(node, key, outcome, detail)
        self.source.edit(self.source.start(node.func), self.source.end(node.func), text)
        self.visit_arguments(node, key)
        self.source.edits += self.keywords.by_place(node, key) if key in book.same else []

    def absent(self, node: ast.Call) -> str:
        """The first of torch's values among a call's arguments for which there is nothing here; "" for none."""
        given = [*node.args, *(word.value for word in node.keywords)]
        named = [value.name for value in map(value_at, given) if isinstance(value, Ref)]
        return next((one for one in named if (entry(one) or {}).get("kind") == "value" and self.draft.lacks(one)), "")

    def of_same_class(self, node: ast.Call) -> Callee | None:
        """``type(m)(...)``, ``m.__class__(...)`` of a layer that torch's class itself has made."""
        of = of_a_class(node.func)
        value = value_at(of) if of is not None else None
        if not isinstance(value, Instance) or not isinstance(of, (ast.Name, ast.Attribute)):
            return None
        rules = self.book.rules.get(value.name)
        return (
            Callee(value.name) if rules and not rules[0].is_class and (entry(value.name) or {}).get("module") else None
        )

    def is_method(self, key: str) -> bool:
        """Whether a special rule's key is of a method, so that the call's receiver is its first argument."""
        owner, _, name = key.partition(":")[0].rpartition(".")
        known = entry(owner) or {}
        return name in known.get("methods", {}) or (is_tensor_class(owner) and entry(f"{owner}.{name}") is not None)

    def call_module(self, node: ast.Call) -> bool:
        """``self.conv(x)`` where calling torch's module has a rule of its own that fits for sure; else it stays."""
        for key in (*keys_of_module(node), self.draft.keys.get(node, "")):
            if key not in self.book.rules or isinstance(value_at(node.func), Ref):
                continue  # `losses["k"]()` makes one: what lies there takes torch's arguments
            try:
                choose(self.book.rules[key], self.arguments(node, node.func, []), self.target.ambient)
            except NoMatch:
                continue
            except Refusal as refusal:
                if refusal.obstacle is not Obstacle.RANK_AT_TIMES:
                    continue
            self.call_rule(node, key, Callee(key, node.func))
            return True
        return False

    def layer_seen(self, node: ast.Call, key: str) -> bool:
        """Whether a layer that changes its input may be seen to do so, where this call makes one."""
        return asks_in_place(node, key) and self.shared.layers.is_seen(node, self.known.module)

    def visit_arguments(self, node: ast.Call, key: str = "", receiver: ast.expr | None = None) -> None:
        """The arguments of a call of ``key``: a method's first is its receiver where none stands before the dot."""
        behind = 1 if receiver is None and (entry(key) or {}).get("kind") == "method" else 0
        known = True
        for place, argument in enumerate(node.args):
            known = known and not isinstance(argument, ast.Starred)
            if known:
                self.given.visit_argument(argument, key, place - behind)
            else:
                self.walk.visit(argument)
        for word in node.keywords:
            self.given.visit_argument(word.value, key, SYNONYMS.get(word.arg or "", word.arg or ""))
        self.source.edits += self.keywords.left_out.get(node, [])

    def mark_method(self, node: ast.Call, key: str, callee: Callee) -> None:
        """A method without a counterpart: ``torch.Tensor.lu(x)`` through the stand-in, which raises."""
        assert callee.receiver is not None
        self.draft.mark(node, key, self.book.refusals.get(key) or self.draft.no_rule(key))
        with self.source.collect() as inner:
            self.walk.visit(callee.receiver)
            self.visit_arguments(node)
        self.move_receiver(node, self.placing.argument(callee.receiver, 0, inner), self.draft.stand_in(key), inner)

    def move_receiver(self, node: ast.Call, given: Argument, function: str, inner: list[Edit]) -> None:
        """``x.f(a)`` -> ``function(x, a)``: the arguments' text stays as it is."""
        source, receiver = self.source, given.node
        opening = self.placing.opening(node)
        text = enclosed(given, 0)
        separator = ""
        if node.args or node.keywords:
            separator = "," if source.buffer[opening + 1 : opening + 2] in (b"\n", b"\r") else ", "
        source.edits += [edit for edit in inner if edit.start > opening]
        self.draft.keep_comments(source.end(receiver), opening, "")
        source.edit(source.start(node), opening + 1, f"{function}({text}{separator}")

    def call_rule(self, node: ast.Call, key: str, callee: Callee) -> None:
        rules = self.book.rules.get(key, [])
        with self.source.collect() as inner:
            self.placing.chain(node, rules)
            if callee.receiver is not None:
                self.walk.visit(callee.receiver)
            self.visit_arguments(node, meant_by(key), callee.receiver)
        arguments = self.arguments(node, callee.receiver, inner, key)
        of_mixed = self.book.rules.get(f"{key}:mixed", [])
        if of_mixed and self.are_mixed(node, key, operands_of(of_mixed, arguments)):
            rules = of_mixed
        with self.draft.within(style=callee.style):
            self.apply(node, key, rules, arguments, inner)

    def is_mixed(self, node: ast.Call, key: str, callee: Callee) -> bool:
        """Whether the call's operands are of several kinds of dtype."""
        operands = operands_of(self.book.rules[f"{key}:mixed"], self.arguments(node, callee.receiver, []))
        return self.are_mixed(node, key, operands)

    def are_mixed(self, node: ast.Call, key: str, operands: Sequence[Value]) -> bool:
        """Also where two may be of either width, for what changes the first or gives one number of both."""
        open_to_all = key.endswith("_") and self.shared.travel.names_widths
        if f"{key}:widths" in self.book.rules and self.shared.travel.makes_wide and of_open_widths(operands):
            return not share_tensors(node)
        if key in SCALING and len(operands) == 2 and known_low(operands[1]) and is_open(operands[0]):
            return True
        return mixed(operands, open_to_all or falls_back(self.source.nodes, node), key.endswith(("_", "_loss")))

    def arguments(self, node: ast.Call, receiver: ast.expr | None, inner: list[Edit], key: str = "") -> list[Argument]:
        """The receiver and what the call gives, in the order of the text, with the edits inside them applied.

        key: of the rules that they are for, whose names of parameters count.
        """
        arguments: list[Argument] = []
        if receiver is not None:
            arguments.append(self.placing.argument(receiver, 0, inner, receiver=True))
        parts: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        ordered = sorted(parts, key=lambda part: (part.lineno, part.col_offset))
        for order, part in enumerate(ordered, start=1):
            if isinstance(part, ast.keyword):
                star = "" if part.arg else "**"
                argument = self.placing.argument(part.value, order, inner, keyword=part.arg, star=star)
                argument.called = self.keywords.own_name(key, part)
                arguments.append(argument)
            elif isinstance(part, ast.Starred):
                arguments.append(self.placing.argument(part.value, order, inner, star="*"))
            else:
                arguments.append(self.placing.argument(part, order, inner))
        if not self.target.held or key.startswith(TAKE_HOLDERS) or key.rpartition(".")[2] in OF_HOLDER:
            return arguments
        return [self.placing.as_array(argument) for argument in arguments]

    def apply(self, node: Use, key: str, rules: list[Rule], arguments: list[Argument], inner: list[Edit]) -> None:
        """Inline the rule that fits, else call the helper."""
        chosen = rules
        try:
            if not self.target.in_place and isinstance(node, ast.Call) and any(rule.rebinds for rule in rules):
                self.placing.find_place(node, arguments, inner)
            bound = without_defaults(choose(rules, arguments, self.target.ambient), key)
            chosen = [bound.rule]
            self.placing.inline(node, key, bound, arguments, inner)
            self.placing.tell_others(node, key, rules, arguments)
        except NoMatch:
            shown = ", ".join(a.keyword or shorten(a.text) for a in arguments)
            name = key.partition(":")[0]
            self.mark_call(node, key, f"no rule of {name} takes these arguments: {shown}", arguments, inner)
        except RuleRaises as error:
            self.mark_call(node, key, str(error), arguments, inner)
        except Refusal as refusal:
            if any(rule.rebinds for rule in rules) and not arguments[0].fresh:
                if self.placing.bound_by_helper(node, key, rules, arguments, inner):
                    return
                reason = f"{meant_by(key)} gives a new value in {self.target.title}: use it as a statement of its own"
                self.mark_call(node, key, reason, arguments, inner)
                return
            if refusal.obstacle is Obstacle.STAR_ARGUMENTS and any(hands_on(rule, key) for rule in rules):
                self.draft.record(node, key, Outcome.SAME, rules[0].where)
                self.source.edits += inner
                return
            of_mixed = self.book.rules.get(f"{key}:mixed", [])
            if refusal.obstacle is Obstacle.UNDECIDED_OVERLOAD and len(of_mixed) > 1:
                rules = of_mixed  # what may be a tensor may be one of another dtype
            if refusal.obstacle is Obstacle.RANK_AT_TIMES:
                rules = self.book.for_any_rank(key)
            rules = self.placing.helping(chosen, arguments) or rules
            self.draft.record(node, key, Outcome.HELPER, f"{rules[0].where}, {refusal}")
            for reason in dict.fromkeys(reason for rule in chosen for reason in reasons_of(rule.node)):
                self.draft.differs(node, key, reason)
            if isinstance(node, ast.Call):
                inner = inner + self.renamed_keywords(node, rules, arguments) + self.supplied(node, rules, arguments)
            names = [a.arg for a in rules[0].parameters.args]
            self.call_function(node, self.draft.helper_text(rules), arguments, inner, names)

    def supplied(self, node: ast.Call, rules: list[Rule], arguments: list[Argument]) -> list[Edit]:
        """The ambient arguments that the helper asks for, at the end of the call, whose receiver stands before them."""
        ambient = self.target.ambient
        words = []
        for name in dict.fromkeys(name for rule in rules for name in asked_for(rule, ambient)):
            shown = self.draft.printer.text(expression_of(ambient[name]))
            words.append(f"{name}={shown}")
        if not words:
            return []
        end = self.source.end(node) - 1
        if not node.args and not node.keywords:
            return [Edit(end, end, ", " * bool(arguments) + ", ".join(words))]
        at = start = max(map(self.source.end, [*node.args, *node.keywords]))
        # behind the last argument and what closes brackets around it, before a comma and comments
        for line in self.source.original(start, end).splitlines(keepends=True):
            code = line.partition("#")[0]
            at = start + len(code.rstrip(" \t\r\n,").encode()) if code.strip(" \t\r\n,") else at
            start += len(line.encode())
        lines = {part.lineno for part in node.args} | {word.lineno for word in node.keywords}
        behind = self.source.original(at, end).partition("\n")
        if (
            len(lines) == len(node.args) + len(node.keywords) > 1 and behind[1] and behind[0].startswith(",")
        ):  # one to a line, each with a comma
            indent = self.source.indentation(max(lines))
            at += len(behind[0].rstrip("\r").encode())
            return [Edit(at, at, "".join(f"{self.source.newline}{indent}{word}," for word in words))]
        return [Edit(at, at, ", " + ", ".join(words))]

    def renamed_keywords(self, node: ast.Call, rules: list[Rule], arguments: list[Argument]) -> list[Edit]:
        """Other names of parameters, numpy's (``axis=``) and torch's own, as the helper has them."""
        names = {a.arg for rule in rules for a in [*rule.parameters.args, *rule.parameters.kwonlyargs]}
        called = {argument.node: argument.called for argument in arguments}
        found = []
        for word in node.keywords:
            own = next((one for one in (called.get(word.value), SYNONYMS.get(word.arg or "")) if one in names), None)
            if own is not None and word.arg is not None and word.arg not in names:
                start = self.source.start(word)
                found.append(Edit(start, start + len(word.arg.encode()), own))
        return found

    def mark_call(self, node: Use, key: str, reason: str, arguments: list[Argument], inner: list[Edit]) -> None:
        self.draft.mark(node, key, reason)
        self.call_function(node, self.draft.stand_in(key), arguments, inner)

    def as_arrays(self, arguments: list[Argument]) -> list[Edit]:
        """What makes arrays of names that stand for what holds them, behind such arguments."""
        held = [a for a in arguments if not a.receiver and self.placing.stands_for_array(a)]
        return [Edit(end, end, self.target.held) for end in map(self.source.end, (a.node for a in held))]

    def call_function(
        self, node: Use, function: str, arguments: list[Argument], inner: list[Edit], names: Sequence[str] = ()
    ) -> None:
        """The same call, of a function with torch's signature.

        names: of its parameters, for operands that are not evaluated in their order.
        """
        inner = inner + self.as_arrays(arguments) if self.target.held else inner
        if not isinstance(node, ast.Call):
            given = [(a.order, enclosed(a, 0)) for a in arguments]
            if len(names) == len(given) and is_reflected(arguments):
                given = [(order, f"{name}={text}") for name, (order, text) in zip(names, given, strict=True)]
                given.sort()
            words = ", ".join(text for _, text in given)
            self.draft.replace(node, f"{function}({words})")
        elif arguments and arguments[0].receiver:
            self.move_receiver(node, arguments[0], function, inner)
        else:
            self.source.edits += inner
            self.source.edit(self.source.start(node.func), self.source.end(node.func), function)


# What changes in place and is seldom of whole numbers, where nothing says of which.
SCALING = {"torch.Tensor.mul_", "torch.Tensor.multiply_", "torch.Tensor.div_", "torch.Tensor.divide_"}
CONDITIONS = {"condition", "mask", "index", "indices", "dim", "axis"}


def operands_of(rules: list[Rule], arguments: list[Argument]) -> list[Value]:
    """The values that a function promotes to one dtype: all but those that say where."""
    names: dict[Argument, str] = {}
    for rule in rules:
        try:
            bound = bind(rule, arguments, {})
        except Refusal:
            return []
        if bound is not None:
            names = {argument: name for name, argument in bound.arguments.items()}
            break
    return [promoted_value(argument.node) for argument in arguments if names.get(argument) not in CONDITIONS]
