"""Calls of torch's functions, classes and methods."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from rewriters.infer import dtypes
from rewriters.infer.attributes import ANY_MODULE, HOLDING_MODULES, is_dict
from rewriters.infer.axes_in_place import RERANKING, reranked
from rewriters.infer.call_words import ASKED_FOR
from rewriters.infer.cells import reading
from rewriters.infer.computed_names import pattern
from rewriters.infer.derivatives import Derivatives
from rewriters.infer.joining import either_way, element, join
from rewriters.infer.ranks import sizes
from rewriters.infer.syntax import path_of
from rewriters.infer.torch_members import given_by_private
from rewriters.infer.values import (
    ASSUMED,
    BOOL,
    BOTTOM,
    BYTES,
    COMPLEX,
    FLOATING,
    HALF,
    INT,
    INTEGRAL,
    NONE,
    NUMPY,
    OBJECT,
    SIZE,
    STR,
    TENSOR,
    TRUTHS,
    UNKNOWN,
    WIDE,
    Bottom,
    ClassOf,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    Method,
    ObjectOf,
    Plain,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.infer.widths import CASTS
from rewriters.infer.words import result_of, value_of_word
from rewriters.text.tree import called_name
from rewriters.torch.table import TYPED, entry, is_tensor_class, mro

# Methods of a tensor that take a function, which is called with a gradient.
HOOKS = {"register_hook", "register_post_accumulate_grad_hook"}
MODULE_ITERATORS: dict[str, Value] = {
    "parameters": Series(TENSOR, "iterator"),
    "buffers": Series(TENSOR, "iterator"),
    "named_parameters": Series(Items((STR, TENSOR)), "iterator"),
    "named_buffers": Series(Items((STR, TENSOR)), "iterator"),
    "modules": Series(Instance("torch.nn.Module"), "iterator"),
    "children": Series(Instance("torch.nn.Module"), "iterator"),
    "named_modules": Series(Items((STR, Instance("torch.nn.Module"))), "iterator"),
    "named_children": Series(Items((STR, Instance("torch.nn.Module"))), "iterator"),
    "state_dict": Mapping(TENSOR, key=STR),
}
# Of what nothing is known, with what the methods of these names give that classes of the project have: hardly anything
# else has any.
OF_ANY_MODULE: dict[str, Value] = {
    "parameters": Series(ASSUMED, "iterator"),
    "named_parameters": Series(Items((STR, ASSUMED)), "iterator"),
}
MODULE_SELF = {
    "train",
    "eval",
    "to",
    "cuda",
    "cpu",
    "half",
    "float",
    "double",
    "bfloat16",
    "apply",
    "requires_grad_",
    "type",
}
# What puts modules into one that holds some.
FILLING = {"append", "extend", "insert"}
# Of arrays.
OF_ARRAYS = {"torch.tensor", "torch.from_numpy", "torch.as_tensor", "torch.asarray"}
# Functions that give what they are given.
HANDS_BACK = {"torch.jit.script", "torch.compile", "torch.nn.SyncBatchNorm.convert_sync_batchnorm"} | {
    f"torch.nn.utils.{name}"
    for name in (
        "weight_norm", "remove_weight_norm", "spectral_norm", "remove_spectral_norm", "parametrizations.weight_norm",
        "parametrizations.spectral_norm", "parametrizations.orthogonal", "parametrize.register_parametrization",
        "prune.identity", "prune.random_unstructured", "prune.l1_unstructured", "prune.random_structured",
        "prune.ln_structured", "prune.custom_from_mask", "prune.remove",
    )
}  # fmt: skip

CONTAINER_MODULES = {"torch.nn.ModuleList", "torch.nn.Sequential", "torch.nn.ParameterList"}


class TorchCalls(Derivatives):
    """Calls of what is torch's."""

    def given_by_any(self, name: str, positional: list[Value]) -> Value | None:
        """What a method gives, whatever it is of; None where that matters."""
        if name == "state_dict":
            return Mapping(UNKNOWN, key=UNKNOWN)
        if name == "_apply" and positional:
            self.call(positional[0], [TENSOR], {})  # of a module, which is no API and is written all the same
        if name == "astype" and name not in self.project.others.names:
            return OBJECT  # tensors have no such method, and what has one gives what it is itself
        if not positional and name in OF_ANY_MODULE:
            found = OF_ANY_MODULE[name]
            return self.given_by_own(name, found) if self.project.own_parameters else found
        return None

    def given_by_own(self, name: str, otherwise: Value) -> Value | None:
        """What a method gives of what is not known, which may be an object of any class of the project."""
        reading.cells.add(self.project.named_cell(name))
        found = otherwise
        for owner in self.project.classes_with(name):
            function = owner.functions.get(name)
            if function is None or function.opaque or function.kind != "method":
                return None
            reading.cells.add(function.answers)
            given = function.returns if isinstance(function.yields, Bottom) else Series(function.yields, "iterator")
            found = join(found, given)
        return found if isinstance(found, Series) else None

    def call_torch(self, name: str, positional: list[Value], keywords: dict[str, Value]) -> Value:
        known = entry(name)
        owner = name.removesuffix(".from_pretrained")
        if owner != name and owner.startswith("torch.nn.Embedding"):
            return self.new_torch(owner, [INT, INT], {})
        if known is None:
            return positional[0] if name in HANDS_BACK and positional else given_by_private(name)
        if known["kind"] == "class":
            return self.new_torch(name, positional, keywords)
        if name.startswith("torch.Tensor.") or known["kind"] == "function":
            if name in HANDS_BACK and positional:
                return positional[0]
            if name in {"torch.cat", "torch.stack"}:
                return dtypes.result(name, TENSOR, positional, keywords)
            if name == "torch.load":
                return UNKNOWN
            if name == "torch.manual_seed":
                return Instance("torch.Generator")
            if name == "torch.autograd.grad":
                return Series(TENSOR, "tuple")
            given = tensor_result(name, known, positional, keywords)
            if name in OF_ARRAYS and NUMPY in positional[:1] and isinstance(given, Tensor):
                return replace(given, hints=given.hints | TRUTHS) if self.has_arrays_of_truths() else given
            return given
        return UNKNOWN

    def has_arrays_of_truths(self) -> bool:
        """Whether the file makes arrays of literal truth values."""
        if self.module.truths is None:
            self.module.truths = any(map(is_array_of_truths, self.module.nodes.of(ast.Call)))
        return self.module.truths

    def new_torch(self, name: str, positional: list[Value], keywords: dict[str, Value]) -> Value:
        if is_tensor_class(name):
            first = positional[0] if positional else keywords.get("data")
            if name in TYPED:
                word = name.rpartition(".")[2].removesuffix("Tensor").lower()
                filled = len(positional) == 1 and first != SIZE and isinstance(first, (Items, Series, Tensor))
                ndim = dtypes.of_literal(first)[1] if first is not None and filled else sizes(positional)
                hints = {"double": WIDE, "byte": BYTES, "char": BYTES, "half": HALF}.get(word, 0)
                return Tensor(False, CASTS[word], ndim, hints)
            return Tensor(False, first.kinds, first.ndim, first.hints) if isinstance(first, Tensor) else TENSOR
        if name == "torch.Size":
            return SIZE
        if name == "torch.nn.Sequential":
            first = positional[0] if positional else BOTTOM
            if len(positional) != 1 or not isinstance(first, (Mapping, Series)):
                return self.sequential(positional)
            made = self.sequential([Series(first.element)])
            return replace(made, members=first) if isinstance(first, Mapping) else made
        if "return_indices" in keywords:
            return Instance(name, result=PLACED if keywords["return_indices"] == BOOL else UNKNOWN)
        if name in CONTAINER_MODULES:
            inner: Value = BOTTOM
            if positional:
                inner = element(positional[0])
            if name == "torch.nn.ParameterList":
                inner = TENSOR
            return Instance(name, inner)
        if name == "torch.nn.ModuleDict":
            given = positional[0] if positional else keywords.get("modules")
            return Instance(name, STR, members=given if isinstance(given, Mapping) else None)
        if name == "torch.nn.ParameterDict":
            first = positional[0] if positional else keywords.get("parameters", BOTTOM)
            held = first.element if isinstance(first, Mapping) else element(first)
            held = held.values[-1] if isinstance(held, Items) and held.values else held
            held = TENSOR if isinstance(held, (Tensor, Unknown, Bottom)) else join(TENSOR, held)
            return Instance(name, STR, members=Mapping(held, key=STR))
        if name == "torch.utils.data.DataLoader":
            dataset = positional[0] if positional else keywords.get("dataset", UNKNOWN)
            collate = keywords.get("collate_fn")
            if collate is not None and collate != NONE:
                return Instance(name, self.call(collate, [Series(self.item_of(dataset))], {}))
            if (positional[1] if len(positional) > 1 else keywords.get("batch_size")) == NONE:
                return Instance(name, converted(self.item_of(dataset)))
            return Instance(name, collated(self.item_of(dataset)))
        if name in {"torch.utils.data.TensorDataset", "torch.utils.data.Subset"}:
            return Instance(
                name,
                Items(tuple(TENSOR for _ in positional))
                if name.endswith("TensorDataset")
                else self.item_of(positional[0])
                if positional
                else None,
            )
        return Instance(name)

    def sequential(self, modules: list[Value]) -> Instance:
        """A Sequential of these modules, of which a series stands for any number: it gives what its last one does."""
        inner: Value = BOTTOM
        result: Value = BOTTOM
        for one in modules:
            inner = join(inner, element(one) if isinstance(one, Series) else one)
        for one in reversed(modules):
            last = element(one) if isinstance(one, Series) else one
            known = isinstance(last, (Instance, ObjectOf)) and last != Instance("torch.nn.Module")
            result = join(result, self.call(last, [TENSOR], {}) if known else TENSOR)
            if not isinstance(one, Series):
                break
        return Instance("torch.nn.Sequential", inner, result if modules else TENSOR, first=first_of(modules))

    def item_of(self, dataset: Value, index: Value = INT) -> Value:
        """What a dataset, or another object of the project's, gives for an index."""
        if isinstance(dataset, ObjectOf):
            method = self.project_attribute(dataset, "__getitem__")
            if isinstance(method, FunctionOf):
                return self.call_function(method, [index], {}, False)
            if is_dict(dataset.info):
                return either_way(UNKNOWN, self.values_in(dataset))
            if dataset.info.torch_base() in HOLDING_MODULES:
                return ANY_MODULE
        if isinstance(dataset, Instance) and dataset.element is not None:
            return dataset.element
        return UNKNOWN

    def call_method(
        self,
        callee: Method,
        positional: list[Value],
        keywords: dict[str, Value],
        node: ast.Call | None,
        starred: bool = False,
    ) -> Value:
        receiver = callee.receiver
        owner, _, name = callee.name.rpartition(".")
        if owner == "builtin":
            return self.call_builtin_method(receiver, name, positional, node)
        if owner == "torch.Tensor":
            known = entry(callee.name) or {}
            given = [receiver, *positional]
            if name in RERANKING:
                return reranked(self, receiver)
            if name in HOOKS and positional and isinstance(receiver, Tensor):
                self.call(positional[0], [Tensor(kinds=receiver.kinds & (FLOATING | COMPLEX), ndim=receiver.ndim)], {})
            if name == "tolist" and not getattr(receiver, "ndim", None):
                return Plain()  # a number, where there are no axes
            return tensor_result(callee.name, known, given, keywords)
        known = entry(owner) or {}
        if known.get("module") or owner == "torch.nn.Module":
            if name in MODULE_ITERATORS:
                own = name == "state_dict" and self.project.own_states
                return Mapping(UNKNOWN, key=STR) if own else MODULE_ITERATORS[name]
            if name in MODULE_SELF:
                return receiver
            if name in {"register_buffer", "register_parameter", "add_module", "register_module"} and isinstance(
                receiver, ObjectOf
            ):
                self.register(receiver, name, positional, keywords, node)
        if owner in {"torch.nn.ModuleDict", "torch.nn.ParameterDict"} and isinstance(receiver, Instance):
            member = receiver.members.element if receiver.members else Instance("torch.nn.Module")
            found = {"keys": STR, "values": member, "items": Items((STR, member))}.get(name)
            if found is not None:
                return Series(found, "iterator")
        if isinstance(receiver, Instance) and receiver.element is not None and name in FILLING and positional:
            added = element(positional[0]) if name == "extend" else positional[-1]
            made = replace(receiver, element=join(receiver.element, added))
            if node is not None and isinstance(node.func, ast.Attribute):
                self.altered(node.func.value, made)
            return made
        if owner == "torch.autograd.Function" and name == "apply" and isinstance(receiver, ClassOf):
            return self.applied(receiver, positional, starred)
        if name == "save_for_backward" and isinstance(receiver, ObjectOf):
            self.saved(receiver, positional, node if starred else None)
            return NONE
        if owner.endswith("GradScaler") and name == "scale" and positional:
            return positional[0]
        if name == "add_param_group" and node is not None:
            self.take_groups(node)
        if owner == "torch.Size" and name == "numel":
            return INT
        words = ((entry(base) or {}).get("methods", {}).get(name, "") for base in mro(owner))
        return value_of_word(next(filter(None, words), ""))

    def register(
        self, receiver: ObjectOf, name: str, positional: list[Value], keywords: dict[str, Value], node: ast.Call | None
    ) -> None:
        """``self.register_buffer("mask", ...)`` makes an attribute."""
        first = node.args[0] if node and node.args else None
        value = positional[1] if len(positional) > 1 else keywords.get("tensor", UNKNOWN)
        if name in {"register_buffer", "register_parameter"}:
            value = value if isinstance(value, (Tensor, Bottom)) else TENSOR
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            self.project.merge(receiver.info.cells[first.value], receiver.info.attributes, first.value, value)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                self.scope.pop(f"{path_of(node.func.value)}.{first.value}", None)
        elif first is not None and pattern(first):
            # Under a name of another attribute torch refuses it: without a beginning nothing is learnt, nor lost.
            self.store_anywhere(receiver, value, pattern(first))


