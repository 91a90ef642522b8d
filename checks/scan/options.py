"""Options that are not the default ones, alone and two at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from checks.scan.case import Case, lines, program
from rewriters.text.parsing import expression_of

WORDS = {
    "IMAGES": "torch.linspace(-2.0, 3.0, 2 * 4 * 7 * 6).reshape(2, 4, 7, 6).sin()",
    "SERIES": "torch.linspace(-2.0, 3.0, 2 * 4 * 9).reshape(2, 4, 9).sin()",
    "ROWS": "torch.tensor([[0.2, -1.0, 3.0], [1.5, 0.3, -0.4], [-2.0, 0.1, 0.9], [0.0, 0.5, 0.4]])",
    "LABELS": "torch.tensor([2, 0, 1, 2])",
    "HALVES": "torch.tensor([[0.0, 1.0, 0.3], [1.0, 0.5, 0.0], [0.2, 0.0, 1.0], [0.4, 0.4, 0.6]])",
    "REDUCTIONS": "reduction='none' | reduction='sum' | reduction='mean'",
    "WEIGHTS": "weight=torch.tensor([0.5, 2.0, 1.0])",
}


@dataclass(frozen=True)
class Table:
    """A call that takes options.

    call:    with ``_`` where options stand.
    tensors: of the program, by name.
    graded:  those whose gradients are shown.
    options: what may be added; those that set the same keyword are not combined.
    """

    call: str
    tensors: dict[str, str]
    graded: list[str]
    options: list[str]


def tables() -> Iterator[Table]:
    """Of two lines each: the call, its tensors, ``d`` and those that are graded; the options."""
    table = TABLES
    for word, meant in WORDS.items():
        table = table.replace(word, meant)
    both = iter(lines(table))
    for first in both:
        call, *tensors, graded = first.split(" | ")
        named = dict(one.split(" = ", 1) for one in tensors)
        yield Table(call, named, graded.split()[1:], next(both).removeprefix("with ").split(" | "))


GIVEN = [
    "def given(m):",
    "    for p in m.parameters():",
    "        with torch.no_grad():",
    "            p.copy_(torch.linspace(-1.0, 1.0, p.numel()).reshape(p.shape))",
    "    return m",
    "",
]


def keywords(option: str) -> set[str]:
    """The names that an option gives values; none where it begins with what goes by its place."""
    call = expression_of(f"f({option})")
    assert isinstance(call, ast.Call)
    return set() if call.args else {str(word.arg) for word in call.keywords}


def cases() -> Iterator[Case]:
    for table in tables():
        named = [(option, keywords(option)) for option in table.options]
        pairs = [f"{one}, {other}" for (one, a), (other, b) in combinations(named, 2) if a and b and not a & b]
        for option in ["", *table.options, *pairs]:
            yield Case("options", table.call, option, written(table, option))


def written(table: Table, option: str) -> str:
    call = table.call.replace(", _", f", {option}" if option else "").replace("(_", f"({option}")
    setup = GIVEN if "given(" in call else []
    for name, text in table.tensors.items():
        made = f"({text}).detach().requires_grad_()" if name in table.graded else text
        setup = [*setup, f"{name} = {made}"]
    if not table.graded:
        return program(setup, [f"y = {call}", "show(y)"])
    gradients = ", ".join(f"{name}.grad" for name in table.graded)
    return program(setup, [f"y = {call}", "torch.sin(y).sum().backward()", f"show(y.detach(), {gradients})"])


TABLES = """
# losses
F.cross_entropy(x, t, _) | x = ROWS | t = LABELS | d x
    with REDUCTIONS | WEIGHTS | ignore_index=2 | ignore_index=-100 | label_smoothing=0.2
nn.CrossEntropyLoss(_)(x, t) | x = ROWS | t = LABELS | d x
    with REDUCTIONS | WEIGHTS | ignore_index=2 | ignore_index=-100 | label_smoothing=0.2
