"""What torch gives as an iterator, which nothing is left of once it was gone through, and Paddle as a list.

``params = net.parameters()``: where what is bound, kept or handed on may be gone through twice, it is made one. So it
is where the module may be given others before it is gone through, which torch's has then, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer import Project
from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import Bottom, ClassOf, FunctionOf, ModuleInfo, Series, Unknown
from rewriters.places.accesses import name_of_root
from rewriters.places.own_objects import start_of
from rewriters.text.tree import COMPREHENSIONS, FUNCTIONS, LOOPS, children, walk

#: Calls that do not go through what they are given.
ASKING = {"isinstance", "type", "callable", "hasattr", "id", "print"}
DEPTH = 3
#: Methods by which modules are given others.
GIVING = {"add_module", "register_module", "register_parameter", "register_buffer", "append", "extend", "insert"}
#: Attributes of what a module has: storing to them gives it nothing.
KEPT = {"data", "grad", "requires_grad", "training"}


class Iterators:
    """Asks of one project what becomes of such a call's result.

    names: such methods.
    """

    def __init__(self, project: Project, names: Iterable[str]) -> None:
        self.modules, self.names = list(project.modules.values()), frozenset(names)

    def keys(self, module: ModuleInfo) -> dict[ast.AST, str]:
        """The calls of a file whose result may be gone through twice, with the key of their rule."""
        calls = [node for node in module.nodes.of(ast.Call) if isinstance(node.func, ast.Attribute) and is_open(node)]
        asked = [node for node in calls if node.func.attr in self.names]
        twice = [node for node in asked if self.is_read_twice(module, node, DEPTH)]
        found: dict[ast.AST, str] = {}
        for node in twice:
            if isinstance(getattr(node, "v", None), Series):
                found[node] = f"torch.nn.Module.{node.func.attr}:next"
            elif not (node.args or node.keywords):
                found[node] = f"torch.nn.Module.{node.func.attr}:once"
        found.update({node: f"torch.nn.Module.{node.func.attr}:later" for node in asked if is_early(module, node)})
        return found

    def is_read_twice(self, module: ModuleInfo, node: ast.expr, depth: int) -> bool:
        around = module.nodes.parents.get(node)
        if isinstance(around, ast.IfExp) and node is not around.test:
            return self.is_read_twice(module, around, depth)
        if isinstance(around, ast.keyword):
            call = module.nodes.parents.get(around)
            return isinstance(call, ast.Call) and self.is_given(call, around.arg, depth)
        if isinstance(around, ast.Call) and node in around.args:
            return self.is_given(around, around.args.index(node), depth)
        if isinstance(around, ast.Assign) and around.value is node and len(around.targets) == 1:
            target = around.targets[0]
            if isinstance(target, ast.Name):
                return times_read(rest_of(module, around), target.id)[0] > 1
            return isinstance(target, ast.Attribute) and self.is_read_elsewhere(module, target)
        if isinstance(around, ast.Return) and depth:
            function = module.nodes.around(around, *FUNCTIONS)
            calls = ((other, call) for other in self.modules for call in other.nodes.of(ast.Call))
            ours = ((other, call) for other, call in calls if calls_it(call, function))
            return any(self.is_read_twice(other, call, depth - 1) for other, call in ours)
        return False

    def is_given(self, call: ast.Call, place: int | str | None, depth: int) -> bool:
        """Whether a function of the project goes twice through what it is given there, or keeps it."""
        called = getattr(call.func, "v", None)
        info = called.info.functions.get("__init__") if isinstance(called, ClassOf) else getattr(called, "info", None)
        if not depth or not isinstance(called, (ClassOf, FunctionOf)) or info is None:
            return False
        spec = getattr(info.node, "args", None)
        if not isinstance(spec, ast.arguments) or not isinstance(info.node, FUNCTIONS):
            return False
        if isinstance(place, int):
            place += isinstance(called, ClassOf) or called.receiver is not None
            positional = [*spec.posonlyargs, *spec.args]
            name = positional[place].arg if place < len(positional) else None
        else:
            name = place if place in {one.arg for one in all_arguments(spec)} else None
        if name is None:
            return False
        if times_read(info.node.body, name)[0] > 1:
            return True
        uses = (part for part in walk(info.node) if isinstance(part, ast.Name) and part.id == name)
        return any(isinstance(use.ctx, ast.Load) and self.is_read_twice(info.module, use, depth - 1) for use in uses)

    def is_read_elsewhere(self, module: ModuleInfo, target: ast.Attribute) -> bool:
        """``self.params = net.parameters()``: whether another function reads that, which may be called twice."""
        here = module.nodes.around(target, *FUNCTIONS)
        nodes = ((other, node) for other in self.modules for node in other.nodes.of(ast.Attribute))
        reads = ((m, n) for m, n in nodes if n.attr == target.attr and isinstance(n.ctx, ast.Load))
        return any(
            (m is not module or here is None or m.nodes.around(n, *FUNCTIONS) is not here) and not is_asked(m, n)
            for m, n in reads
        )


def is_early(module: ModuleInfo, node: ast.Call) -> bool:
    """``ps = net.parameters()`` where ``net`` is given a module or parameter before ``ps`` is read."""
    around = module.nodes.parents.get(node)
    of = name_of_root(node.func)
    if not of or not isinstance(around, ast.Assign) or not isinstance(around.targets[0], ast.Name):
        return False
    parts = [part for statement in rest_of(module, around) for part in walk(statement)]
    given = [part for part in parts if isinstance(part, (ast.Attribute, ast.Subscript)) and gives_to(part, of)]
    first = min(map(start_of, given), default=None)
    name = around.targets[0].id
    reads = [part for part in parts if isinstance(part, ast.Name) and part.id == name]
    return first is not None and any(isinstance(one.ctx, ast.Load) and start_of(one) > first for one in reads)


def gives_to(part: ast.Attribute | ast.Subscript, name: str) -> bool:
    """``net.head = x``, ``net.layers.append(x)``, ``net[0] = x``."""
    if name_of_root(part) != name:
        return False
    if isinstance(part.ctx, ast.Load):
        return isinstance(part, ast.Attribute) and part.attr in GIVING
    return not (isinstance(part, ast.Attribute) and part.attr in KEPT)


def is_open(node: ast.Call) -> bool:
    """Whether it gives an iterator of a module's, or what is not known."""
    value = getattr(node, "v", None)
    return isinstance(value, (Unknown, Bottom)) or (isinstance(value, Series) and value.kind == "iterator")


