"""A program's own ``to()``, which takes apart what it is given as torch's does."""

from __future__ import annotations

from collections.abc import Callable

OWN_TO = """
    import torch

    class Table(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("table", torch.ones(2))
            self.register_buffer("places", torch.ones(2, dtype=torch.int64))

        def to(self, *args, **kwargs):
            device, dtype, non_blocking, memory_format = torch._C._nn._parse_to(*args, **kwargs)
            show(device is None, dtype == torch.float64, dtype == torch.float32, non_blocking, memory_format is None)
            return self._apply(lambda t: t.to(device, dtype if t.is_floating_point() else None, non_blocking))

    table = Table()
    table.to("cpu")
    table.to(torch.float64)
    table.to(None, torch.float64, True)
    table.to(device=torch.device("cpu"), non_blocking=True)
    show(table.table, table.places)
    table.to(torch.ones(2))
    show(table.table)
"""


def test_takes_apart_what_it_is_given(agrees: Callable[..., object]) -> None:
    agrees(OWN_TO, "paddle")


def test_what_is_copied_is_another(agrees: Callable[..., object]) -> None:
    program = """
        import torch

        def moved(x, device, dtype, held):
            assert x.is_floating_point()
            return x.to(device, dtype if held else None, False)

        x = torch.ones(2)
        parts = [
            x.to("cpu", torch.float32, copy=True),
            x.to("cpu", torch.float32, False, True),
            x.to("cpu", dtype=torch.float32, copy=True),
            x.to(x, copy=True),
            x.to(torch.float32, copy=True),
            moved(x, "cpu", torch.float64, True),
        ]
        parts[0].add_(1)
        x.mul_(3)
        show(parts, moved(x, "cpu", torch.float64, False))
    """
    for target in ("paddle", "oneflow", "jax"):
        agrees(program, target)
