"""Records made of the calls that were executed."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from checks.proof.judge import AGREES, RAISED, pool_differs
from migrate.proof.example import example
from migrate.proof.record import Record, digest
from migrate.proof.run import Proved
from migrate.proof.samples import COMPOSED
from rewriters.report import Outcome, Word
from rewriters.rules.rulebook import Rule, Rulebook, dotted
from rewriters.target import Target
from rewriters.text.parsing import module_of
from rewriters.torch.table import table

RARE = {"int64", "bool", "float64", "bfloat16", "empty", "0-d", "out", "view"}


class Ending(Word):
    """How a call ended."""

    PASSED = "passed"
    FAILED = "failed"
    LIMIT = "limit"
    MARKED = "marked"
    UNTRIED = "untried"


ENDINGS = PASSED, FAILED, LIMIT, MARKED, UNTRIED = tuple(Ending)


def records(rows: Iterable[Proved], book: Rulebook, target: Target, names: Iterable[str]) -> dict[str, Record]:
    """One for each name, also for those that no sample calls."""
    by_name: dict[str, list[Proved]] = defaultdict(list)
    for row in rows:
        for name in names_of(row, ending(row) == PASSED):
            by_name[name].append(row)
    return {name: record(name, by_name[name], book, target) for name in names}


def names_of(row: Proved, passed: bool) -> set[str]:
    """Names for which it counts that a call agrees, or does not."""
    # A sample of one name says nothing against the others that it is printed with; what agrees speaks for them too.
    whole = row.form.body is not None and row.form.group != COMPOSED
    others = not row.form.key or (whole and passed)
    return {row.form.key} | ({api for api, _, _ in row.sites} if others else set())


def record(name: str, rows: list[Proved], book: Rulebook, target: Target) -> Record:
    found = Record(digest(book, name, target))
    forms: Counter[str] = Counter()
    given: set[str] = set()
    ratios: list[float] = []
    caveats: set[str] = set()
    for row in rows:
        if row.form.group == COMPOSED:
            compose(found, row)
            continue
        outcomes = {outcome for api, outcome, _ in row.sites if api == name}
        end = ending(row)
        marked = end == MARKED or (end == UNTRIED and Outcome.MARKED in outcomes)
        found.marked += marked
        if marked or end != UNTRIED:
            found.tried.setdefault(row.form.group, [0, 0, 0])[2 if marked else ENDINGS.index(end)] += 1
        if marked or row.verdict is None:
            continue
        if end == LIMIT:
            found.limits += 1
            found.limit = found.limit or f"{row.form.repro}: {row.verdict.finding[:200]}"
            continue
        ratios += row.verdict.pooled
        if end == PASSED:
            found.passed += 1
            found.gradients += bool(row.verdict.gradients)
            caveats.update(row.verdict.caveats)
            forms.update(outcomes)
            given |= exercised(row, name, book.rules.get(name, []))
        else:
            found.failed += 1
            found.failing.setdefault(row.form.sample, []).append(row.form.kind)
            found.first = found.first or f"{row.form.repro}: {row.verdict.finding[:200]}"
    found.tried = dict(sorted(found.tried.items()))
    found.float32 = float32_samples(name, rows)
    pooled = pool_differs(ratios)
    if pooled is not None and not found.failed:
        found.failed, found.first = 1, f"small results stand {pooled:.3g} times above the noise floor, taken together"
        found.failing = {"pooled": ["small results"]}
    found.forms = dict(sorted(forms.items()))
    found.caveats = sorted(caveats)
    found.unexercised = [p for p in parameters(name, book) if p not in given]
    found.failing = {label: sorted(set(kinds)) for label, kinds in sorted(found.failing.items())}
    found.example = example(name, [row for row in rows if ending(row) == PASSED])
    return found


def compose(found: Record, row: Proved) -> None:
    """Count a composition."""
    end = ending(row)
    if end == UNTRIED and not any(outcome == Outcome.MARKED for _, outcome, _ in row.sites):
        return
    found.composed = found.composed or [0, 0, 0]
    found.composed[0 if end == PASSED else 1 if end == FAILED else 2] += 1
    if end == FAILED:
        assert row.verdict is not None
        found.failing.setdefault(row.form.sample, []).append(row.form.kind)
        found.uncomposed = found.uncomposed or f"{row.form.repro}: {row.verdict.finding[:200]}"


def ending(row: Proved) -> Ending:
    """How a call ended; untried where it was not executed."""
    if row.verdict is None:
        return UNTRIED
    if row.verdict.finding.startswith(("NotImplementedError: ", "NotConvertedError: ")):
        return MARKED  # the rule itself says so where it runs: it was called by its helper
    if is_limit(row):
        return LIMIT
    return PASSED if row.verdict.outcome == AGREES else FAILED


def float32_samples(name: str, rows: Iterable[Proved]) -> list[int]:
    """[samples of OpInfo in float32 that call the name and agree, all of them]; empty when there is none.

    A sample agrees when every way to write it does, but for what is refused aloud where few callers write it: by the
    target where the first argument is named, by the rewriter there and where the arguments are starred.
    """
    samples: dict[str, set[Ending]] = defaultdict(set)
    for row in rows:
        if row.form.source == "opinfo" and row.form.dtype == "float32" and row.form.key == name:
            end = ending(row)
            if end not in {MARKED, UNTRIED} or not row.form.kind.endswith(("starred", "all keyword")):
                samples[row.form.sample].add(end)
    agree = sum(1 for ends in samples.values() if PASSED in ends and ends <= {PASSED, LIMIT})
    return [agree, len(samples)] if samples else []


def on_record(row: Proved, records: Mapping[str, Record]) -> bool:
    """Whether the records that count this call leave no doubt that it agrees, though it was not executed now."""
    form = row.form
    counted = [records[name] for name in names_of(row, passed=False) if name in records]
    tried = [record.tried.get(form.group, [0, 0, 0]) for record in counted]
    rare = form.dtype in RARE or form.dtype == "eval" or form.kind.endswith("all keyword")
    refusable = rare or any(outcome == Outcome.HELPER for _, outcome, _ in row.sites)  # aloud, where it runs
    return (
        bool(counted)
        and all(agree for agree, _, _ in tried)
        and not any(form.kind in record.failing.get(form.sample, []) for record in counted)
        and not (refusable and all(refused for _, _, refused in tried))
    )


def is_limit(row: Proved) -> bool:
    """Whether the target refuses aloud what few callers ask for: it raises, on such a sample, or for such a keyword."""
    assert row.verdict is not None
    if row.form.dtype == "eval" and row.verdict.finding.startswith("gradient: "):
        return ";" not in row.verdict.finding  # the output agrees; few callers differentiate a module in eval mode
    rare = row.form.dtype in RARE or row.form.kind.endswith("all keyword")
    return row.verdict.outcome == RAISED and rare


def parameters(name: str, book: Rulebook) -> list[str]:
    """Parameters that a caller can give, without self and input: the rule's; torch's own where the name is the same."""
    rules = book.rules.get(name)
    if rules is None:
        words = table()["names"].get(name, {}).get("parameters", [])
        names = [word.split("=")[0].lstrip("*") for word in words if word != "*"]
    else:
        names = [p for rule in rules for p in spelled(rule)]
    return [p for p in dict.fromkeys(names) if p not in {"self", "input", "args", "kwargs", "out"}]


def spelled(rule: Rule) -> list[str]:
    spec = rule.parameters
    words = [*spec.posonlyargs, *spec.args, *([spec.vararg] if spec.vararg else []), *spec.kwonlyargs]
    return [argument.arg for argument in words]


def exercised(row: Proved, name: str, rules: list[Rule]) -> set[str]:
    """Parameters that the calls of ``name`` in this sample give."""
    last = name.rpartition(".")[2]
    given: set[str] = set()
    method = name.startswith("torch.Tensor.") or row.form.kind.startswith(("method", "in-place"))
    for node in ast.walk(
        module_of("\n".join(filter(None, [row.form.text, row.form.body and in_function(row.form.body)])))
    ):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if called != last and called not in {other.rpartition(".")[2] for rule in rules for other in rule.keys}:
            continue
        given |= {word.arg for word in node.keywords if word.arg}
        count = len(node.args)
        if count == 1 and isinstance(node.args[0], ast.Starred) and isinstance(node.args[0].value, ast.Tuple):
            count = len(node.args[0].value.elts)
        start = 1 if method and not (dotted(node.func) or "").startswith("torch.") else 0
        orders = [spelled(rule) for rule in rules] or [positional(name)]
        for order in orders:
            given |= set(order[start : start + count])
    return given


def in_function(body: str) -> str:
    return "def sample():\n" + "\n".join(f"    {line}" for line in body.split("\n"))


def positional(name: str) -> list[str]:
    words = table()["names"].get(name, {}).get("parameters", [])
    return [word.split("=")[0].lstrip("*") for word in words if word != "*"]
