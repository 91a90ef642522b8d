"""To JAX, a method of what inference does not know to be a tensor means what it does in torch: arrays have numpy's."""

from __future__ import annotations


def test_methods_mean_what_they_do_in_torch(agrees) -> None:
    program = """
        import types
        import torch
        def highest(x): return x.max(1)
        def lowest(x): return x.min(0)
        def ordered(x): return x.sort(0)
        def spread(x): return x.std(1), x.var(1)
        def places(x): return x.nonzero()
        def again(x): return x.repeat(2, 1)
        def turned(x): return x.transpose(0, 1)
        x = torch.tensor([[3., 1., 2.], [4., 6., 5.]])
        for one in vars(types.SimpleNamespace(a=x, b=x[:, 1:])).values():
            show(highest(one), lowest(one), ordered(one), spread(one), places(one), again(one), turned(one))
    """
    assert agrees(program, "jax").converted["program.py"].count("method(") >= 8


def test_what_is_no_tensor_keeps_its_own_method(agrees) -> None:
    program = """
        import types
        import numpy as np
        import torch
        class Own:
            def max(self, x): return ["own", x]
        def highest(x): return x.max(1)
        for one in vars(types.SimpleNamespace(a=Own(), b=np.ones((2, 3)), c=torch.ones(2, 3))).values():
            show([highest(one)][0])
    """
    agrees(program, "jax")


def test_a_parameter_of_a_module_has_its_methods(agrees) -> None:
    program = """
        import types
        import torch
        def highest(x): return x.max(1)
        layer = torch.nn.Linear(3, 2)
        with torch.no_grad():
            layer.weight.copy_(torch.arange(6.0).view(2, 3))
        for one in vars(types.SimpleNamespace(w=layer.weight)).values(): show(highest(one)[1])
    """
    agrees(program, "jax")
