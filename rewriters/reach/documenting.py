"""Decorators of libraries that only write documentation, and look through all of it to do so: they are left out."""

from __future__ import annotations

import ast

# Package -> decorators that hand their function or class out as it was, but for its text.
ONLY_DOCUMENT = {
    "transformers": {
        "auto_docstring",
        "add_code_sample_docstrings",
        "add_end_docstrings",
        "add_start_docstrings",
        "add_start_docstrings_to_model_forward",
        "replace_return_docstrings",
    },
}


def documenting(node: ast.AST, module: str) -> list[ast.expr]:
    """Those of a function's or class's decorators, in a module of the package."""
    names = ONLY_DOCUMENT.get(module.partition(".")[0], set())
    found = []
    for decorator in getattr(node, "decorator_list", ()):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(called, ast.Name) and called.id in names:
            found.append(decorator)
    return found
