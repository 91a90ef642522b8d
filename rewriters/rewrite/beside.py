"""What is read of the same thing beside a use: where tensors have no such attribute, it is no tensor."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from weakref import WeakKeyDictionary

from rewriters.infer.values import External, Ref, Value
from rewriters.rewrite.resolving import value_at
from rewriters.rules.rulebook import dotted
from rewriters.text.tree import LOOPS, Nodes, last_name, walk
from rewriters.torch.table import entry

SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
# Of other statements, what is always evaluated, and first.
BEGINNINGS = ((ast.If, "test"), (ast.While, "test"), (ast.Assert, "test"), (ast.For, "iter"), (ast.Raise, "exc"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SOMETIMES = (
    *(ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.Compare, ast.NamedExpr),
)
ENDING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)


def has_what_tensors_lack(node: ast.Attribute, nodes: Nodes, theirs: Collection[str] = ()) -> bool:
    """Whether an attribute that no tensor has is surely read of the same thing, wherever this one is.

    theirs: names that others have, which the thing is not to be either: what is lacking then raises, so that an
            attribute which the file does not store to (``config.model``) may count as one thing throughout.
    """
    path, function = dotted(node.value), home_of(node, nodes)
    root = path.partition(".")[0] if path else ""
    if path is None or isinstance(function, (ast.Lambda, ast.ClassDef)):
        return False
    own = statement_of(node, nodes)
    if own is None:
        return False
    reads = reads_of(nodes)
    read = [one for one in reads.lacking.get((function, path), ()) if one.attr not in {*reads.given, *theirs}]
    refused = reads.refused.get((function, path), ()) if not theirs else ()
    for one in (*read, *refused):
        other = statement_of(one, nodes)
        if one is node or other is None:
            continue
        guarded = nodes.around(own, ast.Try) is not None
        if other is own and not guarded:
            return True
        stays = root == path or (theirs and reads.given.isdisjoint(path.split(".")[1:]))
        if not stays or other is own or not is_the_same(function, root, own, other, nodes):
            continue
        if follows(own, other, nodes) or (not guarded and surely_follows(other, own, nodes)):
            return True
    return False


def is_refused_later(store: ast.Name, nodes: Nodes) -> bool:
    """Whether what an assignment binds a name to is surely used afterwards as no tensor can be."""
    own, function, reads = nodes.parents[store], home_of(store, nodes), reads_of(nodes)
    key = (function, store.id)
    read = [one for one in reads.lacking.get(key, ()) if one.attr not in reads.given]
    for one in (*read, *reads.refused.get(key, ())):
        other = statement_of(one, nodes)
        if other is None or other is own or not is_the_same(function, store.id, own, other, nodes, store):  # type: ignore[arg-type]
            continue
        if surely_follows(other, own, nodes):
            return True
    return False


class Reads:
    """What a file reads and gives, found once.

    lacking: by function and by what they are read of: the attributes that no tensor has and that are surely read.
    refused: likewise, what is surely used as torch refuses for tensors: called, or handed to what takes arrays.
    """

    def __init__(self, nodes: Nodes) -> None:
        self.lacking: dict[tuple[ast.AST, str], list[ast.Attribute]] = {}
        for one in nodes.of(ast.Attribute):
            if isinstance(one.ctx, ast.Load) and lacking(one.attr):
                path = dotted(one.value)
                if path is not None and surely(one, nodes):
                    self.lacking.setdefault((home_of(one, nodes), path), []).append(one)
        self.given = texts_and_stores(nodes) if self.lacking else set()
        self.refused: dict[tuple[ast.AST, str], list[ast.expr]] = {}
        for call in nodes.of(ast.Call):
            for one in refused_by(call):
                path = dotted(one)
                if path is not None and surely(one, nodes):
                    self.refused.setdefault((home_of(call, nodes), path), []).append(one)


def refused_by(call: ast.Call) -> Iterator[ast.expr]:
    """What is no tensor where a call is evaluated: what is called, ``img`` of ``cv2.resize(img)``, ``x`` of
    ``y.astype(x.dtype)`` and ``numpy.zeros(3, dtype=x.dtype)``.
    """
    if isinstance(call.func, ast.Name):
        yield call.func
    callee = value_at(call.func)
    root = callee.name.partition(".")[0] if isinstance(callee, External) else ""
    if root == "cv2":
        yield from call.args
    if is_parallel(callee):
        yield from call.args[:1]
    if root == "numpy" or (isinstance(call.func, ast.Attribute) and call.func.attr == "astype"):
        for given in (*call.args, *(word.value for word in call.keywords)):
            if isinstance(given, ast.Attribute) and given.attr == "dtype":
                yield given.value


def is_parallel(callee: Value) -> bool:
    """Whether it is one of torch's classes that wrap a module."""
    return isinstance(callee, Ref) and callee.name.endswith("DataParallel")


def home_of(node: ast.AST, nodes: Nodes) -> ast.AST:
    """The function whose names it reads, or the module or the class."""
    around = nodes.parents[node]
    while not isinstance(around, (*FUNCTIONS, ast.ClassDef, ast.Module)):
        around = nodes.parents[around]
    return around


_reads: WeakKeyDictionary[Nodes, Reads] = WeakKeyDictionary()


def reads_of(nodes: Nodes) -> Reads:
    found = _reads.get(nodes)
    if found is None:
        found = _reads[nodes] = Reads(nodes)
    return found


