"""The proof of a target's rules on PyTorch's own samples.

    python -m migrate.proof TARGET            all rules, and the table of what is the same
    python -m migrate.proof TARGET RULE ...   these rules
    python -m migrate.proof --few 2 TARGET RULE ...  these rules by the first samples of each entry, and nothing else
    python -m migrate.proof --forms TARGET [NAME ...]  every way of calling, and nothing else
    python -m migrate.proof TARGET --examples the examples alone, of samples that are on record as agreeing

Prints what was found and brings ``proof.json`` and ``forms.json`` (and ``same.json``) in the target's ``records`` up to
date.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path

from filelock import FileLock
from rich.console import Console
from rich.table import Table
from rich.text import Text

from migrate import environments
from migrate.errors import Unusable
from migrate.proof import calling as proof_calling
from migrate.proof import databases as proof_databases
from migrate.proof import record as proof_record
from migrate.proof import same as proof_same
from migrate.proof import store as proof_store
from migrate.proof import summing
from migrate.proof import ways as proof_ways
from migrate.proof.example import FEW, example, ordinary
from migrate.proof.record import Record
from migrate.proof.run import Proved, prepare, prove, workers
from migrate.proof.samples import KINDS, Entry, Form, entries
from rewriters.rules.layouts import layouts_of
from rewriters.rules.rulebook import Rulebook, load_rulebook
from rewriters.storing import home
from rewriters.target import Target, load_target
from rewriters.text.parsing import expression_of
from rewriters.torch.table import canonical


def starred(form: Form) -> Form | None:
    """The same call with its arguments in a tuple: it cannot be inlined, so the emitted helper is what runs."""
    if form.kind not in {"function", "method"} or form.body is not None:
        return None
    call = expression_of(form.text)
    if not isinstance(call, ast.Call) or not call.args:
        return None
    tuple_ = ast.Tuple(call.args, ast.Load())
    call.args = [ast.Starred(tuple_, ast.Load())]
    return replace(form, kind=f"{form.kind} starred", text=ast.unparse(ast.fix_missing_locations(call)))


def calls(names: set[str], book: Rulebook, databases: Iterable[Entry]) -> list[Form]:
    """All forms of all samples that call one of the names; written samples whatever they call, if they may."""
    found = []
    for item in databases:
        for form in item.forms():
            if form.key in names or f"{form.key}:call" in names:
                found.append(form)
                if form.key in book.rules and (helper := starred(form)):
                    found.append(helper)
            elif not form.key and mentions(form, names):
                found.append(form)
    return found


def slice_of(forms: Sequence[Form], limit: int) -> list[Form]:
    """At most so many of the calls, always the same: as many of each name, whatever order they come in.

    The more names there are, the fewer of each; hand-written samples count as one name's.
    """
    by_name: dict[str, list[Form]] = defaultdict(list)
    for form in forms:
        by_name[form.key].append(form)
    share = max(1, limit // max(1, len(by_name)))
    chosen = {}
    for those in by_name.values():
        ranked = sorted(those, key=lambda form: hashlib.sha256(f"{form.sample} {form.kind}".encode()).digest())
        chosen.update({id(form): form for form in ranked[: share if those[0].key else limit // 8]})
    return [form for form in forms if id(form) in chosen][:limit]


def mentions(form: Form, names: set[str]) -> bool:
    """Whether a written sample may call one of the names: its last part stands in the text."""
    text = f"{form.text}\n{form.body}"
    return any(name.rpartition(".")[2].split(":")[0] in text for name in names)


def prove_rules(
    target: Target,
    names: Sequence[str],
    databases: Iterable[Entry],
    work: Path,
    extra: tuple[Path, ...] = (),
    limit: int | None = None,
) -> tuple[list[Proved], dict[str, Record]]:
    """Run the samples of these names through the rewriter and the target: (what came of each call, their records).

    limit: calls that are run at most; None for all.
    """
    book = load_rulebook(target.folder, extra)
    interpreter = environments.find_interpreter(name_of(target))
    forms = calls(set(names), book, databases)
    if limit is not None:
        forms = slice_of(forms, limit)
    rows = prove(forms, target, interpreter, work, extra, workers(), layouts_of(book, target)) if forms else []
    return rows, summing.records(rows, book, target, names)


def examples(target: Target, work: Path) -> dict[str, list[str]]:
    """Name -> [call, what became of it], of samples that are on record as agreeing: nothing is executed."""
    book = load_rulebook(target.folder)
    records = {
        name: record if record.digest == proof_record.digest(book, name, target) else Record(record.digest)
        for name, record in proof_store.read(target).items()
    }
    kinds = [kind for kind in KINDS if kind != "compositions"]
    found: dict[str, list[str]] = {}
    for few in (FEW, None):  # all samples are made only of the names for which none of the first will do
        names = {name for name, record in records.items() if record.passed and name not in found}
        forms = calls(names, book, entries(names, kinds, few))
        _, jobs = prepare(forms, target, work / str(few), (), workers(), layouts_of(book, target))
        by_name: dict[str, list[Proved]] = defaultdict(list)
        for row in (row for _, tried in jobs.values() for row in chain(*tried) if summing.on_record(row, records)):
            if few and not ordinary(row):
                continue
            for name in summing.names_of(row, passed=True) & names:
                by_name[name].append(row)
        shown = {name: example(name, rows) for name, rows in by_name.items()}
        found.update({name: texts for name, texts in shown.items() if texts})
    return found


def prove_forms(target: Target, names: list[str], framework: str) -> None:
    """Every way of calling, of all names or of these."""
    began = time.perf_counter()
    work = home() / "proof" / f"forms-{target.name}"
    work.mkdir(parents=True, exist_ok=True)
    with FileLock(work / "lock") if not names else nullcontext(), tempfile.TemporaryDirectory(dir=work) as folder:
        rows = proof_calling.prove_ways(target, names, Path(folder) if names else work / "all")
    found = proof_calling.ways_of(rows, load_rulebook(target.folder), target)
    for name, ways in sorted(found.items()) if names else ():
        print(f"{name}: {ways}")
        for told in [*ways.wrong.values(), *ways.errors.values()]:
            print(f"  {told}")
    total = proof_ways.total(found.values())
    path = proof_ways.update(target, framework, found, whole=not names)
    print(f"{len(found)} names: {total} -> {path}: {time.perf_counter() - began:.0f} s")


def name_of(target: Target) -> str:
    """As ``--to`` takes it."""
    return target.name if target.folder.parent == Path(load_target("paddle").folder).parent else str(target.folder)


def show(found: dict[str, Record], console: Console) -> None:
    """What fails, and a line of sums."""
    table = Table("rule", "passed", "failed", "marked", "never given", "first failure", show_lines=False)
    for name, record in sorted(found.items(), key=lambda item: (not item[1].failed, item[0])):
        if record.failed or len(found) < 20:
            unexercised = ", ".join(record.unexercised)
            counts = (str(n) for n in (record.passed, record.failed, record.marked))
            table.add_row(name, *counts, unexercised, Text(record.first))
    console.print(table)
    untried = [name for name, record in found.items() if not record.passed and not record.failed]
    clean = sum(1 for record in found.values() if record.passed and not record.failed)
    console.print(
        f"{len(found)} rules: {clean} without a failure, {len(found) - clean - len(untried)} with, "
        f"{len(untried)} that no sample calls; {sum(r.passed for r in found.values())} calls agree"
    )
    composed = [record.composed for record in found.values() if record.composed]
    agree, fail, refused = (sum(column) for column in zip(*composed, strict=True)) if composed else (0, 0, 0)
    console.print(f"composed: {agree} calls agree, {fail} do not, {refused} are refused")
    for name, record in sorted(found.items()):
        if record.uncomposed:
            console.print(f"{name}: {record.uncomposed}", markup=False, highlight=False)
    if untried:
        console.print("no sample: " + ", ".join(sorted(untried)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m migrate.proof", description="Prove a target's rules.")
    parser.add_argument("target")
    parser.add_argument("rules", nargs="*", metavar="RULE", help="torch names; all when none is given")
    parser.add_argument("--forms", action="store_true", help="only every way of calling, of all names or of these")
    parser.add_argument(
        "--few", type=int, help="only so many samples of each entry, which the records say; not --forms"
    )
    parser.add_argument("--examples", action="store_true", help="only choose the examples anew; nothing is executed")
    arguments = parser.parse_args()
    if arguments.examples and arguments.rules:
        parser.error("--examples is of all rules")
    target = load_target(arguments.target)
    began = time.perf_counter()
    if arguments.examples:
        with tempfile.TemporaryDirectory(prefix="migrate-examples-") as folder:
            shown = examples(target, Path(folder))
        path = proof_store.illustrate(target, shown)
        print(f"{len(shown)} examples -> {path}: {time.perf_counter() - began:.0f} s")
        return
    framework = environments.find_interpreter(name_of(target)).version
    if arguments.forms:
        prove_forms(target, [canonical(name) for name in arguments.rules], framework)
        return
    book = load_rulebook(target.folder)
    known = proof_record.declared(book)
    chosen = [canonical(name) for name in arguments.rules] or known
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise Unusable(f"{target.title} has no rule for {', '.join(unknown)}", f"migrate rules --to {arguments.target}")
    work = home() / "proof"
    work.mkdir(parents=True, exist_ok=True)
    databases = entries(chosen, KINDS, arguments.few)
    if arguments.rules or arguments.few:
        with tempfile.TemporaryDirectory(prefix="rules-", dir=work) as folder:
            _, found = prove_rules(target, chosen, databases, Path(folder))
    else:
        with FileLock(work / f"whole-{target.name}.lock"):  # what was executed is kept there, to be taken up again
            rows = proof_same.try_identity(target, work / f"identity-{target.name}")
            same = proof_same.tabulate(rows)
            path = proof_same.write(target, same, framework)
            proof_databases.write()
            print(f"{len(same.same)} names are the same, {len(same.traps)} are not -> {path}")
            load_rulebook.cache_clear()
            _, found = prove_rules(target, chosen, databases, work / f"rules-{target.name}")
    show(found, Console(width=200))
    found = {name: replace(record, few=arguments.few or 0) for name, record in found.items()}
    path = proof_store.update(target, framework, found, whole=not arguments.rules)
    print(f"{path}: {time.perf_counter() - began:.0f} s")
    if not arguments.few:
        prove_forms(target, chosen if arguments.rules else [], framework)


if __name__ == "__main__":
    try:
        main()
    except Unusable as error:
        print(f"migrate: {error.message}", file=sys.stderr)
        print(f"  mend: {error.mend}", file=sys.stderr)
        sys.exit(2)
