"""What ``handed`` looks at: functions by their statements, and names by which one thing is computed from another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import (
    ClassInfo,
    ClassOf,
    FunctionInfo,
    FunctionOf,
    Items,
    Mapping,
    ModuleInfo,
    ObjectOf,
    Plain,
    Ref,
    Series,
)
from rewriters.regions.gradients.computing import is_without
from rewriters.regions.gradients.losses import only_detached
from rewriters.regions.gradients.mode_stores import own
from rewriters.regions.gradients.names import CHANGING, Names, free_in, of_node
from rewriters.regions.gradients.recorded import called as called_functions
from rewriters.regions.gradients.trained import is_value
from rewriters.regions.tracing import is_module, value_of
from rewriters.text.tree import COMPREHENSIONS, FUNCTIONS, LOOPS, children, is_in_place, walk

Home = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module
NESTED = (*FUNCTIONS, ast.ClassDef, ast.Lambda)
FILLED = {f"torch.{name}_like" for name in ("ones", "zeros", "empty", "full", "rand", "randn", "randint")}
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try)


@dataclass(frozen=True)
class Asked:
    """Gradients that are taken somewhere in a function, by a call of its own or of a function that is given both.

    outputs: what they are of; inputs: names that these are taken with respect to, or that hold that; exact: of these,
    those that are no more than that.
    """

    call: ast.Call
    outputs: tuple[ast.expr, ...]
    inputs: frozenset[str]
    exact: frozenset[str] = frozenset()


@dataclass(eq=False)
class Traced:
    """An expression that is traced, or, of ``total += x``, the statement.

    inputs:  paths of what it is computed from; inner: calls in it whose results are traced already.
    modules: paths of those that it calls. whole: it is gone through.
    bound:   names that it reads, and that are others when it is computed again: those of loops.
    """

    node: ast.expr | ast.AugAssign
    inputs: list[str]
    inner: list[ast.expr]
    modules: list[str]
    whole: bool = False
    bound: list[str] = field(default_factory=list)


@dataclass(eq=False)
class HandedOn:
    """Of one function."""

    module: ModuleInfo
    home: Home
    asked: list[Asked] = field(default_factory=list)
    traced: dict[ast.AST, Traced] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    returns: bool = False
    seen: tuple[int, bool] | None = None


def items_of(node: ast.expr) -> list[ast.expr]:
    """What a display, or an object of a class of the project's, is made of: each may be traced by itself."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts
    if isinstance(node, ast.Dict):
        return node.values
    made = isinstance(node, ast.Call) and isinstance(value_of(node.func), ClassOf)
    return [*node.args, *(word.value for word in node.keywords)] if made else []  # type: ignore[attr-defined]


def is_item(node: ast.expr) -> bool:
    """``out["x"]``, ``xs[0]`` of a list: as it was put there."""
    if isinstance(node, ast.Subscript):
        keyed = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
        node = node.value if keyed or holds_items(node.value) else node
    return path_of(node) is not None


def holds_items(node: ast.expr) -> bool:
    """Whether it is a list, a tuple or a dict, which gives what was put there."""
    return isinstance(value_of(node), (Items, Mapping, Series))


