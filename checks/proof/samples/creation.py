"""Tensors from data, random numbers, files."""

import torch


def of_floats():
    return torch.tensor([1.0, 2.5]), torch.tensor([[1.0], [2.0]]), torch.tensor(0.5)


def of_integers():
    return torch.tensor([1, 2]), torch.tensor(3), torch.tensor([])


def of_booleans():
    return torch.tensor([True, False])


def of_dtype():
    return (
        torch.tensor([1, 2], dtype=torch.float32),
        torch.tensor(1.5, dtype=torch.float64),
        torch.tensor([1, 2], device="cpu"),
    )


def with_gradient():
    return torch.tensor([1.0], requires_grad=True).requires_grad, torch.tensor([1.0]).requires_grad


def filled():
    return torch.zeros(2, 3), torch.zeros((2, 3)), torch.ones([2]), torch.ones(4, dtype=torch.int64), torch.zeros(())


def ranges():
    return (
        torch.arange(5),
        torch.arange(1, 4),
        torch.arange(0, 1, 0.25),
        torch.arange(3, dtype=torch.float32),
        torch.arange(2.0),
    )


def seeded():
    torch.manual_seed(3)
    first = torch.randn(4)
    torch.manual_seed(3)
    return first - torch.randn(4)


def normal():
    return torch.randn(3, 2)


def normal_of_size():
    return torch.randn((3, 2), dtype=torch.float64)


def integers():
    return torch.randint(7, (6,)), torch.randint(3, 9, (2, 2)), torch.randint(0, 4, size=(3,))


def drawn(a0_: "0.1<=float32[4]<1"):
    return torch.multinomial(a0_, num_samples=1)


def drawn_with_replacement(a0_: "0.1<=float32[3]<1"):
    return torch.multinomial(a0_, 5, replacement=True)


def saved(a0_: "float32[2,3]"):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        torch.save({"weight": a0_, "step": 3}, folder + "/file.pt")
        state = torch.load(folder + "/file.pt")
    return state["weight"], state["step"]


def saved_elsewhere(a0_: "float32[2,3]"):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        torch.save({"weight": a0_}, folder + "/file.pt")
        return torch.load(folder + "/file.pt", map_location="cpu", weights_only=True)["weight"]


def uniform():
    return torch.rand(3, 2)


def uniform_of_size():
    return torch.rand((3,), dtype=torch.float64)


def has_gpu():
    return torch.cuda.is_available()