F.cross_entropy(x, t, _) | x = ROWS | t = torch.tensor([2, -100, 1, 2]) | d x
    with REDUCTIONS | WEIGHTS | ignore_index=2 | label_smoothing=0.2
nn.CrossEntropyLoss(_)(x, t) | x = ROWS | t = torch.tensor([2, -100, 1, 2]) | d x
    with REDUCTIONS | WEIGHTS | ignore_index=2 | label_smoothing=0.2
F.cross_entropy(x, t, _) | x = ROWS | t = torch.tensor([2, -1, 1, 2]) | d x
    with ignore_index=-1, reduction='sum' | ignore_index=-1, WEIGHTS | ignore_index=-1
nn.CrossEntropyLoss(_)(x, t) | x = ROWS | t = torch.tensor([2, -1, 1, 2]) | d x
    with ignore_index=-1, reduction='sum' | ignore_index=-1, WEIGHTS | ignore_index=-1
F.cross_entropy(x, t, _) | x = ROWS | t = F.softmax(HALVES, 1) | d x
    with REDUCTIONS | WEIGHTS | label_smoothing=0.2
nn.CrossEntropyLoss(_)(x, t) | x = ROWS | t = F.softmax(HALVES, 1) | d x
    with REDUCTIONS | WEIGHTS | label_smoothing=0.2
F.nll_loss(x, t, _) | x = F.log_softmax(ROWS, 1) | t = LABELS | d x
    with REDUCTIONS | WEIGHTS | ignore_index=2
nn.NLLLoss(_)(x, t) | x = F.log_softmax(ROWS, 1) | t = LABELS | d x
    with REDUCTIONS | WEIGHTS | ignore_index=2
F.binary_cross_entropy_with_logits(x, t, _) | x = ROWS | t = HALVES | d x
    with REDUCTIONS | WEIGHTS | pos_weight=torch.tensor([2.0, 0.5, 1.0])
nn.BCEWithLogitsLoss(_)(x, t) | x = ROWS | t = HALVES | d x
    with REDUCTIONS | WEIGHTS | pos_weight=torch.tensor([2.0, 0.5, 1.0])
F.binary_cross_entropy(x, t, _) | x = torch.sigmoid(ROWS) | t = HALVES | d x
    with REDUCTIONS | WEIGHTS
nn.BCELoss(_)(x, t) | x = torch.sigmoid(ROWS) | t = HALVES | d x
    with REDUCTIONS | WEIGHTS
F.mse_loss(x, t, _) | x = ROWS | t = HALVES | d x t
    with REDUCTIONS
nn.MSELoss(_)(x, t) | x = ROWS | t = HALVES | d x t
    with REDUCTIONS
F.l1_loss(x, t, _) | x = ROWS | t = HALVES | d x t
    with REDUCTIONS
nn.L1Loss(_)(x, t) | x = ROWS | t = HALVES | d x t
    with REDUCTIONS
F.smooth_l1_loss(x, t, _) | x = ROWS | t = HALVES | d x
    with REDUCTIONS | beta=0.5 | beta=2.0 | beta=0.0
nn.SmoothL1Loss(_)(x, t) | x = ROWS | t = HALVES | d x
    with REDUCTIONS | beta=0.5 | beta=2.0 | beta=0.0
F.huber_loss(x, t, _) | x = ROWS | t = HALVES | d x
    with REDUCTIONS | delta=0.5 | delta=2.0
nn.HuberLoss(_)(x, t) | x = ROWS | t = HALVES | d x
    with REDUCTIONS | delta=0.5 | delta=2.0
F.kl_div(x, t, _) | x = ROWS | t = HALVES | d x
    with REDUCTIONS | reduction='batchmean' | log_target=True
nn.KLDivLoss(_)(x, t) | x = ROWS | t = HALVES | d x
    with REDUCTIONS | reduction='batchmean' | log_target=True
F.poisson_nll_loss(x, t, _) | x = ROWS | t = torch.tensor([[0.0, 1.0, 2.0]]).repeat(4, 1) | d x
    with REDUCTIONS | log_input=False, eps=3.0 | full=True | eps=0.1
