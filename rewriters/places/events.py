"""What a file has of changes in place, copies and gradients, by function: only those that have some are walked."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cached_property

from rewriters.infer.syntax import all_arguments, bound_names, is_dict_of
from rewriters.infer.values import ClassOf, FunctionInfo, FunctionOf, ModuleInfo
from rewriters.places.called import choices
from rewriters.places.calls import (
    ADDING,
    adds_to_container,
    asks_for_grad,
    attribute_set,
    is_weighted,
    may_be_in_place,
    may_be_stored_into,
    may_hold_tensors,
    may_write_array,
    turns_on,
)
from rewriters.places.effect import Effect
from rewriters.places.hidden_calls import hidden_call
from rewriters.places.memory import gives_what_is_in_it, inputs_of
from rewriters.places.own_objects import changes_objects
from rewriters.places.rows import changes_modes, handing_on
from rewriters.places.steps import steps

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BODIES = (*FUNCTIONS, ast.ClassDef, ast.Module)


class Events:
    """Of one file; functions stand for what they run themselves, the file's tree for what is at its top.

    effect:   what is known of a call.
    may_copy: as of ``Places``.
    lending:  calls that may give what lies in the memory of what they are of, in the target alone.
    """

    def __init__(
        self,
        module: ModuleInfo,
        effect: Callable[[ast.Call], Effect | FunctionOf],
        may_copy: Callable[[ast.Call], bool],
        lending: list[ast.Call],
    ) -> None:
        self.module, self.effect, self.may_copy = module, effect, may_copy
        self.lending: dict[ast.AST, set[ast.Call]] = {}
        for node in lending:
            self.lending.setdefault(self.home(node), set()).add(node)

    def homes(self, nodes: Iterable[ast.AST]) -> set[ast.AST]:
        """The functions in which these run."""
        return {self.home(node) for node in nodes}

    def home(self, node: ast.AST) -> ast.AST:
        return self.module.nodes.around(getattr(node, "operator", node), *BODIES) or self.module.tree

    @cached_property
    def all_calls(self) -> list[ast.Call]:
        """The file's calls, and what classes of the project answer for: operators, properties, items."""
        operators = self.module.nodes.of(ast.BinOp, ast.Compare)
        hidden = [call for call in map(hidden_call, self.module.nodes.of(ast.Attribute, ast.Subscript)) if call]
        return [*self.module.nodes.of(ast.Call), *(node.own for node in operators if hasattr(node, "own")), *hidden]

    @cached_property
    def copies(self) -> dict[ast.AST, list[ast.Call]]:
        """The calls in each function whose results may be copies in the target."""
        found: dict[ast.AST, list[ast.Call]] = {}
        for node in self.all_calls:
            if self.may_copy(node):
                found.setdefault(self.home(node), []).append(node)
        return found

    @cached_property
    def keeping(self) -> set[ast.AST]:
        """Functions that put something under an attribute, into an object of the project's, or into what is given."""
        nodes = self.module.nodes
        stores = (node for node in nodes.of(ast.Attribute) if isinstance(node.ctx, ast.Store))
        items = (node for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store))
        held = (n for n in items if isinstance(n.value, (ast.Attribute, ast.Subscript)) or is_dict_of(n.value))
        calls = nodes.of(ast.Call)
        made = (node for node in calls if isinstance(getattr(node.func, "v", None), ClassOf))
        put = (node for node in calls if is_of_attribute(node.func) or attribute_set(node) is not None)
        return self.homes([*stores, *held, *made, *put, *nodes.of(ast.Global, ast.Nonlocal)]) | self.adding

    @cached_property
    def adding(self) -> set[ast.AST]:
        """Functions that put something into what they are given, or read from around: ``kept["a"] = x``."""
        nodes = self.module.nodes
        roots = [node.value for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store)]
        roots += [node.func.value for node in nodes.of(ast.Call) if adds_to_container(node)]
        found: set[ast.AST] = set()
        made: dict[ast.AST, frozenset[str]] = {}
        for name in roots:
            home = self.home(name)
            if not isinstance(home, FUNCTIONS) or home in found:
                continue
            if home not in made:
                made[home] = bound_names(home) - {one.arg for one in all_arguments(home.args)}
            if not is_made_in(made[home], name):
                found.add(home)
        return found

    @cached_property
    def with_gradients(self) -> set[ast.AST]:
        """Functions in which something says that a gradient may flow."""
        nodes = self.module.nodes
        calls = [node for node in nodes.of(ast.Call) if is_weighted(node) or asks_for_grad(node) or turns_on(node)]
        stores = (node for node in nodes.of(ast.Attribute) if node.attr == "requires_grad")
        found = self.homes([*calls, *(node for node in stores if isinstance(node.ctx, ast.Store))])
        return found | {node for node in nodes.of(ast.FunctionDef) if inputs_of(node)}

    @cached_property
    def with_objects(self) -> set[ast.AST]:
        """Functions in which a tensor may become other than it was, beside its numbers."""
        return self.homes([*changes_objects(self.module.nodes), *changes_modes(self.module.nodes)])

    @cached_property
    def handing_rows(self) -> set[ast.AST]:
        """Functions that go on with a tensor's rows when others have done something else."""
        return self.homes(handing_on(self.module.nodes))

    @cached_property
    def changing(self) -> set[ast.AST]:
        """Functions in which something may change in place, other than by a call of a function of the project."""
        nodes = self.module.nodes
        stored = (node for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store))
        stores = [node for node in stored if may_be_stored_into(node.value)]
        calls = nodes.of(ast.Call)
        writes = [
            node
            for node in calls
            if may_be_in_place(node)
            or steps(node)
            or may_write_array(node)
            or getattr(self.effect(node), "writes", False)
        ]
        augmented = [node for node in nodes.of(ast.AugAssign) if may_hold_tensors(getattr(node.target, "v", None))]
        return self.homes([*augmented, *stores, *writes])

    @cached_property
    def calls(self) -> dict[ast.AST, list[ast.Call]]:
        """The calls in each function, also those in functions inside of it."""
        found: dict[ast.AST, list[ast.Call]] = {}
        for node in self.all_calls:
            for function in self.module.nodes.all_around(getattr(node, "operator", node), *FUNCTIONS):
                found.setdefault(function, []).append(node)
        return found

    @cached_property
    def yielding(self) -> set[ast.AST]:
        """Functions in which something is yielded, be it in one inside."""
        nodes = self.module.nodes
        yields = nodes.of(ast.Yield, ast.YieldFrom)
        return {function for node in yields for function in nodes.all_around(node, *FUNCTIONS)}

    @cached_property
    def called(self) -> dict[ast.AST, set[FunctionInfo]]:
        """The project's functions that each function calls."""
        found: dict[ast.AST, set[FunctionInfo]] = {}
        for node in self.all_calls:
            effect = self.effect(node)
            for one in [effect] if isinstance(effect, FunctionOf) else choices(node):
                found.setdefault(self.home(node), set()).add(one.info)
        return found


def is_made_in(made: frozenset[str], root: ast.expr) -> bool:
    """Whether what a name holds is surely made in a function.

    made: names that the function binds, other than its parameters.
    """
    if not isinstance(root, ast.Name):
        return not gives_what_is_in_it(root)
    return root.id in made


def is_of_attribute(called: ast.expr) -> bool:
    """``x.parts.append``"""
    if not isinstance(called, ast.Attribute) or called.attr not in ADDING:
        return False
    return isinstance(called.value, (ast.Attribute, ast.Subscript))


def counts(node: ast.AugAssign) -> bool:
    """``i += 1``"""
    return isinstance(node.op, (ast.Add, ast.Sub)) and isinstance(node.value, ast.Constant)


def within(lines: list[int], node: ast.AST) -> bool:
    """Whether one of the lines lies in the function; of a file it is enough that there is one."""
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", None) or 1 << 30
    place = bisect_left(lines, first)
    return place < len(lines) and lines[place] <= last
