"""torch.nn.modules: recurrent layers. OneFlow's cells fail on every input that is not global."""

import oneflow
import torch

from rewriters.rule import alias, rule

alias(torch.nn.RNNBase, "oneflow.nn.RNNBase")


def parts_of(cell, input, hidden, count):
    """What input and hidden state add up to, in as many parts."""
    linear = oneflow.nn.functional.linear
    bias_ih, bias_hh = (cell.bias_ih, cell.bias_hh) if cell.bias else (None, None)
    given, kept = linear(input, cell.weight_ih, bias_ih), linear(hidden, cell.weight_hh, bias_hh)
    return oneflow.chunk(given, count, dim=1), oneflow.chunk(kept, count, dim=1)


def at_rest(cell, input):
    """A hidden state of zeros."""
    return oneflow.zeros((input.shape[0], cell.hidden_size), dtype=input.dtype, device=input.device)


@rule(torch.nn.RNN)
def RNN(input_size, hidden_size):
    return oneflow.nn.RNN(input_size, hidden_size)


@rule(torch.nn.RNN)
def RNN(input_size, hidden_size, num_layers):
    return oneflow.nn.RNN(input_size, hidden_size, num_layers)


@rule(torch.nn.RNN)
def RNN(input_size, hidden_size, num_layers=1, *, batch_first):
    return oneflow.nn.RNN(input_size, hidden_size, num_layers, batch_first=batch_first)


@rule(torch.nn.RNN)
def RNN(
    input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0,
    bidirectional=False, device=None, dtype=None,
):  # fmt: skip
    # OneFlow's own takes it by its name alone
    return oneflow.nn.RNN(
        input_size, hidden_size, num_layers=num_layers, nonlinearity=nonlinearity, bias=bias,
        batch_first=batch_first, dropout=dropout, bidirectional=bidirectional, device=device, dtype=dtype,
    )  # fmt: skip


@rule(torch.nn.RNNCell)
class RNNCell(oneflow.nn.RNNCell):
    def forward(self, input, hx=None):
        if input.ndim == 1:
            return self(input.unsqueeze(0), None if hx is None else hx.unsqueeze(0)).squeeze(0)
        (given,), (kept,) = parts_of(self, input, at_rest(self, input) if hx is None else hx, 1)
        return oneflow.tanh(given + kept) if self.nonlinearity == "tanh" else oneflow.relu(given + kept)


@rule(torch.nn.GRUCell)
class GRUCell(oneflow.nn.GRUCell):
    def forward(self, input, hx=None):
        if input.ndim == 1:
            return self(input.unsqueeze(0), None if hx is None else hx.unsqueeze(0)).squeeze(0)
        hx = at_rest(self, input) if hx is None else hx
        given, kept = parts_of(self, input, hx, 3)
        reset, update = oneflow.sigmoid(given[0] + kept[0]), oneflow.sigmoid(given[1] + kept[1])
        new = oneflow.tanh(given[2] + reset * kept[2])
        return (1 - update) * new + update * hx


@rule(torch.nn.LSTMCell)
class LSTMCell(oneflow.nn.LSTMCell):
    def forward(self, input, hx=None):
        if input.ndim == 1:
            states = None if hx is None else tuple(state.unsqueeze(0) for state in hx)
            return tuple(state.squeeze(0) for state in self(input.unsqueeze(0), states))
        hidden, cell = (at_rest(self, input), at_rest(self, input)) if hx is None else hx
        given, kept = parts_of(self, input, hidden, 4)
        come, forget, new, out = (one + other for one, other in zip(given, kept, strict=True))
        cell = oneflow.sigmoid(forget) * cell + oneflow.sigmoid(come) * oneflow.tanh(new)
        return oneflow.sigmoid(out) * oneflow.tanh(cell), cell


@rule(torch.nn.RNNBase.flatten_parameters)
def flatten_parameters(self):
    pass
