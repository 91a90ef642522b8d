"""The judge on outcomes made by hand: what it lets pass, what it does not, and what it leaves out by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.proof.judge import (
    AGREES,
    ANOTHER,
    COPY,
    RAISED,
    TRAINED,
    WRONG,
    judge,
    ks,
    pool_differs,
    without_gradients_of,
)

RANDOM = np.random.default_rng(0)
EXACT = RANDOM.standard_normal(50)
OWN = EXACT.astype(np.float32)


class Given:
    """A reader of arrays that are at hand."""

    def get(self, array: Any) -> Any:
        return array


def node(array: Any) -> dict[str, Any]:
    return {"kind": "tensor", "dtype": str(array.dtype), "shape": list(array.shape)}


def expected(own: dict[str, Any], through: list[str] | None = None, **more: Any) -> dict[str, Any]:
    exact = {path: array.astype(np.float64) for path, array in own.items() if array.dtype.kind == "f"}
    nodes = {path: node(array) for path, array in own.items() if path.startswith("output")}
    base = {"nodes": nodes, "own": own, "exact": exact, "noisy": [exact], "variant": own}
    return {**base, "through": through or [], "returned": {}, **more}


def result(arrays: dict[str, Any], **more: Any) -> dict[str, Any]:
    nodes = {path: node(array) for path, array in arrays.items() if path.startswith("output")}
    return {"nodes": nodes, "arrays": arrays, "missing": [], "gradient_error": "", "returned": {}, **more}


def verdict(wanted: dict[str, Any], found: dict[str, Any], key: str = "torch.exp", kind: str = "function") -> Any:
    return judge(key, kind, wanted, found, Given(), Given())


def test_rounding_agrees() -> None:
    target = (EXACT * (1 + 2.0**-23)).astype(np.float32)
    assert verdict(expected({"output": OWN}), result({"output": target})).outcome == AGREES


def test_values_differ() -> None:
    found = verdict(expected({"output": OWN}), result({"output": OWN * np.float32(1.0001)}))
    assert found.outcome == WRONG
    assert "times the noise floor" in found.finding


def test_dtype_shape_and_number_of_results() -> None:
    wanted = expected({"output": OWN})
    assert "dtype" in verdict(wanted, result({"output": OWN.astype(np.float64)})).finding
    assert "shape" in verdict(wanted, result({"output": OWN.reshape(5, 10)})).finding
    found = result({"output[0]": OWN})
    found["nodes"]["output"] = {"kind": "sequence", "length": 1}
    assert "structure" in verdict(wanted, found).finding


def test_number_of_pieces_differs() -> None:
    """The first piece has another shape then: structure is what is said, values are not compared."""
    wanted, found = expected({"output[0]": OWN}), result({"output[0]": OWN[:25], "output[1]": OWN[25:]})
    wanted["nodes"]["output"] = {"kind": "sequence", "length": 1}
    found["nodes"]["output"] = {"kind": "sequence", "length": 2}
    assert "sequence of 1" in verdict(wanted, found).finding


def test_error_is_told_apart() -> None:
    found = verdict(expected({"output": OWN}), {"error": "TypeError", "message": "no"})
    assert (found.outcome, found.finding) == (RAISED, "TypeError: no")


def test_mutated_argument() -> None:
    found = verdict(expected({"output": OWN}), result({"output": OWN, "a0 after the call": OWN}))
    assert "a0 after the call" in found.finding


def test_argument_that_was_not_written_to() -> None:
    wanted = expected({"output": OWN, "a0 after the call": OWN})
    assert "a0 after the call" in verdict(wanted, result({"output": OWN})).finding


def test_in_place_returns_its_argument() -> None:
    own = {"output": OWN, "a0 after the call": OWN}
    wanted = expected(own, returned={"output": "a0"})
    key = "torch.Tensor.exp_"
    assert verdict(wanted, result(own, returned={"output": "a0"}), key, "in-place").outcome == AGREES
    assert "itself" in verdict(wanted, result(own), key, "in-place").finding
    assert verdict(wanted, result(own), "torch.Tensor.exp", "method").outcome == AGREES


def test_gradient() -> None:
    wanted = expected({"output": OWN, "gradient of a0": OWN}, ["output"])
    assert verdict(wanted, result({"output": OWN, "gradient of a0": OWN})).gradients == 1
    assert "gradient of a0" in verdict(wanted, result({"output": OWN, "gradient of a0": -OWN})).finding
    assert "gradient of a0" in verdict(wanted, result({"output": OWN})).finding


def test_no_gradient_and_a_gradient_of_zeros() -> None:
    zeros = np.zeros(50, np.float32)
    wanted = expected({"output": OWN, "gradient of a0": zeros}, ["output"])
    assert verdict(wanted, result({"output": OWN})).outcome == AGREES


def test_gradient_at_a_kink_is_left_out_by_name() -> None:
    own = {"output": OWN, "gradient of a0": OWN}
    wanted = expected(own, ["output"])
    moved = {path: array.copy() for path, array in wanted["exact"].items()}
    moved["gradient of a0"][3] += 1
    wanted["noisy"] = [moved]
    target = OWN.copy()
    target[3] = 7
    found = verdict(wanted, result({"output": OWN, "gradient of a0": target}))
    assert found.outcome == AGREES
    assert found.caveats == ["gradient at a tie, an edge or a kink is left out"]
    target[4] = 7
    assert verdict(wanted, result({"output": OWN, "gradient of a0": target})).outcome == WRONG


def test_forward_at_a_jump_is_not_left_out() -> None:
    """Rounding half to even or away from zero must differ: both see the very same input."""
    own = {"output": np.round(OWN)}
    wanted = expected(own)
    moved = {"output": wanted["exact"]["output"].copy()}
    moved["output"][3] += 1
    wanted["noisy"] = [moved]
    target = own["output"].copy()
    target[3] += 1
    assert verdict(wanted, result({"output": target}), "torch.round").outcome == WRONG


def test_indices_at_a_tie_are_left_out_for_those_that_choose() -> None:
    own = {"output": np.array([1, 2], np.int64)}
    wanted = expected(own, exact={"output": own["output"]}, noisy=[{"output": np.array([1, 0], np.int64)}])
    target = result({"output": np.array([1, 0], np.int64)})
    assert verdict(wanted, target, "torch.argmax").caveats == ["indices at a tie are left out"]
    assert verdict(wanted, target, "torch.searchsorted").outcome == WRONG


def test_named_fields() -> None:
    found = verdict(expected({"output": OWN}), result({"output": OWN}, missing=["values"]))
    assert found.finding == "the result has no .values"


def test_uninitialized_values_are_not_compared() -> None:
    wanted = expected({"output": OWN})
    assert verdict(wanted, result({"output": OWN * 3}), "torch.empty_like").outcome == AGREES
    assert verdict(wanted, result({"output": OWN[:3]}), "torch.empty_like").outcome == WRONG


def test_small_results_are_judged_together() -> None:
    own = {"output": np.array([1.0], np.float32)}
    target = {"output": np.array([1.0 + 20 * 2.0**-24], np.float32)}
    found = verdict(expected(own), result(target))
    assert found.outcome == AGREES
    assert found.pooled
    ratio = found.pooled[0]
    assert pool_differs([ratio, ratio + 1, ratio + 2, ratio + 3]) is not None
    assert pool_differs([ratio] * 4) is None  # one sample several times is no pool
    assert pool_differs([ratio, *(1.0 + n / 100 for n in range(30))]) is None
    assert verdict(expected(own), result({"output": np.array([1.001], np.float32)})).outcome == WRONG


def test_a_buffer_that_is_declared_to_be_updated_otherwise_is_a_caveat() -> None:
    own, target = {"output": OWN, "_variance after the call": OWN}, {"output": OWN, "_variance after the call": OWN * 2}
    wanted = {**expected(own), "updates": {"_variance": "of n elements"}}
    found = verdict(wanted, result(target))
    assert (found.outcome, found.caveats) == (AGREES, ["_variance after the call: of n elements"])
    assert verdict({**wanted, "updates": {"_mean": "of n"}}, result(target)).outcome == WRONG
    assert verdict(wanted, result({**target, "output": OWN * 2})).outcome == WRONG


def test_distributions() -> None:
    normal, shifted = RANDOM.standard_normal((300, 4)), RANDOM.standard_normal((300, 4)) + 1
    one = RANDOM.standard_normal((300, 4))
    wanted = {"random": True, "nodes": {"output": node(one[0])}, "returned": {}, "draws": {"output": one}}

    def drawn(array: Any) -> dict[str, Any]:
        return {"draws": {"nodes": {"output": node(array[0])}, "returned": {}, "arrays": {"output": array}}}

    assert verdict(wanted, drawn(normal)).outcome == AGREES
    assert "another distribution" in verdict(wanted, drawn(shifted)).finding
    assert "dtype" in verdict(wanted, drawn(normal.astype(np.float32))).finding


def test_ks_is_one_at_the_limit() -> None:
    same = np.arange(300.0)
    assert ks(same, same, 1e-6) == 0
    assert ks(same, same + 1000, 1e-6) > 1


def test_out_is_written_to() -> None:
    own = {"output": OWN, "a1 after the call": OWN}
    wanted = expected(own, returned={"output": "a1"})
    assert verdict(wanted, result(own, returned={"output": "a1"}), "torch.exp", "out").outcome == AGREES
    other = verdict(wanted, result(own), "torch.exp", "out")
    assert (other.outcome, other.caveats) == (AGREES, [ANOTHER])
    assert "a1 after the call" in verdict(wanted, result({"output": OWN}), "torch.exp", "out").finding


def test_a_copy_in_place_of_a_view_is_a_caveat() -> None:
    zeros = np.zeros(50, np.float32)
    wanted = expected({"output": zeros, "a0 after the call": zeros}, after=["a0"])
    same = verdict(wanted, result({"output": zeros, "a0 after the call": zeros}), "torch.narrow", "view function")
    assert (same.outcome, same.caveats) == (AGREES, [])
    copied = verdict(wanted, result({"output": zeros}), "torch.narrow", "view function")
    assert (copied.outcome, copied.caveats) == (AGREES, [COPY])
    other = verdict(wanted, result({"output": zeros, "a0 after the call": OWN}), "torch.narrow", "view function")
    assert other.outcome == WRONG


def test_no_gradient_where_torch_has_zeros() -> None:
    zeros = np.zeros(50, np.float32)
    cut = {"gradient_error": "RuntimeError: the result is cut off from its arguments: it has no gradient"}
    wanted = expected({"output": OWN, "gradient of a0": zeros}, ["output"])
    assert verdict(wanted, result({"output": OWN}, **cut)).outcome == AGREES
    assert verdict(expected({"output": OWN, "gradient of a0": OWN}, ["output"]), result({"output": OWN}, **cut)).finding
    crashed = {"gradient_error": "RuntimeError: no kernel"}
    assert verdict(wanted, result({"output": OWN}, **crashed)).outcome == WRONG


def test_bfloat16_is_judged_by_its_own_rounding() -> None:
    own = (EXACT * (1 + 2.0**-9)).astype(np.float32)
    wanted = expected({"output": own}, exact={"output": EXACT}, noisy=[{"output": EXACT}])
    wanted["nodes"]["output"]["dtype"] = "bfloat16"
    found = result({"output": (EXACT * (1 - 2.0**-7)).astype(np.float32)})
    found["nodes"]["output"]["dtype"] = "bfloat16"
    assert verdict(wanted, found).outcome == AGREES
    found["arrays"]["output"] = (EXACT * 1.1).astype(np.float32)
    assert verdict(wanted, found).outcome == WRONG


def test_gradients_of_a_program_that_changes_its_parameters_are_left_out_by_name() -> None:
    wanted = without_gradients_of(expected({"output": OWN, "gradient of weight": OWN}, ["output"]))
    found = verdict(wanted, result({"output": OWN}))
    assert (found.outcome, found.gradients, found.caveats) == (AGREES, 0, [TRAINED])
    assert verdict(wanted, result({"output": OWN * 2})).outcome == WRONG
