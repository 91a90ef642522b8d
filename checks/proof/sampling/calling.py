"""A call in every form that a signature allows: each argument by position and by keyword, left out, given as its
default, as another kind of number, of sequence. Texts alone: which of them torch takes is for torch to say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .signatures import POSITIONAL, VARIADIC, Parameter

#: In a word what it is, and the call; None where the signature does not allow it.
Way = tuple[str, str | None]


class Given:
    """An argument: the value and its source text."""

    def __init__(self, text: str, value: Any = None) -> None:
        self.text = text
        self.value = value


#: numpy's names of parameters, which torch takes too.
SYNONYMS = {"dim": "axis", "keepdim": "keepdims"}

#: What may be given wherever torch has a parameter of that name.
KNOWN = {
    "dtype": ("torch.float64", "torch.int64"),
    "device": ("'cpu'", "torch.device('cpu')"),
    "layout": ("torch.strided",),
    "pin_memory": ("False",),
    "memory_format": ("torch.contiguous_format", "torch.preserve_format"),
    # Seeded from the other one, so that its numbers are seen to be random.
    "generator": ("torch.Generator().manual_seed(int(torch.randint(1 << 30, ())))", "torch.default_generator"),
}


class Call:
    """A call whose arguments are bound to the parameters of one overload.

    head:     what is called: ``torch.sum``, ``a0.sum``.
    receiver: whether the head holds the first argument: the call of a method.
    named:    the parameters in torch's order, each with what the sample gives it, or None.
    rest:     what a variadic parameter gets.
    """

    def __init__(
        self,
        head: str,
        parameters: list[Parameter],
        given: dict[str, Given],
        rest: list[Given],
        receiver: bool = False,
    ) -> None:
        self.head = head
        self.parameters = parameters
        self.given = given
        self.rest = rest
        self.receiver = receiver

    def text(self, positional: list[str], named: dict[str, str]) -> str:
        return f"{self.head}({', '.join([*positional, *(f'{name}={text}' for name, text in named.items())])})"

    def written(self, given: dict[str, str], until: int = -1) -> str | None:
        """With these arguments, positional as far as ``until``: as few as there may be, when none is said.

        None where an argument before that has neither value nor default.
        """
        positional: list[str] = []
        named: dict[str, str] = {}
        for index, parameter in enumerate(self.parameters):
            name = parameter.name
            if parameter.kind == VARIADIC:
                positional += [item.text for item in self.rest]
            elif parameter.kind == POSITIONAL and index <= until:
                text = given.get(name, parameter.default)
                if text in (None, "...") or named:
                    return None
                positional.append(str(text))
            elif name in given:
                named[name] = given[name]
        return self.text(positional, named)

    @property
    def texts(self) -> dict[str, str]:
        return {name: given.text for name, given in self.given.items()}

    @property
    def first(self) -> int:
        """Index of the last parameter that nobody names: the input of a function, what comes before ``*rest``."""
        variadic = [n for n, parameter in enumerate(self.parameters) if parameter.kind == VARIADIC]
        return variadic[0] - 1 if variadic else -1 if self.receiver else 0

    def positions(self, given: dict[str, str]) -> int:
        """Index of the last parameter that can be given by position without one before it being made up."""
        last = self.first
        for index, parameter in enumerate(self.parameters):
            if index > self.first and (parameter.kind != POSITIONAL or parameter.name not in given):
                break
            last = max(last, index)
        return last


def bound(
    head: str, parameters: list[Parameter], args: list[Given], named: dict[str, Given], receiver: bool
) -> Call | None:
    """The arguments bound to an overload's parameters; None where it does not take them."""
    positional = [parameter for parameter in parameters if parameter.kind == POSITIONAL]
    names = {parameter.name for parameter in parameters if parameter.kind != VARIADIC}
    given = {parameter.name: argument for parameter, argument in zip(positional, args, strict=False)}
    rest = args[len(positional) :]
    if rest and not any(parameter.kind == VARIADIC for parameter in parameters):
        return None
    if set(named) - names or set(named) & set(given):
        return None
    given.update(named)
    if any(p.default is None and p.kind != VARIADIC and p.name not in given for p in parameters):
        return None
    return Call(head, parameters, given, rest, receiver)


