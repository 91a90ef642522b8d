"""``with torch.no_grad():`` where gradients are taken of functions: nothing remains of it but that no gradient passes.

The block stands without it. What it binds and others read, or returns, is a constant for gradients; where that may be a
tensor, the target's word says so.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from rewriters.infer.leaves import is_leaf
from rewriters.infer.values import Mapping, Method, ModuleInfo, Ref, Tensor, Unknown, Value
from rewriters.regions.emit import NO_GRAD
from rewriters.regions.gradients.mode_stores import (
    NESTED,
    changed_objects,
    containers_given,
    data_changes,
    own,
    stores_attributes,
)
from rewriters.regions.gradients.mode_values import Constant, HeldModes
from rewriters.regions.gradients.names import of_node
from rewriters.regions.gradients.words import Words
from rewriters.regions.plan import Draft, Plan, lines_of, replace, settle, whole_lines
from rewriters.regions.tracing import parts_of, value_of
from rewriters.text.parsing import expression_of
from rewriters.text.source_text import Source
from rewriters.text.tree import FUNCTIONS, walk

ALWAYS = {"torch.enable_grad", "torch.set_grad_enabled", "torch.autograd.enable_grad"}
RETURN = "return "


class Modes:
    """Of one file.

    differentiated: functions of which gradients are taken; homes: functions and files of which those of a part are;
    inside:         what losses are made of; steps: the statements that take gradients of them.
    blocks:         those that are taken apart, known when they are prepared.
    """

    def __init__(
        self,
        module: ModuleInfo,
        plan: Plan,
        words: Words,
        differentiated: set[ast.AST],
        homes: set[ast.AST],
        inside: set[ast.AST],
        steps: set[ast.stmt],
    ) -> None:
        self.module, self.plan, self.words = module, plan, words
        self.differentiated, self.homes, self.inside, self.steps = differentiated, homes, inside, steps
        self.blocks: list[ast.With] = []

    def prepare(self) -> bool:
        """Whether there is something to do; the innermost blocks come first."""
        held = HeldModes(self).prepare()
        blocks = [node for node in self.module.nodes.of(ast.With) if self.is_mode(node)]
        blocks.sort(key=lambda node: -len(list(self.module.nodes.all_around(node, ast.With))))
        for node in blocks:
            for item in node.items:
                self.plan.parts[item.context_expr] = []
        # before a loss takes such a block into its function
        whole = [node for node in blocks if self.has_step(node)]
        self.plan.edits += [lambda draft, node=node: self.block(node, draft) for node in whole]  # type: ignore[misc]
        self.blocks = blocks = [node for node in blocks if node not in whole]
        self.plan.edits[:0] = [lambda draft, node=node: self.block(node, draft) for node in blocks]  # type: ignore[misc]
        changes = self.data_changes()
        self.plan.edits[:0] = [partial(self.apart, *pair) for pair in changes]
        decorated = 0
        for node in self.module.nodes.of(ast.FunctionDef):
            for decorator in node.decorator_list:
                kept = self.gives_tensors(node) or (node in self.differentiated and stores_attributes(node))
                if mode_of(decorator) in NO_GRAD and not kept:
                    decorated += 1
                    self.plan.parts[decorator] = []
                    self.plan.edits.append(lambda draft, part=decorator: remove_decorator(part, draft))  # type: ignore[misc]
        return bool(blocks or decorated or held or changes)

    def data_changes(self) -> list[tuple[ast.stmt, str]]:
        """Where parameters change by their ``.data`` in what is differentiated: gradients are of the new value."""
        functions = self.module.nodes.of(ast.FunctionDef, ast.AsyncFunctionDef)
        found = [pair for node in functions if node in self.differentiated for pair in data_changes(node)]
        return sorted((pair for pair in found if not self.is_within(pair[0])), key=lambda pair: -pair[0].lineno)

    def is_within(self, node: ast.AST) -> bool:
        """Whether it stands in a block without gradients."""
        blocks = self.module.nodes.all_around(node, ast.With)
        return any(isinstance(block, ast.With) and self.is_mode(block) for block in blocks)

    def apart(self, node: ast.stmt, name: str, draft: Draft) -> None:
        """A statement in a block of its own."""
        source, span = draft.source, whole_lines(draft.source, node)
        if span is None:
            return
        settle(draft, span)
        indent = source.indentation(node.lineno)
        lines = [f"with {self.words.constant_changes([name], draft)}:"]
        lines += [f"{source.step}{line}" if line else "" for line in lines_of(source, span)]
        replace(source, span, "".join(f"{indent}{line}{source.newline}" if line else source.newline for line in lines))

    def is_mode(self, node: ast.With) -> bool:
        modes = [mode_of(item.context_expr) for item in node.items]
        if not all(mode in NO_GRAD | ALWAYS for mode in modes) or any(item.optional_vars for item in node.items):
            return False
        # what turns gradients on again inside of what is differentiated is the rule's to refuse
        function = self.module.nodes.around(node, *NESTED) or self.module.tree
        if all(mode in NO_GRAD for mode in modes) or self.has_step(node):
            return True
        return function not in self.differentiated | self.homes

    def has_step(self, node: ast.With) -> bool:
        """Whether it turns gradients on for a training step that is written anew."""
        return any(node in self.module.nodes.all_around(step, ast.With) for step in self.steps)

    def is_differentiated(self, node: ast.With) -> bool:
        """Whether gradients are taken of what surrounds it."""
        return node in self.inside or self.module.nodes.around(node, *NESTED) in self.differentiated

    def block(self, node: ast.With, draft: Draft) -> None:
        source = draft.source
        span = whole_lines(source, node)
        assert span is not None, "a block begins its line"
        settle(draft, span)
        stops = mode_of(node.items[-1].context_expr) in NO_GRAD
        objects: list[str] = []
        if stops:
            for statement, value in self.returned(node):
                self.returns(statement, value, draft, self.words.constant)
            if self.is_differentiated(node):
                objects = changed_objects(node)
                for value in containers_given(node):
                    if maybe_tensor(value_of(value)):
                        text = self.words.constant(source.text(value, source.edits), False, draft)
                        replace(source, (source.start(value), source.end(value)), text)
        lines = self.lines(node, span, source)
        changed = {name: self.free(f"{name}_before") for name in self.changed(node)} if stops else {}
        if objects:
            inner = [f"{source.step}{line}" if line else "" for line in lines]
            lines = [f"with {self.words.constant_changes(objects, draft)}:", *inner]
        if stops:
            names = self.seen(node, self.module.tree if node in self.inside else None)
            given = {name: self.words.constant(name, not self.may_be_dict(name, node), draft) for name in names}
            lines += [f"{name} = {given[name]}" for name in given if name not in changed]
            lines = [f"{before} = {name}" for name, before in changed.items()] + lines
            lines += [f"{name} = {self.words.same_gradient(b, name, draft)}" for name, b in changed.items()]
        indent = source.indentation(node.lineno)
        head = source.segment(span[0], source.line_start(node.lineno), source.edits)
        text = "".join(f"{indent}{line}{source.newline}" if line else source.newline for line in lines)
        replace(source, span, head + text)

    def returned(self, node: ast.With) -> list[tuple[ast.Return, ast.expr]]:
        """What a block returns that may be a tensor, but for what blocks in it do."""
        inner = {part for one in own(node) if isinstance(one, ast.With) and self.is_mode(one) for part in own(one)}
        found = ((part, part.value) for part in own(node) if isinstance(part, ast.Return) and part not in inner)
        return [(part, value) for part, value in found if value is not None and maybe_tensor(value_of(value))]

    def returns(self, statement: ast.Return, value: ast.expr, draft: Draft, constant: Constant) -> None:
        """What is returned is a constant, also where the statement has become several."""
        source, sure = draft.source, self.is_surely_tensor(value)
        span = source.start(statement), source.end(statement)
        whole = next((edit for edit in source.edits if (edit.start, edit.end) == span), None)
        if whole is not None:
            before, word, text = whole.text.rpartition(RETURN)
            replace(source, span, f"{before}{word}{constant(text, sure, draft)}")
            return
        text = source.text(value, source.edits)
        if isinstance(value, ast.Tuple) and len(expression_of(f"f({text})").args) > 1:  # type: ignore[attr-defined]
            text = f"({text})"
        replace(source, (source.start(value), source.end(value)), constant(text, sure, draft))

    def is_surely_tensor(self, value: ast.expr) -> bool:
        """Whether it is no parameter's holder either, as what a function of the project fills and hands back may be."""
        if isinstance(value, ast.Tuple):
            return all(map(self.is_surely_tensor, value.elts))
        known = value_of(value)
        if not isinstance(known, Tensor) or known.assumed:
            return False
        if isinstance(value, ast.Name):
            home = self.module.nodes.around(value, ast.FunctionDef, ast.AsyncFunctionDef)
            return not isinstance(home, (ast.FunctionDef, ast.AsyncFunctionDef)) or value.id not in arguments_of(home)
        return not isinstance(value, ast.Call) or isinstance(value_of(value.func), (Ref, Method))

    def lines(self, node: ast.With, span: tuple[int, int], source: Source) -> list[str]:
        """Those of the statements, each on its own where they stand behind the header."""
        if node.body[0].lineno == node.lineno:
            texts = [source.text(part, source.edits) for part in node.body]
            texts[-1] += source.original(source.end(node), span[1]).rstrip().removeprefix(";")
            return [line for text in texts for line in text.splitlines()]
        start = source.line_start(node.body[0].lineno)
        while True:  # comments between the header and the first statement
            before = source.original(source.line_start(source.line_at(start) - 1), start)
            if not before.strip().startswith("#"):
                break
            start = source.line_start(source.line_at(start) - 1)
        return lines_of(source, (start, span[1]))

    def seen(self, node: ast.With, file: ast.AST | None = None) -> Iterator[str]:
        """Names that the block binds, that may be tensors, and that are read behind it.

        file: where it stands in no function.
        """
        home = self.module.nodes.around(node, ast.FunctionDef, ast.AsyncFunctionDef) or file
        if home is None:
            return
        inside = {id(part) for part in walk(node)}
        bound = of_node(node).binds
        nodes = [part for part in walk(home) if isinstance(part, ast.Name) and id(part) not in inside]
        last = node.end_lineno or node.lineno
        loop = self.module.nodes.around(node, ast.For, ast.While)
        read = {
            part.id
            for part in nodes
            if isinstance(part.ctx, ast.Load) and (part.lineno > last or (loop is not None and part in walk(loop)))
        }
        for name in sorted((bound & read) - self.trained_alone(node)):
            values = [
                value_of(part)
                for part in walk(node)
                if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
            ]
            if any(maybe_tensor(value) for value in values):
                yield name

    def may_be_dict(self, name: str, block: ast.With) -> bool:
        """Whether a name that a block binds is a dict, holds some, or is used as one."""
        home = self.module.nodes.around(block, *FUNCTIONS) or self.module.tree
        named = [part for part in walk(home) if isinstance(part, ast.Name) and part.id == name]
        values = [value_of(part) for part in named if isinstance(part.ctx, ast.Store)]
        if any(isinstance(part, Mapping) for value in values for part in parts_of(value)):
            return True
        return any(map(self.is_used_as_dict, named)) if Unknown() in values or None in values else False

    def is_used_as_dict(self, name: ast.Name) -> bool:
        """``x["key"]``, ``x.items()``, ``f(**x)``"""
        around = self.module.nodes.parents.get(name)
        if isinstance(around, ast.Subscript):
            key = around.slice
            return around.value is name and isinstance(key, ast.Constant) and isinstance(key.value, str)
        if isinstance(around, ast.keyword):
            return around.arg is None
        return isinstance(around, ast.Attribute) and around.attr in ("items", "keys", "values", "get", "update")

    def changed(self, node: ast.With) -> list[str]:
        """Tensors from before that the block changes in place, where gradients are taken: those pass it by."""
        if not self.is_differentiated(node):
            return []
        return [name for name in sorted(of_node(node).binds - self.trained_alone(node)) if is_changed_alone(name, node)]

    def trained_alone(self, node: ast.With) -> set[str]:
        """Names of parameters that are no module's, which are written to."""
        names = (part for part in walk(node) if is_leaf(part, self.module.nodes))
        return {part.id for part in names if isinstance(part, ast.Name)}

    def free(self, name: str) -> str:
        taken = self.plan.names | {node.id for node in self.module.nodes.of(ast.Name)}
        while name in taken:
            name += "_"
        self.plan.names.add(name)
        return name

    def gives_tensors(self, node: ast.FunctionDef) -> bool:
        """Whether a function may return a tensor."""
        returned = [part.value for part in own(node) if isinstance(part, ast.Return) and part.value is not None]
        yields = any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in own(node))
        return yields or any(maybe_tensor(value_of(part)) for part in returned)


def is_changed_alone(name: str, block: ast.With) -> bool:
    """Whether a block changes the tensor of that name in place, and binds the name to no other."""
    named = [part for part in walk(block) if isinstance(part, ast.Name) and part.id == name]
    values = [value_of(part) for part in named]
    if not all(isinstance(value, Tensor) and not value.assumed for value in values):
        return False
    augmented = {id(part.target) for part in walk(block) if isinstance(part, ast.AugAssign)}
    return all(isinstance(part.ctx, ast.Load) or id(part) in augmented for part in named)


def arguments_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    return {part.arg for part in walk(function.args) if isinstance(part, ast.arg)}


def mode_of(node: ast.expr) -> str:
    value = value_of(node.func if isinstance(node, ast.Call) else node)
    return value.name if isinstance(value, Ref) else ""


def maybe_tensor(value: Value | None) -> bool:
    return value is None or any(isinstance(part, (Tensor, Unknown)) for part in parts_of(value))


def remove_decorator(node: ast.expr, draft: Draft) -> None:
    source = draft.source
    line = node.lineno
    stop = source.line_at(source.end(node))
    end = source.starts[stop] if stop < len(source.starts) else len(source.buffer)
    replace(source, (source.line_start(line), end), "")
