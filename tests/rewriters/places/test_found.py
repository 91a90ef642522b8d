"""What has been found of all files is not looked for again in each piece of them."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

import pytest

from rewriters.files import Files
from rewriters.places import Places, lookup
from rewriters.places.findings import Found

SOURCE = b"""
import torch


def parts(x):
    return x.chunk(2)


def change(x):
    first, second = parts(x)
    first.add_(1)
    return x
"""


def places_of(files: Files, found: Found | None = None) -> Places:
    return Places(frozenset({"torch.Tensor.chunk"}), files.modules.values(), found)


def test_functions_are_walked_once() -> None:
    files = Files.read({PurePosixPath("a.py"): SOURCE}, "")
    files.inferred()
    (module,) = files.modules.values()
    _, function = module.nodes.of(ast.FunctionDef)
    first = places_of(files)
    assert len(first.given_out) == 1
    broken = first.broken(function, module)
    assert len(broken) == 1
    second = places_of(files, first.found)
    assert second.broken(function, module) == broken
    assert second.kept(function, module) == first.kept(function, module)
    assert not second.flows
    assert places_of(files).broken(function, module) != []  # which walks it


def test_what_one_piece_finds_another_does_not_see() -> None:
    files = Files.read({PurePosixPath("a.py"): SOURCE}, "")
    files.inferred()
    (module,) = files.modules.values()
    found = Found()
    one = places_of(files, found)
    assert one.broken(next(iter(module.nodes.of(ast.FunctionDef))), module) == []
    assert one.given_out
    assert found == Found()


def test_nothing_of_all_files_is_left_for_a_piece_of_them() -> None:
    files = Files.read({PurePosixPath("a.py"): SOURCE}, "")
    files.inferred()
    places = places_of(files)
    assert None in vars(places.found).values()
    places.look_at_all()
    assert None not in vars(places.found).values()


def test_walks_that_are_let_go_are_walked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files.read({PurePosixPath(name): SOURCE for name in ("a.py", "b.py")}, "")
    files.inferred()
    kept, thin = places_of(files), places_of(files)
    kept.look_at_all()
    monkeypatch.setattr(lookup, "WALKS", 0)
    thin.look_at_all()
    assert len(thin.flows) < len(kept.flows)
    for one in (thin, kept):  # changes are of the walk that found them
        one.found.broken = {node: [event for event, _ in found] for node, found in one.found.broken.items()}  # type: ignore[misc]
    alike = ("given_out", "lines", "changing", "copying", "summaries", "broken", "kept", "itself_out", "changed")
    assert [getattr(thin.found, name) for name in alike] == [getattr(kept.found, name) for name in alike]
