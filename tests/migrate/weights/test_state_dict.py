"""Which dictionary of a checkpoint is taken, and under which names."""

from __future__ import annotations

import pytest

from migrate.errors import Unusable
from migrate.weights.carry.state_dict import StateDict, find_state_dict
from migrate.weights.readers.opening import open_checkpoint

NAMES = ["0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean", "1.running_var", "1.num_batches_tracked"]


def find(path, *arguments) -> StateDict:
    with open_checkpoint(path) as checkpoint:
        return find_state_dict(checkpoint, *arguments)


def test_the_checkpoint_itself(checkpoints):
    found = find(checkpoints / "plain.pt")
    assert (list(found.tensors), found.key, found.notes, found.leftovers) == (NAMES, "", [], [])


def test_a_wrapped_one_is_chosen_and_the_rest_is_named(checkpoints):
    found = find(checkpoints / "wrapped.pt")
    assert (list(found.tensors), found.key) == (NAMES, "model")
    assert "'model'" in found.notes[0]
    assert found.leftovers == ["epoch = 3", "best", "rng", "optimizer (optimizer state: --optimizer)"]


def test_objects_of_absent_classes_are_no_obstacle(checkpoints):
    found = find(checkpoints / "lightning.pt")
    assert (list(found.tensors), found.key) == ([f"model.{name}" for name in NAMES], "state_dict")
    assert "optimizer_states (optimizer state: --optimizer)" in found.leftovers
    assert "config" in found.leftovers


def test_of_a_model_and_its_running_average_the_model_is_taken_and_said(checkpoints):
    found = find(checkpoints / "two.pt")
    assert (found.key, len(found.tensors)) == ("model", 7)
    assert found.notes == ["the state_dict is the checkpoint's 'model'; --key takes ema.model instead"]
    assert len(find(checkpoints / "two.pt", "ema.model").tensors) == 8


def test_several_are_refused_and_the_key_decides(checkpoints):
    with pytest.raises(Unusable, match="2 dictionaries") as error:
        find(checkpoints / "gan.pt")
    assert error.value.mend == "choose with --key: generator (7 tensors), discriminator (7 tensors)"
    assert len(find(checkpoints / "gan.pt", "generator").tensors) == 7
    with pytest.raises(Unusable, match=r"--key critic$"):
        find(checkpoints / "gan.pt", "critic")


def test_a_whole_pickled_module(checkpoints):
    found = find(checkpoints / "whole_module.pt")
    assert list(found.tensors) == NAMES
    assert "pickled torch.nn.modules.container.Sequential" in found.notes[0]
    found = find(checkpoints / "modules.pt")
    assert (list(found.tensors), found.key) == (
        ["kept", "a.weight", "a.bias", "shared.weight", "again.weight"],
        "model",
    )
    assert found.tied() == [["shared.weight", "again.weight"]]


def test_prefixes_are_stripped_and_said(checkpoints):
    found = find(checkpoints / "parallel.pt")
    assert list(found.tensors) == NAMES
    assert found.sources["0.weight"] == "module._orig_mod.0.weight"
    assert ["module." in note or "_orig_mod." in note for note in found.notes] == [True, True]
    assert list(find(checkpoints / "compiled.pt").tensors) == NAMES


def test_a_prefix_that_is_the_models_own_stays(checkpoints):
    own = [f"module.{name}" for name in NAMES]
    assert list(find(checkpoints / "own_module.pt", None, own).tensors) == own
    assert list(find(checkpoints / "own_module.pt", None, NAMES).tensors) == NAMES


def test_what_is_no_tensor_is_named(checkpoints):
    found = find(checkpoints / "non_tensors.pt")
    assert (list(found.tensors), found.leftovers) == (NAMES, ["_extra_state", "note"])


def test_names_cannot_steer_the_terminal(checkpoints):
    assert find(checkpoints / "escapes.pt").leftovers == [r"'epoch\x1b[2J' = 3"]


@pytest.mark.parametrize(
    ("name", "says", "mend"),
    [
        ("one_tensor.pt", "single tensor", "state_dict"),
        ("no_tensors.pt", "no dictionary of tensors", "state_dict"),
        ("optimizer_only.pt", "no dictionary of tensors", "state_dict"),
        ("escaped_name.pt", "control characters", "state_dict"),
        ("sparse.pt", "'weight' is sparse", "to_dense"),
        ("quantized.pt", "'weight' is quantized", "dequantize"),
        ("complex_half.pt", r"'weight' is of dtype torch\.complex32", "convert"),
        ("meta.pt", "'weight' is on the meta device", "values"),
    ],
)
def test_what_cannot_be_carried_is_refused_by_name(checkpoints, name, says, mend):
    with pytest.raises(Unusable, match=says) as error:
        find(checkpoints / name)
    assert mend in error.value.mend
