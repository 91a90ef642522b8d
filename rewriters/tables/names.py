"""Makes ``names.json``, the table of torch's public names, from the installed torch.

    python -m rewriters.tables.names      (with expecttest and tensorboard beside torch)

The converter reads the table, so that it need not import torch.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import torch

import rewriters.torch
from rewriters.storing import replace_text
from rewriters.tables.standing import Gathered, documented, imported_modules, listed, private

# Results that neither schemas nor annotations tell.
RESULTS = {
    "torch.from_numpy": "Tensor", "torch.asarray": "Tensor", "torch.frombuffer": "Tensor",
    "torch.from_dlpack": "Tensor",
    "torch.is_tensor": "bool", "torch.get_default_dtype": "dtype", "torch.get_num_threads": "int",
    "torch.spmm": "Tensor", "torch.sparse.sampled_addmm": "Tensor", "torch.sparse.spdiags": "Tensor",
    "torch.sparse.spsolve": "Tensor",
    "torch.Tensor.nelement": "int", "torch.Tensor.ndimension": "int", "torch.Tensor.data_ptr": "int",
    "torch.cuda.is_available": "bool", "torch.cuda.device_count": "int", "torch.broadcast_shapes": "Size",
    "torch.nn.utils.rnn.pack_padded_sequence": "torch.nn.utils.rnn.PackedSequence",
    "torch.nn.utils.rnn.pack_sequence": "torch.nn.utils.rnn.PackedSequence",
}  # fmt: skip

# What schemas and annotations do not say: how a Module's call answers where it is not one tensor.
FORWARD = {
    "torch.nn.RNN": "(Tensor, Tensor)",
    "torch.nn.GRU": "(Tensor, Tensor)",
    "torch.nn.LSTM": "(Tensor, (Tensor, Tensor))",
    "torch.nn.LSTMCell": "(Tensor, Tensor)",
    "torch.nn.MultiheadAttention": "(Tensor, Tensor)",
    "torch.nn.AdaptiveLogSoftmaxWithLoss": "(Tensor, Tensor)",
}


def type_word(annotation: Any) -> str:
    """The result type in the table's words: Tensor, int, float, bool, str, None, [T], (T, T), or ""."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", None) or str(annotation)
    if not isinstance(annotation, str) and "[" in str(annotation):
        text = str(annotation)
    text = text.replace("torch.", "").replace("typing.", "").strip()
    simple = {"Tensor", "int", "float", "bool", "str", "None", "Size", "dtype", "device"}
    if text in simple:
        return text
    if text in {"number", "Scalar", "SymInt"}:
        return "float" if text != "SymInt" else "int"
    lowered = text.lower()
    if lowered.startswith(("list[", "sequence[")) and text.endswith("]"):
        inner = type_word(text[text.index("[") + 1 : -1])
        return f"[{inner}]" if inner else ""
    if lowered.startswith("tuple[") and text.endswith("]"):
        inside = text[text.index("[") + 1 : -1]
        if inside.endswith(", ..."):
            inner = type_word(inside[:-5])
            return f"[{inner}]" if inner else ""
        if "[" in inside:
            return ""
        parts = [type_word(part) for part in inside.split(",")]
        return f"({', '.join(parts)})" if all(parts) else ""
    return ""


def schema_type(kind: str) -> str:
    """A schema's type in the table's words."""
    kind = kind.removesuffix("?")
    if kind == "Tensor":
        return "Tensor"
    if kind in {"List[Tensor]", "Tensor[]"}:
        return "[Tensor]"
    return {"int": "int", "float": "float", "bool": "bool", "number": "float", "str": "str", "Scalar": "float"}.get(
        kind, ""
    )


def schemas() -> dict[str, list[Any]]:
    """aten name without overload -> its schemas."""
    found: dict[str, list[Any]] = {}
    for schema in torch._C._jit_get_all_schemas():
        namespace, _, name = schema.name.partition("::")
        writes_out = any(argument.is_out for argument in schema.arguments)
        if namespace == "aten" and not writes_out and "dimname" not in schema.overload_name.lower():
            found.setdefault(name, []).append(schema)
    # Those of numbers and texts alone are TorchScript's own.
    return {name: [one for one in several if of_tensors(one)] or several for name, several in found.items()}


def of_tensors(schema: Any) -> bool:
    """Whether an overload takes a tensor, or gives one."""
    return any("Tensor" in str(value.type) for value in (*schema.arguments, *schema.returns))


