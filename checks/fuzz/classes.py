"""Classes of one's own: attributes, methods, properties, operators, inheritance."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

from checks.fuzz.assigning import change, compute
from checks.fuzz.builder import Builder, Dry, indented
from checks.fuzz.expressions import expression, grow, kind


def method(b: Builder, held: dict[str, str], arguments: dict[str, str]) -> tuple[list[str], str]:
    """(statements, result) of a method over attributes and arguments."""
    names = list(held)
    values = dict(zip(names, b.copies(*held.values()), strict=True))
    given = dict(zip(arguments, b.copies(*arguments.values()), strict=True))
    body = b.child(self=SimpleNamespace(**values), **given)
    body.pool = [*(f"self.{name}" for name in names), *arguments, *arguments]
    for _ in range(b.one([0, 1, 1, 2])):
        with contextlib.suppress(Dry):
            b.one([compute, change, store(names)])(body)
    text, _ = expression(body, depth=b.one([1, 1, 2]))
    return body.lines, text


def store(names: list[str]):  # type: ignore[no-untyped-def]
    """A statement that binds an attribute anew."""

    def write(b: Builder) -> None:
        name = b.one(names)
        text, _ = expression(b, depth=1)
        b.must(f"self.{name} = {text}")

    return write


def own_class(b: Builder) -> None:
    """A class that holds tensors; used through an instance or two."""
    texts = [b.tensor(lambda x: kind(x) == "float" and x.numel() <= 40)[0] for _ in range(b.one([1, 2]))]
    fields = b.one([["w", "bias"], ["data", "scale"], ["value", "total"], ["mean", "std"]])[: len(texts)]
    held = dict(zip(fields, texts, strict=True))
    title = b.name("Tracker Meter Model Buffer Stats Layer Filter")
    argument = b.name("x y inp other")
    given, _ = b.tensor(lambda x: kind(x) == "float")
    parts = [f"def __init__(self, {', '.join(fields)}):\n" + indented([f"self.{field} = {field}" for field in fields])]
    if b.chance(0.3):
        parts[0] += "\n    self.count = 0"
    word = b.one(
        [
            "update",
            "apply",
            "__call__",
            "forward",
            "step",
            "combine",
            "__add__",
            "__mul__",
            "__matmul__",
            "__getitem__",
            "mul",
            "split",
            "view",
        ]
    )
    lines, result = method(b, held, {argument: given})
    if b.chance(0.25) and "self.count" in parts[0]:
        lines = ["self.count += 1", *lines]
    parts.append(f"def {word}(self, {argument}):\n{indented([*lines, f'return {result}'])}")
    second = ""
    if b.chance(0.5):
        lines, result = method(b, held, {})
        second = b.one(["norm", "size", "result", "mean_value", "shape", "T", "sum"])
        decorator = b.one(["@property\n", "", "@property\n"])
        parts.append(f"{decorator}def {second}(self):\n{indented([*lines, f'return {result}'])}")
        second = f".{second}" if decorator else f".{second}()"
    base = ""
    if b.chance(0.25):
        base = b.name("Base Parent Abstract")
        default = b.one(["0", "None", "0.0", "[]"])
        b.must(
            f"class {base}:\n    def __init__(self):\n        self.{fields[0]} = {default}\n\n    def describe(self):\n        return self.{fields[0]} * 2"
        )
    bases = f"({base})" if base else ""
    body = indented(["\n\n".join(parts)])
    b.must(f"class {title}{bases}:\n{body}", replay=True)
    name = b.name("tracker meter model obj m")
    b.must(f"{name} = {title}({', '.join(b.one([t, t, f'{t}.clone()']) for t in texts)})")
    b.add(*(f"{name}.{field}" for field in fields))
    calls = {
        "__call__": "{n}({x})",
        "__add__": "{n} + {x}",
        "__mul__": "{n} * {x}",
        "__matmul__": "{n} @ {x}",
        "__getitem__": "{n}[{x}]",
    }
    template = calls.get(word, f"{{n}}.{word}({{x}})")
    out = b.name("r out got z")
    b.must(f"{out} = {template.format(n=name, x=given)}")
    b.add(out)
    if second:
        b.emit(f"show({name}{second})")
    if base:
        b.emit(f"show({name}.describe())")
    with contextlib.suppress(Dry):
        b.emit(f"show({grow(b, out, b.value(out))[0]})")


def attributes(b: Builder) -> None:
    """Objects whose attributes are set from outside, by name, or through ``__dict__``."""
    text, x = b.tensor(lambda x: kind(x) == "float")
    if "Box" not in b.space:
        b.must("class Box:\n    pass")
    name = b.name("box ctx ns state")
    b.must(f"{name} = Box()")
    b.must(
        b.one(
            [
                f"{name}.x = {text}",
                f"setattr({name}, 'x', {text})",
                f"{name}.__dict__.update(x={text})",
                f"{name}.__dict__['x'] = {text}",
                f"vars({name})['x'] = {text}",
                f"{name}.x = 0\n{name}.x = {text}",
                f"{name}.x = []\n{name}.x = {text}",
            ]
        )
    )
    b.add(f"{name}.x")
    found, _ = grow(b, f"{name}.x", x)
    b.emit(f"show({found}, getattr({name}, 'x').sum(), hasattr({name}, 'y'))")
    with contextlib.suppress(Dry):
        change(b, f"{name}.x")
    b.emit(f"show({name}.x, {text})")
    word = b.one(["sum", "mean", "abs", "neg", "size", "dim", "tanh", "numel", "t", "max", "flatten", "item"])
    b.emit(f"show(getattr({name}.x, {word!r})())")
