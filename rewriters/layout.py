"""How a parameter of a torch module is stored by the target's module.

A constructor's rule declares it: ``@rule(torch.nn.Linear, layout={"weight": transposed})``. Rule files are read
as text, so a layout is written with the names of this module and literals only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np  # by itself it takes longer to import than the rest of the converter


@dataclass(frozen=True)
class Layout:
    """The change of one parameter or buffer on its way from torch to the target.

    name:   the target's attribute, dotted from the module (``q_proj.weight``); None keeps torch's.
    axes:   permutation of the axes as numpy.transpose takes it; None keeps the order.
    parts:  when set, torch's tensor stacks several along axis 0: the target's attributes, in order.
    drop:   when set, the target has no such parameter; the reason why nothing is lost.
    """

    name: str | None = None
    axes: tuple[int, ...] | None = None
    parts: tuple[str, ...] = ()
    drop: str = ""

    @property
    def keeps_bytes(self) -> bool:
        """True when the target stores the very same bytes (the name may differ)."""
        return self.axes is None and not self.parts and not self.drop

    def targets(self, attribute: str) -> tuple[str, ...]:
        """The target's attributes that torch's ``attribute`` becomes; empty when it is dropped."""
        if self.drop:
            return ()
        return self.parts or (self.name or attribute,)

    def apply(self, attribute: str, array: np.ndarray) -> dict[str, np.ndarray]:
        """Target attribute -> array (a view where possible).

        Raises ValueError when the array's shape does not admit the change.
        """
        import numpy as np

        names = self.targets(attribute)
        if not names:
            return {}
        if self.parts and (array.ndim == 0 or array.shape[0] % len(self.parts)):
            raise ValueError(f"{attribute}: shape {array.shape} does not split into {len(self.parts)} along axis 0")
        if self.axes is not None and array.ndim != len(self.axes):
            raise ValueError(f"{attribute}: {array.ndim} axes, the layout permutes {len(self.axes)}")
        pieces = np.split(array, len(self.parts)) if self.parts else [array]
        if self.axes is not None:
            pieces = [piece.transpose(self.axes) for piece in pieces]
        return dict(zip(names, pieces, strict=True))

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
        return "; ".join(words)


same_layout = Layout()
transposed = Layout(axes=(1, 0))


def permuted(*axes: int, name: str | None = None) -> Layout:
    """The axes in this order, as numpy.transpose takes it."""
    return Layout(name=name, axes=axes)


def renamed(name: str) -> Layout:
    """The same bytes under another attribute."""
    return Layout(name=name)


def dropped(reason: str) -> Layout:
    """The target has no such parameter, and needs none."""
    return Layout(drop=reason)


def split(*parts: str, axes: tuple[int, ...] | None = None) -> Layout:
    """Equal slices along axis 0, each with its axes permuted."""
    return Layout(parts=parts, axes=axes)
