"""What single rules cannot see, so that another rule answers: the keys with a colon.

* The functions that make tensors of given sizes, called with words that OneFlow's do not have. Without these words a
  call stays as it is, also where its arguments are starred.
"""

from __future__ import annotations

import ast
from typing import Any

from rewriters.values import Ref

MADE = {f"torch.{name}" for name in ("empty", "zeros", "ones", "rand", "randn")}
WORDS = {"size", "layout", "pin_memory", "memory_format", "out", "names"}


def keys(project: Any, module: Any) -> dict[ast.AST, str]:
    """Calls of this module that a special rule answers for, with the rule's key."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        if any(word.arg in WORDS for word in node.keywords):
            made = getattr(node.func, "v", None)
            if isinstance(made, Ref) and made.name in MADE:
                found[node] = f"{made.name}:words"
    return found
