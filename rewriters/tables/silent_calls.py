"""Calls of single methods that ``silent`` tries beside those that it tries of all: as programs write them.

A text that begins with "%" is a name of the framework's, one with "@" a tensor.
"""

from __future__ import annotations

from typing import Any

Call = tuple[tuple[Any, ...], dict[str, Any]]

PLACES: list[Call] = [
    (("cpu",), {}),
    (("%float64",), {}),
    (("%int64",), {}),
    (("cpu", "%float64"), {}),
    (("cpu", "%float64"), {"non_blocking": True}),
    (("cpu",), {"non_blocking": True}),
    (("cpu",), {"dtype": "%float64"}),
    ((), {"dtype": "%float64"}),
    ((), {"device": "cpu"}),
    ((), {"device": "cpu", "dtype": "%float64"}),
    ((), {"device": "cpu", "non_blocking": True}),
    (("@same",), {}),
    (("@one",), {}),
    (("cpu", "%float64", True), {}),
    ((), {"memory_format": "%contiguous_format"}),
]
BOUNDS: list[Call] = [
    ((), {"min": 1}),
    ((), {"max": 1}),
    ((), {"min": -1, "max": 2}),
    ((), {"min": 0.5}),
    ((-2.0, 2.0), {}),
    ((0.5,), {}),
    ((0.5, 2.5), {}),
]
AXES: list[Call] = [((), {"dim1": -1, "dim2": -2}), ((), {"dim1": 0, "dim2": 1}), ((), {"offset": 1}),
                    ((), {"dim1": -2, "dim2": -1, "offset": 1}), ((1,), {"dim1": -1, "dim2": -2})]  # fmt: skip
