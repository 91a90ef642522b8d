"""Which calls are written anew, and how they are laid out."""

from __future__ import annotations

import pytest

from rewriters.text.former_calls import current

HEAD = "import torch\nimport torch as th\nfrom ops import F\ndef f(p, m, v, b, lr, g, meter):\n    "

WRITTEN = {
    "p.add_(-lr, g)": "p.add_(g, alpha=-lr)",
    "p.add_((1 - b), (g))": "p.add_((g), alpha=(1 - b))",
    "p.addcdiv_(-lr,\n        m,\n        v)": "p.addcdiv_(m,\n        v,\n        value=-lr)",
    "p.addmm_(b, lr, m, v)": "p.addmm_(m, v, beta=b, alpha=lr)",
    "x = th.addmm(b, p, lr, m, v)": "x = th.addmm(p, m, v, beta=b, alpha=lr)",
    "x = torch.add(p, b, g, out=m)": "x = torch.add(p, g, alpha=b, out=m)",
    "m.mul_(b).add_(1 - b, g.add_(lr, p))": "m.mul_(b).add_(g.add_(p, alpha=lr), alpha=1 - b)",
    "x = m.add(b, p.data)": "x = m.add(p.data, alpha=b)",
    "x = m.addcmul(1 - b, g, g)": "x = m.addcmul(g, g, value=1 - b)",
}
LEFT = (
    "p.add_(g, alpha=-lr)",
    "p.addcmul_(m, v)",
    "p.add_(*g)",
    "x = meter.add(b, lr)",
    "meter.add(b, p.data)",
    "x = meter.add(g.mean().item(), p.data)",
    "x = torch.addmm(p, m, v)",
    "x = th.addcmul(p, m, v)",
    "x = F.addmm(p, m, v)",
    "x = p.addmm(m, v, lr)",
    "p.add_(lr(), g())",
    "x = torch.add(p, g)",
    "x = [out.add(), p.sub(), p.add(g, lr, 3)]",
)


@pytest.mark.parametrize(("call", "written"), WRITTEN.items())
def test_written_in_the_form_of_today(call: str, written: str) -> None:
    assert current((HEAD + call + "\n").encode()).decode() == HEAD + written + "\n"


@pytest.mark.parametrize("call", LEFT)
def test_others_stay(call: str) -> None:
    assert current((HEAD + call + "\n").encode()).decode() == HEAD + call + "\n"
