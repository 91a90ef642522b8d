"""What torch.autocast computes in which precision: its lists for CPUs and, beside them, for GPUs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from rewriters.infer import Project
from rewriters.infer.values import Instance, Method, ModuleInfo, Ref, Value
from rewriters.places.made_layers import made_layers
from rewriters.regions.tracing import value_of
from rewriters.torch.table import mro

AUTOCAST = ("torch.autocast", "torch.cuda.amp.autocast", "torch.cpu.amp.autocast")
LAYERS = {
    f"torch.nn.{name}"
    for name in (
        *("Linear", "MultiheadAttention", "LSTM", "GRU", "RNN"),
        *(f"{kind}{count}d" for kind in ("Conv", "ConvTranspose") for count in (1, 2, 3)),
    )
}
LOW = {
    *("matmul", "mm", "bmm", "addmm", "addbmm", "baddbmm", "einsum", "linalg.matmul", "linalg.vecdot"),
    *("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
    *(f"nn.functional.conv{kind}{count}d" for kind in ("", "_transpose") for count in (1, 2, 3)),
    *("nn.functional.linear", "nn.functional.scaled_dot_product_attention"),
}
LOSSES = (
    *("binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding_loss", "cross_entropy", "ctc_loss"),
    *("hinge_embedding_loss", "huber_loss", "kl_div", "l1_loss", "margin_ranking_loss", "mse_loss", "nll_loss"),
    *("multi_margin_loss", "multilabel_margin_loss", "poisson_nll_loss", "smooth_l1_loss", "soft_margin_loss"),
    "triplet_margin_loss",
)
HIGH = {"prod", "cdist", "trace", "quantile", "nanquantile", "stft", *(f"nn.functional.{name}" for name in LOSSES)}
HIGH_ON_GPU = {
    *("acos", "asin", "cosh", "cumprod", "cumsum", "dist", "erfinv", "exp", "expm1", "log", "log10", "log1p", "log2"),
    *("logsumexp", "norm", "pow", "reciprocal", "renorm", "rsqrt", "sinh", "sum", "tan", "linalg.norm"),
    *("softmax", "log_softmax", "nn.functional.softmax", "nn.functional.log_softmax", "nn.functional.softplus"),
    *("nn.functional.layer_norm", "nn.functional.group_norm", "nn.functional.normalize"),
    *("nn.functional.cosine_similarity", "cosine_similarity", "nn.functional.softmin"),
}
LAYERS_HIGH_ON_GPU = {f"torch.nn.{name}" for name in ("Softmax", "LogSoftmax", "LayerNorm", "GroupNorm", "Softplus")}


@lru_cache(maxsize=1)
def is_used(project: Project) -> bool:
    """Whether the project names autocast anywhere."""
    return any(
        isinstance(value := value_of(node), Ref) and value.name in AUTOCAST
        for module in project.modules.values()
        for node in module.nodes.of(ast.Name, ast.Attribute)
    )


def layers(module: ModuleInfo) -> dict[ast.AST, str]:
    """Layers with products that are made here."""
    return made_layers(module, LAYERS, "autocast")


def given(module: ModuleInfo) -> dict[ast.expr, str]:
    """What products and losses are taken of here -> the key of what casts it."""
    found: dict[ast.expr, str] = {}
    for node in module.nodes.of(ast.BinOp):
        if isinstance(node.op, ast.MatMult):
            found |= dict.fromkeys((node.left, node.right), "torch.autocast:low")
    for node in module.nodes.of(ast.Call):
        value = value_of(node.func)
        kind = kind_of(value)
        if kind:
            found |= dict.fromkeys(operands(node, value), f"torch.autocast:{kind}")
    return found


def kind_of(value: Value | None) -> str:
    """What casts the operands of a call, "" where nothing does."""
    if isinstance(value, Instance):
        if "torch.nn.modules.loss._Loss" in mro(value.name):
            return "high"
        return "high_on_gpu" if value.name in LAYERS_HIGH_ON_GPU else ""
    if not isinstance(value, (Ref, Method)) or not value.name.startswith("torch."):
        return ""
    name = value.name.removeprefix("torch.").removeprefix("Tensor.").removeprefix("special.")
    kinds = {"low": LOW, "high": HIGH, "high_on_gpu": HIGH_ON_GPU}
    return next((kind for kind, names in kinds.items() if name in names), "")


def operands(node: ast.Call, value: Value | None) -> Iterator[ast.expr]:
    """What may be a tensor among what a call is given, and what its method is of."""
    if isinstance(value, Method) and isinstance(node.func, ast.Attribute):
        yield node.func.value
    for part in [*node.args, *(word.value for word in node.keywords)]:
        if not isinstance(part, (ast.Constant, ast.Starred, ast.List, ast.Tuple, ast.UnaryOp)):
            yield part
