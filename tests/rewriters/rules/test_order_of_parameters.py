"""A rule's parameters stand where torch's stand, so that what is given by place is taken for what it is in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

import rewriters
from rewriters.rules.rulebook import Rule, load_rulebook
from rewriters.torch.overloads import POSITIONAL, overloads_of
from rewriters.torch.table import entry

TARGETS = [folder.parent for folder in sorted(Path(rewriters.__file__).parent.glob("targets/*/rules"))]
# What stands before them in torch is deprecated, or in no other overload: nobody gives it by place.
BY_KEYWORD = {
    *("torch.autograd.backward", "torch.jit.script", "torch.jit.trace", "torch.norm"),
    *("torch.nn.functional.softmax", "torch.nn.functional.log_softmax"),
    *("torch.nn.functional.fractional_max_pool2d", "torch.nn.functional.fractional_max_pool3d"),
    *("torch.hinge_embedding_loss", "torch.margin_ranking_loss"),
    *("torch.cosine_embedding_loss", "torch.triplet_margin_loss"),
}


def moved(key: str, rule: Rule) -> list[str]:
    """Parameters that stand elsewhere than in each of torch's overloads."""
    name = key.partition(":")[0]
    places = [one.arg for one in [*rule.parameters.posonlyargs, *rule.parameters.args]]
    own = places[(entry(name) or {}).get("kind") == "method" :]
    found = []
    for overload in overloads_of(name):
        order = [one.name for one in overload if one.kind == POSITIONAL]
        found.append([one for place, one in enumerate(own) if one in order and order.index(one) != place])
    return min(found, key=len, default=[])


@pytest.mark.parametrize("target", TARGETS, ids=lambda folder: folder.name)
def test_parameters_stand_where_torchs_do(target: Path) -> None:
    found = {
        f"{key} {rule.name}": moved(key, rule)
        for key, rules in load_rulebook(target).rules.items()
        for rule in rules
        if key not in BY_KEYWORD and not rule.is_class and not rule.parameters.vararg
    }
    assert {key: names for key, names in found.items() if names} == {}
