"""Whether the target's outcome of a sample is torch's, in the vocabulary of ``checks.parity.compare``.

Known differences are left out by name, never by a wider tolerance: what is left out is listed with the verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from checks.parity.compare import DIFFERS, SMALL, Row, Side, Torch, compare
from checks.parity.floor import FAIL
from checks.parity.structure import differences

AGREES, WRONG, RAISED, CRASHED = "agrees", "differs", "raises", "crashes"

#: A single sample of few elements gives no steady rms: above FAIL it is judged with the others of its name.
ALONE = 100.0

UNINITIALIZED = ("empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided")

#: Functions whose indices are torch's choice among equals.
TIES = {
    "argmax", "argmin", "max", "min", "topk", "sort", "argsort", "msort", "kthvalue", "median", "nanmedian", "mode",
    "cummax", "cummin", "aminmax",
}  # fmt: skip

PYTHON = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}

ANOTHER = "what is returned with out= is another object than the tensor that was given and written to"
CUT_OFF = "cut off"  # as ``evaluate`` says it
COPY = "the result is a copy: what is written into it does not reach the argument, as it does in torch"

UNCHANGING = "arrays do not change: what the call gives is compared, not what its argument held afterwards"

TRAINED = (
    "the program changes its module's parameters: they and what it gives are compared, not gradients, which a function "
    "has with respect to what the parameters were before"
)

STEP = 1e-2  # of the rms: an element that half an ulp of noise moves by more stands at a jump


@dataclass
class Verdict:
    """What came of a sample.

    outcome:   agrees, differs, raises, crashes.
    finding:   in a few words what is wrong.
    caveats:   what was left out, by name.
    pooled:    (error / floor) of small outputs that only the pool of their name can judge.
    gradients: number of gradients compared.
    """

    outcome: str = AGREES
    finding: str = ""
    caveats: list[str] = field(default_factory=list)
    pooled: list[float] = field(default_factory=list)
    gradients: int = 0


def judge(
    key: str, kind: str, expected: Mapping[str, Any], result: Mapping[str, Any], here: Any, there: Any
) -> Verdict:
    """Compare.

    expected, result:  as ``reference`` and the worker leave them.
    here, there:       ``blob.Reader`` of torch's arrays and of the target's.
    """
    if "error" in result:
        return Verdict(RAISED, f"{result['error']}: {result['message']}")
    verdict = Verdict(caveats=list(expected.get("caveats", ())))
    name = key.rpartition(".")[2].rstrip("_")
    if name in UNINITIALIZED:
        return uninitialized(expected, result)
    if expected.get("random"):
        return distribution(expected, result["draws"], here, there, kind)
    nodes = dict(expected["nodes"])
    own = {path: here.get(place) for path, place in expected["own"].items()}
    target = {path: there.get(place) for path, place in result["arrays"].items()}
    target_nodes = dict(result["nodes"])
    for table, arrays in ((nodes, own), (target_nodes, target)):
        for path, described in table.items():
            if described["kind"] == "number" and path in arrays:  # a subclass of int is an int to its user
                table[path] = {**described, "dtype": PYTHON[arrays[path].dtype.kind]}
    for path in own:
        if path not in nodes:
            nodes[path] = node(own[path])
    for path in target:
        if path not in target_nodes:
            target_nodes[path] = node(target[path])
    findings = []
    if result["gradient_error"]:
        if CUT_OFF in result["gradient_error"] and gradients_are_zero(own):
            verdict.caveats.append("torch's gradient is zero everywhere, the target has none")
        else:
            findings.append(f"gradient: {result['gradient_error']}")
        own, nodes = without_gradients(own), without_gradients(nodes)
    elif not expected["through"]:
        target, target_nodes = without_gradients(target), without_gradients(target_nodes)
    else:
        zeros(own, target, nodes, target_nodes)
    if result["missing"]:
        findings.append(f"the result has no {', '.join('.' + name for name in result['missing'])}")
    findings += identity(kind, expected, result)
    if kind == "out" and any(result["returned"].get(path) != name for path, name in expected["returned"].items()):
        verdict.caveats.append(ANOTHER)
    if kind.startswith("view"):
        copies(expected, own, target, nodes, target_nodes, verdict)
    verdict.gradients = sum(path.startswith("gradient of") for path in own)
    torch = prepare(name, expected, own, nodes, here, target, verdict)
    structural = differences(torch.own.nodes, target_nodes)
    findings += [f"{path}: {note}" for path, note in structural.items()]
    for row in [] if structural else compare(torch, Side(target, target_nodes)):
        if row.verdict == DIFFERS and not updated(row, expected, verdict) and not spared(row, verdict):
            findings.append(f"{row.name}: {row.text}")
    if findings:
        verdict.outcome, verdict.finding = WRONG, "; ".join(findings)
    return verdict


def without_changes(expected: Mapping[str, Any], arguments: Collection[str]) -> dict[str, Any]:
    """For a framework whose arrays do not change: the values are compared, not what the arguments held afterwards."""
    changed = {f"{name} after the call" for name in expected.get("after", ()) if name in arguments}
    if not changed and not expected.get("returned"):
        return dict(expected)
    found = dict(expected)
    for part in ("own", "exact", "variant"):
        if part in found:
            found[part] = {path: place for path, place in found[part].items() if path not in changed}
    found["after"] = [name for name in expected.get("after", ()) if name not in arguments]
    found["returned"] = {}
    return {**found, "caveats": [UNCHANGING] if changed else []}


def without_gradients_of(expected: Mapping[str, Any]) -> dict[str, Any]:
    """For a framework that differentiates functions, where a program changed what it would be differentiated by."""
    if not expected["through"]:
        return dict(expected)
    found = {**expected, "through": [], "caveats": [*expected.get("caveats", ()), TRAINED]}
    for part in ("own", "exact", "variant"):
        if part in found:
            found[part] = without_gradients(found[part])
    if "noisy" in found:
        found["noisy"] = [without_gradients(run) for run in found["noisy"]]
    return found


def identity(kind: str, expected: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    """A call that writes in place returns its argument itself."""
    if kind != "in-place":
        return []
    wanted, found = expected["returned"], result["returned"]
    return [f"{path} is not the object {name} itself" for path, name in wanted.items() if found.get(path) != name]


def copies(
    expected: Mapping[str, Any],
    own: dict[str, Any],
    target: dict[str, Any],
    nodes: dict[str, Any],
    target_nodes: dict[str, Any],
    verdict: Verdict,
) -> None:
    """Where what was written into a view did not reach the argument: a caveat of the name, no failure of its values."""
    paths = [f"{name} after the call" for name in expected["after"]]
    if not any(path in target for path in paths):
        verdict.caveats.append(COPY)
        for path in paths:
            own.pop(path, None)
            nodes.pop(path, None)


def node(array: Any) -> dict[str, Any]:
    return {"kind": "tensor", "dtype": str(array.dtype), "shape": list(array.shape)}


def without_gradients(table: Mapping[str, Any]) -> dict[str, Any]:
    return {path: value for path, value in table.items() if not path.startswith("gradient of")}


def gradients_are_zero(table: Mapping[str, Any]) -> bool:
    return not any(np.any(array) for path, array in table.items() if path.startswith("gradient of"))


def zeros(own: dict[str, Any], target: dict[str, Any], nodes: dict[str, Any], target_nodes: dict[str, Any]) -> None:
    """No gradient and a gradient of zeros are the same to a caller."""
    for one, other, described in ((own, target, target_nodes), (target, own, nodes)):
        for path, array in one.items():
            if path.startswith("gradient of") and path not in other and not np.any(array):
                other[path] = np.zeros_like(array)
                described[path] = node(array)


def updated(row: Row, expected: Mapping[str, Any], verdict: Verdict) -> bool:
    """Whether it is a buffer that the target's module is declared to update otherwise: a caveat of the name."""
    after = " after the call"
    how = expected.get("updates", {}).get(row.name.removesuffix(after)) if row.name.endswith(after) else None
    if how:
        verdict.caveats.append(f"{row.name}: {how}")
    return bool(how)