SINGLE: dict[str, list[Call]] = {
    "to": PLACES,
    "type": [(("%float64",), {}), (("%int64",), {})],
    "clamp": BOUNDS,
    "clamp_": BOUNDS,
    "clip": BOUNDS,
    "diagonal": AXES,
    "to_dense": [((), {})],
    "pow": [((0.5,), {}), ((-1.5,), {})],
    "backward": [
        ((), {}), ((), {"retain_graph": True}), (("@same",), {}), ((), {"gradient": "@same"}),
        ((), {"create_graph": False}), ((), {"create_graph": True}), (("@same",), {"retain_graph": True}),
        ((), {"gradient": "@same", "retain_graph": True}), ((), {"retain_graph": True, "create_graph": False}),
    ],
    "copy_": [(("@same",), {}), (("@one",), {}), (("@vector",), {}), (("@same", True), {}),
              (("@same",), {"non_blocking": True}), (("@vector",), {"non_blocking": True}), (("@vector", True), {})],
    "uniform_": [((), {}), ((-1, 1), {}), ((-1.0, 1.0), {}), ((2, 3), {}), ((), {"a": -1, "b": 1})],
    "normal_": [((), {}), ((3, 2), {}), ((0, 2.0), {}), ((), {"mean": 3.0, "std": 2.0}), ((), {"std": 2.0}),
                ((1.0,), {})],
    "bernoulli_": [((0.3,), {}), ((), {})],
    "fill_": [((), {"value": 2})],
    "new_zeros": [((3,), {"dtype": "%int64"}), (((2, 3),), {"dtype": "%float64"}), ((2, 3), {"dtype": "%int64"}),
                  ((2, 3), {"requires_grad": False}), ((3,), {"dtype": "%uint8"})],
    "new_ones": [((3,), {"dtype": "%int64"}), (((2, 3),), {"dtype": "%float64"}), ((), {"size": (2, 3)})],
    "new_full": [(((2, 3), 1), {"dtype": "%int64"}), (((2,), -1.5), {"dtype": "%float64"})],
    "flip": [((), {"dims": (0,)}), ((), {"dims": [0, 1]})],
    "flatten": [((), {"start_dim": 1}), ((), {"start_dim": 0})],
    "triu": [((), {"diagonal": 1})],
    "tril": [((), {"diagonal": -1})],
    "cumsum": [((0,), {"dtype": "%float64"}), ((), {"dim": 1})],
    "softmax": [((1,), {"dtype": "%float64"})],
    "topk": [((), {"k": 2}), ((), {"k": 2, "dim": 0}),
             ((2, 1), {}), ((2, 1, True, True), {}), ((2,), {"dim": 1}), ((2,), {"dim": 0, "largest": False})],
    "nonzero": [((), {"as_tuple": True}), ((), {"as_tuple": False})],
    "norm": [((2,), {"dim": -1, "keepdim": True}), ((), {"dim": 0, "keepdim": True}), ((2, -1), {"keepdim": True}),
             ((), {"p": 2, "dim": -1, "keepdim": True})],
    **{name: [((), {"axis": 1, "keepdims": True})] for name in ("mean", "sum", "var", "std", "amax", "amin")},
    "narrow": [((), {"dim": 1, "start": 0, "length": 2})],
    "transpose": [((), {"dim0": 0, "dim1": 1})],
    "split": [((2,), {"dim": -1}), ((2,), {"dim": 0}), (((1, 3), 0), {}), (([1, 3],), {"dim": -1}), ((3, -1), {})],
    "view": [((2, 8), {}), ((-1, 4, 2), {}), ((-1, 1, 1), {}), ((4, -1), {})],
    "reshape": [((), {"shape": (2, 8)}), ((), {"shape": [-1, 4, 2]}),
                ((2, 8), {}), ((-1, 4, 2), {}), ((-1, 1, 1), {}), ((4, -1), {})],
}  # fmt: skip
# Of three axes: with as many sizes or axes as programs give.
SIZES: list[Call] = [
    ((2, 1, 2, 3), {}), ((1, 2, 2, 3), {}), ((2, 2, 3, 1), {}), ((1, 2, 1, 2, 3), {}), ((2, 1, 2, 1, 3), {}),
    ((1, 2, 1, 2, 1, 3), {}), ((-1, 2, 2, 3), {}), ((2, 1, 2, 3, -1), {}),
]  # fmt: skip
OF_THREE: dict[str, list[Call]] = {
    "view": SIZES,
    "reshape": SIZES,
    "repeat": SIZES,
    "expand": [((2, 2, 2, 3), {}), ((4, -1, -1, -1), {}), ((1, 2, 2, 2, 3), {}), ((2, 1, 3, 2, 2, 3), {})],
    "diagonal": AXES,
}
OF_FOUR: dict[str, list[Call]] = {
    "permute": [((0, 2, 3, 1), {}), ((0, 3, 1, 2), {}), ((3, -2, 1, 0), {}), (((0, 2, 1, 3),), {})],
    "view": [((2, 2, 3, 2), {}), ((2, -1, 2, 3), {}), ((4, 2, 3), {}), ((2, 2, 2, 3, 1), {})],
    "transpose": [((1, 2), {}), ((-1, -2), {})],
}
OF_FIVE: dict[str, list[Call]] = {
    "permute": [((0, 1, 3, 2, 4), {}), ((0, 4, 1, 2, 3), {}), ((0, 2, 3, 4, 1), {}), (((0, 2, 1, 3, 4),), {})],
}
OF_SIX: dict[str, list[Call]] = {
    "permute": [((0, 1, 3, 2, 4, 5), {}), ((0, 5, 1, 4, 2, 3), {}), (((0, 1, 3, 2, 4, 5),), {})],
}
DRAWING = frozenset({"uniform_", "normal_", "bernoulli_"})
"""Of these it is compared how many numbers lie."""
ALONE = DRAWING | {"to", "to_dense", "backward", "copy_", "values", "indices"}
"""Of these, nothing but what is here is tried: a number is a device there, or no gradient, or ends the process."""
STORED: dict[str, list[Any]] = {"requires_grad": [True, False]}
"""What is stored to attributes, one after the other."""
REFUSING: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("cuda", (), {"non_blocking": True}),
    ("cuda", (0,), {"non_blocking": True}),
]
"""Calls of what only a machine with a GPU can do: tried is whether the words are taken. Where they are, the call may
end the process: then none may stand here."""
UNTRIED: dict[str, list[str]] = {"cuda": ["0"]}
"""Forms that no machine without a GPU can try: the targets' rules leave them as they stand, which a test holds."""
OWN: dict[tuple[str, str], list[Call]] = {
    **{(name, kind): calls for name, calls in SINGLE.items() for kind in ("f", "i", "b", "v", "n")},
    **{(name, "c"): calls for name, calls in OF_THREE.items()},
    **{(name, "q"): calls for name, calls in OF_FOUR.items()},
    **{(name, "u"): calls for name, calls in OF_FIVE.items()},
    **{(name, "w"): calls for name, calls in OF_SIX.items()},
    **{(name, kind): [((), {})] for name, kind in (("to_dense", "s"), ("values", "z"), ("indices", "z"))},
}
"""The calls by method and by the kind of array."""
