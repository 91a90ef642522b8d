"""The few parts of which the plots are drawn: elements, scales, axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, LEFT, RIGHT = 760, 64, 12
"""In the units of the view box, which a browser scales: text of 11 is readable from 700 px of width on."""


def element(tag: str, text: str = "", **attributes: object) -> str:
    """``class_`` is class, ``stroke_width`` stroke-width; a title child becomes the tooltip."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items()
    )
    return f"<{tag}{written}>{text}</{tag}>" if text else f"<{tag}{written}/>"


def titled(tag: str, title: str, **attributes: object) -> str:
    return element(tag, f"<title>{escape(title)}</title>", **attributes)


def label(x: float, y: float, text: str, **attributes: object) -> str:
    return element("text", escape(text), x=f"{x:.1f}", y=f"{y:.1f}", **attributes)


def line(points: Iterable[tuple[float, float]], class_: str) -> str:
    """A polyline; nothing for fewer than two points."""
    written = [f"{x:.1f},{y:.1f}" for x, y in points]
    return element("polyline", points=" ".join(written), class_=class_, fill="none") if len(written) > 1 else ""


def drawing(height: float, title: str, parts: Iterable[str]) -> str:
    """The whole; the title is what a screen reader says."""
    inner = f"<title>{escape(title)}</title>" + "".join(parts)
    return element("svg", inner, viewBox=f"0 0 {WIDTH} {height:g}", role="img", xmlns="http://www.w3.org/2000/svg")


@dataclass(frozen=True)
class Scale:
    """Values to the vertical place between ``bottom`` and ``top``; logarithmic or not. Values beyond are clipped."""

    low: float
    high: float
    bottom: float
    top: float
    log: bool

    def __call__(self, value: float) -> float:
        if math.isnan(value):
            value = self.high
        value = min(max(value, self.low), self.high)
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.bottom + share * (self.top - self.bottom)

    def ticks(self) -> list[tuple[float, str]]:
        """(value, label) of at most seven."""
        if self.log:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            step = max(1, math.ceil((last - first) / 6))
            return [(10.0**power, f"1e{power}") for power in range(first, last + 1, step)]
        return [(value, f"{value:.3g}") for value in (self.low + i * (self.high - self.low) / 4 for i in range(5))]

    def axis(self) -> list[str]:
        """Lines across the plot, labelled at the left."""
        parts = []
        for value, text in self.ticks():
            y = self(value)
            parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="grid"))
            parts.append(label(LEFT - 6, y + 4, text, text_anchor="end"))
        return parts


def log_scale(values: Iterable[float], bottom: float, top: float) -> Scale:
    """Over whole decades, two at least; what is not positive or finite does not count."""
    powers = [math.log10(value) for value in values if value > 0 and math.isfinite(value)] or [-8.0, -6.0]
    low, high = math.floor(min(powers)), math.ceil(max(powers))
    return Scale(10.0**low, 10.0 ** max(high, low + 2), bottom, top, log=True)


def linear_scale(values: Iterable[float], bottom: float, top: float) -> Scale:
    """A little wider than the finite values."""
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    margin = (high - low or abs(high) or 1.0) * 0.05
    return Scale(low - margin, high + margin, bottom, top, log=False)


def places(count: int) -> list[float]:
    """Horizontal places of so many things side by side."""
    width = (WIDTH - LEFT - RIGHT) / max(count, 1)
    return [LEFT + (i + 0.5) * width for i in range(count)]


def names_below(names: Sequence[str], xs: Sequence[float], y: float, most: int = 26) -> tuple[list[str], float]:
    """(names under the axis, slanted, the height that they take); every n-th where there is no room for all."""
    step = max(1, math.ceil(len(names) / most))
    shown = {i: names[i] if len(names[i]) <= 20 else "…" + names[i][-19:] for i in range(0, len(names), step)}
    parts = [
        label(xs[i], y, text, text_anchor="end", transform=f"rotate(-50 {xs[i]:.1f} {y:.1f})")
        for i, text in shown.items()
    ]
    return parts, 12 + 5.2 * max(map(len, shown.values()), default=0)