def statement_of(node: ast.AST, nodes: Nodes) -> ast.stmt | None:
    """The statement that evaluates an expression: a simple one, or one that begins with it (``if x.kind:``)."""
    part, around = node, nodes.parents.get(node)
    while around is not None and not isinstance(around, (ast.stmt, ast.withitem)):
        part, around = around, nodes.parents.get(around)
    if not isinstance(around, ast.stmt) or isinstance(around, SIMPLE):
        return around if isinstance(around, ast.stmt) else None
    begins = [getattr(around, field) for kind, field in BEGINNINGS if isinstance(around, kind)]
    return around if part in begins else None


def lacking(name: str) -> bool:
    return not name.startswith("_") and entry(f"torch.Tensor.{name}") is None


def surely(node: ast.AST, nodes: Nodes) -> bool:
    """Whether it is evaluated whenever its statement is."""
    part, around = node, nodes.parents[node]
    while not isinstance(around, ast.stmt):
        if isinstance(around, SOMETIMES) and not is_first(part, around):
            return False
        part, around = around, nodes.parents[around]
    return True


def is_first(part: ast.AST, around: ast.AST) -> bool:
    """Whether a part of what evaluates some of its parts is one that it always does."""
    if isinstance(around, ast.Compare):
        return part in (around.left, around.comparators[0])
    if isinstance(around, ast.BoolOp):
        return part is around.values[0]
    return isinstance(around, ast.IfExp) and part is around.test


def texts_and_stores(nodes: Nodes) -> set[str]:
    """Names of attributes that the file may give a tensor."""
    found = {node.attr for node in nodes.of(ast.Attribute) if isinstance(node.ctx, ast.Store)}
    named = {last_name(node) for node in nodes.of(ast.Name, ast.Attribute)}
    if named.isdisjoint(BY_TEXTS):
        return found
    return found | {node.value for node in nodes.of(ast.Constant) if isinstance(node.value, str)}


# What stores to attributes by texts.
BY_TEXTS = {"setattr", "__setattr__", "__dict__", "vars"}


def is_the_same(
    function: ast.AST, name: str, own: ast.stmt, other: ast.stmt, nodes: Nodes, bound: ast.Name | None = None
) -> bool:
    """Whether a name of the function, or of the module, is bound above two statements, or below where that is not
    seen by one of them alone.

    bound: where the first of them binds it.
    """
    spec = getattr(function, "args", ast.arguments([], [], None, [], [], None, []))
    named = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    parts = walk(function)
    named_so = [one for one in parts if isinstance(one, ast.Name) and one.id == name]
    stores = [one for one in named_so if not isinstance(one.ctx, ast.Load) and one is not bound]
    stores = [one for one in stores if not stays_alike(one)]
    if any(isinstance(one, (ast.Global, ast.Nonlocal)) and name in one.names for one in parts):
        return False
    first, last = sorted((own.lineno, other.lineno))
    around = set(nodes.all_around(own, *LOOPS)) ^ set(nodes.all_around(other, *LOOPS))
    given = bound is not None or any(argument is not None and argument.arg == name for argument in named)
    above = [one for one in stores if one.lineno < first]
    below = [one for one in stores if one.lineno > last and around.isdisjoint(nodes.all_around(one, *LOOPS))]
    return (given or bool(above)) and len(above) + len(below) == len(stores)


def stays_alike(store: ast.Name) -> bool:
    """Whether a name that holds a tensor is bound to another: ``x = x.to(device)``, ``x = x.round()``, ``x /= 2``."""
    made = getattr(store, "parent", None)
    if isinstance(made, ast.AugAssign):
        return isinstance(made.value, ast.Constant)
    if not isinstance(made, ast.Assign) or made.targets != [store]:
        return False
    value = made.value
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and gives_tensors(value.func.attr):
        value = value.func.value
    return value is not made.value and isinstance(value, ast.Name) and value.id == store.id


def gives_tensors(name: str) -> bool:
    return (entry(f"torch.Tensor.{name}") or {}).get("result") == "Tensor"


def block_of(statement: ast.AST, nodes: Nodes) -> list[ast.stmt]:
    """The statements among which one stands."""
    owner = nodes.parents.get(statement)
    blocks = (getattr(owner, name, None) for name in ("body", "orelse", "finalbody"))
    return next((block for block in blocks if isinstance(block, list) and statement in block), [])


def follows(later: ast.AST, first: ast.AST, nodes: Nodes) -> bool:
    """Whether a statement is only reached when another has begun, which stands around it or above in such a block."""
    block = block_of(first, nodes)
    around = [later, *nodes.all_around(later, ast.stmt)]
    if first in around:
        return True
    return any(one in around for one in block[block.index(first) + 1 :]) if block else False  # type: ignore[arg-type]


def surely_follows(later: ast.AST, first: ast.AST, nodes: Nodes) -> bool:
    """Whether a statement is executed whenever another has been that stands above, and nothing between ends that."""
    block = block_of(later, nodes)
    if not block:
        return False
    around = [first, *nodes.all_around(first, ast.stmt)]
    held = next((index for index, one in enumerate(block) if one in around), None)
    at = block.index(later)  # type: ignore[arg-type]
    if held is None or held >= at:
        return False
    between = [part for one in block[held:at] for part in walk(one)]
    return not any(isinstance(part, ENDING) for part in between)
