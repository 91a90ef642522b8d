"""Calls of Python's builtins, of containers' methods, and of other libraries."""

from __future__ import annotations

import ast

from rewriters.infer.arithmetic import binary
from rewriters.infer.attributes import hands_on
from rewriters.infer.builtin_names import BUILTIN_RESULTS
from rewriters.infer.computed_names import pattern
from rewriters.infer.computed_stores import ComputedStores
from rewriters.infer.filling import ADDING
from rewriters.infer.joining import either_way, element, gives_tensor, join, joined
from rewriters.infer.keepers import HEAPS, handed_out
from rewriters.infer.other_libraries import (
    ARRAYS,
    BY_ELEMENT,
    ENVIRONMENTS,
    HANDS_ON,
    NAMESPACES,
    OF_A_TENSOR,
    OF_TENSORS,
    PASS_THROUGH,
    PATHS,
    is_tensorless,
    makes_an_object,
)
from rewriters.infer.values import (
    BOOL,
    BOTTOM,
    COMPUTED,
    FLOAT,
    HELD,
    INT,
    MAYBE,
    NONE,
    NUMBER,
    NUMPY,
    OBJECT,
    OPAQUE,
    STR,
    UNKNOWN,
    Bottom,
    ClassOf,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Partial,
    Plain,
    Series,
    Tensor,
    Unknown,
    Value,
)


