"""Values for parameters, chosen by their documented names and types: what a program would write there.

A value is source text. Tensors are written out; a value that is a tensor stands for a name of its own in the program.
Numbers are tame, without ties and not whole, so that nothing is decided by rounding.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from checks.calls.signatures import Parameter
from checks.calls.words import ALWAYS, PLAIN, TYPED, UNTYPED


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
    "square": lambda start: (
        f"torch.tensor([[{1.9 + start / 10:.1f}, -0.41, 0.31], [0.53, 1.2, -0.72], [-0.2, {start * 0.21:.2f}, 1.6]])"
    ),
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
    "A": [definite(3), floats(2, 3), floats(2, 2, 2, 2)],
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
    "scale": ["torch.tensor(0.25)"],
    "zero_point": ["torch.tensor(1, dtype=torch.int32)"],
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
    "tensorinv": {"A": ["torch.eye(6).reshape(2, 3, 6) * 1.5 + 0.1", "torch.eye(4).reshape(2, 2, 2, 2) + 0.25"]},
    "histogram": {"bins": ["torch.tensor([-1.5, -0.25, 0.3, 1.9])"]},
    "tensordot": {"a": [floats(2, 3, 3)], "b": [floats(3, 3, 2, start=2)]},
    "hinge_embedding_loss": {"target": ["torch.tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])"]},
    "HingeEmbeddingLoss": {"target": ["torch.tensor([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])"]},
    "fuse_conv_bn_weights": {"conv_w": [floats(2, 4, 3)], **FUSED},
    "fuse_linear_bn_weights": {"linear_w": [floats(2, 4)], "linear_b": [floats(2)], **FUSED},
    "Bilinear": {"input1": [floats(2, 4)], "input2": [floats(2, 3)]},
}
# Which nothing but what stands here is meant for: torch answers for others, and means nothing by it.
SORTED = {
    "scale",
    "zero_point",
    "targets",
    "log_probs",
    "input_lengths",
    "target_lengths",
    "boundaries",
    "sorted_sequence",
    "tau",
}
# Names that mean other things elsewhere.
BOTH = {"a", "b", "data", "dim", "index", "input", "min", "max", "other", "p", "value", "weight", "mode", "reduce"}
# What a name's end says of the tensors.
EXPECTED = {"1d": "signal", "2d": "image", "3d": "volume", "pixel_": "image", "lrn": "image", "norm": "matrix"}

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
    if not texts or parameter.name in BOTH:
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
    own = OWN.get(name, {}).get(parameter.name, []) or (NAMED[parameter.name] if parameter.name in SORTED else [])
    found = [tensor(text, "named") for text in own]
    if own:
        return found
    if is_tensor(parameter):
        found += [tensor(text, "named") for text in NAMED.get(parameter.name, [])]
        found += [of_kind(kind, number) for kind in KINDS]
        if not takes_number(parameter):
            return found
        return found + plain(parameter)
    return plain(parameter)