SCHEMAS = schemas()


def result_of_schema(schema: Any) -> str:
    """The result of one overload."""
    words = [
        "dtype" if str(result.real_type) == "ScalarType" else schema_type(str(result.type))  # whose type is int
        for result in schema.returns
    ]
    if not all(words):
        return ""
    if len(words) == 1:
        return words[0]
    return f"({', '.join(words)})" if words else "None"


def overloads(name: str) -> str | list[list[Any]]:
    """The result type when all overloads agree, else [[parameter types by name, result], ...]; "" when unknown."""
    candidates = SCHEMAS.get(name, [])
    results = {result_of_schema(schema) for schema in candidates}
    if len(results) == 1:
        return results.pop()
    return [
        [[[argument.name, str(argument.type), argument.has_default_value()] for argument in schema.arguments], result]
        for schema in candidates
        if (result := result_of_schema(schema))
    ]


STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def parameters(obj: Any) -> list[str] | None:
    """Parameters as text (``dim=0``, ``*size``), or None when the object does not tell."""
    try:
        signature = inspect.signature(obj)
    except (ValueError, TypeError):
        return None
    words: list[str] = []
    seen_keyword_only = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not seen_keyword_only:
            seen_keyword_only = True
            if not any(word.startswith("*") for word in words):
                words.append("*")
        star = STARS.get(parameter.kind, "")
        seen_keyword_only |= star == "*"
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        # An object's address differs from run to run.
        short = len(default) < 60 and " at 0x" not in default
        words.append(f"{star}{parameter.name}{default if short else '=...'}")
    return words


def schema_parameters(name: str) -> list[str] | None:
    """Parameters of a builtin, from its longest schema."""
    if name not in SCHEMAS:
        return None
    schema = max(SCHEMAS[name], key=lambda candidate: len(candidate.arguments))
    return [a.name + (f"={a.default_value!r}" if a.has_default_value() else "") for a in schema.arguments]


def annotated_result(obj: Any) -> str:
    try:
        return type_word(inspect.signature(obj).return_annotation)
    except (ValueError, TypeError):
        return ""


def describe_function(name: str, obj: Any) -> dict[str, Any]:
    last = name.rpartition(".")[2]
    aten = last
    for module, prefix in (("torch.linalg.", "linalg_"), ("torch.fft.", "fft_"), ("torch.special.", "special_")):
        if name.startswith(module):
            aten = last if last.startswith(prefix) else prefix + last
    result: Any = annotated_result(obj)
    if not result and name.split(".")[:2] != ["torch", "distributed"]:
        result = overloads(aten)
    if not result and name.startswith("torch.nn.functional."):
        result = "Tensor"
    entry: dict[str, Any] = {"kind": "function"}
    words = parameters(obj)
    if words is None or words in (["*args", "**kwargs"], ["input", "*args", "**kwargs"]):
        words = schema_parameters(aten) or words
    if words is not None:
        entry["parameters"] = words
    if result:
        entry["result"] = result
    return entry


