"""The ways in which one call may be written: of each parameter by position, by keyword, left out, given otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from checks.calls.legal import Chosen
from checks.calls.signatures import Parameter, Signature
from checks.calls.values import Value, is_tensor, plain, takes_number, takes_tensors, values
from checks.calls.words import ALWAYS, NEVER

NUMBER = re.compile(r"-?\d+|-?\d*\.\d+|-?\d+\.\d*|-?\d+e-?\d+")
OTHERS = 2  # other values of a parameter
ALONE = ("torch.float64", "torch.int64", "torch.int32", "torch.uint8", "torch.bool")
BESIDE = ("torch.float64", "torch.int64", "torch.int32", "torch.float16", "torch.bool")


@dataclass(frozen=True)
class Argument:
    """How one argument is written: ``name=value``, ``value`` or ``*value``."""

    parameter: Parameter
    value: Value
    keyword: bool = False
    star: bool = False


@dataclass(frozen=True)
class Form:
    """A call's arguments, and in which way they are given.

    way:  what the form is about, ``keyword``, ``given dim``.
    root: ``way`` without a parameter's name: by this it is counted.
    """

    root: str
    arguments: tuple[Argument, ...]
    about: str = ""

    @property
    def way(self) -> str:
        return f"{self.root} {self.about}".strip()


def positional(chosen: Chosen) -> tuple[Argument, ...]:
    return tuple(Argument(parameter, value, parameter.kind == "keyword") for parameter, value in chosen)


def by_keyword(chosen: Chosen, method: bool) -> tuple[Argument, ...]:
    """All by keyword, as far as that may be; a method's receiver stands before its dot."""
    first = chosen[:1] if method else ()
    given = [Argument(parameter, value, parameter.kind != "many") for parameter, value in chosen[len(first) :]]
    return (*positional(first), *given)


def default(parameter: Parameter) -> Value:
    text = parameter.default or "None"
    text = re.sub(r"\b(inf|nan)\b", r"float('\1')", text)
    text = re.sub(r"(?<![\w.])(strided|contiguous_format|preserve_format)\b", r"torch.\1", text)
    return Value("None" if text == "..." else text)


def others(parameter: Parameter, number: int) -> list[Value]:
    """Values of a parameter that may be left out."""
    if is_tensor(parameter) or takes_tensors(parameter):
        return [*values(parameter, number)[:12], *plain(parameter)[:OTHERS]]
    usual = default(parameter).text
    return [one for one in plain(parameter) if one.text != usual][: OTHERS + 3]


def forms(signature: Signature, base: Chosen, method: bool, random: Random) -> Iterator[Form]:
    """Ways to write a call of that signature, whether torch takes them or not; the plainest first."""
    plain_one = positional(base)
    yield Form("position", plain_one)
    if len(base) > method:
        yield Form("keyword", by_keyword(base, method))
    if len(base) > 1 + method:
        first, rest = by_keyword(base, method)[:method], list(by_keyword(base, method)[method:])
        if all(one.keyword for one in rest):
            yield Form("order", (*first, *reversed(rest)))
        yield Form("first by position", (*plain_one[: 1 + method], *by_keyword(base, method)[1 + method :]))
    optional = [one for one in signature.optional if one.name not in NEVER]
    yield from given(optional, base, plain_one)
    yield from together(optional, base, plain_one, method, random)
    for place, (parameter, value) in enumerate(base):
        changed = list(plain_one)
        if parameter.kind == "many":
            changed[place] = replace(plain_one[place], star=True)
            yield Form("star", tuple(changed))
        yield from numbers(plain_one, place)
        if is_tensor(parameter) or takes_tensors(parameter):
            yield from operands(plain_one, place)
        if not is_tensor(parameter) or takes_number(parameter):
            for other in [one for one in plain(parameter) if one.text != value.text][:4]:
                changed[place] = replace(plain_one[place], value=other)
                yield Form("other value", tuple(changed), parameter.name)


