"""Which torch names are the same in a target: found by trying the identity on all of their samples.

python -m migrate.proof.same TARGET
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path

from checks.proof.judge import AGREES, pool_differs
from migrate import environments
from migrate.proof import store as proof_store
from migrate.proof.run import Proved, prove, workers
from migrate.proof.samples import entries
from migrate.proof.summing import exercised, float32_samples, is_limit, parameters
from rewriters.rules.layouts import layouts
from rewriters.rules.rulebook import Rulebook
from rewriters.target import Target
from rewriters.torch.table import entry


def trial(names: list[str], folder: Path) -> Path:
    """A rule file that claims that all of these names are the same."""
    path = folder / "identity.py"
    lines = ",\n    ".join(json.dumps(name) for name in names)
    path.write_text(f"from rewriters.rule import same\n\nsame(\n    {lines},\n)\n", encoding="utf-8")
    return path


#: Databases whose names are on trial together; whether modules are laid out by the target's rules meanwhile.
TRIALS = ((("opinfo", "moduleinfo"), False), (("variations",), False), (("optiminfo", "schedulers"), True))

#: What variations are printed with: the target's rules answer for these there, and they are not on trial.
PRINTED_WITH = {"torch.Tensor.to", "torch.Tensor.transpose", "torch.Tensor.zero_", "torch.Tensor.__getitem__"}


def try_identity(target: Target, work: Path, only: set[str] | None = None) -> list[Proved]:
    """Every public name's samples, converted as if the name were the same.

    Optimizers and schedules train a layer that is converted by its rule: only they are on trial then.
    """
    rows = []
    interpreter = environments.find_interpreter(target.name)
    for kinds, by_rules in TRIALS:
        forms = [form for item in entries(kinds=kinds) for form in item.forms() if entry(form.key) is not None]
        if kinds == ("variations",):
            forms = [form for form in forms if form.key not in PRINTED_WITH]
        if only is not None:
            forms = [form for form in forms if form.key in only]
        if forms:
            with tempfile.TemporaryDirectory(prefix="migrate-identity-") as name:
                rules = trial(sorted({form.key for form in forms}), Path(name))
                layout = layouts(target.name) if by_rules else None
                rows += prove(forms, target, interpreter, work / kinds[0], (rules,), workers(), layout)
    return rows


@dataclass
class Table:
    """What the trial says of each name.

    same:     name -> number of calls, all of which agree.
    limits:   name that is the same -> what the target refuses aloud, and torch takes.
    traps:    name that is not the same -> how many calls agree, and the first that does not.
    unproved: name that is the same -> parameters of torch's that no agreeing call gives.
    caveats:  name that is the same -> what was left out of the comparison.
    float32:  name that is the same -> samples of OpInfo in float32 that agree.
    """

    same: dict[str, int] = field(default_factory=dict)
    limits: dict[str, str] = field(default_factory=dict)
    traps: dict[str, str] = field(default_factory=dict)
    unproved: dict[str, list[str]] = field(default_factory=dict)
    caveats: dict[str, list[str]] = field(default_factory=dict)
    float32: dict[str, int] = field(default_factory=dict)


def tabulate(rows: list[Proved]) -> Table:
    """Judge names by their calls.

    A name is the same when every call agrees. An error that the target raises on a dtype other than float32, or for a
    first argument that is named, does not make it a trap: it is loud, and listed as a limit.
    """
    by_name: dict[str, list[Proved]] = defaultdict(list)
    for row in rows:
        if row.verdict is not None:
            by_name[row.form.key].append(row)
    found = Table()
    for name, tried in sorted(by_name.items()):
        bad = [row for row in tried if row.verdict is not None and row.verdict.outcome != AGREES]
        limits = [row for row in bad if is_limit(row)]
        bad = [row for row in bad if not is_limit(row)]
        agree = len(tried) - len(bad) - len(limits)
        pooled = pool_differs([ratio for row in tried if row.verdict is not None for ratio in row.verdict.pooled])
        if bad or not agree:
            first = [*bad, *limits][0]
            found.traps[name] = f"{agree} of {len(tried)} agree; first failure: {finding(first)}"
        elif pooled is not None:
            found.traps[name] = (
                f"{agree} of {len(tried)} agree, but small results stand {pooled:.3g} times above the noise floor"
            )
        else:
            found.same[name] = agree
            if caveats := {c for row in tried if row.verdict is not None for c in row.verdict.caveats}:
                found.caveats[name] = sorted(caveats)
            if samples := float32_samples(name, tried):
                found.float32[name] = samples[0]
            given = set().union(*(exercised(row, name, []) for row in tried if row not in limits))
            never = [p for p in parameters(name, Rulebook()) if p not in given]
            if never:
                found.unproved[name] = never
            if limits:
                found.limits[name] = f"{len(limits)} of {len(tried)} raise; first: {finding(limits[0])}"
    return found


def finding(row: Proved) -> str:
    assert row.verdict is not None
    return f"{row.form.repro}: {row.verdict.finding[:160]}"


def write(target: Target, found: Table, framework: str) -> Path:
    content = {"names" if key == "same" else key: value for key, value in asdict(found).items()}
    return proof_store.write_same(target, content, framework)
