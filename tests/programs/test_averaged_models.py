"""torch.optim.swa_utils: models whose parameters are averages over the steps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

AVERAGED = """
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, get_ema_avg_fn, update_bn, get_swa_multi_avg_fn
def net():
    m = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
    for i, p in enumerate(m.parameters()):
        p.data = torch.sin(torch.arange(p.numel()).float() + i).view(p.shape)
    return m
X = torch.cos(torch.arange(24.0)).view(8, 3)
Y = X.sum(1, keepdim=True)
def own(avg, cur, n):
    for a, c in zip(avg, cur):
        a.mul_(0.5).add_(c, alpha=0.5)
for kw in (
    {}, dict(multi_avg_fn=get_ema_multi_avg_fn(0.9)), dict(avg_fn=get_ema_avg_fn(0.8)), dict(multi_avg_fn=own),
    dict(avg_fn=lambda a, c, n: 0.3 * a + 0.7 * c, use_buffers=True), dict(multi_avg_fn=get_swa_multi_avg_fn()),
):
    m = net()
    s = AveragedModel(m, **kw)
    o = torch.optim.SGD(m.parameters(), 0.05)
    for e in range(3):
        for i in range(0, 8, 4):
            o.zero_grad()
            nn.functional.mse_loss(m(X[i:i + 4]), Y[i:i + 4]).backward()
            o.step()
        s.update_parameters(m)
    show([p for p in s.module.parameters()], s.n_averaged, s.module[1].running_mean)
    s.eval()
    show(s(X), sorted(s.state_dict())[-2:])
s2 = AveragedModel(net())
s2.load_state_dict(s.state_dict())
show(s2.n_averaged, s2.module[3].bias)
update_bn([X[:4], X[4:]], s)
show(s.module[1].running_mean, s.training)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_averaged_models(agrees: Callable[..., object], target: str) -> None:
    agrees(AVERAGED, target)
