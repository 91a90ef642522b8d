"""Lines that a conversion makes longer than a file's own are broken; nothing else is, and the meaning stays."""

from __future__ import annotations

import ast
from pathlib import Path, PurePosixPath

import pytest

from rewriters.convert import convert_sources
from rewriters.target import load_target
from rewriters.text.source_text import Source
from rewriters.text.wrapping import broken, in_strings, in_tokens, wrapped

ROOT = Path(__file__).parents[3]

BROKEN = {
    "a call": (
        "y = function(first_argument, second_argument)",
        ["y = function(", "    first_argument, second_argument", ")"],
    ),
    "a call rather than a short list": (
        "x = k in [one, two, six] and g(a, b, c)",
        ["x = k in [one, two, six] and g(", "    a, b, c", ")"],
    ),
    "one argument to a line": (
        "    y = function(first_argument, second_argument, third)  # why",
        [
            "    y = function(",
            "        first_argument,",
            "        second_argument,",
            "        third,",
            "    )  # why",
        ],
    ),
    "brackets in brackets": (
        "function(other(first_argument, second_argument, third), fourth)",
        [
            "function(",
            "    other(",
            "        first_argument,",
            "        second_argument,",
            "        third,",
            "    ),",
            "    fourth,",
            ")",
        ],
    ),
    "a generator takes no comma": (
        "total = sum(weight * value_of(part) for part in parts)",
        ["total = sum(", "    weight * value_of(part)", "    for part in parts", ")"],
    ),
    "the parameters of a lambda": (
        "out = apply(lambda first, second: first + second, values)",
        ["out = apply(", "    lambda first, second: first + second,", "    values,", ")"],
    ),
    "a piece of a call, at its own commas": (
        "    channels, dimension, kernel_size=(patch, patch), bias=False,",
        ["    channels,", "    dimension,", "    kernel_size=(patch, patch),", "    bias=False,"],
    ),
    "a piece of a statement": (
        "    first, function(second_argument, a_third_)),",
        ["    first, function(", "        second_argument, a_third_", "    )),"],
    ),
    "an expression in brackets": (
        "mean_of_all = (first_value + second_value_).mean()",
        ["mean_of_all = (", "    first_value + second_value_", ").mean()"],
    ),
    "an item": (
        "an_item = of_something_long[first_index, second_index]",
        ["an_item = of_something_long[", "    first_index, second_index", "]"],
    ),
    "a call in an item": (
        "    function(of_something[first_index, second_index_], a)",
        [
            "    function(",
            "        of_something[",
            "            first_index, second_index_",
            "        ],",
            "        a,",
            "    )",
        ],
    ),
}


@pytest.mark.parametrize(("line", "lines"), BROKEN.values(), ids=BROKEN)
def test_lines_are_broken_in_the_brackets_that_hold_most(line: str, lines: list[str]) -> None:
    assert broken(line, 38, "    ") == lines


@pytest.mark.parametrize(
    "line",
    [
        "first_name = second_name + third_name + fourth_name",
        "# a comment (that is long, and has brackets in it)",
        "short = f(x, y)  # a comment makes this one too long",
        'message = "a text (with brackets, and commas) in it"',
    ],
)
def test_what_has_no_brackets_to_break_stays(line: str) -> None:
    assert broken(line, 38, "    ") == [line]


STATEMENTS = {
    "a tuple": (
        "    return of_something_long_, and_of_something",
        ["    return (", "        of_something_long_, and_of_something", "    )"],
    ),
    "a long tuple": (
        "pair = (one_thing) + the_other_thing_, second_of_things, (third)  # why",
        ["pair = (", "    (one_thing) + the_other_thing_,", "    second_of_things,", "    (third),", ")  # why"],
    ),
    "a sum": (
        "first_name: int = a_second_name @ third_name_name - (fourth) + fifth_name",
        ["first_name: int = (", "    a_second_name @ third_name_name", "    - (fourth)", "    + fifth_name", ")"],
    ),
    "a product of a sum": (
        "first += (second) * third_name_of_something",
        ["first += (", "    (second) * third_name_of_something", ")"],
    ),
    "conditions": (
        "held = first_name_of_all and (second_name_) and fourth_name_",
        ["held = (", "    first_name_of_all", "    and (second_name_)", "    and fourth_name_", ")"],
    ),
    "items": (
        "first_name = second[third, fourth] @ fifth[sixth]",
        ["first_name = (", "    second[third, fourth] @ fifth[sixth]", ")"],
    ),
}


@pytest.mark.parametrize(("line", "lines"), STATEMENTS.values(), ids=STATEMENTS)
def test_values_without_brackets_are_given_some(line: str, lines: list[str]) -> None:
    text = f"def f():\n{line}\n" if line.startswith(" ") else f"\n{line}\n"
    out = wrapped(text, {2: 45 if line.startswith(" ") else 42}, "    ").split("\n")
    assert out[1:-1] == [*lines]


