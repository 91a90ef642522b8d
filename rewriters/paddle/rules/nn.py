"""Modules, their methods, and functional forms."""

import paddle
import torch

from rewriters.rule import alias, dropped, renamed, rule, same, transposed

alias(torch.nn.Module, "paddle.nn.Layer")
same("torch.nn.Sequential")
same(
    "torch.nn.Module.apply",
    "torch.nn.Module.children",
    "torch.nn.Module.eval",
    "torch.nn.Module.forward",
    "torch.nn.Module.load_state_dict",
    "torch.nn.Module.named_children",
    "torch.nn.Module.named_parameters",
    "torch.nn.Module.parameters",
    "torch.nn.Module.state_dict",
    "torch.nn.Module.to",
    "torch.nn.Module.train",
)


@rule(torch.nn.Module.modules)
def modules(self):
    return self.sublayers(include_self=True)


@rule(torch.nn.Module.register_buffer)
def register_buffer(self, name, tensor, persistent=True):
    return self.register_buffer(name, tensor, persistable=persistent)


@rule(torch.nn.ModuleList)
def ModuleList(modules=None):
    return paddle.nn.LayerList(modules)


@rule(torch.nn.Linear, layout={"weight": transposed})
def Linear(in_features, out_features, bias=True):
    return paddle.nn.Linear(in_features, out_features, bias_attr=None if bias else False)


@rule("torch.nn.Linear:tied")
def tied_linear(in_features, out_features, bias=True):
    # keeps torch's (out, in) weight, so that an Embedding's can take its place
    return paddle.compat.nn.Linear(in_features, out_features, bias=bias)


@rule(torch.nn.Conv2d)
def Conv2d(
    in_channels,
    out_channels,
    kernel_size,
    stride=1,
    padding=0,
    dilation=1,
    groups=1,
    bias=True,
    padding_mode="zeros",
):
    return paddle.nn.Conv2D(
        in_channels,
        out_channels,
        kernel_size,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
        padding_mode=padding_mode,
        bias_attr=None if bias else False,
    )


@rule(
    torch.nn.BatchNorm2d,
    layout={
        "running_mean": renamed("_mean"),
        "running_var": renamed("_variance"),
        "num_batches_tracked": dropped("only counts batches; used when momentum is None"),
    },
)
def BatchNorm2d(num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True):
    if momentum is None:
        raise NotImplementedError("Paddle's BatchNorm has no cumulative average (momentum=None); pass a number")
    if not track_running_stats:
        raise NotImplementedError("Paddle's BatchNorm always tracks its statistics; pass track_running_stats=True")
    return paddle.nn.BatchNorm2D(
        num_features,
        momentum=1 - momentum,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )


@rule(torch.nn.GroupNorm)
def GroupNorm(num_groups, num_channels, eps=1e-05, affine=True):
    return paddle.nn.GroupNorm(
        num_groups,
        num_channels,
        epsilon=eps,
        weight_attr=None if affine else False,
        bias_attr=None if affine else False,
    )


@rule(torch.nn.LayerNorm)
def LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True, bias=True):
    return paddle.nn.LayerNorm(
        normalized_shape,
        epsilon=eps,
        weight_attr=None if elementwise_affine else False,
        bias_attr=None if elementwise_affine and bias else False,
    )


@rule(torch.nn.Embedding)
def Embedding(num_embeddings, embedding_dim, padding_idx=None):
    return paddle.nn.Embedding(num_embeddings, embedding_dim, padding_idx=padding_idx)


@rule(torch.nn.Dropout)
def Dropout(p=0.5, inplace=False):
    return paddle.nn.Dropout(p)


@rule(torch.nn.ReLU)
def ReLU(inplace=False):
    return paddle.nn.ReLU()


@rule(torch.nn.GELU)
def GELU(approximate="none"):
    return paddle.nn.GELU(approximate=approximate == "tanh")


@rule(torch.nn.MaxPool2d)
def MaxPool2d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    if dilation != 1:
        raise NotImplementedError("Paddle's MaxPool2D has no dilation; use unfold, or max_pool over dilated slices")
    return paddle.nn.MaxPool2D(
        kernel_size, stride=stride, padding=padding, return_mask=return_indices, ceil_mode=ceil_mode
    )


@rule(torch.nn.AdaptiveAvgPool2d)
def AdaptiveAvgPool2d(output_size):
    return paddle.nn.AdaptiveAvgPool2D(output_size)


@rule(torch.nn.CrossEntropyLoss)
def CrossEntropyLoss(weight=None, *, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    # torch's classes lie along axis 1, Paddle's along the last
    return paddle.nn.CrossEntropyLoss(
        weight=weight, ignore_index=ignore_index, reduction=reduction, axis=1, label_smoothing=label_smoothing
    )


@rule(torch.nn.functional.cross_entropy)
def cross_entropy(input, target, weight=None, *, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    return paddle.nn.functional.cross_entropy(
        input,
        target,
        weight=weight,
        ignore_index=ignore_index,
        reduction=reduction,
        axis=1,
        label_smoothing=label_smoothing,
    )


@rule(torch.nn.functional.softmax, torch.softmax)
def softmax(input, dim, *, dtype=None):
    return paddle.nn.functional.softmax(input, axis=dim, dtype=dtype)


@rule(torch.nn.functional.relu)
def relu(input, inplace=False):
    return paddle.nn.functional.relu(input)
