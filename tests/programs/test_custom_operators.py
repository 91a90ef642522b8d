"""torch.library: operators of a program's own, and what is registered for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

HEAD = """\
import torch
from torch.autograd.function import FunctionCtx
x = torch.linspace(-1, 1.5, 6).view(2, 3).requires_grad_()
"""
PROGRAMS = {
    "a library of C++, and what torch's exporter is told": """
from torch.onnx import register_custom_op_symbolic
def symbolic(g, x):
    return g.op("Sin", x)
register_custom_op_symbolic("mylib::sine", symbolic, 11)
torch.onnx.unregister_custom_op_symbolic("mylib::sine", 11)
try:
    torch.ops.load_library("/nowhere/_C.so")
    have = True
except OSError:
    have = False
show(have)
""",
    "with a derivative": """
@torch.library.custom_op("mylib::scaled_sin", mutates_args=())
def scaled_sin(x: torch.Tensor, by: float = 3.0) -> torch.Tensor:
    return (x * by).sin()
@scaled_sin.register_fake
def _(x, by=3.0):
    return torch.empty_like(x)
def keep(ctx, inputs, output):
    x, by = inputs
    ctx.save_for_backward(x)
    ctx.by = by
def backward(ctx: FunctionCtx, grad):
    (x,) = ctx.saved_tensors
    return grad * (x * ctx.by).cos() * 7, None
scaled_sin.register_autograd(backward, setup_context=keep)
y = scaled_sin(x)
(scaled_sin(x, by=2.0) * 2 + y).sum().backward()
show(y, x.grad, y.requires_grad, scaled_sin(x.detach()).requires_grad)
with torch.no_grad():
    show(scaled_sin(x).requires_grad)
""",
    "keywords, two results, registered by name": """
def parts(x: torch.Tensor, *, shift: float) -> tuple[torch.Tensor, torch.Tensor]:
    return x + shift, x * shift
torch.library.custom_op("mylib::parts", parts, mutates_args=())
schema = "(Tensor x, *, float shift) -> (Tensor, Tensor)"
op = torch.library.custom_op("mylib::parts2", parts, mutates_args=(), schema=schema)
torch.library.register_fake("mylib::parts2", lambda x, *, shift: (torch.empty_like(x), torch.empty_like(x)))
def keep(ctx, inputs, keyword_only_inputs, output):
    ctx.shift = keyword_only_inputs["shift"]
def backward(ctx, first, second):
    return first + second * ctx.shift
torch.library.register_autograd("mylib::parts2", backward, setup_context=keep)
a, b = op(x, shift=0.5)
(a * 3 + b).sum().backward()
show(a, b, x.grad)
""",
    "no derivative is registered": """
@torch.library.custom_op("mylib::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2
y = twice(x)
show(y, y.requires_grad, twice(x.detach()))
try:
    y.sum().backward()
except Exception:  # whatever the target makes of it on its way through the backward pass
    show("raises")
""",
    "kernels of devices": """
@torch.library.custom_op("mylib::kind", mutates_args=(), device_types="cuda")
def kind(x: torch.Tensor) -> torch.Tensor:
    return x + 1
try:
    show(kind(x.detach()))
except NotImplementedError:
    show("none for it")
@kind.register_kernel("cpu")
def _(x):
    return x - 1
show(kind(x.detach()))
with kind.set_kernel_enabled("cpu", False):
    show(kind(x.detach()))
""",
    "changes what it is given": """
@torch.library.custom_op("mylib::fill", mutates_args={"x"})
def fill(x: torch.Tensor, value: float) -> None:
    x.fill_(value)
y = torch.zeros(3)
fill(y, 2.5)
show(y)
""",
    "named behind a version": """
if torch.__version__ >= "2.4.0":
    _custom_op = torch.library.custom_op
    _register_fake = torch.library.register_fake
else:
    _custom_op = _register_fake = None
@_custom_op("mylib::lists", mutates_args=())
def lists(parts: list[torch.Tensor]) -> torch.Tensor:
    return torch.cat(parts)
@_register_fake("mylib::lists")
def _(parts):
    return torch.empty(sum(len(part) for part in parts))
show(lists([torch.ones(2), torch.zeros(1)]))
""",
}
LISTS = """
import torch
@torch.library.custom_op("mylib::joined", mutates_args=())
def joined(parts: list[torch.Tensor]) -> torch.Tensor:
    return torch.cat(parts)
show(joined([torch.ones(2, requires_grad=True), torch.zeros(1)]))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_custom_operators(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(HEAD + PROGRAMS[name], target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_gradients_of_lists_are_refused_when_they_are_asked_for(outcome: Callable[..., object], target: str) -> None:
    found = outcome(LISTS, target)
    assert "of lists of tensors" in str(found.target.error)  # type: ignore[attr-defined]


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_packages_ask_of_torchs_own_build(agrees: Callable[..., object], target: str) -> None:
    program = """
        import os
        import torch
        os.environ["XDG_CACHE_HOME"] = "/somewhere"
        show(torch.hub._get_torch_home(), torch._C._log_api_usage_once("own.package"))
        os.environ["TORCH_HOME"] = "~/models"
        show(torch.hub._get_torch_home() == os.path.expanduser("~/models"))
    """
    agrees(program, target)
