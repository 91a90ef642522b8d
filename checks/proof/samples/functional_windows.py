"""torch.nn.functional: windows, patches and look-ups that PyTorch's own samples leave out."""

import torch


def powers(a0: "0.5<=float32[2,3,9]<2", a1: "0.5<=float32[2,3,8,9]<2", a2: "0.5<=float32[1,2,6,6,6]<2"):
    return (
        torch.nn.functional.lp_pool1d(a0, 2, 3),
        torch.nn.functional.lp_pool1d(a0, 3, 3, stride=2),
        torch.nn.functional.lp_pool2d(a1, 2, (2, 3)),
        torch.nn.functional.lp_pool2d(a1, 1.5, 3, 2),
        torch.nn.functional.lp_pool3d(a2, 2, 2),
    )


def powers_of_what_is_left(a0: "0.5<=float32[2,3,9]<2", a1: "0.5<=float32[2,3,8,9]<2", a2: "0.5<=float32[1,2,5,6,7]<2"):
    return (
        torch.nn.functional.lp_pool1d(a0, 2, 2, ceil_mode=True),
        torch.nn.functional.lp_pool2d(a1, 2, (3, 2), ceil_mode=True),
        torch.nn.functional.lp_pool3d(a2, 2, (3, 2, 4), ceil_mode=True),
    )


def patches(a0: "float32[2,12,9]", a1: "float32[2,8,4]"):
    return torch.nn.functional.fold(a0, (4, 4), (2, 2)), torch.nn.functional.fold(
        a1, output_size=(4, 4), kernel_size=2, stride=2
    )


def unfolded_and_folded(a0: "float32[2,3,6,7]"):
    found = torch.nn.functional.unfold(a0, (2, 3), padding=1, stride=(2, 1))
    return found, torch.nn.functional.fold(found, (6, 7), (2, 3), padding=1, stride=(2, 1))


def rows(a0: "int64[4,2]<5", a1: "float32[5,3]"):
    return (
        torch.nn.functional.embedding(a0, a1),
        torch.nn.functional.embedding(a0, a1, padding_idx=1),
        torch.nn.functional.embedding(a0, a1, -1),
    )


def rows_by_torch(a0: "int64[4,2]<5", a1: "float32[5,3]"):
    return torch.embedding(a1, a0), torch.embedding(a1, a0, 2)


def shuffled(a0: "float32[2,6,3,3]"):
    return torch.native_channel_shuffle(a0, 3), torch.nn.functional.channel_shuffle(a0, 2)


def over_time(a0: "float32[7,2,3]", a1: "float32[3,3,4]", a2: "float32[4]"):
    return torch.conv_tbc(a0, a1, a2), torch.conv_tbc(a0, a1, a2, pad=1)


def triplets(a0: "float32[4,3]", a1: "float32[4,3]", a2: "float32[4,3]"):
    return (
        torch.nn.functional.triplet_margin_with_distance_loss(a0, a1, a2),
        torch.nn.functional.triplet_margin_with_distance_loss(
            a0,
            a1,
            a2,
            distance_function=lambda x, y: 1 - torch.nn.functional.cosine_similarity(x, y),
            margin=0.5,
            swap=True,
        ),
    )


def places_of_sizes(a0: "float32[2,3,8]", a1: "float32[2,3,8,8]", a2: "float32[2,2,5,5,5]"):
    return (
        *torch.nn.functional.adaptive_max_pool1d_with_indices(a0, 3),
        *torch.nn.functional.adaptive_max_pool2d_with_indices(a1, (3, 5)),
        *torch.nn.functional.adaptive_max_pool3d_with_indices(a2, 2),
    )


def places_of_fractions(
    a0: "float32[2,3,8,8]", a1_: "0<=float32[2,3,2]<1", a2: "float32[1,2,6,7,8]", a3_: "0<=float32[1,2,3]<1"
):
    return (
        *torch.nn.functional.fractional_max_pool2d_with_indices(a0, 2, (3, 5), _random_samples=a1_),
        *torch.nn.functional.fractional_max_pool3d_with_indices(a2, (2, 3, 2), output_ratio=0.5, _random_samples=a3_),
        torch.nn.functional.fractional_max_pool3d(a2, 2, output_size=(3, 4, 5), _random_samples=a3_),
    )


def not_dropped(a0: "float32[2,3,8]", a1: "float32[2,3,4,4]"):
    return torch.nn.functional.dropout1d(a0, 0.4, training=False), torch.nn.functional.dropout2d(a1, 0.4, False)


def none_dropped(a0: "float32[2,3,8]"):
    return torch.nn.functional.dropout1d(a0, 0.0)


def channels_dropped(a0_: "float32[40,30,2]"):
    kept = torch.nn.functional.dropout1d(torch.ones_like(a0_), 0.4)
    return torch.all(kept[..., 0] == kept[..., 1]), abs(kept.mean() - 1) < 0.2
