"""Where the weights of Linears go in a project: which names, attributes and containers hold one.

Paddle's Linear has torch's weight transposed. Names are followed without regard to the order of statements.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from rewriters.infer.values import (
    Instance,
    ModuleInfo,
    ObjectOf,
    Tensor,
)
from rewriters.targets.paddle.passes.weight_holds import (
    NOTHING,
    Held,
    Holds,
    as_many,
    items_of,
    of_kind,
    refined,
    simple,
)
from rewriters.targets.paddle.passes.weight_makers import (
    FUNCTIONS,
    value_of,
    ways,
)
from rewriters.targets.paddle.passes.weight_words import SOURCES, WEIGHTS

ROUNDS = 6


class Flow(Holds):
    """Follows assignments, loops, calls and returns of all modules to a fixpoint.

    having:    the files in which each name and attribute occurs.
    concerned: the files whose code may touch a weight: they have a source of them, or a name that holds one.
    waiting:   those of which something has changed since they were followed. here: the one that is.
    """

    def __init__(self, modules: Iterable[ModuleInfo]) -> None:
        super().__init__(modules)
        self.having: dict[str, list[ModuleInfo]] = {}
        self.concerned: set[ModuleInfo] = set()
        self.waiting: set[ModuleInfo] = set()
        self.here: ModuleInfo | None = None

    def run(self) -> None:
        """To a fixpoint."""
        self.find_words()
        if not self.concerned:
            return
        self.find_sources()
        memos: dict[ModuleInfo, dict[ast.AST, Held]] = {}
        elsewhere: set[ModuleInfo] = set()
        for _ in range(ROUNDS):
            self.moved = False
            for module in self.modules:
                if module in self.waiting:
                    self.waiting.discard(module)
                    self.here, self.memo, self.looks_elsewhere = module, {}, False
                    memos[module] = self.memo
                    self.follow(module)
                    (elsewhere.add if self.looks_elsewhere else elsewhere.discard)(module)
            if not self.moved:
                break
            self.waiting |= elsewhere
        self.here, self.memo = None, {}
        while memos:
            self.memo.update(memos.popitem()[1])

    def find_words(self) -> None:
        for module in self.modules:
            words = {node.id for node in module.nodes.of(ast.Name)}
            words.update(node.attr for node in module.nodes.of(ast.Attribute))
            words.update(node.arg for node in module.nodes.of(ast.arg))
            for word in words:
                self.having.setdefault(word, []).append(module)
        for word in SOURCES:
            self.concerned.update(self.having.get(word, ()))
        self.waiting |= self.concerned

    def concerns(self, module: ModuleInfo) -> bool:
        """Whether a module's code may touch a weight."""
        return module in self.concerned

    def again(self, modules: Iterable[ModuleInfo]) -> None:
        """Something of these has changed: they are to be followed once more."""
        self.waiting.update(self.concerned.intersection(modules))

    def follow(self, module: ModuleInfo) -> None:
        nodes = module.nodes
        self.called |= self.calling[module]
        for node in nodes.of(ast.Assign):
            for target in node.targets if node.value in self.live else ():
                self.put(target, self.held(node.value), node.value)
        for node in nodes.of(ast.AnnAssign, ast.NamedExpr, ast.AugAssign):
            if node.value in self.live:
                self.put(node.target, self.held(node.value), node.value)
        for node in nodes.of(ast.For, ast.AsyncFor, ast.comprehension):
            if node.iter in self.live:
                self.put_each(node.target, node.iter)
        for node in nodes.of(ast.withitem):
            if node.optional_vars is not None:
                self.put(node.optional_vars, self.held(node.context_expr), None)
        for node in nodes.of(ast.Call):
            if node in self.live:
                self.hand_over(node)
        for node in nodes.of(ast.Return, ast.Yield, ast.YieldFrom):
            if node.value is not None:
                held = self.held(node.value)
                self.give_back(node, as_many(held) if not isinstance(node, ast.Return) else held)

    def put_each(self, target: ast.expr, items: ast.expr) -> None:
        """``for name, p in model.named_parameters()``: of a pair of key and value, the key holds nothing."""
        if isinstance(items, ast.Call) and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            name = items.func.attr if isinstance(items.func, ast.Attribute) else getattr(items.func, "id", "")
            if name == "enumerate" and items.args:
                self.put_each(target.elts[1], items.args[0])
                return
            if name in {"list", "tuple", "sorted", "reversed", "tqdm"} and items.args:
                self.put_each(target, items.args[0])
                return
            if name in {"items", "named_parameters"}:
                self.put(target.elts[1], items_of(self.held(items)), None)
                return
        is_zip = isinstance(items, ast.Call) and getattr(items.func, "id", "") == "zip"
        given = items.args if isinstance(items, ast.Call) and is_zip else []
        parts = target.elts if isinstance(target, ast.Tuple) else []
        if is_zip and len(given) == len(parts) and not any(isinstance(one, ast.Starred) for one in given):
            for part, one in zip(parts, given, strict=True):
                self.put_each(part, one)
            return
        self.put(target, items_of(self.held(items)), None)

    def put(self, target: ast.expr, held: Held, value: ast.expr | None) -> None:
        """An assignment."""
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, ast.Call):
            info, _ = self.function_of(value_of(value.func))
            if info is not None and self.lengths.get(info.node) == {len(target.elts)}:
                for index, part in enumerate(target.elts):
                    self.put(part, self.names.get((info.node, f"return {index}"), NOTHING), None)
                return
        if isinstance(target, (ast.Tuple, ast.List)):
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            for index, part in enumerate(target.elts):
                if len(parts) == len(target.elts):
                    self.put(part, self.held(parts[index]), parts[index])
                else:
                    self.put(part, (items_of(held) | held) if value is not None else held, None)
            return
        held = refined(held, target)
        if not held:
            return
        if isinstance(target, ast.Starred):
            self.put(target.value, as_many(held), None)
        elif isinstance(target, ast.Name):
            self.widen(self.names, (self.scope_of(target), target.id), held)
        elif isinstance(target, ast.Attribute):
            owner = value_of(target.value)
            if target.attr in WEIGHTS and isinstance(owner, ObjectOf):
                self.widen(self.own, owner.info, held)
            elif target.attr not in WEIGHTS | {"data", "grad"}:
                self.widen(self.names, (None, target.attr), held)
        elif isinstance(target, ast.Subscript) and not of_kind(self.held(target.value), "one"):
            place = self.place(target.value, self.scope_of(target))
            if place is not None and not isinstance(value_of(target.value), Tensor):
                self.widen(self.names, place, as_many(held))

    def widen(self, table: dict[Any, Held], key: Any, held: Held, home: ModuleInfo | None = None) -> None:
        """home: the file that a name is in, where it is not the one that is followed."""
        old = table.get(key, NOTHING)
        if held <= old:
            return
        new = simple(old | held)
        if new == old:
            return
        self.moved = True
        table[key] = new
        self.again(one for one in (home, self.here) if one is not None)
        if table is self.own:
            self.again(module for word in WEIGHTS for module in self.having.get(word, ()))
            return
        scope, name = key
        if name.partition(" ")[0] == "return":
            name = getattr(scope, "name", "")
            for call in self.calls.pop(scope, ()):
                self.enliven(call)
            self.again(self.callers.get(scope, ()))
            scope = None  # also read as an attribute: a property
        if name not in self.known:
            self.known.add(name)
            for node in self.named.get(name, ()):
                self.enliven(node)
            self.concerned.update(self.having.get(name, ()))
            scope = None
        if scope is None:
            self.again(self.having.get(name, ()))

    def hand_over(self, node: ast.Call) -> None:
        """Arguments to the project's own functions; things put into containers."""
        called = value_of(node.func)
        functions = ways(called)
        for function in functions:
            info, shift = self.function_of(function)
            if info is None:
                continue
            spec = info.node.args
            names = [argument.arg for argument in [*spec.posonlyargs, *spec.args]][shift:]
            for index, argument in enumerate(node.args):
                held = self.held(argument)
                if isinstance(argument, ast.Starred):
                    for name in names[index:]:
                        self.widen(self.names, (info.node, name), items_of(held), info.module)
                elif held and index < len(names):
                    self.widen(self.names, (info.node, names[index]), held, info.module)
                elif held and spec.vararg:
                    self.widen(self.names, (info.node, spec.vararg.arg), as_many(held), info.module)
            for word in node.keywords:
                if word.arg and (held := self.held(word.value)):
                    self.widen(self.names, (info.node, word.arg), held, info.module)
        if isinstance(node.func, ast.Attribute) and node.args:
            held = self.held(node.args[-1])
            if node.func.attr in {"append", "extend", "insert", "add", "update", "setdefault"} and held:
                place = self.place(node.func.value, self.scope_of(node))
                if place is not None and not isinstance(value_of(node.func.value), (Tensor, Instance)):
                    self.widen(self.names, place, as_many(held))
            if node.func.attr in {"register_hook", "map"}:
                self.hand_to(node.args[0], self.held(node.func.value))
        if isinstance(node.func, ast.Name) and node.func.id in {"map", "filter"} and len(node.args) > 1:
            self.hand_to(node.args[0], items_of(self.held(node.args[1])))

    def hand_to(self, function: ast.expr, held: Held) -> None:
        info, shift = self.function_of(value_of(function))
        spec = info.node.args if info is not None else getattr(function, "args", None)
        if isinstance(spec, ast.arguments) and held and spec.args[shift:]:
            scope = info.node if info is not None else function
            self.widen(self.names, (scope, spec.args[shift].arg), held, info.module if info is not None else None)
            if info is not None:
                self.called.add(info)

    def give_back(self, node: ast.AST, held: Held) -> None:
        scope = self.scope_of(node)
        while scope is not None and not isinstance(scope, FUNCTIONS):
            scope = self.scope_of(scope)
        if scope is None:
            return
        parts = node.value.elts if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) else None
        lengths, length = self.lengths.setdefault(scope, set()), len(parts) if parts is not None else 0
        if length not in lengths:
            lengths.add(length)
            self.again(self.callers.get(scope, ()))
        for index, part in enumerate(parts or ()):
            self.widen(self.names, (scope, f"return {index}"), self.held(part))
        if held:
            self.widen(self.names, (scope, "return"), held)
