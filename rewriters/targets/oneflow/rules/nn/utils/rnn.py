"""torch.nn.utils: recurrent layers."""

import oneflow
import torch

from rewriters.rule import alias, rule


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


def with_order(sequence):
    """A packed sequence of OneFlow's, which forgets the order in which its rows came where it is given one."""
    if getattr(sequence, "unsorted_indices", None) is None:
        sequence.unsorted_indices = invert_permutation(sequence.sorted_indices)
    return sequence


@rule(torch.nn.utils.rnn.pad_packed_sequence)
def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    # the lengths are floats in OneFlow's
    found, lengths = oneflow.nn.utils.rnn.pad_packed_sequence(
        with_order(sequence), batch_first, padding_value, total_length
    )
    return found, lengths.to(oneflow.int64)


class Packed(oneflow.nn.utils.rnn.PackedSequence):
    """A tuple, as torch's."""

    def __iter__(self):
        return iter((self.data, self.batch_sizes, self.sorted_indices, self.unsorted_indices))

    def __getitem__(self, place):
        return tuple(self)[place]


@rule(torch.nn.utils.rnn.PackedSequence)
def PackedSequence(data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
    sequence = Packed(data, batch_sizes)
    sequence.sorted_indices, sequence.unsorted_indices = sorted_indices, unsorted_indices
    return with_order(sequence)


@rule("torch.nn.utils.rnn.PackedSequence.unsorted_indices")
def unsorted_indices(self):
    return with_order(self).unsorted_indices


alias("torch.nn.utils.rnn.PackedSequence:test", "oneflow.nn.utils.rnn.PackedSequence")
alias("torch.nn.utils.rnn.PackedSequence:annotated", "oneflow.nn.utils.rnn.PackedSequence")


@rule(torch.nn.utils.rnn.unpack_sequence)
def unpack_sequence(packed_sequences):
    return oneflow.nn.utils.rnn.unpack_sequence(with_order(packed_sequences))


def sorted_rows(input, lengths, batch_first):
    """Rows by their lengths, the longest first, packed; OneFlow packs none that are not sorted."""
    lengths = [int(length) for length in lengths]
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    places = oneflow.tensor(order, dtype=oneflow.int64, device=input.device)
    rows = input.index_select(0 if batch_first else 1, places)
    longest = oneflow.tensor([lengths[row] for row in order], dtype=oneflow.int64)
    packed = oneflow.nn.utils.rnn.pack_padded_sequence(rows, longest, batch_first)
    return PackedSequence(packed.data, packed.batch_sizes, places)


@rule(torch.nn.utils.rnn.pack_padded_sequence)
def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    if not enforce_sorted:
        return sorted_rows(input, lengths, batch_first)
    return oneflow.nn.utils.rnn.pack_padded_sequence(input, lengths, batch_first)


@rule(torch.nn.utils.rnn.pack_sequence)
def pack_sequence(sequences, enforce_sorted=True):
    if not enforce_sorted:
        return sorted_rows(pad_sequence(sequences), [len(sequence) for sequence in sequences], False)
    return oneflow.nn.utils.rnn.pack_sequence(sequences)


@rule(torch.nn.utils.rnn.unpad_sequence)
def unpad_sequence(padded_sequences, lengths, batch_first=False):
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    places = oneflow.arange(rows.shape[1], device=lengths.device)
    return [row[places < length] for row, length in zip(rows, lengths, strict=True)]
