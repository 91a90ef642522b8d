"""Converting again into the same folder: hand edits, and what the source no longer has."""

from __future__ import annotations

import shutil

from .conftest import BROKEN, CONVERTED_MODEL, MODEL, refused, tree, write

OLD, NEW = "width: int", "width: int = 4"


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_hand_edits_are_kept(convert, project):
    assert convert(project).code == 0
    converted = project.with_name("net-paddle") / "model.py"
    edit(converted, "paddle.concat(", "paddle.concat(x=")
    edit(project / "model.py", OLD, NEW)
    done = convert(project, "--strict")
    assert done.code == 0
    assert "kept your edits in model.py" in done.err
    expected = CONVERTED_MODEL.replace(OLD, NEW).replace("paddle.concat(", "paddle.concat(x=")
    assert converted.read_text() == expected
    assert convert(project).code == 0  # the edit outlives a third run too
    assert converted.read_text() == expected


def test_hand_edits_are_kept_when_the_source_did_not_move(convert, project):
    assert convert(project).code == 0
    converted = project.with_name("net-paddle") / "model.py"
    edit(converted, "no bias", "without a bias")
    assert convert(project, "--force").code == 0
    assert "without a bias" in converted.read_text()


def test_conflicts_are_marked(convert, project):
    assert convert(project).code == 0
    converted = project.with_name("net-paddle") / "model.py"
    edit(converted, OLD, "width: int = 8")
    edit(project / "model.py", OLD, NEW)
    done = convert(project)
    assert done.code == 0
    assert "1 conflict(s) with your edits in model.py" in done.err
    lines = converted.read_text().splitlines()
    at = lines.index("<<<<<<< edited by hand")
    end = lines.index(">>>>>>> new conversion")
    assert "width: int = 8" in lines[at + 1]
    assert f"    def __init__(self, {NEW}):" in lines[at:end]
    # still there: told again, and CI must not take it
    done = convert(project, "--strict")
    assert done.code == 1
    assert "1 conflict(s) with your edits in model.py" in done.err


def test_edits_of_copied_files_are_kept(convert, project):
    out = project.with_name("net-paddle")
    assert convert(project).code == 0
    (out / "README.md").write_text("# Net for Paddle\n")
    done = convert(project)
    assert "kept your edits in README.md" in done.err
    assert (out / "README.md").read_text() == "# Net for Paddle\n"
    write(project, {"README.md": "# Net, better\n"})
    done = convert(project)
    assert "kept README.md as you edited it" in done.err
    assert (out / "README.md").read_text() == "# Net for Paddle\n"
    (out / "README.md").unlink()  # take the source's again
    assert convert(project).code == 0
    assert (out / "README.md").read_text() == "# Net, better\n"


def test_a_file_of_ones_own_that_the_source_gets_too(convert, project):
    out = project.with_name("net-paddle")
    assert convert(project).code == 0
    write(out, {"extra.py": "# mine\n", "notes.txt": "mine\n", "other/mine.py": "# mine\n"})
    write(project, {"extra.py": MODEL, "notes.txt": "theirs\n"})
    done = convert(project)
    assert "conflict(s) with your edits in extra.py" in done.err
    assert "# mine\n" in (out / "extra.py").read_text()
    assert (out / "notes.txt").read_text() == "mine\n"
    assert (out / "other" / "mine.py").read_text() == "# mine\n"


def test_what_the_source_lost_goes_unless_it_was_edited(convert, project):
    out = project.with_name("net-paddle")
    write(project, {"old/a.py": MODEL, "old/b.txt": "b", "kept/c.py": MODEL, "kept/d.txt": "d"})
    assert convert(project).code == 0
    edit(out / "kept" / "c.py", "no bias", "mine")
    shutil.rmtree(project / "old")
    shutil.rmtree(project / "kept")
    done = convert(project)
    assert not (out / "old").exists()
    assert sorted(path.name for path in (out / "kept").iterdir()) == ["c.py"]
    assert "kept kept/c.py as you edited it" in done.err


def test_a_helper_module_that_is_no_longer_needed_goes(convert, project):
    write(project, {"f.py": "import torch\n\n\ndef f(*args):\n    return torch.cat(*args)\n"})
    assert convert(project).code == 0
    out = project.with_name("net-paddle")
    assert (out / "paddle_helpers.py").is_file()
    (project / "f.py").unlink()
    assert convert(project).code == 0
    assert convert(project, "-o", project.with_name("clean")).code == 0
    assert tree(out) == tree(project.with_name("clean"))


def test_a_file_that_is_mended_is_converted_then(convert, project):
    out = project.with_name("net-paddle")
    write(project, {"a.py": BROKEN})
    assert convert(project).code == 1
    write(project, {"a.py": MODEL})
    assert convert(project).code == 0
    assert (out / "a.py").read_text() == CONVERTED_MODEL
    write(project, {"a.py": BROKEN})
    assert convert(project).code == 1
    assert (out / "a.py").read_text() == BROKEN


def test_a_merge_needs_git(convert, project, monkeypatch):
    assert convert(project).code == 0
    converted = project.with_name("net-paddle") / "model.py"
    edit(converted, "no bias", "mine")
    edit(project / "model.py", OLD, NEW)
    before = tree(project.parent)
    monkeypatch.setenv("PATH", str(project))
    assert refused(convert(project), "model.py was edited", "needs git", "install git")
    assert tree(project.parent) == before


def test_line_endings_survive_a_merge(convert, project):
    write(project, {"model.py": MODEL.replace("\n", "\r\n")})
    assert convert(project).code == 0
    converted = project.with_name("net-paddle") / "model.py"
    converted.write_bytes(converted.read_bytes().replace(b"no bias", b"mine"))
    write(project, {"model.py": MODEL.replace(OLD, NEW).replace("\n", "\r\n")})
    assert convert(project).code == 0
    expected = CONVERTED_MODEL.replace("no bias", "mine").replace(OLD, NEW)
    assert converted.read_bytes() == expected.replace("\n", "\r\n").encode()
