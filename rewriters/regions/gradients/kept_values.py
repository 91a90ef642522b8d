"""Values of parameters that are kept while these change: ``best = net.state_dict()``, ``w = net.weight.detach()``.

In torch these are the parameters themselves. Where arrays do not change they are what the parameters were, which is
said where somebody reads them after the parameters have changed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.leaves import is_leaf
from rewriters.infer.syntax import path_of
from rewriters.infer.values import FunctionOf, ModuleInfo
from rewriters.regions.gradients.events import NESTED, Kind, events_of
from rewriters.regions.gradients.find import related
from rewriters.regions.gradients.leaves import ALL as ALL_LEAVES
from rewriters.regions.gradients.sharing import below, is_sharing
from rewriters.regions.gradients.trained import Home, Scopes
from rewriters.regions.hazards import short
from rewriters.regions.step import Parents, position
from rewriters.regions.tracing import is_module, value_of
from rewriters.text.tree import LOOPS, Nodes, children, is_in_place, last_name, walk

ALL = {"parameters", "named_parameters"}
COLLECTING = {"dict", "OrderedDict"}
Found = tuple[ast.stmt, str]


def kept_values(module: ModuleInfo, scopes: Scopes) -> Iterator[Found]:
    """Statements of a file that keep such values, with what is to be said."""
    parents = Parents(module)
    functions = module.nodes.of(ast.FunctionDef, ast.AsyncFunctionDef)
    for body, at in [(module.tree.body, None), *((node.body, node) for node in functions)]:
        own = list(inside(body))
        kept = [
            (node, held)
            for node in own
            if isinstance(node, ast.Assign) and (held := snapshot(node.value, module.nodes))
        ]
        calls = [node for node in own if isinstance(node, ast.Call) and is_training(node, scopes)]
        if not kept and not calls:
            continue
        home = Home.around(body[0], module, scopes) if at is not None else Home(None, module, None, None)
        changes = list(changing(body, own, home, scopes)) if kept else []
        for node, held in kept:
            name = node.targets[0]
            if len(node.targets) != 1 or not isinstance(name, ast.Name):
                continue
            reads = [part for part in walk(at or module.tree) if isinstance(part, ast.Name) and part.id == name.id]
            for change, path in changes:
                if (not path or related(path, held)) and seen_later(node, change, reads, parents):
                    yield node, said(node.value, change.lineno)  # type: ignore[attr-defined]
                    break
        for call in calls:
            yield from read_before(call, parents)


def said(value: ast.expr, line: int) -> str:
    return (
        f"`{short(value)}` is the parameters themselves in torch, which line {line} changes; here it stays what they "
        "were: read it where it is needed"
    )


def inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """All nodes of statements; functions and classes inside are others'."""
    stack: list[ast.AST] = list(reversed(body))
    while stack:
        node = stack.pop()
        if not isinstance(node, NESTED):
            yield node
            stack += reversed(children(node))


def snapshot(node: ast.expr, nodes: Nodes) -> str:
    """The path of the module of whose parameters an expression gives the memory in torch, or of the tensor that is
    trained by itself; "" where it gives none.
    """
    if isinstance(node, (ast.List, ast.Tuple)):
        return next(filter(None, (snapshot(part, nodes) for part in node.elts)), "")
    if isinstance(node, ast.Dict):
        return next(filter(None, (snapshot(part, nodes) for part in node.values)), "")
    if isinstance(node, ast.Call) and node.args and last_name(node.func) in COLLECTING:
        return snapshot(node.args[0], nodes)  # dict(net.state_dict())
    given = node.value if isinstance(node, ast.DictComp) else getattr(node, "elt", None)
    if isinstance(given, ast.Tuple) and isinstance(node, ast.GeneratorExp):
        given = given.elts[-1]  # OrderedDict((name, p) for ...)
    if given is not None and (is_sharing(given) or of_state(node.generators[0].iter, nodes)):  # type: ignore[attr-defined]
        held: ast.expr = given
        while is_sharing(held):
            held = below(held)
        if isinstance(held, ast.Call):  # p.clone().detach()
            return ""
        if len(node.generators) != 1 or not isinstance(held, ast.Name):  # type: ignore[attr-defined]
            return ""
        return of_all(node.generators[0].iter) or of_state(node.generators[0].iter, nodes)  # type: ignore[attr-defined]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "state_dict":
        return (path_of(node.func.value) or "") if is_module(value_of(node.func.value)) and not node.keywords else ""
    if not is_sharing(node):
        return ""
    while is_sharing(node):
        node = below(node)
    return holder_of(node, nodes)


def holder_of(node: ast.expr | None, nodes: Nodes) -> str:
    """``net.fc`` of ``net.fc.weight``, ``v`` of a tensor that is trained by itself; "" of what is no parameter."""
    if node is not None and is_leaf(node, nodes):
        return path_of(node) or ""
    is_held = isinstance(node, ast.Attribute) and is_module(value_of(node.value)) and not is_module(value_of(node))
    return (path_of(node.value) or "") if is_held else ""  # type: ignore[union-attr]


def of_all(node: ast.expr) -> str:
    """``net`` of ``net.parameters()``"""
    called = node.func if isinstance(node, ast.Call) else None
    return (path_of(called.value) or "") if isinstance(called, ast.Attribute) and called.attr in ALL else ""


