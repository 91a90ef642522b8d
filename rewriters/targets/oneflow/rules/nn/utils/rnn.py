"""torch.nn.utils: recurrent layers."""

import oneflow
import torch

from rewriters.rule import alias, rule, same


@rule(torch.nn.utils.rnn.invert_permutation)
def invert_permutation(permutation):
    # OneFlow's own takes int32 alone
    return None if permutation is None else oneflow.argsort(permutation).to(permutation.dtype)


@rule(torch.nn.utils.rnn.pad_sequence)
def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    longest = max(sequence.shape[0] for sequence in sequences)
    rows = []
    for sequence in sequences:
        missing = longest - sequence.shape[0]
        rest = oneflow.zeros((missing, *sequence.shape[1:]), dtype=sequence.dtype, device=sequence.device)
        rest = rest + padding_value if missing else rest
        parts = [sequence, rest.to(sequence.dtype)] if padding_side == "right" else [rest.to(sequence.dtype), sequence]
        rows.append(oneflow.cat(parts) if missing else sequence)
    return oneflow.stack(rows, 0 if batch_first else 1)


@rule(torch.nn.utils.rnn.pad_packed_sequence)
def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    # the lengths are floats in OneFlow's
    found, lengths = oneflow.nn.utils.rnn.pad_packed_sequence(sequence, batch_first, padding_value, total_length)
    return found, lengths.to(oneflow.int64)


alias(torch.nn.utils.rnn.PackedSequence, "oneflow.nn.utils.rnn.PackedSequence")


same("torch.nn.utils.rnn.unpack_sequence")


@rule(torch.nn.utils.rnn.pack_padded_sequence)
def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    if not enforce_sorted:
        raise NotImplementedError("OneFlow 0.9 packs sequences that are sorted by length alone; sort them before")
    return oneflow.nn.utils.rnn.pack_padded_sequence(input, lengths, batch_first)


@rule(torch.nn.utils.rnn.pack_sequence)
def pack_sequence(sequences, enforce_sorted=True):
    if not enforce_sorted:
        raise NotImplementedError("OneFlow 0.9 packs sequences that are sorted by length alone; sort them before")
    return oneflow.nn.utils.rnn.pack_sequence(sequences)


@rule(torch.nn.utils.rnn.unpad_sequence)
def unpad_sequence(padded_sequences, lengths, batch_first=False):
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    places = oneflow.arange(rows.shape[1], device=lengths.device)
    return [row[places < length] for row, length in zip(rows, lengths, strict=True)]
