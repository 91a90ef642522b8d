"""What single rules cannot see, so that another rule answers: the keys with a colon.

* The functions that make tensors of given sizes, called with words that OneFlow's do not have. Without these words a
  call stays as it is, also where its arguments are starred.
* What is written to a tensorboard, where it is a tensor.
* Layers called with ``input=``: OneFlow's name it x.
* ``fill_`` and ``zero_`` of what may be strided, or part of a graph.
* Losses of OneFlow's own that are called with torch's old flags, and the one that broadcasts nothing.
* Optimizers whose groups, state or state_dict the project looks into, and schedulers beside which it sets rates.
* Saving to, and loading from, open files: OneFlow's own take paths.
* What is read of a state_dict, kept of a hook, averaged of what a mask picks.
* Joining what may be an empty vector (``places/empties.py``).
* Modules and products given what may have no rows (``places/rowless.py``).
* What asks how a tensor lies in memory (``places/layout_asked.py``).
* Sums and means of what may have no axes, whose result or operand changes in place.
* Parts of tensors that change in place where a graph may be recorded.
* Clamping of what may be integers by a fraction (``clamping.py``), and what is done to tensors of 8 bits
  (``byte_kernels.py``).
* Attributes that a program gives its tensors (``own_attributes.py``).
* Reshaping of what was computed of transposed tensors (``turned.py``).
* Loaders whose batches change in place (``loaders.py``).
* Transposed convolutions that may be frozen (``frozen.py``).
* Products with what may be a vector, and Linears that are given one (``vectors.py``).
* Data that is stored where a gradient may be kept.
* Parts of tensors that are detached, and numbers of numpy's of which tensors are made.
* Modes of recording gradients that are not a ``with``'s or a decorator's own: those act when they are made, or twice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from rewriters.hooks import chooses_rules
from rewriters.infer import Project
from rewriters.infer.syntax import path_of
from rewriters.infer.values import Bottom, Instance, Method, ModuleInfo, Ref, Tensor, Unknown
from rewriters.places import empties, layout_asked, rowless
from rewriters.places.calls import is_data
from rewriters.places.changing import under_no_grad
from rewriters.places.contiguity import Layouts, is_number
from rewriters.places.kept_results import kept
from rewriters.rewrite.fallbacks import may_broadcast
from rewriters.targets.oneflow.passes import (
    axisless_sums,
    clamping,
    frozen,
    loaders,
    making,
    mixed_stores,
    own_attributes,
    reading,
    training,
    turned,
    vectors,
)
from rewriters.targets.oneflow.passes.byte_kernels import byte_kernels
from rewriters.targets.oneflow.passes.parts import is_part_of
from rewriters.targets.oneflow.passes.strided import Leaves
from rewriters.text.tree import called_name, last_name, walk

MADE = {f"torch.{name}" for name in ("empty", "zeros", "ones", "rand", "randn", "zeros_like", "ones_like", "full_like")}
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
MODES = {f"torch.{name}" for name in ("no_grad", "enable_grad", "inference_mode", "set_grad_enabled")}
FILLING = {f"torch.{name}" for name in ("Tensor.fill_", "Tensor.zero_", "fill_", "zero_")}
# Losses that lack torch's old flags, and how many arguments come before those.
FLAGGED = {
    f"torch.nn.{name}": count
    for name, count in {"L1Loss": 0, "MSELoss": 0, "SmoothL1Loss": 0, "NLLLoss": 1, "MarginRankingLoss": 1}.items()
}
# Where the file stands among the arguments.
STORED = {"torch.save": 1, "torch.load": 0}
OPENING = {"open", "BytesIO", "NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile", "fdopen"}
CHANGING = {f"torch.Tensor.{name}_" for name in ("add", "sub", "mul", "div", "clamp", "masked_fill", "relu")}
GRADIENTS = {"grad", "backward"}
# Whose gradients need what they were given, in OneFlow alone, beside divisions of a number.
KEPT_INPUTS = {
    f"torch.{owner}{name}"
    for owner in ("", "Tensor.")
    for name in ("exp", "expm1", "max", "min", "reciprocal", "rsqrt", "sqrt", "tan")
}
# Whose gradients need what they gave, in OneFlow alone, beside divisions.
KEPT_RESULTS = {
    *(f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in ("max", "min")),
    *(f"torch.nn.functional.{name}" for name in ("hardsigmoid", "hardtanh", "relu6", "normalize")),
    "torch.cosine_similarity",
    *(f"torch.nn.{name}" for name in ("Hardsigmoid", "Hardtanh", "ReLU6", "CosineSimilarity")),
    *(f"torch.nn.InstanceNorm{count}d" for count in (1, 2, 3)),
}
FLAGS = {"size_average", "reduce"}
SMOOTH = "torch.nn.functional.smooth_l1_loss"
WORDS = {"size", "layout", "pin_memory", "memory_format", "out", "names"}


@chooses_rules
def keys(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of this module that a special rule answers for, with the rule's key."""
    found: dict[ast.AST, str] = training.keys(project, module) | axisless_sums.keys(module)
    found |= reading.keys(project, module) | making.keys(project, module) | clamping.keys(module)
    found |= layout_asked.keys(module) | layout_asked.reordered(module) | empties.keys(module)
    found = byte_kernels(module) | vectors.keys(module) | rowless.keys(module) | found
    found |= turned.keys(module) | own_attributes.keys(module) | loaders.keys(project, module)
    found |= frozen.keys(project, module) | vectors.layers(project, module)
    lasting = modes_of_blocks(module)
    filling: tuple[Layouts, Leaves] | None = None
    found |= stores_of_data(project, module)
    for node in names_of_torch(module):
        if node.v.name in MODES and node not in lasting:
            found[node] = f"{node.v.name}:kept"
    own = {node.name for one in project.modules.values() for node in one.nodes.of(ast.FunctionDef)}
    without_gradients = under_no_grad(module)
    found |= mixed_stores.keys(module, without_gradients)
    statements = {node.value for node in module.nodes.of(ast.Expr)} - without_gradients
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if isinstance(called, Ref) and called.name in MADE and any(word.arg in WORDS for word in node.keywords):
            found[node] = f"{called.name}:words"
        if isinstance(called, Ref) and called.name == "torch.tensor" and holds_complex(node):
            found[node] = f"{called.name}:complex"
        if isinstance(called, Ref) and called.name == SMOOTH and may_broadcast(module.nodes, node):
            found[node] = f"{SMOOTH}:mixed"
        if isinstance(called, (Ref, Method)) and is_single(node, called):
            found[node] = f"{called.name}:{'one' if isinstance(called, Ref) else 'once'}"
        if isinstance(called, Ref) and called.name in STORED and is_file(node, STORED[called.name], module):
            found[node] = f"{called.name}:file"
        if isinstance(called, Ref) and called.name in FLAGGED and has_flags(node, FLAGGED[called.name]):
            found[node] = f"{called.name}:flags"
        if fills_unknown(node, own):
            filling = filling or (Layouts(module), Leaves(module))
            if not (filling[0].plain(node.func.value) and filling[1].plain(node.func.value)):
                found[node.func] = f"torch.Tensor.{node.func.attr}:strided"
        if isinstance(called, (Ref, Method)) and called.name in FILLING:
            filling = filling or (Layouts(module), Leaves(module))
            if not writes_all(node, called, *filling):
                found[node] = f"{called.name}:strided"
        divides = isinstance(called, Method) and called.name == "torch.Tensor.div_" and by_tensor(node)
        if isinstance(called, Method) and called.name in CHANGING and node in statements and (divides or is_item(node)):
            filling = filling or (Layouts(module), Leaves(module))
            if not filling[1].plain(node.func.value):
                found[node] = f"{called.name}:item"
        if isinstance(called, Instance) and called.name in LAYERS and [word.arg for word in node.keywords] == ["input"]:
            found[node] = "torch.nn.Module:named"
        if isinstance(called, Ref) and called.name in MODES and node not in lasting:
            found[node] = f"{called.name}:kept"
        if isinstance(called, Method) and called.name.startswith(WRITER) and writes_tensor(node, called.name):
            found[node] = f"{called.name}:tensor"
    needed = kept(project, module, KEPT_RESULTS, KEPT_INPUTS, by_number=False, binds_anew=False)
    for node, key in needed.items():
        found[node] = f"{found.get(node, '')}{key}"
    return found


