"""Modules, losses, optimizers, schedules and loaders, as a Paddle engineer writes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


@pytest.mark.parametrize(
    ("torch", "paddle"),
    [
        ("nn.Conv2d(3, 8, 3, 1, 1, bias=False)", "nn.Conv2D(3, 8, 3, 1, 1, bias_attr=False)"),
        ("nn.BatchNorm2d(8, momentum=0.3)", "nn.BatchNorm2D(8, momentum=0.7)"),
        ("nn.AvgPool2d(2)", "nn.AvgPool2D(2)"),
        ("nn.AvgPool2d(3, 1, 1)", "nn.AvgPool2D(3, 1, 1, exclusive=False)"),
        ("nn.LayerNorm(4, eps=1e-6)", "nn.LayerNorm(4, epsilon=1e-6)"),
        ("nn.LeakyReLU(0.2, inplace=True)", "nn.LeakyReLU(0.2)"),
        ("nn.SmoothL1Loss(beta=0.5)", "nn.SmoothL1Loss(delta=0.5, is_huber=False)"),
        ("nn.LSTM(3, 4, batch_first=True)", "nn.LSTM(3, 4)"),
        ("nn.GRU(3, 4, bidirectional=True)", 'nn.GRU(3, 4, direction="bidirect", time_major=True)'),
        ("nn.Softmax(dim=1)", "nn.Softmax(axis=1)"),
        ("nn.InstanceNorm2d(3)", "nn.InstanceNorm2D(3, weight_attr=False, bias_attr=False)"),
        ("nn.Parameter(torch.zeros(3))", "nn.Parameter(paddle.zeros([3]))"),
        ("nn.ModuleDict({})", "nn.LayerDict({})"),
    ],
)
def test_constructors(converted: Callable[..., str], torch: str, paddle: str) -> None:
    assert converted(f"{HEAD}layer = {torch}\n").endswith(f"layer = {paddle}\n")


def test_what_paddle_lacks_is_a_class_that_isinstance_takes(converted: Callable[..., str]) -> None:
    text = converted(f"{HEAD}norm = nn.RMSNorm(4)\nprint(isinstance(norm, (nn.Linear, nn.RMSNorm)))\n")
    assert "norm = paddle_helpers.RMSNorm(4)" in text
    assert "isinstance(norm, (nn.Linear, paddle_helpers.RMSNorm))" in text


def test_smoothed_labels_are_torchs(converted: Callable[..., str]) -> None:
    assert "paddle_helpers.CrossEntropyLoss(label_smoothing=0.1)" in converted(
        f"{HEAD}loss = nn.CrossEntropyLoss(label_smoothing=0.1)\n"
    )


def test_no_dilation_in_pooling_is_marked_with_its_reason(converted: Callable[..., str]) -> None:
    assert "MaxPool2D has no dilation" in converted(f"{HEAD}pool = nn.MaxPool2d(3, dilation=2)\n")


def test_groups_with_rates_of_their_own(converted: Callable[..., str]) -> None:
    model = f"{HEAD}model = nn.Linear(3, 4)\n"
    plain = converted(f"{model}o = torch.optim.AdamW(model.parameters(), lr=1e-3)\n")
    assert "paddle.optimizer.AdamW(parameters=model.parameters(), learning_rate=1e-3)" in plain
    decays = converted(f"{model}o = torch.optim.SGD([{{'params': [model.weight], 'weight_decay': 0.1}}], lr=0.1)\n")
    assert "paddle.optimizer.SGD" in decays or "paddle.optimizer.Momentum" in decays
    rates = converted(f"{model}o = torch.optim.SGD([{{'params': [model.weight], 'lr': 0.01}}], lr=0.1)\n")
    assert "paddle_helpers.SGD_of_groups" in rates


@pytest.mark.parametrize(
    "given",
    [
        "net.parameters()",
        "filter(lambda p: p.requires_grad, net.parameters())",
        "[p for p in net.parameters() if p.requires_grad]",
        "list(net.a.parameters()) + list(net.b.parameters())",
    ],
)
def test_parameters_of_a_model_that_is_not_known_are_no_groups(converted: Callable[..., str], given: str) -> None:
    text = converted(f"{HEAD}from elsewhere import net\no = torch.optim.Adam({given}, lr=0.1)\n")
    assert f"o = paddle.optimizer.Adam(parameters={given}, learning_rate=0.1)" in text


@pytest.mark.parametrize(
    ("betas", "expected"),
    [
        ("(opt.b1, 0.999)", "beta1=opt.b1"),
        ("(b1, opt.b2)", "beta1=b1, beta2=opt.b2"),
        ("(f(), 0.9)", "beta1=(f(), 0.9)[0], beta2=0.9"),
        ("(0.9, torch.pi)", "beta2=(0.9, paddle.pi)[1]"),
    ],
)
def test_parts_of_a_tuple(converted: Callable[..., str], betas: str, expected: str) -> None:
    text = converted(
        f"{HEAD}from elsewhere import net, opt, b1, f\no = torch.optim.Adam(net.parameters(), betas={betas})\n"
    )
    assert f"o = paddle.optimizer.Adam(parameters=net.parameters(), {expected})\n" in text


def test_a_dtype_is_not_none(converted: Callable[..., str]) -> None:
    text = converted(f"{HEAD}def f(x: torch.Tensor):\n    return torch.full((2,), 3, dtype=x.dtype)\n")
    assert text.endswith("return paddle.full((2,), 3, dtype=x.dtype)\n")


def test_chained_parameters_are_no_groups(converted: Callable[..., str]) -> None:
    text = converted(
        f"{HEAD}from itertools import chain\nfrom elsewhere import a, b, c, d\n"
        "o = torch.optim.Adam(chain(a.parameters(), list(b.parameters())), lr=0.1)\n"
        "p = torch.optim.Adam(chain(c.parameters(), d.groups()), lr=0.1)\n"
    )
    assert "o = paddle.optimizer.Adam(parameters=chain(a.parameters(), list(b.parameters()))" in text
    assert "p = paddle_helpers.Adam_of_groups(" in text


def test_of_optimizers_beside_one_with_groups_those_of_the_same_parameters_take_them_back(
    converted: Callable[..., str],
) -> None:
    text = converted(
        f"{HEAD}from elsewhere import a, b\n"
        "o = torch.optim.SGD([{'params': a[0].parameters(), 'lr': 0.01}], lr=0.1)\n"
        "p = torch.optim.SGD(a.parameters(), lr=0.1)\n"
        "q = torch.optim.SGD(b.parameters(), lr=0.1)\n"
    )
    assert "p = paddle_helpers.SGD_of_groups(" in text
    assert "q = paddle.optimizer.SGD(" in text


@pytest.mark.parametrize("given", ["net.groups()", "groups", "[{'params': net.parameters(), 'lr': r} for r in rates]"])
def test_what_may_be_groups_is_asked_at_run_time(converted: Callable[..., str], given: str) -> None:
    text = converted(f"{HEAD}from elsewhere import net, groups, rates\no = torch.optim.Adam({given}, lr=0.1)\n")
    assert "paddle_helpers.Adam_of_groups" in text


def test_rates_set_by_hand_go_through_the_groups(converted: Callable[..., str]) -> None:
    text = converted(
        f"{HEAD}o = torch.optim.SGD(nn.Linear(3, 4).parameters(), lr=0.1)\n"
        "for group in o.param_groups:\n    group['lr'] = 0.5\n"
    )
    assert "for group in paddle_helpers.param_groups(o):\n    group['lr'] = 0.5" in text


def test_a_classs_own_matrix_has_torchs_fans(converted: Callable[..., str]) -> None:
    text = converted(
        f"""{HEAD}
