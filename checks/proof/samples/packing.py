"""Sequences of several lengths: packed for a recurrent layer, and padded again (in training: a layer of Paddle has no
gradient in evaluation).
"""

import torch


def classifier_train(
    module: "torch.nn.LSTM(4, 5, num_layers=2, batch_first=True, bidirectional=True)", a0: "float32[3,6,4]"
):
    lengths = torch.tensor([4, 6, 2])
    packed = torch.nn.utils.rnn.pack_padded_sequence(a0, lengths.cpu(), batch_first=True, enforce_sorted=False)
    _, (hidden, cell) = module(packed)
    return torch.cat((hidden[-2], hidden[-1]), dim=1), cell


def tagger_train(module: "torch.nn.LSTM(4, 5, batch_first=True)", a0: "float32[3,6,4]"):
    packed = torch.nn.utils.rnn.pack_padded_sequence(a0, [6, 3, 3], batch_first=True)
    outputs, _ = module(packed)
    padded, lengths = torch.nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True, total_length=7)
    return padded, lengths


def with_states_train(module: "torch.nn.GRU(4, 5, bidirectional=True)", a0: "float32[6,3,4]", a1: "float32[2,3,5]"):
    packed = torch.nn.utils.rnn.pack_padded_sequence(a0, torch.tensor([1, 6, 4]), enforce_sorted=False)
    outputs, hidden = module(packed, a1)
    padded, lengths = torch.nn.utils.rnn.pad_packed_sequence(outputs, padding_value=-1.0)
    return padded, lengths, hidden


def with_both_states_train(
    module: "torch.nn.LSTM(4, 5)", a0: "float32[5,2,4]", a1: "float32[1,2,5]", a2: "float32[1,2,5]"
):
    packed = torch.nn.utils.rnn.pack_padded_sequence(a0, [3, 5], enforce_sorted=False)
    outputs, (hidden, cell) = module(packed, (a1, a2))
    return torch.nn.utils.rnn.pad_packed_sequence(outputs)[0], hidden, cell


def list_of_sequences_train(module: "torch.nn.RNN(4, 5, nonlinearity='relu')", a0: "float32[2,4]", a1: "float32[5,4]"):
    outputs, hidden = module(torch.nn.utils.rnn.pack_sequence([a0, a1], enforce_sorted=False))
    first, second = torch.nn.utils.rnn.unpack_sequence(outputs)
    return first, second, hidden


def parts(a0: "float32[3,4,2]"):
    packed = torch.nn.utils.rnn.pack_padded_sequence(
        a0, torch.tensor([2, 4, 3]), batch_first=True, enforce_sorted=False
    )
    return packed.data, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices


def of_sorted(a0: "float32[4,3,2]"):
    packed = torch.nn.utils.rnn.pack_padded_sequence(a0, [4, 2, 1])
    return packed.data, packed.batch_sizes, packed.sorted_indices is None


def changed(a0: "float32[3,4,2]"):
    packed = torch.nn.utils.rnn.pack_padded_sequence(a0, [2, 4, 3], batch_first=True, enforce_sorted=False)
    data, batch_sizes, sorted_indices, unsorted_indices = packed
    changed = torch.nn.utils.rnn.PackedSequence(torch.relu(data) * 2, batch_sizes, sorted_indices, unsorted_indices)
    return torch.nn.utils.rnn.pad_packed_sequence(changed, batch_first=True)


def numbers(a0: "int64[3,4]"):
    packed = torch.nn.utils.rnn.pack_padded_sequence(a0, [4, 4, 1], batch_first=True)
    return torch.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True, padding_value=-7)


def sequences(a0: "float32[4,3]", a1: "float32[2,3]", a2: "float32[2,3]"):
    packed = torch.nn.utils.rnn.pack_sequence([a0, a1, a2])
    return packed.data, packed.batch_sizes, [part * 2 for part in torch.nn.utils.rnn.unpack_sequence(packed)]


def both_ways_with_states_train(
    module: "torch.nn.LSTM(4, 5, num_layers=2, bidirectional=True, batch_first=True)",
    a0: "float32[3,6,4]",
    a1: "float32[4,3,5]",
    a2: "float32[4,3,5]",
):
    packed = torch.nn.utils.rnn.pack_padded_sequence(a0, [5, 6, 2], batch_first=True, enforce_sorted=False)
    outputs, (hidden, cell) = module(packed, (a1, a2))
    padded, lengths = torch.nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True)
    return padded, lengths, hidden, cell


def packed_without_biases(module: "torch.nn.GRU(4, 5, bias=False, bidirectional=True)", a0: "float32[6,3,4]"):
    packed = torch.nn.utils.rnn.pack_padded_sequence(a0, torch.tensor([6, 4, 1]))
    outputs, hidden = module(packed)
    padded, _ = torch.nn.utils.rnn.pad_packed_sequence(outputs)
    return padded, hidden
