"""Makes ``effects.json``: what evaluating torch's functions may do besides giving a value.

    python -m rewriters.tables.effects

Two witnesses: the schemas of torch's operators, which say what is written (``Tensor(a!)``), what a result may share
memory with (``Tensor(a)``) and what draws random numbers (a tag); and calls, of PyTorch's own samples and of those in
``effect_samples.py``, in which it is observed whether results lie in the memory of arguments, whether arguments changed
and whether a generator moved. A function of which neither is had is not in the table: it may do anything.
Needs expecttest beside torch. ``rewriters.torch.effects`` reads the table.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import json
import operator
import random
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map

import rewriters.torch
from rewriters.storing import replace_text
from rewriters.tables.effect_samples import CALLS
from rewriters.tables.results import names_of
from rewriters.text.parsing import module_of
from rewriters.torch.effects import parameter_of
from rewriters.torch.table import canonical, entry, table

DTYPES = (torch.float32, torch.int64, torch.complex64)
MOST = 12
"""Samples of one dtype."""
ELSEWHERE = tuple(f"torch.Tensor.{device}" for device in ("cpu", "cuda", "xpu", "ipu", "mtia", "pin_memory"))
"""What shares or copies as the device is, which no call here shows."""
PREFIXES = {"torch.linalg": "linalg_", "torch.fft": "fft_", "torch.special": "special_"}


@dataclass
class Seen:
    """What the calls of one function did: per parameter in how many calls it was given a tensor, written, shared.

    several, together: the same of ``given`` and ``shared``, in calls that gave it more than one tensor.
    """

    given: dict[str, int] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)
    shared: dict[str, int] = field(default_factory=dict)
    several: dict[str, int] = field(default_factory=dict)
    together: dict[str, int] = field(default_factory=dict)
    draws: bool = False
    calls: int = 0


# -- schemas ----------------------------------------------------------------------------------------------------------


def operators() -> dict[str, list[Any]]:
    """aten name -> the schemas of its overloads that are operators, without those that write to ``out``."""
    known = set(torch._C._dispatch_get_all_op_names())
    found: dict[str, list[Any]] = {}
    for schema in torch._C._jit_get_all_schemas():
        full = f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name
        if full in known and schema.name.startswith("aten::") and not any(a.is_out for a in schema.arguments):
            found.setdefault(schema.name.removeprefix("aten::"), []).append(schema)
    return found


OPERATORS = operators()


def tags(schema: Any) -> list[Any]:
    packet = getattr(torch.ops.aten, schema.name.removeprefix("aten::"))
    return list(getattr(packet, schema.overload_name or "default").tags)


def object_of(name: str) -> Any:
    head, _, last = name.rpartition(".")
    if head == "torch.Tensor":
        return inspect.getattr_static(torch.Tensor, last)
    return getattr(importlib.import_module(head), last)


def schemas_of(name: str, obj: Any) -> list[Any]:
    """The schemas that a name of torch is bound to: only where it is no function of Python's."""
    if inspect.isfunction(obj):
        return []
    head, _, last = name.rpartition(".")
    prefix = PREFIXES.get(head, "")
    for candidate in (prefix + last.removeprefix(prefix), getattr(obj, "__name__", last)):
        if candidate in OPERATORS:
            return OPERATORS[candidate]
    return []


def of_schemas(schemas: list[Any]) -> dict[str, Any] | None:
    """What the schemas say; None where they do not say everything."""
    found: dict[str, Any] = {"writes": {}, "aliases": {}, "draws": False}
    for schema in schemas:
        marks = tags(schema)
        if torch.Tag.maybe_aliasing_or_mutating in marks:
            return None
        found["draws"] |= torch.Tag.nondeterministic_seeded in marks
        results = set().union(*(r.alias_info.before_set for r in schema.returns if r.alias_info))
        for argument in schema.arguments:
            alias = argument.alias_info
            if alias is None:
                continue
            if alias.is_write:
                found["writes"][argument.name] = "always"
            if alias.before_set & results or (alias.after_set & results):
                found["aliases"][argument.name] = "always" if alias.is_write else "maybe"
    return found


# -- calls ------------------------------------------------------------------------------------------------------------


def memory(leaf: Any) -> int | None:
    """Where its elements lie: the address of the whole block; None for what has no elements."""
    if isinstance(leaf, torch.Tensor):
        try:
            return leaf.untyped_storage().data_ptr() or None
        except (RuntimeError, NotImplementedError):
            return None  # sparse: of several tensors
    if isinstance(leaf, (torch.UntypedStorage, torch.TypedStorage)):
        return leaf.data_ptr() or None
    if isinstance(leaf, bytearray):
        leaf = np.frombuffer(leaf, dtype=np.uint8)
    if isinstance(leaf, np.ndarray):
        while isinstance(leaf.base, np.ndarray):
            leaf = leaf.base
        return leaf.__array_interface__["data"][0] if leaf.size else None
    return None


