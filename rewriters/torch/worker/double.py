"""A torch model computed another way: in double precision, in another order; and as it was, afterwards.

Loaded by path in the interpreter that has torch; imports nothing else than it.
"""

from __future__ import annotations

import contextlib
import importlib.util
from pathlib import Path

import torch
from torch.overrides import TorchFunctionMode

PLAIN = "plain formulas without oneDNN"

_spec = importlib.util.spec_from_file_location("_migrate_torch_formulas", Path(__file__).with_name("formulas.py"))
formulas = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(formulas)


@contextlib.contextmanager
def variant(name, model, args, kwargs):
    """The same computation another way: yields its arguments, or None where it makes no difference to this model."""
    if name == "one thread":
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield args, kwargs
        finally:
            torch.set_num_threads(before)
    elif name == PLAIN:
        with torch.backends.mkldnn.flags(enabled=False), formulas.Formulas():
            yield args, kwargs
    elif name == "channels_last":
        images = [value for value in [*args, *kwargs.values()] if isinstance(value, torch.Tensor) and value.dim() == 4]
        if not images:
            yield None
            return
        _convert(model, torch.channels_last)
        try:
            yield [_last(value) for value in args], {key: _last(value) for key, value in kwargs.items()}
        finally:
            _convert(model, torch.contiguous_format)
    else:
        raise ValueError(f"unknown variant {name!r}")


def _convert(model, memory_format):
    if isinstance(model, torch.nn.Module):
        model.to(memory_format=memory_format)


def _last(value):
    return value.contiguous(memory_format=torch.channels_last) if value.dim() == 4 else value


@contextlib.contextmanager
def double(model):
    """Compute in double precision: the weights, the default dtype, and what the code itself calls float32.

    Parameters and buffers are afterwards what they were before.
    """
    is_module = isinstance(model, torch.nn.Module)
    saved = [(value, value.data, value.grad) for value in model.parameters()] if is_module else []
    # Of buffers the very tensors are replaced.
    buffers = [(module, dict(module._buffers)) for module in model.modules()] if is_module else []
    dtype = torch.get_default_dtype()
    try:
        if is_module:
            for value, _, _ in saved:
                value.grad = None
            model.double()
        torch.set_default_dtype(torch.float64)
        with _Double():
            yield
    finally:
        torch.set_default_dtype(dtype)
        with torch.no_grad():
            for value, data, grad in saved:
                value.grad = None
                value.data = data
                value.grad = grad
            for module, before in buffers:
                module._buffers.update(before)


@contextlib.contextmanager
def kept(model):
    """Parameters, buffers and modes are afterwards what they were before, whatever is trained inside."""
    if not isinstance(model, torch.nn.Module):
        yield
        return
    held = [(value, value.detach().clone()) for value in [*model.parameters(), *model.buffers()]]
    modes = [(module, module.training) for module in model.modules()]
    bound = [(module, dict(module._buffers)) for module in model.modules()]
    try:
        yield
    finally:
        with torch.no_grad():
            for value, before in held:
                value.copy_(before)
                value.grad = None
        for module, training in modes:
            module.training = training
        for module, buffers in bound:  # a forward may have put another tensor in place of one
            module._buffers.update(buffers)


class _Double(TorchFunctionMode):
    """Reads float32 as float64: ``.float()``, ``dtype=torch.float32``, and tensors that met no ``model.double()``."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if func in (torch.autograd.backward, torch.autograd.grad, torch.Tensor.backward):
            with _in_backward():
                return func(*args, **kwargs)
        if name == "float" and func is torch.Tensor.float:
            func = torch.Tensor.double
        args = [_wide_dtype(value) for value in args]
        kwargs = {key: _wide_dtype(value) for key, value in kwargs.items()}
        mixed = {value.dtype for value in [*args, *kwargs.values()] if isinstance(value, torch.Tensor)}
        # Not for x.add_(y) and the like: they must write to the very tensor that they are given.
        if {torch.float32, torch.float64} <= mixed and not name.endswith("_"):
            args = [_wide(value) for value in args]
            kwargs = {key: _wide(value) for key, value in kwargs.items()}
        if name in ("grouped_mm", "_grouped_mm") and any(
            isinstance(value, torch.Tensor) and value.dtype == torch.float64 for value in args
        ):
            return _grouped_mm(*args, **kwargs)
        return func(*args, **kwargs)


@contextlib.contextmanager
def _in_backward():
    """Have the mode in what autograd runs as well: re-entrant checkpoints compute their forward there."""
    run = torch.autograd._engine_run_backward

    def in_double(*args, **kwargs):
        with _Double():
            return run(*args, **kwargs)

    torch.autograd._engine_run_backward = in_double
    try:
        yield
    finally:
        torch.autograd._engine_run_backward = run


def _grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    """Products of groups, which torch has for float32 and narrower alone: one by one."""
    if offs is None:
        return torch.bmm(mat_a, mat_b)
    ends = offs.tolist()
    spans = [slice(start, end) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    if mat_a.dim() == 2 and mat_b.dim() == 2:
        return torch.stack([mat_a[:, span] @ mat_b[span] for span in spans])
    if mat_a.dim() == 2:
        rest = mat_a[ends[-1] :] @ torch.zeros_like(mat_b[0])  # rows of no group
        return torch.cat([*(mat_a[span] @ mat_b[group] for group, span in enumerate(spans)), rest])
    return torch.cat([mat_a[group] @ mat_b[:, span] for group, span in enumerate(spans)], dim=1)


def _wide_dtype(value):
    return (
        {torch.float32: torch.float64, torch.complex64: torch.complex128}.get(value, value)
        if isinstance(value, torch.dtype)
        else value
    )


def _wide(value):
    return value.double() if isinstance(value, torch.Tensor) and value.dtype == torch.float32 else value
