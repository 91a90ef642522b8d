"""A torch model computed in a lower precision, as far as that shows in its results: which error it must make.

Operations are computed in float32. In float16 and bfloat16 what they return is rounded, in int8 their operands are, of
those that the back end computes so. Loaded by path in the interpreter that has torch; imports nothing else.
"""

from __future__ import annotations

import contextlib
import random

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

aten = torch.ops.aten

MATRICES = {
    aten.mm: ((0, -2), (1, -1)),
    aten.bmm: ((0, -2), (1, -1)),
    aten.addmm: ((1, -2), (2, -1)),
    aten.baddbmm: ((1, -2), (2, -1)),
    aten.mv: ((0, -2), (1, None)),
    aten.addmv: ((1, -2), (2, None)),
}
KINDS = {
    "Conv": {aten.convolution: ((0, None), (1, 0))},
    "MatMul": MATRICES,
    "Add": {aten.add: ((0, None), (1, None)), aten.add_: ((0, None), (1, None))},
    "Mul": {aten.mul: ((0, None), (1, None)), aten.mul_: ((0, None), (1, None))},
    "ReduceMean": {aten.mean: ((0, None),), aten._adaptive_avg_pool2d: ((0, None),)},
    "AvgPool": {aten.avg_pool2d: ((0, None),)},
}
"""Kind of operation, as ONNX calls it -> torch's -> (position of an operand, its axis of channels where it is a weight;
None: all of it has one scale)."""

ALIKE = {"ConvTranspose": "Conv", "Gemm": "MatMul"}
ELEMENTWISE = ("Add", "Mul")
OPERANDS = {op: (kind, operands) for kind, ops in KINDS.items() for op, operands in ops.items()}
TRANSPOSED = 6
"""The argument of aten.convolution that says that it is a transposed one."""

LEVELS = 255
DRAWS = 4
"""Runs that say how large the error is: one as the back end rounds, the others with grids that lie otherwise. Where a
value falls between two steps is chance, and one run has seen little of it."""


class Uneven(Exception):
    """The model runs other operations than it ran for the calibration set, so that nobody knows their ranges."""


class Rounded(TorchDispatchMode):
    """What operations return is rounded to a dtype; ``draw``: how much larger values are made before, a function."""

    def __init__(self, dtype, draw):
        super().__init__()
        self.dtype, self.draw = dtype, draw

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        returned = func(*args, **(kwargs or {}))
        told = func._schema.returns
        found = returned if isinstance(returned, (list, tuple)) else [returned]
        for number, value in enumerate(found):
            alias = told[min(number, len(told) - 1)].alias_info if told else None
            if alias is None or alias.is_write:
                round_to(value, self.dtype, self.draw())
        return returned


