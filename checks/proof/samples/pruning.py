"""Pruning, parametrizations, and layers fused into one."""

import torch


def smallest(module: "torch.nn.Conv1d(4, 3, 2)", a0: "float32[5,4,3]"):
    from torch.nn.utils import prune

    prune.l1_unstructured(module, name="weight", amount=0.5)
    names = sorted(module.state_dict().keys())
    return module(a0), names, prune.is_pruned(module), torch.sum(module.weight_mask)


def smallest_twice(module: "torch.nn.Conv2d(2, 4, 3)", a0: "float32[1,2,5,5]"):
    from torch.nn.utils import prune

    prune.l1_unstructured(module, "weight", 10)
    prune.l1_unstructured(module, "weight", 0.25)
    prune.l1_unstructured(module, "bias", 1)
    return module(a0), torch.sum(module.weight_mask)


def rows(module: "torch.nn.Linear(4, 3)", a0: "float32[5,4]"):
    from torch.nn.utils import prune

    prune.ln_structured(module, "weight", amount=1, n=2, dim=0)
    return prune.remove(module, "weight")(a0)


def columns(module: "torch.nn.Linear(4, 3)", a0: "float32[5,4]"):
    from torch.nn.utils import prune

    prune.ln_structured(module, "weight", amount=0.5, n=1, dim=1)
    return prune.remove(module, "weight")(a0)


def channels(module: "torch.nn.Conv2d(2, 4, 3)", a0: "float32[1,2,5,5]"):
    from torch.nn.utils import prune

    prune.ln_structured(module, "weight", amount=2, n=float("inf"), dim=0)
    prune.l1_unstructured(module, "weight", amount=0.5)
    prune.ln_structured(module, "weight", amount=1, n=2, dim=0)
    return module(a0)


def removed(module: "torch.nn.Conv1d(4, 3, 2)", a0: "float32[5,4,3]"):
    from torch.nn.utils import prune

    prune.l1_unstructured(module, "weight", amount=2)
    prune.remove(module, "weight")
    return module(a0), sorted(module.state_dict().keys()), prune.is_pruned(module)


def by_mask(module: "torch.nn.LayerNorm(4)", a0: "float32[5,4]"):
    from torch.nn.utils import prune

    prune.custom_from_mask(module, "weight", torch.tensor([1.0, 0.0, 1.0, 0.0]))
    return module(a0), prune.identity(module, "bias")(a0)


def at_random(module: "torch.nn.Conv2d(2, 4, 3)"):
    from torch.nn.utils import prune

    prune.random_unstructured(module, "weight", amount=0.25)
    prune.random_structured(module, "bias", amount=1, dim=0)
    return torch.sum(module.weight_mask), torch.sum(module.bias_mask)


def of_all(
    module: "torch.nn.Sequential(torch.nn.Conv1d(4, 3, 2), torch.nn.ReLU(), torch.nn.Conv1d(3, 2, 1))",
    a0: "float32[5,4,3]",
):
    from torch.nn.utils import prune

    parameters = [(module[0], "weight"), (module[2], "weight")]
    prune.global_unstructured(parameters, pruning_method=prune.L1Unstructured, amount=0.4)
    return module(a0), prune.is_pruned(module)


def own_method(module: "torch.nn.LayerNorm(4)", a0: "float32[5,4]"):
    from torch.nn.utils import prune

    class EveryOther(prune.BasePruningMethod):
        PRUNING_TYPE = "unstructured"

        def compute_mask(self, t, default_mask):
            mask = torch.clone(default_mask)
            mask[::2] = 0
            return mask

    EveryOther.apply(module, "weight")
    return module(a0)


def trained(module: "torch.nn.Conv1d(4, 3, 2)", a0_: "float32[5,4,3]"):
    from torch.nn.utils import prune

    prune.l1_unstructured(module, "weight", amount=2)
    optimizer = torch.optim.SGD(module.parameters(), lr=0.5)
    loss = torch.sum(module(a0_) ** 2)
    loss.backward()
    optimizer.step()
    return module(a0_), module.weight_orig
