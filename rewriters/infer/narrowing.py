"""What a test's outcome says of the names in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TypeGuard

from rewriters.infer.alone import SEQUENCES, given, root, shown_by
from rewriters.infer.either import one_of, without
from rewriters.infer.filling import Filling
from rewriters.infer.joining import as_tensor, join, torch_class
from rewriters.infer.names import OUTER
from rewriters.infer.other_libraries import is_tensorless
from rewriters.infer.syntax import path_of
from rewriters.infer.values import (
    BOTTOM,
    DTYPE,
    DTYPE_IF_ANY,
    EXCLUDED,
    TENSOR,
    UNKNOWN,
    ClassInfo,
    ClassOf,
    Either,
    External,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.infer.words import CONTAINERS, MAPPINGS
from rewriters.torch.table import entry, is_tensor_class


class Narrowing(Filling):
    """``isinstance`` and ``torch.is_tensor`` in tests."""

    def narrow(self, test: ast.expr, truth: bool) -> None:
        """What the test's outcome says of the names in it."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.narrow(test.operand, not truth)
        elif isinstance(test, ast.BoolOp):
            if isinstance(test.op, ast.And) == truth:
                for part in test.values:
                    self.narrow(part, truth)
        elif isinstance(test, ast.Call) and len(test.args) >= 1:
            path = path_of(test.args[0])
            if not path:
                return
            if "." not in path and path not in self.scope and truth:
                self.project.narrow(path)
                path = OUTER + path  # not this function's: it is narrowed here alone
            asked = isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2
            if not truth:
                self.narrow_other(path, test, asked)
            elif asked:
                value = self.instance_of(test.args[1], self.ev(test.args[0]))
                if value is not None:
                    self.set_path(path, value)
            elif getattr(test.func, "v", None) == Ref("torch.is_tensor"):
                self.set_path(path, one_of(self.ev(test.args[0]), Tensor) or TENSOR)
        elif isinstance(test, ast.Compare) and is_there(test) == truth:
            self.narrow_present(test.left)
        elif truth and isinstance(test, (ast.Name, ast.Attribute)):
            self.narrow_present(test)

    def is_telling(self) -> bool:
        """Whether uses show here what something is; within a ``try`` they may fail."""
        return not self.trying and not self.blurred

    def show_by(self, node: ast.Call) -> None:
        """What a call shows to be tensors, is one from here on."""
        if not self.is_telling():
            return
        others = self.project.others
        found = shown_by(node, others)
        if found is not None:
            self.show(found)
        for one in given(node, self.torchs(node), others):
            self.show(one)

    def show_bound(self, target: ast.expr, body: Sequence[ast.stmt], place: int) -> None:
        """What names have been bound to, where the statements from a place on use them as tensors alone can be used."""
        for part in target.elts if isinstance(target, SEQUENCES) else (target,):
            if not isinstance(part, ast.Name) or not isinstance(self.scope.get(part.id), Unknown):
                continue
            if self.is_telling() and self.project.showing.after(part.id, body, place, self.torchs):
                self.show_name(part.id)

    def show_name(self, name: str) -> None:
        value = self.scope.get(name)
        if value is not None and (told := as_tensor(value)) != value:
            self.set_path(name, told)

    def show_by_layer(self, layer: Instance, node: ast.Call) -> None:
        """What a layer of torch's is called with, is a tensor where it takes nothing else."""
        others = self.project.others
        if node.args and self.is_telling() and OF_TENSORS_ALONE.fullmatch(layer.name):
            self.show(root(node.args[0], others))

    def torchs(self, node: ast.Call) -> str:
        """The name of torch's function that is called; "" of others."""
        root: ast.expr = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or not isinstance(self.look_up(root.id), Ref):
            return ""
        called = self.quiet(node.func)
        return called.name if isinstance(called, Ref) else ""

    def show(self, node: ast.expr) -> None:
        self.shown.add(node)
        path = path_of(node)
        if path is None:
            return
        value = self.ev(node)
        told = as_tensor(value)
        if told == value:
            return
        if "." not in path and path not in self.scope:
            self.project.narrow(path)
            path = OUTER + path  # not this function's: it is narrowed here alone
        self.set_path(path, told)

    def narrow_present(self, node: ast.expr) -> None:
        """It is not None."""
        path = path_of(node)
        if path and self.is_bias(node):
            self.set_path(path, TENSOR)
        elif path and getattr(node, "v", None) == DTYPE_IF_ANY:
            self.set_path(path, DTYPE)

    def is_bias(self, node: ast.expr) -> bool:
        """Whether it is the bias of a layer of torch's, which is a parameter where it is not None."""
        if not isinstance(node, ast.Attribute) or node.attr != "bias":
            return False
        layer: Value = getattr(node.value, "v", UNKNOWN)
        own = layer.info.linear() if isinstance(layer, ObjectOf) else []
        stored = any(isinstance(one, ClassInfo) and "bias" in {*one.attributes, *one.functions} for one in own)
        given = {name.partition("=")[0] for name in (entry(torch_class(layer) or "") or {}).get("parameters", ())}
        return "bias" in given and not stored

    def narrow_other(self, path: str, test: ast.Call, asked: bool) -> None:
        """What a value is where it is none of the classes that a test names."""
        value = self.scope.get(path)
        if not isinstance(value, (Either, Tensor)):
            return
        if asked:
            classes = test.args[1]
            nodes = classes.elts if isinstance(classes, ast.Tuple) else [classes]
            dropped = [self.quiet(node) if not is_own(node) else node.id for node in nodes if isinstance(node, NAMED)]
        else:
            dropped = [Ref("torch.Tensor")] if getattr(test.func, "v", None) == Ref("torch.is_tensor") else []
        if isinstance(value, Either):
            self.set_path(path, without(value, lambda one: any(is_of(one, kind) for kind in dropped)))
        elif any(is_of(value, kind) for kind in dropped):
            self.set_path(path, EXCLUDED)

    def instance_of(self, classes: ast.expr, current: Value) -> Value | None:
        nodes = classes.elts if isinstance(classes, ast.Tuple) else [classes]
        found: Value = BOTTOM
        sequence, mapping = one_of(current, (Items, Series)), one_of(current, Mapping)
        for node in nodes:
            value = self.quiet(node)
            if isinstance(value, Ref):
                held = one_of(current, Tensor) if is_tensor_class(value.name) else None
                narrowed: Value = held or (TENSOR if is_tensor_class(value.name) else Instance(value.name))
            elif isinstance(value, ClassOf):
                narrowed = ObjectOf(value.info)
            elif isinstance(node, ast.Name) and node.id in {"list", "tuple", "set"}:
                narrowed = sequence if sequence is not None else Series(UNKNOWN, node.id)
            elif isinstance(node, ast.Name) and node.id == "dict":
                narrowed = mapping if mapping is not None else Mapping(UNKNOWN)
            elif isinstance(node, ast.Name) and node.id in {"int", "float", "str", "bool", "bytes", "complex"}:
                narrowed = Plain(node.id)
            elif isinstance(value, External) and value.name.rpartition(".")[2] in MAPPINGS:
                narrowed = mapping if mapping is not None else Mapping(UNKNOWN)
            elif isinstance(value, External) and value.name.rpartition(".")[2] in CONTAINERS:
                narrowed = sequence if sequence is not None else Series(UNKNOWN, "sequence")
            elif isinstance(value, External) and is_tensorless(value.name):
                narrowed = Plain(value.name)
            else:
                return None
            found = join(found, narrowed)
        return found


