"""torch.nn.modules: recurrent layers with torch's parameters: NNX's cells have one bias, and torch trains two."""

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import family, rule, same
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.functional.dropout import dropped
from rewriters.targets.jax.rules.nn.modules.module import Module
from rewriters.targets.jax.rules.nn.modules.weights import within
from rewriters.targets.jax.rules.nn.utils.rnn import PackedSequence, padded_steps, steps_there

same(
    "torch.nn.RNNBase.input_size", "torch.nn.RNNBase.hidden_size", "torch.nn.RNNBase.num_layers",
    "torch.nn.RNNBase.bias", "torch.nn.RNNBase.batch_first", "torch.nn.RNNBase.dropout",
    "torch.nn.RNNBase.bidirectional", "torch.nn.RNNBase.proj_size", "torch.nn.RNNBase.mode",
    "torch.nn.RNNBase.all_weights", "torch.nn.RNNBase.flatten_parameters",
    "torch.nn.modules.rnn.RNNCellBase.weight_ih", "torch.nn.modules.rnn.RNNCellBase.weight_hh",
    "torch.nn.modules.rnn.RNNCellBase.bias_ih", "torch.nn.modules.rnn.RNNCellBase.bias_hh",
    "torch.nn.modules.rnn.RNNCellBase.input_size", "torch.nn.modules.rnn.RNNCellBase.hidden_size",
    "torch.nn.modules.rnn.RNNCellBase.bias",
)  # fmt: skip

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def product(x, weight, bias):
    return x @ weight.T if bias is None else x @ weight.T + bias


def stepped(mode, given, state, weight_hh, bias_hh, weight_hr):
    """The states after a step, the hidden one first. given: what the input adds to each gate."""
    hidden = state[0]
    kept = product(hidden, weight_hh, bias_hh)
    if mode == "LSTM":
        come, forget, new, out = jnp.split(given + kept, 4, -1)
        cell = jax.nn.sigmoid(forget) * state[1] + jax.nn.sigmoid(come) * jnp.tanh(new)
        hidden = jax.nn.sigmoid(out) * jnp.tanh(cell)
        return (hidden if weight_hr is None else hidden @ weight_hr.T), cell
    if mode == "GRU":
        (reset, update, new), (of_reset, of_update, of_new) = jnp.split(given, 3, -1), jnp.split(kept, 3, -1)
        reset, update = jax.nn.sigmoid(reset + of_reset), jax.nn.sigmoid(update + of_update)
        new = jnp.tanh(new + reset * of_new)
        return (new + update * (hidden - new),)  # as torch rounds it
    return (jax.nn.relu(given + kept) if mode == "RNN_RELU" else jnp.tanh(given + kept),)


