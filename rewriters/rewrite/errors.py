"""Handlers of errors that torch raises, where the target raises others: ``except RuntimeError`` around tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import Bottom, FunctionOf, Instance, Method, ObjectOf, Partial, Ref, Tensor, Unknown
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.tree import walk
from rewriters.torch.table import of_source

# Calls that take the classes of errors as their arguments, one or many: whether these are one tuple.
EXPECTING = {"raises": True, "assertRaises": True, "assertRaisesRegex": True, "suppress": False}
DEPTH = 3
# The rule that tells of what the target lacks, where a handler of one of these takes it for torch's refusal.
LACKING = "torch.Tensor:refused"
# What takes elements by indices.
PICKING = {
    "gather", "index_select", "take", "take_along_dim", "scatter", "scatter_", "scatter_add", "scatter_add_",
    "index_add_", "index_copy_", "index_fill_", "embedding", "Embedding", "EmbeddingBag", "select",
}  # fmt: skip
# What torch raises for what a tensor cannot do, and what is above it.
REFUSALS = {"RuntimeError", "Exception", "BaseException"}


class Errors(Rewriting):
    """Rewrites the classes of errors that are expected of tensors, by what ``Target.errors`` says."""

    def expected_errors(self, node: ast.stmt) -> None:
        """``except RuntimeError`` of a ``try`` statement, ``pytest.raises(RuntimeError)`` of a ``with``."""
        if not self.target.errors and LACKING not in self.book.rules:
            return
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                self.tell_unraised(handler, node.body)
                added: list[str] = []
                if handler.type is not None:
                    others = [one.type for one in node.handlers if one is not handler and one.type is not None]
                    added = self.expected(handler.type, node.body, [*node.body, handler], others)
                self.tell_lacks(handler, node.body, added)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                call = item.context_expr
                func = call.func if isinstance(call, ast.Call) else None
                name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
                if isinstance(call, ast.Call) and name in EXPECTING and call.args:
                    self.expected(call.args[0], node.body, [node], call.args[1:], EXPECTING[name])

    def expected(
        self,
        node: ast.expr,
        body: list[ast.stmt],
        around: list[ast.AST],
        others: list[ast.expr],
        as_tuple: bool = True,
    ) -> list[str]:
        """Adds to the classes that are named what the target raises in their place; gives what was added."""
        classes = node.elts if isinstance(node, ast.Tuple) else [node]
        names = [one.id for one in classes if isinstance(one, ast.Name)]
        raised = [
            error for name in names for error in self.target.errors.get(name, {}) if name not in self.here.shadowed
        ]
        if not raised or not works_with_tensors(body, DEPTH):
            return []
        words = set(words_of(around))
        wanted = [
            error
            for name in names
            for error, of in self.target.errors.get(name, {}).items()
            if error not in names and (not of or words & set(of))
        ]
        taken = {part.id for other in others for part in walk(other) if isinstance(part, ast.Name)} - set(names)
        taken |= {error for statement in body for error in raised_in(statement)}
        for error in dict.fromkeys(wanted):
            if error in taken and as_tuple:
                why = f"{self.target.title} raises {error} where torch raises {' and '.join(names)}"
                why = f"{why}, and {error} is caught or raised here for another reason: tell them apart by their texts"
                self.draft.differs(node, f"builtins.{error}", why)
        added = [error for error in dict.fromkeys(wanted) if error not in taken]
        if not added:
            return []
        self.draft.record(node, f"builtins.{names[0]}", Outcome.INLINED, f"{self.target.title}'s errors")
        added = [self.draft.spell(error) if "." in error else error for error in added]
        if isinstance(node, ast.Tuple):
            end = self.source.end(classes[-1])
            self.source.edit(end, end, "".join(f", {error}" for error in added))
        elif as_tuple:
            self.draft.replace(node, f"({', '.join([*names, *added])})")
        else:
            self.source.edit(self.source.end(node), self.source.end(node), "".join(f", {error}" for error in added))
        return added

    def tell_unraised(self, handler: ast.ExceptHandler, body: list[ast.stmt]) -> None:
        """``except IndexError`` around a tensor's items, where the target takes another element in place of raising."""
        named = [part.id for part in walk(handler.type) if isinstance(part, ast.Name)] if handler.type else []
        caught = self.target.unraised & set(named) - self.here.shadowed
        if caught and handler.type is not None and any(map(picks, body)):
            why = f"{self.target.title} takes the nearest element, or stores nothing, where an index is out of bounds"
            self.draft.differs(handler.type, f"builtins.{min(caught)}", f"{why}: compare it with the size")

    def tell_lacks(self, handler: ast.ExceptHandler, body: list[ast.stmt], added: list[str]) -> None:
        """``except RuntimeError``, also where the target lacks what torch has: a helper says so, and takes the classes.

        Nothing is done where the handler itself says or raises what it was given.
        """
        rules, node = self.book.rules.get(LACKING), handler.type
        classes = node.elts if isinstance(node, ast.Tuple) else [node] if node is not None else []
        names = {getattr(one, "id", "") for one in classes} - self.here.shadowed
        if not rules or (node is not None and not names & REFUSALS) or is_told(handler):
            return
        if not works_with_tensors(body, DEPTH, certain=True):
            return
        text = self.draft.helper_text(rules)
        self.draft.record(node or handler.body[0], LACKING, Outcome.HELPER, rules[0].where)
        if node is None:
            place = self.source.start(handler) + len("except")
            self.source.edit(place, place, f" {text}(BaseException)")
        elif isinstance(node, ast.Tuple):
            self.source.edit(self.source.start(node), self.source.start(node), text)
        else:
            ending = "" if added else ")"
            self.source.edit(self.source.start(node), self.source.start(node), f"{text}(" if not added else text)
            self.source.edit(self.source.end(node), self.source.end(node), ending)


