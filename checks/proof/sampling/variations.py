"""PyTorch's samples of functions in other clothes: bfloat16, strided, empty, 0-d, ``out=``, written through a view.

A few of each entry. What they need is printed into the call (``torch.exp(a0.to(torch.bfloat16))``,
``a0.transpose(-2, -1).exp()``), as a program would write it. Runs in torch's interpreter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import torch

from . import opinfo

entries, covers = opinfo.entries, opinfo.covers

FEW = 2  # samples of each variation
TRIED = 4  # samples that are looked at for them
Found = Iterator[tuple[str, list[Any], dict[str, torch.Tensor]]]


class Unvaried(Exception):
    """The sample does not come in this variation."""


class Printed:
    """A sample printed with each tensor changed.

    forms:   as functions and as methods.
    tensors: parameter -> tensor.
    """

    def __init__(self, entry: Any, sample: Any, literals: Any, variation: Any = None) -> None:
        class Arguments(literals.Arguments):  # type: ignore[misc]
            def tensor(self, value: torch.Tensor) -> str:
                plain = super().tensor
                return str(plain(value) if variation is None else variation(value, plain))

        self.literals = literals
        arguments = Arguments()
        self.forms = [form for form in opinfo.forms(entry, sample, {}, arguments)[0] if "keyword" not in form.kind]
        self.tensors: dict[str, torch.Tensor] = arguments.tensors

    def call(self, text: str) -> Any:
        """What torch makes of it. Raises what that raises."""
        function = self.literals.compiled(text, list(self.tensors), {"torch": torch})
        return function(*(tensor.detach().clone() for tensor in self.tensors.values()))


def variations(entry: Any, literals: Any, few: int | None = None) -> Found:
    """(label, forms, tensors) of each variation of an entry; ``few`` or not."""
    if torch.float32 not in entry.dtypes:
        return
    torch.manual_seed(0)
    made = entry.sample_inputs("cpu", torch.float32, requires_grad=bool(entry.supports_autograd))
    samples = list(itertools.islice(made, TRIED))
    for group, vary in VARIATIONS.items():
        count = 0
        for sample in samples:
            try:
                forms, tensors = vary(entry, sample, literals)
            except (Unvaried, literals.Unprintable):
                continue
            if forms:
                variant = f"/{entry.variant_test_name}" if entry.variant_test_name else ""
                yield f"{entry.name}{variant}:{group}:{count}", forms, tensors
                count += 1
            if count == (1 if few else FEW):
                break


def renamed(forms: list[Any], word: str) -> list[Any]:
    return [opinfo.Form(form.key, f"{word} {form.kind}", form.text) for form in forms]


def taken(printed: Printed) -> Any:
    """What torch makes of the first form. Raises Unvaried where it takes none."""
    if not printed.forms or not printed.tensors:
        raise Unvaried
    try:
        return printed.call(printed.forms[0].text)
    except Exception:
        raise Unvaried from None


def bfloat16(entry: Any, sample: Any, literals: Any) -> Any:
    """Float tensors hold what bfloat16 can, and are cast in the call."""
    if torch.bfloat16 not in entry.dtypes:
        raise Unvaried

    rounded: dict[int, torch.Tensor] = {}

    def held(value: torch.Tensor, plain: Any) -> Any:
        if value.dtype != torch.float32:
            return plain(value)
        return plain(rounded.setdefault(id(value), value.detach().to(torch.bfloat16).float()))

    def cast(value: torch.Tensor, plain: Any) -> Any:
        name = held(value, plain)
        return f"{name}.to(torch.bfloat16)" if value.dtype == torch.float32 else name

    low, wide = Printed(entry, sample, literals, cast), Printed(entry, sample, literals, held)
    taken(low)
    forms = renamed(low.forms, "bfloat16")
    for form, other in zip(forms, wide.forms, strict=True):
        form.wide = other.text
    return forms, low.tensors


def strided(entry: Any, sample: Any, literals: Any) -> Any:
    """Tensors are views of others: transposed, or every other element."""
    stored: dict[int, torch.Tensor] = {}

    def view(value: torch.Tensor, plain: Any) -> Any:
        if value.dim() == 0 or value.numel() < 2:
            return plain(value)
        if id(value) not in stored:
            base = value.detach()
            base = base.transpose(-2, -1).contiguous() if base.dim() > 1 else base.repeat_interleave(2)
            stored[id(value)] = base.requires_grad_(value.requires_grad)
        name = plain(stored[id(value)])
        return f"{name}.transpose(-2, -1)" if value.dim() > 1 else f"{name}[::2]"

    printed = Printed(entry, sample, literals, view)
    if not stored:
        raise Unvaried
    taken(printed)
    return renamed(printed.forms, "strided"), printed.tensors


def resized(word: str) -> Any:
    """A variation whose tensors have another size: none, or no dimension."""

    def vary(entry: Any, sample: Any, literals: Any) -> Any:
        made: dict[int, torch.Tensor] = {}

        def cut(value: torch.Tensor, plain: Any) -> Any:
            if word == "empty" and (value.dim() == 0 or value.numel() == 0):
                raise Unvaried
            if word == "0-d" and value.numel() == 0:
                raise Unvaried
            if id(value) not in made:
                if word == "empty":  # without gradients: those of nothing crash torch itself in places
                    made[id(value)] = value.detach()[:0].clone()
                else:
                    made[id(value)] = value.detach().reshape(-1)[0].clone().requires_grad_(value.requires_grad)
            return plain(made[id(value)])

        printed = Printed(entry, sample, literals, cut)
        taken(printed)
        return renamed(printed.forms, word), printed.tensors

    return vary


def out(entry: Any, sample: Any, literals: Any) -> Any:
    """The result is written into tensors that are given."""
    if not entry.supports_out:
        raise Unvaried
    printed = Printed(entry, sample, literals)
    result = taken(printed)
    results = [result] if isinstance(result, torch.Tensor) else result
    if not isinstance(results, (list, tuple)) or not all(isinstance(item, torch.Tensor) for item in results):
        raise Unvaried
    tensors = {name: tensor.detach() for name, tensor in printed.tensors.items()}
    names = []
    for item in results:
        names.append(f"a{len(tensors)}")
        tensors[names[-1]] = torch.full_like(item, 7, memory_format=torch.contiguous_format)
    given = names[0] if isinstance(result, torch.Tensor) else f"({', '.join(names)},)"
    forms = [
        opinfo.Form(form.key, "out", f"{form.text[:-1]}, out={given})")
        for form in printed.forms
        if form.kind == "function"
    ]
    return forms, tensors


def view(entry: Any, sample: Any, literals: Any) -> Any:
    """Where torch's result is a view: what is written into it is seen in the argument."""
    printed = Printed(entry, sample, literals)
    forms = []
    for form in printed.forms:
        function = literals.compiled(form.text, list(printed.tensors), {"torch": torch})
        given = [tensor.detach().clone() for tensor in printed.tensors.values()]
        try:
            result = function(*given)
        except Exception:
            continue
        one = result if isinstance(result, torch.Tensor) else result[0] if isinstance(result, (list, tuple)) else None
        if not isinstance(one, torch.Tensor) or not one.numel() or any(one is tensor for tensor in given):
            continue
        where = one.untyped_storage().data_ptr()
        if any(where == tensor.untyped_storage().data_ptr() for tensor in given):
            text = form.text if one is result else f"{form.text}[0]"
            text = f"({text})" if form.kind == "operator" and one is result else text
            forms.append(opinfo.Form(form.key, f"view {form.kind}", f"{text}.zero_()"))
    return forms, {name: tensor.detach() for name, tensor in printed.tensors.items()}


VARIATIONS = {
    "bfloat16": bfloat16,
    "strided": strided,
    "empty": resized("empty"),
    "0-d": resized("0-d"),
    "out": out,
    "view": view,
}