def holds_complex(node: ast.Call) -> bool:
    """``torch.tensor([1 + 2j])``"""
    return any(isinstance(part, ast.Constant) and isinstance(part.value, complex) for part in walk(node))


def is_single(node: ast.Call, called: Any) -> bool:
    """``torch.stack([x])`` and ``x.repeat(1, 1)``."""
    if isinstance(called, Ref) and called.name == "torch.stack":
        first = node.args[0] if node.args else None
        return isinstance(first, (ast.List, ast.Tuple)) and len(first.elts) == 1
    if not (isinstance(called, Method) and called.name == "torch.Tensor.repeat" and node.args):
        return False
    sizes = node.args[0].elts if isinstance(node.args[0], (ast.List, ast.Tuple)) else node.args
    return all(isinstance(size, ast.Constant) and size.value == 1 for size in sizes)


def stores_of_data(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """``p.data = flat[2:4]``, by a name too, or ``.view_as(p)`` of it; of what has a gradient, maybe, all others."""
    stores = [node for node in module.nodes.of(ast.Assign) if is_data(node.targets[0])]
    unknown = [node for node in module.nodes.of(ast.Assign) if is_unknown_data(node.targets[0])]
    if not stores and not unknown:
        return {}
    words = {node.attr for one in project.modules.values() for node in one.nodes.of(ast.Attribute)}
    found: dict[ast.AST, str] = {}
    if not words.isdisjoint(GRADIENTS):
        found |= dict.fromkeys(stores, "torch.Tensor.data=:kept") | dict.fromkeys(unknown, "torch.Tensor.data=:unknown")
    found |= dict(kept_whole(module))
    found |= {node: "torch.Tensor.data=:view" for node in stores if is_part_of(module, node.targets[0].value, 0)}
    return found | {node: "torch.Tensor.data=:part" for node in stores if is_part_of(module, node.value, 0)}


def is_unknown_data(node: ast.expr) -> bool:
    """``p.data`` of what may be a tensor."""
    if not isinstance(node, ast.Attribute) or node.attr != "data":
        return False
    return isinstance(getattr(node.value, "v", None), (Unknown, Bottom)) and last_name(node.value) not in {
        "self",
        "cls",
    }


def kept_whole(module: ModuleInfo) -> Iterator[tuple[ast.AST, str]]:
    """``y = x[:]``, ``y = x.t()`` of a vector: in OneFlow the very tensor, which then gets new data too."""
    for node in module.nodes.of(ast.Subscript):
        index = node.slice
        begins = isinstance(index, ast.Slice) and index.step is index.upper is None
        begins = begins and (index.lower is None or getattr(index.lower, "value", None) == 0)
        whole = begins or (isinstance(index, ast.Constant) and index.value is ...)
        if whole and isinstance(node.ctx, ast.Load) and isinstance(getattr(node.value, "v", None), Tensor):
            yield node, "torch.Tensor.__getitem__:whole"
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if (
            isinstance(called, Method)
            and called.name == "torch.Tensor.t"
            and getattr(called.receiver, "ndim", None) in {0, 1}
        ):
            yield node, "torch.Tensor.t:whole"


def is_file(node: ast.Call, place: int, module: ModuleInfo) -> bool:
    """Whether it is an open file, or a buffer, by what made it."""
    given = [word.value for word in node.keywords if word.arg == "f"] or node.args[place : place + 1]
    if given and (name := path_of(given[0])):
        items = [item for one in module.nodes.of(ast.With) for item in one.items if item.optional_vars is not None]
        bound = [(item.optional_vars, item.context_expr) for item in items]
        bound += [(target, one.value) for one in module.nodes.of(ast.Assign) for target in one.targets]
        given = [value for target, value in bound if path_of(target) == name]
    return any(isinstance(value, ast.Call) and called_name(value) in OPENING for value in given)


def by_tensor(node: ast.Call) -> bool:
    """Division in place by a tensor: its gradient reads what comes out, which later changes write over."""
    return len(node.args) == 1 and not node.keywords and isinstance(getattr(node.args[0], "v", None), Tensor)


def is_item(node: ast.Call) -> bool:
    """Whether it changes part of a tensor, by ranges and numbers: ``y[0].mul_(3)``."""
    part = node.func.value if isinstance(node.func, ast.Attribute) else None
    if not isinstance(part, ast.Subscript) or not isinstance(getattr(part.value, "v", None), Tensor):
        return False
    pieces = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
    return all(isinstance(piece, (ast.Slice, ast.Constant)) or is_number(piece) for piece in pieces)


def has_flags(node: ast.Call, place: int) -> bool:
    return len(node.args) > place or any(word.arg in FLAGS for word in node.keywords)


def fills_unknown(node: ast.Call, own: set[str]) -> bool:
    """``t.zero_()`` of what is not known: only tensors have that, unless the project does."""
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr in {"fill_", "zero_"} - own
        and isinstance(getattr(node.func.value, "v", Unknown()), (Unknown, Bottom))
    )


