"""Which methods of a class may be called from outside of the library, because of what it derives from."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import cache

from rewriters.reach.library import Library
from rewriters.reach.units import Kind, Unit
from rewriters.torch.table import names_below

BUILTIN = frozenset(dir(builtins))
# Bases that call no method by a name of their own.
PLAIN = {"object", "ABC", "Generic", "Protocol", "type", "Exception"}
TORCH = {"torch", "torchvision", "torchaudio"}
# Those of torch.autograd.Function that stand in no documentation's list: it calls them where they are defined.
OF_FUNCTIONS = {"forward", "backward", "setup_context", "jvp", "vjp", "vmap"}
CALLS_ITS_METHODS = ("torch.nn.Module", "torch.optim.Optimizer", "torch.utils.data.Dataset", "torch.autograd.Function")


@cache
def called_by_torch() -> frozenset[str]:
    """Names of methods that torch calls of what derives from its classes."""
    return frozenset(name for above in CALLS_ITS_METHODS for name in names_below(above)) | OF_FUNCTIONS


def called_from_outside(library: Library, unit: Unit) -> bool:
    """Whether a class has a base outside of the library that may call any of its methods: dict, Thread, Enum."""
    seen: set[Unit] = set()
    waiting = [unit]
    while waiting:
        unit = waiting.pop()
        if unit in seen or not isinstance(unit.node, ast.ClassDef):
            continue
        seen.add(unit)
        for base in unit.node.bases:
            for found in bases(library, unit, base.value if isinstance(base, ast.Subscript) else base):
                if found is None:
                    return True
                waiting.append(found)
    return False


def bases(library: Library, unit: Unit, base: ast.expr) -> Iterator[Unit | None]:
    """What an expression among a class's bases may stand for in the library; None for what is not of it."""
    root = base
    while isinstance(root, ast.Attribute):
        root = root.value
    name = root.id if isinstance(root, ast.Name) else ""
    units = unit.module.bound.get(name, [])
    if name in BUILTIN and not units and name not in PLAIN:
        yield None
    for found in units:
        if found.kind is not Kind.IMPORT:
            yield found
            continue
        source, inside = library.source(found)
        last = base.attr if isinstance(base, ast.Attribute) else found.name
        if inside:
            yield from library.definitions(source, found.name if isinstance(base, ast.Name) else "")
        elif source.partition(".")[0] not in TORCH and last not in PLAIN:
            yield None
