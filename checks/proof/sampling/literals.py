"""Arguments of a sample as source text. Runs in torch's interpreter."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch


class Unprintable(Exception):
    """The argument has no form in source; the message says what it is."""


class Arguments:
    """Prints arguments; tensors become parameters ``a0``, ``a1``, ... in the order in which they are met.

    tensors: parameter -> tensor.
    """

    Unprintable = Unprintable

    def __init__(self) -> None:
        self.tensors: dict[str, torch.Tensor] = {}

    def tensor(self, value: torch.Tensor) -> str:
        if value.layout != torch.strided:
            raise Unprintable(f"tensor of layout {value.layout}")
        if value.is_quantized or value.dtype not in PLAIN:
            raise Unprintable(f"tensor of {value.dtype}")
        for name, known in self.tensors.items():
            if known is value:
                return name
        name = f"a{len(self.tensors)}"
        self.tensors[name] = value
        return name

    def text(self, value: Any) -> str:
        """The argument's expression. Raises Unprintable."""
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if value is None or isinstance(value, (bool, int, str)):
            return repr(value)
        if isinstance(value, float):
            return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
        if isinstance(value, complex):
            if not (math.isfinite(value.real) and math.isfinite(value.imag)):
                raise Unprintable("complex infinity")
            return repr(value)
        if isinstance(value, torch.device):
            return repr(str(value))
        if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
            return str(value)
        if isinstance(value, slice):
            parts = [None if part is None else self.text(part) for part in (value.start, value.stop, value.step)]
            return f"slice({', '.join(str(part) for part in parts)})"
        if value is Ellipsis:
            return "..."
        if isinstance(value, (tuple, torch.Size)):
            inside = [self.text(item) for item in value]
            return f"({', '.join(inside)}{',' if len(inside) == 1 else ''})"
        if isinstance(value, list):
            return f"[{', '.join(self.text(item) for item in value)}]"
        raise Unprintable(f"{type(value).__module__}.{type(value).__qualname__}")


PLAIN = {
    torch.float16, torch.float32, torch.float64, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8,
    torch.bool, torch.complex64, torch.complex128,
}  # fmt: skip


def program(name: str, parameters: list[str], body: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """A printed function of that body, compiled."""
    lines = "\n".join(f"    {line}" if line else "" for line in body.split("\n"))
    place: dict[str, Any] = {}
    exec(f"def {name}({', '.join(parameters)}):\n{lines}\n", scope, place)  # noqa: S102 - our own text
    made: Callable[..., Any] = place[name]
    return made


def compiled(expression: str, parameters: list[str], scope: dict[str, Any]) -> Callable[..., Any]:
    """The printed call as a function: what is compared is what was printed, not what was meant."""
    made: Callable[..., Any] = eval(f"lambda {', '.join(parameters)}: {expression}", scope)  # noqa: S307 - our own text
    return made
