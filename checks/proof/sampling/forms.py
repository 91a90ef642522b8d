"""Every way of calling: a name's signature, where the other samples exercise its values.

One or two of PyTorch's samples of each name, in every form that torch's signatures allow (``calling.py``): each
parameter by position and by keyword, left out, as its default, as another kind of number; function, method, every path
by which torch itself knows the object; ``out=``. A form of a parameter once per name. Torch says which are legal. Runs
in torch's interpreter.
"""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Iterator
from typing import Any

import torch

from . import literals, moduleinfo, opinfo, optiminfo
from .calling import Given, bound, ways
from .choosing import Chosen, Program, canonical, is_legal, paths, run, says_something
from .constructing import of_modules, of_optimizers
from .signatures import Parameter, overloads

LOOKED_AT = 80  # samples of an entry, of which the fittest are taken
KINDS = 4  # kinds of arguments, of each of which a sample is written in all forms
BASES = 8  # samples of a name in all its variants
LARGE = 2000  # numbers in a sample's tensors
UNWRITTEN = re.compile(r"\bempty|_empty|resize")  # whose numbers are what memory held


def entries() -> dict[str, list[Any]]:
    """Functions, modules and optimizers by the name of what they test, all variants of one together."""
    found: dict[str, list[Any]] = {name: [("function", group)] for name, group in opinfo.entries().items()}
    found.update({name: [("module", group)] for name, group in moduleinfo.entries().items()})
    found.update({name: [("optimizer", group)] for name, group in optiminfo.entries().items()})
    return found


def covers(group: list[Any]) -> list[str]:
    """Last parts of the names that an entry's forms call."""
    ((kind, entries_),) = group
    source = {"function": opinfo, "module": moduleinfo, "optimizer": optiminfo}[kind]
    return source.covers(entries_)  # type: ignore[no-any-return]


def programs(entry: Any, arguments: Any, few: int | None = None) -> Iterator[Program]:
    """All forms of an entry, or ``few`` of each name."""
    kind, group = entry
    made = {"function": of_functions, "module": of_modules, "optimizer": of_optimizers}[kind](group)
    counts: dict[str, int] = {}
    for program in made:
        counts[program["key"]] = counts.get(program["key"], 0) + 1
        if not few or counts[program["key"]] <= few:
            yield program


class Base:
    """A sample of a function as printed: the input, what is positional, what is named."""

    def __init__(self, entry: Any, sample: Any) -> None:
        printer = literals.Arguments()
        keywords = {**getattr(entry.op, "keywords", {}), **sample.kwargs}
        given = sample.input
        if keywords.get("hermitian"):  # as PyTorch's own tests make them
            given = (given + given.mH) / 2
        self.input = Given(printer.text(given), given)
        self.rest = [Given(printer.text(value), value) for value in sample.args]
        self.named = {name: Given(printer.text(value), value) for name, value in keywords.items()}
        self.tensors = {name: tensor.detach() for name, tensor in printer.tensors.items()}

    @property
    def plain(self) -> str:
        """Its arguments behind the input, as they are."""
        return ", ".join([*(a.text for a in self.rest), *(f"{n}={a.text}" for n, a in self.named.items())])

    @property
    def many(self) -> int:
        return len(self.rest) + len(self.named)

    @property
    def size(self) -> int:
        """Numbers in the input: what works in place takes no larger operand."""
        return self.input.value.numel() if isinstance(self.input.value, torch.Tensor) else 0

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types of its arguments: a number or several of them."""
        return tuple(type(a.value) for a in self.rest), *((n, type(a.value)) for n, a in sorted(self.named.items()))

    @property
    def content(self) -> int:
        """How much there is in its sequences: items that are not zero."""
        values = [self.input.value, *(argument.value for argument in [*self.rest, *self.named.values()])]
        items = [item for value in values if isinstance(value, (tuple, list)) for item in value]
        return sum(isinstance(item, torch.Tensor) or item != 0 for item in items)


def bases(entry: Any) -> list[Base]:
    """Samples to be written in all forms, the plainest first: what it lacks is written of those with more arguments."""
    known = (torch.float32, torch.int64, torch.bool, torch.complex64)
    dtype = next((dtype for dtype in known if dtype in entry.dtypes), None)
    if dtype is None:
        return []
    torch.manual_seed(0)
    found = []
    for sample in itertools.islice(entry.sample_inputs("cpu", dtype, requires_grad=False), LOOKED_AT):
        try:
            base = Base(entry, sample)
        except literals.Unprintable:
            continue
        if sum(tensor.numel() for tensor in base.tensors.values()) <= LARGE:
            found.append(base)
    plain = [base for base in found if all(is_plain(tensor) for tensor in base.tensors.values())]
    telling = [base for base in plain or found if tells(entry, base)]
    ranked = sorted(telling or plain or found, key=lambda base: (base.many, -base.content, -base.size))
    kinds: dict[tuple[Any, ...], Base] = {}
    for base in ranked:
        kinds.setdefault(base.kinds, base)
    return [*kinds.values()][:KINDS] + ranked[-1:]


def tells(entry: Any, base: Base) -> bool:
    """Whether torch's answer to a sample says anything: no empty window, no logarithm of what is negative."""
    names = [f"torch.{name}" for name in opinfo.names(entry)]
    key = next((name for name in names if callable(opinfo.look_up(name))), "")
    if not key or UNWRITTEN.search(key):
        return True
    words = ", ".join(filter(None, [base.input.text, base.plain]))
    try:
        return says_something(run(f"return {key}({words})", base.tensors))
    except Exception:
        return True