# Layers that refuse whatever is no tensor.
OF_TENSORS_ALONE = re.compile(
    r"torch\.nn\.(Linear|Bilinear|(Conv|ConvTranspose|BatchNorm|InstanceNorm|MaxPool|AvgPool|AdaptiveAvgPool"
    r"|AdaptiveMaxPool)[123]d|LayerNorm|GroupNorm|Embedding|ReLU6?|GELU|SiLU|ELU|LeakyReLU|PReLU|Sigmoid|Tanh|Softplus"
    r"|Softmax|LogSoftmax|CrossEntropyLoss|BCEWithLogitsLoss|BCELoss|NLLLoss)"
)
NAMED = (ast.Name, ast.Attribute)


def is_there(test: ast.Compare) -> bool | None:
    """Which outcome of ``x is None`` or ``x is not None`` says that x is something; None for other comparisons."""
    (operator, *more), (other, *_) = test.ops, test.comparators
    none = isinstance(other, ast.Constant) and other.value is None and not more
    return isinstance(operator, ast.IsNot) if none and isinstance(operator, (ast.Is, ast.IsNot)) else None


def is_own(node: ast.expr) -> TypeGuard[ast.Name]:
    """Whether it is the name of one of Python's own classes."""
    return isinstance(node, ast.Name) and node.id in {"list", "tuple", "set", "dict", "int", "float", "str", "bool"}


def is_of(value: Value, kind: Value | str) -> bool:
    """Whether a value is of a class for certain: torch's, or one of Python's own by its name."""
    if isinstance(value, Tensor):
        return kind == Ref("torch.Tensor")
    if isinstance(value, (Items, Series, Plain)):
        return value.kind == kind
    return isinstance(value, Mapping) and kind == "dict"
