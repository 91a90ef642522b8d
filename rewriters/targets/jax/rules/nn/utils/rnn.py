"""torch.nn.utils.rnn: sequences of several lengths. How long they are is looked at: such code is not compiled."""

from collections import namedtuple

import jax.numpy as jnp
import numpy as np
import torch

from rewriters.rule import rule


@rule(torch.nn.utils.rnn.PackedSequence, torch.nn.utils.rnn.PackedSequence_)
class PackedSequence(namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])):
    """The steps of all sequences, longest sequence first: first each one's first step, then each one's second, ..."""

    def __new__(cls, data, batch_sizes, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = jnp.argsort(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, dtype=None, device=None, non_blocking=False, copy=False):
        dtypes = [given for given in (*args, dtype) if hasattr(given, "dtype") or isinstance(given, jnp.dtype)]
        return self._replace(data=self.data.astype(dtypes[0])) if dtypes else self

    def cpu(self):
        return self

    def cuda(self, device=None):
        return self

    def pin_memory(self):
        return self

    def float(self):
        return self._replace(data=self.data.astype(jnp.float32))

    def double(self):
        return self._replace(data=self.data.astype(jnp.float64))

    def half(self):
        return self._replace(data=self.data.astype(jnp.float16))

    def long(self):
        return self._replace(data=self.data.astype(jnp.int64))

    def int(self):
        return self._replace(data=self.data.astype(jnp.int32))


def steps_there(batch_sizes):
    """(time, batch), longest sequence first: whether the sequence is that long."""
    sizes = np.asarray(batch_sizes)
    return np.arange(sizes[0]) < sizes[:, None]


def padded_steps(packed):
    """(time, batch, ...), longest sequence first, with zeros behind the end of each."""
    there = steps_there(packed.batch_sizes)
    shape = (*there.shape, *packed.data.shape[1:])
    return jnp.zeros(shape, packed.data.dtype).at[there.nonzero()].set(packed.data)


@rule(torch.nn.utils.rnn.pack_padded_sequence)
def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = np.asarray(lengths)
    x = input.swapaxes(0, 1) if batch_first else input
    order = None
    if not enforce_sorted:
        order = np.argsort(-lengths, kind="stable")
        lengths, x = lengths[order], x[:, order]
    elif (lengths[1:] > lengths[:-1]).any():
        raise RuntimeError("`lengths` array must be sorted in decreasing order when `enforce_sorted` is True.")
    if lengths[-1] <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0")
    if lengths[0] > x.shape[0]:
        raise RuntimeError(f"Expected lengths of at most {x.shape[0]}, but got {lengths[0]}")
    there = np.arange(lengths[0])[:, None] < lengths
    return PackedSequence(x[there.nonzero()], jnp.asarray(there.sum(1)), None if order is None else jnp.asarray(order))


@rule(torch.nn.utils.rnn.pack_sequence)
def pack_sequence(sequences, enforce_sorted=True):
    lengths = [sequence.shape[0] for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


@rule(torch.nn.utils.rnn.pad_packed_sequence)
def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    there, x = steps_there(sequence.batch_sizes), padded_steps(sequence)
    lengths = jnp.asarray(there.sum(0))
    if padding_value != 0:
        x = jnp.where(there.reshape(*there.shape, *[1] * (x.ndim - 2)), x, jnp.asarray(padding_value, x.dtype))
    if total_length is not None:
        if total_length < x.shape[0]:
            raise ValueError("total_length must be at least the length of the longest sequence")
        widths = [(0, total_length - x.shape[0])] + [(0, 0)] * (x.ndim - 1)
        x = jnp.pad(x, widths, constant_values=jnp.asarray(padding_value, x.dtype))
    if sequence.unsorted_indices is not None:
        x, lengths = x[:, sequence.unsorted_indices], lengths[sequence.unsorted_indices]
    return x.swapaxes(0, 1) if batch_first else x, lengths


@rule(torch.nn.utils.rnn.unpack_sequence)
def unpack_sequence(packed_sequences):
    return unpad_sequence(*pad_packed_sequence(packed_sequences))


@rule(torch.nn.utils.rnn.invert_permutation)
def invert_permutation(permutation):
    return None if permutation is None else jnp.argsort(permutation)


@rule(torch.nn.utils.rnn.pad_sequence)
def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    longest = max(sequence.shape[0] for sequence in sequences)
    filled = []
    for sequence in sequences:
        more = longest - sequence.shape[0]
        pairs = [(0, more) if padding_side == "right" else (more, 0), *[(0, 0)] * (sequence.ndim - 1)]
        filled.append(jnp.pad(sequence, pairs, constant_values=jnp.asarray(padding_value, sequence.dtype)))
    return jnp.stack(filled, 0 if batch_first else 1)


@rule(torch.nn.utils.rnn.unpad_sequence)
def unpad_sequence(padded_sequences, lengths, batch_first=False):
    rows = padded_sequences if batch_first else padded_sequences.swapaxes(0, 1)
    return [row[:length] for row, length in zip(rows, lengths.tolist(), strict=True)]
