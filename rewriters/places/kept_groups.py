"""Dicts of an optimizer's groups that a program keeps: torch takes them as its groups, and fills them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.torch_members import GROUPS
from rewriters.infer.values import Bottom, ClassOf, FunctionOf, Mapping, ModuleInfo, Unknown
from rewriters.places.schedules import all_given
from rewriters.text.tree import LOOPS, Nodes, called_name, last_name, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# What reads a dict's items, or changes them.
OF_DICTS = {"keys", "items", "values", "get", "update", "pop", "setdefault"}
# What goes through what it is given.
GOING_THROUGH = {"enumerate", "zip", "reversed", "list", "iter", "sorted"}
# What torch's optimizers keep in a group, by its key; "params" is in no other dict that has these.
OPTIONS = {
    "lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize", "foreach", "differentiable", "fused",
    "betas", "eps", "amsgrad", "capturable", "decoupled_weight_decay", "alpha", "centered", "rho", "lr_decay",
    "initial_accumulator_value", "lambd", "t0", "etas", "step_sizes", "momentum_decay", "initial_lr",
}  # fmt: skip


def keeps_groups(modules: list[ModuleInfo]) -> bool:
    """Whether some file looks into, or changes, a dict that an optimizer took as a group."""
    if any(is_kept(module, call) for module in modules for call in takers(module)):
        return True
    return changes_groups(modules)


def changes_groups(modules: list[ModuleInfo]) -> bool:
    """Whether some function sets an option of a dict, or reads one of a dict with ``"params"``, that it has from no
    optimizer and did not make, or handed on: it may be one that an optimizer took as a group.
    """
    made = {module: list(groups_made(module.nodes)) for module in modules}
    if not any(made.values()) or not any(True for module in modules for _ in takers(module)):
        return False
    return any(
        changes_group(module.nodes, node, made[module])
        for module in modules
        for node in module.nodes.of(ast.Subscript)
        if isinstance(node.slice, ast.Constant) and node.slice.value in OPTIONS
    )


def groups_made(nodes: Nodes) -> Iterator[ast.AST]:
    """``{"params": ...}`` and ``dict(params=...)``."""
    for one in nodes.of(ast.Dict):
        if any(isinstance(key, ast.Constant) and key.value == "params" for key in one.keys):
            yield one
    for call in nodes.of(ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id == "dict" and any(w.arg == "params" for w in call.keywords):
            yield call


def changes_group(nodes: Nodes, node: ast.Subscript, made: list[ast.AST]) -> bool:
    """Whether ``x["lr"]`` is an option of a dict that came from somewhere else, and not out of ``opt.param_groups``."""
    held = getattr(node.value, "v", None)
    of_project = isinstance(held, Mapping) and held != GROUPS.element
    if isinstance(node.ctx, ast.Load):
        above = nodes.parents.get(node)
        changes = isinstance(above, ast.AugAssign) and above.target is node
        if not changes and not (isinstance(held, Mapping) and of_project and "params" in dict(held.known)):
            return False
    if not of_project and not isinstance(held, (Unknown, Bottom)):
        return False
    scope = nodes.around(node, *FUNCTIONS)
    sources = sources_of(nodes, node.value, scope)
    if any(nodes.around(one, *FUNCTIONS) is scope for one in made):
        return is_handed_on(nodes, node, scope, sources)
    return of_project or not any("param_groups" in text for text in sources)


def sources_of(nodes: Nodes, node: ast.expr, scope: ast.AST | None) -> set[str]:
    """Of what a dict comes: ``group`` of a loop over ``optimizer.param_groups`` of both."""
    while isinstance(node, ast.Subscript):
        node = node.value
    bound: list[tuple[ast.expr, ast.expr]] = [(one.target, one.iter) for one in nodes.of(*LOOPS[:2], ast.comprehension)]
    bound += [(target, one.value) for one in nodes.of(ast.Assign) for target in one.targets]
    name = node.id if isinstance(node, ast.Name) else ""
    given = [value for target, value in bound if any(is_named(part, name) for part in walk(target))]
    return {ast.unparse(node)} | {ast.unparse(one) for one in given if nodes.around(one, *FUNCTIONS) is scope}


def is_handed_on(nodes: Nodes, node: ast.expr, scope: ast.AST | None, sources: set[str]) -> bool:
    """Whether a function of the project may have made an optimizer of it before: ``opt = build(groups)``."""
    return any(
        isinstance(getattr(call.func, "v", None), (FunctionOf, ClassOf))
        and nodes.around(call, *FUNCTIONS) is scope
        and any(names(name, sources) for part in all_given(call) for name in names_in(part))
        and comes_after(nodes, node, call, scope)
        for call in nodes.of(ast.Call)
    )


def is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def takers(module: ModuleInfo) -> Iterator[ast.Call]:
    """Calls that make an optimizer, or give it a group, of what has a name."""
    for node in module.nodes.of(ast.Call):
        name = str(getattr(getattr(node.func, "v", None), "name", ""))
        makes = name.startswith("torch.optim.") and name.count(".") == 2
        if (makes or called_name(node) == "add_param_group") and may_be_kept(node):
            yield node


def may_be_kept(call: ast.Call) -> bool:
    """Whether what it takes as groups has a name, or comes out of a function of the project's."""
    groups = taken(call)
    return any(names_in(groups)) or any(makers_in(groups))


