"""What puts a tensor in one piece: torch's ``contiguous()`` leaves a view as it is and gives a copy, Paddle's takes the
view itself from its base; torch's ``ravel()`` copies what is strided, Paddle's is a view where the strides allow it.
And what asks whether one is.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import Method, ModuleInfo, Ref, Tensor
from rewriters.places.calls import is_tensor
from rewriters.places.contiguity import Layouts
from rewriters.text.tree import Nodes, is_in_place

# Give x itself, where it is so already.
THE_SAME = {"to", "cpu", "cuda", "float", "double", "type", "type_as", "contiguous", "requires_grad_"}
ASKED = "torch.Tensor.is_contiguous"
RAVELS = {"torch.ravel", "torch.Tensor.ravel"}


def in_one_piece(module: ModuleInfo, layouts: Layouts) -> dict[ast.AST, str]:
    """Calls of a file that are made otherwise, since something changes in place."""
    return contiguous(module, layouts) | ravelled(module, layouts) | asked(module, layouts)


def asked(module: ModuleInfo, layouts: Layouts) -> dict[ast.AST, str]:
    """``v.is_contiguous()`` of what may be a view: Paddle looks at the strides of axes of one element too."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        asks = isinstance(called, Method) and called.name == ASKED and isinstance(node.func, ast.Attribute)
        if asks and not layouts.plain(node.func.value) and not is_made_so(module, node):
            found[node] = f"{ASKED}:view"
    return found


def is_made_so(module: ModuleInfo, asked: ast.Call) -> bool:
    """``if not x.is_contiguous(): x = x.contiguous()``: whatever the answer is, x is in one piece."""
    around = module.nodes.parents.get(asked)
    around = module.nodes.parents.get(around) if isinstance(around, ast.UnaryOp) else around
    parts: list[ast.AST | None]
    if isinstance(around, ast.IfExp):
        parts = [around.body, around.orelse]
    elif isinstance(around, ast.If) and len(around.body) == 1 and not around.orelse:
        parts = [getattr(around.body[0], "value", None)]
    else:
        return False
    return any(isinstance(part, ast.Call) and getattr(part.func, "attr", "") == "contiguous" for part in parts)


def contiguous(module: ModuleInfo, layouts: Layouts) -> dict[ast.AST, str]:
    """``v.contiguous()`` of what may be a view, where the same function changes something."""
    calls = [
        node
        for node in module.nodes.of(ast.Call)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "contiguous" and is_held(node.func.value)
    ]
    changing = {layouts.around(node) for node in changes(module.nodes)} if calls else set()
    return {
        node: "torch.Tensor.contiguous:shared"
        for node in calls
        if layouts.around(node) in changing and not layouts.plain(node.func.value)
    }


def ravelled(module: ModuleInfo, layouts: Layouts) -> dict[ast.AST, str]:
    """``v.ravel()`` of what may be strided, where the file changes something."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Method, Ref)) or called.name not in RAVELS:
            continue
        method = isinstance(called, Method) and isinstance(node.func, ast.Attribute)
        for of in [node.func.value] if method else node.args[:1]:
            value = getattr(of, "v", None)
            strided = isinstance(value, Tensor) and not layouts.plain(of)
            if strided and changes(module.nodes):
                found[node] = f"{called.name}:shared"
    return found


def is_held(node: ast.expr) -> bool:
    """Whether it is a tensor that a name, an object or a container holds on to, or may be."""
    if not is_tensor(node):
        return False
    if isinstance(node, ast.Subscript):
        return not is_tensor(node.value)
    if isinstance(node, (ast.IfExp, ast.BoolOp)):
        return any(map(is_held, node.values if isinstance(node, ast.BoolOp) else (node.body, node.orelse)))
    if not isinstance(node, ast.Call):
        return isinstance(node, (ast.Name, ast.Attribute, ast.NamedExpr))
    called = getattr(node.func, "v", None)
    if not isinstance(called, (Method, Ref)) or called.name.startswith("builtin."):
        return True  # ``box.get("a")``, a function of the project
    return isinstance(node.func, ast.Attribute) and node.func.attr in THE_SAME and is_held(node.func.value)


def changes(nodes: Nodes) -> list[ast.AST]:
    """What in a file may change something in place."""
    found: list[ast.AST] = [*nodes.of(ast.AugAssign)]
    found += [node for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store)]
    return found + [node for node in nodes.of(ast.Attribute) if is_change(node.attr)]


def is_change(method: str) -> bool:
    return is_in_place(method) and method != "requires_grad_"
