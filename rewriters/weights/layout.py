"""How a parameter of a torch module is stored by the target's module, in a word.

A constructor's rule declares it: ``@rule(torch.nn.Linear, layout={"weight": transposed})``. Rule files are read
as text, so a layout is written with the names of ``WORDS`` and literals only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rewriters.weights.recipe import Block, Recipe


@dataclass(frozen=True)
class Layout:
    """The change of one parameter or buffer on its way from torch to the target.

    name:   the target's attribute, dotted from the module (``q_proj.weight``); None keeps torch's.
    axes:   permutation of the axes as numpy.transpose takes it; None keeps the order.
    shape:  what it is then reshaped to, as numpy.reshape takes it; None keeps it.
    parts:  when set, torch's tensor stacks several along axis 0: the target's attributes, in order.
    drop:   when set, the target has no such parameter; the reason why nothing is lost.
    updates: how the target's own updates of a buffer differ from torch's; "" where they do not.
    """

    name: str | None = None
    axes: tuple[int, ...] | None = None
    shape: tuple[int, ...] | None = None
    parts: tuple[str, ...] = ()
    drop: str = ""
    updates: str = ""

    @property
    def keeps_bytes(self) -> bool:
        """True when the target stores the very same bytes (the name may differ)."""
        return self.axes is None and not self.parts and not self.drop

    def recipes(self, attribute: str) -> dict[str, Recipe]:
        """The target's attributes that torch's ``attribute`` becomes; empty when it is dropped."""
        if self.drop:
            return {}
        if not self.parts:
            return {self.name or attribute: Recipe(((Block(attribute),),), self.axes, self.shape)}
        count = len(self.parts)
        return {
            name: Recipe(((Block(attribute, index, count),),), self.axes, self.shape)
            for index, name in enumerate(self.parts)
        }

    def describe(self) -> str:
        """A few words for manifests and reports; empty when nothing changes."""
        if self.drop:
            return f"dropped: {self.drop}"
        words = []
        if self.parts:
            words.append("split into " + ", ".join(self.parts))
        elif self.name:
            words.append(f"renamed {self.name}")
        if self.axes is not None:
            words.append("transposed" if self.axes == (1, 0) else "axes " + ",".join(map(str, self.axes)))
        if self.shape is not None:
            words.append("flattened" if self.shape == (-1,) else "reshaped")
        return "; ".join(words)


same_layout = Layout()
transposed = Layout(axes=(1, 0))
flattened = Layout(shape=(-1,))  # to one axis


def permuted(*axes: int, name: str | None = None) -> Layout:
    """The axes in this order, as numpy.transpose takes it."""
    return Layout(name=name, axes=axes)


def shaped(*shape: int) -> Layout:
    """Reshaped, as numpy.reshape takes it."""
    return Layout(shape=shape)


def renamed(name: str, updates: str = "") -> Layout:
    """The same bytes under another attribute. updates: see Layout."""
    return Layout(name=name, updates=updates)


def dropped(reason: str) -> Layout:
    """The target has no such parameter, and needs none."""
    return Layout(drop=reason)


def split(*parts: str, axes: tuple[int, ...] | None = None) -> Layout:
    """Equal slices along axis 0, each with its axes permuted."""
    return Layout(parts=parts, axes=axes)


WORDS: dict[str, Any] = {
    "same_layout": same_layout,
    "transposed": transposed,
    "flattened": flattened,
    "permuted": permuted,
    "renamed": renamed,
    "shaped": shaped,
    "dropped": dropped,
    "split": split,
}
"""What a rule file may write after ``layout=``."""
