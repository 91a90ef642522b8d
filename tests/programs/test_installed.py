"""Whether torch is there, and which: the target stands in its place. Compilers and transforms are told nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PROGRAMS = {
    "asked by a name that is handed along": """
        import importlib.metadata
        import importlib.util
        import torch


        def is_available(name, version=False):
            there = importlib.util.find_spec(name) is not None
            if there and version:
                try:
                    return there, importlib.metadata.version(name)
                except importlib.metadata.PackageNotFoundError:
                    return there, "N/A"
            return there, None


        show(is_available("torch"), is_available("not_there_at_all"))
        show(is_available("torch", version=True)[1].split("+")[0])
    """,
    "asked by its name": """
        import importlib.metadata
        import importlib.util
        import torch
        show(importlib.util.find_spec("torch") is not None, importlib.metadata.version("torch").split("+")[0])
    """,
    "asked by a backport, or the module that it stands in for": """
        import importlib.util
        import torch
        try:
            import importlib_metadata
        except ImportError:
            import importlib.metadata as importlib_metadata


        def version_of(name):
            try:
                return importlib_metadata.version(name)
            except importlib_metadata.PackageNotFoundError:
                return "N/A"


        show(version_of("torch").split("+")[0], version_of("not_there_at_all"))
    """,
    "compilers and transforms": """
        import torch
        import torch.utils._pytree as pytree
        from torch.utils._pytree import register_pytree_node


        class Pair:
            pass


        def register(of):
            pytree.register_pytree_node(of, lambda x: ((x.a, x.b), None), lambda values, context: Pair())


        @torch._dynamo.allow_in_graph
        def f(x):
            torch._dynamo.mark_static_address(x)
            torch._dynamo.mark_dynamic(x, 0)
            return x + 1


        register(Pair)
        show(f(torch.ones(2)))
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_torchvisions_version_is_known_without_it(outcome: Callable[..., Outcome], target: str) -> None:
    found = outcome(
        """
        import importlib.metadata

        show(importlib.metadata.version("torchvision").split(".")[0])
        """,
        target,
    )
    assert (found.target.error, len(found.target.shown)) == (None, 1), str(found)
