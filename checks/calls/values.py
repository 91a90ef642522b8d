"""Values for parameters, chosen by their documented names and types: what a program would write there.

A value is source text. Tensors are written out; a value that is a tensor stands for a name of its own in the program.
Numbers are tame, without ties and not whole, so that nothing is decided by rounding.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from checks.calls.signatures import Parameter


@dataclass(frozen=True)
class Value:
    """One argument.

    text:  the expression that makes it.
    named: whether the program gives it a name of its own first (tensors, generators).
    kind:  of several tensors those of one kind fit each other.
    """

    text: str
    named: bool = False
    kind: str = ""


def numbers(count: int, low: float = -2.0, high: float = 2.0, start: int = 1) -> list[float]:
    """Distinct numbers between the two, in no order."""
    step = next(one for one in (7, 5, 3, 11, 13) if math.gcd(one, count + 1) == 1)
    spots = [((start + number) * step) % (count + 1) for number in range(count)]
    return [round(low + (high - low) * (spot + 0.37) / (count + 1), 3) for spot in spots]


def nested(flat: list[object], shape: tuple[int, ...]) -> object:
    if not shape:
        return flat[0]
    size = len(flat) // shape[0]
    return [nested(flat[number * size : (number + 1) * size], shape[1:]) for number in range(shape[0])]


def floats(*shape: int, low: float = -2.0, high: float = 2.0, start: int = 1, dtype: str = "") -> str:
    count = math.prod(shape)
    more = f", dtype={dtype}" if dtype else ""
    if count > 24:
        size = ", ".join(map(str, shape))
        text = f"torch.sin(torch.arange({count}) * 7 + {start})"
        if low >= 0:
            text = f"torch.sigmoid({text})"
        return f"{text}.reshape({size})" + (f".to({dtype})" if dtype else "")
    values: list[object] = list(numbers(count, low, high, start))
    return f"torch.tensor({nested(values, shape)!r}{more})"


def integers(*shape: int, top: int = 7, low: int = 1, start: int = 1, dtype: str = "") -> str:
    count = math.prod(shape)
    values: list[object] = [low + (start + number * 3 + number * number) % (top - low + 1) for number in range(count)]
    return f"torch.tensor({nested(values, shape)!r}{f', dtype={dtype}' if dtype else ''})"


def truths(*shape: int) -> str:
    values: list[object] = [(number * 5 + 1) % 3 != 0 for number in range(math.prod(shape))]
    return f"torch.tensor({nested(values, shape)!r})"


def definite(size: int) -> str:
    """A symmetric matrix with distinct eigenvalues above 0."""
    rows = [[4.5 + 1.3 * i if i == j else round(0.3 + 0.2 * abs(i - j) + 0.1 * (i + j), 2) for j in range(size)]
            for i in range(size)]  # fmt: skip
    return f"torch.tensor({rows!r})"


# kind -> a tensor of that kind; the second of its kind in a call is another one.
KINDS = {
    "matrix": lambda start: floats(2, 3, start=start),
    "square": lambda start: floats(3, 3, start=start),
    "vector": lambda start: floats(3, start=start),
    "share": lambda start: floats(2, 3, low=0.05, high=0.95, start=start),
    "integers": lambda start: integers(2, 3, start=start),
    "truths": lambda start: truths(2, 3),
    "batch": lambda start: floats(2, 3, 3, start=start),
    "large": lambda start: floats(2, 3, low=1.1, high=3.9, start=start),
    "definite": lambda start: definite(3),
    "places": lambda start: integers(3, top=2, low=0, start=start),
    "image": lambda start: floats(1, 4, 6, 6, start=start),
    "signal": lambda start: floats(2, 4, 8, start=start),
    "volume": lambda start: floats(1, 4, 4, 4, 4, start=start),
    "number": lambda start: floats(start=start),
    "complex": lambda start: f"torch.tensor([[{start}+2j, 0.5-1j, 3j], [-1.5+0.25j, 2.25, -0.75-{start}j]])",
    "complex square": lambda start: (
        f"torch.tensor([[{start}+2j, 0.5-1j, 3j], [-1.5+0.25j, 2.25, -0.75-{start}j], [1j, 4.0, 0.5+0.5j]])"
    ),
    "pair": lambda start: floats(3, 2, start=start),
    "places in rows": lambda start: integers(2, 3, top=2, low=0, start=start),
    "narrow": lambda start: integers(2, 3, start=start, dtype="torch.int32"),
    "long": lambda start: floats(8, start=start),
    "wide": lambda start: floats(4, 4, start=start),
}


def tensor(text: str, kind: str = "") -> Value:
    return Value(text, True, kind)


def of_kind(kind: str, number: int) -> Value:
    return tensor(KINDS[kind](1 + 2 * number), kind)


PLACES = [integers(2, 3, top=1, low=0), "torch.tensor([1, 0])", integers(3, top=2, low=0), "torch.tensor(1)",
          "torch.tensor([0, 2, 1])", integers(3, 3, top=2, low=0), "torch.tensor([[0, 1], [1, 0]])"]  # fmt: skip
MASKS = [truths(2, 3), truths(3, 3), truths(3), truths(2, 3, 3)]
# Tensor parameters by name; what is not here is of any kind.
NAMED: dict[str, list[str]] = {
    "index": PLACES,
    "indices": [*PLACES, "torch.tensor([[0, 1, 1], [2, 0, 2]])"],
    "mask": MASKS,
    "condition": MASKS,
    "mat1": [floats(2, 3)],
    "mat2": [floats(3, 2, start=2), floats(2, 3, 2, start=2)],
    "mat": [floats(2, 3), floats(3, 3)],
    "batch1": [floats(2, 2, 3)],
    "batch2": [floats(2, 3, 2, start=2)],
    "vec": [floats(3)],
    "vec1": [floats(2)],
    "vec2": [floats(3, start=2)],
    "boundaries": ["torch.tensor([-1.05, 0.15, 1.25])"],
    "sorted_sequence": ["torch.tensor([-1.05, 0.15, 1.25])"],
    "q": ["torch.tensor([0.25, 0.6])"],
    "elements": [integers(2, 3)],
    "test_elements": ["torch.tensor([1, 4, 6])"],
    "repeats": ["torch.tensor([2, 1])", "torch.tensor([1, 2, 1])"],
    "window": [floats(8, low=0.1, high=1.0)],
    "real": [floats(2, 3)],
    "imag": [floats(2, 3, start=4)],
    "L": ["torch.tensor([[2.0, 0.0, 0.0], [0.5, 1.5, 0.0], [-0.3, 0.7, 2.5]])"],
    "A": [definite(3), floats(3, 3), floats(2, 3), floats(2, 2, 2, 2)],
    "B": [floats(3, 2, start=2), floats(3, 3, start=2)],
    "fweights": [integers(3)],
    "aweights": [floats(3, low=0.2, high=1.5)],
    "prepend": [floats(2, 1)],
    "append": [floats(2, 1, start=3)],
    "tau": [floats(3, low=0.1, high=0.9), floats(2, low=0.1, high=0.9)],
    "LU_data": ["torch.tensor([[2.0, 0.5, -1.0], [0.25, 3.0, 0.75], [0.5, -0.4, 1.5]])"],
    "LU": ["torch.tensor([[2.0, 0.5, -1.0], [0.25, 3.0, 0.75], [0.5, -0.4, 1.5]])"],
    "LU_pivots": ["torch.tensor([2, 2, 3], dtype=torch.int32)"],
    "pivots": ["torch.tensor([2, 2, 3], dtype=torch.int32)"],
    "theta": ["torch.tensor([[[0.9, 0.1, 0.05], [-0.2, 1.1, 0.15]]])"],
    "grid": ["torch.sin(torch.arange(18) * 5).reshape(1, 3, 3, 2)"],
    "log_probs": ["torch.log_softmax(torch.sin(torch.arange(40)).reshape(5, 2, 4), 2)"],
    "targets": ["torch.tensor([[1, 2], [3, 1]])"],
    "input_lengths": ["torch.tensor([5, 4])"],
    "target_lengths": ["torch.tensor([2, 1])"],
    "var": [floats(2, 3, low=0.2, high=1.9)],
    "pos_weight": [floats(3, low=0.5, high=2.0)],
    "running_mean": [floats(4)],
    "running_var": [floats(4, low=0.3, high=1.7)],
    "query": [floats(1, 2, 3, 4), floats(2, 3, 4)],
    "key": [floats(1, 2, 3, 4, start=5), floats(2, 3, 4, start=5)],
    "value": [floats(1, 2, 3, 4, start=9), floats(2, 3, 4, start=9), floats(2, 3, start=3), "torch.tensor(1.25)"],
    "attn_mask": [truths(3, 3)],
    "x1": [floats(2, 3), floats(3, 2)],
    "x2": [floats(2, 3, start=4), floats(4, 2, start=4)],
    "anchor": [floats(2, 4)],
    "positive": [floats(2, 4, start=3)],
    "negative": [floats(2, 4, start=7)],
    "lengths": ["torch.tensor([3, 2])"],
    "sorter": ["torch.tensor([0, 1, 2])"],
    "input_": [floats(2, 8)],
    "target_": ["torch.tensor([1, 5])"],
}
TARGETS = [floats(2, 3, low=0.05, high=0.95, start=4), "torch.tensor([2, 0])", "torch.tensor([1.0, -1.0])",
           "torch.tensor([[1, -1, 1], [-1, 1, -1]])", "torch.tensor([[2, 0, -1], [1, -1, -1]])"]  # fmt: skip
NAMED["target"] = TARGETS

FUSED = {
    "conv_b": [floats(2)],
    "bn_rm": [floats(2, start=3)],
    "bn_rv": [floats(2, low=0.2, high=1.9)],
    "bn_w": [floats(2, start=5)],
    "bn_b": [floats(2, start=7)],
}
# Of what a function's name says more.
OWN: dict[str, dict[str, list[str]]] = {
    "conv1d": {"weight": [floats(2, 4, 3)]},
    "conv2d": {"weight": [floats(2, 4, 3, 2)]},
    "conv3d": {"weight": [floats(2, 4, 2, 3, 2)]},
    "conv_transpose1d": {"weight": [floats(4, 2, 3)]},
    "conv_transpose2d": {"weight": [floats(4, 2, 3, 2)]},
    "conv_transpose3d": {"weight": [floats(4, 2, 2, 3, 2)]},
    "conv_tbc": {"weight": [floats(3, 8, 2)], "bias": [floats(2)]},
    "bilinear": {"weight": [floats(2, 3, 3)]},
    "linear": {"weight": [floats(4, 3)]},
    "prelu": {"weight": ["torch.tensor([0.2])"]},
    "embedding": {"weight": [floats(3, 4)]},
    "embedding_bag": {"weight": [floats(3, 4)]},
    "tensordot": {"a": [floats(2, 3, 3)], "b": [floats(3, 3, 2, start=2)]},
    "hinge_embedding_loss": {"target": ["torch.tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])"]},
    "HingeEmbeddingLoss": {"target": ["torch.tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])"]},
    "fuse_conv_bn_weights": {"conv_w": [floats(2, 4, 3)], **FUSED},
    "fuse_linear_bn_weights": {"linear_w": [floats(2, 4)], "linear_b": [floats(2)], **FUSED},
    "Bilinear": {"input1": [floats(2, 4)], "input2": [floats(2, 3)]},
}
# What a name's end says of the tensors.
EXPECTED = {"1d": "signal", "2d": "image", "3d": "volume", "pixel_": "image", "lrn": "image", "norm": "matrix"}

# What a number, a size, a text or the like may be, by the parameter's name.
PLAIN: dict[str, list[str]] = {
    "dim": ["1", "0", "-1", "(0, 1)", "None"],
    "axis": ["1", "0"],
    "dim0": ["0", "-2"],
    "dim1": ["1", "-1", "0"],
    "dim2": ["1", "-1", "2"],
    "axis0": ["0"],
    "axis1": ["1"],
    "dims": ["(0, 1)", "(1,)", "(1, 0)", "1", "2", "([1], [0])", "(0, 2, 1)"],
    "size": ["(2, 3)", "(3, 2)", "6", "2", "(2, 2)", "(4, 2, 3)", "(1, 3, 5, 5)", "(12, 12)"],
    "shape": ["(3, 2)", "(6,)", "(2, 3)", "(-1,)"],
    "stride": ["2", "1", "(1, 2)", "(2, 2)", "(1,)", "None"],
    "storage_offset": ["1"],
    "kernel_size": ["2", "3", "(2, 2)", "(3, 2)"],
    "padding": ["1", "(1, 1)", "(1, 0, 2, 1)", "'same'", "(1, 0)", "(0, 1, 1, 0, 1, 1)"],
    "dilation": ["2", "1"],
    "output_padding": ["0", "1", "(1, 0)"],
    "groups": ["2", "1"],
    "num_groups": ["2"],
    "output_size": ["2", "(2, 2)", "(3, 2)", "(6, 6)", "7", "(2, 2, 2)"],
    "output_ratio": ["0.5", "(0.5, 0.6)"],
    "scale_factor": ["2", "2.0", "(2.0, 1.5)", "(2, 3)"],
    "normalized_shape": ["(3,)", "3", "4", "(6,)", "[6, 6]"],
    "upscale_factor": ["2"],
    "downscale_factor": ["2"],
    "num_classes": ["4", "8"],
    "p": ["2", "0.5", "1", "3", "0.25"],
    "q": ["0.25", "0.6"],
    "eps": ["0.01", "1e-3"],
    "momentum": ["0.3", "0.9", "None"],
    "alpha": ["2", "0.5", "1.5"],
    "beta": ["0.5", "2"],
    "value": ["0.75", "2", "3"],
    "fill_value": ["2.5", "3", "True"],
    "reduction": ["'sum'", "'none'", "'mean'"],
    "size_average": ["False", "True"],
    "reduce": ["False", "True", "'sum'", "'amax'", "'mean'", "'prod'", "'add'"],
    "mode": ["'bilinear'", "'linear'", "'trilinear'", "'reflect'", "'circular'", "'nearest'", "'sum'", "'max'", "'min'",
             "'fan_out'", "'constant'", "'complete'", "1", "'exp_range'", "'triangular2'"],
    "padding_mode": ["'border'", "'reflection'", "'circular'", "'reflect'", "'replicate'"],
    "approximate": ["'tanh'"],
    "nonlinearity": ["'relu'", "'tanh'"],
    "ord": ["2", "1", "'fro'", "float('inf')", "'nuc'"],
    "rounding_mode": ["'floor'", "'trunc'"],
    "interpolation": ["'lower'", "'nearest'"],
    "side": ["'right'", "'left'"],
    "indexing": ["'xy'", "'ij'"],
    "UPLO": ["'U'"],
    "norm": ["'ortho'", "'forward'"],
    "driver": ["'gels'", "None"],
    "equation": ["'ij,jk->ik'", "'ij->ji'"],
    "correction": ["0", "2", "0.5"],
    "threshold": ["0.3", "10.0", "20"],
    "start": ["0", "1", "-1", "0.5"],
    "end": ["5", "2", "4.5", "10"],
    "step": ["2", "1", "0.5"],
    "steps": ["5", "4"],
    "base": ["2.0"],
    "low": ["2", "0"],
    "high": ["7", "10"],
    "length": ["1", "2"],
    "sections": ["2", "3"],
    "chunks": ["2", "3"],
    "split_size": ["1", "2", "(1, 1)", "(2, 1)"],
    "split_size_or_sections": ["1", "2", "[1, 1]", "[2, 1]"],
    "split_sizes": ["(1, 1)"],
    "indices_or_sections": ["2", "[1, 2]", "(1,)"],
    "tensor_indices_or_sections": ["2"],
    "indices": ["(1,)", "(1, 2)", "[0, 1]"],
    "index": ["1", "0", "-1"],
    "repeats": ["2", "3", "(2, 1)", "(2, 2)"],
    "shifts": ["1", "(1, 2)", "-2"],
    "diagonal": ["1", "-1"],
    "offset": ["1", "-1", "0"],
    "n": ["2", "3", "4", "1"],
    "m": ["3", "4"],
    "N": ["3", "4"],
    "M": ["7", "8"],
    "k": ["2", "1", "-1"],
    "r": ["2", "3"],
    "s": ["(2, 4)", "(2,)"],
    "d": ["0.5", "2.0"],
    "n_fft": ["4", "8"],
    "hop_length": ["2"],
    "win_length": ["4"],
    "bins": ["4", "5"],
    "min": ["-0.5", "0"],
    "max": ["0.8", "1"],
    "min_val": ["-0.5"],
    "max_val": ["0.7"],
    "range": ["(-1.0, 1.0)"],
    "decimals": ["1", "2"],
    "num_samples": ["2", "3"],
    "window_length": ["6", "7"],
    "nan": ["0.5"],
    "posinf": ["9.0"],
    "neginf": ["-9.0"],
    "source": ["0", "(0, 1)"],
    "destination": ["1", "(1, 0)"],
    "dimension": ["1", "0"],
    "sizes": ["(3, 1)", "(-1, 1)", "(1, 3)"],
    "unflattened_size": ["(2, 2)", "(1, 3)"],
    "pad": ["(1, 1)", "(1, 0, 2, 1)", "1"],
    "blank": ["0", "3"],
    "ignore_index": ["0", "1", "-1"],
    "label_smoothing": ["0.1"],
    "delta": ["0.5"],
    "margin": ["0.5", "0.2"],
    "lambd": ["0.3", "0.7"],
    "negative_slope": ["0.2"],
    "lower": ["0.1"],
    "upper": ["0.4", "True", "False"],
    "tau": ["0.5", "2.0"],
    "norm_type": ["2", "1", "3", "float('inf')"],
    "max_norm": ["0.7", "1.5"],
    "maxnorm": ["0.7"],
    "clip_value": ["0.4"],
    "padding_idx": ["1", "0"],
    "include_last_offset": ["True"],
    "atol": ["0.1"],
    "rtol": ["0.5"],
    "rcond": ["0.1", "1e-3"],
    "tol": ["0.01"],
    "gain": ["2.0"],
    "std": ["0.5", "2.0"],
    "mean": ["1.5", "0.0"],
    "median": ["0.5"],
    "sigma": ["2.0"],
    "a": ["-1.5", "0.2", "[0.5, 0.5]"],
    "b": ["1.5", "2.0"],
    "from_": ["1", "0.25"],
    "to": ["6", "0.75"],
    "sparsity": ["0.5"],
    "val": ["0.75"],
    "param": ["0.3"],
    "num_embeddings": ["8"],
    "embedding_dim": ["3"],
    "num_features": ["4"],
    "num_channels": ["4"],
    "in_channels": ["4"],
    "out_channels": ["2", "6"],
    "in_features": ["4", "8"],
    "in1_features": ["4"],
    "in2_features": ["3"],
    "out_features": ["3", "5"],
    "input_size": ["4"],
    "hidden_size": ["3"],
    "num_layers": ["2", "1"],
    "nonlinearity_": ["'relu'"],
    "dropout": ["0.0", "0.5"],
    "d_model": ["4"],
    "nhead": ["2"],
    "num_heads": ["2"],
    "embed_dim": ["4"],
    "dim_feedforward": ["8"],
    "num_encoder_layers": ["1"],
    "num_decoder_layers": ["1"],
    "activation": ["'gelu'"],
    "layer_norm_eps": ["1e-3"],
    "num_parameters": ["4", "1"],
    "init": ["0.1"],
    "n_classes": ["10"],
    "cutoffs": ["[3, 6]"],
    "scalar": ["2", "0.5"],
    "scalars": ["[1.5, 2.0]", "(1.5, 2.0)"],
    "exponent": ["2", "0.5", "3"],
    "other": ["2", "0.5", "1.5"],
    "element": ["2"],
    "test_element": ["4"],
    "self": ["2", "1.5"],
    "input": ["2", "1.5"],
    "row": ["3"],
    "col": ["4"],
    "dx": ["0.5"],
    "spacing": ["0.5", "2.0", "(0.5, 2.0)"],
    "edge_order": ["1", "2"],
    "obj": ["[1.5, 2.5]", "torch.tensor([1.5, 2.5])", "3"],
    "data": ["[[1.5, 2.0], [0.25, -1.0]]", "3", "[1, 2]", "(1.5, 2)"],
    "size_or_shape": ["(2, 3)"],
    "lr": ["0.1", "0.05"],
    "betas": ["(0.8, 0.95)"],
    "weight_decay": ["0.1"],
    "weight": ["0.3"],
    "minlength": ["9"],
    "initial": ["0.5"],
    "step_size": ["2"],
    "gamma": ["0.5", "0.9"],
    "milestones": ["[1, 3]"],
    "lr_lambda": ["lambda epoch: 0.9 ** epoch", "lambda epoch: 0.8"],
    "T_max": ["4"],
    "T_0": ["2"],
    "T_mult": ["2"],
    "eta_min": ["0.01"],
    "base_lr": ["0.01"],
    "max_lr": ["0.2"],
    "step_size_up": ["2"],
    "step_size_down": ["3"],
    "total_steps": ["6"],
    "epochs": ["3"],
    "steps_per_epoch": ["2"],
    "anneal_strategy": ["'linear'"],
    "total_iters": ["3"],
    "factor": ["0.5"],
    "patience": ["1"],
    "start_factor": ["0.5"],
    "end_factor": ["0.9"],
    "power": ["2.0"],
    "max_iter": ["3"],
    "line_search_fn": ["'strong_wolfe'"],
    "last_epoch": ["-1"],
    "enforce_sorted": ["False"],
    "batch_first": ["True"],
    "padding_value": ["0.5"],
    "padding_side": ["'left'"],
    "total_length": ["5"],
    "vec_": ["2"],
    "physical_layout": ["(1, 0)"],
    "count": ["3"],
    "name": ["'weight'"],
    "shapes": ["((2, 1), (1, 3))"],
}  # fmt: skip

# By a word of the type, where the name says nothing.
TYPED: list[tuple[str, list[str]]] = [
    (r"\bbool|_bool", ["True", "False"]),
    (r"dtype", ["torch.float64", "torch.float32", "torch.int64", "torch.complex64"]),
    (r"evice", ["'cpu'", "torch.device('cpu')"]),
    (r"layout", ["torch.strided"]),
    (r"memory_format", ["torch.contiguous_format", "torch.preserve_format", "torch.channels_last"]),
    (r"Generator", ["torch.Generator().manual_seed(3)"]),
    (r"tuple\[int|list\[int|_size|Sequence\[_int|Sequence\[int", ["(1, 2)", "(2, 3)", "2", "(0, 1)"]),
    (r"tuple\[float|list\[float|Sequence\[float", ["(0.5, 0.9)"]),
    (r"Number|float", ["0.5", "2.0", "2"]),
    (r"int", ["2", "1", "0", "3"]),
    (r"str", ["'sum'"]),
]
ALWAYS = {
    "dtype": ["torch.float64", "torch.float32", "torch.int64", "torch.float16", "torch.int32", "torch.complex64"],
    "type": ["torch.float64"],
    "device": ["'cpu'", "torch.device('cpu')"],
    "layout": ["torch.strided"],
    "pin_memory": ["False"],
    "requires_grad": ["True"],
    "memory_format": ["torch.contiguous_format", "torch.preserve_format", "torch.channels_last"],
    "generator": ["torch.Generator().manual_seed(3)"],
}
NEVER = {"names", "process_group", "out", "compute_mode", "window_fn", "input3", "capturable"}
# What docstrings that write no types call tensors, where others call numbers so.
UNTYPED = {"input", "other", "self", "weight", "exponent"}
LISTS = re.compile(r"tuple\[Tensor|list\[Tensor|Sequence\[Tensor|Iterable\[.*Tensor")


def takes_tensors(parameter: Parameter) -> bool:
    return bool(LISTS.search(parameter.type)) or parameter.name in ("tensors", "matrices", "sequences")


def is_tensor(parameter: Parameter) -> bool:
    """Whether a tensor goes there."""
    if "Tensor" in parameter.type:
        return True
    if parameter.type or parameter.default not in (None, "None"):
        return False
    return parameter.name in {*NAMED, *UNTYPED} or parameter.name not in {**PLAIN, **ALWAYS}


def takes_number(parameter: Parameter) -> bool:
    """Whether Python numbers go there."""
    if parameter.type:
        return bool(re.search(r"\b(_?int|_?float|Number|SymInt)\b", parameter.type)) and "list" not in parameter.type
    texts = PLAIN.get(parameter.name, [])
    return any(re.fullmatch(r"-?[\d.]+", text) for text in texts)


def plain(parameter: Parameter) -> list[Value]:
    """What is no tensor."""
    texts = [*ALWAYS.get(parameter.name, PLAIN.get(parameter.name, []))]
    if parameter.name not in ALWAYS:
        for word, more in TYPED:
            if re.search(word, parameter.type):
                texts += more
    if parameter.default in ("True", "False"):
        texts = ["False" if parameter.default == "True" else "True"]
    return [Value(text, "Generator" in text) for text in dict.fromkeys(texts)]


def values(parameter: Parameter, number: int, name: str = "") -> list[Value]:
    """Candidates for a parameter, the likeliest first.

    number: which of the call's tensors it is.
    name:   of what is called.
    """
    if takes_tensors(parameter):
        kinds = ("matrix", "vector", "square", "share", "batch")
        return [Value("[a, b]", False, kind) for kind in kinds]
    own = OWN.get(name, {}).get(parameter.name, [])
    found = [tensor(text, "named") for text in own]
    if is_tensor(parameter):
        found += [tensor(text, "named") for text in ([] if own else NAMED.get(parameter.name, []))]
        found += [of_kind(kind, number) for kind in KINDS]
        if not takes_number(parameter):
            return found
        return found + plain(parameter)
    return found + plain(parameter)
