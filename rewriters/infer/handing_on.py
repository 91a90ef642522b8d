"""Classes whose objects hand on what they are asked for (``__getattr__`` with ``getattr``), and whether they may hand
it to a tensor: then an object of theirs can be used as tensors alone can be otherwise.

What a class uses as no tensor can be used (``self.env.step(a)``, ``self.model(x)``, ``self.data["ids"]``) is none, nor
is what it makes itself of a class of the project's, nor what an annotation says to be something else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rewriters.infer.syntax import all_arguments, path_of
from rewriters.text.tree import Nodes, called_name, last_name, text_of, walk
from rewriters.torch.table import entry

Function = ast.FunctionDef | ast.AsyncFunctionDef
HOOKS = {"__getattr__", "__getattribute__"}
# What looks an attribute of the object itself up, by its name.
OWN = {"__getattr__", "__getattribute__", "__getitem__"}
STORING = {"__setattr__", "setattr"}
# What asks what something is, or whether it has a name: what follows may be of another object than usual.
ASKING = {"isinstance", "hasattr", "callable", "issubclass", "is_tensor"}
# What base classes of other libraries hold that is no tensor: of data parallel modules, of environments, of datasets.
OF_BASES = {"module", "env", "venv", "dataset"}
# Types that tensors may be of, too.
ANYTHING = {"Any", "object", "Tensor", "Parameter", "TypeVar", "Variable"}
MADE = (ast.Dict, ast.List, ast.Set, ast.Tuple, ast.JoinedStr, ast.Lambda, ast.ListComp, ast.DictComp, ast.SetComp)
CONTAINERS = {"dict", "list", "set", "OrderedDict", "defaultdict", "deque"}


def is_handing_on(node: Function) -> bool:
    """``def __getattr__(self, name): return getattr(self.inner, name)``; also one whose body has not been read."""
    if node.name not in HOOKS:
        return False
    unread = all(isinstance(part, ast.Pass) or is_said(part) for part in node.body)
    return unread or any(True for _ in asked_in(node))


def is_said(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def asked_in(node: Function) -> Iterator[ast.expr]:
    """What it asks by ``getattr`` for what it has been asked for."""
    for part in walk(node):
        if isinstance(part, ast.Call) and last_name(part.func) == "getattr" and part.args:
            yield part.args[0]


@dataclass
class Class:
    """A class of the project, its file, and its function that hands on."""

    node: ast.ClassDef
    nodes: Nodes
    hook: Function | None = None


class HandingOn:
    """The classes of a project, looked through where one of them hands on.

    classes: all of them by name.
    """

    def __init__(self) -> None:
        self.classes: dict[str, list[Class]] = {}
        self.found: list[Class] = []

    def add(self, node: ast.ClassDef, nodes: Nodes) -> None:
        self.classes.setdefault(node.name, []).append(Class(node, nodes))

    def hands_on(self, node: ast.ClassDef, nodes: Nodes, hook: Function) -> None:
        self.found.append(Class(node, nodes, hook))

    def may_ask_a_tensor(self, files: list[Nodes]) -> bool:
        """Whether one of the classes may hand a name on to a tensor."""
        return any(not self.asks_no_tensor(one, files) for one in self.found)

    def asks_no_tensor(self, one: Class, files: list[Nodes]) -> bool:
        assert one.hook is not None
        asked = [*asked_in(one.hook)]
        return bool(asked) and all(self.is_no_tensor(part, one, files) for part in asked)

    def is_no_tensor(self, node: ast.expr, one: Class, files: list[Nodes]) -> bool:
        assert one.hook is not None
        bound = stored_in(one.hook, node.id) if isinstance(node, ast.Name) else []
        if bound:
            return all(self.is_no_tensor(value, one, files) for value in bound)
        me = first_of(one.hook)
        if isinstance(node, ast.Name):
            return node.id == me or node.id in imported(one.nodes)
        if isinstance(node, ast.Call) and called_name(node) in {"super", "import_module", "type"}:
            return True
        path = own_path(node, me)
        return path is not None and self.holds_no_tensor(path, one, files)

    def holds_no_tensor(self, path: str, one: Class, files: list[Nodes]) -> bool:
        """Whether ``self.path`` is no tensor in objects of the class."""
        family = family_of(one, lambda name: self.classes.get(name, ()))
        if any(is_asked(path, member) for member in family):
            return False
        if any(is_used_otherwise(path, member) for member in family):
            return True
        if "." in path:
            return False
        outside = len(family) == 1 or any(last_name(base) not in self.classes for base in one.node.bases)
        stores = [store for member in family for store in stores_of(path, member)]
        elsewhere = sum(1 for nodes in files for part in nodes.of(ast.Attribute) if is_store(part, path))
        if not stores and not elsewhere:
            return outside and bool(one.node.bases) and path in OF_BASES
        inside = sum(1 for member in family for part in walk(member.node) if is_store(part, path))
        return bool(stores) and inside == elsewhere and all(self.makes_none(value, within) for value, within in stores)

    def makes_none(self, value: ast.expr, within: Function | None) -> bool:
        """Whether a value that is stored is no tensor."""
        if isinstance(value, (ast.Constant, *MADE)):
            return True
        if isinstance(value, ast.Call):
            name = called_name(value)
            own = self.classes.get(name, ())
            tensors = any("Tensor" in last_name(base) for other in own for base in other.node.bases)
            return (bool(own) and not tensors) or name in CONTAINERS
        if isinstance(value, ast.Name) and within is not None:
            annotation = next((one.annotation for one in all_arguments(within.args) if one.arg == value.id), None)
            return annotation is not None and not stored_in(within, value.id) and is_of_others(annotation)
        return False


def family_of(one: Class, named: Callable[[str], Iterable[Class]]) -> list[Class]:
    """The class and those that it derives from, as far as they are found by their names."""
    found = [one]
    for member in found:  # which grows
        new = [other for base in member.node.bases for other in named(last_name(base))]
        found += [other for other in new if all(other.node is not known.node for known in found)]
    return found


def is_of_others(annotation: ast.expr) -> bool:
    """Whether it names types, none of which a tensor may be of; a short name may be of any type (``T``)."""
    inner = {id(part.value) for part in walk(annotation) if isinstance(part, ast.Attribute)}
    named = {last_name(part) for part in walk(annotation) if isinstance(part, NAMES) and id(part) not in inner}
    texts = {text.rpartition(".")[2] for part in walk(annotation) if (text := text_of(part)) is not None}
    names = (named | texts) - {"Optional", "Union"}
    return bool(names) and not any(name in ANYTHING or len(name) < 3 or not name.isidentifier() for name in names)


NAMES = (ast.Name, ast.Attribute)


def first_of(node: Function) -> str:
    arguments = [*node.args.posonlyargs, *node.args.args]
    return arguments[0].arg if arguments else ""


def imported(nodes: Nodes) -> set[str]:
    """The names by which a file imports modules."""
    return {one.asname or one.name.partition(".")[0] for node in nodes.of(ast.Import) for one in node.names}


def stored_in(function: Function, name: str) -> list[ast.expr]:
    """What a function binds a name to; something else than an expression where that is not by an assignment."""
    found: list[ast.expr] = []
    for part in walk(function):
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store):
            around = getattr(part, "parent", None)
            simple = isinstance(around, ast.NamedExpr) or (isinstance(around, ast.Assign) and part in around.targets)
            found.append(around.value if simple else ast.Starred(part, ast.Load()))  # type: ignore[union-attr]
    return found


def own_path(node: ast.expr, me: str) -> str | None:
    """What follows self in ``self.inner``, ``self.__dict__["inner"]``, ``object.__getattribute__(self, "inner")``."""
    path = path_of(node)
    if path is not None:
        first, _, rest = path.partition(".")
        return rest if first == me and rest else None
    if isinstance(node, ast.Subscript) and path_of(node.value) == f"{me}.__dict__":
        return text_of(node.slice)
    if isinstance(node, ast.Call) and called_name(node) in OWN and node.args:
        return text_of(node.args[-1])
    return None


def methods_of(one: Class) -> Iterator[tuple[Function, str]]:
    """The methods of a class, each with the name that it has for the object."""
    for part in one.node.body:
        if isinstance(part, Function):
            yield part, first_of(part)


def is_asked(path: str, one: Class) -> bool:
    """Whether a class asks what it is that it holds there."""
    return any(
        isinstance(part, ast.Call) and called_name(part) in ASKING and part.args and own_path(part.args[0], me) == path
        for method, me in methods_of(one)
        for part in walk(method)
    )


def is_used_otherwise(path: str, one: Class) -> bool:
    """Whether a class uses what it holds there as no tensor can be used."""
    return any(
        own_path(inner, me) == path and one.nodes.around(part, ast.Try) is None
        for method, me in methods_of(one)
        for part in walk(method)
        for inner in foreign(part)
    )


def foreign(node: ast.AST) -> Iterable[ast.expr]:
    """What is surely no tensor where a node is evaluated."""
    if isinstance(node, ast.Call):
        return [node.func]
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and not node.attr.startswith("__"):
        return [node.value] if entry(f"torch.Tensor.{node.attr}") is None else []
    if isinstance(node, ast.Subscript) and text_of(node.slice) is not None:
        return [node.value]
    return []


def stores_of(name: str, one: Class) -> Iterator[tuple[ast.expr, Function]]:
    """What a class stores to an attribute of its objects, with the function that does."""
    for method, me in methods_of(one):
        for part in walk(method):
            if isinstance(part, (ast.Assign, ast.AnnAssign)) and part.value is not None:
                targets = part.targets if isinstance(part, ast.Assign) else [part.target]
                if any(own_path(target, me) == name for target in targets):
                    yield part.value, method
            elif isinstance(part, ast.Call) and called_name(part) in STORING and len(part.args) > 1:
                yield from [(part.args[-1], method)] if text_of(part.args[-2]) == name else []


def is_store(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store)
