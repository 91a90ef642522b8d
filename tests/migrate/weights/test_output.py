"""Nothing that was there is lost, and nothing but files and fresh folders is written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from migrate.errors import Unusable
from migrate.weights.convert import convert_checkpoint
from migrate.weights.writers.output import check_output, written_aside


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["out.npz", "out.safetensors", "out.oneflow"])
def test_a_failed_run_leaves_the_old_output(checkpoints, damaged, tmp_path, name):
    convert_checkpoint(checkpoints / "plain.pt", tmp_path / name)
    before = contents(tmp_path)
    with pytest.raises(Unusable, match="CRC"):
        convert_checkpoint(damaged, tmp_path / name, force=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["out.npz", "out.oneflow"])
def test_an_output_that_exists_is_replaced_only_by_force(checkpoints, tmp_path, name):
    convert_checkpoint(checkpoints / "plain.pt", tmp_path / name)
    before = contents(tmp_path)
    with pytest.raises(Unusable, match="exists") as error:
        convert_checkpoint(checkpoints / "lightning.pt", tmp_path / name)
    assert "--force" in error.value.mend
    assert contents(tmp_path) == before
    convert_checkpoint(checkpoints / "lightning.pt", tmp_path / name, force=True)
    assert contents(tmp_path) != before
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, f"{name}.manifest.json"])


def test_a_partial_file_of_a_killed_run_is_no_obstacle(checkpoints, tmp_path):
    (tmp_path / f".out.npz.{2**30}.partial").write_bytes(b"half")
    convert_checkpoint(checkpoints / "plain.pt", tmp_path / "out.npz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.npz", "out.npz.manifest.json"]


def test_the_same_checkpoint_gives_the_same_bytes(checkpoints, tmp_path):
    for suffix in ("npz", "safetensors", "oneflow"):
        for folder in ("a", "b"):
            convert_checkpoint(checkpoints / "plain.pt", tmp_path / folder / f"out.{suffix}")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_device_files_are_refused_and_stay(checkpoints):
    device = Path("/dev/null")
    with pytest.raises(Unusable, match="not a regular file"):
        convert_checkpoint(checkpoints / "plain.pt", device, to="npz", force=True)
    assert stat.S_ISCHR(device.stat().st_mode)


def test_links_foreign_folders_and_the_input_are_refused(checkpoints, tmp_path):
    source = checkpoints / "plain.pt"
    there = tmp_path / "there.npz"
    there.write_bytes(b"mine")
    link = tmp_path / "link.npz"
    link.symlink_to(there)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    for path, to, says in (
        (link, "npz", "symbolic link"),
        (folder, "npz", "is a folder"),
        (folder, "oneflow", "not of this format"),
        (there, "oneflow", "not of this format"),
        (source, "npz", "checkpoint itself"),
        (Path("/"), "npz", "no name"),
    ):
        with pytest.raises(Unusable, match=says):
            convert_checkpoint(source, path, to=to, force=True)
    assert there.read_bytes() == b"mine"
    assert (folder / "thesis.txt").read_text() == "mine"


def test_a_hard_link_to_the_input_is_the_input(checkpoints, tmp_path):
    copy = tmp_path / "copy.pt"
    copy.write_bytes((checkpoints / "plain.pt").read_bytes())
    os.link(copy, tmp_path / "hard.npz")
    with pytest.raises(Unusable, match="checkpoint itself"):
        check_output(tmp_path / "hard.npz", [copy], force=True, ours=None)


def test_a_folder_that_cannot_be_written_is_named(checkpoints, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    for output in (tmp_path / "file" / "out.npz", Path("/proc/out.npz")):
        with pytest.raises(Unusable) as error:
            convert_checkpoint(checkpoints / "plain.pt", output)
        assert str(output.parent) in error.value.message
        assert error.value.mend


def test_a_full_disk_is_reported(tmp_path):
    def write() -> None:
        with written_aside(tmp_path / "x") as aside:
            aside.write_bytes(b"half")
            Path("/dev/full").write_bytes(bytes(65536))

    with pytest.raises(Unusable, match="No space left"):
        write()
    assert not list(tmp_path.iterdir())
