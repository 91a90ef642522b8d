"""What the layouts of torch's recurrent modules and of its attention have in common over targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rewriters.weights.recipe import Block, Module, NoLayout, Recipe, part, take

UNROLLED = "write it in torch as one module a layer and a direction"


@dataclass(frozen=True)
class Layer:
    """One layer and direction of a torch.nn.LSTM, GRU or RNN; or a cell.

    index, reverse: which of the module's. suffix: of its parameters' names, "_l0_reverse".
    biased:         whether it has biases.
    """

    index: int
    reverse: bool
    suffix: str
    biased: bool

    @property
    def weights(self) -> tuple[str, str]:
        """Names of the input's and of the hidden state's."""
        return f"weight_ih{self.suffix}", f"weight_hh{self.suffix}"

    @property
    def biases(self) -> tuple[str, str]:
        """As ``weights``."""
        return f"bias_ih{self.suffix}", f"bias_hh{self.suffix}"


def layers(module: Module, *, directions: int = 2) -> Iterator[Layer]:
    """Of a torch.nn.LSTM, GRU or RNN, in order. directions: as many as the target has a class for.

    Raises NoLayout for what no target but torch's own kin has.
    """
    module.need("proj_size", 0, "its output is projected (proj_size)", "multiply by weight_hr in the torch model")
    if directions < 2:
        module.need("bidirectional", False, "it is bidirectional, and the target's has one direction", UNROLLED)
    biased = "bias_ih_l0" in module.shapes
    for index in range(module.config["num_layers"]):
        for reverse in (False, True)[: 1 + module.config["bidirectional"]]:
            yield Layer(index, reverse, f"_l{index}" + ("_reverse" if reverse else ""), biased)


def cell(module: Module) -> Layer:
    """Of a torch.nn.LSTMCell, GRUCell or RNNCell."""
    return Layer(0, False, "", "bias_ih" in module.shapes)


@dataclass(frozen=True)
class Projections:
    """Of a torch.nn.MultiheadAttention. weights, biases: of query, key, value; biases empty where it has none.

    heads, size: how many heads of how many features.
    """

    weights: tuple[Block, ...]
    biases: tuple[Block, ...]
    widths: tuple[int, ...]
    heads: int
    size: int


def projections(module: Module) -> Projections:
    """What in_proj_weight stacks, or what stands apart. Raises NoLayout for learned keys and values (add_bias_kv)."""
    if "bias_k" in module.shapes:
        raise NoLayout("it appends a learned key and value (add_bias_kv)", "append them in the torch model")
    if "in_proj_weight" in module.shapes:
        weights = tuple(Block("in_proj_weight", index, 3) for index in range(3))
        widths: tuple[int, ...] = (module.shapes["in_proj_weight"][1],) * 3
    else:
        names = [f"{which}_proj_weight" for which in "qkv"]
        weights, widths = tuple(map(Block, names)), tuple(module.shapes[name][1] for name in names)
    biased = "in_proj_bias" in module.shapes
    biases = tuple(Block("in_proj_bias", index, 3) for index in range(3)) if biased else ()
    heads = module.config["num_heads"]
    return Projections(weights, biases, widths, heads, module.config["embed_dim"] // heads)


def by_heads(module: Module, inputs: tuple[str, str, str], output: str, weight: str, bias: str) -> dict[str, Recipe]:
    """Attention whose kernels have axes (features, heads, head's features), the last one's features at the end.

    inputs, output: the target's children. weight, bias: the names in them.
    """
    found = projections(module)
    heads, size = found.heads, found.size
    recipes = {}
    for name, block, width in zip(inputs, found.weights, found.widths, strict=True):
        recipes[name + weight] = part(block.source, block.index, block.count, 1, 0, shape=(width, heads, size))
    for name, block in zip(inputs, found.biases, strict=False):
        recipes[name + bias] = part(block.source, block.index, block.count, shape=(heads, size))
    recipes[output + weight] = take("out_proj.weight", 1, 0, shape=(heads, size, heads * size))
    if "out_proj.bias" in module.shapes:
        recipes[output + bias] = take("out_proj.bias")
    return recipes
