"""A program that is written line by line and run as it is written: what torch refuses, or what grows wild, is left out.

So what each name holds is known while the next line is written. Needs torch in its interpreter.
"""

from __future__ import annotations

import ast
import contextlib
import io
import warnings
from collections.abc import Callable, Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import torch

from rewriters.text.parsing import expression_of, module_of

torch.set_num_threads(1)  # small tensors: others wait for nothing

HEADER = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
EXTRAS = {
    "np": "import numpy as np",
    "copy": "import copy",
    "math": "import math",
    "operator": "import operator",
    "NamedTuple": "from typing import NamedTuple",
    "dataclass": "from dataclasses import dataclass",
    "Callable": "from collections.abc import Callable",
    "defaultdict": "from collections import defaultdict",
    "OrderedDict": "from collections import OrderedDict",
    "partial": "from functools import partial",
    "reduce": "from functools import reduce",
}
LARGEST = 200.0  # magnitudes beyond which rounding is no longer told from a fault
LONGEST = 160  # characters of an expression


class Dry(Exception):
    """Nothing at hand fits what is to be written."""


def tidy(text: str) -> str:
    """An expression with the brackets that it needs and no others."""
    return ast.unparse(expression_of(text))


def indented(lines: list[str], by: int = 1) -> str:
    pad = "    " * by
    return "\n".join(f"{pad}{line}" if line else "" for text in lines for line in text.split("\n"))


def tensors_of(value: Any) -> Iterator[torch.Tensor]:
    """The tensors that a name leads to, as far as programs here build."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_of(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_of(item)
    elif isinstance(value, torch.nn.Module):
        yield from value.state_dict().values()
    elif isinstance(value, SimpleNamespace) or type(value).__module__ == "__main__":
        for item in list(getattr(value, "__dict__", {}).values()):
            yield from tensors_of(item)


class Builder:
    """A program under way.

    lines: statements, each of one line or more, that torch has run.
    pool:  expressions that hold tensors.
    plain: further names to be shown at the end: numbers, lists.
    taken: names that are in use.
    """

    def __init__(self, random: Random, parent: Builder | None = None) -> None:
        self.random = random
        self.parent = parent
        self.lines: list[str] = []
        self.pool: list[str] = list(parent.pool) if parent else []
        self.plain: list[str] = []
        self.callables: list[str] = list(parent.callables) if parent else []
        self.taken: set[str] = parent.taken if parent else {"x", "F"} - {"x"}
        self.made: list[str] = []
        self.space: dict[str, Any] = dict(parent.space) if parent else fresh()

    # --- random choices -----------------------------------------------------------------------------------------

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def one(self, items: Any) -> Any:
        items = list(items)
        if not items:
            raise Dry
        return items[self.random.randrange(len(items))]

    def name(self, words: str) -> str:
        """A name that is not in use, one of these where that goes."""
        choices = words.split()
        word: str = self.one(choices)
        number = 1
        found = word
        while found in self.taken:
            number += 1
            found = f"{word}{number}"
        self.taken.add(found)
        return found

    # --- what is at hand ----------------------------------------------------------------------------------------

    def value(self, text: str) -> Any:
        """What an expression gives here. Raises whatever it raises."""
        with quiet():
            return eval(text, self.space)  # noqa: S307 - our own text

    def held(self, text: str) -> Any:
        """The tensor that an expression of the pool holds now; None where it is none any more."""
        try:
            found = self.value(text)
        except Exception:
            return None
        return found if isinstance(found, torch.Tensor) else None

    def tensor(self, fits: Callable[[Any], bool] = lambda x: True) -> tuple[str, Any]:
        """An expression of the pool whose tensor fits, the latest first more often than not. Raises Dry."""
        order = list(self.pool)
        self.random.shuffle(order)
        if self.chance(0.5):
            order = [*reversed(self.pool[-3:]), *order]
        for text in order:
            found = self.held(text)
            if found is not None and fits(found):
                return text, found
        raise Dry

    # --- writing ------------------------------------------------------------------------------------------------

    def emit(self, text: str, replay: bool = False) -> bool:
        """Add a statement if torch runs it and nothing grows wild.

        replay: start the program anew before, since its parts have been run while it was written.
        """
        if replay:
            self.replay()
        try:
            self.run(text)
            good = self.tame()
        except Exception:
            good = False
        if good:
            self.lines.append(text)
            return True
        self.replay()
        return False

    def must(self, text: str, replay: bool = False) -> None:
        """As ``emit``. Raises Dry where torch does not run it."""
        if not self.emit(text, replay):
            raise Dry

    def run(self, text: str) -> None:
        with quiet():
            exec(compile(text, "<program>", "exec"), self.space)  # noqa: S102 - our own text

    def replay(self) -> None:
        """Run what stands so far anew."""
        if self.parent is not None:
            return
        self.space = fresh()
        for line in self.lines:
            self.run(line)

    def tame(self) -> bool:
        for name, value in self.space.items():
            if name.startswith("_") or name in {"torch", "nn", "F"}:
                continue
            for tensor in tensors_of(value):
                if tensor.numel() > 600:
                    return False
                if tensor.is_floating_point() or tensor.is_complex():
                    largest = tensor.detach().abs().max() if tensor.numel() else torch.tensor(0.0)
                    if not torch.isfinite(largest) or largest > LARGEST:
                        return False
                elif tensor.dtype == torch.int64 and tensor.numel() and tensor.abs().max() > 10**6:
                    return False
        return True

    def add(self, *texts: str) -> None:
        """Expressions that hold tensors, if they do; other values are shown at the end."""
        for text in texts:
            (self.pool if self.held(text) is not None else self.plain).append(text)
            self.made.append(text)

    def child(self, /, **names: Any) -> Builder:
        """For the body of a function or a loop; these names are bound in it."""
        found = Builder(self.random, self)
        found.space.update(names)
        return found

    def keep(self, *texts: str) -> Builder:
        """With these expressions in its pool, more than once: a body is about what it is given."""
        self.pool = [*self.pool[-3:], *texts, *texts]
        return self

    def copies(self, *texts: str) -> list[Any]:
        """Tensors like those of the expressions, for a body that is tried before it is called."""
        found = []
        for text in texts:
            value = self.value(text)
            if isinstance(value, torch.Tensor):
                value = value.detach().clone().requires_grad_(value.requires_grad)
            found.append(value)
        return found

    def text(self) -> str:
        """The program as it stands, with what it imports."""
        body = "\n".join(self.lines)
        names = {node.id for node in ast.walk(module_of(body)) if isinstance(node, ast.Name)}
        extras = [line for name, line in EXTRAS.items() if name in names]
        head = "\n".join([*extras, ""]) if extras else ""
        return f"{head}{HEADER}\n{body}\n"


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing is printed, nobody is warned."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def fresh() -> dict[str, Any]:
    """The names of a program before its first line."""
    torch.manual_seed(0)
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    space: dict[str, Any] = {"__name__": "__main__", "show": lambda *values: None}
    with quiet():
        exec(HEADER + "\n".join(EXTRAS.values()), space)  # noqa: S102 - our own text
    return space
