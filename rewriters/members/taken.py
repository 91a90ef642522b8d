"""Parameters that names take several at once: ``weight, bias = self.weight, self.bias``."""

from __future__ import annotations

import ast

from rewriters.infer.values import External, Instance, Method, Ref
from rewriters.text.tree import FUNCTIONS, Nodes, is_in_place, walk

# Attributes of a tensor that are asked of what holds it.
OF_HOLDER = {"data", "grad", "requires_grad", "requires_grad_", "is_leaf", "retain_grad", "register_hook", "grad_fn"}
BUFFER = "torch.nn.Buffer"
# Calls that take what holds a parameter.
TAKE_HOLDERS = ("torch.nn.init.", "torch.nn.Parameter", "torch.nn.utils.", "torch.optim.", "torch.is_tensor", BUFFER)
GATHERING = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Starred)


def names_array(node: ast.expr, nodes: Nodes) -> bool:
    """Whether it is a tuple's part that is bound to a name, whose uses in the function are all of the array."""
    around = nodes.parents.get(node)
    made = nodes.parents.get(around) if isinstance(around, ast.Tuple) else None
    home = nodes.around(node, *FUNCTIONS)
    if home is None or not isinstance(made, ast.Assign) or not isinstance(around, ast.Tuple) or len(made.targets) != 1:
        return False
    target = made.targets[0]
    if not isinstance(target, ast.Tuple) or len(target.elts) != len(around.elts):
        return False
    if any(isinstance(part, ast.Starred) for part in (*target.elts, *around.elts)):
        return False
    name = target.elts[around.elts.index(node)]
    uses = [one for one in walk(home) if isinstance(one, ast.Name) and isinstance(name, ast.Name) and one.id == name.id]
    return bool(uses) and not any(asks_holder(one, nodes) for one in uses)


def maps_arrays(call: ast.Call, nodes: Nodes) -> bool:
    """``map(lambda t: rearrange(t, "h -> h ()"), (self.first, self.second))``"""
    function = call.args[0] if call.args and getattr(call.func, "id", "") == "map" else None
    if not isinstance(function, ast.Lambda):
        return False
    names = {one.arg for one in function.args.args}
    uses = [one for one in walk(function.body) if isinstance(one, ast.Name) and one.id in names]
    return not any(asks_holder(one, nodes) for one in uses)


def asks_holder(name: ast.Name, nodes: Nodes) -> bool:
    """Whether a use of a name may be of what holds the parameter: of its gradient, a change, a list of such."""
    around = nodes.parents.get(name)
    over = nodes.parents.get(around) if around is not None else None
    if isinstance(around, ast.AugAssign):
        return around.target is name
    if isinstance(name.ctx, ast.Store):
        return isinstance(around, ast.NamedExpr)
    if isinstance(around, ast.Attribute):
        return around.attr in OF_HOLDER or is_in_place(around.attr)
    if isinstance(around, ast.Subscript):
        if around.value is not name:
            return False
        return not isinstance(around.ctx, ast.Load) or is_in_place(getattr(over, "attr", ""))
    if isinstance(around, ast.Assign):
        return any(not isinstance(part, ast.Name) for part in around.targets)
    if isinstance(around, ast.Compare):
        return any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in around.ops)
    if isinstance(around, (*GATHERING, ast.keyword)):
        return not isinstance(over, ast.Call) or getattr(around, "arg", "") == "out" or not takes_arrays(over)
    if isinstance(around, ast.Call):
        return not takes_arrays(around)
    return not isinstance(around, (ast.BinOp, ast.UnaryOp, ast.Return))


def takes_arrays(call: ast.Call) -> bool:
    """Whether a call is one of another library's, or of torch's and of nothing that holds parameters."""
    value = getattr(call.func, "v", None)
    if isinstance(value, Ref):
        return not value.name.startswith(TAKE_HOLDERS) and not is_in_place(value.name.rpartition(".")[2])
    return isinstance(value, (External, Instance, Method)) or getattr(call.func, "id", "") == "map"
