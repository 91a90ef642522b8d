"""Packed sequences, which Paddle's layers do not take: they are padded, and the layer is told their lengths."""

from collections import namedtuple

import paddle
import torch

from rewriters.rule import rule


@rule(torch.nn.utils.rnn.PackedSequence, torch.nn.utils.rnn.PackedSequence_)
class PackedSequence(namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])):
    """The steps of all sequences, longest sequence first: first each one's first step, then each one's second, ..."""

    def __new__(cls, data, batch_sizes, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = paddle.argsort(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        return self._replace(data=self.data.to(*args, **kwargs))

    def cpu(self):
        return self._replace(data=self.data.cpu())

    def cuda(self, device=None):
        return self._replace(data=self.data.cuda() if device is None else self.data.to(device))

    def float(self):
        return self._replace(data=self.data.astype("float32"))

    def double(self):
        return self._replace(data=self.data.astype("float64"))

    def half(self):
        return self._replace(data=self.data.astype("float16"))

    def long(self):
        return self._replace(data=self.data.astype("int64"))

    def int(self):
        return self._replace(data=self.data.astype("int32"))

    def pin_memory(self):
        return self._replace(data=self.data.pin_memory())

    @property
    def is_cuda(self):
        return self.data.place.is_gpu_place()

    def is_pinned(self):
        return self.data.place.is_cuda_pinned_place()


def steps_there(batch_sizes):
    """For each step and each sequence, longest first: whether the sequence is that long."""
    return paddle.arange(int(batch_sizes[0])).unsqueeze(0) < batch_sizes.unsqueeze(1)


@rule(torch.nn.utils.rnn.pack_padded_sequence)
def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = paddle.to_tensor(lengths, dtype="int64")
    if batch_first:
        input = input.swapaxes(0, 1)
    order = None
    if not enforce_sorted:
        order = paddle.argsort(lengths, descending=True, stable=True)
        lengths = lengths[order]
        input = input.index_select(order, axis=1)
    elif bool((lengths[1:] > lengths[:-1]).any()):
        raise RuntimeError("`lengths` array must be sorted in decreasing order when `enforce_sorted` is True.")
    steps = paddle.arange(int(lengths[0]))
    there = steps.unsqueeze(1) < lengths.unsqueeze(0)
    return PackedSequence(input.gather_nd(paddle.nonzero(there)), there.astype("int64").sum(axis=1), order)


@rule(torch.nn.utils.rnn.pack_sequence)
def pack_sequence(sequences, enforce_sorted=True):
    lengths = [sequence.shape[0] for sequence in sequences]
    filled = [
        paddle.concat([sequence, paddle.zeros([max(lengths) - length, *sequence.shape[1:]], dtype=sequence.dtype)])
        for sequence, length in zip(sequences, lengths, strict=True)
    ]
    return pack_padded_sequence(paddle.stack(filled), lengths, batch_first=True, enforce_sorted=enforce_sorted)


@rule(torch.nn.utils.rnn.pad_packed_sequence)
def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    there = steps_there(sequence.batch_sizes)
    lengths = there.astype("int64").sum(axis=0)
    if total_length is not None:
        if total_length < there.shape[0]:
            raise ValueError("total_length must be at least the length of the longest sequence")
        missing = paddle.zeros([total_length - there.shape[0], there.shape[1]], dtype="bool")
        there = paddle.concat([there, missing])
    rest = sequence.data.shape[1:]
    padded = paddle.scatter_nd(paddle.nonzero(there), sequence.data, [*there.shape, *rest])
    if padding_value != 0:
        kept = there.reshape([*there.shape, *[1 for _ in rest]])
        padded = paddle.where(kept, padded, paddle.full_like(padded, padding_value))
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(sequence.unsorted_indices, axis=1)
        lengths = lengths[sequence.unsorted_indices]
    return padded.swapaxes(0, 1) if batch_first else padded, lengths


@rule(torch.nn.utils.rnn.unpack_sequence)
def unpack_sequence(packed_sequences):
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return [sequence[: int(length)] for sequence, length in zip(padded, lengths, strict=True)]


# Sequences of several lengths; packed ones are in packed.py.
@rule(torch.nn.utils.rnn.pad_sequence)
def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    length = max(sequence.shape[0] for sequence in sequences)
    padded = []
    for sequence in sequences:
        rest = [length - sequence.shape[0], *sequence.shape[1:]]
        filler = paddle.full(rest, padding_value, dtype=sequence.dtype)
        padded.append(paddle.concat([filler, sequence] if padding_side == "left" else [sequence, filler]))
    return paddle.stack(padded, axis=0 if batch_first else 1)


@rule(torch.nn.utils.rnn.unpad_sequence)
def unpad_sequence(padded_sequences, lengths, batch_first=False):
    if not batch_first:
        padded_sequences = padded_sequences.swapaxes(0, 1)
    return [sequence[: int(length)] for sequence, length in zip(padded_sequences, lengths, strict=True)]


@rule(torch.nn.utils.rnn.invert_permutation)
def invert_permutation(permutation):
    return None if permutation is None else paddle.argsort(permutation)
