"""Marks for TorchScript, states of random numbers, and small things around programs."""

import torch


def marked(a0: "float32[3]"):
    @torch.jit.ignore
    def first(x):
        return x * 2

    @torch.jit.ignore(drop=True)
    def second(x):
        return x + 1

    @torch.jit.unused
    def third(x):
        return x - 3

    return first(a0), second(a0), third(a0), torch.jit.is_tracing()


def annotated():
    return torch.jit.annotate(int, 3)


def state_after_draws():
    torch.rand(5)
    kept = torch.get_rng_state()
    first = torch.rand(3)
    torch.set_rng_state(kept)
    second = torch.rand(3)
    torch.set_rng_state(kept)
    return first - second, first - torch.rand(3)


def of_the_default_generator():
    torch.default_generator.manual_seed(3)
    first = torch.rand(3)
    torch.random.default_generator.manual_seed(3)
    return first - torch.rand(3), torch.default_generator.initial_seed()


def inverted():
    order = torch.nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
    return order, torch.nn.utils.rnn.invert_permutation(None)


def sharing_strategies():
    return "file_system" in torch.multiprocessing.get_all_sharing_strategies()


def default_device():
    return torch.get_default_device().type


def kinds_of_recurrent():
    return isinstance(torch.nn.GRU(2, 3), torch.nn.RNNBase), isinstance(torch.nn.GRUCell(2, 3), torch.nn.RNNBase)


def wrapped_error():
    try:
        raise ValueError("why")
    except ValueError:
        wrapper = torch.utils.data.dataloader.ExceptionWrapper(where="in a worker")
    try:
        wrapper.reraise()
    except ValueError as error:
        return str(error).splitlines()[0]