class Libraries(ComputedStores):
    """Calls of what is neither torch's nor the project's."""

    def call_builtin(
        self,
        name: str,
        positional: list[Value],
        keywords: dict[str, Value],
        node: ast.Call | None,
        starred: bool = False,
    ) -> Value:
        first = positional[0] if positional else UNKNOWN
        self.stored_by(name, positional, node)
        if name in BUILTIN_RESULTS:
            return BUILTIN_RESULTS[name]
        if name == "range":
            return Series(INT, "range")
        if name == "enumerate":
            return Series(Items((INT, self.iterated(first))), "iterator")
        if name == "zip":
            inside: Value = Items(tuple(self.iterated(value) for value in positional))
            return Series(Series(UNKNOWN, "tuple") if starred else inside, "iterator")
        if name in {"list", "tuple", "sorted", "reversed", "set", "iter", "frozenset"}:
            if isinstance(first, Items) and name in {"list", "tuple"}:
                return Items(first.values, name)
            if starred or (name == "iter" and len(positional) > 1):
                return Series(UNKNOWN if starred else self.call(first, [], {}), "iterator")
            if name == "reversed" and isinstance(first, Tensor):
                return first
            kind = {"sorted": "list", "reversed": "iterator", "iter": "iterator"}.get(name, name)
            return Series(self.iterated(first) if positional else BOTTOM, kind)
        if name == "next":
            step = self.project_attribute(first, "__next__") if isinstance(first, ObjectOf) else None
            each = self.call(step, [], {}) if isinstance(step, FunctionOf) else element(first)
            return join(each, positional[1]) if len(positional) > 1 else each
        if name in {"max", "min"}:
            found: Value = element(first) if len(positional) == 1 else keywords.get("default", BOTTOM)
            for value in positional if len(positional) > 1 else ():
                found = join(found, value)
            return UNKNOWN if starred else found
        if name == "sum":
            start = positional[1] if len(positional) > 1 else keywords.get("start", INT)
            each = self.iterated(first)
            if isinstance(each, Tensor) and isinstance(start, (Tensor, Plain)):
                return binary(start, each, ast.Add())
            if isinstance(each, Bottom) and not isinstance(first, Items):
                return BOTTOM
            return join(each, start) if isinstance(each, (Plain, Bottom)) else UNKNOWN
        if name == "round":
            return INT if len(positional) == 1 and first in (INT, FLOAT, BOOL) else first
        if name == "abs":
            return first if isinstance(first, (Tensor, Plain, Bottom)) and first != BOOL else UNKNOWN
        if name == "pow":
            other = positional[1] if len(positional) > 1 else UNKNOWN
            if BOTTOM in (first, other):
                return BOTTOM
            tensor = next((value for value in (first, other) if isinstance(value, Tensor)), None)
            return Tensor(tensor.assumed) if tensor is not None else NUMBER if {first, other} <= NUMBERS else UNKNOWN
        if name == "divmod":
            return UNKNOWN
        if name == "dict":
            return Mapping(UNKNOWN) if starred else dict_of(positional, keywords)
        if name == "dict.fromkeys" and positional and not starred:
            return Mapping(positional[1] if len(positional) > 1 else NONE, key=element(first))
        if name == "super":
            return Instance("super") if self.owner is None else self.super_value()
        if name == "getattr" and node is not None and len(node.args) > 1:
            word = node.args[1]
            if not (isinstance(word, ast.Constant) and isinstance(word.value, str)):
                return either_way(self.any_attribute(first, pattern(word)), *filter(gives_tensor, positional[2:]))
            value = self.attribute(first, word.value)
            return join(value, positional[2]) if len(positional) > 2 else UNKNOWN if starred else value
        if name == "type" and len(positional) == 1:
            return ClassOf(first.info) if isinstance(first, ObjectOf) and first.exact else UNKNOWN
        if name == "map" and len(positional) > 1:
            return Series(self.call(first, [element(value) for value in positional[1:]], {}, None, starred), "iterator")
        if name == "filter" and len(positional) > 1:
            self.call(first, [element(positional[1])], {})
            return Series(element(positional[1]), "iterator")
        return UNKNOWN

    def call_builtin_method(self, receiver: Value, name: str, positional: list[Value], node: ast.Call | None) -> Value:
        target = node.func.value if node is not None and isinstance(node.func, ast.Attribute) else None
        if isinstance(receiver, Mapping):
            return self.call_mapping_method(receiver, name, positional, target)
        if isinstance(receiver, (Items, Series)):
            if name in ADDING and positional:
                value = positional[-1] if name not in EXTENDING else element(positional[0])
                if target is not None:
                    inner = element(receiver) if not isinstance(receiver, Items) or receiver.values else BOTTOM
                    self.altered(target, Series(join(inner, value), receiver.kind))
                return NONE
            if name in {"clear", "sort", "reverse", "remove", "discard"}:
                if target is not None and isinstance(receiver, Items):
                    self.altered(target, Series(element(receiver), receiver.kind))
                return NONE
            if name in {"pop", "popleft", "__next__"}:
                if target is not None and isinstance(receiver, Items):
                    self.altered(target, Series(element(receiver), receiver.kind))
                return element(receiver)
            if name in {"intersection", "difference"}:
                return receiver
            return receiver if name == "copy" else INT if name in {"index", "count"} else UNKNOWN
        if isinstance(receiver, Plain) and receiver.kind in {"str", "bytes"}:
            return text_method(receiver, name)
        return RESULTS.get(name, OBJECT) if isinstance(receiver, Plain) else UNKNOWN

    def call_mapping_method(
        self, receiver: Mapping, name: str, positional: list[Value], target: ast.expr | None
    ) -> Value:
        if name == "items":
            return Series(Items((receiver.key, receiver.element)), "iterator")
        if name == "popitem":
            return Items((receiver.key, receiver.element))
        if name == "values":
            return Series(receiver.element, "iterator")
        if name in {"get", "pop"}:
            return receiver.element if len(positional) < 2 else join(receiver.element, positional[1])
        if name == "setdefault":
            given = positional[1] if len(positional) > 1 else NONE
            new = Mapping(join(receiver.element, given), key=join(receiver.key, positional[0] if positional else STR))
            if target is not None:
                self.altered(target, new)
            return new.element
        if name == "keys":
            return Series(receiver.key, "iterator")
        if name == "update" and target is not None:
            other = positional[0] if positional else UNKNOWN
            inner = other.element if isinstance(other, Mapping) else UNKNOWN
            key = other.key if isinstance(other, Mapping) else UNKNOWN
            self.altered(target, Mapping(join(receiver.element, inner), key=join(receiver.key, key)))
            return NONE
        return receiver if name == "copy" else NONE if name == "clear" else UNKNOWN

    def call_collection(self, name: str, positional: list[Value], keywords: dict[str, Value], starred: bool) -> Value:
        """One of the standard library's containers, or one value again and again."""
        if name == "collections.deque" and not starred:
            return Series(element(positional[0]) if positional else BOTTOM, "deque")
        if name == "itertools.repeat" and positional and not starred:
            return Series(positional[0], "iterator")
        if name == "collections.ChainMap" and not starred and all(isinstance(one, Mapping) for one in positional):
            return joined((Mapping(BOTTOM, key=BOTTOM), *positional))
        if name in DICTS and not starred:
            return self.call_builtin("dict", positional, keywords, None)
        if name not in {"collections.OrderedDict", "collections.defaultdict"}:
            return handed_out(name, [*positional, *keywords.values()])
        inner = positional[0] if positional and name.endswith("OrderedDict") else None
        pairs = element(inner) if inner is not None else BOTTOM
        if isinstance(inner, Mapping):
            return inner
        if isinstance(pairs, Items) and len(pairs.values) == 2:
            return Mapping(pairs.values[1], key=pairs.values[0])
        if inner is None and not keywords and (not positional or name.endswith("defaultdict")):
            made = self.call(positional[0], [], {}) if positional else BOTTOM
            return Mapping(made if not isinstance(made, Unknown) else UNKNOWN, key=BOTTOM)
        if not positional and not starred and name.endswith("OrderedDict"):
            return self.call_builtin("dict", [], keywords, None)
        return Mapping(UNKNOWN)

    def call_heap(self, name: str, positional: list[Value], node: ast.Call | None) -> Value:
        """``heapq.heappush(heap, x)`` is an append, as far as what the list holds goes."""
        puts, gives = HEAPS[name]
        heap = positional[0] if positional else UNKNOWN
        if not isinstance(heap, (Items, Series)):
            return MAYBE if gives else NONE
        inner = element(heap) if not isinstance(heap, Items) or heap.values else BOTTOM
        if puts:
            inner = join(inner, positional[1] if len(positional) > 1 else UNKNOWN)
        if node is not None and node.args:
            self.altered(node.args[0], Series(inner, heap.kind))
        is_open = isinstance(inner, Unknown) or (isinstance(inner, Bottom) and not self.project.is_open())
        return NONE if not gives else MAYBE if is_open else inner  # other files may have put tensors in

    def call_external(
        self, name: str, positional: list[Value], keywords: dict[str, Value], starred: bool = False
    ) -> Value:
        if name in HANDING:
            return handed(name, positional[0] if positional else UNKNOWN)
        root = name.split(".")[0]
        if root == "math":
            last = name.rpartition(".")[2]
            if last in {"prod", "sumprod"}:
                return UNKNOWN
            if last in {"frexp", "modf"}:
                return OBJECT
            return (
                INT
                if last in {"floor", "ceil", "trunc", "gcd", "lcm", "comb", "perm", "factorial", "isqrt"}
                else (BOOL if last.startswith("is") else FLOAT)
            )
        if name in PATHS:
            return STR
        if name in NAMESPACES and not starred:
            for word, value in keywords.items():
                self.project.merge(self.project.stray_cell(word), self.project.stray, word, value)
            return OBJECT
        if name == "tyro.cli" and positional and isinstance(positional[0], ClassOf):
            return ObjectOf(positional[0].info)  # the class's fields, read from the command line
        if name.startswith("collections.") or name in COLLECTIONS:
            return self.call_collection(name, positional, keywords, starred)
        if name in CHAINS:
            parts = positional if name == "itertools.chain" else positional[:1]
            parts = [self.iterated(part) for part in parts] if name.endswith("iterable") else parts
            each: Value = UNKNOWN if starred else BOTTOM
            for part in parts:
                each = join(each, self.iterated(part))
            return Series(each, "iterator")
        if name in PAIRINGS and not starred:
            each = self.iterated(positional[0]) if positional else UNKNOWN
            if name == "itertools.pairwise":
                return Series(Items((each, each)), "iterator")
            if name in {"itertools.combinations", "itertools.permutations"}:
                return Series(Series(each, "tuple"), "iterator")
            if "repeat" not in keywords:
                return Series(Items(tuple(self.iterated(value) for value in positional)), "iterator")
        if name == "functools.partial" and positional and isinstance(positional[0], FunctionOf) and not starred:
            return Partial(positional[0], tuple(positional[1:]), tuple(keywords.items()))
        if name == "functools.partial" and positional and isinstance(positional[0], (FunctionOf, ClassOf)):
            # Whoever calls what comes out gives the rest.
            self.call(positional[0], positional[1:], keywords, starred=True)
            return UNKNOWN
        if name == "functools.reduce" and len(positional) > 1 and not starred:
            each = self.iterated(positional[1])
            so_far = positional[2] if len(positional) > 2 else each
            so_far = join(so_far, self.call(positional[0], [so_far, each], {}))
            return join(so_far, self.call(positional[0], [so_far, each], {}))
        if makes_an_object(name):
            return OPAQUE
        given = [*positional, *keywords.values()]
        if root in HANDS_ON:
            return handed_out(name, given)
        if root == "numpy" and (elementwise := by_element(name, given, "out" in keywords)) is not None:
            return elementwise
        if name in ARRAYS and (keywords.get("dtype") == OF_OBJECTS or NONE in map(element, positional[:1])):
            return HELD
        of_objects = "dtype" in keywords and hands_on(positional)  # an array may hold anything
        if name in ENVIRONMENTS or (name in ARRAYS and not of_objects):
            return NUMPY
        if not is_tensorless(name) or (hands_on(given) and root not in SILENT):
            return COMPUTED if root == "numpy" else UNKNOWN
        return NUMPY if root == "numpy" else Plain(name)