nn.PoissonNLLLoss(_)(x, t) | x = ROWS | t = torch.tensor([[0.0, 1.0, 2.0]]).repeat(4, 1) | d x
    with REDUCTIONS | log_input=False, eps=3.0 | full=True | eps=0.1
F.soft_margin_loss(x, t, _) | x = ROWS | t = HALVES.round() * 2 - 1 | d x
    with REDUCTIONS
nn.SoftMarginLoss(_)(x, t) | x = ROWS | t = HALVES.round() * 2 - 1 | d x
    with REDUCTIONS
F.hinge_embedding_loss(x, t, _) | x = ROWS | t = HALVES.round() * 2 - 1 | d x
    with REDUCTIONS | margin=0.5
nn.HingeEmbeddingLoss(_)(x, t) | x = ROWS | t = HALVES.round() * 2 - 1 | d x
    with REDUCTIONS | margin=0.5
F.multi_margin_loss(x, t, _) | x = ROWS | t = LABELS | d x
    with REDUCTIONS | p=2 | margin=0.5 | WEIGHTS
nn.MultiMarginLoss(_)(x, t) | x = ROWS | t = LABELS | d x
    with REDUCTIONS | p=2 | margin=0.5 | WEIGHTS
F.multilabel_soft_margin_loss(x, t, _) | x = ROWS | t = HALVES.round() | d x
    with REDUCTIONS | WEIGHTS
nn.MultiLabelSoftMarginLoss(_)(x, t) | x = ROWS | t = HALVES.round() | d x
    with REDUCTIONS | WEIGHTS
F.gaussian_nll_loss(x, t, v, _) | x = ROWS | v = HALVES + 0.3 | t = HALVES | d x v
    with REDUCTIONS | full=True | eps=0.3
nn.GaussianNLLLoss(_)(x, t, v) | x = ROWS | v = HALVES + 0.3 | t = HALVES | d x v
    with REDUCTIONS | full=True | eps=0.3
F.triplet_margin_loss(x, t, v, _) | x = ROWS | t = HALVES | v = HALVES * 2 | d x t v
    with REDUCTIONS | margin=0.5 | p=1 | swap=True | eps=1e-2
F.cosine_embedding_loss(x, t, s, _) | x = ROWS | t = HALVES | s = torch.tensor([1.0, -1.0, 1.0, -1.0]) | d x t
    with REDUCTIONS | margin=0.3
F.margin_ranking_loss(x, t, s, _) | x = ROWS | t = HALVES | s = HALVES.round() * 2 - 1 | d x t
    with REDUCTIONS | margin=0.3
F.cross_entropy(x, t, _) | x = torch.linspace(-2.0, 3.0, 24).reshape(2, 3, 2, 2).sin() | t = torch.tensor([[[0, 2], [1, 255]], [[1, 1], [0, 255]]]) | d x
    with ignore_index=255 | ignore_index=255, reduction='sum' | ignore_index=255, WEIGHTS | ignore_index=255, label_smoothing=0.1 | ignore_index=255, reduction='none'
F.ctc_loss(F.log_softmax(x, 2), t, torch.tensor([6, 5]), torch.tensor([2, 1]), _) | x = torch.linspace(-2.0, 3.0, 48).reshape(6, 2, 4).sin() | t = torch.tensor([[1, 2], [3, 0]]) | d x
    with REDUCTIONS | zero_infinity=True | blank=3
# pools
F.max_pool2d(x, 3, _) | x = IMAGES | d x
    with stride=2 | stride=1 | padding=1 | dilation=2 | ceil_mode=True | stride=(2, 1) | padding=(1, 0)
nn.MaxPool2d(2, _)(x) | x = IMAGES | d x
    with stride=3 | padding=1 | dilation=2 | ceil_mode=True
F.max_pool2d(x, 2, return_indices=True, _)[1] | x = IMAGES | d
    with stride=3 | padding=1 | ceil_mode=True
