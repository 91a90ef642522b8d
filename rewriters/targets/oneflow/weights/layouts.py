"""How OneFlow stores what torch's modules own, measured with OneFlow 0.9: as torch does, rule or no rule."""

from collections.abc import Mapping

from rewriters.weights.layout import Layout

LAYOUTS: Mapping[str, Mapping[str, Layout]] = {
    f"torch.nn.{name}": {}
    for name in (
        *("Linear", "Embedding", "LayerNorm", "GroupNorm", "PReLU"),
        *(f"{kind}{n}d" for kind in ("Conv", "ConvTranspose", "BatchNorm", "InstanceNorm") for n in (1, 2, 3)),
        *("LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell"),
    )
}
