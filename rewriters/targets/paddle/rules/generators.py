"""Generators beside the devices' own, and the state of either as torch has it: bytes."""

import os

import numpy
import paddle
import torch

from rewriters.rule import rule, same

same(
    "torch.Generator.device",
    "torch.Generator.get_state",
    "torch.Generator.initial_seed",
    "torch.Generator.manual_seed",
    "torch.Generator.seed",
    "torch.Generator.set_state",
)


def places():
    """The devices that random numbers are drawn on: the processor and the present one."""
    present = paddle.get_device()
    return ["cpu"] if present == "cpu" else ["cpu", present]


def written(states):
    """States by place as a tensor of bytes. A state is its device, seed and offset, and the text of its engine."""
    lines = []
    for place, state in states.items():
        device, seed, offset, engine = state.__getstate__()
        lines.append(f"{place} {device} {seed} {offset} ".encode() + bytes(engine))
    return paddle.to_tensor(numpy.frombuffer(b"\n".join(lines), "uint8").copy(), place=paddle.CPUPlace())


def read(new_state):
    """The states that a tensor of bytes holds."""
    states = {}
    for line in new_state.numpy().tobytes().split(b"\n"):
        parts = line.split(b" ", 4)
        if len(parts) != 5:
            raise RuntimeError("RNG state is of another framework or has another size; get it by get_rng_state()")
        place, device, seed, offset, engine = parts
        state = paddle.base.core.GeneratorState.__new__(paddle.base.core.GeneratorState)
        state.__setstate__((int(device), int(seed), int(offset), list(engine)))
        states[place.decode()] = state
    return states


@rule(torch.Generator)
class Generator:
    """Random numbers apart from the devices': Paddle has one generator for each device, which draws in its place."""

    def __init__(self, device="cpu"):
        self.device = paddle.device(device) if isinstance(device, str) else device
        self.manual_seed(67280421310721)

    def manual_seed(self, seed):
        self.number, self.states = seed % 2**64, {}
        return self

    def seed(self):
        self.manual_seed(int.from_bytes(os.urandom(6), "little"))
        return self.number

    def initial_seed(self):
        return self.number

    def get_state(self):
        drawn_from(self, places)  # has a state for each by then
        return written(self.states)

    def set_state(self, new_state):
        self.states = read(new_state)
        self.number = next(iter(self.states.values())).current_seed()
        return self


def drawn_from(generator, draw, *args, **kwargs):
    """What draw() gives with the numbers of a generator, which goes on from there; the devices' own stay."""
    lent = {place: paddle.Generator(place) for place in places()}
    before = {place: of.get_state() for place, of in lent.items()}
    for place, of in lent.items():
        if place in generator.states:
            of.set_state(generator.states[place])
        else:
            of.manual_seed(generator.number)
    try:
        return draw(*args, **kwargs)
    finally:
        for place, of in lent.items():
            generator.states[place] = of.get_state()
            of.set_state(before[place])


@rule(torch.get_rng_state, torch.random.get_rng_state)
def get_rng_state():
    return written({place: paddle.Generator(place).get_state() for place in places()})


@rule(torch.set_rng_state, torch.random.set_rng_state)
def set_rng_state(new_state):
    for place, state in read(new_state).items():
        paddle.Generator(place).set_state(state)