F.avg_pool2d(x, 3, _) | x = IMAGES | d x
    with stride=2 | padding=1 | ceil_mode=True | count_include_pad=False | divisor_override=2 | stride=(2, 1) | padding=(0, 1)
nn.AvgPool2d(2, _)(x) | x = IMAGES | d x
    with stride=3 | padding=1 | ceil_mode=True | count_include_pad=False | divisor_override=3
F.avg_pool1d(x, 4, _) | x = SERIES | d x
    with stride=2 | stride=3 | padding=2 | ceil_mode=True | count_include_pad=False
F.max_pool1d(x, 4, _) | x = SERIES | d x
    with stride=2 | stride=3 | padding=2 | ceil_mode=True | dilation=2
F.lp_pool2d(x, 2, 2, _) | x = IMAGES | d x
    with stride=1 | stride=3 | ceil_mode=True
F.avg_pool3d(x[:, :, None].repeat(1, 1, 4, 1, 1), 3, _) | x = IMAGES | d x
    with stride=2 | padding=1 | ceil_mode=True | count_include_pad=False | divisor_override=2
F.max_pool3d(x[:, :, None].repeat(1, 1, 4, 1, 1), 2, _) | x = IMAGES | d x
    with stride=3 | padding=1 | ceil_mode=True | dilation=2
# resizing
F.interpolate(x, _) | x = IMAGES | d x
    with scale_factor=2 | scale_factor=0.5 | scale_factor=1.7 | scale_factor=(2, 1.5) | size=5 | size=(3, 9) | size=1 | mode='nearest-exact' | recompute_scale_factor=True | mode='area'
F.interpolate(x, mode='bilinear', _) | x = IMAGES | d x
    with scale_factor=2 | scale_factor=0.5 | scale_factor=1.7 | scale_factor=(2, 1.5) | size=5 | size=(3, 9) | size=1 | align_corners=True | align_corners=False | recompute_scale_factor=True | antialias=True
F.interpolate(x, mode='bicubic', _) | x = IMAGES | d x
    with scale_factor=2 | scale_factor=0.5 | scale_factor=1.7 | scale_factor=(2, 1.5) | size=5 | size=(3, 9) | size=1 | align_corners=True | align_corners=False | antialias=True
nn.Upsample(_)(x) | x = IMAGES | d x
    with scale_factor=2 | scale_factor=1.5 | size=(5, 5) | mode='bilinear' | mode='bilinear', align_corners=True | mode='bicubic'
F.interpolate(x, mode='linear', _) | x = SERIES | d x
    with scale_factor=2 | scale_factor=0.7 | size=5 | align_corners=True
F.grid_sample(x, g, _) | x = IMAGES | g = (torch.linspace(-1.3, 1.3, 40).reshape(2, 2, 5, 2) * 3).sin() * 1.4 | d x g
    with mode='nearest' | mode='bicubic' | padding_mode='border' | padding_mode='reflection' | align_corners=True | align_corners=False
F.affine_grid(t, (2, 1, 3, 4), _) | t = torch.tensor([[[1.0, 0.2, 0.1], [0.0, 0.8, -0.3]]]).repeat(2, 1, 1) | d t
    with align_corners=True | align_corners=False
F.pad(x, (1, 2, 2, 1), _) | x = IMAGES | d x
    with mode='reflect' | mode='replicate' | mode='circular' | value=1.5 | mode='constant', value=-2
F.unfold(x, 3, _) | x = IMAGES | d x
    with stride=2 | padding=1 | dilation=2 | stride=(1, 2)
F.fold(F.unfold(x, 2, _), (7, 6), 2, _) | x = IMAGES | d x
    with stride=2 | padding=1 | dilation=2
# convolutions
F.conv2d(x, w, _) | x = IMAGES | w = torch.linspace(-1.0, 1.0, 4 * 4 * 9).reshape(4, 4, 3, 3) | d x w
    with stride=2 | padding=1 | padding='same' | padding='valid' | dilation=2 | bias=torch.ones(4) | stride=(2, 1) | padding=(2, 0)
