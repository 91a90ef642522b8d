"""What is on record of a target's proof: ``proof.json`` and ``same.json`` in its folder, written by the proof alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from filelock import FileLock

from migrate.proof.record import Record, declared, digest
from rewriters.rules.rulebook import RuleError, load_rulebook
from rewriters.storing import home, replace_text
from rewriters.target import Target
from rewriters.torch.table import table

SAME = ("names", "limits", "unproved", "caveats", "float32", "traps")


def path_of(target: Target) -> Path:
    return target.records / "proof.json"


def read(target: Target) -> dict[str, Record]:
    """The records of a target; empty when none were made."""
    path = path_of(target)
    if not path.is_file():
        return {}
    content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {name: Record(**values) for name, values in content["rules"].items()}


def locked(target: Target) -> FileLock:
    """Held while a target's records are read, changed and written: other proofs of it may be under way."""
    key = hashlib.sha256(str(target.folder.resolve()).encode()).hexdigest()[:8]
    folder = home() / "proof"
    folder.mkdir(parents=True, exist_ok=True)
    return FileLock(folder / f"{target.name}-{key}.lock")


def update(target: Target, framework: str, found: Mapping[str, Record], whole: bool = False) -> Path:
    """Write these records beside those that are there.

    A record of a text that is no longer the rule's does not replace one of the present text, and keeps no example.

    whole: leave out names that no rule file answers for any more.
    """
    with locked(target):
        present = read(target)
        load_rulebook.cache_clear()
        try:
            book = load_rulebook(target.folder)
        except RuleError:  # somebody is at work on a rule file: what was found is kept, and judged by its digest later
            return write(target, framework, {**present, **found})
        now = {name: digest(book, name, target) for name in {*present, *found}}
        kept = {n for n in found if n in present and present[n].digest == now[n] != found[n].digest}
        records = {**present, **{name: record for name, record in found.items() if name not in kept}}
        records = {
            n: record if record.digest == now[n] else replace(record, example=[]) for n, record in records.items()
        }
        known = {*declared(book)} if whole else {*records}
        return write(target, framework, {name: record for name, record in records.items() if name in known})


def illustrate(target: Target, examples: Mapping[str, list[str]]) -> Path:
    """Write these examples into the records of the rules' present text; the other records have none."""
    with locked(target):
        framework = str(json.loads(path_of(target).read_text(encoding="utf-8"))["framework"])
        present, book = read(target), load_rulebook(target.folder)
        current = {name for name, record in present.items() if record.digest == digest(book, name, target)}
        shown = {n: replace(r, example=examples.get(n, []) if n in current else []) for n, r in present.items()}
        return write(target, framework, shown)


def write(target: Target, framework: str, found: Mapping[str, Record]) -> Path:
    """Write all records, one a line, aside and renamed."""
    rules = {name: {k: v for k, v in asdict(found[name]).items() if v not in ("", [], {}, 0)} for name in sorted(found)}
    lines = ",\n".join(f"  {json.dumps(n)}: {json.dumps(record, ensure_ascii=False)}" for n, record in rules.items())
    head = f'{{\n "framework": {json.dumps(framework)},\n "torch": {json.dumps(table()["torch"])},\n "rules": {{\n'
    return replace_text(path_of(target), f"{head}{lines}\n }}\n}}\n")


def worse(name: str, before: Record | None, now: Record) -> list[str]:
    """What got worse: failures that the record does not list."""
    if before is None:
        return [f"{name} is not on record; run: make prove RULE={name}"]
    return [
        f"{name}: {label} ({', '.join(sorted(set(kinds) - set(before.failing.get(label, []))))}) fails: {now.first}"
        for label, kinds in now.failing.items()
        if set(kinds) - set(before.failing.get(label, []))
    ]


def same_table(target: Target) -> dict[str, dict[str, Any]]:
    """The generated table of what is the same: ``SAME``; empty where it was not made."""
    path = target.records / "same.json"
    content = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {key: content.get(key, {}) for key in SAME}


def write_same(target: Target, found: Mapping[str, Any], framework: str) -> Path:
    """Write that table, with the versions that it is of."""
    content = {"framework": framework, "torch": table()["torch"], **found}
    with locked(target):
        text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False)
        return replace_text(target.records / "same.json", text + "\n")


def same_framework(target: Target) -> str:
    """The framework's version for which that table was made."""
    content = json.loads((target.records / "same.json").read_text(encoding="utf-8"))
    return str(content["framework"])
