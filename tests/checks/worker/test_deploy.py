"""Names of what goes into an exported model and comes out of it."""

from __future__ import annotations

from checks.worker.side.deploy import output_names


def test_outputs_are_called_by_their_keys_and_no_two_alike() -> None:
    assert output_names(0) == ["output"]
    assert output_names({"tuple": [0, None, 1]}) == ["output_0", "output_2"]
    assert output_names({"dict": [["a b", 0], ["a_b", 1], ["c", {"list": [2]}]]}) == ["a_b", "a_b_2", "c_0"]
