"""Bytes of a file that has something to convert: encodings, line ends, white space."""

from __future__ import annotations

import ast

import pytest

from rewriters.text.source_text import Source, UnreadableSource, comments

SOURCE = "import torch\nclass A:\n    x = torch.zeros(2)  # é\n    z = 'ü'\n"
EXPECTED = "import paddle\nclass A:\n    x = paddle.zeros([2])  # é\n    z = 'ü'\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
@pytest.mark.parametrize("end", [True, False])
def test_encoding_and_line_ends(newline, encoding, end, conversion):
    def data(text):
        cookie = f"# -*- coding: {encoding} -*-\n" if not encoding.startswith("utf") else ""
        text = (cookie + text).replace("\n", newline)
        return (text if end else text.removesuffix(newline)).encode(encoding)

    done = conversion(data(SOURCE))
    assert next(iter(done.files.values())) == data(EXPECTED)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_new_lines_end_as_the_file_does(newline, converted):
    source = "import torch\ndef f(x: torch.Tensor):\n\tx.output_nr = 1\n\treturn torch.nn.init.zeros_(x)\n"
    out = converted(source.replace("\n", newline).encode())
    assert "# migrate:" in out
    assert out.count("\n") == out.count(newline)
    assert f"\tpaddle.nn.init.zeros_(x){newline}\treturn x{newline}" in out


def test_tabs_and_form_feeds(check_converted):
    check_converted(
        b"import torch\n\x0c\ndef f():\n\tif torch:\n\t\treturn torch.zeros(2)\n",
        b"import paddle\n\x0c\ndef f():\n\tif paddle:\n\t\treturn paddle.zeros([2])\n",
    )


def test_wide_characters_before_a_call(check_converted):
    check_converted(
        'import torch\nx = ["日本語", "ß", torch.zeros(2)]\n', 'import paddle\nx = ["日本語", "ß", paddle.zeros([2])]\n'
    )


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"x = (\n", 1),
        (b"x = 1\ny = = 2\n", 2),
        (b"# coding: nonsense\nx = 1\n", 0),
        (b"x = '\xff'\n", 0),
        (b"x = '\0'\n", 0),
    ],
)
def test_unreadable(data, line):
    with pytest.raises(UnreadableSource) as caught:
        Source(data)
    assert caught.value.line in {line, line + 1}


def test_comments():
    assert comments("a,  # one\n  b # two\n") == ["# one", "# two"]
    assert comments("'# no'") == []


@pytest.mark.parametrize("step", ["\t", "  ", "    "])
def test_a_file_has_its_own_step_of_indentation(step):
    text = f'"""for all:\n\n      x\n"""\nx = {{1:\n     2}}\n\ndef f(x):\n{step}if x:\n{step}{step}return x\n'
    assert Source(text.encode()).step == step
    assert Source(b"x = 1\n").step == "    "


BRACKETS = {
    "y = (a + b).c": "y = f(a, b).c",
    "y = ((a + b), 1)": "y = (f(a, b), 1)",
    "return (a + b)": "return f(a, b)",
    "y = -(a + b) * 2": "y = -f(a, b) * 2",
    "print (a + b)": "print (f(a, b))",
    "print(a + b)": "print(f(a, b))",
    "y = x[0](a + b)": "y = x[0](f(a, b))",
    "return(a + b)": "return(f(a, b))",
    "y = (a + b, )": "y = (f(a, b), )",
    "y = [(a + b) for a in (a + b)]": "y = [f(a, b) for a in f(a, b)]",
}


@pytest.mark.parametrize(("text", "expected"), BRACKETS.items())
def test_brackets_go_with_the_operator_that_needed_them(text, expected):
    source = Source(f"def g():\n    {text}\n".encode())
    for node in source.nodes.of(ast.BinOp):
        if isinstance(node.op, ast.Add):
            source.edit(source.start(node), source.end(node), "f(a, b)", closed=True)
    assert source.result().decode() == f"def g():\n    {expected}\n"


def test_brackets_stay_where_an_edit_holds_one_of_them():
    source = Source(b"y = (a + b).c\n")
    source.edit(5, 10, "f(a, b)", closed=True)
    source.edit(10, 10, ", 1")
    assert source.result() == b"y = (f(a, b), 1).c\n"


def test_one_line_without_an_end_is_rewritten():
    source = Source(b"loss = f(net(x))")
    source.edit(9, 12, "model")
    assert source.result() == b"loss = f(model(x))"