class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(4, 3))
        self.fc = nn.Linear(3, 4)
        nn.init.kaiming_uniform_(self.weight)
        nn.init.kaiming_uniform_(self.fc.weight)
"""
    )
    assert "paddle_helpers.own_kaiming_uniform_(self.weight)" in text
    assert "nn.init.kaiming_uniform_(self.fc.weight)" in text


def test_weight_norm_of_a_convolution_needs_no_helper(converted: Callable[..., str]) -> None:
    text = converted(f"{HEAD}a = nn.utils.weight_norm(nn.Conv1d(3, 4, 3))\nb = nn.utils.weight_norm(nn.Linear(3, 4))\n")
    assert "a = nn.utils.weight_norm(nn.Conv1D(3, 4, 3))" in text
    assert "b = paddle_helpers.weight_norm(nn.Linear(3, 4))" in text


def test_loader_drops_what_paddle_decides_itself(converted: Callable[..., str]) -> None:
    text = converted(
        "from torch.utils.data import DataLoader\n\n\ndef load(data):\n"
        "    return DataLoader(data, 4, True, num_workers=2, pin_memory=True, generator=None)\n"
    )
    assert "DataLoader(data, batch_size=4, shuffle=True, num_workers=2, use_shared_memory=False)" in text


def test_loader_with_a_sampler_that_may_be_none(converted: Callable[..., str]) -> None:
    text = converted(
        "from torch.utils.data import DataLoader\n\n\ndef load(data, order):\n"
        "    return DataLoader(data, batch_size=4, sampler=order)\n"
    )
    assert "paddle_helpers.DataLoader(data, batch_size=4, sampler=order)" in text


def test_module_moves_by_dtype_or_device(converted: Callable[..., str]) -> None:
    text = converted(
        f"{HEAD}def f(device):\n    m = nn.Linear(3, 4)\n    m.to(torch.float64)\n    m.to(device, non_blocking=True)\n"
    )
    assert "paddle_helpers.module_to(m, paddle.float64)" in text  # integers stay integers
    assert "m.to(device)" in text


def test_the_first_of_a_list(converted: Callable[..., str]) -> None:
    """torch's modules give their parameters one after another, Paddle's at once."""
    text = converted(f"{HEAD}net = nn.Linear(1, 2)\ndevice = next(net.parameters()).device\ntuple(net.parameters())\n")
    assert "next(iter(net.parameters())).device" in text
    assert "tuple(net.parameters())" in text


def test_backends_are_compared_in_torchs_letters(converted: Callable[..., str]) -> None:
    text = converted('import torch.distributed as dist\nfast = dist.get_backend() == "nccl"\n')
    assert text.endswith('fast = dist.get_backend().lower() == "nccl"\n')


def test_one_of_what_a_layer_remembers(converted: Callable[..., str]) -> None:
    text = converted(
        f"{HEAD}up = nn.ConvTranspose1d(2, 2, 8, stride=2)\n"
        "cut, whole = up.kernel_size[0] - up.stride[-1], up.kernel_size\n"
    )
    assert text.endswith("cut, whole = up._kernel_size[0] - up._stride[-1], tuple(up._kernel_size)\n")


def test_stores_through_views_are_said_in_order(converted: Callable[..., str]) -> None:
    """By keyword only where evaluating one part may change what another is."""
    head = f"{HEAD}def f(x: torch.Tensor, v: torch.Tensor, i: torch.Tensor, g):\n    z = x.transpose(0, 1)\n"
    plain = converted(f"{head}    z[torch.arange(3)[:, None], i, :] = torch.matmul(v, v)\n    return z\n")
    assert "paddle_helpers.store(z, (paddle.arange(3)[:, None], i, slice(None)), paddle.matmul(v, v))" in plain
    called = converted(f"{head}    z[torch.arange(3)[:, None], i, :] = g(v)\n    return z\n")
    assert "paddle_helpers.store(value=g(v), self=z, index=(" in called


def test_sizes_are_convolved_with_as_they_are_kept(converted: Callable[..., str]) -> None:
    """Where only their numbers count, a list is as good as a tuple; where they are handed on it is not."""
    text = converted(
        f"{HEAD}class Same(nn.Conv2d):\n"
        "    def __init__(self, given, made, size):\n"
        "        super().__init__(given, made, size, 1, 0)\n"
        "        self.stride = self.stride if len(self.stride) == 2 else [self.stride[0]] * 2\n\n"
        "    def forward(self, x):\n"
        "        high, wide = self.stride\n"
        "        told = self.padding, self.stride == (2, 2)\n"
        "        return F.conv2d(x, self.weight, self.bias, self.stride, self.padding, dilation=self.dilation), told\n"
    )
    assert "self._stride = self._stride if len(self._stride) == 2 else [self._stride[0]] * 2" in text
    assert "high, wide = self._stride\n" in text
    assert "told = paddle_helpers.padding(self), tuple(self._stride) == (2, 2)" in text
    assert "F.conv2d(x, self.weight, self.bias, self._stride, self._padding, dilation=self._dilation), told" in text


def test_stores_under_names_that_no_layer_has(converted: Callable[..., str]) -> None:
    text = converted(
        f'{HEAD}import sys\n\nKEPT = "scale"\n\n\ndef put(block, more, held):\n'
        '    names = ["s1", "s2"]\n'
        "    for name in names:\n"
        "        setattr(block, name, hasattr(block, name))\n"
        "    for i, one in enumerate(more):\n"
        '        setattr(block, f"part_{i}", one)\n'
        "        setattr(block, KEPT, one)\n"
        "    for k, v in held.items():\n"
        "        setattr(block, k, v)\n"
        "        setattr(sys.modules[__name__], k, v)\n"
        '    print("stride")\n'
    )
    assert text.count("setattr(") == 4
    assert "hasattr(block, name)" in text
    assert "paddle_helpers.set_setting_of_any(block, k, v)" in text


def test_files_of_pretrained_models_are_named(converted: Callable[..., str]) -> None:
    """By whichever of its names torch's function is called."""
    for text in ("from torch.utils import model_zoo\nmodel_zoo.load_url('u')\n",
                 "from torch.utils.model_zoo import load_url\nload_url('u')\n"):  # fmt: skip
        assert "carry a checkpoint over with `migrate weights`" in converted(text)
