"""What functions and methods of tensors become in Paddle: the text, as an engineer reads it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.environments import Interpreter
from rewriters.convert import Conversion

HEAD = "import torch\n\n\ndef f(x: torch.Tensor, y: torch.Tensor, m: torch.Tensor, n: int, i: int):\n    return "
PADDLE = "import paddle\n\n\ndef f(x: paddle.Tensor, y: paddle.Tensor, m: paddle.Tensor, n: int, i: int):\n    return "


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x.view(n, -1).transpose(0, 1)", "x.reshape([n, -1]).swapaxes(0, 1)"),
        ("x.permute(0, 2, 1).flip(1, 2)", "x.transpose([0, 2, 1]).flip([1, 2])"),
        ("x.squeeze()", "x.squeeze()"),
        ("x.squeeze(-1).squeeze(0, 1)", "x.squeeze(-1).squeeze(axis=[0, 1])"),
        ("x.repeat(2, 1).expand(-1, 4)", "x.tile([2, 1]).expand([-1, 4])"),
        ("torch.cat([x, y], dim=1)", "paddle.concat([x, y], axis=1)"),
        ("torch.flip(x, dims=[0])", "paddle.flip(x, axis=[0])"),
        ("x.max(1)", "paddle.compat.max(x, 1)"),
        ("torch.max(x, y)", "paddle.maximum(x, y)"),
        ("torch.max(x)", "paddle.max(x)"),
        ("x.std(dim=1)", "x.std(axis=1)"),
        ("x.var(0, unbiased=False)", "x.var(0, unbiased=False)"),
        ("x.sum((0, 1)).mean(-1, keepdim=True)", "x.sum((0, 1)).mean(-1, keepdim=True)"),
        ("x.gather(1, m)", "x.take_along_axis(m, 1, broadcast=False)"),
        ("x.index_select(0, m)", "x.index_select(m, axis=0)"),
        ("torch.where(m > 0, x, y)", "paddle.where(m > 0, x, y)"),
        ("torch.clamp(x, min=1e-8)", "paddle.clip(x, min=1e-8)"),
        ("torch.full((n, 2), 0)", 'paddle.full((n, 2), 0, dtype="int64")'),
        ("torch.full((n, 2), 0.5)", "paddle.full((n, 2), 0.5)"),
        ("torch.zeros(n, 3, device=x.device)", "paddle.zeros([n, 3])"),
        ("x.new_zeros(3)", "x.new_zeros([3])"),
        ("x.type(torch.int64)", "x.astype(paddle.int64)"),
        ("x.type_as(y)", "x.astype(y.dtype)"),
        ("x.to(torch.float16)", "x.astype(paddle.float16)"),
        ("(x.size(0), x.numel(), x.dim())", "(x.shape[0], x.size, x.ndim)"),
        # What the project's own calls say is not what others may hand over.
        ("torch.ones(2, 3).dim() == 2", "paddle.ones([2, 3]).ndim == 2"),
        ("torch.einsum('ij,jk->ik', x, y)", "paddle.einsum('ij,jk->ik', x, y)"),
        ("torch.addmm(x, y, m)", "x + y @ m"),
        ("torch.bmm(x, y)", "paddle.bmm(x, y)"),
        ("x.masked_fill(m == 0, -1e9)", "x.masked_fill(m == 0, -1e9)"),
        ("torch.linalg.norm(x, dim=-1)", "paddle.linalg.norm(x, axis=-1)"),
        ("torch.fft.rfft(x, dim=1)", "paddle.fft.rfft(x, axis=1)"),
        ("torch.special.expit(x)", "paddle.sigmoid(x)"),
    ],
)
def test_expressions(source: str, expected: str, check_converted) -> None:
    check_converted(HEAD + source + "\n", PADDLE + expected + "\n")


@pytest.mark.parametrize(
    ("source", "helper"),
    [
        ("x.chunk(3, dim=-1)", "chunk"),
        ("[x.unfold(1, 3, 1)]", "unfold"),
        ("x.kthvalue(2)", "kthvalue"),
        ("torch.as_strided(x, (2, 2), (1, 2))", "as_strided"),
    ],
)
def test_what_paddle_says_otherwise_is_a_helper(source: str, helper: str, conversion) -> None:
    done = conversion(HEAD + source + "\n")
    (text,) = done.helpers.values()
    assert f"def {helper}(" in text


def test_in_place_methods_stay_in_place(check_converted) -> None:
    check_converted(
        """
        import torch

        def f(x: torch.Tensor, y: torch.Tensor):
            x.add_(y).mul_(2)
            x.clamp_(0, 1)
            x.addcmul_(x, y)
            x.zero_()
        """,
        """
        import paddle

        def f(x: paddle.Tensor, y: paddle.Tensor):
            x.add_(y).scale_(2)
            x.clip_(0, 1)
            x.add_(x * y)
            x.zero_()
        """,
    )


@pytest.mark.parametrize(
    "source",
    [
        "torch.autograd.grad(x, y, is_grads_batched=True)",
        "x.backward(create_graph=True)",
        "torch.lobpcg(x)",
        "x.storage()",
    ],
)
def test_what_paddle_lacks_is_marked_with_what_to_do(source: str, sites) -> None:
    marked = [site for site in sites(HEAD + source + "\n") if site.outcome == "marked"]
    assert marked
    assert all(";" in site.detail for site in marked)


CLASSIC = """
import torch
from torch.autograd import Variable

cuda = torch.cuda.is_available()
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
LongTensor = torch.cuda.LongTensor if cuda else torch.LongTensor
images = torch.ones(2, 3, dtype=torch.float64)
given = Variable(images.type(Tensor))
places = Variable(images.type(LongTensor))
made = Variable(Tensor(2, 1).fill_(2.0), requires_grad=True)
read = Tensor([[1.5, 2.5]])
torch.sum(made * made + given.sum()).backward()
found = [str(x.dtype).split(".")[-1] for x in (given, places, made, read)], made.grad.tolist(), read.tolist()
"""


def test_types_of_tensors_as_values(
    conversion: Callable[..., Conversion], paddle_python: Interpreter, tmp_path: Path
) -> None:
    done = conversion(CLASSIC + "print(found)\n")
    for path, text in done.files.items():
        (tmp_path / path).write_bytes(text)
    for path, helper in done.helpers.items():
        (tmp_path / path).write_text(helper)
    ran = subprocess.run(
        [paddle_python.python, "-W", "ignore", "snippet.py"],
        cwd=tmp_path, capture_output=True, text=True, check=True, env=paddle_python.environ(),
    )  # fmt: skip
    expected: dict[str, object] = {}
    exec(CLASSIC, expected)  # noqa: S102 - torch's own answer
    assert ran.stdout.splitlines()[-1] == str(expected["found"])


def test_what_is_copied_into_a_tensor_is_stored_there(converted: Callable[..., str]) -> None:
    text = converted(
        "import torch\nx = torch.zeros(2, 3)\nx.copy_(torch.ones(3))\ndef f(t: torch.Tensor):\n    t.copy_(x)\n"
    )
    assert "x[...] = paddle.ones([3])" in text
    assert "paddle_helpers.copy_(t, x)" in text