def first_of(modules: list[Value]) -> ObjectOf | None:
    """The object of the project that a Sequential of these calls first; of a series, if all are of one class."""
    one = modules[0] if modules else None
    if isinstance(one, Instance):
        return one.first
    if isinstance(one, Series):
        return one.element if isinstance(one.element, ObjectOf) and one.element.exact else None
    return one if isinstance(one, ObjectOf) else None


def collated(item: Value) -> Value:
    """What default_collate makes of a batch of such items."""
    if isinstance(item, Items):
        return Items(tuple(map(collated, item.values)), "list")
    if isinstance(item, Mapping):
        return Mapping(collated(item.element), tuple((key, collated(value)) for key, value in item.known))
    if isinstance(item, Tensor) or (
        isinstance(item, Plain) and item.kind in {"int", "float", "bool", "number", "ndarray"}
    ):
        return TENSOR
    if item == STR:
        return Series(STR)
    # default_collate raises for what it cannot make tensors of, lists of texts apart.
    return ASSUMED if isinstance(item, Unknown) else item if isinstance(item, Bottom) else UNKNOWN


def converted(item: Value) -> Value:
    """What default_convert makes of an item, where nothing is batched: of arrays tensors, of tuples lists."""
    if isinstance(item, Items):
        return Items(tuple(map(converted, item.values)), "list")
    if isinstance(item, Mapping):
        return Mapping(converted(item.element), tuple((key, converted(value)) for key, value in item.known))
    return TENSOR if isinstance(item, Plain) and item.kind == "ndarray" else item


