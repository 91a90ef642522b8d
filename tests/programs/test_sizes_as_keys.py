"""Sizes are tuples in torch: they are keys of dicts, items of sets, arguments of functions that keep their results."""

from __future__ import annotations

from collections.abc import Callable

import pytest

KEYS = """
    import torch
    cache = {}
    def mask(x):
        key = x.shape
        if key not in cache:
            cache[key] = torch.ones(key)
        if (x.shape, x.device) not in cache:
            cache[x.shape, x.device] = 1
        return cache.get(x.size())
    show(mask(torch.zeros(2)).shape, mask(torch.zeros(2)).sum(), len(cache))
    def pair(x):
        key = (x.shape[1:], x.dtype)
        return cache.setdefault(key, len(cache)), key in cache
    show(pair(torch.zeros(2, 3)), pair(torch.zeros(4, 3)), pair(torch.zeros(4, 2)))
    def find(shape=None):
        return {None: "none", (2,): "two"}.get(shape)
    show(find(), find(torch.zeros(2).shape), find((2,)))
"""
SETS = """
    import functools
    import torch
    from collections import Counter, defaultdict
    xs = [torch.zeros(2), torch.zeros(2), torch.zeros(3)]
    shapes = [x.shape for x in xs]
    show(len(set(shapes)), len({s for s in shapes}), len(set(x.shape for x in xs)), Counter(shapes)[(2,)])
    by_shape = defaultdict(list)
    for n, p in torch.nn.Linear(2, 3).named_parameters():
        by_shape[p.shape].append(n)
    show(sorted(tuple(k) for k in by_shape), {x.shape: 1 for x in xs}[(3,)], hash(xs[0].shape) == hash((2,)))
    @functools.lru_cache
    def grid(size):
        return torch.zeros(size)
    show(grid(xs[0].shape).shape, grid(xs[0].size()) is grid(xs[1].shape), xs[0].shape < (3,))
"""
NOT_YET = """
    import torch
    class Kept:
        def __init__(self):
            self.at = None
            self.got = {None: 0}
        def look(self):
            return self.got[self.at], self.at in self.got
        def put(self, x):
            self.at = x.shape
            self.got[self.at] = x.sum()
    kept = Kept()
    show(kept.look())
    kept.put(torch.ones(2, 3))
    show(kept.look())
    table, image, grid = {"shape": 1}, torch.zeros(3, 4), torch.arange(5)
    shape = "shape"
    show(table[shape], grid[image.shape[0]], grid[image.shape[0] :], [5, 6, 7, 8][image.shape[0]], 3 in image.shape)
"""


@pytest.mark.parametrize("program", [KEYS, SETS, NOT_YET], ids=["keys", "sets", "none at first"])
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_sizes_are_keys(program: str, target: str, agrees: Callable[..., object]) -> None:
    agrees(program, target)
