"""Tensors as conditions, where the target holds other values for false than torch does."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from rewriters.infer.either import is_hint
from rewriters.infer.joining import element
from rewriters.infer.syntax import all_arguments, switches
from rewriters.infer.values import BOOLEAN, Bottom, ClassInfo, External, Method, ObjectOf, Tensor, Unknown, Value
from rewriters.report import Outcome
from rewriters.rewrite.augmented_targets import READ_AGAIN
from rewriters.rewrite.draft import shorten
from rewriters.rewrite.guards import guards_another
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.unknown_operators import UnknownOperators
from rewriters.text.tree import Nodes, called_name, walk

KEY = "torch.Tensor.__bool__"
READ = (ast.Name, ast.Attribute, ast.Subscript)
ARITHMETIC = {f"torch.Tensor.{name}{end}" for name in ("add", "sub", "mul", "div") for end in ("", "_")}
# Functions that ask of each element whether it holds, and those that are given what asks.
ALL_OF = {"any", "all"}
ASKED = {"map", "filter", "takewhile", "dropwhile", "filterfalse"}
Texts = dict[ast.AST, frozenset[str]]
COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp)


class Truths(Rewriting):
    """Asks by the rule under ``torch.Tensor.__bool__`` whether a tensor holds."""

    def __init__(self, tools: Tools, unknown: UnknownOperators) -> None:
        super().__init__(tools)
        self.unknown = unknown
        # By function: what its operators have beside tensors, what it calls.
        self.added: Texts = {}
        self.called: Texts = {}

    @cached_property
    def conditions(self) -> frozenset[ast.expr]:
        """What is asked whether it holds, where the target has an answer of its own."""
        return tested(self.known.module.nodes) if KEY in self.book.rules else frozenset()

    def visited(self, node: ast.expr) -> None:
        """A condition that has been visited, or what asks for the conditions of others."""
        if node in self.conditions and (may_be_lost(node) or self.is_hinted(node) or self.is_added(node)):
            self.around(node, f"{self.helper(node)}(")
        elif isinstance(node, ast.Call) and KEY in self.book.rules:
            self.of_each(node)

    def helper(self, node: ast.expr, key: str = KEY) -> str:
        rules = self.book.rules[key]
        self.draft.record(node, key, Outcome.HELPER, rules[0].where)
        return self.draft.helper_text(rules)

    def around(self, node: ast.expr, text: str) -> None:
        self.source.edit(self.source.start(node), self.source.start(node), text)
        self.source.edit(self.source.end(node), self.source.end(node), ")")

    def of_each(self, node: ast.Call) -> None:
        """``any(tensors)``, ``filter(None, tensors)``, ``map(bool, tensors)``"""
        name = called_name(node)
        if name in ALL_OF and isinstance(node.func, ast.Name) and len(node.args) == 1:
            given = node.args[0]
            if not isinstance(given, (*COMPREHENSIONS, ast.Starred)) and is_lost(element(value_at(given))):
                self.around(given, f"map({self.helper(given)}, ")
        elif name in ASKED and len(node.args) == 2 and is_lost(element(value_at(node.args[1]))):
            asked = node.args[0]
            if getattr(asked, "value", "") is None or (isinstance(asked, ast.Name) and asked.id == "bool"):
                key = f"{KEY}:value" if name == "map" else KEY
                self.source.edit(self.source.start(asked), self.source.end(asked), self.helper(asked, key))

    def alternatives(self, node: ast.BoolOp) -> bool:
        """``x or y`` as a value; whether it was rewritten, with its parts."""
        if KEY not in self.book.rules:
            return False
        lost = [part for part in node.values[:-1] if part not in self.conditions and self.is_lost_choice(node, part)]
        if not lost:
            return False
        if any(not isinstance(part, READ_AGAIN) for value in node.values[:-1] for part in walk(value)):
            self.mark(lost)
            return False
        texts = []
        for part in node.values:
            with self.source.collect() as inner:
                self.walk.visit(part)
            texts.append((part, self.source.text(part, inner)))
        text = texts[-1][1]
        if isinstance(node.values[-1], (ast.IfExp, ast.Lambda, ast.BoolOp)):
            text = f"({text})"
        for part, read in reversed(texts[:-1]):
            test = f"{self.helper(part)}({read})" if part in lost else read
            text = f"{read} if {test} else {text}" if isinstance(node.op, ast.Or) else f"{text} if {test} else {read}"
        self.draft.replace(node, text if self.stands_alone(node) else f"({text})")
        return True

    def mark(self, lost: list[ast.expr]) -> None:
        for part in filter(may_be_lost, lost):
            shown = shorten(self.source.text(part))
            why = f"{self.target.title} holds a tensor below 0 for false: compare {shown} with 0"
            self.draft.differs(part, KEY, why)

    def is_lost_choice(self, node: ast.BoolOp, part: ast.expr) -> bool:
        """Whether a part is a tensor, or may be: what is given one, or is reckoned with beside one."""
        value = value_at(part)
        if may_be_lost(part) or (is_hint(value) and not guards_another(part, self.source.nodes)):
            return True
        if not isinstance(value, (Unknown, Bottom)):
            return False
        around = self.source.nodes.parents.get(node)
        if isinstance(around, ast.BinOp) and is_beside_tensor(around):
            return True
        return isinstance(part, ast.Name) and (self.unknown.is_likely_tensor(part) or is_added(node, part))

    def is_hinted(self, node: ast.expr) -> bool:
        """What is a tensor at times, as far as something says so; what the function around it calls is none, nor is
        what is used as something else where it holds, nor are switches (``causal=False``) that no call gives one.
        """
        if not is_hint(value_at(node)) or is_switch(node, self.here.functions):
            return False
        if guards_another(node, self.source.nodes):
            return False
        return not isinstance(node, READ) or ast.unparse(node) not in self.found(node, self.called, texts_called)

    def found(self, node: ast.expr, known: Texts, find: Callable[[ast.AST], frozenset[str]]) -> frozenset[str]:
        """Of the function around a node."""
        around = self.here.functions[-1] if self.here.functions else self.source.nodes.parents[node]
        if around not in known:
            known[around] = find(around)
        return known[around]

    def is_added(self, node: ast.expr) -> bool:
        """``x + extra if extra else x``, where nothing is known of extra, and x is a tensor."""
        if not isinstance(node, READ) or not isinstance(value_at(node), (Unknown, Bottom)):
            return False
        if isinstance(node, ast.Name) and self.unknown.is_likely_tensor(node):
            return True
        return ast.unparse(node) in self.found(node, self.added, texts_added)

    def stands_alone(self, node: ast.expr) -> bool:
        """Whether no brackets are needed: an argument, what is assigned or returned, what has some."""
        around = self.source.nodes.parents.get(node)
        if isinstance(around, (ast.Assign, ast.AnnAssign, ast.Return, ast.keyword)):
            return True
        start, end = self.source.start(node), self.source.end(node)
        bracketed = self.source.buffer[start - 1 : start] == b"(" and self.source.buffer[end : end + 1] == b")"
        return bracketed or (isinstance(around, ast.Call) and node in around.args)


def is_switch(node: ast.expr, functions: Sequence[ast.AST]) -> bool:
    """Whether it is a parameter whose default is a truth value, or an attribute that keeps such ones alone."""
    if isinstance(node, ast.Name):
        around = next((one for one in reversed(functions) if binds(one, node.id)), None)
        return around is not None and node.id in switches_of(around)
    owner = value_at(node.value) if isinstance(node, ast.Attribute) else None
    if not isinstance(owner, ObjectOf):
        return False
    classes = [one for one in owner.info.linear() if isinstance(one, ClassInfo)]
    kept = [fits for one in classes for fits in stores_of(one.node, node.attr)]  # type: ignore[attr-defined]
    return bool(kept) and all(kept)


def binds(function: ast.AST, name: str) -> bool:
    bound = (part for part in walk(function) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    return any(one.arg == name for one in arguments_of(function)) or any(part.id == name for part in bound)


def arguments_of(function: ast.AST) -> list[ast.arg]:
    spec = getattr(function, "args", None)
    return all_arguments(spec) if isinstance(spec, ast.arguments) else []


def switches_of(function: ast.AST) -> set[str]:
    """Those of its parameters that are switches, are not bound anew, and are given no tensor by any call itself."""
    spec = getattr(function, "args", None)
    if not isinstance(spec, ast.arguments):
        return set()
    bound = {part.id for part in walk(function) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return switches(spec) - bound - set(getattr(function, "tensors", ()))


def stores_of(owner: ast.ClassDef, name: str) -> Iterator[bool]:
    """Of what a class stores under a name: whether it is a literal truth value or a switch."""
    for function in owner.body:
        for part in walk(function):
            if not isinstance(part, ast.Attribute) or part.attr != name or not isinstance(part.ctx, ast.Store):
                continue
            value = next((one for target, one in assigned(function) if target is part), None)
            literal = isinstance(value, ast.Constant) and isinstance(value.value, bool)
            yield literal or (isinstance(value, ast.Name) and value.id in switches_of(function))


def assigned(function: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets with what is stored to them, of ``a, b = x, y`` one by one."""
    for part in walk(function):
        for target in part.targets if isinstance(part, ast.Assign) else ():
            value = part.value  # type: ignore[attr-defined]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                yield from zip(target.elts, value.elts, strict=False)
            else:
                yield target, value


