"""The corpus: for each public callable of torch some programs of one call, all of which torch runs and answers alike.

Made from a seed: the same torch and the same seed give the same programs. Needs torch in its interpreter.
"""

from __future__ import annotations

import contextlib
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import torch

from checks.calls import building, legal
from checks.calls.catalogue import Callable_, catalogue
from checks.calls.forms import Form, forms, held
from checks.calls.legal import Chosen
from checks.calls.signatures import Parameter, Signature, signatures
from checks.calls.writing import STYLES, Page
from checks.fuzz.steady import RUNTIME
from checks.programs.judge import difference
from checks.worker.programs import Seen

NUDGE = 3e-6
SEEDS = (1, 2, 3)  # with which a program that draws nothing shows the same
EACH = 6
RECEIVER = Parameter("self", "position", "Tensor")
# Whose values are what memory held, and whose vectors have no sign of their own.
UNDEFINED = re.compile(r"^(new_)?empty|^resize_")
# What torch takes by accident: amounts for more axes than a layer of one has.
MEANT_OTHERWISE = re.compile(r"1d\([^)]*\((\d, )+\d\)")
# What an object is to show, that in another framework may be no tuple.
PARTS = {"pack_padded_sequence": ("data", "batch_sizes"), "pack_sequence": ("data", "batch_sizes")}
SIGNLESS = {"svd", "eigh", "eig", "qr", "symeig", "svd_lowrank", "pca_lowrank", "lobpcg", "geqrf", "eigvals"}


@dataclass(frozen=True)
class Written:
    """One program.

    way:  how the call is written, ``given dim``; root is without the parameter's name.
    """

    name: str
    family: str
    key: str
    way: str
    root: str
    text: str


@dataclass(frozen=True)
class Draft:
    """A program before torch has been asked: its text when values are shown, and when only shapes are."""

    way: str
    root: str
    text: str
    shapes: str


def corpus(seed: int = 0, each: int = EACH, only: str = "", limit: int | None = None) -> Iterator[Written]:
    """Programs, callable by callable.

    each:  of a callable at most.
    only:  a regular expression that a callable's name holds.
    """
    torch.set_num_threads(1)
    count = 0
    for one in catalogue():
        if not re.search(only, one.key):
            continue
        random = Random(f"{seed}:{one.key}")
        texts: set[str] = set()
        for draft in chosen(drafts(one, random), random):
            text = taken(draft)
            if text is None or text in texts:
                continue
            name = f"{one.family.replace('.', '_')}__{one.name}_{len(texts)}"
            texts.add(text)
            yield Written(name, one.family, one.key, draft.way, draft.root, text)
            count += 1
            if len(texts) == each or count == limit:
                break
        if count == limit:
            return


def chosen(found: list[Draft], random: Random) -> Iterator[Draft]:
    """The plainest one, and then one of each way after the other, in a random order; last what repeats another."""
    yield from found[:1]
    groups: dict[str, list[Draft]] = {}
    for one in found[1:]:
        groups.setdefault(one.root, []).append(one)
    ways = list(groups.values())
    for group in ways:
        random.shuffle(group)
        first: dict[str, Draft] = {one.way: one for one in group}
        group.sort(key=lambda one: first[one.way] is one)  # taken from the end
    while ways:
        random.shuffle(ways)
        for group in ways:
            yield group.pop()
        ways = [group for group in ways if group]


def drafts(one: Callable_, random: Random) -> list[Draft]:
    """All that is tried for a callable."""
    if one.family in ("nn", "optim", "lr_scheduler"):
        return [Draft(*parts) for parts in building.programs(one, random)]
    found = []
    found_signatures = signatures(one.owner, one.name, one.value)
    if any(signature.parameters[:1] and signature.parameters[0].name == "input" for signature in found_signatures):
        # Orders of arguments that torch takes for old programs' sake, and documents nowhere.
        found_signatures = [signature for signature in found_signatures if not is_old(signature)]
    for signature in found_signatures:
        if one.family == "Tensor":
            signature = Signature((RECEIVER, *signature.parameters))
        for base in legal.complete(signature, caller(one), name=one.name):
            found += list(written(one, signature, base, random))
    return found


def is_old(signature: Signature) -> bool:
    first = signature.parameters[0] if signature.parameters else None
    return first is not None and first.name == "self" and first.type == "Tensor"


def caller(one: Callable_) -> legal.Call:
    def call(chosen_: Chosen) -> Any:
        args, kwargs = legal.arguments(chosen_)
        result = one.value(*args, **kwargs)
        return args[0] if result is None and args else result

    return call


def written(one: Callable_, signature: Signature, base: Chosen, random: Random) -> Iterator[Draft]:
    method = one.family == "Tensor"
    plainest: Form | None = None
    for form in forms(signature, base, method, random):
        plainest = plainest or form
        yield draft(one, form, random.choice(STYLES[:2]))
        if (hidden := held(form)) is not None:
            yield draft(one, hidden, random.choice(STYLES[:2]))
    assert plainest is not None
    if method:
        yield draft(one, Form("unbound", plainest.arguments), "full", unbound=True)
    else:
        yield draft(one, Form("imported by name", plainest.arguments), "from")
    for path in one.paths:
        yield draft(one, Form("alias", plainest.arguments, path), random.choice(("full", "from")), path)
    if "out" in {parameter.name for parameter in signature.parameters} or ", out=None" in (one.value.__doc__ or ""):
        yield from outs(one, plainest, base, random)


