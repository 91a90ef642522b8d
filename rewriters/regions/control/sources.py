"""What gradients of a name go back to: the modules, parameters and arguments that it is computed from.

Where one way does not use a parameter, torch leaves it without a gradient, and an optimizer leaves it alone; a function
of both ways gives it zeros, which decay and momentum go on with.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import FLOATING, ClassOf, FunctionOf, Method, ModuleOf, Plain, Ref, Tensor, Value
from rewriters.regions.gradients.names import of_node
from rewriters.regions.gradients.reads import DETACHED
from rewriters.regions.tracing import is_module, value_of
from rewriters.text.tree import walk

Sources = frozenset[str]
NOTHING: Sources = frozenset()
SHAPES = {"torch.zeros_like", "torch.ones_like", "torch.full_like", "torch.empty_like"}


class Flow:
    """Of the names of one function, up to a statement."""

    def __init__(self, function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> None:
        self.arguments = {argument.arg for argument in all_arguments(function.args)} if function is not None else set()

    def before(self, statements: Iterable[ast.stmt], stop: ast.AST, known: dict[str, Sources]) -> dict[str, Sources]:
        """What each name goes back to when a statement, or one that holds it, is reached."""
        for statement in statements:
            if statement is stop:
                return known
            if any(part is stop for part in walk(statement)):
                if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
                    known = self.again(statement, known)
                for name in ("body", "orelse", "finalbody"):
                    block = getattr(statement, name, [])
                    if any(part is stop for inner in block for part in walk(inner)):
                        return self.before(block, stop, known)
                return known
            known = self.after(statement, known)
        return known

    def after(self, node: ast.stmt, known: Mapping[str, Sources]) -> dict[str, Sources]:
        """The same once a statement has run."""
        if isinstance(node, ast.If):
            one = self.block(node.body, known)
            other = self.block(node.orelse, known)
            return {
                name: one.get(name, frozenset({name}))
                if one.get(name) == other.get(name)
                # whichever way it went: only itself is known to go back to the same
                else frozenset({f"{name}, line {node.lineno}"})
                for name in one.keys() | other.keys()
            }
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self.again(node, known)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self.block(node.body, known)
        names = of_node(node)
        found = dict(known)
        value = getattr(node, "value", None)
        sources = self.of(value, known) if value is not None else self.of(node, known)
        for name in names.binds:
            own = NOTHING if name in names.sure and not isinstance(node, ast.AugAssign) else self.of_name(name, known)
            found[name] = sources | own
        return found

    def again(self, node: ast.stmt, known: Mapping[str, Sources]) -> dict[str, Sources]:
        """What a loop binds may be of any turn."""
        turned = {name: frozenset({f"{name}, line {node.lineno}"}) for name in of_node(node).binds}
        return {**known, **turned}

    def block(self, statements: Iterable[ast.stmt], known: Mapping[str, Sources]) -> dict[str, Sources]:
        found = dict(known)
        for statement in statements:
            found = self.after(statement, found)
        return found

    def of_name(self, name: str, known: Mapping[str, Sources]) -> Sources:
        return known.get(name, frozenset({name}) if name in self.arguments else NOTHING)

    def of(self, node: ast.AST, known: Mapping[str, Sources]) -> Sources:
        """What an expression's gradients go back to."""
        if isinstance(node, ast.Call):
            value = value_of(node.func)
            if isinstance(value, Ref) and value.name in SHAPES:
                return NOTHING
            own = (
                frozenset({path_of(node.func) or ast.unparse(node.func)}) if isinstance(value, FunctionOf) else NOTHING
            )
            return own | self.of_parts(node, known) if carries(value_of(node)) else NOTHING
        if isinstance(node, ast.Attribute):
            return self.of_attribute(node, known)
        if isinstance(node, ast.expr) and not carries(value_of(node)):
            return NOTHING
        if isinstance(node, ast.Name):
            return frozenset({node.id}) if is_module(value_of(node)) else self.of_name(node.id, known)
        return self.of_parts(node, known)

    def of_attribute(self, node: ast.Attribute, known: Mapping[str, Sources]) -> Sources:
        value = value_of(node)
        if node.attr in DETACHED or isinstance(value, (Plain, FunctionOf)):
            return NOTHING
        if is_module(value_of(node.value)):
            # of a method of torch's modules, the module
            return frozenset({path_of(node.value if isinstance(value, Method) else node) or ast.unparse(node)})
        return self.of(node.value, known)

    def of_parts(self, node: ast.AST, known: Mapping[str, Sources]) -> Sources:
        found = NOTHING
        for child in ast.iter_child_nodes(node):
            found |= self.of(child, known)
        return found


def carries(value: Value | None) -> bool:
    """Whether a gradient may pass through a value."""
    if isinstance(value, Tensor):
        return bool(value.kinds & FLOATING)
    return not isinstance(value, (Plain, ClassOf, FunctionOf, ModuleOf)) and not (
        isinstance(value, Ref) and not value.name.startswith("torch.nn.")
    )