def taken(call: ast.Call) -> ast.expr | None:
    """What is given to it as groups: the first argument, or ``params``, ``param_group``."""
    words = {word.arg: word.value for word in call.keywords}
    return call.args[0] if call.args else words.get("params", words.get("param_group"))


def parts_in(groups: ast.AST | None) -> Iterator[ast.expr]:
    """Of which groups are made: ``groups``, ``[head, body]``, ``[*groups]``, ``self.groups``, ``of(net) + [head]``."""
    if isinstance(groups, (ast.Name, ast.Attribute, ast.Call)):
        yield groups
    elif isinstance(groups, (ast.List, ast.Tuple)):
        for part in groups.elts:
            yield from parts_in(part)
    elif isinstance(groups, ast.Starred):
        yield from parts_in(groups.value)
    elif isinstance(groups, ast.BinOp):
        yield from parts_in(groups.left)
        yield from parts_in(groups.right)


def names_in(groups: ast.AST | None) -> Iterator[ast.Name | ast.Attribute]:
    """The names among them."""
    return (part for part in parts_in(groups) if isinstance(part, (ast.Name, ast.Attribute)))


def makers_in(groups: ast.AST | None) -> Iterator[FunctionOf]:
    """The project's functions among them that give some."""
    called = (getattr(part.func, "v", None) for part in parts_in(groups) if isinstance(part, ast.Call))
    return (one for one in called if isinstance(one, FunctionOf))


def is_kept(module: ModuleInfo, call: ast.Call) -> bool:
    """Whether a dict that a call takes as a group is looked into after it, by a name that it had before, or by one that
    the function which made it keeps it under.
    """
    nodes = module.nodes
    scope = nodes.around(call, *FUNCTIONS)
    texts = {ast.unparse(name) for name in names_in(taken(call))}
    makers = list(makers_in(taken(call)))
    for node in nodes.of(ast.Assign):  # a list of groups may have been made of names
        if any(names(target, texts) for target in node.targets) and nodes.around(node, *FUNCTIONS) is scope:
            texts |= {ast.unparse(name) for name in names_in(node.value)}
            makers += makers_in(node.value)
    return any(map(keeps_given, makers)) or any(
        isinstance(node.ctx, ast.Load)
        and names(node, texts)
        and looks_into(nodes, node)
        and comes_after(nodes, node, call, scope)
        for node in nodes.of(ast.Name, ast.Attribute)
    )