@rule(torch.nn.RNNBase)
class RNNBase(Module):
    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__()
        if proj_size and mode != "LSTM":
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        init, key, rows = within(hidden_size), rngs.params, GATES[mode] * hidden_size
        out = proj_size or hidden_size
        for layer in range(num_layers):
            inputs = input_size if layer == 0 else out * (1 + bidirectional)
            shapes = {"weight_ih": (rows, inputs), "weight_hh": (rows, out)}
            shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)} if bias else {}
            shapes |= {"weight_hr": (proj_size, hidden_size)} if proj_size else {}
            for suffix in self.suffixes():
                for name, shape in shapes.items():
                    setattr(self, f"{name}_l{layer}{suffix}", nnx.Param(init(key(), shape, dtype or jnp.float32)))
        self.rngs = rngs.dropout.fork() if dropout else nnx.data(None)

    def suffixes(self):
        return ("", "_reverse")[: 1 + bool(self.bidirectional)]

    def weight(self, name, layer, suffix):
        held = vars(self).get(f"{name}_l{layer}{suffix}")
        return None if held is None else held[...]

    @property
    def all_weights(self):
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
        ends = [f"_l{layer}{suffix}" for layer in range(self.num_layers) for suffix in self.suffixes()]
        return [[vars(self)[name + end] for name in names if name + end in vars(self)] for end in ends]

    def flatten_parameters(self):
        pass

    def through(self, x, state, layer, suffix, there):
        """(outputs, last states) of one layer in one direction. x: (time, batch, features). there: where x has steps"""
        given = product(x, self.weight("weight_ih", layer, suffix), self.weight("bias_ih", layer, suffix))
        names = ("weight_hh", "bias_hh", "weight_hr")
        weights = [self.weight(name, layer, suffix) for name in names]

        def step(before, item):
            after = stepped(self.mode, item[0], before, *weights)
            if item[1] is not None:
                kept = item[1][:, None]
                after = tuple(jnp.where(kept, new, old) for new, old in zip(after, before, strict=True))
            return after, after[0]

        last, outputs = jax.lax.scan(step, state, (given, there), reverse=bool(suffix))
        return outputs, last

    def run(self, x, states, there=None):
        """(outputs, last states), each of (layers and directions, batch, features)."""
        found, number = [], 0
        for layer in range(self.num_layers):
            outputs = []
            for suffix in self.suffixes():
                before = tuple(state[number] for state in states)
                output, last = self.through(x, before, layer, suffix, there)
                outputs.append(output)
                found.append(last)
                number += 1
            x = outputs[0] if len(outputs) == 1 else jnp.concatenate(outputs, -1)
            if layer < self.num_layers - 1 and self.dropout:
                x = dropped(x, self.dropout, self.training, x.shape, self.rngs)
        return x, tuple(jnp.stack(parts) for parts in zip(*found, strict=True))

    def at_rest(self, batch, dtype):
        count = self.num_layers * (1 + bool(self.bidirectional))
        sizes = [self.proj_size or self.hidden_size, self.hidden_size][: 1 + (self.mode == "LSTM")]
        return tuple(jnp.zeros((count, batch, size), dtype) for size in sizes)

    def told(self, states):
        """The states as they are given back: of an LSTM a pair."""
        return states if self.mode == "LSTM" else states[0]

    def __call__(self, input, hx=None):
        states = hx if self.mode == "LSTM" or hx is None else (hx,)
        if isinstance(input, PackedSequence):
            return self.run_packed(input, states)
        batched = input.ndim == 3
        x = input if batched else input[:, None]
        x = x.swapaxes(0, 1) if batched and self.batch_first else x
        if states is None:
            states = self.at_rest(x.shape[1], x.dtype)
        elif not batched:
            states = tuple(state[:, None] for state in states)
        x, states = self.run(x, tuple(states))
        if not batched:
            return x[:, 0], self.told(tuple(state[:, 0] for state in states))
        return x.swapaxes(0, 1) if self.batch_first else x, self.told(states)

    def run_packed(self, packed, states):
        """As torch: outputs packed as the input is, states in the order of the sequences before they were sorted."""
        order, back = packed.sorted_indices, packed.unsorted_indices
        x, there = padded_steps(packed), steps_there(packed.batch_sizes)
        if states is None:
            states = self.at_rest(x.shape[1], x.dtype)
        elif order is not None:
            states = tuple(state[:, order] for state in states)
        x, states = self.run(x, tuple(states), there)
        states = states if back is None else tuple(state[:, back] for state in states)
        return packed._replace(data=x[there.nonzero()]), self.told(states)


@rule(torch.nn.RNN)
class RNN(RNNBase):
    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        nonlinearity="tanh",
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        self.nonlinearity = nonlinearity
        super().__init__(
            f"RNN_{nonlinearity.upper()}",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            0,
            device,
            dtype,
            rngs=rngs,
        )


@family("LSTM GRU", ("        proj_size=0,\n", ""), ("            proj_size,\n", "            0,\n"))
@rule(torch.nn.LSTM)
class LSTM(RNNBase):
    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__(
            "LSTM",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            proj_size,
            device,
            dtype,
            rngs=rngs,
        )


class RecurrentCell(Module):
    """What cells share."""

    def __init__(self, mode, input_size, hidden_size, bias, dtype, rngs):
        super().__init__()
        self.mode, self.input_size, self.hidden_size, self.bias = mode, input_size, hidden_size, bias
        init, key, rows, dtype = within(hidden_size), rngs.params, GATES[mode] * hidden_size, dtype or jnp.float32
        self.weight_ih = nnx.Param(init(key(), (rows, input_size), dtype))
        self.weight_hh = nnx.Param(init(key(), (rows, hidden_size), dtype))
        self.bias_ih = nnx.Param(init(key(), (rows,), dtype)) if bias else None
        self.bias_hh = nnx.Param(init(key(), (rows,), dtype)) if bias else None

    def __call__(self, input, hx=None):
        if hx is None:
            rest = jnp.zeros((*input.shape[:-1], self.hidden_size), input.dtype)
            hx = (rest, rest) if self.mode == "LSTM" else rest
        own, theirs = (None, None) if self.bias_ih is None else (self.bias_ih[...], self.bias_hh[...])
        given = product(input, self.weight_ih[...], own)
        after = stepped(self.mode, given, hx if self.mode == "LSTM" else (hx,), self.weight_hh[...], theirs, None)
        return after if self.mode == "LSTM" else after[0]


@rule(torch.nn.RNNCell)
class RNNCell(RecurrentCell):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None, *, rngs=rngs):
        self.nonlinearity = nonlinearity
        super().__init__(f"RNN_{nonlinearity.upper()}", input_size, hidden_size, bias, dtype, rngs)


@rule(torch.nn.LSTMCell)
class LSTMCell(RecurrentCell):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None, *, rngs=rngs):
        super().__init__("LSTM", input_size, hidden_size, bias, dtype, rngs)


@rule(torch.nn.GRUCell)
class GRUCell(RecurrentCell):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None, *, rngs=rngs):
        super().__init__("GRU", input_size, hidden_size, bias, dtype, rngs)
