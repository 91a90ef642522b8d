"""Recurrent layers. Paddle's cells return (output, state) where torch's return the state."""

import contextlib

import paddle
import torch

from rewriters.rule import family, rule


@contextlib.contextmanager
def made_in(dtype):
    """Recurrent layers are of that dtype: their parameters lie in one piece of memory, which .to(dtype) breaks."""
    before = paddle.get_default_dtype()
    paddle.set_default_dtype(dtype)
    try:
        yield
    finally:
        paddle.set_default_dtype(before)


class Unbiased:
    """Of a recurrent layer without biases: the steps are taken one by one, since Paddle's fused ones need biases."""

    bias = False

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.could_use_cudnn = False
        for layer in self.sublayers(include_self=True):
            for name in [name for name in layer._parameters if name.startswith("bias_")]:
                setattr(layer, name, None)


class UnbiasedOfOneState(Unbiased):
    """The steps of a layer that has no cell state, which Paddle's own do not take one by one."""

    def forward(self, inputs, initial_states=None, sequence_length=None):
        count = self.num_layers * self.num_directions
        if initial_states is None:
            batch = inputs.shape[1 if self.time_major else 0]
            initial_states = paddle.zeros([count, batch, self.hidden_size], inputs.dtype)
        before, after = initial_states.unbind(0), []
        for index, layer in enumerate(self):
            if index > 0:
                inputs = paddle.nn.functional.dropout(inputs, self.dropout, training=self.training)
            states = before[index * self.num_directions : (index + 1) * self.num_directions]
            inputs, last = layer(inputs, states if len(states) > 1 else states[0], sequence_length)
            after += last if len(states) > 1 else [last]
        return inputs, paddle.stack(after)


class UnbiasedLSTM(Unbiased, paddle.nn.LSTM):
    pass


class UnbiasedGRU(UnbiasedOfOneState, paddle.nn.GRU):
    pass


class UnbiasedRNN(UnbiasedOfOneState, paddle.nn.SimpleRNN):
    pass


@family(
    "LSTM GRU",
    "UnbiasedLSTM UnbiasedGRU",
    (",\n    proj_size=0", ""),
    (",\n        proj_size=proj_size", ""),
    (",\n            proj_size=proj_size", ""),
    (", proj_size)", ")"),
)
@rule(torch.nn.LSTM)
def LSTM(
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
    if dtype is not None:
        with made_in(dtype):
            return LSTM(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size)
    if not bias:
        return UnbiasedLSTM(
            input_size,
            hidden_size,
            num_layers,
            direction="bidirect" if bidirectional else "forward",
            time_major=not batch_first,
            dropout=dropout,
            proj_size=proj_size,
        )
    return paddle.nn.LSTM(
        input_size,
        hidden_size,
        num_layers,
        direction="bidirect" if bidirectional else "forward",
        time_major=not batch_first,
        dropout=dropout,
        proj_size=proj_size,
    )


@rule(torch.nn.RNN)
def RNN(
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
    if dtype is not None:
        with made_in(dtype):
            return RNN(input_size, hidden_size, num_layers, nonlinearity, bias, batch_first, dropout, bidirectional)
    if not bias:
        return UnbiasedRNN(
            input_size,
            hidden_size,
            num_layers,
            direction="bidirect" if bidirectional else "forward",
            time_major=not batch_first,
            dropout=dropout,
            activation=nonlinearity,
        )
    return paddle.nn.SimpleRNN(
        input_size,
        hidden_size,
        num_layers,
        direction="bidirect" if bidirectional else "forward",
        time_major=not batch_first,
        dropout=dropout,
        activation=nonlinearity,
    )


@rule(torch.nn.LSTMCell)
class LSTMCell(paddle.nn.LSTMCell):
    """Returns the state (h, c) only."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        attr = None if bias else False
        super().__init__(input_size, hidden_size, bias_ih_attr=attr, bias_hh_attr=attr)
        self.bias = bias
        if not bias:  # Paddle's are parameters that stay zero
            self.bias_ih, self.bias_hh = None, None
        if dtype is not None:
            self.to(dtype=dtype)

    def forward(self, inputs, states=None):
        if inputs.ndim == 1:  # without a batch
            states = None if states is None else tuple(state.unsqueeze(0) for state in states)
            return tuple(state.squeeze(0) for state in super().forward(inputs.unsqueeze(0), states)[1])
        return super().forward(inputs, states)[1]


@family(
    "RNNCell GRUCell",
    "SimpleRNNCell GRUCell",
    (', nonlinearity="tanh"', ""),
    (", activation=nonlinearity", ""),
)
@rule(torch.nn.RNNCell)
class RNNCell(paddle.nn.SimpleRNNCell):
    """Returns the state only."""

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        attr = None if bias else False
        super().__init__(input_size, hidden_size, activation=nonlinearity, bias_ih_attr=attr, bias_hh_attr=attr)
        self.bias = bias
        if not bias:  # Paddle's are parameters that stay zero
            self.bias_ih, self.bias_hh = None, None
        if dtype is not None:
            self.to(dtype=dtype)

    def forward(self, inputs, states=None):
        if inputs.ndim == 1:  # without a batch
            return super().forward(inputs.unsqueeze(0), None if states is None else states.unsqueeze(0))[1].squeeze(0)
        return super().forward(inputs, states)[1]


@rule(torch.nn.RNNBase.flatten_parameters)
def flatten_parameters(self):
    return self.flatten_parameters()