def state(leaf: Any) -> Any:
    """What a write changes."""
    if not isinstance(leaf, torch.Tensor):
        return leaf.tobytes() if isinstance(leaf, np.ndarray) else None
    about = (leaf._version, leaf.shape, leaf.requires_grad, leaf.is_sparse or leaf.stride())
    if leaf.is_sparse or leaf.is_meta:
        return about
    plain = leaf.detach().clone().resolve_conj().resolve_neg()
    if plain.dtype in {torch.bfloat16, torch.complex32}:
        plain = plain.to(torch.complex64)  # numpy has neither
    return (*about, memory(leaf), plain.numpy().tobytes())


def generators() -> Any:
    of_numpy: Any = np.random.get_state()
    return torch.get_rng_state().numpy().tobytes(), random.getstate()[1], of_numpy[1].tobytes()


def settings() -> Any:
    return torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads()


def observe(seen: Seen, of: str, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> None:
    """Call the function and note what happened."""
    given: list[tuple[str, Any]] = []
    values: list[tuple[int | str, Any]] = [*enumerate(args), *kwargs.items()]
    for place, value in values:
        name = parameter_of(of, place)
        for leaf in tree_leaves(value):
            if isinstance(leaf, torch.Tensor) and leaf.grad is not None:
                given.append((f"{name}.grad", leaf.grad))
            if memory(leaf) is not None:
                given.append((name, leaf))
    before = [state(leaf) for _, leaf in given]
    places = [memory(leaf) for _, leaf in given]
    drawn, set_before = generators(), settings()
    result = function(*args, **kwargs)
    if settings() != set_before:
        raise AssertionError(f"{function} changed a setting")
    results = {memory(leaf) for leaf in tree_leaves(result)} - {None}
    seen.draws |= generators() != drawn
    seen.calls += 1
    if any(isinstance(leaf, torch.Tensor) and not leaf.numel() for leaf in tree_leaves(result)):
        return
    for name in dict.fromkeys(name for name, _ in given):
        mine = [number for number, (other, _) in enumerate(given) if other == name]
        seen.given[name] = seen.given.get(name, 0) + 1
        changed = any(state(given[number][1]) != before[number] for number in mine)
        seen.written[name] = seen.written.get(name, 0) + changed
        shared = any(places[number] in results for number in mine)
        seen.shared[name] = seen.shared.get(name, 0) + shared
        if len(mine) > 1:
            seen.several[name] = seen.several.get(name, 0) + 1
            seen.together[name] = seen.together.get(name, 0) + shared


def scattered(leaf: Any) -> Any:
    """The same values, in memory that is not contiguous."""
    if not isinstance(leaf, torch.Tensor) or leaf.layout is not torch.strided or leaf.ndim == 0 or leaf.numel() < 2:
        return leaf
    if leaf.ndim == 1:
        return leaf.detach().repeat_interleave(2)[::2]
    return leaf.detach().transpose(0, -1).contiguous().transpose(0, -1)


def copied(leaf: Any) -> Any:
    return leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf


def samples(op: Any) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    for dtype in DTYPES:
        if dtype in op.dtypes:
            torch.manual_seed(0)
            for sample in itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=False), MOST):
                for change in (copied, scattered):
                    parts = tree_map(change, (sample.input, sample.args, sample.kwargs))
                    yield [parts[0], *parts[1]], dict(parts[2])


def parameters(name: str) -> list[str]:
    words = (entry(name) or {}).get("parameters") or ["self"]
    return [word.partition("=")[0] for word in words if word not in {"*", "/"}]


REFUSED = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError, AttributeError)


def observed_samples(seen: dict[str, Seen], turned: dict[str, Seen]) -> None:
    """PyTorch's own, of functions and methods. ``turned``: the same with ``inplace=True``."""
    for op in op_db:
        for name in names_of(op):
            function, names = object_of(name), parameters(name)
            for args, kwargs in samples(op):
                try:
                    observe(seen.setdefault(name, Seen()), name, function, args, kwargs)
                    if "inplace" in names and len(args) <= names.index("inplace"):
                        observe(turned.setdefault(name, Seen()), name, function, args, {**kwargs, "inplace": True})
                except REFUSED:
                    continue  # not a sample of this form of the function