def calls_it(call: ast.Call, function: ast.AST | None) -> bool:
    called = getattr(call.func, "v", None)
    return isinstance(called, FunctionOf) and called.info.node is function


def is_asked(module: ModuleInfo, node: ast.expr) -> bool:
    """Whether something is only asked about it."""
    around = module.nodes.parents.get(node)
    return isinstance(around, ast.Attribute) or (isinstance(around, ast.Call) and asks(around))


def asks(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in ASKING


def rest_of(module: ModuleInfo, statement: ast.stmt) -> list[ast.stmt]:
    """What runs after a statement: the rest of each block around it in its function, a loop's from its begin too."""
    found: list[ast.stmt] = []
    node: ast.AST = statement
    while (around := module.nodes.parents.get(node)) is not None:
        for block in (getattr(around, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and node in block:
                found += block[block.index(node) + 1 :]
        if isinstance(around, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            break
        node = around
    return found


def times_read(statements: Iterable[ast.stmt], name: str) -> tuple[int, bool]:
    """How often a name may be read in them, until it is bound anew, and whether it may still be read then."""
    count = most = 0
    for statement in statements:
        if isinstance(statement, (ast.If, ast.Match)):
            blocks = [statement.body, statement.orelse] if isinstance(statement, ast.If) else [[]]
            blocks += [case.body for case in statement.cases] if isinstance(statement, ast.Match) else []
            asked = statement.test if isinstance(statement, ast.If) else statement.subject
            count += 0 if isinstance(asked, ast.Name) else reads(asked, name)
            ways = [times_read(block, name) for block in blocks]
            most = max(most, *(count + times for times, _ in ways))
            going = [times for times, goes_on in ways if goes_on]
            if not going:
                return most, False
            count += max(going)
        else:
            count += reads(statement, name)
            if binds(statement, name) or isinstance(statement, (ast.Return, ast.Raise)):
                return max(most, count), False
    return max(most, count), True


def binds(statement: ast.stmt, name: str) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def reads(node: ast.AST, name: str) -> int:
    """How often a name is read in it: twice in what is repeated, or in a function."""
    if isinstance(node, ast.Name):
        return int(node.id == name and isinstance(node.ctx, ast.Load))
    if isinstance(node, ast.Call) and asks(node):
        return 0
    if isinstance(node, ast.Compare) and any(isinstance(one, (ast.Is, ast.IsNot)) for one in node.ops):
        return 0
    found = sum(reads(child, name) for child in children(node))
    if isinstance(node, LOOPS):
        first = reads(node.test if isinstance(node, ast.While) else node.iter, name)
        again = first if isinstance(node, ast.While) else 0
        return first + again + 2 * times_read(node.body, name)[0] + times_read(node.orelse, name)[0]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return sum(reads(item, name) for item in node.items) + times_read(node.body, name)[0]
    if isinstance(node, COMPREHENSIONS):
        first = reads(node.generators[0].iter, name)
        return first + 2 * (found - first)
    return 2 * found if isinstance(node, (*FUNCTIONS, ast.Lambda)) else found