def opening(one: Callable_, form: Form, style: str, path: str = "", unbound: bool = False) -> tuple[Page, str]:
    """What comes before the call, and the call's text."""
    page = Page()
    if one.family == "Tensor" and not unbound:
        receiver = page.argument(form.arguments[0])
        return page, page.call(f"{receiver}.{one.name}", form.arguments[1:])
    return page, page.call(page.callee(path or one.key, style), form.arguments)


def draft(one: Callable_, form: Form, style: str, path: str = "", unbound: bool = False) -> Draft:
    page, call = opening(one, form, style, path, unbound)
    changes = one.name.endswith("_") or any(
        argument.parameter.name == "inplace" and argument.value.text == "True" for argument in form.arguments
    )
    also = [name for name in page.tensors if changes]
    parts = ["result"]
    if one.name in SIGNLESS:
        parts = ["[part.abs() for part in result]" if many(one) else "result.abs()"]
    parts = [f"result.{part}" for part in PARTS.get(one.name, ())] or parts
    if form.root == "requires_grad":
        parts.append("result.requires_grad")
    body = [f"result = {call}", f"show({', '.join(parts + also)})"]
    undefined = bool(UNDEFINED.match(one.name))
    shapes = [f"result = {call}", "show(result.shape, result.dtype)"]
    if form.root == "requires_grad":
        shapes.append("show(result.requires_grad)")
    return Draft(form.way, form.root, page.text(shapes if undefined else body), page.text(shapes))


def many(one: Callable_) -> bool:
    return one.name not in ("eigvals",)


def outs(one: Callable_, plainest: Form, base: Chosen, random: Random) -> Iterator[Draft]:
    """The result written where the program says: a tensor of that shape, twice, an empty one, nowhere."""
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        legal.seed(0)
        result = caller(one)(base)
        several = isinstance(result, (tuple, list))
        results = list(result) if several else [result]
        if not all(isinstance(item, torch.Tensor) for item in results) or one.family == "Tensor":
            return
        for way in ("given", "reused", "resized", "None"):
            page, call = opening(one, plainest, random.choice(STYLES))
            names = [f"out{number}" for number in range(len(results))] if several else ["out"]
            if way != "None":
                page.setup += [f"{name} = {place(item, way)}" for name, item in zip(names, results, strict=True)]
            text = "None" if way == "None" else f"({', '.join(names)})" if several else names[0]
            call = f"{call[:-1]}, out={text})" if not call.endswith("()") else f"{call[:-1]}out={text})"
            body = [f"result = {call}"]
            if way == "reused":
                body = ["for _ in range(2):", f"    result = {call}"]
            same = [] if way == "None" else [f"{name} is result[{at}]" if several else f"result is {name}"
                                             for at, name in enumerate(names)]  # fmt: skip
            outs_ = [] if way == "None" else names
            signless = one.name in SIGNLESS
            shown_ = ["result", *outs_] if not signless else [f"{name}.abs()" for name in outs_] or ["result[0].shape"]
            yield Draft(f"out= {way}", "out=", page.text([*body, f"show({', '.join([*shown_, *same])})"]),
                        page.text([*body, "show(result.shape)"]))  # fmt: skip


def place(like: torch.Tensor, way: str) -> str:
    """Where a result goes."""
    size = [0] if way == "resized" else list(like.shape)
    dtype = "" if like.dtype == torch.float32 else f", dtype={like.dtype}"
    return f"torch.zeros({size}{dtype})"


def shown(text: str, seed: int) -> list[Any]:
    """What a program shows. Memory that nothing was written into holds something else from the second seed on."""
    seen = Seen(RUNTIME)
    legal.seed(seed)
    torch._C._set_deterministic_algorithms(seed > 0, warn_only=True)
    try:
        exec(compile(text, "<program>", "exec"), {"__name__": "__main__", "show": seen.show})  # noqa: S102 - our own text
    finally:
        torch._C._set_deterministic_algorithms(False)
    return seen.shown


def nudged(text: str, factor: float) -> str:
    """The program with each of its floats a little larger or smaller."""
    return re.sub(r"(?<![\w.])\d+\.\d+(?![\w.])", lambda found: repr(float(found[0]) * factor), text)


def taken(draft_: Draft) -> str | None:
    """The text that torch runs and answers alike; None where it does not, or where rounding decides."""
    if MEANT_OTHERWISE.search(draft_.text):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # A seed that is given makes torch's draws steady, and no other's the same.
        texts = (draft_.shapes,) if "torch.Generator()" in draft_.text else (draft_.text, draft_.shapes)
        for text in dict.fromkeys(texts):
            try:
                first = shown(text, 0)
                if any(json.dumps(first) != json.dumps(shown(text, seed)) for seed in SEEDS):
                    continue
                # What cannot be nudged (integers given as floats) is as steady as it is.
                moved = [shown(nudged(text, factor), 0) for factor in (1 + NUDGE, 1 - NUDGE)]
            except Exception:
                return None
            if not says_something(first) or any(difference(first, other) for other in moved):
                return None
            return text
    return None


def says_something(shown_: list[Any]) -> bool:
    """Whether a value is shown, not merely that there is an object; no addresses."""
    text = json.dumps(shown_)
    if re.search(r"0x[0-9a-f]{6}", text):
        return False
    return bool(re.search(r'"tensor"|"dtype"|"array"|true|false|\d|"items"|: "', text.replace('"object"', "")))
