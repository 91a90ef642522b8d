"""What the shape of a syntax tree alone tells."""

from __future__ import annotations

import ast

from rewriters.infer.values import FunctionInfo
from rewriters.text.parsing import expression_of
from rewriters.text.tree import Nodes, children, walk


def path_of(node: ast.expr) -> str | None:
    """``self.x`` as text: what narrowing and flow-sensitive attributes are filed under."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = path_of(node.value)
        return f"{base}.{node.attr}" if base else None
    return None


def constant_int(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = constant_int(node.operand)
        return None if inner is None else -inner
    return None


def all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return found + [argument for argument in (arguments.vararg, arguments.kwarg) if argument]


def has_return(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the function returns a value somewhere (nested functions aside)."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        part = stack.pop()
        if isinstance(part, (ast.Return, ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(children(part))
    return False


def is_public(info: FunctionInfo) -> bool:
    """Whether code outside of the project may call it: by its name, not from inside of another function."""
    names = [info.name, *([info.owner.node.name] if info.owner is not None else [])]
    return not any(name == "<lambda>" or (name.startswith("_") and not name.endswith("__")) for name in names)


# Torch's functions that call what they are given first with what else they are given, and the options of their own.
CALLING = {
    "torch.utils.checkpoint.checkpoint": frozenset(
        {"use_reentrant", "context_fn", "determinism_check", "debug", "early_stop", "preserve_rng_state"}
    ),
    "torch.jit.fork": frozenset(),
}


def is_forward(info: FunctionInfo) -> bool:
    """Whether this is the ``forward`` of a Module: its parameters are tensors unless a call says otherwise."""
    return info.name == "forward" and info.owner is not None and info.owner.is_module


def is_derivative(info: FunctionInfo) -> bool:
    """Whether this is the ``backward`` of an autograd function: autograd calls it, with the context and gradients."""
    own = info.name == "backward" and info.kind == "staticmethod" and info.owner is not None
    return own and "torch.autograd.Function" in info.owner.linear()  # type: ignore[union-attr]


def dicts_of_objects(nodes: Nodes) -> dict[ast.AST, ast.expr | None]:
    """The ``x.__dict__`` and ``vars(x)`` that others may write through: the function they are handed to, or None.

    Those under which literal names are stored at once are left out: that is a store to an attribute.
    """
    kept = {node.value for node in nodes.of(ast.Assign, ast.NamedExpr, ast.Return, ast.Yield)}
    kept |= {part for node in nodes.of(ast.Tuple, ast.List) for part in node.elts}
    named = {id(node.func) for node in nodes.of(ast.Call) if is_update_of_names(node)}
    methods = (node for node in nodes.of(ast.Attribute) if node.attr in {"update", "setdefault"})
    kept |= {node.value for node in methods if id(node) not in named}
    items = (node for node in nodes.of(ast.Subscript) if not isinstance(node.ctx, ast.Load))
    kept |= {node.value for node in items if isinstance(node.ctx, ast.Del) or not is_text(node.slice)}
    kept |= {node.target for node in nodes.of(ast.AugAssign)}
    found: dict[ast.AST, ast.expr | None] = {node: None for node in kept if node is not None and is_dict_of(node)}
    for node in nodes.of(ast.Call):
        for part in [*node.args, *(word.value for word in node.keywords if word.arg)]:
            if is_dict_of(part):
                found[part] = node.func
    return found


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_update_of_names(node: ast.Call) -> bool:
    """``x.__dict__.update(a=1)``."""
    method = node.func
    if not (isinstance(method, ast.Attribute) and method.attr == "update" and is_dict_of(method.value)):
        return False
    return not node.args and all(word.arg for word in node.keywords)


def is_dict_of(node: ast.AST) -> bool:
    """``x.__dict__`` or ``vars(x)``."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__"
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "vars"


def whose_dict(node: ast.expr) -> ast.expr | None:
    """Of ``x.__dict__`` or ``vars(x)``: x; None of anything else."""
    if not is_dict_of(node):
        return None
    return node.value if isinstance(node, ast.Attribute) else next(iter(getattr(node, "args", ())), None)


def under_its_name(node: ast.AST) -> ast.Attribute | None:
    """``x.name``, which ``vars(x)["name"]`` and ``x.__dict__["name"]`` are; None of anything else."""
    if not (isinstance(node, ast.Subscript) and is_text(node.slice)):
        return None
    owner = whose_dict(node.value)
    if owner is None:
        return None
    return ast.copy_location(ast.Attribute(owner, node.slice.value, node.ctx), node)  # type: ignore[attr-defined]


def shared_names(node: ast.AST) -> frozenset[str]:
    """Names that a function, or one inside it, declares nonlocal: they may be bound anew at any time."""
    return frozenset(name for part in walk(node) if isinstance(part, ast.Nonlocal) for name in part.names)


def bound_names(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, parts: list[ast.AST] | None = None
) -> frozenset[str]:
    """Names that a function binds: its parameters, and what is assigned in it.

    parts: all that stands in it, where that is known.
    """
    parts = walk(node) if parts is None else parts
    stored = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    shared = {name for part in parts if isinstance(part, ast.Global) for name in part.names}
    return frozenset((stored - shared) | {argument.arg for argument in all_arguments(node.args)})


def sees_what_is_around(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> bool:
    """Whether parts of it are read where it is made, too: a lambda, defaults that name something."""
    spec = node.args
    defaults = [default for default in (*spec.defaults, *spec.kw_defaults) if default is not None]
    return isinstance(node, ast.Lambda) or any(
        isinstance(part, (ast.Name, ast.Lambda)) for one in defaults for part in walk(one)
    )


def parsed(text: str) -> ast.expr | None:
    """A quoted annotation as an expression; None when it is not one."""
    try:
        return expression_of(text)
    except (SyntaxError, ValueError):
        return None


def switches(arguments: ast.arguments) -> set[str]:
    """The parameters whose default is a literal truth value."""
    named = defaults_of(arguments).items()
    return {word for word, one in named if isinstance(one, ast.Constant) and isinstance(one.value, bool)}


def defaults_of(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The defaults, by the parameters that have one."""
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(positional), reversed(arguments.defaults), strict=False)]
    pairs += [(word, one) for word, one in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if one]
    return {word.arg: one for word, one in pairs}


def attribute_given(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str:
    """Which attribute of its object a property gives and does nothing else; empty where it does."""
    body = list(node.body) if isinstance(node, ast.FunctionDef) else []
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    given = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    own = all_arguments(node.args)[:1]
    if not isinstance(given, ast.Attribute) or not isinstance(given.value, ast.Name) or not own:
        return ""
    return given.attr if given.value.id == own[0].arg else ""
