"""The declarations of which rule files are made.

A rule file imports torch, the target framework and these names. The converter reads it as text
(``rewriters.rules.rulebook``) and never imports it. A test asks torch whether it has the keys that are written as its
attributes.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from rewriters.weights.layout import (
    Layout,
    dropped,
    flattened,
    permuted,
    renamed,
    same_layout,
    shaped,
    split,
    transposed,
)

__all__ = [
    "BoolTensor",
    "ComplexTensor",
    "FloatTensor",
    "Foreign",
    "IntTensor",
    "Layout",
    "Rank",
    "Values",
    "alias",
    "becomes",
    "differs",
    "dropped",
    "family",
    "flattened",
    "note",
    "permuted",
    "refuse",
    "renamed",
    "rule",
    "same",
    "same_layout",
    "shaped",
    "shared",
    "split",
    "transposed",
]

Function = TypeVar("Function", bound=Callable[..., Any])

#: What torch's reductions over one axis return: ``.values`` and ``.indices``.
Values = namedtuple("Values", ["values", "indices"])  # copied as it stands into helper modules


class BoolTensor:
    """A parameter annotated so takes tensors of that kind of dtype: one of several overloads."""


class IntTensor:
    """See BoolTensor."""


class FloatTensor:
    """See BoolTensor."""


class ComplexTensor:
    """See BoolTensor."""


class Foreign:
    """A parameter annotated so takes lists that hold tensors or numpy's numbers, by a helper if it is unknown."""


class Rank:
    """``Rank[3]``: takes tensors of three axes. Where the rank is not known, another overload that fits is taken."""

    def __class_getitem__(cls, ndim: int) -> type[Rank]:
        return cls


def rule(*keys: Any, layout: Mapping[str, Layout] | None = None) -> Callable[[Function], Function]:
    """The function has torch's signature and the target's body.

    On a class: the target lacks torch's class, and this one is emitted whole into the output's helper module.

    keys:   torch functions, methods, properties or classes; several functions under one key are overloads.
    layout: for constructors: parameter or buffer -> how the target's module stores it.
    """

    def declare(function: Function) -> Function:
        declared: list[tuple[tuple[Any, ...], Mapping[str, Layout]]] = function.__dict__.setdefault("rules", [])
        declared.append((keys, layout or {}))
        return function

    return declare


def family(*words: str | tuple[str, ...]) -> Callable[[Function], Function]:
    """Above a rule: its text stands for several, and is written for the first; see rewriters.rules.families."""
    return lambda function: function


def becomes(*keys_and_target: Any, **words: str | None) -> None:
    """Each of the torch names, which come first, becomes the target's name, given last, for the same arguments.

    words: torch's name of a parameter -> the target's keyword, "/" for by position, None for what it has not; see
    rewriters.rules.becoming.
    """


def alias(key: Any, target: str) -> None:
    """A torch name used as a value (dtype, base class, isinstance, decorator) and the target's dotted name for it."""


def differs(reason: str) -> None:
    """In a rule's body: what comes out differs from torch in a way that nothing mends: why; what to do.

    The site is converted all the same, below a comment that says so; a helper says it when it is called.
    """


def note(*keys_and_reason: Any) -> None:
    """What is converted and known to give something a little else than torch, where a comment at each use would be
    noise: the report lists it, and the target's page in ``docs/`` says it. The last argument is the reason.
    """


def same(*names: str, layout: Mapping[str, Layout] | None = None) -> None:
    """Torch names whose use is identical in the target, under the target's mapped module."""


def refuse(*keys_and_reason: Any) -> None:
    """No equivalent of the keys: the site is marked with the reason, given last: why, and what to do instead.

    For the rule files of a user's project; a target's refusals are in its ``refusals.toml``.

    ``"torchvision.models.detection.*"`` is all below a package that nothing else answers for.
    """


def shared(words: Mapping[str, str], files: Sequence[str] | None = None) -> None:
    """In a target's ``rules/__init__.py``: it takes the shared rules, with its words for their neutral ones; see
    rewriters.rules.sharing.

    files: paths below ``rewriters/shared/rules`` without ``.py``, where not all of them are taken.
    """