def is_plain(tensor: torch.Tensor) -> bool:
    """Whether it has axes, several numbers, and no missing ones."""
    return 1 <= tensor.dim() <= 4 and tensor.numel() > 1 and bool(torch.isfinite(tensor).all())


def of_functions(group: list[Any]) -> Iterator[Program]:
    """Of the function, the method and what works in place, under every name."""
    found = list(itertools.chain.from_iterable(itertools.zip_longest(*map(bases, group))))
    taken = list(dict.fromkeys(base for base in found if base is not None))[:BASES]
    for name in dict.fromkeys(name for entry in group for name in opinfo.names(entry)):
        if opinfo.is_private(name) or name in opinfo.OPERATORS or name == "__getitem__":
            continue
        function = opinfo.look_up(f"torch.{name}")
        if callable(function) and not isinstance(function, type):
            yield from of_name(f"torch.{name}", function, taken)
        for method in () if "." in name else (name, f"{name}_"):
            own = inspect.getattr_static(torch.Tensor, method, None)
            if callable(getattr(torch.Tensor, method, None)) and not isinstance(own, property):
                yield from of_name(f"torch.Tensor.{method}", getattr(torch.Tensor, method), taken)


def of_name(key: str, function: Any, taken: list[Base]) -> Iterator[Program]:
    """The forms of one name."""
    method = key.startswith("torch.Tensor.")
    chosen = Chosen(key, "in-place" if key.endswith("_") and method else "method" if method else "function")
    signatures = overloads(key) or overloads(canonical(key, function))
    for base in taken:
        if method and not isinstance(base.input.value, torch.Tensor):
            continue

        whatever = bool(UNWRITTEN.search(key)) or not is_legal(f"return {plainly(key, base)}", base.tensors)

        def legal(body: str, base: Base = base, whatever: bool = whatever) -> bool:
            return is_legal(body, base.tensors, whatever)

        for word, text in written(key, function, signatures, base):
            body = text and told(word, text)
            if chosen.take(word, body, legal):
                yield chosen.program(word, "", str(body), base.tensors)
        for word, body in outs(key, signatures, base):
            if chosen.take(word, body, legal):
                yield chosen.program(word, "", body, base.tensors)


def plainly(key: str, base: Base) -> str:
    """A sample's call as it is."""
    if key.startswith("torch.Tensor."):
        return f"{base.input.text}.{key.rpartition('.')[2]}({base.plain})"
    return f"{key}({', '.join(filter(None, [base.input.text, base.plain]))})"


def told(word: str, text: str) -> str:
    """The statements of a form: whether the result requires a gradient is shown where that is asked for."""
    if word.startswith("requires_grad="):
        return f"made = {text}\nreturn made, made.requires_grad"
    return f"return {text}"


def written(key: str, function: Any, signatures: list[list[Parameter]], base: Base) -> Iterator[tuple[str, str | None]]:
    """Every form of a sample's call."""
    last = key.rpartition(".")[2]
    method = key.startswith("torch.Tensor.")
    head = f"{base.input.text}.{last}" if method else key
    arguments = base.rest if method else [base.input, *base.rest]
    plain = base.plain if method else ", ".join(filter(None, [base.input.text, base.plain]))
    yield "as it is", plainly(key, base)
    for parameters in signatures:
        call = bound(head, parameters, arguments, base.named, method)
        if call is not None:
            yield from ways(call)
    if method:
        yield "unbound", f"torch.Tensor.{last}({', '.join(filter(None, [base.input.text, plain]))})"
    for path in paths(key, function) if not method else ():
        yield f"as {path}", f"{path}({plain})"


def outs(key: str, signatures: list[list[Parameter]], base: Base) -> Iterator[tuple[str, str]]:
    """``out=``: given, of another size, none."""
    if key.startswith("torch.Tensor.") or not any(p.name == "out" for one in signatures for p in one):
        return
    head = plainly(key, base).removesuffix(")")
    yield "out=None", f"return {head}, out=None)"
    try:
        result = run(f"return {head})", base.tensors)
    except Exception:
        return
    several = isinstance(result, (tuple, list))
    parts = list(result) if several else [result]
    if not all(isinstance(part, torch.Tensor) for part in parts) or not is_stored(head, parts, several, base):
        return
    shown = "[given is made for given, made in zip(outs, result)], outs" if several else "result is outs, outs"
    for word, sizes in {
        "out given": [tuple(part.shape) for part in parts],
        "out of no size": [(0,)] * len(parts),
    }.items():
        made = [f"torch.zeros({size}, dtype={part.dtype})" for size, part in zip(sizes, parts, strict=True)]
        outs_ = f"({', '.join(made)},)" if several else made[0]
        yield word, f"outs = {outs_}\nresult = {head}, out=outs)\nreturn {shown}"
    reused = ["outs = " + (f"({', '.join(made)},)" if several else made[0]), f"{head}, out=outs)"]
    yield "out given twice", "\n".join([*reused, f"result = {head}, out=outs)", f"return {shown}"])


def is_stored(head: str, parts: list[Any], several: bool, base: Base) -> bool:
    """Whether torch itself stores there what it gives: ``torch.fft.ihfftn`` leaves ``out`` as it was."""
    made = ", ".join(f"torch.zeros({tuple(part.shape)}, dtype={part.dtype})" for part in parts)
    text = f"outs = ({made},)\n{head}, out={'outs' if several else 'outs[0]'})\nreturn outs"
    try:
        outs_ = run(text, base.tensors)
    except Exception:
        return True
    return all(torch.equal(out, part) or bool(part.isnan().any()) for out, part in zip(outs_, parts, strict=True))
