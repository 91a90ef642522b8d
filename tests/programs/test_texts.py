"""The texts of dtypes, devices and sizes that a program works with are torch's."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "dtypes": """
        import torch

        x = torch.ones(2, 3)
        show(str(x.dtype), repr(x.dtype), format(x.dtype), str(x.dtype) == "torch.float32")
        show(f"{x.dtype}", f"{x.dtype!r} {x.dtype!s:>16}", f'{x.long().dtype}')
        show("%s" % x.dtype, "%s %5s" % (x.dtype, x.dtype), "{} {a}".format(x.dtype, a=x.int().dtype))
        show(str(x.dtype).split(".")[-1], str(x.dtype).replace("torch.", ""), str(x.dtype)[6:])
        names = {str(dtype): n for n, dtype in enumerate((torch.int64, torch.bool, torch.float16))}
        show(names, names[str(torch.int64)], str(torch.bfloat16))
        show({"float": 1}.get(str(x.dtype).rpartition(".")[2].rstrip("0123456789")))

        def name_of(dtype: torch.dtype):
            return str(dtype)

        show(name_of(x.dtype), name_of(torch.uint8))
    """,
    "of what is a tensor at times": """
        import numpy as np
        import torch

        running = 0
        for row in torch.ones(2):
            running = row
        show(str(running.dtype), f"{running.dtype}")

        def name_of(values):
            return str(values.dtype)

        show([name_of(one) for one in [torch.ones(1), np.ones(1)]])
        show(str(running.shape), f"{running.shape}", str(running.device))

        def sizes_of(values):
            return str(values.shape), f"{values.shape}"

        show([sizes_of(one) for one in [torch.ones(2), np.ones(2)]])
    """,
    "sizes": """
        import torch

        x = torch.ones(2, 3)
        show(str(x.shape), str(x.size()), repr(x.shape), f"{x.shape}", f"{x.size()} {x[0].shape}", str(x.shape[1:]))
        show("%s" % (x.shape,), "{}".format(x.size()), str(x.sum().shape), str(x.shape) == "torch.Size([2, 3])")
        a = f"{tuple(x.shape)} {list(x.shape)} {x.shape[0]}"
        show(a)
    """,
    "sizes taken apart": """
        import torch

        x = torch.ones(2, 3, 4, 5)
        text = "{:g}x{:g}".format(*x.shape[2:])
        other = "%gx%g" % x.shape[2:]
        one = "%s" % x[0, 0, 0].shape
        show(text, other, one, "%s %s" % tuple(x.shape[:2]))
    """,
    "devices": """
        import torch

        x = torch.ones(2)
        d = torch.device("cpu")
        show(str(x.device), str(d), f"{d}", "%s" % d, "cuda" in str(x.device), str(x.device) == "cpu")
    """,
    "of an own name": """
        import torch

        def str(value):
            return "mine"

        show(str(torch.ones(2).dtype))
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_representation_in_a_format_is_announced(announced, target):
    announced("import torch\nshow('%r' % torch.ones(2).dtype)\n", target)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_texts(agrees, name, target):
    agrees(PROGRAMS[name], target)
