"""The plots of the page: error per layer with the noise floor, and loss curves laid over each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from checks.parity import floor
from checks.parity.report import Curve, Row
from migrate.reports import wording
from migrate.reports.svg import (
    LEFT,
    RIGHT,
    WIDTH,
    Scale,
    drawing,
    label,
    line,
    linear_scale,
    log_scale,
    names_below,
    places,
    titled,
)

TOP, BOTTOM = 14, 224


def error_plot(rows: Sequence[Row], what: str, when: str = "") -> str:
    """Error and floor of each row on a log scale, in the rows' order; "" when none of them was measured.

    A layer and the same layer alone stand above each other. What has no error in figures (another shape, say) stands at
    the top, as an infinite one does.
    """
    if not any(row.floor is not None for row in rows):
        return ""
    names = list(dict.fromkeys(row.name for row in rows))
    xs = dict(zip(names, places(len(names)), strict=True))
    figures = [value for row in rows for value in (row.error, row.floor, floor.FAIL * (row.floor or 0.0)) if value]
    scale = log_scale(figures, BOTTOM, TOP)
    parts = scale.axis()
    chain = [row for row in rows if row.kind != "alone" and row.floor]
    for factor, name in ((1.0, "floor"), (floor.FAIL, "limit")):
        parts.append(line(((xs[row.name], scale(factor * (row.floor or 0.0))) for row in chain), name))
    # Hollow marks first: a filled one at the same place stays visible inside.
    parts += [_mark(row, xs[row.name], scale) for row in sorted(rows, key=lambda row: row.kind != "alone")]
    below, height = names_below([name or "(the model)" for name in names], list(xs.values()), BOTTOM + 14)
    parts += [*below, label(LEFT, TOP - 4, f"rms error{when}")]
    return drawing(BOTTOM + 14 + height, f"Error of each {what} beside the noise floor, log scale", parts)


def _mark(row: Row, x: float, scale: Scale) -> str:
    error = row.error if row.error is not None else math.inf if row.verdict == "differs" else 0.0
    y = scale(error)
    said = f"{wording.title(row)}: error {wording.small(row.error)}, floor {wording.small(row.floor)}"
    said += f", ratio {wording.ratio(row)}, {row.verdict}" + (f" ({row.where})" if row.where else "")
    form = f"mark {row.verdict}"
    if row.verdict == "differs":
        size = 6 if row.kind == "alone" else 4.2
        points = f"{x:.1f},{y - size:.1f} {x + size:.1f},{y + size * 0.8:.1f} {x - size:.1f},{y + size * 0.8:.1f}"
        return titled("polygon", said, points=points, class_=f"{form} alone" if row.kind == "alone" else form)
    if row.kind == "alone":
        return titled("rect", said, x=f"{x - 3.5:.1f}", y=f"{y - 3.5:.1f}", width=7, height=7, class_=f"{form} alone")
    return titled("circle", said, cx=f"{x:.1f}", cy=f"{y:.1f}", r=2.8, class_=form)


def loss_plot(curve: Curve) -> str:
    """Both losses over the steps, and below them how far they stand apart beside the floor; "" for no steps."""
    steps = len(curve.torch)
    if not steps:
        return ""
    xs = places(steps)
    upper = linear_scale([*curve.torch, *curve.target], 150, TOP)
    parts = [*upper.axis(), label(LEFT, TOP - 4, "loss")]
    for values, name in ((curve.torch, "torch"), (curve.target, "target")):
        parts += [line(piece, f"curve {name}") for piece in _pieces(values, xs, upper)]
        parts += [
            titled(
                "circle",
                f"step {i + 1}: {name} {value:.8g}",
                cx=f"{xs[i]:.1f}",
                cy=f"{upper(value):.1f}",
                r=2.4,
                class_=f"mark {name}",
            )
            for i, value in enumerate(values)
            if math.isfinite(value)
        ]
    apart = [abs(ours - theirs) for ours, theirs in zip(curve.torch, curve.target, strict=False)]
    lower = log_scale([*apart, *curve.floor], 290, 184)
    parts += [*lower.axis(), label(LEFT, 178, "difference of the losses, and its noise floor")]
    parts.append(line(((x, lower(value)) for x, value in zip(xs, curve.floor, strict=False)), "floor"))
    for i, value in enumerate(apart):
        limit = curve.floor[i] * floor.FAIL if i < len(curve.floor) else math.inf
        verdict = "same" if value <= limit else "differs"
        said = f"step {i + 1}: {value:.3g} apart"
        parts.append(
            titled("circle", said, cx=f"{xs[i]:.1f}", cy=f"{lower(value):.1f}", r=2.8, class_=f"mark {verdict}")
        )
    every = max(1, math.ceil(steps / 20))
    parts += [label(xs[i], 306, str(i + 1), text_anchor="middle") for i in range(0, steps, every)]
    parts.append(label((LEFT + WIDTH - RIGHT) / 2, 322, "step", text_anchor="middle"))
    return drawing(328, "Loss of torch and of the target after each step", parts)


def _pieces(values: Sequence[float], xs: Sequence[float], scale: Scale) -> list[list[tuple[float, float]]]:
    """The curve without what is not finite."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for x, value in zip(xs, values, strict=False):
        if math.isfinite(value):
            pieces[-1].append((x, scale(value)))
        else:
            pieces.append([])
    return pieces
