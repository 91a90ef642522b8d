"""torch.nn.modules: packed."""

import paddle
import torch

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.nn.utils.rnn import pack_sequence, pad_packed_sequence, steps_there, unpack_sequence


def run_each(layer, packed, states):
    """One sequence at a time."""
    batch = 1 if layer.time_major else 0
    pair = isinstance(states, (tuple, list))
    outputs, ends = [], []
    for number, sequence in enumerate(unpack_sequence(packed)):
        own = [part[:, number : number + 1] for part in (states if pair else [states])]
        output, end = layer(sequence.unsqueeze(batch), own if pair else own[0])
        outputs.append(output.squeeze(batch))
        ends.append(end)
    if packed.sorted_indices is not None:
        outputs = [outputs[number] for number in packed.sorted_indices.tolist()]
    states = (
        tuple(paddle.concat(parts, axis=1) for parts in zip(*ends, strict=True)) if pair else paddle.concat(ends, 1)
    )
    return packed._replace(data=pack_sequence(outputs).data), states


def run_packed(layer, packed, states=None):
    """A recurrent layer's outputs, packed as its inputs are, and its last states."""
    if states is not None and layer.num_directions == 2:
        # the gradients of Paddle's kernel are wrong for given states, lengths and both directions together
        return run_each(layer, packed, states)
    padded, lengths = pad_packed_sequence(packed, batch_first=not layer.time_major)
    output, states = layer(padded, states, sequence_length=lengths)
    if not layer.time_major:
        output = output.swapaxes(0, 1)
    if packed.sorted_indices is not None:
        output = output.index_select(packed.sorted_indices, axis=1)
    return packed._replace(data=output.gather_nd(paddle.nonzero(steps_there(packed.batch_sizes)))), states


@family("torch.nn.RNN torch.nn.GRU torch.nn.LSTM", "packed_rnn packed_gru packed_lstm")
@rule("torch.nn.RNN:call")
def packed_rnn(self, input: torch.nn.utils.rnn.PackedSequence, hx=None):
    return run_packed(self, input, hx)


@rule("torch.nn.Module:call")
def any_packed(self, input: torch.nn.utils.rnn.PackedSequence, hx=None):
    """Of what may be a recurrent layer."""
    if isinstance(self, paddle.nn.layer.rnn.RNNBase):
        return run_packed(self, input, hx)
    return self(input) if hx is None else self(input, hx)
