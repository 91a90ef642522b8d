"""What a project's code sees of batch normalization's statistics, which are parameters in Paddle and buffers in torch.

An optimizer and the clipping of gradients pass over them, as they take no gradient; other code that goes through
parameters gets torch's set of them. Code that goes through buffers, reads the statistics or the names of a state_dict
gets layers that keep them as torch does, in place of Paddle's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import Instance, Method, ModuleInfo, ObjectOf, Ref, Value
from rewriters.places.freezing import freezes
from rewriters.targets.paddle.passes.frozen_norms import (
    BATCH_NORMS,
    FUNCTIONAL,
    INSTANCE_NORMS,
    LAYER_NORMS,
    asks_for_some,
    freezes_apart,
    may_be_norm,
    of_no_parameter,
)
from rewriters.targets.paddle.passes.weight_makers import FUNCTIONS, is_unknown, names_of_torch, value_of, ways
from rewriters.text.tree import Parents, walk
from rewriters.torch.table import entry, mro

PRELU = "torch.nn.PReLU"
OTHER_NORMS = {"torch.nn.SyncBatchNorm", *(f"torch.nn.LazyBatchNorm{n}d" for n in (1, 2, 3))}
STATISTICS = {"running_mean", "running_var", "num_batches_tracked", "track_running_stats"}
PASSED = {
    "parameters": "torch.nn.Module.parameters:torchs",
    "named_parameters": "torch.nn.Module.named_parameters:torchs",
}
RECURRENT = {f"torch.nn.{name}" for name in ("LSTM", "GRU", "RNN")}
WRAPS = {"list", "tuple", "iter"}
TAKES_STATE = {"save", "load_state_dict", "deepcopy", "dump", "copy", "update", "OrderedDict", "dict"}


class Statistics:
    """The decisions for a project's modules.

    looked: whether its BatchNorms are made as torch's.
    frozen: torch's names of other norms that are, since they may be frozen or left out of gradients, or the weight or
            the bias of one alone.
    constant: calls of the layer norm's function whose weight is no parameter, with torch's name.
    named:  whether its PReLUs are, whose parameter has another name in Paddle.
    counted: whether it has recurrent layers, whose weights Paddle's state_dict has twice, and sees how many there are.
    """

    def __init__(self, project: Project, parents: Parents) -> None:
        self.modules = list(project.modules.values())
        self.parents = parents
        refs = {name for module in self.modules for _, name in names_of_torch(module)}
        self.has_norms = any(
            name in BATCH_NORMS | OTHER_NORMS or name.startswith("torchvision.models") for name in refs
        )
        # A file of functions for models that are made elsewhere.
        defines = any((entry(name) or {}).get("module") for name in refs if name != "torch.nn.Module")
        self.may_have = self.has_norms or not (defines or any(info.is_module for info in project.classes.values()))
        apart = bool((BATCH_NORMS | INSTANCE_NORMS) & refs) and any(freezes_apart(module) for module in self.modules)
        self.frozen = INSTANCE_NORMS if apart else set()
        if LAYER_NORMS & refs and any(freezes(module) or asks_for_some(module) for module in self.modules):
            self.frozen = self.frozen | LAYER_NORMS
        self.constant = dict(of_no_parameter(self.modules)) if FUNCTIONAL & refs else {}
        self.looked = bool(BATCH_NORMS & refs) and (apart or any(self.looks(module) for module in self.modules))
        self.counted = bool(RECURRENT & refs) and any(
            self.goes_through_state(node) for module in self.modules for node in module.nodes.of(ast.Call)
        )
        self.named = PRELU in refs and any(self.uses_names(module) for module in self.modules)

    def keys(self, module: ModuleInfo) -> dict[ast.AST, str]:
        """Uses in a module that a special rule answers for."""
        found: dict[ast.AST, str] = {}
        if self.looked:
            for node, name in names_of_torch(module):
                if name in BATCH_NORMS and not self.is_tested(node):
                    found[self.called(node)] = f"{name}:looked"
        elif self.may_have:
            for node in module.nodes.of(ast.Call):
                if self.goes_through(node):
                    found[node] = PASSED[node.func.attr]
        if self.frozen:
            for node, name in names_of_torch(module):
                if name in self.frozen and not self.is_tested(node):
                    found[self.called(node)] = f"{name}:frozen"
        for node in module.nodes.of(ast.Call) if self.constant else ():
            if node in self.constant:
                found[node] = f"{self.constant[node]}:frozen"
        if self.counted:
            for node in module.nodes.of(ast.Call):
                if self.goes_through_state(node):
                    found[node] = "torch.nn.Module.state_dict:once"
                elif getattr(node.func, "attr", "") == "load_state_dict" and may_be_module(node.func):
                    found[node] = "torch.nn.Module.load_state_dict:once"
        if self.named:
            for node, name in names_of_torch(module):
                if name == PRELU and not self.is_tested(node):
                    found[self.called(node)] = f"{PRELU}:named"
        return found

    def called(self, node: ast.AST) -> ast.AST:
        parent = self.parents.get(node)
        return parent if isinstance(parent, ast.Call) and parent.func is node else node

    def is_tested(self, node: ast.AST) -> bool:
        parent = self.parents.get(node)
        while isinstance(parent, ast.Tuple):
            parent = self.parents.get(parent)
        return isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in {"isinstance", "issubclass"}

    # Going through parameters.

    def goes_through(self, node: ast.Call) -> bool:
        """``net.parameters()`` where it matters whether the statistics are among them."""
        func = node.func
        if not (isinstance(func, ast.Attribute) and func.attr in PASSED and may_be_module(func)):
            return False
        around: ast.AST = node
        parent = self.parents.get(node)
        while isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in WRAPS:
            around, parent = parent, self.parents.get(parent)
        if isinstance(parent, ast.keyword):
            parent = self.parents.get(parent)
        if isinstance(parent, ast.Call):
            return not self.is_taken(parent)
        if isinstance(parent, ast.Dict):
            keys = [key for key, value in zip(parent.keys, parent.values, strict=True) if value is around]
            return [getattr(key, "value", None) for key in keys] != ["params"]
        if isinstance(parent, ast.comprehension):
            return not any(asks_for_gradient(test) for test in parent.ifs)
        if isinstance(parent, ast.For) and parent.iter is around:
            return not is_harmless(parent)
        return True

    def is_taken(self, call: ast.Call) -> bool:
        """Whether a function passes over parameters that take no gradient."""
        called = value_of(call.func)
        if isinstance(called, Ref):
            return called.name.startswith("torch.optim.") or "clip_grad" in called.name
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name == "filter" and call.args:
            return isinstance(call.args[0], ast.Lambda) and asks_for_gradient(call.args[0].body)
        return name == "next" or "clip_grad" in name or (name[:1].isupper() and is_unknown(called))

    # Looking at statistics.

    def looks(self, module: ModuleInfo) -> bool:
        for node in module.nodes.of(ast.Attribute):
            if node.attr in STATISTICS and may_be_norm(value_of(node.value), BATCH_NORMS):
                return True
            if node.attr in {"buffers", "named_buffers"} and may_be_module(node) and self.is_call(node):
                return True
        for node in module.nodes.of(ast.Constant):
            if isinstance(node.value, str) and any(word in node.value for word in STATISTICS):
                return True
        return self.looks_at_state(module)

    def looks_at_state(self, module: ModuleInfo) -> bool:
        calls = (n for n in module.nodes.of(ast.Call) if isinstance(n.func, ast.Attribute))
        return any(self.looks_at_names(n) for n in calls if n.func.attr == "state_dict" and may_be_module(n.func))

    def goes_through_state(self, node: ast.Call) -> bool:
        """``net.state_dict()`` of which a project sees how many entries there are."""
        func = node.func
        if not isinstance(func, ast.Attribute) or func.attr != "state_dict" or node.args or node.keywords:
            return False
        if not may_be_module(func):
            return False
        parent = self.parents.get(node)
        seen: list[ast.AST] = [node]
        if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
            seen += uses_of(parent.targets[0].id, self.scope_of(parent))
        return any(map(self.is_gone_through, seen))

    def is_gone_through(self, node: ast.AST) -> bool:
        parent = self.parents.get(node)
        if isinstance(parent, ast.Call):
            return getattr(parent.func, "id", "") in {"list", "len", "sorted", "tuple", "set", "enumerate", "zip"}
        of_dict = isinstance(parent, ast.Attribute) and parent.attr in {"items", "keys", "values"}
        return of_dict or (isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node)

    def uses_names(self, module: ModuleInfo) -> bool:
        """Whether the names of parameters matter, or a PReLU is asked for its own by torch's."""
        owners = [value_of(node.value) for node in module.nodes.of(ast.Attribute) if node.attr == "weight"]
        if any(is_unknown(owner) or (isinstance(owner, Instance) and owner.name == PRELU) for owner in owners):
            return True
        calls = (n.func for n in module.nodes.of(ast.Call) if isinstance(n.func, ast.Attribute))
        return any(func.attr == "named_parameters" for func in calls) or self.looks_at_state(module)

    def is_call(self, node: ast.AST) -> bool:
        parent = self.parents.get(node)
        return isinstance(parent, ast.Call) and parent.func is node

    def looks_at_names(self, node: ast.expr, seen: tuple[str, ...] = ()) -> bool:
        """Whether the names in a state_dict are used otherwise than to find the entries of another."""
        parent = self.parents.get(node)
        if isinstance(parent, ast.keyword):
            parent = self.parents.get(parent)
        if isinstance(parent, ast.Attribute):
            outer = self.parents.get(parent)
            if isinstance(outer, ast.Call) and outer.func is parent and parent.attr in {"items", "keys"}:
                return self.looks_at_names(outer, seen)
            if isinstance(outer, ast.Call) and outer.func is parent and parent.attr == "values":
                return self.shows_all(outer)
            return False
        if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node:
            target = parent.target.elts[0] if isinstance(parent.target, ast.Tuple) else parent.target
            scope = parent if isinstance(parent, ast.For) else self.parents[parent]
            return isinstance(target, ast.Name) and any(self.shows(name, seen) for name in uses_of(target.id, scope))
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
            name = parent.targets[0].id
            if name in seen:
                return False
            scope = self.scope_of(parent)
            return any(self.looks_at_names(use, (*seen, name)) for use in uses_of(name, scope))
        if isinstance(parent, (ast.Starred, ast.FormattedValue)):
            return True
        if isinstance(parent, (ast.IfExp, ast.BoolOp)):
            return self.looks_at_names(parent, seen)
        if isinstance(parent, ast.Call):
            name = parent.func.attr if isinstance(parent.func, ast.Attribute) else getattr(parent.func, "id", "")
            if name in {"list", "sorted", "tuple", "set", "enumerate", "zip"}:
                return self.looks_at_names(parent, seen)
            return name not in TAKES_STATE
        return False

    def shows_all(self, node: ast.expr) -> bool:
        """Whether values of a state are kept, counted or summed, of which torch has one more for each BatchNorm."""
        parent = self.parents.get(node)
        if isinstance(parent, ast.comprehension):
            return isinstance(self.parents.get(parent), ast.ListComp)
        return isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in {"list", "tuple", "len"}

    def shows(self, name: ast.AST, seen: tuple[str, ...]) -> bool:
        """Whether a key is used otherwise than as a key. seen: names of dicts that are looked into already."""
        parent = self.parents.get(name)
        if isinstance(parent, ast.FormattedValue):
            return True
        if isinstance(parent, ast.DictComp) and parent.key is name:
            # A dict of the same names is a state again, unless it is shown.
            return self.looks_at_names(parent, seen)
        if isinstance(parent, ast.Call):
            called = parent.func.attr if isinstance(parent.func, ast.Attribute) else getattr(parent.func, "id", "")
            return called not in {"len", "get", "pop", "getattr", "get_parameter"}
        return isinstance(parent, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.List, ast.Tuple)) and (
            parent is not self.parents.get(parent) and not isinstance(getattr(name, "ctx", None), ast.Store)
        )

    def scope_of(self, node: ast.AST) -> ast.AST:
        while node in self.parents and not isinstance(node, FUNCTIONS):
            node = self.parents[node]
        return node


