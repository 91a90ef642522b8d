"""What a model computes without need, as text and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape

import migrate
from migrate.bench.leftovers import Finding, Leftovers, Tried
from migrate.bench.machine import sentence

LINES = 4
"""Of one finding, that are shown."""

SEEN = {
    "unused": "computed and not used",
    "repeated": "computed again",
    "constant": "computed from constants alone",
    "undone": "done and undone",
    "loop": "turns of a loop that do not depend on each other",
}

REMOVED = {
    "weight_norm": "torch.nn.utils.remove_weight_norm(layer)",
    "spectral_norm": "torch.nn.utils.remove_spectral_norm(layer)",
    "parametrizations": "torch.nn.utils.parametrize.remove_parametrizations(layer, name)",
    "parametrize": "torch.nn.utils.parametrize.remove_parametrizations(layer, name)",
}
"""By the module of ``torch.nn.utils`` that computes a weight from others."""


def show(found: Leftovers, machine: dict[str, Any], title: str, console: Console) -> None:
    """The machine, then each finding: what, where, the change, what it gave."""

    def say(text: str, style: str | None = None) -> None:
        console.print(escape(text), style=style, soft_wrap=True, highlight=False)

    say(sentence(machine))
    say(f"torch {found.version}, {title}: {found.operations} operations, {found.milliseconds:.3g} ms by themselves")
    if found.baked:
        say(
            "its control flow hangs on the inputs' values: only the way that these inputs take was looked at, and a "
            "finding may not hold on another",
            "yellow",
        )
    for number, one in enumerate(found.findings, 1):
        say("")
        say(f"{number}. {what(one)}: {one.share * 100:.1f} % of the time", "bold")
        for place in one.places[:LINES]:
            times = f" ({place['times']} operations)" if place["times"] > 1 else ""
            say(f"   {place['file']}:{place['line']}  {place['text']}{times}")
        if len(one.places) > LINES:
            say(f"   and {len(one.places) - LINES} more lines")
        say(f"   change: {change(one)}")
        say(f"   {outcome(one.tried)}", "green" if "faster" in one.tried.verdict and one.tried.same else None)
    say("")
    if not found.findings:
        say("nothing found that takes a noticeable share of the time")
    if found.small:
        say(f"{found.small} smaller findings are left out; --least 0 shows them")
    if found.together is not None:
        say(f"all that keep the results, loops aside, together: {outcome(found.together)}")
    say("nothing was changed: each change is tried on a trace of the model, not on its source")


def what(one: Finding) -> str:
    """In a few words."""
    if one.kind == "repeated" and one.same_as is not None and _line(one.same_as) == _line(one.places[0]):
        return "computed again in each turn of a loop or call of a function"
    if one.kind == "constant" and one.said["of_state"]:
        return "computed from parameters alone, in inference the same for every call"
    if one.kind == "undone":
        return "cast and cast back" if one.said["how"] == "cast" else "transposed, copied and transposed back"
    if one.kind == "loop":
        return f"{one.said['turns']} {SEEN['loop']}"
    return SEEN[one.kind]


def change(one: Finding) -> str:
    """What to write instead."""
    if one.kind == "unused":
        return "leave it out, with what is computed for it alone"
    if one.kind == "repeated":
        if one.same_as is None or _line(one.same_as) == _line(one.places[0]):
            return "compute it once before the loop, or before the calls, and hand the result in"
        first = one.same_as
        return f"keep the result of {first['file']}:{first['line']} in a name: {first['text']}"
    if one.kind == "constant":
        if one.said["reparametrized"]:
            names = " and ".join(REMOVED.get(name, f"{name}'s own way") for name in one.said["reparametrized"])
            return f"for inference, once the weights are loaded, take the reparametrization away: {names}"
        after = "once the weights are loaded, for inference only" if one.said["of_state"] else "in __init__"
        return f"compute it {after}, and keep it: self.register_buffer(..., persistent=False); sizes are as given here"
    if one.kind == "undone":
        return "leave out both steps" + (", or stay in the wider dtype" if one.said["how"] == "cast" else "")
    return (
        "stack what differs between the turns (of layers: their weights, once) and compute all at once: torch.vmap, bmm"
    )


def outcome(tried: Tried) -> str:
    """Equal or not, faster or not."""
    if tried.failed or tried.ratio is None:
        return f"not tried: {tried.failed}"
    equal = "the results are equal" if tried.apart == 0 else f"the results agree to {tried.apart:.0e}"
    if not tried.same:
        equal = f"it CHANGES the results, by {tried.apart:.0e} of their size"
    ratio = tried.ratio
    return f"tried: {equal}; {tried.verdict} (speed {ratio.median:.2f}, 95 % in {ratio.low:.2f} .. {ratio.high:.2f})"


def document(found: Leftovers, machine: dict[str, Any], what: dict[str, Any]) -> str:
    """JSON: everything."""
    return json.dumps({"migrate": migrate.__version__, **what, "machine": machine, **asdict(found)}, indent=1) + "\n"


def _line(place: dict[str, Any]) -> tuple[str, int]:
    return place["file"], place["line"]
