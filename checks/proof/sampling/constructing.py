"""Modules and optimizers in every form in which they are constructed, and then called. Runs in torch's interpreter."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import torch

from . import literals, moduleinfo, optiminfo
from .calling import Given, bound, ways
from .choosing import Chosen, Program, flat, is_legal, paths, run
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
    defaults = {name: parameter.default for name, parameter in signature.parameters.items()}

    def given(args: Any, kwargs: Any) -> dict[str, Any]:
        found = dict(signature.bind_partial(*args, **kwargs).arguments)
        return {**found, **found.pop("kwargs", {})}

    def asked(pair: tuple[Any, Any]) -> dict[str, Any]:
        """The options that are not as they are without being given."""
        words = given(pair[0].args, pair[0].kwargs).items()
        return {name: value for name, value in words if name != "args" and repr(value) != repr(defaults.get(name))}

    def rank(pair: tuple[Any, Any]) -> tuple[int, ...]:
        tensors = [value for value in pair[1].args if isinstance(value, torch.Tensor)]
        small = sum(tensor.numel() < 2 for tensor in tensors)
        return small, len(asked(pair)), len(pair[0].args) + len(pair[0].kwargs)

    ranked = sorted(inputs, key=rank)
    args, kwargs = barest(*ranked[0], made)
    call = ranked[0][1]
    yield args, kwargs, call
    known = given(args, kwargs)
    options: dict[str, tuple[Any, Any]] = {}
    for pair in ranked:
        for name, value in asked(pair).items():
            options.setdefault(name, (value, pair[1]))
    for name, (value, its) in options.items():
        if name not in known:
            yield args, {**kwargs, name: value}, its  # the sample's own call: it may hang on the option
            yield args, {**kwargs, name: value}, call
    for one, its in ranked:
        yield list(one.args), dict(one.kwargs), its


def barest(constructor: Any, call: Any, made: type) -> tuple[list[Any], dict[str, Any]]:
    """A constructor's arguments without those that it may go without, where torch takes the same call then.

    What makes it small, or leaves nothing to chance, stays.
    """
    defaults = {name: parameter.default for name, parameter in inspect.signature(made).parameters.items()}

    def goes(args: list[Any], kwargs: dict[str, Any]) -> bool:
        try:
            made(*args, **kwargs)(*call.args, **call.kwargs)
        except Exception:
            return False
        return True

    args, kwargs = list(constructor.args), dict(constructor.kwargs)
    for name, value in constructor.kwargs.items():
        default = defaults.get(name)
        if type(value) in (int, float) and type(default) in (int, float) and default > value:
            continue
        fewer = {word: value for word, value in kwargs.items() if word != name}
        kwargs = fewer if goes(args, fewer) else kwargs
    while args and not kwargs and goes(args[:-1], kwargs):
        args.pop()
    return args, kwargs


def tells_training(build: str, body: str, tensors: dict[str, Any]) -> bool:
    """Whether a module gives something else in training."""
    try:
        taught, asked = (
            flat(run(f"module = {build}\nmodule.train({mode})\n{body}", tensors)) for mode in (True, False)
        )
    except Exception:
        return False
    pairs = [(one, other) for one, other in zip(taught, asked, strict=True) if isinstance(one, torch.Tensor)]
    return any(not torch.equal(one.nan_to_num(), other.nan_to_num()) for one, other in pairs)


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

    def asked(pair: tuple[str, str]) -> str:
        return f"module = {pair[0]}.eval()\n{pair[1]}"

    whole = f"{key}({plain})", f"return module({forward})"
    if not is_legal(asked(whole), tensors):  # a logarithm of what is negative
        within = {n: t.abs() if t.is_floating_point() else t for n, t in tensors.items()}
        tensors = within if is_legal(asked(whole), within) else tensors
    whatever = not is_legal(asked(whole), tensors)
    in_training = tells_training(*whole, tensors)

    def legal(pair: tuple[str, str]) -> bool:
        return is_legal(asked(pair), tensors, whatever)

    def programs(word: str, build: str, body: str) -> Iterator[Program]:
        program = {**chosen.program(word, build, body, tensors), "train": True}
        if in_training:
            yield {**program, "train": False}
            program["label"] += ", in training"
        yield program

    builds: list[tuple[str, str | None]] = [("as it is", f"{key}({plain})")]
    for parameters in overloads(key):
        made = bound(key, parameters, args, named, True)
        builds += ways(made) if made is not None else []
    builds += [(f"as {path}", f"{path}({plain})") for path in paths(key, entry.module_cls)]
    for word, build in builds:
        pair = (build, f"return module({forward})")
        if chosen.take(word, build and pair, legal):  # type: ignore[arg-type]
            yield from programs(word, str(build), pair[1])
    for parameters in overloads(f"{key}.forward"):
        made = bound("module", parameters, call, options, False)
        for word, text in ways(made) if made is not None else ():
            pair = (f"{key}({plain})", f"return {text}")
            if chosen.take(f"call: {word}", text and pair, legal):  # type: ignore[arg-type]
                yield from programs(f"call: {word}", *pair)


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