def may_be_module(func: ast.Attribute) -> bool:
    """Whether a method may be one of a module that holds others."""
    methods = ways(value_of(func))
    return any(may_be_of_module(value, method) for value in ways(value_of(func.value)) for method in methods)


def may_be_of_module(value: Value, method: Value) -> bool:
    """The same of one way; value: what the method is of."""
    if isinstance(method, Method):
        owner = value.name if isinstance(value, Instance) else ""
        alone = owner.startswith("torch.nn.") and owner not in BATCH_NORMS and owner in mro(owner) and is_leaf(owner)
        return method.name.startswith("torch.nn.Module.") and not alone
    return is_unknown(value) or (isinstance(value, ObjectOf) and value.info.is_module and is_unknown(method))


def is_leaf(name: str) -> bool:
    """Whether a torch class holds no modules of others."""
    containers = (
        "Module",
        "Sequential",
        "ModuleList",
        "ModuleDict",
        "DataParallel",
        "Transformer",
        "DistributedDataParallel",
    )
    return name.rpartition(".")[2] not in containers


def asks_for_gradient(test: ast.AST) -> bool:
    """``p.requires_grad``, ``p.grad is not None``, and what begins so."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(asks_for_gradient(part) for part in test.values)
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot):
        return isinstance(test.left, ast.Attribute) and test.left.attr == "grad"
    return isinstance(test, ast.Attribute) and test.attr == "requires_grad"


def is_harmless(loop: ast.For) -> bool:
    """Whether a loop over parameters leaves those alone that take no gradient, or only says that they take none."""
    body = loop.body
    first = body[0]
    if isinstance(first, ast.If) and asks_for_gradient(first.test) and len(body) == 1 and not first.orelse:
        return True
    if isinstance(first, ast.If) and isinstance(first.body[0], ast.Continue):
        test = first.test
        is_none = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is)
        return is_none and isinstance(test.left, ast.Attribute) and test.left.attr == "grad"  # type: ignore[attr-defined]
    if len(body) > 1:
        return False
    if isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Attribute):
        attribute, value = first.targets[0].attr, getattr(first.value, "value", ...)
        return (attribute == "requires_grad" and value is False) or (attribute == "grad" and value is None)
    call = first.value if isinstance(first, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "requires_grad_":
        return [getattr(given, "value", None) for given in call.args] == [False]
    return False


def uses_of(name: str, scope: ast.AST) -> Iterator[ast.Name]:
    return (
        part
        for part in walk(scope)
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)
    )


_of_project: WeakKeyDictionary[Any, Statistics] = WeakKeyDictionary()


def statistics_of(project: Project, parents: Parents) -> Statistics:
    """The decisions for a project, made once."""
    if project not in _of_project:
        _of_project[project] = Statistics(project, parents)
    return _of_project[project]