def ways(call: Call) -> Iterator[Way]:
    """Every form of the call."""
    texts = call.texts
    last = call.positions(texts)
    yield "as it is", call.written(texts, last)
    yield from of_all(call, texts, last)
    for index, parameter in enumerate(call.parameters):
        if parameter.kind == VARIADIC:
            continue
        if index > call.first:
            yield from of_one(call, index, parameter, texts, last)
        if parameter.name in call.given:
            for word, text in kinds(call.given[parameter.name]):
                changed = {**texts, parameter.name: text}
                yield f"{parameter.name} as {word}", call.written(changed, call.positions(changed))
    yield from of_rest(call)


def of_all(call: Call, texts: dict[str, str], last: int) -> Iterator[Way]:
    """All arguments at once: by keyword, in another order, with all defaults."""
    if not call.rest:
        yield "all by keyword", call.written(texts)
        if len(texts) > 1:
            yield "keywords in another order", call.text([], dict(reversed(texts.items())))
    after = {name: text for name, text in texts.items() if name != call.parameters[0].name} if call.parameters else {}
    if not call.receiver and len(after) > 1 and not call.rest:
        yield (
            "keywords behind the first, in another order",
            call.text([texts[call.parameters[0].name]], dict(reversed(after.items()))),
        )
    defaults = {p.name: p.default for p in call.parameters if p.default not in (None, "...") and p.name != "out"}
    whole = {**defaults, **texts}
    if len(whole) > len(texts):
        yield "every default by keyword", call.written(whole, call.first)
        yield "every default by position", call.written(whole, call.positions(whole))


def of_one(call: Call, index: int, parameter: Parameter, texts: dict[str, str], last: int) -> Iterator[Way]:
    """One parameter: by keyword, by position, left out, as its default, as what is known of its name."""
    name, default = parameter.name, parameter.default
    if name in texts:
        yield f"{name} by keyword", call.written(texts, min(last, index - 1))
        if parameter.kind == POSITIONAL:
            yield f"{name} by position", call.written(texts, index)
        if default is not None:
            without = {word: text for word, text in texts.items() if word != name}
            yield f"{name} left out", call.written(without, call.positions(without))
        if name in SYNONYMS:
            named = {SYNONYMS.get(word, word): text for word, text in texts.items()}
            before = [named.pop(p.name) for p in call.parameters[:index] if p.name in texts and p.name not in SYNONYMS]
            yield f"{name} as {SYNONYMS[name]}", call.text(before, named)
    if default is None or name == "out":
        return
    others = [value for value in values(parameter) if value != texts.get(name)]
    for value in [*([] if default == "..." else [default]), *others]:
        changed = {**texts, name: value}
        until = min(call.positions({word: text for word, text in changed.items() if word != name}), index - 1)
        yield f"{name}={value}", call.written(changed, until)
        if parameter.kind == POSITIONAL and value != texts.get(name):
            yield f"{name}={value} by position", call.written(changed, index)


def values(parameter: Parameter) -> list[str]:
    """Values of a parameter that its name or type tells."""
    if parameter.name in KNOWN:
        return [*KNOWN[parameter.name], *(["None"] if "None" in parameter.types else [])]
    if parameter.name == "sorted":
        return ["True"]  # in which order what is not sorted comes is not said
    if parameter.name == "hermitian":
        return ["False"]  # that a matrix is, is a sample's to say
    if parameter.name in {"size_average", "reduce"} or parameter.is_flag:
        return ["True", "False"]
    return []