class Quantized(TorchDispatchMode):
    """Operands of the operations of some kinds are rounded to 8 bits.

    layers:    tells which layer is running. constants: what hangs on no input.
    ranges:    (number of the operation, position) -> (lowest, highest) of what the calibration set gave.
    learn:     ranges are taken in, and nothing is rounded.
    chosen:    layer -> whether its operations are rounded.
    draw:      how far the grid of an operand is moved, in steps, a function.
    narrow:    layers whose weights have half as many steps.
    """

    def __init__(self, kinds, layers, constants, ranges, learn=False, chosen=None, draw=None, narrow=()):
        super().__init__()
        self.kinds, self.layers, self.constants, self.ranges = kinds, layers, constants, ranges
        self.learn, self.chosen, self.draw, self.narrow = learn, chosen, draw, narrow
        self.seen = []  # (layer, kind) of each operation

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kind, operands = OPERANDS.get(func.overloadpacket, (None, ()))
        if kind in self.kinds and self._counts(kind, args, operands):
            args = self._operands(args, operands, kind, func._schema.is_mutable)
        returned = func(*args, **(kwargs or {}))
        self.constants.follow((args, kwargs), returned)
        return returned

    def _counts(self, kind, args, operands):
        """Whether a back end has it in 8 bits: of sums and products those of two tensors that hang on the inputs."""
        values = [args[position] for position, _ in operands]
        if not all(isinstance(value, torch.Tensor) and value.dtype == torch.float32 for value in values):
            return False
        known = [value in self.constants for value in values]
        return not (any(known) if kind in ELEMENTWISE else all(known))

    def _operands(self, args, operands, kind, in_place):
        number, layer = len(self.seen), self.layers()
        self.seen.append((layer, kind))
        if not self.learn and self.chosen is not None and not self.chosen(layer):
            return args
        found = list(args)
        for position, axis in operands:
            value, key = found[position], (number, position)
            weight = value in self.constants
            if self.learn:
                if not weight and value.numel():
                    low, high = (float(item) for item in value.aminmax())
                    before = self.ranges.get(key, (low, high))
                    self.ranges[key] = min(before[0], low), max(before[1], high)
                continue
            shift = self.draw()
            if weight:
                if kind == "Conv" and args[TRANSPOSED]:
                    axis = 1
                found[position] = by_channel(value, axis, shift, LEVELS // 2 if layer in self.narrow else LEVELS)
            elif key in self.ranges:
                rounded = by_range(value, *self.ranges[key], shift)
                # What is written to is the very tensor that was given.
                found[position] = value.copy_(rounded) if position == 0 and in_place else rounded
            else:
                raise Uneven("an operation ran that the calibration set did not reach")
        return found


class Constants:
    """Tensors that hang on no input, by their memory: parameters, buffers, and what is made of these alone."""

    def __init__(self, model):
        self.kept = []  # nothing else gets their memory
        self.places = set()
        for value in [*model.parameters(), *model.buffers()]:
            self.add(value)

    def add(self, value):
        if value.layout == torch.strided and value.numel():
            self.kept.append(value)
            self.places.add(value.untyped_storage().data_ptr())

    def __contains__(self, value):
        return value.layout == torch.strided and value.untyped_storage().data_ptr() in self.places

    def follow(self, given, returned):
        """What an operation makes of constants alone is one."""
        given = [value for value in tree_flatten(given)[0] if isinstance(value, torch.Tensor)]
        if given and all(value in self for value in given):
            for value in tree_flatten(returned)[0]:
                if isinstance(value, torch.Tensor) and value not in self:
                    self.add(value)


class Layers:
    """Which layer of a model is running."""

    def __init__(self):
        self.open = []

    def __call__(self):
        return self.open[-1] if self.open else ""

    @contextlib.contextmanager
    def watched(self, model):
        """While this is open."""
        handles = []
        for name, module in model.named_modules():
            handles.append(module.register_forward_pre_hook(lambda *_, name=name: self.open.append(name)))
            handles.append(module.register_forward_hook(lambda *_: self._leave(), always_call=True))
        try:
            yield
        finally:
            self.open.clear()
            for handle in handles:
                handle.remove()

    def _leave(self):
        self.open.pop()


@contextlib.contextmanager
def plain():
    """Attention and encoders are computed operation by operation, as exporters write them."""
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with sdpa_kernel(SDPBackend.MATH):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(before)


def round_to(value, dtype, scale=1.0):
    """Round in place; what is too large becomes the largest."""
    if isinstance(value, torch.Tensor) and value.dtype == torch.float32 and value.numel():
        limits = torch.finfo(dtype)
        rounded = (value * scale).clamp(limits.min, limits.max).to(dtype).to(value.dtype) / scale
        value.copy_(torch.where(value.isfinite(), rounded, value))


def by_range(value, low, high, shift=0.0):
    """As 8 bits over a range, which holds 0."""
    low, high = min(low, 0.0), max(high, 0.0)
    step = (high - low) / LEVELS
    if not step:
        return value
    zero = round(-low / step)
    return (torch.clamp(torch.round(value / step + shift) + zero, 0, LEVELS) - zero - shift) * step


def by_channel(value, axis, shift=0.0, levels=LEVELS):
    """As 8 bits with a step for each channel, symmetric around 0."""
    kept = None if axis is None else axis % value.dim()
    step = value.abs().amax([item for item in range(value.dim()) if item != kept], keepdim=True) * 2 / (levels - 1)
    number = torch.clamp(torch.round(value / step + shift), -(levels // 2), levels // 2)
    return torch.where(step > 0, (number - shift) * step, value)


def learned(model, kinds, call, count):
    """(the ranges of a calibration set, the layer and kind of each operation); ``call(number)`` runs the model. Raises
    Uneven.
    """
    ranges, layers, found = {}, Layers(), None
    for number in range(count):
        mode = Quantized(kinds, layers, Constants(model), ranges, learn=True)
        with torch.no_grad(), plain(), layers.watched(model), mode:
            call(number)
        if found not in (None, mode.seen):
            raise Uneven("calls of the calibration set run other operations than others")
        found = mode.seen
    return ranges, found or []


def kinds_of(told):
    """The kinds of operations that a back end has in 8 bits, of those that are known here."""
    return {ALIKE.get(kind, kind) for kind in told["operators"]}


@contextlib.contextmanager
def lowered(model, told, ranges, draw, chosen=None):
    """While this is open the model computes as told; the caller puts its parameters back.

    told: the manifest's precision. ranges: of int8. draw: which of the runs. chosen: as Quantized has it, by default
    all layers but those that were kept in float.
    """
    kept = set(told.get("kept_layers", ()))
    chosen = chosen or (lambda layer: layer not in kept)
    drawn = random.Random(draw)
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(plain())
        if told["name"] == "int8":
            layers = Layers()
            stack.enter_context(layers.watched(model))
            shift = (lambda: drawn.random() - 0.5) if draw else (lambda: 0.0)
            mode = Quantized(
                kinds_of(told),
                layers,
                Constants(model),
                ranges,
                chosen=chosen,
                draw=shift,
                narrow=set(told.get("narrow", ())),
            )
            stack.enter_context(mode)
        else:
            scale = (lambda: 1.0 + drawn.random()) if draw else (lambda: 1.0)
            for value in [*model.parameters(), *model.buffers()]:
                round_to(value, getattr(torch, told["weights"]), scale())
            if told["activations"] != "float32":
                stack.enter_context(Rounded(getattr(torch, told["activations"]), scale))
        yield