def given(optional: list[Parameter], base: Chosen, plain_one: tuple[Argument, ...]) -> Iterator[Form]:
    """Each parameter that may be left out: its default, another value, by keyword and by position."""
    before: list[Argument] = []
    open_ = all(not one.star and one.parameter.kind == "position" for one in plain_one)
    for number, parameter in enumerate(optional, start=len(base)):
        usual = Argument(parameter, default(parameter), keyword=True)
        yield Form("default", (*plain_one, usual), parameter.name)
        for value in others(parameter, number):
            argument = Argument(parameter, value, keyword=True)
            root = parameter.name if parameter.name in {*ALWAYS, "size_average", "reduce"} else "given"
            yield Form(root, (*plain_one, argument), parameter.name)
            yield from numbers((*plain_one, argument), len(plain_one))
            if parameter.kind == "position" and open_:
                at = replace(argument, keyword=False)
                yield Form("given by position", (*plain_one, *before, at), parameter.name)
        if parameter.kind == "position" and open_:
            yield Form("default by position", (*plain_one, *before, replace(usual, keyword=False)), parameter.name)
            before.append(replace(usual, keyword=False))


def together(
    optional: list[Parameter], base: Chosen, plain_one: tuple[Argument, ...], method: bool, random: Random
) -> Iterator[Form]:
    """Several at once, in an order of their own."""
    if len(optional) < 2:
        return
    for _ in range(3):
        some = random.sample(optional, min(len(optional), random.choice((2, 3))))
        arguments = []
        for number, parameter in enumerate(some, start=len(base)):
            candidates = others(parameter, number) or [default(parameter)]
            arguments.append(Argument(parameter, random.choice(candidates[:3]), keyword=True))
        yield Form("several", (*plain_one, *arguments))
        yield Form("several, all by keyword", (*by_keyword(base, method), *arguments))


def numbers(arguments: tuple[Argument, ...], place: int) -> Iterator[Form]:
    """A number as a tensor without axes, and as numpy's."""
    argument = arguments[place]
    text = argument.value.text
    if not NUMBER.fullmatch(text) or argument.parameter.kind == "many":
        return
    kind = ("np.float64", "np.float32") if not re.fullmatch(r"-?\d+", text) else ("np.int64", "np.int32")
    for made in (f"torch.tensor({text})", *(f"{one}({text})" for one in kind)):
        changed = replace(argument, value=Value(made))
        root = "number as a tensor" if made.startswith("torch") else "number as numpy's"
        yield Form(root, (*arguments[:place], changed, *arguments[place + 1 :]), argument.parameter.name)


def held(form: Form) -> Form | None:
    """What is no tensor under names of which nothing is known before the program runs; None where all are tensors."""
    hidden = tuple(
        replace(one, value=replace(one.value, text=f"vars().get('held', {one.value.text})")) if is_plain(one) else one
        for one in form.arguments
    )
    return Form("held", hidden, form.about) if hidden != form.arguments else None


def is_plain(argument: Argument) -> bool:
    tensors = argument.value.named or argument.value.text == "[a, b]" or argument.value.text.startswith("torch.tensor(")
    return not (tensors or argument.star or argument.parameter.kind == "many")


def operands(arguments: tuple[Argument, ...], place: int) -> Iterator[Form]:
    """A tensor of another dtype than the others, and one without axes."""
    argument, before, after = arguments[place], arguments[:place], arguments[place + 1 :]
    if not argument.value.named:
        return
    several = sum(one.value.named for one in arguments) > 1
    for dtype in BESIDE if several else ALONE:
        text = argument.value.text
        text = f"({text})" if text.startswith("(") else text
        changed = replace(argument, value=replace(argument.value, text=f"{text}.to({dtype})"))
        root = "mixed dtypes" if several else "another dtype"
        yield Form(root, (*before, changed, *after), argument.parameter.name)
    if several:
        changed = replace(argument, value=replace(argument.value, text="torch.tensor(0.75)"))
        yield Form("operand without axes", (*before, changed, *after), argument.parameter.name)
