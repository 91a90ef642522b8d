"""How tensors lie in memory."""

import torch


def asked():
    a = torch.zeros(2, 3)
    return a.t().stride(), a.is_contiguous(), a.t().is_contiguous(), a.stride(1), a[:, 1].stride(0)