F.conv2d(x, w, groups=2, _) | x = IMAGES | w = torch.linspace(-1.0, 1.0, 4 * 2 * 6).reshape(4, 2, 3, 2) | d x w
    with stride=2 | padding=1 | padding='same' | dilation=2 | bias=torch.ones(4)
F.conv1d(x, w, _) | x = SERIES | w = torch.linspace(-1.0, 1.0, 3 * 4 * 2).reshape(3, 4, 2) | d x w
    with stride=2 | padding=1 | padding='same' | dilation=3 | bias=torch.ones(3)
F.conv_transpose2d(x, w, _) | x = IMAGES | w = torch.linspace(-1.0, 1.0, 4 * 2 * 9).reshape(4, 2, 3, 3) | d x w
    with stride=2 | stride=2, output_padding=1 | padding=1 | dilation=2 | bias=torch.ones(2) | stride=(2, 3)
F.conv_transpose1d(x, w, groups=2, _) | x = SERIES | w = torch.linspace(-1.0, 1.0, 4 * 2 * 3).reshape(4, 2, 3) | d x w
    with stride=2 | padding=1 | stride=3, output_padding=1 | dilation=2
given(nn.Conv2d(4, _))(x) | x = IMAGES | d x
    with out_channels=2, kernel_size=3, stride=2 | out_channels=2, kernel_size=3, padding=1, padding_mode='reflect' | out_channels=2, kernel_size=3, padding=1, padding_mode='circular' | out_channels=2, kernel_size=3, padding=(2, 1), padding_mode='replicate' | out_channels=4, kernel_size=3, groups=4 | out_channels=4, kernel_size=3, groups=2, bias=False | out_channels=2, kernel_size=(3, 2), padding='same' | out_channels=2, kernel_size=(3, 2), padding='same', dilation=2 | out_channels=2, kernel_size=(3, 2), padding='same', padding_mode='reflect' | out_channels=2, kernel_size=3, dilation=2, padding=2, padding_mode='circular'
given(nn.Conv1d(4, _))(x) | x = SERIES | d x
    with out_channels=2, kernel_size=3, padding=1, padding_mode='reflect' | out_channels=2, kernel_size=3, padding=2, padding_mode='circular' | out_channels=2, kernel_size=4, padding='same' | out_channels=2, kernel_size=3, dilation=2, stride=2
given(nn.ConvTranspose2d(4, _))(x) | x = IMAGES | d x
    with out_channels=2, kernel_size=3, stride=2, padding=1, output_padding=1 | out_channels=2, kernel_size=3, dilation=2 | out_channels=4, kernel_size=2, groups=2, stride=2 | out_channels=2, kernel_size=(2, 3), stride=(1, 2), bias=False
# norms
F.layer_norm(x, (3,), _) | x = ROWS | d x
    with WEIGHTS | bias=torch.tensor([0.1, 0.2, 0.3]) | eps=0.5
F.group_norm(x, 2, _) | x = IMAGES | d x
    with weight=torch.tensor([0.5, 2.0, 1.0, 3.0]) | bias=torch.arange(4.0) | eps=0.5
F.instance_norm(x, _) | x = IMAGES | d x
    with weight=torch.tensor([0.5, 2.0, 1.0, 3.0]) | bias=torch.arange(4.0) | eps=0.5 | momentum=0.3 | use_input_stats=True
F.batch_norm(x, torch.zeros(4), torch.ones(4), _) | x = IMAGES | d x
    with weight=torch.tensor([0.5, 2.0, 1.0, 3.0]) | bias=torch.arange(4.0) | eps=0.5 | training=True | training=True, momentum=0.3
F.normalize(x, _) | x = ROWS | d x
    with p=1 | p=3.0 | dim=0 | dim=-1 | eps=1.5 | p=float('inf')
F.local_response_norm(x, 3, _) | x = IMAGES | d x
    with alpha=0.5 | beta=0.5 | k=2.0
torch.linalg.vector_norm(x, _) | x = ROWS | d x
    with ord=1 | ord=3 | ord=0.5 | ord=float('inf') | ord=0 | dim=0 | dim=(0, 1) | keepdim=True | dim=-1
