"""Functions that torch has under its own name too, with other parameters than in torch.nn.functional."""

import torch


def losses_without_reduction(a0: "float32[4,3]", a1: "float32[4,3]", a2_: "float32[4,3]"):
    signs_ = torch.sign(a2_)
    return (
        torch.margin_ranking_loss(a0, a1, signs_),
        torch.margin_ranking_loss(a0, a1, signs_, 0.5, 2),
        torch.hinge_embedding_loss(a0, signs_),
        torch.hinge_embedding_loss(a0, signs_, reduction=0),
        torch.cosine_embedding_loss(a0, a1, signs_[:, 0]),
        torch.triplet_margin_loss(a0, a1, a2_),
        torch.triplet_margin_loss(a0, a1, a2_, reduction=0),
        torch.binary_cross_entropy_with_logits(a0, torch.sigmoid(a2_)),
    )


def divergence(a0: "float32[4,3]", a1: "float32[4,3]"):
    logs, target = torch.log_softmax(a0, 1), torch.softmax(a1, 1)
    return torch.kl_div(logs, target), torch.kl_div(logs, target.log(), 2, log_target=True)


def batch_norms(a0: "float32[4,3,5]", a1: "float32[3]", a2: "float32[3]", a3_: "float32[3]"):
    mean_, variance_ = a3_.clone(), torch.ones(3)
    trained = torch.batch_norm(a0, a1, a2, mean_, variance_, True, 0.3, 1e-5, False)
    used = torch.batch_norm(a0, a1, a2, a3_, torch.ones(3), False, 0.3, 1e-5, False)
    return trained, used, mean_, variance_, torch.batch_norm(a0, a1, a2, None, None, True, 0.3, 1e-5, False)


def instance_norms(a0: "float32[4,3,5]", a1: "float32[3]", a2: "float32[3]", a3_: "float32[3]"):
    mean_, variance_ = a3_.clone(), torch.ones(3)
    trained = torch.instance_norm(a0, a1, a2, mean_, variance_, True, 0.3, 1e-5, False)
    return trained, mean_, variance_, torch.instance_norm(a0, a1, a2, None, None, True, 0.3, 1e-5, False)


def instance_norm_by_statistics(a0: "float32[4,3,5]", a1: "float32[3]", a2: "float32[3]", a3_: "float32[3]"):
    return torch.instance_norm(a0, a1, a2, a3_, torch.ones(3), False, 0.3, 1e-5, False)


def maxima(a0: "float32[2,3,8]", a1: "float32[2,3,8,8]", a2: "float32[1,2,5,5,5]"):
    return (
        torch.max_pool1d(a0, 2),
        torch.max_pool2d(a1, 3, 2, 1),
        torch.max_pool2d(a1, [2, 3], dilation=2),
        torch.max_pool3d(a2, 2, ceil_mode=True),
        *torch.adaptive_max_pool1d(a0, 3),
    )


def maxima_of_one_sample(a0: "float32[3,8]", a1: "float32[3,8,8]", a2: "float32[2,5,5,5]"):
    return (
        torch.max_pool1d(a0, 2),
        torch.max_pool2d(a1, 3, 2, 1),
        torch.max_pool3d(a2, 2),
        *torch.adaptive_max_pool1d(a0, 3),
    )


def maxima_with_places(a0: "float32[2,3,8]", a1: "float32[2,3,8,8]", a2: "float32[2,5,5,5]"):
    return (
        *torch.nn.functional.max_pool1d_with_indices(a0, 2),
        *torch.nn.functional.max_pool2d_with_indices(a1, 3, padding=1, dilation=2),
        *torch.nn.functional.max_pool3d_with_indices(a2, 2),
        *torch.nn.functional.adaptive_max_pool2d_with_indices(a1, (3, 5)),
    )


def grids(a0: "float32[1,2,4,5]", a1: "float32[1,3,3,2]"):
    return (
        torch.grid_sampler(a0, a1, 2, 1, True),
        torch.grid_sampler(a0, a1, 0, 2, False),
        torch.nn.functional.affine_grid(torch.eye(3)[:2].reshape(1, 2, 3), [1, 2, 3, 4]),
    )


def upsampled(a0: "float32[1,2,4]", a1: "float32[1,2,4,5]"):
    return (
        torch.nn.functional.upsample(a0, scale_factor=2),
        torch.nn.functional.upsample(a1, size=7),
        torch.nn.functional.upsample(a1, scale_factor=1.5, mode="bilinear", align_corners=True),
    )


def ctc_loss_of_each(a0: "float32[6,2,4]"):
    logs = torch.log_softmax(a0, -1)
    return torch.ctc_loss(logs, torch.tensor([[1, 2], [3, 1]]), torch.tensor([6, 5]), torch.tensor([2, 1]))
