"""To JAX: torch.LongTensor and the like, dtypes that are looked up by a text, tensors of which nothing is said."""

from __future__ import annotations

from collections.abc import Callable


def test_classes_of_one_dtype(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        from typing import Optional

        def halved(x: torch.LongTensor, y: Optional[torch.BoolTensor] = None, z: "torch.FloatTensor | None" = None):
            assert isinstance(x, torch.LongTensor) and not isinstance(x, (torch.IntTensor, torch.BoolTensor))
            t: torch.ByteTensor = x.byte()
            return t // 2

        def made(kind, data):
            return kind(data)

        def cast(x, kind):
            return x.type(kind)

        x = torch.tensor([1.5, 2.5])
        show(halved(torch.tensor([2, 4])), made(torch.LongTensor, [1, 2]), made(torch.HalfTensor, 3).shape)
        Kind = torch.cuda.DoubleTensor if torch.cuda.is_available() else torch.DoubleTensor
        show(Kind([1, 2]), x.type(Kind), x.type(torch.LongTensor), cast(x, torch.IntTensor), x.type("torch.LongTensor"))
        show(isinstance(x, torch.FloatTensor), isinstance(x, torch.cuda.FloatTensor), isinstance(3, torch.LongTensor))
    """
    found = agrees(program, "jax")
    assert "x: jax.Array, y: Optional[jax.Array] = None" in found.converted["program.py"]  # type: ignore[attr-defined]


def test_dtypes_by_their_names(agrees: Callable[..., object]) -> None:
    program = """
        import argparse

        import torch

        parser = argparse.ArgumentParser()
        parser.add_argument("--dtype", default="bfloat16")
        args = parser.parse_args([])
        dtype = getattr(torch, args.dtype)

        class Config:
            def __init__(self, **options):
                for name, value in options.items():
                    setattr(self, name, value)
                self.dtype = getattr(torch, self.dtype)

        def cast(x, name: str, config):
            return x.to(getattr(torch, name)), torch.zeros(2, dtype=getattr(torch, config["kind"]))

        show(torch.ones(2, dtype=dtype) * 2, cast(torch.ones(2), "half", {"kind": "int32"}))
        show(torch.ones(2).to(Config(dtype="double").dtype))
        try:
            dtype = getattr(torch, args.dtype + "er")
        except AttributeError:
            show("none")
    """
    agrees(program, "jax")


def test_of_what_nothing_is_said(agrees: Callable[..., object]) -> None:
    program = """
        import importlib

        import torch

        found = importlib.import_module("math")
        found.made = lambda m: m[:, None].float() * 2

        def marked(mask: torch.Tensor):
            e = vars(found)["made"](mask)
            e = e[:, 0]
            e[mask == 2] = 7
            e[(mask == 1) | ~(mask < 3)] = 9
            return e

        def turned(q, pair: tuple[torch.Tensor, torch.Tensor]):
            return q * pair.to(q.device)

        def called(function, **given):
            return function(torch.ones(3), **given)

        show(marked(torch.arange(5)), called(turned, pair=torch.arange(3.0)))

        x = torch.arange(4.0)
        show(x.masked_scatter(x > 9, x[x > 9]), x.masked_scatter(x > 1, torch.tensor([7.0, 8.0])))
    """
    agrees(program, "jax")


def test_attributes_by_their_names(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        from torch import nn

        class Rotary(nn.Module):
            def __init__(self):
                super().__init__()
                for name in ("near", "far"):
                    self.register_buffer(f"{name}_freq", torch.zeros(3))
                self.scale, self.weight = torch.ones(3), nn.Parameter(torch.ones(3))

        def begun(module, name):
            getattr(module, f"{name}_freq").copy_(torch.ones(3) * 2)
            getattr(module, f"{name}_freq").mul_(2)
            getattr(module, "scale").add_(2)
            getattr(module, "weight").data.mul_(3)
            with torch.no_grad():
                for each in ["weight"]:
                    getattr(module, each).sub_(1)

        module = Rotary()
        begun(module, "near")
        show(module.near_freq, module.far_freq, module.scale, module.weight.detach())

        def logs(values):
            return torch.log(values)

        for held in (module.weight, module.scale):
            show(logs(held).detach(), torch.exp(held).detach())
    """
    agrees(program, "jax")


def test_scans(agrees: Callable[..., object]) -> None:
    program = """
        import torch

        def scanned(x, parallel):
            if parallel:
                from torch._higher_order_ops.associative_scan import associative_scan
            else:
                associative_scan = None
            if parallel and associative_scan is not None and x.shape[0] > 3:
                return associative_scan(lambda a, b: a + b, x, dim=0, combine_mode="generic")
            return x.cumsum(0)

        def joined(left, right):
            (a, b), (c, d) = left, right
            return a * c, c * b + d

        from torch._higher_order_ops.associative_scan import associative_scan

        show(scanned(torch.arange(4.0), True), scanned(torch.arange(3.0), True), scanned(torch.arange(4.0), False))
        x = torch.arange(6.0).view(2, 3)
        show(associative_scan(joined, (x, torch.ones(2, 3)), 1, combine_mode="generic", reverse=True))
    """
    agrees(program, "jax")


def test_activations_of_what_is_no_number(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn.functional as F

        x = torch.tensor([float("nan"), float("-inf"), float("inf"), -6.0, -3.0, 0.0, 3.0, 6.0, 20.0, 21.0])
        for f in (F.relu6, F.hardsigmoid, torch.nn.Hardsigmoid(), lambda x: F.threshold(x, 0.5, 0.1), torch.nn.ReLU6()):
            show(f(x))
        for f in (F.leaky_relu, torch.nn.LeakyReLU(0.2), lambda x: F.rrelu(x), torch.nn.PReLU(), F.softplus, F.relu6):
            y = x[3:].clone().requires_grad_()
            show(torch.autograd.grad(f(y).sum(), y))
    """
    agrees(program, "jax")


def test_slopes_at_zero(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn.functional as F

        x = torch.tensor([[0.0, 1.0, -2.0], [0.0, -1.0, 0.5]], requires_grad=True)
        y = torch.tensor([[0.0, 2.0, -2.0], [1.0, -1.0, 0.5]])
        for f in (F.l1_loss, torch.nn.L1Loss(reduction="sum"), lambda a, b: F.smooth_l1_loss(a, b, beta=0.0)):
            show(torch.autograd.grad(f(x, y), x))
        show(torch.autograd.grad(torch.norm(x, 1), x))
        show(torch.autograd.grad(x.norm(p=1, dim=1).sum(), x))
        show(torch.autograd.grad(torch.cdist(x, y, p=1.0).sum(), x))
        show(F.l1_loss(torch.tensor([1, 2]), torch.tensor([3, 2]), reduction="sum"))
    """
    agrees(program, "jax")


def test_gradients_of_a_parameter_are_tensors(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        p = nn.Parameter(torch.tensor([0.5, 2.0]))
        (g,) = torch.autograd.grad(p.flip(dims=(0,)).pow(3).sum(), p)
        show(isinstance(g, torch.Tensor), g, torch.exp(g))
    """
    agrees(program, "jax")


def test_filled_where_a_mask_holds(agrees: Callable[..., object]) -> None:
    program = """
        import json
        import torch

        def filled(x, mask):
            return x.masked_fill(mask, 1), x.masked_fill(mask, 0.5), torch.masked_fill(x, mask, True)

        m = torch.tensor([True, False])
        i = torch.tensor([1, 2], dtype=torch.int32)
        show(filled(m, m), filled(i, m), filled(i.half(), m), i.long().masked_fill(m, -1))
        for numbers in json.loads("[[1, 2], [1.5, 2], [true, false]]"):
            show(filled(torch.tensor(numbers), m))
        h = torch.ones(2).half()
        h.masked_fill_(m, float("-inf"))
        i.masked_fill_(m, 0.5)
        m.masked_fill_(m, 2)
        show(h, i, m)
    """
    agrees(program, "jax")


def test_cosines_beside_narrow_integers(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn.functional as F
        x, y = torch.tensor([[100, 2], [3, 100]]), torch.tensor([[3.0, 100], [1, 2]])
        show(F.cosine_similarity(x.to(torch.int8), y), F.cosine_similarity(y, x.int(), dim=0))
        show(torch.nn.CosineSimilarity()(y, x.byte()), F.cosine_similarity(y[0], y, dim=-1))
    """
    agrees(program, "jax")


def test_cosines_of_shapes_that_meet(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn.functional as F
        x = torch.tensor([[0.843, 0.347]])
        show(F.cosine_similarity(x, x.narrow(1, 0, 1)), F.cosine_similarity(x[0], x.t(), dim=0))
        show(torch.nn.CosineSimilarity()(torch.ones(2, 3, 1), torch.arange(8.0).view(2, 1, 4)))
    """
    agrees(program, "jax")


def test_what_holds_integers_at_times_beside_numbers(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        def given(x: torch.Tensor, s=None):
            if s is None:
                s = x
            return 3.5, s
        _, a = given(torch.arange(4))
        show(a / 2, a * 1.5, 2 / (a + 1), a + 1, a - 0.5, a ** 2, a > 1, a // 2, a % 3)
        show(given(torch.arange(4), 7)[1] / 2, given(torch.arange(4), torch.ones(2))[1] / 2)
    """
    agrees(program, "jax")
