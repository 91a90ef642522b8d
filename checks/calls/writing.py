"""Programs as text: imports, tensors under names of their own, the call, what is shown."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable
from dataclasses import dataclass, field

from checks.calls.forms import Argument
from checks.calls.legal import listed

SHORT = {
    "torch.nn.functional": ("import torch.nn.functional as F", "F"),
    "torch.nn": ("from torch import nn", "nn"),
    "torch.nn.init": ("from torch.nn import init", "init"),
    "torch.optim": ("from torch import optim", "optim"),
    "torch.linalg": ("from torch import linalg", "linalg"),
}
# Builtins and usual names of modules, which no tensor takes.
SHADOWED = {*dir(builtins), "torch", "np", "nn", "F", "show", "out", "self"}
PLAIN = ("x", "y", "z", "u", "v", "w")
STYLES = ("full", "short", "from")


@dataclass
class Page:
    """What a program has before its call.

    setup:   statements that make what the call is given.
    tensors: names of tensors.
    """

    imports: list[str] = field(default_factory=lambda: ["import torch"])
    setup: list[str] = field(default_factory=list)
    tensors: list[str] = field(default_factory=list)

    def name(self, wanted: str) -> str:
        taken = {line.split(" = ")[0] for line in self.setup}
        fits = wanted not in SHADOWED and not keyword.iskeyword(wanted) and wanted.isidentifier() and len(wanted) > 1
        for candidate in ([wanted] if fits else []) + [*PLAIN, *(f"x{number}" for number in range(9))]:
            if candidate not in taken:
                return candidate
        raise AssertionError(wanted)

    def argument(self, argument: Argument) -> str:
        """Its text in the call."""
        value = argument.value
        if "np." in value.text and "import numpy as np" not in self.imports:
            self.imports.insert(0, "import numpy as np")
        if value.text == "[a, b]":
            names = []
            for text in listed(value):
                names.append(self.name("x"))
                self.setup.append(f"{names[-1]} = {text}")
                self.tensors.append(names[-1])
            return ", ".join(names) if argument.parameter.kind == "many" else f"[{', '.join(names)}]"
        if value.named:
            name = self.name(argument.parameter.name)
            self.setup.append(f"{name} = {value.text}")
            if "Generator" not in value.text:
                self.tensors.append(name)
            return name
        return value.text

    def call(self, callee: str, arguments: Iterable[Argument]) -> str:
        written = []
        for one in arguments:
            text = self.argument(one)
            if one.star:
                text = f"*{text}"
            elif one.keyword:
                text = f"{one.parameter.name}={text}"
            elif one.parameter.kind == "many" and text.startswith(("(", "[")) and text.endswith((")", "]")):
                text = text[1:-1].rstrip(",")
            written.append(text)
        return f"{callee}({', '.join(one for one in written if one)})"

    def callee(self, path: str, style: str) -> str:
        """A function or class of torch, as it is named after the import that the style takes."""
        owner, _, name = path.rpartition(".")
        if style == "from" and owner not in ("torch", "torch.Tensor"):
            self.imports.append(f"from {owner} import {name}")
            return name
        if style == "short" and owner in SHORT:
            line, short = SHORT[owner]
            self.imports.append(line)
            return f"{short}.{name}"
        if owner.count(".") and owner != "torch.Tensor" and owner not in SHORT:
            self.imports.append(f"import {owner}")
        return path

    def text(self, body: Iterable[str]) -> str:
        return "\n".join([*self.imports, "", *self.setup, *body]) + "\n"