torch.linalg.norm(x, _) | x = ROWS | d x
    with ord='fro' | ord=1 | ord=float('inf') | ord=2 | ord='nuc' | dim=1 | keepdim=True | dim=(0, 1)
torch.norm(x, _) | x = ROWS | d x
    with p=1 | p='fro' | p=float('inf') | dim=0 | dim=(0, 1) | keepdim=True | p=0.5 | dim=-1 | p=-1
# reducing
torch.sum(x, _) | x = ROWS | d x
    with dim=0 | dim=(0, 1) | dim=-1, keepdim=True | dtype=torch.float64 | dim=[1]
torch.mean(x, _) | x = ROWS | d x
    with dim=0 | dim=(0, 1) | dim=-1, keepdim=True | dtype=torch.float64 | dim=[1]
torch.prod(x, _) | x = ROWS | d x
    with dim=0 | dim=-1, keepdim=True | dtype=torch.float64
torch.std(x, _) | x = ROWS | d x
    with dim=0 | dim=(0, 1) | dim=1, keepdim=True | correction=0 | correction=2 | unbiased=False | dim=0, unbiased=False | dim=1, correction=2, keepdim=True
torch.var(x, _) | x = ROWS | d x
    with dim=0 | dim=(0, 1) | dim=1, keepdim=True | correction=0 | correction=2 | unbiased=False | dim=0, unbiased=True | dim=1, correction=2, keepdim=True
torch.logsumexp(x, _) | x = ROWS | d x
    with dim=0 | dim=(0, 1) | dim=1, keepdim=True
torch.amax(x, _) | x = ROWS | d x
    with dim=0 | dim=(0, 1) | dim=1, keepdim=True | dim=()
torch.cumsum(x, _) | x = ROWS | d x
    with dim=0 | dim=-1 | dim=0, dtype=torch.float64
torch.nansum(x, _) | x = ROWS | d x
    with dim=0 | dim=(0, 1) | keepdim=True, dim=1
torch.nanmean(x, _) | x = ROWS | d x
    with dim=0 | dim=(0, 1) | keepdim=True, dim=1
torch.quantile(x, _) | x = ROWS | d x
    with q=0.3 | q=0.3, dim=0 | q=0.3, interpolation='lower' | q=0.3, interpolation='higher', dim=1 | q=0.3, interpolation='nearest' | q=0.3, interpolation='midpoint', keepdim=True | q=torch.tensor([0.1, 0.9]) | q=torch.tensor([0.1, 0.9]), dim=1, keepdim=True
torch.softmax(x, _) | x = ROWS | d x
    with dim=0 | dim=-1 | dim=1, dtype=torch.float64
torch.log_softmax(x, _) | x = ROWS | d x
    with dim=0 | dim=-1 | dim=1, dtype=torch.float64
torch.diff(x, _) | x = ROWS | d x
    with n=2 | dim=0 | prepend=torch.zeros(4, 1) | append=torch.ones(4, 1) | n=2, dim=0
torch.roll(x, _) | x = ROWS | d x
    with shifts=1 | shifts=-2 | shifts=1, dims=0 | shifts=(1, 2), dims=(0, 1) | shifts=5, dims=1
torch.clamp(x, _) | x = ROWS | d x
    with min=0.0 | max=0.5 | min=0.6, max=0.3 | min=torch.zeros(3) | max=torch.ones(3) * 0.4
torch.cdist(x, _) | x = ROWS | d x
    with x2=torch.ones(2, 3) | x2=torch.ones(2, 3), p=1.0 | x2=torch.ones(2, 3), p=float('inf') | x2=torch.ones(2, 3), p=3.0 | x2=torch.ones(2, 3), compute_mode='donot_use_mm_for_euclid_dist'
torch.renorm(x, _) | x = ROWS | d x
    with p=2, dim=0, maxnorm=1.0 | p=1, dim=1, maxnorm=0.5