def by_element(name: str, given: list[Value], has_place: bool) -> Value | None:
    """What a function of numpy's gives that works by the elements, or makes a tensor of a tensor; None for others."""
    if name in OF_A_TENSOR and not has_place and any(isinstance(one, Tensor) and not one.assumed for one in given):
        return Tensor()
    if name not in BY_ELEMENT:
        return None
    return COMPUTED if any(isinstance(value, (Tensor, Unknown, ObjectOf)) for value in given) else NUMPY


EXTENDING = {"extend", "extendleft", "update"}
NUMBERS = {INT, FLOAT, BOOL, NUMBER}
DICTS = {"collections.UserDict", "weakref.WeakValueDictionary", "weakref.WeakKeyDictionary"}
COLLECTIONS = DICTS | {"itertools.repeat"}
# The dtype of arrays that hold anything.
OF_OBJECTS = Plain("builtin:object")
CHAINS = {"itertools.chain", "itertools.chain.from_iterable", "itertools.islice", "itertools.cycle"}
PAIRINGS = {f"itertools.{word}" for word in ("pairwise", "combinations", "permutations", "zip_longest", "product")}
# What draws from a sequence: one, or a list of some.
DRAWN = {"random.choice", "random.sample", "random.choices"}
HANDING = PASS_THROUGH | OF_TENSORS | DRAWN
# Libraries whose functions give nothing of what they are given.
SILENT = {"os", "logging", "json", "time", "re", "sys", "pathlib", "glob", "shutil", "warnings", "math"}
RESULTS: dict[str, Value] = {
    "bit_length": INT, "is_integer": BOOL, "hex": STR, "conjugate": NUMBER, "as_integer_ratio": Items((INT, INT)),
}  # fmt: skip
COUNTED = {"index", "find", "count", "rindex", "rfind"}


