"""Rounding as quantization does it, in floating point; the gradient goes through where nothing is cut off."""

import paddle
import torch

from rewriters.rule import becomes, rule

becomes(torch.quantization.DeQuantStub, paddle.nn.Identity, qconfig=None)


def fake_quantized(input, scale, zero_point, quant_min, quant_max):
    places = paddle.round(input.detach() / scale) + zero_point
    inside = (places >= quant_min) & (places <= quant_max)
    found = (paddle.clip(places, quant_min, quant_max) - zero_point) * scale
    return found + (input - input.detach()) * inside.astype(input.dtype)


@rule(torch.fake_quantize_per_tensor_affine)
def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    return fake_quantized(input, scale, zero_point, quant_min, quant_max)


@rule(torch.fake_quantize_per_channel_affine)
def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    shape = [1] * input.ndim
    shape[axis] = -1
    zero_point = zero_point.astype(input.dtype).reshape(shape)
    return fake_quantized(input, scale.reshape(shape), zero_point, quant_min, quant_max)


# Both hand their input on; the first is where paddle.quantization puts an observer.
@rule(torch.quantization.QuantStub)
def QuantStub(qconfig=None):
    return paddle.nn.quant.Stub()
