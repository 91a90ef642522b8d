"""One program of a scan, and the ways in which most of them are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

IMPORTS = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n"


@dataclass(frozen=True)
class Case:
    """A program.

    group: one of ``checks.scan.groups.GROUPS``.
    what:  the expression that it is about.
    where: at what: a regime of numbers, dtypes, an index, a rank, options.
    alone: numbers are compared each by itself, not beside the largest of their tensor.
    """

    group: str
    what: str
    where: str
    text: str
    alone: bool = False

    @property
    def name(self) -> str:
        return f"{self.what} @ {self.where}"

    @property
    def together(self) -> str:
        """Those that are converted together: what one program says must not change what becomes of another."""
        return f"{self.group} {self.where if self.alone else ''}"


def number(value: float) -> str:
    """A number as it is written: ``float("inf")``, ``1e-30``, ``2.0``."""
    text = repr(value)
    return f'float("{text}")' if text in ("inf", "-inf", "nan") else text


def numbers(values: Iterable[float]) -> str:
    return f"[{', '.join(map(number, values))}]"


def program(setup: Iterable[str], body: Iterable[str]) -> str:
    return IMPORTS + "\n".join([*setup, *body]) + "\n"


def shown(expression: str) -> list[str]:
    """The lines that show what an expression gives."""
    return [f"y = {expression}", "show(y)"]


def graded(expression: str, names: Sequence[str], loss: str = "y.sum()") -> list[str]:
    """The lines that show what an expression gives, and the gradients of these names."""
    gradients = ", ".join(f"{name}.grad" for name in names)
    return [f"y = {expression}", f"{loss}.backward()", f"show(y.detach(), {gradients})"]


def graded_twice(expression: str, name: str) -> list[str]:
    return [
        f"y = {expression}",
        f"(g,) = torch.autograd.grad(y.sum(), {name}, create_graph=True)",
        f"(h,) = torch.autograd.grad(g.sum(), {name})",
        "show(g.detach(), h)",
    ]


GRADED = re.compile(r".*(\.backward\(|autograd\.grad\().*\n")


def of_values(case: Case) -> Case | None:
    """The program without its gradients; none where it is of nothing else, and as it is where it trains."""
    if "show(g.detach(), h)" in case.text:
        return None
    text = re.sub(r", requires_grad=True|\.requires_grad_\(\)", "", GRADED.sub("", case.text))
    text = re.sub(r", \w+\.grad\b", "", text).replace(".detach()", "")
    return case if ".grad" in text or "optim" in text else replace(case, text=text)


def lines(text: str) -> list[str]:
    """A table's entries: its lines but for empty ones and comments."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]


def entries(text: str) -> list[str]:
    """A table's entries, between semicolons."""
    return [entry.strip() for entry in text.split(";") if entry.strip()]


def names_in(expression: str, among: Iterable[str]) -> list[str]:
    return [name for name in among if re.search(rf"\b{name}\b", expression)]
