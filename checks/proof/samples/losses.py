"""Losses: what PyTorch's own samples do not pass."""

import torch


def smoothing(a0: "float32[4,5]", a1: "int64[4]<5"):
    return torch.nn.functional.cross_entropy(a0, a1, label_smoothing=0.1)


def weights(a0: "float32[4,5]", a1: "int64[4]<5", a2_: "0.5<=float32[5]<2"):
    return torch.nn.functional.cross_entropy(a0, a1, weight=a2_)


def weights_and_smoothing(a0: "float32[4,5]", a1: "int64[4]<5", a2_: "0.5<=float32[5]<2"):
    return torch.nn.functional.cross_entropy(a0, a1, weight=a2_, label_smoothing=0.2)


def ignored(a0: "float32[4,5]", a1: "int64[4]<5"):
    return torch.nn.functional.cross_entropy(a0, a1, ignore_index=2, reduction="sum")


def tokens(a0: "float32[2,3,7]", a1: "int64[2,3]<7"):
    return torch.nn.functional.cross_entropy(a0.view(-1, 7), a1.view(-1), ignore_index=-1)


def module_smoothing(module: "torch.nn.CrossEntropyLoss(label_smoothing=0.1)", a0: "float32[4,5]", a1: "int64[4]<5"):
    return module(a0, a1)


def module_images(module: "torch.nn.CrossEntropyLoss(ignore_index=1)", a0: "float32[2,3,4,4]", a1: "int64[2,4,4]<3"):
    return module(a0, a1)


def linear_of_classes(a0: "float32[4,6]", a1: "float32[5,6]", a2: "int64[4]<5", a3: "float32[5]"):
    loss = torch.nn.functional.linear_cross_entropy
    return (
        loss(a0, a1, a2),
        loss(a0, a1, a2, linear_bias=a3, reduction="none"),
        loss(a0, a1, a2, ignore_index=2, label_smoothing=0.1, reduction="sum"),
        loss(a0[0], a1, a2[0], weight=a3.detach().abs() + 0.5),
    )


def linear_of_probabilities(a0: "float32[4,6]", a1: "float32[5,3,6]", a2: "0.1<=float32[4,5,3]<0.4"):
    return torch.nn.functional.linear_cross_entropy(a0, a1, a2, label_smoothing=0.2)


def linear_of_many(a0: "float32[4,6]", a1: "float32[5,2,3,6]", a2: "int64[4,2,3]<5", a3: "float32[5,2,3]"):
    return torch.nn.functional.linear_cross_entropy(a0, a1, a2, linear_bias=a3)


def linear_layer(
    module: "torch.nn.LinearCrossEntropyLoss(6, 5, bias=True, ignore_index=1)", a0: "float32[4,6]", a1: "int64[4]<5"
):
    return module(a0, a1)


def linear_layer_of_many(
    module: "torch.nn.LinearCrossEntropyLoss(6, 5, out_features=(3,), label_smoothing=0.1, reduction='sum')",
    a0: "float32[4,6]",
    a1: "int64[4,3]<5",
):
    return module(a0, a1)
