from __future__ import annotations

from checks.parity.randomness import differing


def test_how_dropouts_differ():
    one = {"masks": [[[[2, 3], 0.1]]]}
    assert differing(one, one) == ""
    assert differing(one, {"masks": [[]]}) == "torch drops out 1 times, the target 0 times"
    assert differing(one, {"masks": [[[[2, 1], 0.1]]]}) == (
        "dropout 1: torch p=0.1 over [2, 3], the target p=0.1 over [2, 1]"
    )
