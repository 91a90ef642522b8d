"""A fixed sample of what benchmarks/no_harm.py converts as a whole: the standard library and torch's own sources."""

from __future__ import annotations

import importlib.util
import sysconfig
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "no_harm.py"
SAMPLE = 40


def spread(folder: Path, count: int) -> list[str]:
    """Some files of a folder, evenly spread."""
    paths = sorted(str(path) for path in folder.rglob("*.py") if "lib2to3" not in path.parts)
    return paths[:: max(1, len(paths) // count)][:count]


@pytest.fixture(scope="module")
def inspect():
    spec = importlib.util.spec_from_file_location("no_harm", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.inspect


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("folder", ["stdlib", "torch"])
def test_a_sample_comes_to_no_harm(inspect, target: str, folder: str) -> None:
    root = Path(sysconfig.get_paths()["stdlib"])
    if folder == "torch":
        torch = importlib.util.find_spec("torch")
        assert torch is not None
        assert torch.origin is not None
        root = Path(torch.origin).parent
    counts, findings = inspect((target, spread(root.resolve(), SAMPLE)))
    assert counts["files"] >= SAMPLE // 2
    assert (counts["converted"] > 0) == (folder == "torch")
    assert [counts[name] for name in ("crashes", "broken", "torch-free changed", "comments lost")] == [0] * 4, findings
