"""What a file says to those who only call what it defines."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import rewriters
from rewriters.infer.others import Others
from rewriters.text.source_text import Source

DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Import, ast.ImportFrom)
TEXT = """
import a

if a:
    def first(x, y=lambda: 1):
        total = 0
        for part in x:
            with y:
                import b
                total += part
        else:
            try:
                total += 1
            except ValueError:
                def inner(z: int = 3) -> str:
                    return "no more"
            finally:
                total += 2
        match x:
            case [one]:
                class Inner:
                    field: int = 1
                    def method(self):
                        return 2
            case _:
                pass
        return map(lambda t: t + 1, x)


class Outer:
    field: int = 2
    async def method(self, word="w"):
        while word:
            word = word[1:]
        return word
"""


def places(source: Source) -> list[list[tuple[int, int]]]:
    return [[(node.lineno, node.col_offset) for node in source.nodes.of(kind)] for kind in DEFINING]


def test_definitions_and_imports_stay_in_their_order() -> None:
    whole, outlined = Source(TEXT.encode()), Source(TEXT.encode(), outlined=True)
    assert places(outlined) == places(whole)
    first = next(node for node in outlined.nodes.of(ast.FunctionDef) if node.name == "first")
    assert [part.__class__.__name__ for part in first.body] == ["For", "Match", "Return"]
    assert [argument.arg for argument in first.args.args] == ["x", "y"]
    (method,) = outlined.nodes.of(ast.AsyncFunctionDef)
    assert method.body == []
    assert len(outlined.nodes.of(ast.AnnAssign)) == 2
    assert {node.value for node in outlined.nodes.of(ast.Constant)} == {1, 2, 3, "w"}


def methods(others: Others) -> dict[str, list[str]]:
    """Their names, and what each takes."""
    return {name: [ast.dump(one) if one else "" for one in found] for name, found in others.names.items()}


HANDING_ON = """
class Held:
    def __getattr__(self, name):
        return getattr(self.inner, name)
"""


@pytest.mark.parametrize("text", [TEXT, HANDING_ON])
def test_what_may_be_used_as_tensors_are_is_the_same(text: str) -> None:
    whole, outlined = (Others([Source(text.encode(), outlined=how).nodes]) for how in (False, True))
    assert methods(outlined) == methods(whole)
    assert outlined.anything == whole.anything
    assert whole.anything == (text == HANDING_ON)


@pytest.mark.parametrize("path", sorted(Path(rewriters.__file__).parent.glob("infer/*.py")), ids=lambda path: path.name)
def test_of_real_files(path: Path) -> None:
    whole, outlined = Source(path.read_bytes()), Source(path.read_bytes(), outlined=True)
    assert places(outlined) == places(whole)


@pytest.mark.parametrize(
    "line", ["P = namedtuple('P', 'x')", "d = vars(self)", "d = self.__dict__", "m = np.array([True, False])"]
)
def test_files_of_which_more_is_asked_stay_whole(line: str) -> None:
    text = f"def f(self, np):\n    {line}\n    return 1\n\n\ndef g():\n    return 2\n".encode()
    counts = [sum(map(len, source.nodes.by_class.values())) for source in (Source(text), Source(text, outlined=True))]
    assert counts[0] == counts[1]
