"""Classes that ``collections.namedtuple`` makes."""

from __future__ import annotations

import ast

from rewriters.infer.values import ClassInfo, External, ModuleInfo
from rewriters.text.parsing import module_of


def named_tuple(node: ast.Call, module: ModuleInfo) -> ClassInfo | None:
    """``namedtuple("Point", "x y")`` is the class that says the same by annotations; None without its names."""
    names = node.args[1] if len(node.args) == 2 else None
    if isinstance(names, ast.Constant) and isinstance(names.value, str):
        words: list[object] = [*names.value.replace(",", " ").split()]
    else:
        words = [getattr(item, "value", None) for item in getattr(names, "elts", ())]
    if not words or not all(isinstance(word, str) and word.isidentifier() for word in words):
        return None
    fields = "".join(f"\n    {word}: object" for word in words)
    name = getattr(node.args[0], "value", None)
    name = name if isinstance(name, str) and name.isidentifier() else "NamedTuple"
    (made,) = module_of(f"class {name}:{fields}").body
    assert isinstance(made, ast.ClassDef)
    return ClassInfo(made, module, [External("typing.NamedTuple")])