def spared(row: Row, verdict: Verdict) -> bool:
    """Whether a small output stands so little above the floor that only the pool of its name can tell."""
    count = int(np.prod(row.shape)) if row.shape is not None else 0
    if (
        row.ratio is None
        or row.ratio > ALONE
        or count > SMALL
        or any(difference.kind != "values" for difference in row.differences)
    ):
        return False
    verdict.pooled.append(row.ratio)
    return True


def pool_differs(ratios: list[float]) -> float | None:
    """The pooled ratio of small outputs when it is beyond what rounding explains, else None."""
    if len(set(ratios)) < SMALL:  # no pool: as unsteady as a sample of few elements
        return None
    pooled = float(np.sqrt(np.mean(np.square(ratios))))
    return pooled if pooled > FAIL else None


def prepare(
    name: str,
    expected: Mapping[str, Any],
    own: dict[str, Any],
    nodes: dict[str, Any],
    here: Any,
    target: dict[str, Any],
    verdict: Verdict,
) -> Torch:
    """Torch's side of the comparison, with the points left out where torch itself jumps."""
    exact = {path: here.get(place) for path, place in expected.get("exact", {}).items() if path in own}
    variant = {path: here.get(place) for path, place in expected.get("variant", {}).items() if path in own}
    noises = [{path: here.get(place) for path, place in run.items()} for run in expected.get("noisy", [])]
    noisy: dict[str, Any] = {}
    for path, array in own.items():
        if array.dtype.kind not in "fc":
            if name in TIES and array.dtype.kind in "iu" and path in exact:
                leave_out_ties(path, array, exact, noises, target, verdict)
            continue
        base = exact.get(path)
        if base is None or base.shape != array.shape:
            exact[path] = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
            verdict.caveats.append(f"{path}: no double precision, float32 is the reference")
            continue
        runs = [run[path] for run in noises if path in run and run[path].shape == base.shape]
        if not runs:
            continue
        with np.errstate(invalid="ignore", over="ignore"):
            moves = [np.abs(run - base) for run in runs]
            scale = float(np.sqrt(np.mean(np.abs(base[np.isfinite(base)]) ** 2))) if np.isfinite(base).any() else 0.0
            jumps = np.zeros(base.shape, bool)
            for move in moves:
                jumps |= ~(move <= STEP * (scale or 1.0))
        largest = runs[int(np.argmax([np.nansum(np.where(jumps, 0, move)) for move in moves]))]
        noisy[path] = np.where(jumps, base, largest)
        if path.startswith("gradient of") and jumps.any() and path in target and target[path].shape == base.shape:
            verdict.caveats.append("gradient at a tie, an edge or a kink is left out")
            value = target[path].copy()
            value[jumps] = array[jumps]
            target[path] = value
    # What has no noise of its own still needs an entry, or it would be compared without the term.
    return Torch.of_runs(Side(own, nodes), {"no oneDNN": variant}, exact, noisy or None)


