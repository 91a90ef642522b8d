"""torch.nn.utils.rnn: sequences of several lengths."""

import jax.numpy as jnp
import torch

from rewriters.rule import rule


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
