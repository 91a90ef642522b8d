"""Recurrent layers. Paddle's cells return (output, state) where torch's return the state."""

import contextlib

import paddle
import torch

from rewriters.rule import rule


@contextlib.contextmanager
def made_in(dtype):
    """Recurrent layers are of that dtype: their parameters lie in one piece of memory, which .to(dtype) breaks."""
    before = paddle.get_default_dtype()
    paddle.set_default_dtype(dtype)
    try:
        yield
    finally:
        paddle.set_default_dtype(before)


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
    if not bias:
        raise NotImplementedError("Paddle's LSTM fails without biases; keep them, and set them to zero")
    if dtype is not None:
        with made_in(dtype):
            return paddle.nn.LSTM(
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


@rule(torch.nn.GRU)
def GRU(
    input_size,
    hidden_size,
    num_layers=1,
    bias=True,
    batch_first=False,
    dropout=0.0,
    bidirectional=False,
    device=None,
    dtype=None,
):
    if not bias:
        raise NotImplementedError("Paddle's GRU fails without biases; keep them, and set them to zero")
    if dtype is not None:
        with made_in(dtype):
            return paddle.nn.GRU(
                input_size,
                hidden_size,
                num_layers,
                direction="bidirect" if bidirectional else "forward",
                time_major=not batch_first,
                dropout=dropout,
            )
    return paddle.nn.GRU(
        input_size,
        hidden_size,
        num_layers,
        direction="bidirect" if bidirectional else "forward",
        time_major=not batch_first,
        dropout=dropout,
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
    if not bias:
        raise NotImplementedError("Paddle's SimpleRNN fails without biases; keep them, and set them to zero")
    if dtype is not None:
        with made_in(dtype):
            return paddle.nn.SimpleRNN(
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


@rule(torch.nn.GRUCell)
class GRUCell(paddle.nn.GRUCell):
    """Returns the state only."""

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
            return super().forward(inputs.unsqueeze(0), None if states is None else states.unsqueeze(0))[1].squeeze(0)
        return super().forward(inputs, states)[1]


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
