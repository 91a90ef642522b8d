"""What a target's folder has beside rules is called as ``rewriters.hooks`` says, or refused when it is read."""

from pathlib import Path

import pytest

from rewriters.hooks import passes, planner
from rewriters.rules.rulebook import RuleError
from rewriters.target import known_targets, load_target


@pytest.mark.parametrize(("name", "read", "lacks"), [("passes.py", passes, "keys"), ("static.py", planner, "plan")])
def test_a_file_without_its_function_is_refused(tmp_path: Path, name: str, read, lacks: str) -> None:  # type: ignore[no-untyped-def]
    assert read(tmp_path / "none") is None
    (tmp_path / name).write_text("def other(project, module):\n    return {}\n")
    with pytest.raises(RuleError, match=rf"{name}: has no function {lacks}"):
        read(tmp_path)


def test_the_hooks_of_each_target_are_found() -> None:
    folders = [load_target(name).folder for name in known_targets()]
    for folder in folders:
        assert (passes(folder) is not None) == (folder / "passes").is_dir()
        assert (planner(folder) is not None) == (folder / "static.py").is_file()