def kinds(given: Given) -> Iterator[tuple[str, str]]:
    """The same argument as another type: a 0-d tensor, numpy's number, a list for a tuple."""
    value, text = given.value, given.text
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield "a 0-d tensor", f"torch.tensor({text})"
        yield "numpy's number", f"np.int64({text})"
        yield "a float", f"{text}.0"
        yield "a tuple", f"({text},)"
        yield "a list", f"[{text}]"
    elif isinstance(value, float):
        yield "a 0-d tensor", f"torch.tensor({text})"
        yield "numpy's number", f"np.float64({text})"
        yield "numpy's float32", f"np.float32({text})"
        if abs(value) < 1e9 and value == int(value):
            yield "an int", repr(int(value))
    elif isinstance(value, (tuple, list)):
        yield from of_sequence(value, text)


def of_sequence(value: Any, text: str) -> Iterator[tuple[str, str]]:
    """A tuple or list as another sequence, and with other numbers in it."""
    inside = text.strip()[1:-1].strip().rstrip(",")
    if isinstance(value, tuple):
        yield "a list", f"[{inside}]"
    else:
        yield "a tuple", f"({inside},)" if inside else "()"
    if not value or not all(type(item) is int for item in value):
        return
    items = [repr(item) for item in value]
    yield "a Size", f"torch.Size([{', '.join(items)}])" if min(value) >= 0 else f"torch.Size(({inside},))"
    yield "a tuple of numpy's numbers", f"(np.int64({items[0]}), {''.join(f'{item}, ' for item in items[1:])})"
    yield "a tuple with a 0-d tensor", f"(torch.tensor({items[0]}), {''.join(f'{item}, ' for item in items[1:])})"
    if len(set(value)) == 1:
        yield "a number", items[0]


def of_rest(call: Call) -> Iterator[Way]:
    """``x.tile(2, 1)``, ``x.tile((2, 1))``, ``x.tile([2, 1])``."""
    variadic = next((parameter for parameter in call.parameters if parameter.kind == VARIADIC), None)
    if variadic is not None and call.rest:
        given, rest = call, call.rest
        items = [item.text for item in rest]
        if len(rest) == 1 and isinstance(rest[0].value, (tuple, list)):
            items = [*inside(rest[0].text)]
            call = Call(given.head, given.parameters, given.given, [Given(item) for item in items], given.receiver)
            yield "numbers one by one", call.written(call.texts, call.positions(call.texts))
        forms = {
            "a tuple": f"({', '.join(items)},)",
            "a list": f"[{', '.join(items)}]",
            "a starred tuple": f"*({', '.join(items)},)",
        }
        if all(type(item.value) is int for item in rest):
            first, *others = items
            forms["a Size"] = f"torch.Size([{', '.join(items)}])"
            forms["numpy's number and others"] = ", ".join([f"np.int64({first})", *others])
            forms["a 0-d tensor and others"] = ", ".join([f"torch.tensor({first})", *others])
        for word, text in forms.items():
            packed = Call(given.head, given.parameters, given.given, [Given(text)], given.receiver)
            yield f"{variadic.name} as {word}", packed.written(packed.texts, packed.positions(packed.texts))
        return
    # A sequence where torch may take its items as well: behind what stands before it.
    for index, parameter in enumerate(call.parameters):
        value = call.given.get(parameter.name)
        if (
            value is not None
            and isinstance(value.value, (tuple, list))
            and value.value
            and index == len(call.texts) - 1
        ):
            texts = {**call.texts, parameter.name: ", ".join(inside(value.text))}
            if index > call.first or not call.receiver:
                yield f"{parameter.name} one by one", call.written(texts, index)
            return


def inside(text: str) -> list[str]:
    """The items of a printed tuple or list."""
    node = ast.parse(text, mode="eval").body
    return [ast.unparse(item) for item in node.elts] if isinstance(node, (ast.Tuple, ast.List)) else [text]
