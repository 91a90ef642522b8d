"""Modules and optimizers in every form in which they are constructed, and then called. Runs in torch's interpreter."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import torch

from . import literals, moduleinfo, optiminfo
from .calling import Given, bound, ways
from .choosing import Chosen, Program, is_legal, paths
from .signatures import overloads


def of_modules(group: list[Any]) -> Iterator[Program]:
    """Constructors in all forms, called; the call with its arguments named."""
    for entry in group:
        key = f"torch.{entry.name}"
        chosen = Chosen(key, "constructor")
        dtype = torch.float64 if entry.name in moduleinfo.DOUBLE else torch.float32
        torch.manual_seed(0)
        inputs = [
            given
            for given in entry.module_inputs_func(entry, device="cpu", dtype=dtype, requires_grad=False, training=True)
            if given.forward_input is not None
        ]
        for given in apart([(g.constructor_input, g.forward_input) for g in inputs], entry.module_cls):
            yield from of_module(entry, key, given, chosen)


def apart(inputs: list[tuple[Any, Any]], made: type) -> Iterator[tuple[list[Any], dict[str, Any], Any]]:
    """(args, kwargs, the call's) of a constructor: the plainest, then it with one option more, then all that are left.

    What a target does not take is then one form, or a few, and not what all forms are written of.
    """
    if not inputs:
        return
    signature = inspect.signature(made)

    def asked(pair: tuple[Any, Any]) -> dict[str, Any]:
        """The options that are not as they are without being given."""
        given = signature.bind_partial(*pair[0].args, **pair[0].kwargs).arguments
        defaults = {name: parameter.default for name, parameter in signature.parameters.items()}
        return {name: value for name, value in given.items() if repr(value) != repr(defaults[name])}

    ranked = sorted(inputs, key=lambda pair: (len(asked(pair)), len(pair[0].args) + len(pair[0].kwargs)))
    plain, call = ranked[0]
    yield list(plain.args), dict(plain.kwargs), call
    known = signature.bind_partial(*plain.args, **plain.kwargs).arguments
    options: dict[str, Any] = {}
    for pair in ranked[1:]:
        options = {**asked(pair), **options}
    for name, value in options.items():
        if name not in known and name not in {"args", "kwargs"}:
            yield list(plain.args), {**plain.kwargs, name: value}, call
    for one, its in ranked[1:]:
        yield list(one.args), dict(one.kwargs), its


def of_module(entry: Any, key: str, given: Any, chosen: Chosen) -> Iterator[Program]:
    printer = literals.Arguments()
    try:
        args = [Given(printer.text(value), value) for value in given[0]]
        named = {name: Given(printer.text(v), v) for name, v in given[1].items()}
        call = [Given(printer.text(value), value) for value in given[2].args]
        options = {name: Given(printer.text(v), v) for name, v in given[2].kwargs.items()}
    except literals.Unprintable:
        return
    tensors = {name: tensor.detach() for name, tensor in printer.tensors.items()}
    plain = ", ".join([*(a.text for a in args), *(f"{n}={a.text}" for n, a in named.items())])
    forward = ", ".join([*(a.text for a in call), *(f"{n}={a.text}" for n, a in options.items())])

    def legal(pair: tuple[str, str]) -> bool:
        return is_legal(f"module = {pair[0]}\n{pair[1]}", tensors)

    builds: list[tuple[str, str | None]] = [("as it is", f"{key}({plain})")]
    for parameters in overloads(key):
        made = bound(key, parameters, args, named, True)
        builds += ways(made) if made is not None else []
    builds += [(f"as {path}", f"{path}({plain})") for path in paths(key, entry.module_cls)]
    for word, build in builds:
        pair = (build, f"return module({forward})")
        if chosen.take(word, build and pair, legal):  # type: ignore[arg-type]
            yield chosen.program(word, str(build), pair[1], tensors)
    for parameters in overloads(f"{key}.forward"):
        made = bound("module", parameters, call, options, False)
        for word, text in ways(made) if made is not None else ():
            pair = (f"{key}({plain})", f"return {text}")
            if chosen.take(f"call: {word}", text and pair, legal):  # type: ignore[arg-type]
                yield chosen.program(f"call: {word}", pair[0], pair[1], tensors)


def of_optimizers(group: list[Any]) -> Iterator[Program]:
    """Constructors in all forms, and a few steps."""
    for entry in group:
        key = f"torch.optim.{entry.name}"
        chosen = Chosen(key, "constructor")
        made = [given for given in entry.optim_inputs_func(device="cpu") if is_plain(given.kwargs)]
        sets = [given.kwargs for given in sorted(made, key=lambda given: len(given.kwargs))]
        alone = {name: {name: value} for options in reversed(sets) for name, value in options.items()}
        for options in [{}, *alone.values(), *sets]:
            named = {name: Given(literals.Arguments().text(value), value) for name, value in options.items()}
            plain = ", ".join(["", *(f"{name}={argument.text}" for name, argument in named.items())])
            forms: list[tuple[str, str | None]] = [
                (f"params as {word}", f"{key}({text}{plain})") for word, text in GROUPS.items()
            ]
            forms += [(f"as {path}", f"{path}(module.parameters(){plain})") for path in paths(key, entry.optim_cls)]
            imported = {f"as {path}": path.rpartition(".") for path in paths(key, entry.optim_cls)}
            for parameters in overloads(key):
                call = bound(key, parameters, [Given("module.parameters()")], named, False)
                forms += ways(call) if call is not None else []
            for word, text in forms:
                programs_ = optiminfo.program_of(entry, str(text))
                if word in imported:  # modules of their own, which torch.optim does not show as attributes
                    module, _, name = imported[word]
                    body = programs_["body"].replace(f"{module}.{name}(", f"{name}(")
                    programs_["body"] = f"from {module} import {name}\n{body}"

                def legal(_: str, program: Program = programs_) -> bool:
                    module = literals.compiled(program["forms"][0][1], [], {"torch": torch})()
                    tensors = {"module": module, **program["tensors"]}
                    return is_legal(program["body"], tensors)

                if chosen.take(word, text, legal):
                    yield chosen.program(word, programs_["forms"][0][1], programs_["body"], programs_["tensors"])


GROUPS = {
    "a generator": "module.parameters()",
    "a list": "list(module.parameters())",
    "a list of groups": "[{'params': module.parameters()}]",
    "a list of groups with options": "[{'params': list(module.parameters()), 'lr': 0.02}]",
    "names and parameters": "module.named_parameters()",
}


def is_plain(values: dict[str, Any]) -> bool:
    return all(not isinstance(value, torch.Tensor) for value in values.values())
