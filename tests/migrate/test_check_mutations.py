"""A slice of the mutation table: what the full run of benchmarks/parity_mutations.py found must stay so."""

from __future__ import annotations

import pytest

from benchmarks.mutations.corpus import FAULTS, REWRITES, VARIANTS
from benchmarks.mutations.document import document
from benchmarks.mutations.runner import Finding, run
from benchmarks.mutations.variant import GPT, RESNET

pytestmark = pytest.mark.framework

SLICES = {
    ("oneflow", GPT.name): [
        "LayerNorm eps 1e-6 for 1e-5",
        "tanh GELU for erf",
        "mask off by one",
        "square weight transposed",
        "tied weights come apart",
        "beta2 0.999 for 0.95",
        "scores as (k q^T)^T",
        "LayerNorm by sums",
        "loss from logsumexp",
    ],
    ("paddle", RESNET.name): [
        "BatchNorm eps 1e-6 for 1e-5",
        "gradient detached in the shortcut",
        "momentum convention of BatchNorm",
        "convolution in two groups of filters",
        "convolution as a product of patches",
    ],
}


@pytest.mark.parametrize(("target", "fixture"), SLICES)
def test_faults_are_caught_at_their_place_and_rewritings_let_through(python_of, target, fixture):
    python_of("torch")
    python_of(target)
    names = SLICES[target, fixture]
    chosen = [item for item in VARIANTS if item.fixture.name == fixture and item.name in names]
    assert len(chosen) == len(names)
    found = run(target, chosen)
    assert [
        (item.variant.name, item.verdict, item.level, item.layer, item.detail) for item in found if not item.good
    ] == []
    if fixture == GPT.name:
        causes = {item.variant.name: item.cause for item in found}
        assert causes["LayerNorm eps 1e-6 for 1e-5"] == "agrees when eps=1e-06"
        assert causes["tanh GELU for erf"] == "agrees when approximate='tanh'"


def test_corpus_is_large_enough_and_its_names_are_unique():
    assert len(FAULTS) >= 40
    assert len(REWRITES) >= 40
    for fixture in (GPT, RESNET):
        names = [item.name for item in VARIANTS if item.fixture is fixture]
        assert len(set(names)) == len(names)


def test_every_edit_fits_its_fixture():
    for fixture in (GPT, RESNET):
        sources = fixture.sources()
        for item in VARIANTS:
            if item.fixture is fixture:
                assert item.apply(sources) != sources, item.name


def test_an_edit_that_does_not_fit_is_named():
    item = VARIANTS[0]
    with pytest.raises(ValueError, match=f"{item.name}: .* stands 0 times in"):
        item.apply({**item.fixture.sources(), next(iter(item.fixture.sources())): b""} | {_path(item): b"import torch"})


def _path(item):
    return next(path for path in item.fixture.sources() if str(path) == item.file)


def test_document_says_what_was_missed():
    caught = Finding(FAULTS[0], "paddle", "differs", "activations", "bn1", True, 745.0, "agrees when eps=1e-06")
    missed = Finding(FAULTS[1], "paddle", "parity", ratio=1.2)
    alarm = Finding(
        REWRITES[0], "paddle", "differs", "activations", "bn1", False, 12.0, tolerances=frozenset({"assert_close"})
    )
    text = document([caught, missed, alarm], "2026-01-02")
    assert "| **migrate check** | 1 of 2, 1 at the right place | 1 of 1 |" in text
    assert f"| gpt | {FAULTS[0].name} | activations: bn1, 745 (agrees when eps=1e-06) | no | no | no |" in text
    assert f"| gpt | {FAULTS[1].name} | **missed, 1.2** |" in text
    assert f"| gpt | {REWRITES[0].name} | **activations: bn1, 12** | no | yes | no |" in text
