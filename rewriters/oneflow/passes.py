"""What single rules cannot see, so that another rule answers: the keys with a colon.

* The functions that make tensors of given sizes, called with words that OneFlow's do not have. Without these words a
  call stays as it is, also where its arguments are starred.
* What is written to a tensorboard, where it is a tensor.
* Layers called with ``input=``: OneFlow's name it x.
"""

from __future__ import annotations

import ast
from typing import Any

from rewriters.values import Instance, Method, Ref, Tensor

MADE = {f"torch.{name}" for name in ("empty", "zeros", "ones", "rand", "randn")}
WRITER = "torch.utils.tensorboard.SummaryWriter"
# What each method writes, which is its second argument.
WRITTEN = {
    "add_scalar": "scalar_value",
    "add_histogram": "values",
    "add_image": "img_tensor",
    "add_images": "img_tensor",
}
LAYERS = {
    f"torch.nn.{name}"
    for name in (
        *("Linear", "Embedding", "LayerNorm", "Dropout", "ReLU", "SiLU", "Sigmoid", "Softmax", "LogSoftmax", "PReLU"),
        *(
            f"{name}{count}d"
            for count in (1, 2, 3)
            for name in ("Conv", "ConvTranspose", "BatchNorm", "AvgPool", "MaxPool")
        ),
    )
}
WORDS = {"size", "layout", "pin_memory", "memory_format", "out", "names"}


def keys(project: Any, module: Any) -> dict[ast.AST, str]:
    """Calls of this module that a special rule answers for, with the rule's key."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if isinstance(called, Ref) and called.name in MADE and any(word.arg in WORDS for word in node.keywords):
            found[node] = f"{called.name}:words"
        if isinstance(called, Instance) and called.name in LAYERS and [word.arg for word in node.keywords] == ["input"]:
            found[node] = "torch.nn.Module:named"
        if isinstance(called, Method) and called.name.startswith(WRITER) and writes_tensor(node, called.name):
            found[node] = f"{called.name}:tensor"
    return found


def writes_tensor(node: ast.Call, name: str) -> bool:
    """Whether what the call writes is known to be a tensor."""
    word = WRITTEN.get(name.rpartition(".")[2])
    given = [keyword.value for keyword in node.keywords if keyword.arg == word] or node.args[1:2]
    return word is not None and any(isinstance(getattr(value, "v", None), Tensor) for value in given)