def is_told(handler: ast.ExceptHandler) -> bool:
    """Whether a handler ends in raising, or hands the error on to something that may say it."""
    last = handler.body[-1]
    if isinstance(last, ast.Raise):
        return True
    calls = (node for statement in handler.body for node in walk(statement) if isinstance(node, ast.Call))
    named = (part for call in calls for part in walk(call) if isinstance(part, ast.Name))
    return handler.name is not None and any(part.id == handler.name for part in named)


def works_with_tensors(body: list[ast.stmt], depth: int, certain: bool = False) -> bool:
    """Whether tensors are worked with there or in the project's functions that are called; or may be if not certain."""
    for statement in body:
        for node in walk(statement):
            if not isinstance(node, (ast.Call, ast.BinOp, ast.Subscript)):
                continue
            value = value_at(node)
            if isinstance(value, Tensor):
                return True
            if not isinstance(node, ast.Call):
                continue
            called = value_at(node.func)
            if isinstance(called, (Ref, Method)) and of_source(called.name):
                return True
            if isinstance(called, Instance) and of_source(called.name):
                return True
            if isinstance(called, ObjectOf) and called.info.torch_base():
                return True
            if isinstance(called, (Partial, Unknown, Bottom)) and not certain:
                return True  # it may
            if isinstance(called, FunctionOf) and depth:
                inner = called.info.node.body
                if isinstance(inner, list) and works_with_tensors(inner, depth - 1, certain):
                    return True
    return False


def picks(statement: ast.stmt) -> bool:
    """Whether elements of tensors are taken or stored there by their places."""
    for node in walk(statement):
        if isinstance(node, ast.Subscript):
            if isinstance(value_at(node.value), Tensor) and not isinstance(node.slice, ast.Slice):
                return True
        elif isinstance(node, ast.Call):
            value = value_at(node.func)
            name = getattr(value, "name", "").rpartition(".")[2]
            if name in PICKING and isinstance(value, (Ref, Method, Instance)) and of_source(value.name):
                return True
    return False


def words_of(nodes: list[ast.AST]) -> Iterator[str]:
    """Names, attributes, names of arguments, and the words of texts."""
    for around in nodes:
        for node in walk(around):
            if isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.Attribute):
                yield node.attr
            elif isinstance(node, ast.keyword) and node.arg:
                yield node.arg
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from node.value.split()


def raised_in(statement: ast.stmt) -> Iterator[str]:
    """The names of the classes that a statement raises itself."""
    for node in walk(statement):
        if isinstance(node, ast.Raise) and node.exc is not None:
            made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(made, ast.Name):
                yield made.id