torch.diagonal(x, _) | x = ROWS | d x
    with offset=1 | offset=-1 | dim1=1, dim2=0
torch.tril(x, _) | x = ROWS | d x
    with diagonal=1 | diagonal=-1 | diagonal=5
torch.nan_to_num(x, _) | x = ROWS | d x
    with nan=1.0 | posinf=2.0 | neginf=-2.0
torch.addmm(x, _) | x = ROWS | d x
    with mat1=torch.ones(4, 2), mat2=torch.ones(2, 3) | mat1=torch.ones(4, 2), mat2=torch.ones(2, 3), beta=0.5 | mat1=torch.ones(4, 2), mat2=torch.ones(2, 3), alpha=2, beta=0
torch.argmax(x, _) | x = ROWS | d
    with dim=0 | dim=1, keepdim=True | keepdim=True
torch.max(x, _) | x = ROWS | d
    with dim=0 | dim=1, keepdim=True
torch.median(x, _) | x = ROWS | d
    with dim=0 | dim=1, keepdim=True
torch.sort(x, _) | x = ROWS | d
    with dim=0 | descending=True | stable=True | dim=0, descending=True, stable=True
torch.argsort(x, _) | x = ROWS | d
    with dim=0 | descending=True | stable=True
torch.topk(x, _) | x = ROWS | d
    with k=2 | k=2, dim=0 | k=2, largest=False | k=2, dim=0, largest=False, sorted=True
torch.kthvalue(x, _) | x = ROWS | d
    with k=2 | k=2, dim=0 | k=1, keepdim=True
torch.unique(x, _) | x = ROWS | d
    with return_inverse=True | return_counts=True | dim=0 | return_inverse=True, return_counts=True | sorted=True | dim=1, return_inverse=True
torch.unique_consecutive(x, _) | x = ROWS | d
    with return_inverse=True | return_counts=True | dim=0
torch.all(x, _) | x = ROWS | d
    with dim=0 | dim=1, keepdim=True
torch.count_nonzero(x, _) | x = ROWS | d
    with dim=0 | dim=(0, 1)
torch.histc(x, _) | x = ROWS | d
    with bins=5 | bins=4, min=-1, max=1 | min=-3, max=3
torch.searchsorted(x, _) | x = ROWS | d
    with input=torch.tensor([0.1])
torch.bucketize(x, _) | x = ROWS | d
    with boundaries=torch.tensor([0.0, 0.5]) | boundaries=torch.tensor([0.0, 0.5]), right=True | boundaries=torch.tensor([0.0, 0.5]), out_int32=True
torch.isclose(x, _) | x = ROWS | d
    with other=torch.zeros(3) | other=torch.zeros(3), atol=0.5 | other=torch.ones(3), rtol=0.6 | other=torch.ones(3), equal_nan=True
torch.round(x, _) | x = ROWS | d
    with decimals=1 | decimals=-1
# creating
torch.arange(_) | d
    with 5 | 2, 5 | 1, 10, 3 | 5.0 | 0, 1, 0.25 | 5, dtype=torch.float32 | 5, 0, -1 | 0.5, 3 | end=4 | start=1, end=4 | -3, 3, 2, dtype=torch.int32
torch.linspace(0, 1, _) | d
    with 5 | 1 | 0 | steps=3 | 4, dtype=torch.float64 | steps=2, dtype=torch.int64
torch.linspace(-3, 10, _) | d
    with 7 | steps=4, dtype=torch.int64 | 1
torch.logspace(0, 2, _) | d
    with 3 | steps=3, base=2 | 5, base=10.0 | steps=3, dtype=torch.float64
torch.eye(_) | d
    with 3 | 2, 3 | 2, m=4 | 2, dtype=torch.int64 | 2, 3, dtype=torch.bool
torch.full((2, 2), _) | d
    with 1 | 1.5 | True | 2, dtype=torch.float32 | 2.7, dtype=torch.int64
torch.zeros(_) | d
    with 2 | 2, 3 | (2, 3) | [2] | () | size=(2,) | 2, dtype=torch.bool
