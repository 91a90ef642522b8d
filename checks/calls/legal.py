"""Which arguments torch takes: found by calling it. Needs torch in its interpreter."""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from checks.calls.signatures import Parameter, Signature
from checks.calls.values import EXPECTED, KINDS, Value, is_tensor, takes_tensors, values

TRIED_EACH = 80  # combinations of one kind of tensors
FEW = 6  # candidates of a parameter that are combined with others

Chosen = tuple[tuple[Parameter, Value], ...]
Call = Callable[[Chosen], Any]


def seed(number: int) -> None:
    """As ``torch.manual_seed``, which takes longer than most calls: it remembers who called it, for other devices."""
    torch.default_generator.manual_seed(number)
    np.random.seed(number)


@functools.cache
def made_once(text: str) -> Any:
    return eval(text, {"torch": torch, "np": np})  # noqa: S307 - our own text


def made(value: Value) -> Any:
    """What an argument's text makes, to be changed by whoever gets it."""
    if value.text == "[a, b]":
        return [made_once(text).clone() for text in listed(value)]
    found = made_once(value.text)
    return found.clone() if isinstance(found, torch.Tensor) else found


def listed(value: Value) -> list[str]:
    """The tensors of a list of them."""
    return [KINDS[value.kind](1), KINDS[value.kind](4)]


def arguments(chosen: Chosen) -> tuple[list[Any], dict[str, Any]]:
    args: list[Any] = []
    kwargs = {}
    for parameter, value in chosen:
        if parameter.kind == "keyword":
            kwargs[parameter.name] = made(value)
        elif parameter.kind == "many":
            given = made(value)
            args += given if isinstance(given, (tuple, list)) else [given]
        else:
            args.append(made(value))
    return args, kwargs


def combinations(parameters: tuple[Parameter, ...], name: str = "") -> Iterator[tuple[str, Chosen]]:
    """(kind of the tensors, a value for each parameter), the likeliest first; ``self`` is a parameter as any other.

    name: of what is called, which says how many axes it expects: ``conv2d``.
    """
    candidates = []
    number = 0
    for parameter in parameters:
        candidates.append(values(parameter, number, name))
        number += is_tensor(parameter)
    several = any(is_tensor(one) or takes_tensors(one) for one in parameters)
    first = [kind for ending, kind in EXPECTED.items() if ending in name.lower()]
    for kind in dict.fromkeys([*first, *KINDS]) if several else [""]:
        narrowed = []
        for parameter, all_ in zip(parameters, candidates, strict=True):
            if is_tensor(parameter) or takes_tensors(parameter):
                fitting = [one for one in all_ if one.kind in ("named", kind)]
            else:
                fitting = all_[:FEW]
            narrowed.append(fitting)
        for chosen in itertools.islice(itertools.product(*narrowed), TRIED_EACH):
            yield kind, tuple(zip(parameters, chosen, strict=True))


def is_good(result: Any) -> bool:
    """Whether it says something: no NaN in it, not nothing."""
    if isinstance(result, torch.Tensor):
        return bool(result.numel()) and not bool(torch.isnan(result).any() if result.dtype.is_floating_point else False)
    if isinstance(result, (list, tuple)):
        return bool(result) and all(map(is_good, result))
    return True


def bases(parameters: tuple[Parameter, ...], call: Call, most: int = 2, name: str = "") -> list[Chosen]:
    """Arguments for the parameters that must be given which torch takes, of as many kinds of tensors."""
    found: list[Chosen] = []
    doubtful: list[Chosen] = []
    kinds: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind, chosen in combinations(parameters, name):
            if kind in kinds:
                continue
            seed(0)
            try:
                result = call(chosen)
            except Exception:
                continue
            try:
                good = is_good(result)
            except Exception:
                good = False
            if not good:
                doubtful.append(chosen)
                continue
            if chosen in found:
                continue
            found.append(chosen)
            kinds.add(kind)
            if len(found) == most:
                break
    return found or doubtful[:1]


def complete(signature: Signature, call: Call, most: int = 2, name: str = "") -> list[Chosen]:
    return bases(signature.required, call, most, name)