def describe_class(obj: type, canonical: dict[int, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "kind": "class",
        "bases": [canonical[id(b)] for b in obj.__mro__[1:] if id(b) in canonical],
    }
    words = parameters(obj)
    if words is not None:
        entry["parameters"] = words
    attributes = {}
    for klass in reversed(obj.__mro__):
        annotations = inspect.get_annotations(klass)
        for attribute, annotation in annotations.items():
            word = type_word(annotation)
            if word and not attribute.startswith("_"):
                attributes[attribute] = word
    if issubclass(obj, torch.nn.Module):
        entry["module"] = True
    methods = {}
    if (obj is not torch.Tensor and issubclass(obj, (torch.nn.Module, torch.optim.Optimizer))) or (
        "Scheduler" in str(obj.__mro__)
    ):
        for attribute in vars(obj):
            if not attribute.startswith("_") and callable(vars(obj)[attribute]):
                methods[attribute] = annotated_result(vars(obj)[attribute])
    elif obj is not torch.Tensor:
        methods = {
            a: annotated_result(v) for a, v in vars(obj).items() if not a.startswith("_") and inspect.isroutine(v)
        }
    if methods:
        entry["methods"] = methods
    if attributes:
        entry["attributes"] = attributes
    return entry


# Results of tensors' attributes that neither schemas nor annotations tell.
OF_TENSORS: dict[str, Any] = {
    "shape": "Size",
    "size": [[[["self", "Tensor", False]], "Size"], [[["self", "Tensor", False], ["dim", "int", False]], "int"]],
    "dtype": "dtype",
    "device": "device",
    "item": "number",
    "tolist": "list",
    "numpy": "ndarray",
    "backward": "None",
    "type": [[[["self", "Tensor", False]], "str"], [[["self", "Tensor", False], ["dtype", "", False]], "Tensor"]],
}
# Methods of tensors that give tensors, and properties that do.
GIVING_TENSORS = {
    "new", "new_tensor", "to", "cuda", "cpu", "float", "double", "half", "bfloat16", "long", "int", "short", "char",
    "byte", "bool", "requires_grad_", "share_memory_", "reinforce", "view", "reshape", "expand", "repeat", "permute",
    "type_as", "pin_memory", "map_", "map2_", "apply_", "ipu", "xpu", "where", "index", "stft", "istft", "norm",
}  # fmt: skip
TENSORS = {"grad", "real", "imag", "data"}


def tensor_attributes() -> dict[str, dict[str, Any]]:
    """Methods and properties of torch.Tensor."""
    names = (name for name in dir(torch.Tensor) if not name.startswith("_"))
    return {f"torch.Tensor.{name}": describe_attribute(name) for name in names}


def describe_attribute(name: str) -> dict[str, Any]:
    """One of them."""
    is_method = callable(getattr(torch.Tensor, name))
    entry: dict[str, Any] = {"kind": "method" if is_method else "property"}
    raw = inspect.getattr_static(torch.Tensor, name)
    result = OF_TENSORS.get(name) or (result_of_method(name, raw) if is_method else result_of_property(name))
    if result:
        entry["result"] = result
    if is_method and name not in OF_TENSORS:
        words = parameters(raw)
        if words is None or words == ["self", "*args", "**kwargs"]:
            words = schema_parameters(name) or schema_parameters(name.rstrip("_")) or words
        if words is not None:
            entry["parameters"] = words
    return entry


def result_of_method(name: str, raw: Any) -> Any:
    result = annotated_result(raw) or overloads(name)
    if name.endswith("_") and not result:
        result = overloads(name[:-1])
    return result or ("Tensor" if name in GIVING_TENSORS else "")


def result_of_property(name: str) -> str:
    if name in TENSORS:
        return "Tensor"
    try:
        value = getattr(torch.zeros(2, 3), name)
    except (RuntimeError, AttributeError, NotImplementedError):
        return ""
    return type_word(type(value)) if value is not None else ""


def main() -> None:
    modules = imported_modules()
    gathered = Gathered(modules)
    objects, aliases = gathered.objects, gathered.aliases
    names: dict[str, Any] = {}
    for name, obj in objects.items():
        if name == "torch.Tensor":
            names[name] = {"kind": "class", "bases": []}
        elif isinstance(obj, type):
            names[name] = describe_class(obj, gathered.canonical)
            if names[name].get("module"):
                names[name]["forward"] = FORWARD.get(name, "Tensor")
        elif callable(obj):
            names[name] = describe_function(name, obj)
        else:
            names[name] = {"kind": "value", "type": type(obj).__name__}
    names.update(tensor_attributes())
    attributes = {f"torch.Tensor.{name}": inspect.getattr_static(torch.Tensor, name) for name in dir(torch.Tensor)}
    known = {name for name in names if documented(name, {**attributes, **objects}[name])}
    for name in names:
        # What works in place is documented with what does not.
        if name not in known and not (name.endswith("_") and name[:-1] in known):
            names[name]["inside"] = True
    public = {aliases.get(name, name) for name in [*names, *aliases] if listed(name, modules)}
    for name, obj in objects.items():
        if name not in public and private(obj, name in known):
            names[name]["private"] = True
    for name, result in RESULTS.items():
        names[name]["result"] = result
    table = {
        "torch": torch.__version__.partition("+")[0],
        "modules": list(modules),
        "aliases": aliases,
        "names": names,
        "imported": gathered.imported,
    }
    path = Path(rewriters.torch.__file__).with_name("names.json")
    replace_text(path, json.dumps(table, indent=0, sort_keys=True) + "\n")
    print(f"{len(names)} names, {len(aliases)} aliases from torch {torch.__version__} -> {path}")


if __name__ == "__main__":
    main()
