"""torch.nn.functional: options that PyTorch's own samples never give."""

import torch


def slopes(a0: "float32[3,5]", a1: "float32[3,5]"):
    return (
        torch.nn.functional.leaky_relu(a0, 0.2),
        torch.nn.functional.elu(a0, 0.7),
        torch.nn.functional.celu(a0, alpha=1.6),
        torch.nn.functional.softplus(a1, 2.0, 1.5),
    )


def activated_in_place(a0: "float32[3,5]"):
    x, y, z = a0 * 1, a0 * 2, a0 * 3
    torch.nn.functional.leaky_relu_(x, 0.2)
    torch.nn.functional.elu_(y, 0.7)
    torch.nn.functional.hardtanh_(z, -0.5, 0.8)
    return x, y, z


def antialiased(a0: "float32[1,2,9,8]"):
    return torch.nn.functional.interpolate(a0, (4, 5), mode="bilinear", antialias=True)


def antialiased_cubic(a0: "float32[1,2,9,8]"):
    return torch.nn.functional.interpolate(a0, (4, 5), mode="bicubic", align_corners=False, antialias=True)


def scaled_attention(a0: "float32[2,4,3,8]", a1: "float32[2,4,5,8]", a2: "float32[2,4,5,8]", a3: "bool[3,5]"):
    return torch.nn.functional.scaled_dot_product_attention(a0, a1, a2, a3 | (torch.arange(5) == 0), scale=0.5)


def grouped_attention(a0: "float32[2,4,3,8]", a1: "float32[2,2,5,8]", a2: "float32[2,2,5,8]"):
    return torch.nn.functional.scaled_dot_product_attention(a0, a1, a2, enable_gqa=True)


def biased_attention(a0: "float32[2,4,3,8]", a1: "float32[2,4,5,8]", a2: "float32[2,4,5,8]", a3_: "float32[2,1,3,5]"):
    return torch.nn.functional.scaled_dot_product_attention(a0, a1, a2, attn_mask=a3_)


def other_blank(a0: "float32[9,2,5]", a1: "int64[2,3]<4"):
    logs = torch.log_softmax(a0, 2)
    lengths, sizes = torch.tensor([9, 7]), torch.tensor([3, 2])
    return torch.nn.functional.ctc_loss(logs, a1, lengths, sizes, blank=4)


def losses_of_two_classes(a0: "float32[4,3]", a1_: "0<=float32[4,3]<1", a2_: "0.5<=float32[4,3]<2"):
    p = torch.sigmoid(a0)
    return (
        torch.nn.functional.binary_cross_entropy(p, a1_, a2_),
        torch.nn.functional.binary_cross_entropy(p, a1_, reduction="sum"),
        torch.nn.functional.binary_cross_entropy_with_logits(a0, a1_, a2_, reduction="none"),
        torch.nn.functional.binary_cross_entropy_with_logits(a0, a1_, pos_weight=a2_[0]),
    )


def losses_of_distances(a0: "float32[4,3]", a1: "float32[4,3]", a2: "float32[4,3]"):
    return (
        torch.nn.functional.triplet_margin_loss(a0, a1, a2, p=1.0, eps=1e-3),
        torch.nn.functional.triplet_margin_loss(a0, a1, a2, swap=True, reduction="sum"),
        torch.nn.functional.triplet_margin_with_distance_loss(a0, a1, a2, reduction="none"),
        torch.nn.functional.multilabel_soft_margin_loss(a0, (a1 > 0).float(), reduction="sum"),
    )


def large_margins(a0: "float32[4,3]", a1_: "float32[4,3]"):
    return torch.nn.functional.soft_margin_loss(a0 * 200, torch.sign(a1_))


def large_logits(a0: "float32[4,3]", a1_: "0<=float32[4,3]<1"):
    return (
        torch.nn.functional.binary_cross_entropy_with_logits(a0 * 200, a1_),
        torch.nn.functional.softplus(a0 * 200),
        torch.nn.functional.logsigmoid(a0 * 200),
        torch.nn.functional.poisson_nll_loss(a0, a1_, full=True),
    )


def spread_patches(a0: "float32[2,12,4]"):
    return torch.nn.functional.fold(a0, (5, 6), (2, 2), dilation=(3, 3), padding=0, stride=(1, 2))


def chosen_softly(a0_: "float32[50,4]"):
    soft = torch.nn.functional.gumbel_softmax(a0_, tau=0.7)
    hard = torch.nn.functional.gumbel_softmax(a0_, hard=True, dim=0)
    return torch.allclose(soft.sum(1), torch.ones(50)), hard.sum(0), ((hard == 0) | (hard == 1)).all()


def chosen_softly_by_chance(a0_: "float32[3]"):
    return torch.nn.functional.gumbel_softmax(a0_, 0.8)


def short_rows(a0: "int64[6]<5", a1_: "float32[5,3]"):
    return torch.nn.functional.embedding(a0, a1_ * 1, max_norm=0.5)


def often_seen_rows(a0: "int64[6]<3", a1: "float32[5,3]"):
    return torch.nn.functional.embedding(a0, a1, scale_grad_by_freq=True)


def normalized(a0: "float32[4,3]"):
    return torch.nn.functional.normalize(a0 * 1e-3, eps=1.0), torch.nn.functional.normalize(a0, p=1, dim=0)
