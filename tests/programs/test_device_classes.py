"""Devices, whose class is tested with, looked up and handed on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "in a tuple": """
        import torch

        def kind(x):
            if type(x) in (torch.device, str): return "device"
            if type(x) in (torch.dtype,): return "dtype"
            if type(x) in (torch.Tensor, torch.nn.Parameter): return "tensor"
            if type(x) in (torch.Size, tuple): return "size"
            return "other"
        x = torch.zeros(2)
        show([kind(v) for v in (torch.device("cpu"), "cpu", torch.float32, x, torch.nn.Parameter(x))])
        show([kind(v) for v in (x.shape, (1, 2), 3, x.device, x.dtype)])
    """,
    "in displays of all kinds": """
        import torch

        d = torch.device("cpu")
        show(type(d) is torch.device, type(d) == torch.device, isinstance(d, torch.device))
        show(type(d) in [torch.device], type(d) in {torch.device}, type(d) in {torch.device: 1})
        show(type(torch.zeros(1).device) is torch.device, type(torch.zeros(1).device) in (torch.device, int))
        show(type(torch.float32) is torch.dtype, type(torch.zeros(1).dtype) in (torch.dtype, str))
        show(type(torch.zeros(2).size()) is torch.Size, type(torch.zeros(2).shape) in (torch.Size, list))
        g = torch.Generator(); show(type(g) in (torch.Generator,), isinstance(g, torch.Generator))
    """,
    "beside tensors": """
        import torch

        for v in (torch.zeros(1), torch.nn.Parameter(torch.zeros(1)), torch.zeros(1).device):
            show(type(v) in (torch.Tensor, torch.device), type(v) not in (torch.Tensor,))
            show({torch.Tensor: 1, torch.nn.Parameter: 2, torch.device: 3}.get(type(v), 0))
            show(issubclass(type(v), torch.Tensor), any(type(v) is t for t in (torch.Tensor, torch.device)))
    """,
    "under a name": """
        import torch

        PLAIN = (torch.device, torch.dtype, int)
        def is_plain(x): return type(x) in PLAIN or isinstance(x, PLAIN)
        show(is_plain(torch.device("cpu")), is_plain(torch.float32), is_plain(1))
        show(is_plain(torch.zeros(1)), is_plain("cpu"))
    """,
    "made by the class as a value": """
        import torch

        make = torch.device
        show(isinstance(make("cpu"), make), str(make("cpu").type), make is torch.device)
        def build(cls, *args): return cls(*args)
        show(build(torch.device, "cpu").type, list(map(torch.device, ["cpu"]))[0].type)
    """,
}


JAX = """
    import torch

    d, f, x = torch.device("cpu"), torch.float32, torch.zeros(2)
    KINDS = (torch.device, torch.dtype, str)
    def kind(x, other: torch.dtype | None = None):
        if isinstance(x, torch.device): return "device"
        if isinstance(x, (int, torch.dtype)): return "dtype" if not isinstance(x, int) else "int"
        return "else"
    show([kind(v) for v in (d, f, x, x.device, x.dtype, 3, "cpu", int, float)])
    show([isinstance(v, KINDS) for v in (d, f, x, x.device, x.dtype, 3, "cpu", torch.bool, float)])
    show(type(d) is torch.device, type(x.device) == torch.device, type(x.dtype) is torch.dtype, type(f) == torch.dtype)
    show(type(d) in (torch.device, int), {torch.device: 1}.get(type(x.device)), type(3) in (torch.device, str))
    make = torch.device
    show(isinstance(make("cpu"), make), make is torch.device, list(map(torch.device, ["cpu"]))[0].type)
    net = torch.nn.Linear(2, 2, bias=False)
    net.register_buffer("mask", torch.ones(2))
    net.own = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    def which(m): return [isinstance(one, torch.nn.Parameter) for one in (m.own, m.bias, m.mask, 3)]
    show(isinstance(net.weight, torch.nn.Parameter), isinstance(net.mask, torch.nn.Parameter), which(net))
    show([isinstance(p, (int, torch.nn.Parameter)) for p in (*net.parameters(), 3, x)])
"""


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")


def test_where_arrays_have_dtypes_and_devices_of_no_one_class(agrees: Callable[..., object]) -> None:
    agrees(JAX, "jax")
