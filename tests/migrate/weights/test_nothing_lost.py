"""Whatever ends a run, the earlier output is whole, no partial file has the final name, and the next run succeeds."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from migrate.errors import Unusable
from migrate.weights import convert
from migrate.weights.convert import convert_checkpoint
from migrate.weights.writers.verify import verify

KILLS = 50
SEED = 7


def contents(path: Path) -> dict[str, bytes]:
    if path.is_file():
        return {"": path.read_bytes()}
    return {str(part.relative_to(path)): part.read_bytes() for part in path.rglob("*") if part.is_file()}


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    """A checkpoint that takes some milliseconds to write: 16 arrays of half a megabyte."""
    path = tmp_path_factory.mktemp("large") / "large.npz"
    dice = np.random.default_rng(0)
    np.savez(path, **{f"layer{n}.weight": dice.random((256, 512), np.float32) for n in range(16)})
    return path


# Forks per run, so that fifty of them do not start fifty interpreters. Each is killed after so many seconds, or when it
# has written so many bytes.
KILLED = """
import os, signal, sys, time
from pathlib import Path
from migrate.weights.convert import convert_checkpoint
checkpoint, output = map(Path, sys.argv[1:3])
for line in sys.stdin:
    child = os.fork()
    seconds, nbytes = map(float, line.split())
    if not child:
        def progress(done, total):
            if done > nbytes:
                os.kill(os.getpid(), signal.SIGKILL)
        convert_checkpoint(checkpoint, output, force=True, progress=progress)
        os._exit(0)
    if seconds:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    print(os.waitpid(child, 0)[1], flush=True)
"""


@pytest.mark.parametrize("name", ["out.safetensors", "out.npy.d"])
def test_killed_at_random_moments(checkpoints, large, tmp_path, name):
    output = tmp_path / name
    convert_checkpoint(large, output)
    new = contents(output)
    started = time.monotonic()
    convert_checkpoint(large, output, force=True)
    takes = time.monotonic() - started
    convert_checkpoint(checkpoints / "plain.pt", output, force=True)
    old, dice, killed, midway = contents(output), random.Random(SEED), 0, 0
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, large, output], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        for number in range(KILLS // 2):
            by_time = dice.random() * takes * 1.5, 1 << 60
            by_bytes = 0, dice.random() * large.stat().st_size
            seconds, nbytes = by_time if number % 2 else by_bytes
            process.stdin.write(f"{seconds} {nbytes}\n")
            process.stdin.flush()
            killed += int(process.stdout.readline()) == signal.SIGKILL
            midway += any(path.name.endswith(".partial") for path in tmp_path.iterdir())
            if not output.exists():  # between the two renames of a folder: the earlier one stands beside it
                (aside,) = tmp_path.glob(f".{name}.*.replaced")
                assert contents(aside) in (old, new)
            else:
                assert contents(output) in (old, new)
        process.stdin.close()
    assert killed > KILLS // 8
    assert midway > KILLS // 16
    convert_checkpoint(large, output, force=True)
    assert contents(output) == new
    assert sorted(path.name for path in tmp_path.iterdir()) == [name, f"{name}.manifest.json"]
    assert not verify(output).differences


def test_a_folder_killed_between_two_renames_comes_back(checkpoints, tmp_path):
    output = tmp_path / "out.npy.d"
    convert_checkpoint(checkpoints / "plain.pt", output)
    old = contents(output)
    output.rename(tmp_path / f".out.npy.d.{2**30}.replaced")
    with pytest.raises(Unusable, match="damaged"):
        convert_checkpoint(_damaged(checkpoints, tmp_path), output, force=True)
    assert contents(output) == old


def _damaged(checkpoints: Path, folder: Path) -> Path:
    data = bytearray((checkpoints / "lying.pt").read_bytes())
    data[len(data) // 2] ^= 1  # within the largest tensor
    (folder / "damaged.pt").write_bytes(data)
    return folder / "damaged.pt"


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A file system of six megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)]
    if os.geteuid() or not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting a file system takes root; the next test limits the size of files instead")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("name", ["out.safetensors", "out.npz", "out.npy.d", "out.safetensors.d"])
def test_a_full_disk(checkpoints, large, small_disk, monkeypatch, name):
    output = small_disk / name
    shards = {"shard_size": "2MB"} if name.endswith("s.d") else {}
    convert_checkpoint(checkpoints / "plain.pt", output, **shards)
    old = contents(small_disk)
    with pytest.raises(Unusable, match=r"needs [\d,]+ bytes, and the disk has"):
        convert_checkpoint(large, output, force=True, **shards)
    assert contents(small_disk) == old
    monkeypatch.setattr(convert, "check_room", lambda path, nbytes: None)  # as if another program took the room
    with pytest.raises(Unusable, match="No space left on device") as error:
        convert_checkpoint(large, output, force=True, **shards)
    assert "make room" in error.value.mend
    assert contents(small_disk) == old
    assert not verify(output).differences


def test_files_that_may_not_grow(checkpoints, large, tmp_path):
    output = tmp_path / "out.safetensors"
    convert_checkpoint(checkpoints / "plain.pt", output)
    old = contents(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "migrate", "weights", large, "-o", output, "--force"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 20, 4 << 20)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr
    assert "File too large" in done.stderr
    assert "mend: make room" in done.stderr
    assert contents(tmp_path) == old


def test_an_interrupt_leaves_nothing(large, tmp_path):
    def progress(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert_checkpoint(large, tmp_path / "out.npz", progress=progress)
    assert not list(tmp_path.iterdir())


def test_shards_are_not_written_over_while_they_are_read(checkpoints, tmp_path):
    folder = Path(shutil.copytree(checkpoints / "sharded_safetensors", tmp_path / "x"))
    before = contents(folder)
    for output in (folder / "model-00001-of-00002.safetensors", folder):
        shards = {"shard_size": "1GB"} if output == folder else {}
        with pytest.raises(Unusable, match="is the checkpoint itself"):
            convert_checkpoint(folder / "model.safetensors.index.json", output, force=True, **shards)
    assert contents(folder) == before