def gives_rows(node: ast.expr) -> bool:
    """Whether to go through it makes new tensors: of a tensor its rows."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("zip", "enumerate", "reversed", "list", "tuple"):
        return any(map(gives_rows, node.args))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and holds_items(node.func.value):
        return False
    return not holds_items(node)


def called(call: ast.Call) -> list[FunctionInfo]:
    """The project's functions that a call runs, a module's forward among them."""
    value = value_of(call.func)
    if isinstance(value, ObjectOf) and value.info.is_module:
        owners = (one for one in value.info.linear() if isinstance(one, ClassInfo))
        return [info for one in owners if (info := one.functions.get("forward")) is not None][:1]
    return called_functions(call)


def home_of(module: ModuleInfo, node: ast.AST) -> Home:
    return module.nodes.around(node, *FUNCTIONS, ast.Lambda) or module.tree  # type: ignore[return-value]


def asked_of(call: ast.Call, outputs: tuple[ast.expr, ...], inputs: list[ast.expr]) -> Asked:
    names, exact = set[str](), set[str]()
    for node in inputs:
        read = (part for part in walk(node) if isinstance(part, ast.Name) and is_value(part))
        names |= of_node(node).reads & {part.id for part in read}
        parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
        whole = (part for part in parts if isinstance(part, ast.Name) or giving_parameters(part))
        exact |= {name for part in whole for name in of_node(part).reads}
    return Asked(call, outputs, frozenset(names), frozenset(exact))


def widened(asked: Asked, module: ModuleInfo) -> Asked:
    """The same of inputs that a comprehension goes through: these are what it goes through; and with the modules whose
    parameters a list holds."""
    names, exact = set(asked.inputs), set(asked.exact)
    home = HandedOn(module, home_of(module, asked.call))
    modules = {n.id for n in walk(home.home) if isinstance(n, ast.Name) and is_module(value_of(n))}
    names |= came_of(home, names) & modules
    for comprehension in module.nodes.all_around(asked.call, *COMPREHENSIONS):
        for generator in comprehension.generators:  # type: ignore[attr-defined]
            own = of_node(generator.target).binds
            if own & names:
                names |= of_node(generator.iter).reads
                exact -= own
    return Asked(asked.call, asked.outputs, frozenset(names), frozenset(exact))


def giving_parameters(node: ast.expr) -> bool:
    """``net.parameters()``"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_module(value_of(node.func.value))


def returned_by(home: Home) -> list[ast.expr]:
    if isinstance(home, ast.Lambda):
        return [home.body]
    return [node.value for node in own(home) if isinstance(node, ast.Return) and node.value is not None]


def begun_in(home: Home) -> set[str]:
    """Names of what a function asks gradients of: ``x = x.detach().requires_grad_()``."""
    found: set[str] = set()
    for statement in statements_of(home):
        asks = {"requires_grad", "requires_grad_"}
        parts = [] if isinstance(statement, BLOCKS) else walk(statement)
        if any(getattr(part, "attr", getattr(part, "arg", "")) in asks for part in parts):
            found |= of_node(statement).binds | of_node(statement).reads
    return found


def call_in(node: ast.expr) -> ast.Call:
    """A call that stands for a value that is given back."""
    return ast.copy_location(ast.Call(node, [], []), node)


