"""Names of types: ``Size = Tuple[int, int]``."""

from __future__ import annotations


def test_what_they_hold_is_known(sites):
    text = """
    from typing import Tuple, Union, Optional
    import torch
    Size_ = Tuple[int, int]
    Either_ = Union[int, torch.Tensor]
    Held = Optional[torch.Tensor]
    def of(size: Size_, either: Either_, held: Held):
        return size[0].view(2), either.view(2), held.view(2)
    """
    found = [site for site in sites(text, "paddle") if site.api.endswith("view")]
    assert [site.outcome.value for site in found] == ["unknown", "inlined"]