def handed(name: str, first: Value) -> Value:
    """What a function gives of its first argument, or of what that holds."""
    if name in DRAWN:
        return element(first) if name == "random.choice" else Series(element(first))
    if name in PASS_THROUGH:
        return first
    tensor = element(first) if isinstance(first, (Items, Series)) else first
    return Tensor(kinds=tensor.kinds) if isinstance(tensor, Tensor) else tensor


def text_method(receiver: Plain, name: str) -> Value:
    """What a method of str or bytes gives."""
    if name in {"split", "rsplit", "splitlines"}:
        return Series(receiver)
    if name in {"partition", "rpartition"}:
        return Items((receiver, receiver, receiver))
    if name.startswith("is") or name in {"startswith", "endswith"}:
        return BOOL
    if name in COUNTED:
        return INT
    if name in {"encode", "decode"}:
        return Plain("bytes") if name == "encode" else STR
    return OBJECT if name == "maketrans" else STR if name == "hex" else receiver


def dict_of(positional: list[Value], keywords: dict[str, Value]) -> Mapping:
    """``dict(x, a=1)``."""
    first = positional[0] if positional else BOTTOM
    is_open = isinstance(first, Bottom)
    inner: Value = first.element if isinstance(first, Mapping) else BOTTOM if is_open else UNKNOWN
    key: Value = first.key if isinstance(first, Mapping) else BOTTOM if is_open else UNKNOWN
    for value in keywords.values():
        inner, key = join(inner, value), join(key, STR)
    pairs = element(first) if positional else BOTTOM
    if isinstance(pairs, Items) and len(pairs.values) == 2 and not keywords:
        return Mapping(pairs.values[1], key=pairs.values[0])
    own = first.known if isinstance(first, Mapping) else ()
    kept = tuple(keywords.items()) if not positional else own if not keywords else ()
    return Mapping(inner, kept, key)
