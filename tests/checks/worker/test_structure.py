from __future__ import annotations

import dataclasses
import importlib.util
from collections import OrderedDict, namedtuple
from pathlib import Path

import numpy as np

from checks.parity.compare import Side, Torch, compare
from checks.parity.structure import differences
from checks.worker.structure import flatten

_spec = importlib.util.spec_from_file_location("numpy_runtime", Path(__file__).parents[1] / "numpy_runtime.py")
runtime = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(runtime)

ONE = np.ones((2, 3), np.float32)
Pair = namedtuple("Pair", ["values", "indices"])


@dataclasses.dataclass
class Output:
    logits: np.ndarray
    cache: object = None


def test_paths_of_nested_results():
    value = Output(ONE, OrderedDict(past=[ONE, (ONE, None)], pair=Pair(ONE, 3), flag=True, name="x"))
    arrays, nodes = flatten(value, runtime)
    assert list(arrays) == [
        "output.logits",
        "output.cache['past'][0]",
        "output.cache['past'][1][0]",
        "output.cache['pair'][0]",
        "output.cache['pair'][1]",
        "output.cache['flag']",
    ]
    assert nodes["output.logits"] == {"kind": "tensor", "dtype": "float32", "shape": [2, 3]}
    assert nodes["output.cache['past'][1][1]"] == {"kind": "value", "value": "None"}
    assert nodes["output.cache['flag']"]["dtype"] == "bool"


def told(torch, target):
    return differences(flatten(torch, runtime)[1], flatten(target, runtime)[1])


def test_list_and_tuple_are_alike():
    assert told((ONE, [ONE]), [ONE, (ONE,)]) == {}
    assert told(Pair(ONE, ONE), (ONE, ONE)) == {}


def test_outermost_difference_only():
    assert told((ONE, ONE), ONE) == {
        "output": "structure: torch returns sequence of 2, the target tensor float32[2, 3]"
    }
    assert told({"a": (ONE, ONE)}, {"a": None}) == {
        "output['a']": "structure: torch returns sequence of 2, the target None"
    }
    assert list(told((ONE,), (ONE, ONE))) == ["output"]


def test_values_dtypes_and_shapes():
    assert told("a", "b") == {"output": "structure: torch returns 'a', the target 'b'"}
    assert told(ONE, ONE.astype(np.float64)) == {"output": "dtype: torch float32, the target float64"}
    assert told(ONE, ONE.T) == {"output": "shape: torch [2, 3], the target [3, 2]"}
    assert told(1.0, 1) == {"output": "dtype: torch float, the target int"}
    assert list(told(ONE, object())) == ["output"]


class Cache:
    """As model libraries hand one back: tensors in attributes and in lists of objects, beside settings."""

    def __init__(self, layers=(), **settings):
        self.layers = list(layers)
        self.parent = self
        vars(self).update(settings)


def test_objects_are_compared_as_far_as_they_hold_tensors():
    value = Cache([Cache(keys=ONE), Cache(keys=ONE * 2)], device="cpu", seen=3)
    arrays, nodes = flatten(value, runtime)
    assert list(arrays) == ["output.layers[0].keys", "output.layers[1].keys"]
    assert nodes["output"]["names"] == ["layers"]
    assert told(value, Cache([Cache(keys=ONE), Cache(keys=ONE)], device=None, lock=1)) == {}
    assert list(told(value, Cache([Cache(keys=ONE), Cache(values=ONE)]))) == ["output.layers[1]"]
    assert list(told(value, Cache([Cache(keys=ONE), Cache(keys=ONE.T)]))) == ["output.layers[1].keys"]
    assert list(told(value, None)) == ["output"]


def test_objects_in_which_no_tensor_is_known_are_left_out_and_named():
    (kept, named) = compare_values([ONE, object()], [ONE, Cache([ONE])])
    assert (kept.name, kept.verdict) == ("output[0]", "same")
    assert (named.name, named.verdict) == ("output[1]", "skipped")
    assert "a builtins.object: left out" in named.text
    assert [row.verdict for row in compare_values((ONE, object()), (ONE, ONE))] == ["same", "differs"]


def compare_values(torch, target):
    one, other = (Side(*flatten(value, runtime)) for value in (torch, target))
    return compare(Torch(one, one.arrays), other)
