"""Hooks on tensors."""

import torch


def accumulated(a0_: "float32[3]"):
    a0_.requires_grad_()
    seen = []
    a0_.register_post_accumulate_grad_hook(lambda tensor: seen.append(torch.clone(tensor.grad)))
    torch.sum(a0_ * a0_).backward()
    torch.sum(a0_ * 2).backward()
    return seen[0], seen[1], len(seen)


def reflectors(a0_: "float32[2,4,3]", a1_: "float32[3,5]", a2_: "float32[4,4]"):
    first, wide, square = torch.geqrf(a0_), torch.geqrf(a1_), torch.geqrf(a2_)
    return first[0], first[1], wide[0], wide[1], square[0], square[1]
