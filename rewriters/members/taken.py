"""Parameters that names take several at once: ``weight, bias = self.weight, self.bias``."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rewriters.infer.values import UNKNOWN, External, FunctionOf, Instance, Method, Ref, Value
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


def names_given_array(node: ast.Call, nodes: Nodes, takes: Callable[[Value], bool]) -> bool:
    """Whether a name is bound to it that is used as the array alone, and given to what ``takes`` tells."""
    made, home = nodes.parents.get(node), nodes.around(node, *FUNCTIONS)
    if home is None or not isinstance(made, ast.Assign) or len(made.targets) != 1:
        return False
    uses = [one for one in walk(home) if isinstance(one, ast.Name) and one.id == getattr(made.targets[0], "id", "")]
    calls = [call for one in uses if isinstance(call := nodes.parents.get(one), ast.Call) and one in call.args]
    taken = any(takes(getattr(call.func, "v", UNKNOWN)) for call in calls)
    return taken and not any(asks_holder(one, nodes) for one in uses)


def maps_arrays(call: ast.Call, nodes: Nodes) -> bool:
    """``map(lambda t: rearrange(t, "h -> h ()"), (self.first, self.second))``"""
    function = call.args[0] if call.args and getattr(call.func, "id", "") == "map" else None
    if not isinstance(function, ast.Lambda):
        return False
    names = {one.arg for one in function.args.args}
    uses = [one for one in walk(function.body) if isinstance(one, ast.Name) and one.id in names]
    return not any(asks_holder(one, nodes) for one in uses)


def asks_holder(name: ast.Name, nodes: Nodes, seen: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether a use of a name may be of what holds the parameter: of its gradient, a change, a list of such.

    seen: functions of the project that are asked already.
    """
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
        return not takes_arrays(around) and hands_on(around, name, seen)
    return not isinstance(around, (ast.BinOp, ast.UnaryOp, ast.Return))


def hands_on(call: ast.Call, name: ast.Name, seen: frozenset[ast.AST]) -> bool:
    """Whether a function that is given a name may ask what holds it: any but one of the project's, or a lambda, that
    does not."""
    value = getattr(call.func, "v", None)
    if not isinstance(value, FunctionOf) or name not in call.args or value.info.node in seen:
        return True
    info, place = value.info, call.args.index(name)
    own = [*info.node.args.posonlyargs, *info.node.args.args]
    place += info.kind in ("method", "classmethod") and isinstance(call.func, ast.Attribute)
    if any(isinstance(one, ast.Starred) for one in call.args) or place >= len(own):
        return True
    uses = [one for one in walk(info.node) if isinstance(one, ast.Name) and one.id == own[place].arg]
    return any(asks_holder(one, info.module.nodes, seen | {info.node}) for one in uses)


def takes_arrays(call: ast.Call) -> bool:
    """Whether a call is one of another library's, or of torch's and of nothing that holds parameters."""
    value = getattr(call.func, "v", None)
    if isinstance(value, Ref):
        return not value.name.startswith(TAKE_HOLDERS) and not is_in_place(value.name.rpartition(".")[2])
    return isinstance(value, (External, Instance, Method)) or getattr(call.func, "id", "") == "map"
