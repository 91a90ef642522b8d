"""What the generated table says of torch's functions besides their values."""

from __future__ import annotations

import pytest
import torch

from rewriters.torch.effects import effects_of, parameter_of
from rewriters.torch.effects import table as table_of_effects
from rewriters.torch.table import table


def test_what_is_written_drawn_and_shared():
    assert effects_of("torch.add").pure
    assert effects_of("torch.Tensor.add_").writes == {"self": "always"}
    assert effects_of("torch.nn.functional.batch_norm").writes == {"running_mean": "maybe", "running_var": "maybe"}
    assert effects_of("torch.nn.functional.dropout").draws
    assert effects_of("torch.nn.functional.rrelu").draws  # only where it trains
    assert effects_of("torch.nn.functional.relu").inplace == {"input": "always"}
    assert effects_of("torch.nn.utils.clip_grad_norm_").writes == {"parameters.grad": "always"}


def test_what_no_witness_knows_is_not_in_the_table():
    for name in (
        "torch.manual_seed",
        "torch.set_grad_enabled",
        "torch.save",
        "torch.vmap",
        "torch.Tensor.register_hook",
    ):
        assert name in table()["names"]
        assert effects_of(name) is None, name


@pytest.mark.parametrize(
    ("name", "word"),
    [("view", "always"), ("reshape", "maybe"), ("contiguous", "maybe"), ("add", ""), ("data", "always")],
)
def test_views(name, word):
    assert effects_of(f"torch.Tensor.{name}").aliases.get("self", "") == word


def test_views_of_one_tensor_alone():
    alone = [name for name, said in table_of_effects().items() if "alone" in said.get("aliases", {}).values()]
    assert alone == ["torch.cartesian_prod", "torch.einsum"]


def test_parameters_by_place_and_keyword():
    assert parameter_of("torch.split", 0) == "tensor"
    assert parameter_of("torch.meshgrid", 5) == "tensors"
    assert parameter_of("torch.add", "input") == parameter_of("torch.add", 0) == "self"
    assert parameter_of("torch.nn.functional.relu", "input") == "input"


def test_every_in_place_method_writes():
    """The names' own convention, which the table does not read: the two have to agree."""
    silent = [
        name
        for name, known in table()["names"].items()
        if name.startswith("torch.Tensor.") and name.endswith("_") and known["kind"] == "method"
        if (said := effects_of(name)) is not None and not said.writes
    ]
    assert silent == []


def test_the_table_is_of_the_torch_that_the_names_are_of():
    assert torch.__version__.startswith(table()["torch"])
