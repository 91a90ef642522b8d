"""Programs that build something and use it: layers, optimizers, schedulers. Needs torch in its interpreter."""

from __future__ import annotations

import inspect
import itertools
import warnings
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import torch

from checks.calls import legal
from checks.calls.catalogue import Callable_
from checks.calls.forms import Argument, Form, forms, positional
from checks.calls.legal import Chosen, arguments, is_good
from checks.calls.signatures import Parameter, Signature, documented, signatures
from checks.calls.values import Value
from checks.calls.writing import STYLES, Page

# Python says ``*args, **kwargs`` of these, their pages name the parameters.
RECURRENT = (
    "input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, "
    "{}device=None, dtype=None"
)
WRITTEN = {
    "RNN": RECURRENT.format(""),
    "GRU": RECURRENT.format(""),
    "LSTM": RECURRENT.format("proj_size=0, "),
}
BUILT, FED = 60, 200  # combinations that are tried
Parts = tuple[str, str, str, str]  # way, root, text, text that shows shapes alone
PARAMS = Argument(Parameter("params"), Value("[w]"))
OPTIMIZER = Argument(Parameter("optimizer"), Value("optimizer"))
W = "w = torch.tensor([[0.5, -1.25, 0.75], [1.5, 0.3, -0.6]], requires_grad=True)"


def programs(one: Callable_, random: Random) -> Iterator[Parts]:
    """Programs for a class."""
    found = signatures(one.owner, one.name, one.value)
    if one.name in WRITTEN:
        found = list(documented(one.name, f"{one.name}({WRITTEN[one.name]})"))
    for signature in found:
        if one.family == "nn":
            yield from layers(one, signature, random)
        else:
            yield from steppers(one, Signature(signature.parameters[1:]), random)


def written(one: Callable_, signature: Signature, base: Chosen, random: Random) -> Iterator[tuple[Form, str, str]]:
    """(form, style, path) of each way to build it."""
    plainest: Form | None = None
    for form in forms(signature, base, False, random):
        plainest = plainest or form
        yield form, random.choice(STYLES), one.key
    assert plainest is not None
    for path in one.paths:
        yield Form("alias", plainest.arguments, path), random.choice(("full", "from")), path


def layers(one: Callable_, signature: Signature, random: Random) -> Iterator[Parts]:
    for base, fed in fitting(one, signature):
        has = bool(list(one.value(*arguments(base)[0], **arguments(base)[1]).parameters()))
        for form, style, path in written(one, signature, base, random):
            page = Page()
            built = page.call(page.callee(path, style), form.arguments)
            given = {one.parameter.name: one.value.text for one in form.arguments}
            dtype = given.get("dtype", "None").removeprefix("None")
            call = page.call("layer", tuple(cast(argument, dtype) for argument in positional(fed)))
            lines = [f"layer = {built}"]
            if one.name.startswith("Lazy"):
                lines.append(call)  # which makes its parameters
            if has:
                lines += FILLING
            if one.name.startswith(("Transformer", "MultiheadAttention")):
                lines.append("layer.eval()")  # without it some of what it computes is left to chance
            also = f", {', '.join(page.tensors)}" if given.get("inplace") == "True" and page.tensors else ""
            body = [*lines, f"result = {call}"]
            yield form.way, form.root, page.text([*body, f"show(result{also})"]), page.text([*body, SHAPES])


# By name: where a framework has another shape for it, a bias is still a bias.
FILLING = [
    "for name, p in layer.named_parameters():",
    '    torch.nn.init.constant_(p, 0.3 if "bias" in name else 0.1)',
]


def cast(argument: Argument, dtype: str) -> Argument:
    """What a layer of another dtype is given: floats of that dtype."""
    if not dtype or not legal.made(argument.value).is_floating_point():
        return argument
    return replace(argument, value=replace(argument.value, text=f"{argument.value.text}.to({dtype})"))


SHAPES = "show(result.shape, result.dtype)"


def fitting(one: Callable_, signature: Signature) -> list[tuple[Chosen, Chosen]]:
    """Arguments with which torch builds it, each with what it then takes."""
    layer = one.value
    fed = forward(layer)
    found: list[tuple[Chosen, Chosen]] = []
    doubtful: list[tuple[Chosen, Chosen]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _, base in itertools.islice(legal.combinations(signature.required), BUILT):
            for kind, inputs in itertools.islice(legal.combinations(fed, one.name), FED):
                if any(kind == known for known in [*(v.kind for _, c in found for _, v in c)]):
                    continue
                try:
                    args, kwargs = arguments(base)
                    legal.seed(0)
                    result = layer(*args, **kwargs)(*arguments(inputs)[0])
                except Exception:
                    continue
                (found if is_good(result) else doubtful).append((base, inputs))
                if len(found) == 2:
                    return found
    return found or doubtful[:1]


def forward(layer: Any) -> tuple[Parameter, ...]:
    """What a layer must be given."""
    found = []
    for name, one in list(inspect.signature(layer.forward).parameters.items())[1:]:
        if one.default is inspect.Parameter.empty and one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
            found.append(Parameter(name, "position", "Tensor"))
    return tuple(found)


def steppers(one: Callable_, signature: Signature, random: Random) -> Iterator[Parts]:
    """Optimizers, which step twice, and schedulers, which step four times."""

    def call(chosen: Chosen) -> Any:
        args, kwargs = arguments(chosen)
        weight = torch.nn.Parameter(torch.ones(2, 3))
        if one.family == "optim":
            return one.value([weight], *args, **kwargs)
        return one.value(torch.optim.SGD([weight], lr=0.1, momentum=0.9), *args, **kwargs)

    for base in legal.complete(signature, call, most=1):
        for form, style, path in written(one, signature, base, random):
            page = Page(setup=[W])
            if one.family == "optim":
                given = (replace(PARAMS, keyword=form.root == "order"), *form.arguments)
                built = page.call(page.callee(path, style), given)
                lines = optimizing(built, closure=one.name == "LBFGS" or random.random() < 0.1)
            else:
                made = page.callee("torch.optim.SGD", "full")
                given = (replace(OPTIMIZER, keyword=form.root == "order"), *form.arguments)
                built = page.call(page.callee(path, style), given)
                lines = scheduling(f"{made}([w], lr=0.1, momentum=0.9)", built, plateau=one.name == "ReduceLROnPlateau")
            text = page.text(lines)
            yield form.way, form.root, text, text


def optimizing(built: str, closure: bool) -> list[str]:
    if closure:
        return [
            f"optimizer = {built}",
            "def closure():",
            "    optimizer.zero_grad()",
            "    loss = (w * w * w * w).sum() + w.sum()",
            "    loss.backward()",
            "    return loss",
            "for _ in range(2):",
            "    loss = optimizer.step(closure)",
            "show(w, loss)",
        ]
    return [
        f"optimizer = {built}",
        "for _ in range(2):",
        "    optimizer.zero_grad()",
        "    loss = (w * w * w * w).sum() + w.sum()",
        "    loss.backward()",
        "    optimizer.step()",
        "show(w)",
    ]


def scheduling(made: str, built: str, plateau: bool) -> list[str]:
    return [
        f"optimizer = {made}",
        f"scheduler = {built}",
        "for _ in range(4):",
        "    optimizer.zero_grad()",
        "    (w * w).sum().backward()",
        "    optimizer.step()",
        f"    scheduler.step({'1.0' if plateau else ''})",
        '    show(optimizer.param_groups[0]["lr"])',
        "show(w)",
    ]
