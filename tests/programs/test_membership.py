"""Whether a tensor holds a value."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_in_of_tensors_and_of_what_may_be_one(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch

        def ends(ids, pad):
            return pad in ids.clone()[:, [-1, 0]], pad not in ids[:, 0]

        def whole(x: torch.Tensor, value):
            return value in x, value not in x, (value in x) + 1

        def made(flag, names):
            held = torch.arange(3) if flag else names
            return 2 in held, 2 not in held, len(names)

        def read(value, calls):
            calls.append(str(value))
            return value

        ids, calls = torch.tensor([[5, 1, 2], [3, 4, 0]]), []
        show(ends(ids, 0), ends(ids, 4), ends(ids, 5))
        show(whole(ids, 3), whole(ids, 9), whole(ids, 2.5), whole(ids.float(), 3), whole(ids, torch.tensor([5, 9, 9])))
        show(whole(ids > 1, True), whole(ids, torch.tensor(2.5)), made(True, []), made(False, [2]), made(False, [1]))
        show(read(1, calls) in read(ids, calls), read(7, calls) not in ids[:, read(1, calls)], calls[0], calls[2:])
        for odd in ("a", None, [1]):
            try:
                show(odd in ids)
            except RuntimeError:
                show("refused")
        """,
        target,
    )