def writes_all(node: ast.Call, called: Any, layouts: Layouts, leaves: Leaves) -> bool:
    """Whether OneFlow's ``fill_`` or ``zero_`` surely does what torch's does: the tensor lies in one piece, and is part
    of no graph: that is told of neither ``zero_`` nor a view that is filled.
    """
    filled = node.func.value if isinstance(called, Method) and isinstance(node.func, ast.Attribute) else None
    filled = filled if filled is not None else node.args[0] if node.args else None
    if filled is None or isinstance(filled, ast.Starred):
        return False
    return layouts.plain(filled) and leaves.plain(filled)


def modes_of_blocks(module: ModuleInfo) -> set[ast.AST]:
    """What OneFlow's own modes take the place of: ``with torch.no_grad():`` and ``@torch.no_grad()`` over what is no
    generator; and the names that are called anywhere.
    """
    calls = {node.func for node in module.nodes.of(ast.Call)}
    items = [item for node in module.nodes.of(ast.With, ast.AsyncWith) for item in node.items]
    calls |= {item.context_expr for item in items if item.optional_vars is None}
    for node in module.nodes.of(ast.FunctionDef, ast.AsyncFunctionDef):
        made = [part for part in node.decorator_list if isinstance(part, ast.Call)]
        if made and not any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(node)):
            calls.update(made)
    return calls


def names_of_torch(module: ModuleInfo) -> list[Any]:
    """Names of torch's as an import spells them, where they are read."""
    imported = {part.asname or part.name for node in module.nodes.of(ast.ImportFrom) for part in node.names}
    names = [node for node in module.nodes.of(ast.Name) if node.id in imported]
    names += [node for node in module.nodes.of(ast.Attribute) if isinstance(getattr(node.value, "v", None), Ref)]
    return [node for node in names if isinstance(node.ctx, ast.Load) and isinstance(getattr(node, "v", None), Ref)]


def writes_tensor(node: ast.Call, name: str) -> bool:
    """Whether what the call writes is known to be a tensor."""
    word = WRITTEN.get(name.rpartition(".")[2])
    given = [keyword.value for keyword in node.keywords if keyword.arg == word] or node.args[1:2]
    return word is not None and any(isinstance(getattr(value, "v", None), Tensor) for value in given)
