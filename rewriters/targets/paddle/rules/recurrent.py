"""torch: recurrent cells and layers as functions."""

import torch

from rewriters.rule import rule


@rule(torch.gru_cell, torch.lstm_cell, torch.rnn_tanh_cell, torch.rnn_relu_cell)
def cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    raise NotImplementedError("use the cell's module, torch.nn.GRUCell and its like, which is converted")


@rule(torch.gru, torch.lstm, torch.rnn_tanh, torch.rnn_relu)
def recurrent(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    raise NotImplementedError("use the layer's module, torch.nn.LSTM and its like, which is converted")
