"""What a call gives, as far as sharing goes: something new, or what it was given; and what it keeps."""

from __future__ import annotations

import ast
from typing import TypeGuard

from rewriters.infer.either import ARRAYS, is_hint
from rewriters.infer.other_libraries import NAMESPACES
from rewriters.infer.values import (
    NUMPY,
    Bottom,
    ClassOf,
    External,
    FunctionOf,
    Instance,
    Items,
    Method,
    ObjectOf,
    Partial,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.places.arrays import METHODS_WRITING, OF_TENSORS, of_array, of_numpy
from rewriters.places.called import function_given, function_of
from rewriters.places.effect import Effect
from rewriters.places.index_parts import index_parts, surely_picks
from rewriters.places.several import aliased
from rewriters.places.sizes import NUMBERS, is_of_sizes
from rewriters.text.tree import is_true
from rewriters.torch.effects import Schema, effects_of, parameter_of
from rewriters.torch.table import entry, is_tensor_class

# Give the parts of a tensor, which do not overlap each other.
PARTS = {"split", "split_with_sizes", "chunk", "unbind", "tensor_split", "unsafe_split", "unsafe_chunk"}
PARTS |= {"hsplit", "vsplit", "dsplit", "unsafe_split_with_sizes"}
# Give what has one place in memory for many elements.
SPREADING = {"torch.broadcast_to", "torch.broadcast_tensors", "torch.meshgrid"}
SPREADING |= {f"torch.Tensor.{name}" for name in ("expand", "expand_as", "broadcast_to")}
# Change what is known of a tensor, and not its numbers.
ASKING = {"requires_grad_", "detach_", "retain_grad", "rename_"}
# Layers that hand on what they are given, or a view of it, in some mode or for some argument; or are not known.
HANDING_ON = {
    "Identity", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout", "Flatten",
    "Unflatten", "Sequential", "ModuleList", "ModuleDict", "Module", "PixelShuffle", "PixelUnshuffle",
    "ChannelShuffle", "Upsample", "UpsamplingNearest2d", "UpsamplingBilinear2d", "DataParallel",
}  # fmt: skip
# Classes of torch whose instances hold no tensors.
WITHOUT_TENSORS = {f"torch.{name}" for name in ("device", "dtype", "Size", "layout", "memory_format", "Generator")}
# Give the very tensor that they are given, where nothing is trained.
DROPPING = {"torch.nn.Dropout", "torch.nn.functional.dropout"}
# Only these of the modules may be told to change their input.
IN_PLACE = {
    "ReLU", "ReLU6", "LeakyReLU", "ELU", "CELU", "SELU", "SiLU", "Mish", "Hardtanh", "Hardswish", "Hardsigmoid",
    "RReLU", "Threshold", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout",
}  # fmt: skip
# Builtins that keep nothing of what they are given; the first give nothing of it back.
FORGETFUL = {
    "len", "print", "isinstance", "issubclass", "int", "float", "bool", "str", "repr", "id", "hasattr", "range",
    "type", "format", "callable", "hash", "any", "all", "round", "divmod", "abs", "pow", "ord", "chr", "dir", "delattr",
}  # fmt: skip
HANDING_BACK = {
    "list", "tuple", "set", "dict", "zip", "enumerate", "reversed", "sorted", "iter", "next", "max", "min", "sum",
    "filter", "frozenset", "dict.fromkeys",
}  # fmt: skip
# Methods of containers that put something into them, and how many arguments they take.
ADDING = {"append": 1, "add": 1, "insert": 2, "extend": 1, "appendleft": 1, "update": 1, "setdefault": 2}
FORGETFUL_LIBRARIES = {"math", "numpy", "time", "os", "logging", "einops", "warnings", "json", "sys", "copy"}
# Classes of which an object is what it was given.
NEW_IN_LIBRARIES, SHALLOW = {"copy.deepcopy"}, "copy.copy"
# What gives memory of its own where it is given several tensors.
JOINING = {"einops.pack"}
# Methods of tensors that objects of other libraries have, too; of arrays and texts, say.
LIBRARIES_TOO = {"numpy", "split", "reshape", "transpose", "squeeze", "view", "flatten", "ravel"}
NUMPY_OF = "torch.Tensor.numpy"
GIVING_ARRAYS = {NUMPY_OF, *OF_TENSORS}
ARRAY_MAKERS = {"torch.from_numpy", "torch.as_tensor", "torch.asarray", "torch.Tensor", "torch.FloatTensor"}
ARRAY_MAKERS |= GIVING_ARRAYS


# Its result may be what it was given: that others hold what it was given says so, too.
ANYTHING = Effect(new=False, keeps=True, outside=True)
# What it gives may be, or hold, all that it was called with.
MAKES_OBJECT = Effect(aliases=None, keeps=True, outside=True)
FORGETS = Effect()
HANDS_BACK = Effect(aliases=None)


def given(call: ast.Call, receiver: ast.expr | None) -> list[tuple[int | str, ast.expr]]:
    """What the call is given, by position (0 is a method's receiver) or keyword."""
    first: list[tuple[int | str, ast.expr]] = [] if receiver is None else [(0, receiver)]
    start = len(first)
    found = first + [
        (start + index, part.value if isinstance(part, ast.Starred) else part) for index, part in enumerate(call.args)
    ]
    return found + [(word.arg or "**", word.value) for word in call.keywords]


def effect_of_call(call: ast.Call) -> Effect | FunctionOf:
    """What is known of the callee; a function of the project is for the caller to look into."""
    callee: Value | None = getattr(call.func, "v", None)
    passed = function_given(call)
    if passed is not None:
        return passed
    if isinstance(callee, Ref):
        return of_torch(callee.name, call, None)
    if isinstance(callee, Method):
        if callee.name.startswith("builtin."):
            return of_container(callee.name.rpartition(".")[2])
        return of_torch(callee.name, call, receiver_of_method(call))
    if isinstance(callee, (FunctionOf, Partial)):
        return callee if isinstance(callee, FunctionOf) else callee.function
    if isinstance(callee, Instance):
        return of_layer(callee)
    if isinstance(callee, (ObjectOf, ClassOf)):
        return MAKES_OBJECT if isinstance(callee, ClassOf) else function_of(callee) or ANYTHING
    if isinstance(callee, External):
        if callee.name in NEW_IN_LIBRARIES:
            return FORGETS
        if callee.name.startswith("numpy."):
            return of_numpy(callee.name, call)
        if callee.name in JOINING and joins_several(call):
            return FORGETS
        if callee.name.split(".")[0] in FORGETFUL_LIBRARIES:
            shallow = callee.name == SHALLOW and any(map(is_tensor, call.args))
            return Effect(False, frozenset({0}), name=callee.name) if shallow else HANDS_BACK
        return MAKES_OBJECT if callee.name in NAMESPACES | {"functools.reduce"} else ANYTHING
    if isinstance(call.func, ast.Attribute) and is_array(getattr(call.func.value, "v", None)):
        return of_array(call)
    if isinstance(call.func, ast.Attribute) and gives_array(call.func.value):
        return of_array(call)
    if isinstance(callee, Plain) and callee.kind.startswith("builtin:"):
        name = callee.kind[8:]
        if name in {"getattr", "vars"}:  # what an object holds, others may hold too
            return Effect(aliases=None, outside=True)
        return FORGETS if name in FORGETFUL else HANDS_BACK if name in HANDING_BACK else ANYTHING
    if isinstance(call.func, ast.Attribute) and isinstance(getattr(call.func.value, "v", None), (Unknown, Bottom)):
        return of_unknown(call)
    return ANYTHING


def receiver_of_method(call: ast.Call) -> ast.expr:
    """Of a call of torch's method; ``add = x.add_``: what a name holds is x."""
    return call.func.value if isinstance(call.func, ast.Attribute) else call.func


def is_flat_already(call: ast.Call, name: str) -> bool:
    """``x.flatten()``, ``x.reshape(-1)`` of what has one axis: x itself."""
    if name.rpartition(".")[2] not in {"flatten", "ravel", "reshape"}:
        return False
    of = receiver_of_method(call) if name.startswith("torch.Tensor.") else next(iter(call.args), call)
    value = getattr(of, "v", None)
    return isinstance(value, Tensor) and value.ndim == 1


def of_unknown(call: ast.Call) -> Effect:
    """A method of what may be a tensor: what a tensor's would change or hand on, and else anything."""
    assert isinstance(call.func, ast.Attribute)
    name = call.func.attr
    if gives_array(call):
        return Effect(False, frozenset({0}), False, frozenset(), True, True, NUMPY_OF)
    schema = effects_of(f"torch.Tensor.{name}")
    known = name in LIBRARIES_TOO and not splits_tensor(call) and not is_hint(getattr(call.func.value, "v", NUMPY))
    if schema is None or known or not (schema.writes or schema.aliases):
        return ANYTHING
    writes = frozenset({0} if schema.writes else ())
    return Effect(False, frozenset({0}), name in PARTS, writes, True, True, f"torch.Tensor.{name}")


def joins_several(call: ast.Call) -> bool:
    """``pack([a, b], "b * d")``: of one tensor it is a view."""
    parts = call.args[0].elts if call.args and isinstance(call.args[0], (ast.List, ast.Tuple)) else []
    return len(parts) > 1 and not any(isinstance(part, ast.Starred) for part in parts)


def splits_tensor(call: ast.Call) -> bool:
    """``x.split(2)``, ``x.split([1, 2], dim=1)``: no text is split so."""
    if getattr(call.func, "attr", "") != "split" or not call.args:
        return False
    first = getattr(call.args[0], "v", None)
    sizes = isinstance(call.args[0], (ast.List, ast.Tuple)) or (isinstance(first, Plain) and first.kind == "int")
    return sizes or any(word.arg == "dim" for word in call.keywords)


def of_layer(layer: Instance) -> Effect:
    """Calling one of torch's modules: what it is given is not kept."""
    name = layer.name.rpartition(".")[2]
    if not layer.name.startswith("torch.nn.") or name in {"Module", "Sequential", "ModuleList", "DataParallel"}:
        return Effect(aliases=None, outside=True)
    if layer.name in DROPPING:
        return Effect(aliases=None, name=layer.name)
    return HANDS_BACK if name in HANDING_ON or name in IN_PLACE else FORGETS


def of_torch(name: str, call: ast.Call, receiver: ast.expr | None) -> Effect:
    """A function of torch's, or a method of its objects."""
    known = entry(name) or {}
    if known.get("kind") == "class":
        if is_tensor_class(name):
            return Effect(name=name) if is_of_sizes(call) or is_of_list(call) else Effect(aliases=None, name=name)
        return Effect(aliases=None, keeps=True)  # of a layer the call hands on, not what makes it
    if name in {"torch.as_tensor", "torch.asarray"} and is_of_list(call):
        return Effect(name=name)
    if name in COLLECTIVES and not any(word.arg == "async_op" for word in call.keywords):
        return Effect(writes=frozenset({0}), name=name)
    schema = effects_of(name)
    if schema is None:
        method_of_module = name.startswith("torch.nn.") and known.get("kind") != "function"
        return Effect(aliases=None, keeps=True, outside=True, name=name) if method_of_module else ANYTHING
    if name in COPYING and any(word.arg == "copy" and is_true(word.value) for word in call.keywords):
        return Effect(name=name)
    parts = given(call, receiver)
    writes = {place for place, _ in parts if parameter_of(name, place) in schema.writes}
    aliases = aliased(name, schema, parts)
    if schema.inplace is not None and asks_in_place(call, name):
        writes |= {place for place, _ in parts if parameter_of(name, place) in schema.inplace}
        aliases |= writes
    if name.rpartition(".")[2] in ASKING:
        writes = set()  # its numbers stay
    if any(word.arg == "out" for word in call.keywords):
        writes.add("out")
        aliases |= {"out"}
    last = name.rpartition(".")[2]
    return Effect(is_new(schema), aliases, last in PARTS, frozenset(writes), False, False, name)


def is_of_list(call: ast.Call) -> bool:
    """``torch.as_tensor([1, 2])``: lists hold numbers and tensors, which are copied."""
    return isinstance(getattr(call.args[0], "v", None) if call.args else None, (Items, Series))


def is_new(schema: Schema) -> bool:
    return "always" not in schema.aliases.values()


def of_container(name: str) -> Effect:
    """A method of a list, a dict, a text: what is put in is the walker's to note."""
    return HANDS_BACK if name not in {"index", "count", "sort", "reverse", "clear", "join", "format"} else FORGETS


# What changes the tensor that it is given, and is done with it.
COLLECTIVES = {f"torch.distributed.{name}" for name in ("all_reduce", "broadcast", "reduce")}
# What copies where it is told to.
COPYING = {"torch.Tensor.to", "torch.asarray"}
# What torch gives as it is, unless it has to be made otherwise: where a target copies more often, that is seen.
AT_TIMES = {"torch.as_tensor", "torch.asarray", "torch.Tensor.contiguous", "torch.einsum"}


def shares(name: str) -> bool:
    """Whether torch's function, or layer, gives what shares memory, not only in odd cases."""
    schema = effects_of(name)
    if is_tensor_class(name) or name in OF_TENSORS or name in DROPPING or name == SHALLOW:
        return True
    return schema is not None and (not is_new(schema) or name in AT_TIMES)


def is_of_array(effect: Effect | FunctionOf) -> bool:
    """Whether a call makes a tensor of an array, or an array of a tensor."""
    return isinstance(effect, Effect) and effect.name in ARRAY_MAKERS


def drops(effect: Effect | FunctionOf) -> bool:
    """Whether it is one of dropout."""
    return isinstance(effect, Effect) and effect.name in DROPPING


def may_hold_tensors(value: Value | None) -> bool:
    """Whether a value is, or holds, tensors; numbers and texts do not, nor devices, dtypes and torch's functions."""
    if isinstance(value, Instance):
        return value.name not in WITHOUT_TENSORS
    if isinstance(value, Ref):
        return False
    return not (isinstance(value, Plain) and value.kind in {*NUMBERS, "str", "None", "bytes"})


def is_array(value: object) -> bool:
    """Whether it is one of numpy's."""
    return value in ARRAYS


def gives_array(node: ast.AST) -> TypeGuard[ast.Call]:
    """``x.numpy()`` of what is not known."""
    if not isinstance(node, ast.Call) or node.args or node.keywords or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr == "numpy" and isinstance(getattr(node.func.value, "v", None), (Unknown, Bottom))


def is_tensor(node: ast.AST) -> bool:
    return isinstance(getattr(node, "v", None), Tensor)


def picks(node: ast.Subscript) -> bool:
    """Whether elements are picked into memory of their own: ``x[[0, 2]]``, ``a[mask]``."""
    parts = index_parts(node.slice)
    if any(isinstance(part, (Items, Series)) and part.kind != "tuple" for part in parts):
        return True
    known = is_tensor(node.value) or is_array(getattr(node.value, "v", None))
    return known and any(map(surely_picks, parts))


def adds_to_container(call: ast.Call) -> bool:
    """Whether a method is called that puts what it is given into a list, a set or a dict, as those take it."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ADDING or is_tensor(call.func.value):
        return False
    name = call.func.attr
    if len(call.args) > ADDING[name] or (call.keywords and name != "update"):
        return False
    values = [getattr(part, "v", None) for part in call.args]
    return name not in ("add", "update") or not any(map(is_array, values))  # an array is in no set, and no dict


def is_data(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """``x.data`` of a tensor."""
    return isinstance(node, ast.Attribute) and node.attr == "data" and is_tensor(node.value)


def may_be_stored_into(node: ast.expr) -> bool:
    """Whether ``x[i] = y`` may change a tensor or an array."""
    value = getattr(node, "v", None)
    return isinstance(value, (Tensor, Unknown)) or is_array(value)


def may_write_array(node: ast.Call) -> bool:
    """``a.sort()`` of what is not known, and may be an array."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in METHODS_WRITING:
        return False
    return isinstance(getattr(node.func.value, "v", None), (Unknown, Bottom))


def is_weighted(node: ast.Call) -> bool:
    """Whether it calls a layer with weights, through which a gradient flows."""
    value = getattr(node.func, "v", None)
    return isinstance(value, Instance) and "weight" in (entry(value.name) or {}).get("attributes", {})


def asks_for_grad(node: ast.Call) -> bool:
    """``requires_grad=True``, or an nn.Parameter."""
    words = (word.value for word in node.keywords if word.arg == "requires_grad")
    value = getattr(node.func, "v", None)
    parameter = isinstance(value, Ref) and value.name == "torch.nn.Parameter"
    return parameter or any(not (isinstance(word, ast.Constant) and not word.value) for word in words)


def turns_on(node: ast.Call) -> bool:
    """``x.requires_grad_()``"""
    given = [*node.args, *(word.value for word in node.keywords)]
    off = bool(given) and getattr(given[0], "value", True) is False
    return isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_" and not off


def may_be_in_place(call: ast.Call) -> bool:
    """Whether a layer is called that may have been told to change its input."""
    value = getattr(call.func, "v", None)
    return isinstance(value, Instance) and value.name.removeprefix("torch.nn.") in IN_PLACE


def asks_in_place(call: ast.Call, key: str, surely: bool = False) -> bool:
    """Whether a layer's ``inplace`` is given and not certainly false; surely: and is certainly true."""
    given = next((word.value for word in call.keywords if word.arg == "inplace"), None)
    if given is None:
        names = [word.partition("=")[0] for word in (entry(key) or {}).get("parameters", [])]
        place = names.index("inplace") if "inplace" in names else len(call.args)
        given = call.args[place] if place < len(call.args) else None
    return bool(given.value) if isinstance(given, ast.Constant) else given is not None and not surely


def attribute_set(call: ast.Call) -> ast.Attribute | None:
    """``x.name``, which ``setattr(x, "name", y)`` stores to; None where that is not what is called."""
    if not (isinstance(call.func, ast.Name) and call.func.id == "setattr" and len(call.args) == 3):
        return None
    word = call.args[1]
    if not (isinstance(word, ast.Constant) and isinstance(word.value, str)):
        return None
    return ast.copy_location(ast.Attribute(call.args[0], word.value, ast.Store()), call)