def keeps_given(maker: FunctionOf) -> bool:
    """Whether groups that a function gives are looked into elsewhere in its file, where it keeps them."""
    nodes, function = maker.info.module.nodes, maker.info.node
    inside = [part for part in walk(function) if nodes.around(part, *FUNCTIONS) is function]
    given = [part.value for part in inside if isinstance(part, (ast.Return, ast.Yield))]
    texts = {ast.unparse(name) for one in given for name in names_in(one)}
    calls = [part for part in inside if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)]
    moves = [(part.func.value, value) for part in calls for value in part.args]  # type: ignore[attr-defined]
    moves += [(to, part.value) for part in inside if isinstance(part, ast.Assign) for to in part.targets]
    before: set[str] = set()
    while texts != before:  # what is put into a list that it gives is given too
        before = set(texts)
        for to, value in moves:
            if ast.unparse(to) in texts:
                texts |= {ast.unparse(name) for name in names_in(value)}
    keepers = [to.value if isinstance(to, ast.Subscript) else to for to, value in moves if gives(value, texts)]
    keepers += [name for one in given for name in names_in(one)]
    shared = {name for part in inside if isinstance(part, ast.Global) for name in part.names}
    own = {part.id for part in inside if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)} - shared
    kept = {(type(one), last_name(one)) for one in keepers} - {(ast.Name, name) for name in own}
    return any(
        (type(node), last_name(node)) in kept
        and isinstance(node.ctx, ast.Load)
        and nodes.around(node, *FUNCTIONS) is not function
        and looks_into(nodes, node)
        for node in (*nodes.of(ast.Name), *nodes.of(ast.Attribute))
    )


def gives(value: ast.expr, texts: set[str]) -> bool:
    """Whether it is one of these, or a list of some."""
    return any(ast.unparse(name) in texts for name in names_in(value))


def names(node: ast.expr, texts: set[str]) -> bool:
    """Whether it is one of these names."""
    if isinstance(node, ast.Name):
        return node.id in texts
    ends = isinstance(node, ast.Attribute) and any(text.endswith(f".{node.attr}") for text in texts)
    return ends and ast.unparse(node) in texts


def comes_after(nodes: Nodes, node: ast.expr, call: ast.Call, scope: ast.AST | None) -> bool:
    """Whether it may be evaluated after a call with what that was given."""
    if nodes.around(node, *FUNCTIONS) is not scope:
        return isinstance(node, ast.Attribute) or scope is None  # an object's, or one of the file's
    if (node.lineno, node.col_offset) > (call.end_lineno or 0, call.end_col_offset or 0):
        return True
    again = [loop for loop in nodes.all_around(call, *LOOPS) if loop in set(nodes.all_around(node, *LOOPS))]
    return bool(again) and not any(
        isinstance(part, (ast.Name, ast.Attribute))
        and isinstance(part.ctx, ast.Store)
        and ast.unparse(part) == ast.unparse(node)
        for part in walk(again[0])
    )


def looks_into(nodes: Nodes, node: ast.expr) -> bool:
    """Whether a dict's items are read or changed by a name of it or of its list, or whether it goes somewhere else."""
    above = nodes.parents.get(node)
    if isinstance(above, ast.Subscript) and above.value is node:
        return not is_of_parameters(nodes, above)
    if isinstance(above, ast.Attribute):
        return above.attr in OF_DICTS
    if isinstance(above, (ast.For, ast.comprehension)):
        return above.iter is node
    if isinstance(above, ast.Call) and node in above.args:
        goes_through = called_name(above) in GOING_THROUGH and isinstance(nodes.parents.get(above), ast.For)
        return goes_through or isinstance(getattr(above.func, "v", None), FunctionOf)
    if isinstance(above, ast.Tuple):
        above = nodes.parents.get(above)
    return isinstance(above, ast.Return)


def is_of_parameters(nodes: Nodes, part: ast.Subscript) -> bool:
    """``groups[0]["params"]``, which is the same for both."""
    above = nodes.parents.get(part)
    outer = above if isinstance(above, ast.Subscript) and above.value is part else part
    return isinstance(outer.slice, ast.Constant) and outer.slice.value == "params" and isinstance(outer.ctx, ast.Load)
