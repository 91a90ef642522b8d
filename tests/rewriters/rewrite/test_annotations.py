"""Annotations that name a class of which a function makes tensors: quotes around what functions cannot unite."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from rewriters.convert import convert_sources
from rewriters.target import load_target

ON_SEVERAL_LINES = """
import torch


def embed(
    ids: torch.LongTensor
    | None = None,  # kept
    mask: torch.LongTensor  # why
    | dict['#',
           # nothing
           int]
    | None = None,
) -> torch.LongTensor | None:
    return ids
"""


def test_an_annotation_of_several_lines_stays_one_text() -> None:
    done = convert_sources({PurePosixPath("a.py"): ON_SEVERAL_LINES.encode()}, load_target("paddle"))
    out = done.files[PurePosixPath("a.py")].decode()
    function = next(node for node in ast.walk(ast.parse(out)) if isinstance(node, ast.FunctionDef))
    said = [ast.unparse(ast.parse(ast.literal_eval(one.annotation)).body[0]) for one in function.args.args]
    assert said == ["paddle.Tensor | None", "paddle.Tensor | dict['#', int] | None"]
    assert 'ids: "paddle.Tensor | None" = None,  # kept' in out
    assert "  # why\n" in out
    assert "# nothing\n" in out