def things() -> dict[str, Any]:
    """What the calls in ``effect_samples`` are made with."""
    torch.manual_seed(0)
    parameter = torch.nn.Parameter(torch.rand(2, 3))
    parameter.grad = torch.rand(2, 3) + 1
    return {
        "torch": torch, "x": torch.rand(2, 3), "y": torch.rand(2, 3), "v": torch.rand(3), "i": torch.tensor([0, 1, 2]),
        "b": torch.tensor([[True, False, True], [False, True, True]]), "p": parameter, "image": torch.rand(2, 4, 4, 4),
        "m2": torch.rand(4), "s2": torch.rand(4), "x4": torch.rand(4, 3), "seq": torch.rand(2, 3, 4),
        "w12": torch.rand(12, 4), "b12": torch.rand(12), "w4": torch.rand(4, 4), "b4": torch.rand(4),
        "long": torch.rand(16), "array": np.ones((2, 3), dtype=np.float32), "buffer": bytearray(16),
        "offsets": torch.tensor([0, 2]), "packed": torch.nn.utils.rnn.pack_sequence([torch.rand(3), torch.rand(2)]),
        "negated": operator.neg, "larger": lambda a, b: max(a, b) + 1, "c": torch.rand(2, 3).to(torch.complex64),
    }  # fmt: skip


def observed_calls(seen: dict[str, Seen], turned: dict[str, Seen]) -> None:
    """Those of ``effect_samples``, each with arguments of its own."""
    for statement in module_of(CALLS).body:
        call = statement.value  # type: ignore[attr-defined]
        name = canonical(ast.unparse(call.func))
        if entry(name) is None:
            raise ValueError(f"{name} is no name of torch's")
        function, names = object_of(name), parameters(name)
        for inplace in (False, True) if "inplace" in names else (False,):
            call.func = ast.Name("given", ast.Load())
            scope = {**things(), "given": lambda *args, **kwargs: (list(args), kwargs)}
            args, kwargs = eval(ast.unparse(call), scope)  # noqa: S307  # calls of our own
            told = (turned if inplace else seen).setdefault(name, Seen())
            try:
                observe(told, name, function, args, {**kwargs, "inplace": True} if inplace else kwargs)
            except REFUSED as error:
                raise ValueError(f"{name}: {ast.unparse(call)}") from error


def observed_properties(seen: dict[str, Seen]) -> None:
    for name, known in table()["names"].items():
        last = name.rpartition(".")[2]
        if known["kind"] != "property" or not name.startswith("torch.Tensor."):
            continue
        for value in (torch.rand(2, 3), torch.rand(2, 3).to(torch.complex64), things()["p"]):
            try:
                observe(seen.setdefault(name, Seen()), name, operator.attrgetter(last), [value], {})
            except REFUSED:
                continue


# -- the table --------------------------------------------------------------------------------------------------------


def words(counts: dict[str, int], given: dict[str, int]) -> dict[str, str]:
    return {name: "always" if count == given[name] else "maybe" for name, count in counts.items() if count}


def mentions_draws(function: Any, done: set[Any]) -> bool:
    """Whether the code of a function of Python's mentions an operator that draws: samples may not come there."""
    if not isinstance(function, types.FunctionType) or function in done:
        return False
    done.add(function)
    for name in function.__code__.co_names:
        if any(torch.Tag.nondeterministic_seeded in tags(schema) for schema in OPERATORS.get(name, [])):
            return True
        called = function.__globals__.get(name)
        if (getattr(called, "__module__", "") or "").startswith("torch") and mentions_draws(called, done):
            return True
    return False


def joined(said: dict[str, Any] | None, seen: Seen | None) -> dict[str, Any] | None:
    """What both witnesses say; a result that may share by its schema and does in all calls always shares."""
    if seen is None or not seen.calls:
        return said
    writes, aliases = words(seen.written, seen.given), words(seen.shared, seen.given)
    aliases.update({name: "alone" for name in aliases if seen.several.get(name) and not seen.together[name]})
    if said is None:
        return {"writes": writes, "aliases": aliases, "draws": seen.draws}
    for name, word in said["aliases"].items():
        aliases.setdefault(name, word)
    return {"writes": {**writes, **said["writes"]}, "aliases": aliases, "draws": said["draws"] or seen.draws}


def main() -> None:
    warnings.simplefilter("ignore")
    seen: dict[str, Seen] = {}
    turned: dict[str, Seen] = {}
    observed_calls(seen, turned)
    observed_samples(seen, turned)
    observed_properties(seen)
    found: dict[str, Any] = {}
    for name, known in table()["names"].items():
        if known["kind"] not in {"function", "method", "property"} or not name.startswith("torch."):
            continue
        if name in ELSEWHERE:
            found[name] = {"aliases": {"self": "maybe"}}
            continue
        schemas = schemas_of(name, object_of(name))
        said = joined(of_schemas(schemas) if schemas else None, seen.get(name))
        if said is None:
            continue
        said["draws"] |= mentions_draws(object_of(name), set())
        entry_ = {key: value for key, value in said.items() if value}
        if name in turned and turned[name].calls:
            entry_["inplace"] = words(turned[name].written, turned[name].given)
        found[name] = entry_
    path = Path(rewriters.torch.__file__).with_name("effects.json")
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(said)}" for name, said in sorted(found.items()))
    replace_text(path, "{\n" + lines + "\n}\n")
    print(f"{len(found)} names, {sum(not said for said in found.values())} without effect -> {path}")


if __name__ == "__main__":
    main()
