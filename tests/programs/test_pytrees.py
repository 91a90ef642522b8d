"""Nested containers that torch.utils._pytree takes apart and puts together."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAM = """
    import torch
    from collections import OrderedDict, namedtuple, defaultdict, deque
    from torch.utils._pytree import PyTree, TreeSpec, register_constant, register_pytree_node, tree_flatten, tree_leaves
    from torch.utils._pytree import tree_map, tree_map_only, tree_unflatten
    import torch.utils._pytree as pytree

    Pair = namedtuple("Pair", ["a", "b"])

    class Box:
        def __init__(self, x, name):
            self.x, self.name = x, name

    register_pytree_node(Box, lambda b: ([b.x], b.name), lambda parts, name: Box(parts[0], name))

    def detach(tree: PyTree) -> PyTree:
        return tree_map(lambda t: t * 2 if isinstance(t, torch.Tensor) else t, tree)

    x = torch.arange(3.0)
    tree = {"z": x, "a": [x + 1, None, (2, "k")],
            "p": Pair(x, 3), "o": OrderedDict(b=x, a=1), "d": defaultdict(list, q=x), "e": deque([x, 1], maxlen=2),
            "box": Box(x, "n"), "none": []}
    leaves, spec = tree_flatten(tree)
    show([l for l in leaves if torch.is_tensor(l)], [l for l in leaves if not torch.is_tensor(l)])
    show(spec.num_leaves, isinstance(spec, TreeSpec))
    back = tree_unflatten([l + 1 if torch.is_tensor(l) else l for l in leaves], spec)
    show(back["z"], back["a"], back["p"].a, back["o"], list(back["o"]), back["d"]["q"], list(back["e"]))
    show(back["box"].x, back["box"].name, back["none"], back["d"]["new"])
    show(detach((x, [x, 5])))
    show(tree_map_only(torch.Tensor, lambda t: t - 1, {"b": x, "a": 7}))
    show(tree_leaves([x, None], is_leaf=lambda t: t is None))
    show(tree_map(lambda a, b: a + b, [x, (x, 1)], [x, (x, 2)]))
    show(pytree.tree_any(lambda t: torch.is_tensor(t), [1, x]), pytree.tree_all_only(int, lambda n: n > 0, [1, x, 2]))
    show(tree_flatten([1, (2, 3)])[1] == tree_flatten([x, (x, 0)])[1], tree_flatten([1])[1] == tree_flatten((1,))[1])
    class Mode:
        def __init__(self, name):
            self.name = name
        def __eq__(self, other):
            return isinstance(other, Mode) and self.name == other.name
        def __hash__(self):
            return hash(self.name)
    register_constant(Mode)
    constant = [x, Mode("a")]
    show(len(tree_leaves(constant)), tree_map(lambda t: t + 1, constant)[0], tree_map(lambda t: t, constant)[1].name)
    show(tree_flatten(constant)[1] == tree_flatten([x, Mode("a")])[1])
    show(tree_flatten([Mode("b")])[1] == tree_flatten([Mode("a")])[1])
    try:
        tree_unflatten([1], spec)
    except ValueError as e:
        show(len(str(e)) > 0)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_pytrees(agrees: Callable[..., object], target: str) -> None:
    agrees(PROGRAM, target)
