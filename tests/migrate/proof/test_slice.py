"""No record gets worse: a fixed slice of the samples for every rule, all of them for a rule that changed.

A rule's proof as a whole is `make prove TARGET=paddle RULE=torch.max`; this is what a change of the engine, of a rule
or of the judge must pass at once.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.proof import calling as proof_calling
from migrate.proof import record as proof_record
from migrate.proof import store as proof_store
from migrate.proof import ways as proof_ways
from migrate.proof.prove import prove_rules
from migrate.proof.samples import KINDS, entries
from rewriters.rules.rulebook import load_rulebook
from rewriters.target import load_target

pytestmark = pytest.mark.framework

FEW = 2  # samples of each entry of PyTorch's databases
CALLS = 6000  # of all rules together: the more rules, the fewer of each
# JAX compiles each call, and its records are of the first samples, without compositions and variations.
OF_JAX = (("moduleinfo", "lazymodules", "optiminfo", "schedulers", "written", "opinfo"), FEW, 600)


@pytest.mark.parametrize(
    ("name", "kinds", "few", "calls"),
    [("paddle", KINDS, None, CALLS), ("oneflow", KINDS, None, CALLS), ("jax", *OF_JAX)],
)
def test_no_record_is_worse(name: str, kinds: tuple[str, ...], few: int | None, calls: int, tmp_path: Path) -> None:
    """``few``: samples of each entry of a rule that changed."""
    target = load_target(name)
    book = load_rulebook(target.folder)
    recorded = proof_store.read(target)
    declared = proof_record.declared(book)
    if few:  # the names that came since are not on record yet
        declared = [rule for rule in declared if rule in recorded]
    changed = [
        rule
        for rule in declared
        if rule not in recorded or recorded[rule].digest != proof_record.digest(book, rule, target)
    ]
    steady = [rule for rule in declared if rule not in changed]
    found = {}
    _, slice_ = prove_rules(target, steady, entries(steady, kinds, FEW), tmp_path / "slice", limit=calls)
    found.update(slice_)
    if changed:
        _, whole = prove_rules(target, changed, entries(changed, kinds, few), tmp_path / "changed")
        found.update(whole)
    worse = [line for rule in declared for line in proof_store.worse(rule, recorded.get(rule), found[rule])]
    assert not worse, "\n".join(worse)
    assert sum(record.passed for record in slice_.values()) > 100


CALLED = ["torch.Tensor.tile", "torch.nn.functional.l1_loss", "torch.narrow", "torch.full", "torch.nn.Conv2d"]


@pytest.mark.parametrize("name", ["paddle", "oneflow"])
def test_no_way_of_calling_is_worse(name: str, tmp_path: Path) -> None:
    target = load_target(name)
    rows = proof_calling.prove_ways(target, CALLED, tmp_path)
    found = proof_calling.ways_of(rows, load_rulebook(target.folder), target)
    recorded = proof_ways.read(target)
    assert sorted(found) == sorted(CALLED)
    worse = [line for rule in CALLED for line in proof_ways.worse(rule, recorded.get(rule), found[rule])]
    assert not worse, "\n".join(worse)
    assert proof_ways.total(found.values()).right > 80


@pytest.mark.parametrize("name", ["paddle", "oneflow"])
def test_same_table_is_of_this_version(name: str) -> None:
    target = load_target(name)
    content = proof_store.same_table(target)
    assert len(content["names"]) > 100
    assert not set(content["names"]) & set(content["traps"])
    requirement = target.environment.requirements[0]
    assert proof_store.same_framework(target) == requirement.partition("==")[2]
