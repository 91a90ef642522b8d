"""One sample without its batch axis, which torch's layers take and Paddle's refuse: where the rank is known.

Where it is not known the call stays as it is, and Paddle says aloud that the input has an axis too few.
"""

import paddle

from rewriters.rule import Rank, family, rule


@family("1d 2d 3d", "sequence image volume", "2 3 4")
@rule(
    "torch.nn.AdaptiveAvgPool1d:call",
    "torch.nn.AvgPool1d:call",
    "torch.nn.LPPool1d:call",
    "torch.nn.Conv1d:call",
    "torch.nn.LazyConv1d:call",
    "torch.nn.LazyConvTranspose1d:call",
    "torch.nn.CircularPad1d:call",
    "torch.nn.ReflectionPad1d:call",
    "torch.nn.ReplicationPad1d:call",
    "torch.nn.InstanceNorm1d:call",
)
def one_sequence(self, input: Rank[2]):
    return self(input.unsqueeze(0)).squeeze(0)


@rule("torch.nn.LayerNorm:call")
def one_vector(self, input: Rank[1]):
    return self(input.unsqueeze(0)).squeeze(0)


@family("1d 2d 3d", "sequence image volume", "2 3 4")
@rule("torch.nn.ConvTranspose1d:call")
def one_transposed_sequence(self, input: Rank[2], output_size=None):
    if output_size is None:
        return self(input.unsqueeze(0)).squeeze(0)
    return self(input.unsqueeze(0), output_size=output_size).squeeze(0)


@family("1d 2d 3d", "sequence image volume", "2 3 4")
@rule("torch.nn.MaxPool1d:call", "torch.nn.AdaptiveMaxPool1d:call")
def one_sequence_pooled(self, input: Rank[2]):
    return without_batch(self(input.unsqueeze(0)))


def without_batch(pooled):
    """The maxima, and their indices where the layer gives them."""
    if isinstance(pooled, tuple):
        return tuple(part.squeeze(0) for part in pooled)
    return pooled.squeeze(0)


@rule("torch.nn.MaxUnpool1d:call")
def one_sequence_unpooled(self, input: Rank[2], indices, output_size=None):
    return self(input.unsqueeze(0), indices.unsqueeze(0), output_size=output_size).squeeze(0)


@rule(
    "torch.nn.Unfold:call",
    "torch.nn.PixelShuffle:call",
    "torch.nn.PixelUnshuffle:call",
)
def one_image_rearranged(self, input: Rank[3]):
    return self(input.unsqueeze(0)).squeeze(0)


@rule("torch.nn.ChannelShuffle:call")
def sequences_rearranged(self, input: Rank[3]):
    return self(input.unsqueeze(-1)).squeeze(-1)


@rule("torch.nn.Fold:call")
def one_image_folded(self, input: Rank[2]):
    return self(input.unsqueeze(0)).squeeze(0)


@rule("torch.nn.Bilinear:call")
def one_pair(self, input1: Rank[1], input2: Rank[1]):
    return self(input1.unsqueeze(0), input2.unsqueeze(0)).squeeze(0)


@rule("torch.nn.RNN:call", "torch.nn.GRU:call")
def one_run(self, input: Rank[2], hx=None):
    batch = 1 if self.time_major else 0
    output, hidden = self(input.unsqueeze(batch), None if hx is None else hx.unsqueeze(1))
    return output.squeeze(batch), hidden.squeeze(1)


@rule("torch.nn.LSTM:call")
def one_lstm_run(self, input: Rank[2], hx=None):
    batch = 1 if self.time_major else 0
    states = None if hx is None else tuple(state.unsqueeze(1) for state in hx)
    output, (hidden, cell) = self(input.unsqueeze(batch), states)
    return output.squeeze(batch), (hidden.squeeze(1), cell.squeeze(1))


@family("1d 2d 3d", "axis plane space", "1 2 3")
@rule("torch.nn.ZeroPad1d:call", "torch.nn.ConstantPad1d:call")
def one_axis_padded(self, input: Rank[1]):
    # with no axis beside those that are padded Paddle pads others
    return self(input.unsqueeze(0)).squeeze(0)


@rule("torch.nn.Dropout2d:call", "torch.nn.Dropout3d:call")
def channels_of_one_number(self, input: Rank[2]):
    return paddle.nn.functional.dropout(input, self.p, training=self.training)


@rule("torch.nn.Dropout2d:call")
def sequences_dropped(self, input: Rank[3]):
    return paddle.nn.functional.dropout1d(input, self.p, training=self.training)


@rule("torch.nn.Dropout3d:call")
def one_volume_dropped(self, input: Rank[4]):
    return self(input.unsqueeze(0)).squeeze(0)


@rule("torch.nn.PixelShuffle:call", "torch.nn.PixelUnshuffle:call")
def batches_rearranged(self, input: Rank[5]):
    found = self(input.flatten(0, 1))
    return found.reshape([*input.shape[:2], *found.shape[1:]])


@rule("torch.nn.PReLU:call")
def row_with_a_slope(self, input: Rank[0] | Rank[1]):
    # the backward of Paddle's ends the process
    return paddle.where(input > 0, input, self._weight * input).reshape(input.shape)
