"""A fixture project over a mesh of four devices of JAX: as DistributedDataParallel has it, eager and compiled."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.framework

FIXTURES = Path(__file__).parents[2] / "fixtures"
SHARED_OUT = """
import tempfile

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from model import gpt_tiny


def shared_out():
    if not dist.is_initialized():
        dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)
    model = DistributedDataParallel(gpt_tiny())
    assert getattr(model, "mesh", None) is None or model.mesh.size == 4
    return model
"""


def test_the_gpt_over_four_devices(run_migrate, jax_python, monkeypatch, tmp_path):
    monkeypatch.setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=4")
    project, folder, report = tmp_path / "gpt", tmp_path / "gpt-jax", tmp_path / "report.json"
    shutil.copytree(FIXTURES / "gpt", project)
    (project / "mesh.py").write_text(SHARED_OUT)
    done = run_migrate("convert", project, "--to", "jax", "--static", "--strict", "-o", folder)
    assert done.returncode == 0, done.stderr
    asked = ("--entry", "mesh:shared_out", "--input", "int64[4,32]<96", "--train", 20, "--static", "--json", report)
    done = run_migrate("check", project, folder, "--to", "jax", *asked)
    assert done.returncode == 0, done.stdout + done.stderr
    [entry] = json.loads(report.read_text())["entries"]
    levels = {level["name"]: level["rows"] for level in entry["levels"]}
    assert {"outputs", "gradients", "steps", "static steps"} <= levels.keys()
    assert all(levels.values())
    assert len(levels["static steps"]) > 100
