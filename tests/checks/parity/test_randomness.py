from __future__ import annotations

from checks.parity.randomness import differing, drawn_otherwise


def test_how_dropouts_differ():
    one = {"masks": [[[[2, 3], 0.1]]]}
    assert differing(one, one) == ""
    assert differing(one, {"masks": [[]]}) == "torch drops out 1 times, the target 0 times"
    assert differing(one, {"masks": [[[[2, 1], 0.1]]]}) == (
        "dropout 1: torch p=0.1 over [2, 3], the target p=0.1 over [2, 1]"
    )


def test_how_draws_differ():
    one = {"draws": [[["normal", [2, 3]]], [["uniform", [2]], ["normal", [1]]]]}
    assert drawn_otherwise(one, one) == ""
    assert drawn_otherwise(one, {"draws": [[["normal", [2, 3]]], [["uniform", [2]]]]}) == (
        "draw 2: torch normal over [1], the target none"
    )
    assert drawn_otherwise(one, {}) == "draw 1: torch normal over [2, 3], the target none"
    assert drawn_otherwise({"draws": [[]]}, one) == ""  # what torch does not draw, its values tell
