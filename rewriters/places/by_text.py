"""What a file changes in place, by the text that names it; what a function's calls in the file give it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import ClassInfo, ClassOf, FunctionOf, ModuleInfo, ObjectOf
from rewriters.places.whole import whole
from rewriters.text.tree import walk

CONTAINERS = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.IfExp)


def changes_in(module: ModuleInfo) -> set[str]:
    """The texts of what changes in place somewhere in the file."""
    parts = [node.target for node in module.nodes.of(ast.AugAssign)]
    for node in module.nodes.of(ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name.endswith("_") and not name.startswith("_"):
            parts += [node.func.value, *node.args[:1]]  # x.add_(1), nn.init.zeros_(x)
        parts += [word.value for word in node.keywords if word.arg == "out"]
        parts += node.args[:1] if is_told_to_change(node) else []
    parts += [node for node in module.nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store)]
    return {text(whole(part)) for part in parts} - {""}


def text(node: ast.expr) -> str:
    """Of a part, what it is a part of."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""


def names_of(around: ast.AST | None) -> set[str]:
    """What a statement binds, if it is an assignment."""
    targets = around.targets if isinstance(around, ast.Assign) else []
    return {text(part) for target in targets for part in walk(target) if isinstance(part, (ast.Name, ast.Attribute))}


def names_holding(module: ModuleInfo, node: ast.expr) -> set[str]:
    """What holds the value of an expression by its statement: what is bound to it or to a container with it, what it is
    added to, the parameter of a function of the file that it is handed to, what is bound to what its function gives.
    """
    parents = module.nodes.parents
    part: ast.AST = node
    around = parents.get(node)
    while isinstance(around, CONTAINERS):
        part, around = around, parents.get(around)
    if isinstance(around, ast.Call):
        called = getattr(around.func, "v", None)
        names = [word.arg for word in called.info.node.args.args] if isinstance(called, FunctionOf) else []
        given = dict(zip(around.args, names[bool(getattr(called, "receiver", None)) :], strict=False))
        method = around.func if isinstance(around.func, ast.Attribute) else None
        return (
            {name for one, name in given.items() if one is part} if names else {text(method.value)} if method else set()
        )
    if isinstance(around, ast.keyword):
        return {around.arg or ""}
    if isinstance(around, ast.Return):
        function = module.nodes.around(around, ast.FunctionDef)
        giving = (one for one in module.nodes.of(ast.Assign) if gives(one.value, function))
        return {name for one in giving for name in names_of(one)}
    return names_of(around)


def gives(value: ast.expr, function: ast.AST | None) -> bool:
    """Whether it is a call of a function."""
    called = getattr(value.func, "v", None) if isinstance(value, ast.Call) else None
    return isinstance(called, FunctionOf) and called.info.node is function


def is_in_place(node: ast.Call) -> bool:
    return any(word.arg == "inplace" and getattr(word.value, "value", None) is True for word in node.keywords)


def is_told_to_change(node: ast.Call) -> bool:
    """Whether it changes its first argument by what is written out: ``F.relu(x, inplace=True)``,
    ``nn.ReLU(inplace=True)(x)``.
    """
    return is_in_place(node) or (isinstance(node.func, ast.Call) and is_in_place(node.func))


def handed(module: ModuleInfo, name: ast.Name) -> list[ast.expr]:
    """What the file's calls give a function's parameter: of a class its ``__init__``'s, a module its ``forward``'s."""
    return [given[name.id] for given in given_around(module, name) if name.id in given]


def given_the_same(module: ModuleInfo, name: ast.expr) -> set[str]:
    """Other parameters of the function around to which a call in the file gives what it gives this one: ``f(x, x)``."""
    found: set[str] = set()
    for given in given_around(module, name):
        own = given.get(getattr(name, "id", ""))
        if isinstance(own, (ast.Name, ast.Attribute)):
            found |= {word for word, value in given.items() if value is not own and ast.dump(value) == ast.dump(own)}
    return found


def given_around(module: ModuleInfo, name: ast.expr) -> Iterator[dict[str, ast.expr]]:
    """What each of the file's calls gives the function around, of which that is a parameter, by parameter."""
    function = module.nodes.around(name, ast.FunctionDef)
    words = [word.arg for word in function.args.args] if isinstance(function, ast.FunctionDef) else []
    if not isinstance(name, ast.Name) or name.id not in words:
        return
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        info = called.info if isinstance(called, FunctionOf) else None
        if isinstance(called, (ClassOf, ObjectOf)):
            wanted = "__init__" if isinstance(called, ClassOf) else "forward"
            owners = [one for one in called.info.linear() if isinstance(one, ClassInfo)]
            info = next((one.functions[wanted] for one in owners if wanted in one.functions), None)
        if info is not None and info.node is function:
            bound = not isinstance(called, FunctionOf) or called.receiver is not None
            by_name = {word.arg: word.value for word in node.keywords if word.arg in words}
            yield dict(zip(words[bound:], node.args, strict=False)) | by_name
