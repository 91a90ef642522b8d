"""What ``results.json`` says of functions whose samples say less than is so, by canonical name.

PyTorch calls these through wrappers, in several ways at once, or gives them no truth values. A function has the same
words wherever torch has it.
"""

from __future__ import annotations

from typing import Any

from rewriters.infer.values import ANY_KIND, FLOATING

Words = list[Any]

LIKE_FIRST: Words = [ANY_KIND, ["first", "first"]]
OF_FIRST: Words = [ANY_KIND, ["first", ""]]
EVERYWHERE = ("torch", "torch.Tensor")
OF_ACTIVATIONS = (*EVERYWHERE, "torch.nn.functional", "torch.special", "torch.sparse")


def named(words: Words, owners: tuple[str, ...], *names: str) -> dict[str, Words]:
    return {f"{owner}.{name}": words for owner in owners for name in names}


UNSAMPLED: dict[str, Words] = (
    named([ANY_KIND, ["promoted", ""]], (*EVERYWHERE, "torch.linalg"), "matmul")
    | named([FLOATING, ["first", "first"]], OF_ACTIVATIONS, "softmax", "log_softmax")
    | named([ANY_KIND, ["int", ""]], EVERYWHERE, "multinomial")
    | named([ANY_KIND, ["counted", "first"]], (*EVERYWHERE, "torch.masked"), "cumsum", "cumprod")
    | named(OF_FIRST, EVERYWHERE, "unique", "unique_consecutive")
    | named([ANY_KIND, ["promoted", ""]], ("torch",), "einsum")
    | named(OF_FIRST, ("torch.Tensor",), "expand", "repeat", "view", "expand_as", "view_as", "reshape_as", "unfold")
    | named(OF_FIRST, ("torch",), "atleast_1d", "atleast_2d", "atleast_3d")
    | named(LIKE_FIRST, (*EVERYWHERE, "torch.nn.functional"), "dropout", "relu", "round", "threshold")
    | named(LIKE_FIRST, EVERYWHERE, "detach", "split")
    | named(LIKE_FIRST, ("torch.Tensor",), "contiguous", "cpu", "cuda", "requires_grad_")
    | named([ANY_KIND, ["", ""], ["int", "1"]], ("torch.nn.utils.rnn",), "pad_packed_sequence")
)