@pytest.mark.parametrize(
    "line",
    [
        "a = first_name + second_name_; b = third_name + fourth",
        "a = first_name + second_name_  # and why it is so, at length",
        "    first_name + second_name_ + third_name + fourth",
        "    first_name=second_name_ + third_name + fourth",
    ],
)
def test_other_lines_stay(line: str) -> None:
    text = f"call(\n{line},\n)\n" if line.startswith(" ") else f"\n{line}\n"
    assert wrapped(text, {2: 40}, "    ") == text


def test_files_mean_what_they_meant() -> None:
    paths = sorted(
        [*ROOT.glob("rewriters/infer/*.py"), *ROOT.glob("fixtures/*/*.py"), *ROOT.glob("checks/worker/*.py")]
    )
    narrower = 0
    for path in paths:
        text = path.read_text()
        lines = text.split("\n")
        out = wrapped(text, dict.fromkeys(range(1, len(lines) + 1), 60), "    ")
        assert ast.dump(ast.parse(out)) == ast.dump(ast.parse(text)), path
        narrower += max(map(len, lines)) > 79 and out != text
    assert narrower > 10


def test_lines_that_were_long_and_texts_stay() -> None:
    long = f"name = function({', '.join(f'argument_{place}' for place in range(10))})"
    source = Source(f'{long}\ntext = """\nfunction(a, b)\n"""\ny = f(a, b)\n'.encode())
    start = source.buffer.index(b"function(a, b")
    source.edit(start, start + 8, "function" * 20)
    start = source.buffer.index(b"name")
    source.edit(start, start + 4, "renamed" * 3)
    source.edit(source.buffer.index(b"f(a, b)"), len(source.buffer) - 1, f"f({'a' * 60}, {'b' * 60})")
    lines = source.result().decode().splitlines()
    assert lines[0] == long.replace("name", "renamed" * 3)
    assert lines[2] == "function" * 20 + "(a, b)"
    assert lines[4:] == ["y = f(", f"    {'a' * 60},", f"    {'b' * 60},", ")"]


@pytest.mark.parametrize(("step", "newline"), [("\t", "\n"), ("  ", "\r\n")])
def test_what_is_converted_fits_its_file(step: str, newline: str) -> None:
    name = "configuration.optimizer"
    lines = [
        "import torch",
        "def train(model):",
        f"{step}first = torch.optim.Adam(model.parameters(), lr=1e-3)",
        f"{step}optimizer = torch.optim.Adam(model.parameters(), lr={name}.lr, eps={name}.eps)",
        f"{step}return first, optimizer",
    ]
    text = newline.join([*lines, ""])
    done = convert_sources({PurePosixPath("a.py"): text.encode()}, load_target("paddle"))
    out = done.files[PurePosixPath("a.py")].decode()
    assert max(len(line) for line in out.split(newline)) <= 120
    assert f"{step}first = paddle.optimizer.Adam(parameters=model.parameters(), learning_rate=1e-3){newline}" in out
    assert f"optimizer = paddle.optimizer.Adam({newline}{step}{step}" in out
    assert f"{newline}{step}){newline}" in out


def test_what_was_on_several_lines_keeps_to_the_files_width() -> None:
    text = (
        "import torch\nfrom torch import Tensor\n\n\ndef noise(action: Tensor, policy_noise: float, noise_clip: float):"
        "\n    return (\n        torch.randn_like(action) * policy_noise\n    ).clamp(-noise_clip, noise_clip).exp()\n"
    )
    done = convert_sources({PurePosixPath("a.py"): text.encode()}, load_target("paddle"))
    out = done.files[PurePosixPath("a.py")].decode()
    assert max(map(len, out.splitlines())) <= 88
    ast.parse(out)


STRINGS_OF_SEVERAL_LINES = {
    "one and what looks like its end": (
        'x = 1  # """\ny = """a\n\\"""\'\'\'\nb"""\nz = \'\'\'c\n"d\'\'\'\n',
        {2, 3, 4, 5, 6},
    ),
    "a line goes on in a string": ("x = 'a\\\nb'\ny = 2\n", {1, 2}),
    "a line goes on outside": ('x = "#" + \\\n    """a"""  # "\ny = "it\'s"\n', set()),
    "raw, and of bytes": ('x = rb"\\""\ny = r"""\n\\\n"""\n', {2, 3, 4}),
    "formatted": ('x = f"""{a}\n{b!r:>{c}}"""\ny = f"{a}"\n', {1, 2}),
}


@pytest.mark.parametrize(("text", "lines"), STRINGS_OF_SEVERAL_LINES.values(), ids=STRINGS_OF_SEVERAL_LINES)
def test_lines_in_strings_are_known(text: str, lines: set[int]) -> None:
    """As Python's own tokens have them, which take ten times as long."""
    assert in_strings(text) == in_tokens(text) == lines


def test_lines_in_strings_of_whole_files_are_known() -> None:
    for path in sorted((ROOT / "rewriters").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert in_strings(text) == in_tokens(text), path


def test_a_quote_that_nothing_closes_is_passed_at_once() -> None:
    """As in a converted text that is wrong, of which the user is to be told: else it takes for ever."""
    assert in_strings("x = '" + "a" * 10_000 + '\ny = """a\nb"""\n') == {2, 3}
    assert in_strings("x = '''" + "a" * 10_000 + '\ny = """a\nb"""\n') == {2, 3}
