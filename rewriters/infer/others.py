"""What in a project may be used as tensors are, beside tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from rewriters.infer.handing_on import HandingOn, is_handing_on
from rewriters.text.tree import Nodes, last_name

# Libraries whose objects have methods of torch's tensors.
LIKE_TORCH = {
    "tensordict", "torchrl", "tinygrad", "mindspore", "oneflow", "paddle", "megengine", "jittor", "pytorch3d", "mlx",
    "torch_sparse", "nestedtensor", "mxnet", "pykeops", "gpytorch", "linear_operator", "chainer", "minitorch", "needle",
}  # fmt: skip
# Of these, what runs a saved model: it takes and gives arrays.
RUNNING = {"paddle.inference"}
# Methods without arguments that objects of other libraries have, too.
OF_LIBRARIES = {
    "pandas": {"bool", "size"}, "tensorflow": {"numpy"}, "onnxruntime": {"numpy"}, "tvm": {"numpy"},
    "warp": {"numpy"}, "open3d": {"numpy"}, "dgl": {"int", "long"}, "sympy": {"t", "dim"},
    "torch_geometric": {"detach", "size"}, "torchsparse": {"detach", "size"}, "MinkowskiEngine": {"size"},
}  # fmt: skip


# What is packed has data of its own, and is no tensor.
PACKING = {"pack_padded_sequence", "pack_sequence", "PackedSequence"}


class Others:
    """What in a project may be used as tensors are.

    names:             of the methods that its classes have, with the parameters of each; None of what a class binds,
                       and of ``data``, where objects have one.
    without_arguments: of those that objects of the libraries have that it imports, called without arguments.
    anything:          whether any name may be one's, in any file.
    within:            files in which any name may be: they import tensors like torch's, or get some of others.
    """

    def __init__(self, trees: Iterable[Nodes]) -> None:
        self.names: dict[str, list[ast.arguments | None]] = {}
        self.without_arguments: set[str] = set()
        self.anything = False
        self.within: frozenset[str] = frozenset()
        self.handing = HandingOn()
        files = [*trees]
        for nodes in files:
            for node in nodes.of(ast.Import, ast.ImportFrom):
                modules = [one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""]
                for root in {name.partition(".")[0] for name in modules}:
                    self.without_arguments |= OF_LIBRARIES.get(root, set())
                if not PACKING.isdisjoint(one.name for one in node.names):
                    self.names["data"] = [None]
            if any(map(is_data, nodes.of(ast.Attribute))):
                self.names["data"] = [None]
            for node in nodes.of(ast.ClassDef):
                self.handing.add(node, nodes)
                if not any((last_name(base) or "").endswith("Function") for base in node.bases):
                    self.add(node, nodes)
        self.anything = self.anything or self.handing.may_ask_a_tensor(files)

    def add(self, node: ast.ClassDef, nodes: Nodes) -> None:
        for part in node.body:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.names.setdefault(part.name, []).append(None if part.decorator_list else part.args)
                self.anything |= part.name == "__torch_function__"
                if is_handing_on(part):
                    self.handing.hands_on(node, nodes, part)
            elif isinstance(part, ast.Assign):
                for one in part.targets:
                    if isinstance(one, ast.Name):
                        self.names.setdefault(one.id, []).append(None)

    def may_be_anything(self, module: str) -> bool:
        return self.anything or module in self.within

    def take(self, call: ast.Call, name: str) -> bool:
        """Whether a method of that name takes such a call."""
        return name in self.names and any(one is None or takes(one, call) for one in self.names[name])


def is_data(node: ast.Attribute) -> bool:
    """Whether it stores ``self.data``, or packs something."""
    if node.attr == "data":
        return isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return node.attr in PACKING


def imports_like_torch(nodes: Nodes) -> bool:
    """Whether a file imports a library whose tensors are like torch's."""
    imported = [one for node in nodes.of(ast.Import) for one in node.names]
    names = {one.name if one.asname else one.name.partition(".")[0] for one in imported}
    names |= {node.module or "" for node in nodes.of(ast.ImportFrom) if not node.level}
    return any(name.partition(".")[0] in LIKE_TORCH and name not in RUNNING for name in names)


def reached(starts: Iterable[str], imports: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """The files in which objects may be that some files make: who imports these, and what any of them imports.

    imports: of each file, those that it imports.
    """
    users: dict[str, list[str]] = {}
    for name, imported in imports.items():
        for one in imported:
            users.setdefault(one, []).append(name)
    return closed(closed(starts, users), imports)


def closed(starts: Iterable[str], following: Mapping[str, Iterable[str]]) -> frozenset[str]:
    found = dict.fromkeys(starts)
    waiting = [*found]
    while waiting:
        new = [one for one in following.get(waiting.pop(), ()) if one not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return frozenset(found)


def takes(spec: ast.arguments, call: ast.Call) -> bool:
    """Whether a method's parameters, of which the first is its object, take the arguments of a call."""
    words = {word.arg for word in call.keywords}
    if None in words or any(isinstance(one, ast.Starred) for one in call.args):
        return True
    places = [one.arg for one in (*spec.posonlyargs, *spec.args)][1:]
    if len(call.args) > len(places) and spec.vararg is None:
        return False
    known = {*places[len(call.args) :], *(one.arg for one in spec.kwonlyargs)}
    if not words <= known and spec.kwarg is None:
        return False
    needed = places[len(call.args) : len(places) - len(spec.defaults)]
    needed += [one.arg for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None]
    return words.issuperset(needed)