def is_beside_tensor(node: ast.BinOp) -> bool:
    return any(isinstance(value_at(operand), Tensor) for operand in (node.left, node.right))


def is_added(node: ast.AST, added: ast.expr) -> bool:
    """Whether a name, or what is read, is an operand beside a tensor somewhere in an expression or a function."""
    return ast.unparse(added) in texts_added(node)


def texts_added(node: ast.AST) -> frozenset[str]:
    parts = (operand for part in walk(node) for operand in operands(part))
    return frozenset(ast.unparse(part) for part in parts if isinstance(part, READ))


def texts_called(node: ast.AST) -> frozenset[str]:
    calls = (part.func for part in walk(node) if isinstance(part, ast.Call))
    return frozenset(ast.unparse(part) for part in calls if isinstance(part, READ))


def operands(node: ast.AST) -> list[ast.expr]:
    """Of an operator beside a tensor, ``x + y`` and ``x.add(y)``."""
    if isinstance(node, ast.BinOp) and is_beside_tensor(node):
        return [node.left, node.right]
    method = value_at(node.func) if isinstance(node, ast.Call) else None
    if isinstance(node, ast.Call) and isinstance(method, Method) and method.name in ARITHMETIC:
        return node.args[:1]
    return []


def tested(nodes: Nodes) -> frozenset[ast.expr]:
    """The expressions of a file that are only asked whether they hold."""
    found: list[ast.expr] = []
    for node in nodes.of(ast.If, ast.While, ast.IfExp, ast.Assert):
        found += parts(node.test)
    for node in nodes.of(ast.UnaryOp):
        if isinstance(node.op, ast.Not):
            found += parts(node.operand)
    for node in nodes.of(ast.comprehension):
        found += [part for test in node.ifs for part in parts(test)]
    for node in nodes.of(ast.Call):
        called = value_at(node.func)
        if isinstance(called, External) and called.name in {"operator.not_", "operator.truth"}:
            found += [part for given in node.args for part in parts(given)]
        if not isinstance(node.func, ast.Name) or len(node.args) != 1:
            continue
        if node.func.id == "bool":
            found += parts(node.args[0])
        elif node.func.id in ALL_OF and isinstance(node.args[0], COMPREHENSIONS):
            found += parts(node.args[0].elt)
    return frozenset(found)


def parts(node: ast.expr) -> Iterator[ast.expr]:
    """Of ``a and (b or c)``: a, b, c."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from parts(value)
    elif not isinstance(node, (ast.Starred, ast.NamedExpr, ast.Compare)):
        yield node


def may_be_lost(node: ast.expr) -> bool:
    """Whether it is a tensor, and perhaps not of truth values."""
    return is_lost(value_at(node))


def is_lost(value: Value) -> bool:
    return isinstance(value, Tensor) and not value.assumed and value.kinds != BOOLEAN
