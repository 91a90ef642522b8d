"""Records of two proofs that end at the same time: none is lost."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from migrate.proof import store as proof_store
from migrate.proof.record import Record
from migrate.proof.record import digest as proof_digest
from rewriters.rules.rulebook import load_rulebook
from rewriters.target import Target, load_target


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Target:
    monkeypatch.setenv("MIGRATE_HOME", str(tmp_path / "home"))
    (tmp_path / "folder" / "rules").mkdir(parents=True)
    return dataclasses.replace(load_target("paddle"), folder=tmp_path / "folder")


def test_no_record_is_lost(target: Target) -> None:
    names = [f"torch.name{number}" for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda name: proof_store.update(target, "3", {name: Record("d", passed=1)}), names))
    assert sorted(proof_store.read(target)) == sorted(names)


def test_a_whole_proof_forgets_what_has_no_rule(target: Target) -> None:
    proof_store.update(target, "3", {"torch.gone": Record("d")})
    (target.folder / "rules" / "a.py").write_text(
        "import torch\nfrom rewriters.rule import rule\n\n\n@rule(torch.abs)\ndef abs(input):\n    return input\n"
    )
    proof_store.update(target, "3", {"torch.abs": Record("d")}, whole=True)
    assert sorted(proof_store.read(target)) == ["torch.abs"]


def test_an_example_is_of_the_present_text(target: Target) -> None:
    (target.folder / "rules" / "a.py").write_text(
        "import torch\nfrom rewriters.rule import rule\n\n\n@rule(torch.abs)\ndef abs(input):\n    return input\n"
    )
    load_rulebook.cache_clear()
    present = proof_digest(load_rulebook(target.folder), "torch.abs", target)
    shown = ["torch.abs(a0)", "a0"]
    proof_store.update(target, "3", {"torch.abs": Record(present, example=shown), "torch.exp": Record("old")})
    assert proof_store.read(target)["torch.abs"].example == shown
    proof_store.illustrate(target, {"torch.abs": ["torch.abs(a1)", "a1"], "torch.exp": shown})
    assert proof_store.read(target)["torch.abs"].example == ["torch.abs(a1)", "a1"]
    assert proof_store.read(target)["torch.exp"] == Record("old")
    own = target.folder / "rules" / "a.py"
    own.write_text(own.read_text().replace("return input", "return -input"))
    proof_store.update(target, "3", {"torch.exp": Record("old")})
    assert proof_store.read(target)["torch.abs"] == Record(present)


def test_what_else_is_imported_is_no_part_of_a_rule(target: Target) -> None:
    own = target.folder / "rules" / "a.py"
    text = (
        "import numpy as np\nfrom rewriters.rule import {}\n\n\n"
        "@rule('torch.abs')\ndef abs(input: {}):\n    return np.abs(input)\n"
    )

    def digest(imported: str, annotation: str = "IntTensor") -> str:
        own.write_text(text.format(imported, annotation))
        return proof_digest(load_rulebook.__wrapped__(target.folder), "torch.abs", target)

    before = digest("IntTensor, refuse, rule")
    assert digest("IntTensor, rule") == before
    assert digest("FloatTensor as IntTensor, rule") != before
    assert digest("FloatTensor, rule", "FloatTensor") != before


def test_a_shared_rule_has_the_record_of_the_targets_own(target: Target) -> None:
    taking = target.folder / "rules" / "__init__.py"
    own = target.folder / "rules" / "a.py"

    def found() -> str:
        return proof_digest(load_rulebook.__wrapped__(target.folder), "torch.celu", target)

    words = '{"framework": "paddle", "Framework": "Paddle"}'
    taking.write_text(f"from rewriters.rule import shared\n\nshared({words})\n")
    shared = found()
    taking.write_text(taking.read_text().replace('"paddle"', '"paddle", "framework.nn": "paddle.incubate.nn"'))
    assert found() != shared
    taking.unlink()
    own.write_text(
        "import paddle\nimport torch\nfrom rewriters.rule import rule\n\n\n@rule(torch.celu)\n"
        "def celu(input, alpha=1.0):\n    return paddle.nn.functional.celu(input, alpha=alpha)\n"
    )
    assert found() == shared
