"""Which modules an expression is about: the optimizer that was made of their parameters, a list of these."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from rewriters.infer.leaves import is_leaf
from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import ClassInfo, ClassOf, FunctionInfo, FunctionOf, ModuleInfo, ModuleOf, Ref, Tensor
from rewriters.regions.tracing import is_module, value_of
from rewriters.text.tree import walk

Function = ast.FunctionDef | ast.AsyncFunctionDef
DEEP = 4


class Scopes:
    """What names are made of, over all files of a component.

    stepping: functions -> whether they take an optimizer's step, of those that were asked about.
    """

    def __init__(self, modules: Iterable[ModuleInfo], classes: Iterable[ClassInfo]) -> None:
        self.modules, self.classes = list(modules), list(classes)
        self.stepping: dict[ast.AST, bool] = {}
        self.calls: dict[FunctionInfo, list[tuple[ast.Call, ModuleInfo]]] = {}
        for module in self.modules:
            for call in module.nodes.of(ast.Call):
                value = value_of(call.func)
                if isinstance(value, FunctionOf):
                    self.calls.setdefault(value.info, []).append((call, module))

    def mentions(self, node: ast.AST, home: Home, depth: int = 0) -> set[str]:
        """Paths of the modules that an expression is made of, as the function writes them: ``Adam(net.parameters())``
        is made of ``net``."""
        found: set[str] = set()
        if depth > DEEP:
            return found
        for part in outermost(node):
            path = path_of(part)
            assert path is not None
            module = module_prefix(part)
            if module:
                found.add(module)
            elif is_value(part):
                root = root_of(part, path)
                last = home.last_assigned(root, part) if "." not in root else None
                for made in [last] if last is not None else home.assigned(root):
                    theirs = self.mentions(made, home, depth + 1)
                    found |= home.kept_under(theirs, made) if "." in root else theirs
        return found

    def modules_of(self, node: ast.expr, home: Home, depth: int = 0) -> set[str]:
        """As ``mentions``; what comes by a parameter is looked for at the callers."""
        found = self.mentions(node, home)
        if found or depth > DEEP or home.info is None:
            return found
        path = path_of(node)
        names = [argument.arg for argument in all_arguments(home.info.node.args)]
        if path is None or path not in names:
            return found
        for call, module in self.calls.get(home.info, ()):
            given = arguments(call, home.info)
            if path not in given:
                continue
            there = Home.around(call, module, self)
            theirs = self.modules_of(given[path], there, depth + 1)
            for name, argument in given.items():
                if path_of(argument) in theirs:
                    found.add(name)
        return found

    def alone(self, node: ast.expr, home: Home, depth: int = 0) -> str:
        """A tensor that no module and no name of its own holds, of those that an optimizer is made of; "" where there
        is none."""
        if depth > DEEP:
            return ""
        for part in outermost(node):
            path = path_of(part)
            if path is None or module_prefix(part) or not is_value(part) or is_leaf(part, home.module.nodes):
                continue
            if isinstance(value_of(part), Tensor):
                if not self.modules_of(part, home, depth + 1):
                    return path
                continue
            for made in home.assigned(root_of(part, path)):
                if found := self.alone(made, home, depth + 1):
                    return found
            if home.info is None or path not in {one.arg for one in all_arguments(home.info.node.args)}:
                continue
            for call, module in self.calls.get(home.info, ()):
                given = arguments(call, home.info).get(path)
                if given is not None and (found := self.alone(given, Home.around(call, module, self), depth + 1)):
                    return found
        return ""


class Home:
    """A function, or the statements of a file: where names are looked up."""

    def __init__(self, node: Function | None, module: ModuleInfo, info: FunctionInfo | None, owner: ClassInfo | None):
        self.node, self.module, self.info, self.owner = node, module, info, owner

    @staticmethod
    def around(node: ast.AST, module: ModuleInfo, scopes: Scopes) -> Home:
        """That of a node."""
        function = module.nodes.around(node, ast.FunctionDef, ast.AsyncFunctionDef)
        owner = module.nodes.around(function or node, ast.ClassDef)
        found = next((info for info in scopes.classes if info.node is owner), None) if owner is not None else None
        info = None
        if found is not None and function is not None:
            info = next((one for one in found.functions.values() if one.node is function), None)
        elif function is not None:
            values = (value for value in module.scope.values() if isinstance(value, FunctionOf))
            info = next((value.info for value in values if value.info.node is function), None)
        return Home(function, module, info, found)  # type: ignore[arg-type]

    @property
    def body(self) -> list[ast.stmt]:
        return self.node.body if self.node is not None else self.module.tree.body

    def assigned(self, path: str) -> Iterator[ast.expr]:
        """What is stored under a path: a name in the function, else in the file; an attribute of self in the class."""
        holders: list[ast.AST] = []
        if "." in path:
            holders = [self.owner.node] if self.owner is not None else [self.node or self.module.tree]
        elif self.node is not None:
            holders = [self.node]
        found = False
        for holder in [*holders, self.module.tree]:
            for statement in walk(holder):
                for value in stored(statement, path):
                    found = True
                    yield value
            if found:
                return

    def last_assigned(self, name: str, at: ast.AST) -> ast.expr | None:
        """What an assignment that surely came last before a node of the function gave a name; None where it is not
        known."""
        parents = self.module.nodes.parents
        while at in parents and not isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef)):
            around = parents[at]
            if isinstance(at, ast.stmt):
                blocks = (getattr(around, part, None) for part in ("body", "orelse", "finalbody"))
                block = next((one for one in blocks if isinstance(one, list) and at in one), [at])
                for before in reversed(block[: block.index(at)]):
                    values = [value for target, value in assignments(before) if path_of(target) == name]
                    if values or any(True for node in walk(before) for _ in stored(node, name)):
                        return values[0] if values else None
                loop = isinstance(around, (ast.For, ast.AsyncFor, ast.While))
                if loop and any(True for node in walk(around) for _ in stored(node, name)):
                    return None
            at = around
        return None

    def kept_under(self, paths: set[str], made: ast.expr) -> set[str]:
        """Paths of the method in which something is made, as other methods know them: of ``model``, which
        ``self.net = model`` keeps, it is ``self.net``."""
        method = self.module.nodes.around(made, ast.FunctionDef, ast.AsyncFunctionDef)
        if method is None or method is self.node:
            return paths
        found = set()
        for path in paths:
            root, dot, rest = path.partition(".")
            kept = [
                path_of(target) for node in walk(method) for target, value in assignments(node) if comes(value, root)
            ]
            found |= {f"{holder}{dot}{rest}" for holder in kept if holder and holder.startswith("self.")} or {path}
        return found


def assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(target, value) of each."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node.target, node.value


def comes(node: ast.expr, name: str) -> bool:
    """Whether an expression is what a name stands for: ``model``, ``model.to(device)``, ``DataParallel(model)``."""
    while not isinstance(node, ast.Name):
        if not isinstance(node, ast.Call):
            return False
        own = isinstance(node.func, ast.Attribute) and not isinstance(value_of(node.func), (Ref, ClassOf, FunctionOf))
        if own and is_module(value_of(node)):
            node = node.func.value  # type: ignore[attr-defined]
        elif node.args and isinstance(value_of(node.func), Ref) and "arallel" in value_of(node.func).name:  # type: ignore[union-attr]
            node = node.args[0]
        else:
            return False
    return node.id == name


def stored(statement: ast.AST, path: str) -> Iterator[ast.expr]:
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
            if any(path_of(part) == path for part in parts):
                yield statement.value
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        if path_of(statement.target) == path and statement.value is not None:
            yield statement.value
    elif isinstance(statement, (ast.For, ast.comprehension)):
        if any(path_of(part) == path for part in walk(statement.target) if isinstance(part, ast.expr)):
            yield statement.iter
    elif isinstance(statement, ast.Call) and grows(statement.func) == path:
        yield from statement.args


def grows(node: ast.expr) -> str:
    """The path of what a method adds to, ""."""
    adds = isinstance(node, ast.Attribute) and node.attr in ("append", "extend", "add_param_group")
    return (path_of(node.value) or "") if adds else ""  # type: ignore[attr-defined]


def outermost(node: ast.AST) -> Iterator[ast.expr]:
    """The longest names and chains of attributes that an expression reads."""
    if isinstance(node, (ast.Name, ast.Attribute)) and path_of(node):
        yield node
        return
    for part in ast.iter_child_nodes(node):
        yield from outermost(part)


def module_prefix(node: ast.expr) -> str:
    """The longest part of a chain that is a module: of ``net.fc.weight.shape`` it is ``net.fc``."""
    part: ast.expr = node
    while True:
        if is_module(value_of(part)):
            return path_of(part) or ""
        if not isinstance(part, ast.Attribute):
            return ""
        part = part.value


def root_of(node: ast.expr, path: str) -> str:
    """The name, or the attribute of self, that a chain begins with."""
    parts = path.split(".")
    return ".".join(parts[:2]) if parts[0] == "self" and len(parts) > 1 else parts[0]


def is_value(node: ast.expr) -> bool:
    return not isinstance(value_of(node), (Ref, FunctionOf, ClassOf, ModuleOf))


def arguments(call: ast.Call, info: FunctionInfo) -> dict[str, ast.expr]:
    """Parameter -> what a call gives it, as far as it is plain."""
    names = [argument.arg for argument in (*info.node.args.posonlyargs, *info.node.args.args)]
    if info.kind in ("method", "classmethod") and isinstance(call.func, ast.Attribute):
        names = names[1:]
    found = dict(zip(names, call.args, strict=False)) if not any(isinstance(a, ast.Starred) for a in call.args) else {}
    return found | {word.arg: word.value for word in call.keywords if word.arg}
