"""The output folder: what may be written into, what a failed or killed run leaves there."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import CONVERTED_MODEL, MODEL, refused, tree, write

NEXT = MODEL.replace('"""A small network."""', '"""A small network, second version."""')


def test_other_content_is_refused(convert, project):
    out = write(project.with_name("net-paddle"), {"thesis.tex": "years of work"})
    before = tree(out)
    assert refused(convert(project), "net-paddle: exists and holds other files", "--force")
    assert tree(out) == before
    assert convert(project, "--force").code == 0
    assert (out / "thesis.tex").read_text() == "years of work"
    assert (out / "model.py").read_text() == CONVERTED_MODEL


def test_an_empty_folder_is_used(convert, project):
    out = project.with_name("net-paddle")
    out.mkdir()
    assert convert(project).code == 0
    assert (out / "model.py").read_text() == CONVERTED_MODEL


def test_own_output_is_recognised(convert, project):
    assert convert(project).code == 0
    before = tree(project.with_name("net-paddle"))
    assert convert(project).code == 0
    assert tree(project.with_name("net-paddle")) == before


def test_output_of_another_target_is_refused(convert, project):
    out = project.with_name("out")
    assert convert(project, "-o", out, "--to", "paddle").code == 0
    before = tree(out)
    assert refused(convert(project, "-o", out, "--to", "oneflow"), "holds a conversion to paddle", "oneflow")
    assert tree(out) == before
    assert convert(project, "-o", out, "--to", "oneflow", "--force").code == 0
    assert convert(project, "-o", project.with_name("fresh"), "--to", "oneflow").code == 0
    assert tree(out) == tree(project.with_name("fresh"))


def test_a_damaged_record_is_refused(convert, project):
    assert convert(project).code == 0
    (project.with_name("net-paddle") / ".migrate" / "conversion.json").write_text("{")
    assert refused(convert(project), "conversion.json: not a record")


@pytest.mark.parametrize("kind", ["file", "fifo", "broken link"])
def test_something_else_in_its_place(convert, project, kind):
    out = project.with_name("net-paddle")
    if kind == "file":
        out.write_text("mine")
    elif kind == "fifo":
        os.mkfifo(out)
    else:
        out.symlink_to("nowhere")
    assert refused(convert(project), "net-paddle: exists and is not a folder")
    assert out.is_symlink() or out.exists()


def test_a_link_to_a_folder_is_followed(convert, project):
    (project.parent / "disk").mkdir()
    project.with_name("net-paddle").symlink_to("disk")
    assert convert(project).code == 0
    assert (project.parent / "disk" / "model.py").read_text() == CONVERTED_MODEL
    assert project.with_name("net-paddle").is_symlink()


@pytest.mark.parametrize("out", ["/proc/net-paddle", "/dev/null/out", "file/below"])
def test_where_nothing_can_be_written(convert, project, monkeypatch, out):
    monkeypatch.chdir(project.parent)
    Path("file").write_text("mine")
    assert refused(convert(project, "-o", out), f"{out}: ")
    assert refused(convert(project / "model.py", "-o", f"{out}.py"), f"{out}.py: ")
    assert sorted(path.name for path in project.parent.iterdir()) == ["file", "net"]


@pytest.mark.skipif(os.geteuid() == 0, reason="mode bits do not bind root; the test above does")
def test_a_read_only_folder(convert, project):
    out = project.with_name("net-paddle")
    assert convert(project).code == 0
    before = tree(out)
    write(project, {"model.py": NEXT})
    out.chmod(0o555)
    try:
        assert refused(convert(project), "net-paddle: cannot be written: Permission denied")
    finally:
        out.chmod(0o755)
    assert tree(out) == before


def limited(*arguments: object, most: int) -> subprocess.CompletedProcess[str]:
    """The command where no file may grow beyond ``most`` bytes, as on a full disk."""
    return subprocess.run(
        [sys.executable, "-B", "-m", "migrate", "convert", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )


@pytest.mark.framework
@pytest.mark.parametrize("big", ["a.py", "zlast.bin"])
def test_a_full_disk_leaves_the_earlier_output_as_it_was(convert, project, big):
    out = project.with_name("net-paddle")
    assert convert(project).code == 0
    before = tree(out)
    text = NEXT + "# " + "x" * 5000 + "\n"
    write(project, {"model.py": NEXT, big: text if big == "a.py" else os.urandom(5000)})
    done = limited(project, most=4000)
    assert done.returncode == 2, done.stderr
    assert "net-paddle: cannot be written: File too large\n  mend: " in done.stderr
    assert tree(out) == before
    assert sorted(path.name for path in project.parent.iterdir()) == ["net", "net-paddle"]


@pytest.mark.framework
def test_a_full_disk_leaves_nothing_where_nothing_was(project):
    write(project, {"big.bin": os.urandom(5000)})
    before = tree(project.parent)
    assert limited(project, most=4000).returncode == 2
    assert limited(project / "model.py", "-o", project.parent / "new.py", most=100).returncode == 2
    assert tree(project.parent) == before


def test_a_rule_file_that_cannot_be_read_leaves_the_earlier_output_as_it_was(convert, project):
    assert convert(project).code == 0
    write(project, {"model.py": NEXT})
    before = tree(project.parent)
    (project.parent / "rules.py").write_text("@rule(torch.cat\n")
    assert refused(convert(project, "--rules", project.parent / "rules.py"), "rules.py:1: ", "correct the rule file")
    (project.parent / "rules.py").unlink()
    assert tree(project.parent) == before


@pytest.mark.framework
@pytest.mark.parametrize("fresh", [True, False], ids=["new", "again"])
def test_a_killed_run_leaves_the_earlier_output_as_it_was(convert, project, tmp_path, fresh):
    out = tmp_path / "out"
    if not fresh:
        assert convert(project, "-o", out).code == 0
    write(project, {"model.py": NEXT, **{f"data/{number}.txt": f"{number}" * 1000 for number in range(800)}})
    before = tree(out)
    running = subprocess.Popen([sys.executable, "-m", "migrate", "convert", project, "-o", out], stderr=subprocess.PIPE)
    where = tmp_path if fresh else out
    deadline = time.monotonic() + 60
    while not list(where.glob(".*.partial/model.py")):
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.001)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    partial = {name: data for name, data in tree(out).items() if ".partial" not in name}
    assert partial == before
    assert out.exists() is not fresh
    # The next run is not confused by what is left
    for left in where.glob(".*.partial"):
        shutil.move(left, project)
    assert convert(project, "-o", out).code == 0
    assert convert(project, "-o", tmp_path / "clean").code == 0
    assert tree(out) == tree(tmp_path / "clean")


@pytest.mark.parametrize("moved", range(8))
def test_a_run_that_ends_while_files_are_moved_is_made_good_by_the_next(convert, project, monkeypatch, moved):
    """Each file is whole, the old or the new one; hand edits survive."""
    write(project, {"other.py": MODEL, "gone.py": MODEL})
    assert convert(project).code == 0
    out = project.with_name("net-paddle")
    edited = out / "model.py"
    edited.write_text(edited.read_text() + "\n# mine\n")
    write(project, {"model.py": NEXT, "other.py": NEXT, "new.py": NEXT})
    (project / "gone.py").unlink()
    replace, left = Path.replace, [moved]

    def failing(path: Path, target: Path) -> Path:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return replace(path, target)

    old, current = CONVERTED_MODEL, CONVERTED_MODEL.replace("network.", "network, second version.")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", failing)
        assert convert(project).code != 0
    assert not list(out.glob(".*.partial"))
    assert (out / "other.py").read_text() in (old, current)
    assert edited.read_text() in (old + "\n# mine\n", current + "\n# mine\n")
    assert convert(project).code == 0
    assert edited.read_text() == current + "\n# mine\n"
    edited.write_text(current)
    assert convert(project, "-o", out.with_name("clean")).code == 0
    assert tree(out) == tree(out.with_name("clean"))


def test_a_folder_in_the_place_of_a_file(convert, project):
    out = project.with_name("net-paddle")
    assert convert(project).code == 0
    (out / "zoo.py").mkdir()
    (out / "deep").write_text("a file")
    before = tree(out)
    write(project, {"model.py": NEXT, "zoo.py": MODEL})
    assert refused(convert(project), "zoo.py: is a folder")
    (project / "zoo.py").unlink()
    write(project, {"deep/a.py": MODEL})
    assert refused(convert(project), "deep: is no folder")
    assert tree(out) == before


def test_nothing_is_written_through_a_link_in_the_output(convert, project, tmp_path):
    out = project.with_name("net-paddle")
    write(project, {"sub/a.py": MODEL})
    assert convert(project).code == 0
    shutil.rmtree(out / "sub")
    (tmp_path / "elsewhere").mkdir()
    (out / "sub").symlink_to(tmp_path / "elsewhere")
    assert refused(convert(project), "sub: is no folder")
    assert not list((tmp_path / "elsewhere").iterdir())


def test_output_inside_the_source(convert, project):
    for target in ("paddle", "oneflow", "paddle"):
        assert convert(project, "--to", target, "-o", project / "build" / target).code == 0
    for target in ("paddle", "oneflow"):
        names = {name for name in tree(project / "build" / target) if not name.startswith(".migrate")}
        assert names == {"model.py", "README.md", "requirements.txt"}


def test_an_output_is_not_converted_again(convert, project):
    assert convert(project, "--to", "oneflow").code == 0
    out = project.with_name("net-oneflow")
    assert refused(convert(out), "net-oneflow: is itself the output of a conversion")