def bound_in(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def bound_by(node: ast.AST) -> set[str]:
    """The names that a comprehension or a lambda binds in itself."""
    if isinstance(node, ast.Lambda):
        return {argument.arg for argument in all_arguments(node.args)}
    return bound_in(node) if isinstance(node, COMPREHENSIONS) else set()


def statements_of(home: Home) -> Iterator[ast.stmt]:
    """The statements of a function in order, blocks and what is in them; not what is computed without gradients."""
    stack = [] if isinstance(home, ast.Lambda) else list(reversed(home.body))
    while stack:
        statement = stack.pop()
        if isinstance(statement, NESTED) or is_without(statement):
            continue
        yield statement
        if isinstance(statement, BLOCKS):
            blocks = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
            blocks += [handler.body for handler in getattr(statement, "handlers", [])]
            stack += [part for block in reversed(blocks) for part in reversed(block)]


def header(statement: ast.stmt) -> ast.AST:
    """What a block begins with, where that binds names."""
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return ast.Assign([statement.target], statement.iter)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return ast.Tuple([item.context_expr for item in statement.items], ast.Load())
    return ast.Pass() if isinstance(statement, BLOCKS) else statement


def of_header(statement: ast.stmt) -> Names:
    return of_node(header(statement))


def is_adding(statement: ast.stmt) -> bool:
    """``rows.append(x)``"""
    call = statement.value if isinstance(statement, ast.Expr) else None
    method = call.func if isinstance(call, ast.Call) and call.args else None
    return isinstance(method, ast.Attribute) and method.attr in CHANGING and not is_in_place(method.attr)


def rebound_in(home: Home) -> set[str]:
    """Names that loops and comprehensions of a function bind, or that it binds several times."""
    stores: dict[str, int] = {}
    stack: list[tuple[ast.AST, bool]] = [(part, False) for part in children(home)]
    while stack:
        node, again = stack.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stores[node.id] = stores.get(node.id, 0) + (2 if again else 1)
        again = again or isinstance(node, (*LOOPS, ast.comprehension))
        stack += [(part, again) for part in children(node)]
    given = all_arguments(home.args) if not isinstance(home, ast.Module) else []
    for argument in given:
        stores[argument.arg] = stores.get(argument.arg, 0) + 1
    return {name for name, count in stores.items() if count > 1}


def parameters_of(one: HandedOn) -> set[str]:
    """The parameters of a function that may hold tensors or modules: all but its object, and numbers."""
    if isinstance(one.home, ast.Module):
        return set()
    given = [argument.arg for argument in all_arguments(one.home.args)]
    owner = one.module.nodes.parents.get(one.home)
    given = given[1:] if isinstance(owner, ast.ClassDef) else given
    plain = {n.id for n in walk(one.home) if isinstance(n, ast.Name) and isinstance(value_of(n), Plain)}
    return set(given) - plain


def came_of(one: HandedOn, names: set[str]) -> set[str]:
    """Names, and those from which they came."""
    found, before = set(names), set[str]()
    parts = [(of_header(part), only_detached(header(part))) for part in statements_of(one.home)]
    while before != found:
        before = set(found)
        for of, cut in parts:
            if of.binds & found:
                found |= of.reads - cut
    return found


def depending(one: HandedOn, statements: list[ast.stmt], inputs: frozenset[str], given: bool = True) -> set[str]:
    """Names of what may be computed from these inputs. given: or of what the function was given."""
    found, before = set(inputs) | (parameters_of(one) if given else set()), set[str]()
    computed = [part for part in map(header, statements) if not is_filled(part)]
    parts = [(of_node(part), only_detached(part), bound_plain(part)) for part in computed]
    parts += [(of_function(node), set(), set()) for node in inner_functions(one.home)]
    while before != found:
        before = set(found)
        for of, cut, numbers in parts:
            if (of.reads - cut) & found or (of.binds & inputs and not of.binds <= inputs):
                found |= of.binds - numbers
    return found


def inner_functions(home: Home) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions that a function has in it."""
    stack: list[ast.AST] = [] if isinstance(home, ast.Lambda) else list(home.body)
    while stack:
        node = stack.pop()
        if isinstance(node, FUNCTIONS):
            yield node
        elif not isinstance(node, NESTED):
            stack += children(node)


def of_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Names:
    """What a function reads from around it, and its name."""
    return Names(reads=free_in(node), binds={node.name}, sure={node.name})


def read_by(name: ast.Name) -> set[str]:
    """The names that a function of the project's, which a name stands for, reads from around it."""
    value = value_of(name)
    return free_in(value.info.node) if isinstance(value, FunctionOf) else set()


def of_shape(node: ast.expr) -> bool:
    """``torch.ones_like(y)``, ``[torch.zeros_like(p) for p in net.parameters()]``: nothing but shapes is taken."""
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return of_shape(node.elt)
    value = value_of(node.func) if isinstance(node, ast.Call) else None
    return isinstance(value, Ref) and value.name in FILLED


def is_filled(node: ast.AST) -> bool:
    """``v = torch.ones_like(y)``: nothing but a shape is taken."""
    return isinstance(node, ast.Assign) and of_shape(node.value)


def bound_plain(node: ast.AST) -> set[str]:
    """The names that a statement binds to numbers and texts."""
    stored = (part for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    return {part.id for part in stored if isinstance(value_of(part), Plain)}
