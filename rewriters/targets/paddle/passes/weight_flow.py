"""Where the weights of Linears go in a project: which names, attributes and containers hold one.

Paddle's Linear has torch's weight transposed. Names are followed without regard to the order of statements.
"""

from __future__ import annotations

import ast
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
    """Follows assignments, loops, calls and returns of all modules to a fixpoint."""

    def run(self) -> None:
        """To a fixpoint."""
        if not any(map(self.concerns, self.modules)):
            return
        self.find_sources()
        for _ in range(ROUNDS):
            self.moved = False
            self.memo.clear()
            for module in self.modules:
                if self.concerns(module):
                    self.follow(module)
            if not self.moved:
                return

    def concerns(self, module: ModuleInfo) -> bool:
        """Whether a module's code may touch a weight: it has a source of them, or a name that holds one."""
        if module not in self.words:
            names = (node.id for node in module.nodes.of(ast.Name))
            attributes = (node.attr for node in module.nodes.of(ast.Attribute))
            self.words[module] = {*names, *attributes, *(node.arg for node in module.nodes.of(ast.arg))}
        words = self.words[module]
        return not words.isdisjoint(SOURCES) or not words.isdisjoint(self.known)

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

    def widen(self, table: dict[Any, Held], key: Any, held: Held) -> None:
        old = table.get(key, NOTHING)
        if not held <= old:
            new = simple(old | held)
            self.moved |= new != old
            table[key] = new
            if table is self.names:
                name = key[1]
                if name.partition(" ")[0] == "return":
                    name = getattr(key[0], "name", "")
                    for call in self.calls.pop(key[0], ()):
                        self.enliven(call)
                if name not in self.known:
                    self.known.add(name)
                    for node in self.named.get(name, ()):
                        self.enliven(node)

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
                        self.widen(self.names, (info.node, name), items_of(held))
                elif held and index < len(names):
                    self.widen(self.names, (info.node, names[index]), held)
                elif held and spec.vararg:
                    self.widen(self.names, (info.node, spec.vararg.arg), as_many(held))
            for word in node.keywords:
                if word.arg and (held := self.held(word.value)):
                    self.widen(self.names, (info.node, word.arg), held)
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
            self.widen(self.names, (scope, spec.args[shift].arg), held)
            if info is not None:
                self.called.add(info)

    def give_back(self, node: ast.AST, held: Held) -> None:
        scope = self.scope_of(node)
        while scope is not None and not isinstance(scope, FUNCTIONS):
            scope = self.scope_of(scope)
        if scope is None:
            return
        parts = node.value.elts if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) else None
        self.lengths.setdefault(scope, set()).add(len(parts) if parts is not None else 0)
        for index, part in enumerate(parts or ()):
            self.widen(self.names, (scope, f"return {index}"), self.held(part))
        if held:
            self.widen(self.names, (scope, "return"), held)