def leave_out_ties(
    path: str,
    array: Any,
    exact: Mapping[str, Any],
    noises: list[dict[str, Any]],
    target: dict[str, Any],
    verdict: Verdict,
) -> None:
    """Indices that another choice among equals would change."""
    unsteady = np.zeros(array.shape, bool)
    for run in noises:
        if path in run and run[path].shape == array.shape:
            unsteady |= run[path] != exact[path]
    found = target.get(path)
    if unsteady.any() and found is not None and found.shape == array.shape:
        verdict.caveats.append("indices at a tie are left out")
        value = found.copy()
        value[unsteady] = array[unsteady]
        target[path] = value


def uninitialized(expected: Mapping[str, Any], result: Mapping[str, Any]) -> Verdict:
    """Only dtype and shape: the values are what the memory held."""
    found = differences(expected["nodes"], result.get("draws", result)["nodes"])
    finding = "; ".join(f"{path}: {note}" for path, note in found.items())
    return Verdict(WRONG if found else AGREES, finding, ["values are uninitialized memory"])


def distribution(expected: Mapping[str, Any], drawn: Mapping[str, Any], here: Any, there: Any, kind: str) -> Verdict:
    """Random results: the same structure, dtype and shape, and each element drawn from the same distribution.

    Two-sample Kolmogorov-Smirnov on each element, at a level of 1e-6 over all of them.
    """
    findings = [f"{path}: {note}" for path, note in differences(expected["nodes"], drawn["nodes"]).items()]
    findings += identity(kind, expected, drawn)
    for path, place in expected["draws"].items():
        if findings or path not in drawn["arrays"]:
            continue
        ours, theirs = here.get(place), there.get(drawn["arrays"][path])
        if ours.shape != theirs.shape:
            findings.append(f"{path}: shapes of draws {ours.shape[1:]} and {theirs.shape[1:]}")
            continue
        count = len(ours)
        ours, theirs = (draws.reshape(count, -1).astype(np.float64) for draws in (ours, theirs))
        width = ours.shape[1]
        worst = max((ks(ours[:, i], theirs[:, i], 1e-6 / max(width, 1)) for i in range(width)), default=0.0)
        if worst > 1:
            findings.append(f"{path}: drawn from another distribution ({worst:.2g} times the Kolmogorov-Smirnov limit)")
    if findings:
        return Verdict(WRONG, "; ".join(findings), ["random: compared by distribution"])
    return Verdict(AGREES, "", ["random: compared by distribution"])


def ks(one: Any, other: Any, level: float) -> float:
    """The largest distance between the two empirical distributions, in units of what chance allows at that level.

    Values that differ by rounding alone count as one: half of a dropout's are the same number, computed in two ways.
    """
    values = np.concatenate([one, other])
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order]) > 1e-5 * (np.abs(values).max() or 1.0)
    ranks = np.empty(values.size)
    ranks[order] = np.concatenate([[0], np.cumsum(steps)])
    one, other = np.sort(ranks[: one.size]), np.sort(ranks[one.size :])
    distance = np.abs(
        np.searchsorted(one, ranks, side="right") / one.size - np.searchsorted(other, ranks, side="right") / other.size
    ).max()
    limit = np.sqrt(-np.log(level / 2) / 2) * np.sqrt((one.size + other.size) / (one.size * other.size))
    return float(distance / limit)