def of_state(node: ast.expr, nodes: Nodes) -> str:
    """``net`` of ``net.state_dict().items()``"""
    called = node.func if isinstance(node, ast.Call) else None
    given = called.value if isinstance(called, ast.Attribute) and called.attr in {"items", "values"} else None
    return snapshot(given, nodes) if isinstance(given, ast.Call) and last_name(given.func) == "state_dict" else ""


def is_training(node: ast.Call, scopes: Scopes) -> bool:
    """Whether it is a call of a function of the project that takes steps."""
    value = value_of(node.func)
    if not isinstance(value, FunctionOf) or isinstance(value.info.node, ast.Lambda):
        return False
    function = value.info.node
    if function not in scopes.stepping:
        scopes.stepping[function] = any(event.kind is Kind.CONSUME for event in events_of(function.body))
    return scopes.stepping[function]


def changing(body: list[ast.stmt], own: list[ast.AST], home: Home, scopes: Scopes) -> Iterator[tuple[ast.AST, str]]:
    """What changes parameters, with the module if it is known."""
    for event in events_of(body):
        if event.kind is Kind.CONSUME:
            paths = scopes.modules_of(event.subject, home)
            yield from ((event.node, path) for path in (sorted(paths) if paths and ALL_LEAVES not in paths else [""]))
    for node in own:
        if isinstance(node, ast.Call) and is_training(node, scopes):
            yield node, ""
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr == "load_state_dict" and is_module(value_of(called.value)):
            yield node, path_of(called.value) or ""
        if isinstance(node, ast.For) and (path := next(filter(None, map(of_all, calls_in(node.iter))), "")):
            names = {part.id for part in walk(node.target) if isinstance(part, ast.Name)}
            yield from ((part, path) for part in walk(node) if changes_one_of(part, names))
        if isinstance(node, (ast.AugAssign, ast.Call)) and (path := changed_holder(node, home.module.nodes)):
            yield node, path


def calls_in(node: ast.expr) -> list[ast.expr]:
    return [part for part in walk(node) if isinstance(part, ast.Call)]


def changed(node: ast.AST) -> ast.expr | None:
    """What an operator or a method changes in place."""
    if isinstance(node, ast.AugAssign):
        return node.target
    called = node.func if isinstance(node, ast.Call) else None
    method = called.attr if isinstance(called, ast.Attribute) else ""
    changes = is_in_place(method) and method != "requires_grad_"
    return called.value if isinstance(called, ast.Attribute) and changes else None


def changed_holder(node: ast.AugAssign | ast.Call, nodes: Nodes) -> str:
    """``net.fc`` of ``net.fc.weight.data.add_(1)``, ``net.fc.weight += 1``; ``v`` of ``v.data -= 1``"""
    target = changed(node)
    while target is not None and (is_sharing(target) or isinstance(target, ast.Subscript)):
        target = below(target)
    return holder_of(target, nodes)


def changes_one_of(node: ast.AST, names: set[str]) -> bool:
    """``p.mul_(2)``, ``p.data += 1``"""
    target = changed(node)
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        target = target.value
    return isinstance(target, ast.Name) and target.id in names


def seen_later(kept: ast.stmt, change: ast.AST, names: list[ast.Name], parents: Parents) -> bool:
    """Whether what a statement binds may be read after the change, before it is bound anew."""
    if change in walk(kept) or apart(kept, change, parents):
        return False
    reads = [name for name in names if isinstance(name.ctx, ast.Load)]
    stores = [name for name in names if isinstance(name.ctx, ast.Store) and name not in walk(kept)]
    loops = [node for node in parents.around(kept) if isinstance(node, LOOPS) and change in walk(node)]
    block = parents.block(kept)
    for read in reads:
        if position(kept) < position(change) < position(read):
            between = [store for store in stores if position(change) < position(store) < position(read)]
            if not between and not apart(change, read, parents):
                return True
        for loop in parents.around(change):
            again = isinstance(loop, LOOPS) and read in walk(loop) and kept not in walk(loop)
            if again and not any(store in walk(loop) for store in stores) and not apart(change, read, parents):
                return True
        for loop in loops:
            if read in walk(loop) and position(read) < position(kept):
                return True
            behind = any(read in walk(later) for later in block[block.index(kept) :])
            if kept not in loop.body and not behind and position(change) < position(kept) < position(read):
                return True
    return False


def apart(one: ast.AST, other: ast.AST, parents: Parents) -> bool:
    """Whether they stand in two ways of one condition, of which one alone is taken."""
    for node in parents.around(one):
        if isinstance(node, ast.If):
            ways = [any(part in walk(s) for s in node.body) for part in (one, other)]
            others = [any(part in walk(s) for s in node.orelse) for part in (one, other)]
            if (ways[0] and others[1]) or (others[0] and ways[1]):
                return True
    return False


def read_before(call: ast.Call, parents: Parents) -> Iterator[Found]:
    """``show(w.detach(), step())``: what is evaluated before the call is read behind it."""
    inner: ast.AST = call
    for node in parents.around(call):
        if isinstance(node, ast.stmt):
            return
        before = [part for part in children(node) if isinstance(part, ast.expr)]
        for part in before[: before.index(inner)] if inner in before else []:
            if snapshot(part, parents.nodes):
                statement = next(one for one in parents.around(node) if isinstance(one, ast.stmt))
                yield statement, said(part, call.lineno)
                return
        inner = node