torch.tensor(_) | d
    with 1 | 1.5 | True | [1, 2] | [1, 2.5] | [True, 2] | [[1], [2]] | [] | 3, dtype=torch.float32 | 2.7, dtype=torch.int64 | [0, 2], dtype=torch.bool | [1.7, -1.7], dtype=torch.int32 | (1, 2) | range(3) | float('nan') | 1e40 | 2 ** 40 | -1, dtype=torch.float16
torch.tril_indices(3, 3, _) | d
    with 0 | offset=1 | -1
torch.triu_indices(3, 4, _) | d
    with 0 | offset=1 | -1
torch.hann_window(5, _) | d
    with periodic=True | periodic=False | dtype=torch.float64
torch.hamming_window(5, _) | d
    with periodic=False | alpha=0.5 | True, 0.5, 0.4
torch.blackman_window(5, _) | d
    with periodic=True | periodic=False
torch.bartlett_window(5, _) | d
    with periodic=True | periodic=False
torch.kaiser_window(5, _) | d
    with periodic=False | beta=6.0
torch.vander(torch.tensor([1, 2, 3]), _) | d
    with N=2 | increasing=True | N=4
torch.meshgrid(torch.arange(2), torch.arange(3), _) | d
    with indexing='ij' | indexing='xy'
torch.combinations(torch.arange(3), _) | d
    with r=2 | r=1 | r=2, with_replacement=True
torch.bincount(torch.tensor([1, 3, 1]), _) | d
    with minlength=6 | weights=torch.tensor([0.5, 1.0, 2.0])
torch.histogram(torch.tensor([0.1, 0.5, 0.9]), 2, _) | d
    with range=(0.0, 1.0) | density=True | weight=torch.tensor([1.0, 2.0, 3.0])
torch.repeat_interleave(torch.tensor([1, 2, 3]), _) | d
    with 2 | torch.tensor([1, 0, 2]) | repeats=2, dim=0 | torch.tensor([1, 0, 2]), output_size=3
torch.scatter_reduce(torch.ones(3), 0, torch.tensor([0, 0, 2]), torch.tensor([2.0, 4.0, -1.0]), _) | d
    with 'sum' | 'prod' | 'mean' | 'amax' | 'amin' | reduce='mean', include_self=False | 'amax', include_self=False | reduce='prod', include_self=False
torch.zeros(3).index_reduce(0, torch.tensor([0, 0, 2]), torch.tensor([2.0, 4.0, -1.0]), _) | d
    with 'mean' | 'amax' | 'prod', include_self=False
torch.ones(3).scatter(0, torch.tensor([0]), 2.0, _) | d
    with reduce='add' | reduce='multiply'
torch.nn.functional.one_hot(torch.tensor([0, 2]), _) | d
    with 3 | num_classes=4 | -1
F.gelu(x, _) | x = ROWS | d x
    with approximate='tanh' | approximate='none'
F.embedding(i, w, _) | w = ROWS | i = torch.tensor([[0, 2], [1, 2]]) | d w
    with padding_idx=2 | padding_idx=-1 | scale_grad_by_freq=True
F.embedding_bag(i, w, _) | w = ROWS | i = torch.tensor([[0, 2], [1, 2]]) | d w
    with mode='sum' | mode='max' | mode='mean' | padding_idx=2 | mode='sum', per_sample_weights=torch.tensor([[0.5, 1.0], [2.0, 0.1]])
F.scaled_dot_product_attention(q, q * 2, q + 1, _) | q = torch.linspace(-2.0, 3.0, 48).reshape(2, 2, 3, 4).sin() | d q
    with is_causal=True | scale=0.3 | attn_mask=torch.ones(3, 3).tril().bool() | attn_mask=torch.ones(3, 3).tril() | dropout_p=0.0
torch.stft(x, 4, window=torch.ones(4), return_complex=True, _).abs() | x = torch.linspace(-2.0, 3.0, 16).sin() | d
    with hop_length=2 | center=False | normalized=True | onesided=False | pad_mode='constant'
"""
