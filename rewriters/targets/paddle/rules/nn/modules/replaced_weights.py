"""Recurrent layers whose weights are exchanged: they compute with what lies under the names, as torch's do."""

import paddle

from rewriters.rule import alias, family, rule, same_layout
from rewriters.targets.paddle.rules.nn.modules.rnn import made_in
from rewriters.targets.paddle.rules.products import wanting

# As a class that layers are tested for; paddle.nn.layer.rnn.RNNBase itself takes other arguments.
alias("torch.nn.RNNBase:tested", "paddle.nn.layer.rnn.RNNBase")


class WeightsByName:
    """Beside one of Paddle's recurrent layers, which compute with the parameters that they were made with.

    The cells that Paddle's hold have these under other names; there are none here, and the names of the parameters are
    torch's.
    """

    def make(self, base, bias, dtype, *args, **options):
        if options.pop("proj_size", 0):
            raise NotImplementedError("Paddle's LSTM with proj_size keeps the weights that it was made with")
        if dtype is None:
            base.__init__(self, *args, **options)
        else:
            with made_in(dtype):
                base.__init__(self, *args, **options)
        self.bias = bias
        self._sub_layers.clear()
        if not bias:
            for name in self.names_of("bias"):
                setattr(self, name, None)

    def names_of(self, kind):
        """Of each layer and direction: what is taken of the input, and of the state."""
        ends = ["", "_reverse"][: self.num_directions]
        return [f"{kind}_{of}_l{index}{end}" for index in range(self.num_layers) for end in ends for of in ("ih", "hh")]

    def flatten_parameters(self):
        """Once: the piece of memory that it makes of them is not what is computed with."""
        if not hasattr(self, "_dropout_state"):
            super().flatten_parameters()

    def forward(self, inputs, initial_states=None, sequence_length=None):
        weights = [getattr(self, name) for name in self.names_of("weight")]
        if self.bias:
            biases = [getattr(self, name) for name in self.names_of("bias")]
        else:
            biases = [paddle.zeros(weight.shape[:1], weight.dtype) for weight in weights]
        # Paddle's gradient fails where one of them takes none
        given = [*weights, *biases, inputs]
        self._all_weights = [wanting(one, *given) for one in weights + biases]
        return super().forward(inputs, initial_states, sequence_length)


@family(
    "LSTM GRU",
    "TorchLSTM TorchGRU",
    (",\n        proj_size=0", ""),
    (",\n            proj_size=proj_size", ""),
)
@rule("torch.nn.LSTM:replaced", layout={"weight_ih_l0": same_layout})
class TorchLSTM(WeightsByName, paddle.nn.LSTM):
    """Computes with the weights that it has at the time."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        self.make(
            paddle.nn.LSTM,
            bias,
            dtype,
            input_size,
            hidden_size,
            num_layers,
            direction="bidirect" if bidirectional else "forward",
            time_major=not batch_first,
            dropout=dropout,
            proj_size=proj_size,
        )


@rule("torch.nn.RNN:replaced", layout={"weight_ih_l0": same_layout})
class TorchRNN(WeightsByName, paddle.nn.SimpleRNN):
    """Computes with the weights that it has at the time."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        nonlinearity="tanh",
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
    ):
        self.make(
            paddle.nn.SimpleRNN,
            bias,
            dtype,
            input_size,
            hidden_size,
            num_layers,
            direction="bidirect" if bidirectional else "forward",
            time_major=not batch_first,
            dropout=dropout,
            activation=nonlinearity,
        )
