"""torch's dropouts with masks that are given.

Loaded by path in the interpreter that has torch; imports nothing else than it and numpy.
"""

from __future__ import annotations

import contextlib

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

# Function -> number of axes behind the channels that it drops as one; 0: every element by itself.
_F = torch.nn.functional
_DROPOUTS = {_F.dropout: 0, torch.dropout: 0, torch.dropout_: 0, _F.dropout1d: 1, _F.dropout2d: 2, _F.dropout3d: 3}


@contextlib.contextmanager
def dropout(keep):
    """Have every dropout take its mask from ``keep(shape, p)``, True where an element stays."""
    with _Dropout(keep):
        yield


class _Dropout(TorchFunctionMode):
    def __init__(self, keep):
        super().__init__()
        self.keep = keep

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func in _DROPOUTS:
            return self.drop(_DROPOUTS[func], *args, **kwargs)
        if func is _F.scaled_dot_product_attention:
            return self.attend(*args, **kwargs)
        if func is _F.multi_head_attention_forward:
            with self, _unasked():  # torch turns a mode off while it handles a call: what this one calls must be seen
                return func(*args, **kwargs)
        return func(*args, **kwargs)

    def attend(self, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        """As torch's documentation writes it out; its kernels draw unseen."""
        if dropout_p <= 0.0:
            return _F.scaled_dot_product_attention(
                query, key, value, attn_mask, 0.0, is_causal, scale=scale, enable_gqa=enable_gqa
            )
        if enable_gqa:
            key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
            value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
        scores = query @ key.transpose(-2, -1) * (query.size(-1) ** -0.5 if scale is None else scale)
        if is_causal:
            attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        if attn_mask is not None and attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        elif attn_mask is not None:
            scores = scores + attn_mask
        return self.drop(0, torch.softmax(scores, dim=-1), dropout_p) @ value

    def drop(self, spatial, input, p=0.5, training=True, inplace=False, train=None):
        if not (training if train is None else train):
            return input
        shape = list(input.shape)
        if spatial:
            # Whole channels; without a batch axis the first one is the channels'.
            first = 1 if len(shape) == spatial + 1 and spatial != 2 else 2
            shape = shape[:first] + [1] * (len(shape) - first)
        scaled = _scaled(self.keep(shape, p), p)
        result = input * torch.from_numpy(scaled).to(input.dtype)
        return input.copy_(result) if inplace else result


@contextlib.contextmanager
def _unasked():
    """torch's Python functions do not ask whether a mode wants their calls."""
    names = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")
    before = {name: getattr(_F, name) for name in names}
    for name in names:
        setattr(_F, name, lambda *_: False)
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(_F, name, function)


def _scaled(kept, p):
    return kept.astype(np.float64) / (1.0 - p) if p < 1.0 else np.zeros(kept.shape)