# The result of pooling that is asked for places, too. How many arguments come before that.
PLACED = Items((TENSOR, Tensor(kinds=INTEGRAL)))
MOST_OF_POOLING = {"max_pool": 6, "adaptive_max_pool": 2, "fractional_max_pool": 4}


def is_array_of_truths(node: ast.Call) -> bool:
    """``np.array(True)``, ``np.array([True, False])``."""
    first = node.args[0] if node.args and called_name(node) in {"array", "asarray", "full"} else None
    one = first.elts[0] if isinstance(first, (ast.List, ast.Tuple)) and first.elts else first
    return isinstance(one, ast.Constant) and isinstance(one.value, bool)


def tensor_result(name: str, known: dict[str, Any], given: list[Value], keywords: dict[str, Value]) -> Value:
    """What a function of tensors gives; given: the receiver first, for a method."""
    last = name.rpartition(".")[2]
    most = MOST_OF_POOLING.get(last.rstrip("123d")) if name.startswith("torch.nn.functional.") else None
    if most is not None:
        asked = keywords.get("return_indices")
        one: Value = PLACED if asked == BOOL else UNKNOWN if asked is not None or len(given) > most else TENSOR
        return dtypes.result(name, one, given, keywords) if one == TENSOR else one
    if last in ASKED_FOR:
        more = len(given) > ASKED_FOR[last] or any(word.startswith("return_") for word in keywords)
        return UNKNOWN if more else dtypes.result(name, TENSOR, given, keywords)
    return dtypes.result(name, result_of(known.get("result", ""), given, keywords), given, keywords)
