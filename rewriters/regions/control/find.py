"""What branches and loops of a function become functions: what goes into these, and what comes out."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import Items, Mapping, Method, Ref, Tensor, Value
from rewriters.regions.control.conditions import check_test, decides
from rewriters.regions.control.effects import Effects, is_change
from rewriters.regions.control.sources import Flow
from rewriters.regions.gradients.hidden import shortest
from rewriters.regions.gradients.names import Names, names_of, of_node
from rewriters.regions.hazards import short
from rewriters.regions.step import NotUnderstood, Parents
from rewriters.regions.tracing import is_module, parts_of, value_of
from rewriters.regions.used_names import is_data
from rewriters.text.tree import walk

Function = ast.FunctionDef | ast.AsyncFunctionDef
LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Raise)
SIZING = {
    "cat", "concat", "concatenate", "stack", "hstack", "vstack", "repeat", "view", "reshape", "flatten", "squeeze",
    "unsqueeze", "sum", "mean", "max", "min", "amax", "amin", "pad", "expand", "unbind", "chunk", "split", "topk",
    "interpolate", "narrow", "index_select", "masked_select", "transpose", "permute", "argmax", "argmin", "norm",
}  # fmt: skip
"""Functions and methods that give another shape than they are given, as a rule."""


@dataclass(eq=False)
class Branch:
    """An ``if``, or a conditional expression.

    one, other: its ways; rest: statements behind that are the other way, since the first returns.
    returns:    both ways end in a return.
    results:    names that come out; operands: those that go in and are bound anew.
    modules:    path -> node, of those that a way calls.
    differs:    the ways go back to different parameters.
    moved:      the other way stands behind the ``if`` that this one is an ``elif`` of: written with that one only.
    """

    node: ast.If | ast.IfExp
    one: list[ast.stmt] = field(default_factory=list)
    other: list[ast.stmt] = field(default_factory=list)
    rest: list[ast.stmt] = field(default_factory=list)
    returns: bool = False
    results: list[str] = field(default_factory=list)
    operands: list[str] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    differs: bool = False
    moved: bool = False


class Finder:
    """Of one function, or of statements of one.

    body:    of the function; None of a file's.
    written: what is known to be written as functions already, the innermost first.
    trained: whether an optimizer steps by gradients of this code.
    """

    def __init__(self, function: Function | None, body: list[ast.stmt], parents: Parents, written: Collection[ast.AST]):
        self.function, self.body, self.parents, self.written = function, body, parents, written

    # -- names ------------------------------------------------------------------------------------------------------

    def before(self, node: ast.stmt) -> Names:
        """What is bound when a statement is reached."""
        found = Names()
        if self.function is not None:
            arguments = {argument.arg for argument in all_arguments(self.function.args)}
            found.sure |= arguments
            found.binds |= arguments
        chain: list[ast.stmt] = []
        part: ast.AST | None = node
        while isinstance(part, ast.stmt) and part is not self.function:
            chain.insert(0, part)
            part = self.parents.of.get(part)
        for statement in chain:
            block = self.parents.block(statement)
            for one in block[: next(i for i, s in enumerate(block) if s is statement)]:
                found.then(of_node(one))
            if isinstance(statement, ast.For) and statement is not node:
                found.sure |= names_of(statement.target).binds
        return found

    def live(self, node: ast.AST, last: int) -> set[str]:
        """Names that are read once a statement is done."""
        inside = {id(part) for part in walk(node)}
        found: set[str] = set()
        loops = [part for part in self.parents.around(node) if isinstance(part, (ast.For, ast.While))]
        again = {id(part) for loop in loops for part in walk(loop)}
        for statement in self.body:
            for part in walk(statement):
                if not isinstance(part, ast.Name) or id(part) in inside:
                    continue
                hidden = isinstance(self.around(part), ast.Lambda) or self.around(part) is not self.function
                later = part.lineno > last or id(part) in again or hidden
                if later and (isinstance(part.ctx, ast.Load) or self.grows(part)):
                    found.add(part.id)
        if loops:
            found |= of_node(node).reads
        return found

    def around(self, node: ast.AST) -> ast.AST | None:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        return next((part for part in self.parents.around(node) if isinstance(part, kinds)), None)

    def grows(self, node: ast.Name) -> bool:
        """``x += y`` reads x."""
        around = self.parents.of.get(node)
        return isinstance(around, ast.AugAssign) and around.target is node

    # -- branches ---------------------------------------------------------------------------------------------------

    def branch(self, node: ast.If, trained: bool, carried: Collection[str] = ()) -> Branch:
        """Raises NotUnderstood."""
        check_test(node.test, carried)
        found = Branch(node, node.body, node.orelse)
        if any(self.leaves(part) for part in [*node.body, *node.orelse]):
            self.find_returns(found)
        effects = Effects(self.written)
        effects.of_expression(node.test)
        names = [names_of(*found.one), names_of(*found.other)]
        for way, of in zip((found.one, found.other), names, strict=True):
            effects.of_block(way, of.sure)
        bound = self.before(node)
        if not found.returns:
            self.find_results(found, names, bound)
        passing = {name for name in found.results if any(name not in of.sure for of in names)}
        binds = names[0].binds | names[1].binds
        needed = {name for of in names for name in of.reads & binds} | passing
        if found.returns:
            needed &= bound.binds
        unsure = sorted(needed - bound.sure)
        if unsure:
            raise NotUnderstood(f"`{unsure[0]}` may be bound or not when it is reached: bind it before")
        found.operands = in_order(needed, [*found.one, *found.other])
        taken = (part for way in (*found.one, *found.other) for part in walk(way) if isinstance(part, ast.Name))
        agree([value_of(part) for part in taken if part.id in needed and isinstance(value_of(part), Mapping)] or [None])
        found.modules = modules_of([*found.one, *found.other])
        self.find_sources(found, trained)
        return found

    def leaves(self, statement: ast.stmt) -> bool:
        """Whether a statement leaves the function or the loop, other than as a function that is returned."""
        return any(isinstance(part, LEAVING) for part in walk(statement))

    def find_returns(self, found: Branch) -> None:
        node = found.node
        assert isinstance(node, ast.If)
        rest = self.following(node)
        if node.orelse and self.ends(node.body) and self.ends(node.orelse):
            found.rest = rest
        elif not node.orelse and self.ends(node.body) and self.ends(rest):
            found.other = rest
            found.moved = self.is_elif(node) and rest[0] not in self.parents.block(node)
            found.rest = [] if found.moved else rest
        else:
            raise NotUnderstood(
                "a way leaves the function, or the loop, and the other doesn't: let both end in a return"
            )
        if any(isinstance(part, (ast.For, ast.While, ast.Try, ast.With)) for part in self.inner(node)):
            raise NotUnderstood("it returns out of a loop or a block")
        found.returns = True
        values = []
        for statement in [*found.one, *found.other]:
            for part in walk(statement):
                if isinstance(part, LEAVING) and not isinstance(part, ast.Return):
                    raise NotUnderstood(f"line {part.lineno}: `{short(part)}` leaves it")
                if isinstance(part, ast.Return):
                    if not self.is_last(part, found):
                        raise NotUnderstood(f"line {part.lineno} returns before its way is at its end")
                    values.append(value_of(part.value) if part.value is not None else None)
        for value in values:
            if not is_data(value):
                raise NotUnderstood("what a way returns is not known to be tensors alone")
        agree(values)

    def is_elif(self, node: ast.If) -> bool:
        """Whether it is all that the other way of an ``if`` is, which values decide, too."""
        around = self.parents.of.get(node)
        return isinstance(around, ast.If) and around.orelse == [node] and decides(around.test)

    def following(self, node: ast.If) -> list[ast.stmt]:
        """What runs behind a statement, to the end of the function."""
        block = self.parents.block(node)
        rest = block[next(i for i, s in enumerate(block) if s is node) + 1 :]
        around = self.parents.of.get(node)
        return self.following(around) if not rest and self.is_elif(node) else rest  # type: ignore[arg-type]

    def inner(self, node: ast.AST) -> list[ast.AST]:
        around = self.parents.around(node)
        return around[: next((i for i, part in enumerate(around) if part is self.function), len(around))]

    def ends(self, statements: list[ast.stmt]) -> bool:
        """Whether statements end in a return, whatever happens."""
        if not statements:
            return False
        last = statements[-1]
        return (
            isinstance(last, ast.Return)
            or (isinstance(last, ast.If) and last in self.written and self.ends(last.body))
            or any(isinstance(one, ast.If) and one in self.written and self.ends(one.body) for one in statements)
        )

    def is_last(self, node: ast.Return, found: Branch) -> bool:
        if any(node is way[-1] for way in (found.one, found.other)):
            return True
        return any(isinstance(part, ast.If) and part in self.written for part in self.parents.around(node)[:-1]) or any(
            isinstance(one, ast.If) and one in self.written for one in self.parents.block(node)
        )

    def find_results(self, found: Branch, names: list[Names], bound: Names) -> None:
        node = found.node
        assert isinstance(node, ast.If)
        live = self.live(node, node.end_lineno or node.lineno)
        binds = names[0].binds | names[1].binds
        found.results = in_order(binds & live, [*found.one, *found.other])
        if not found.results:
            raise NotUnderstood("neither way gives a value that is used")
        for name in found.results:
            if any(name not in of.sure for of in names) and name not in bound.sure:
                raise NotUnderstood(f"`{name}` is not bound in both ways: bind it before")
            stored = [values_of(name, way) for way in (found.one, found.other)]
            values = [value for part in stored for value in part[-1:]]
            if not all(stored):
                values.append(self.seen(name, node))
            for value in values:
                if not is_data(value):
                    raise NotUnderstood(f"`{name}` is not known to be a tensor both ways")
            agree(values)
            for one, other in ((0, 1), (1, 0)):
                last = last_value(name, (found.one, found.other)[one])
                if not stored[other] and last is not None and resizes(last):
                    raise NotUnderstood(f"`{name}` is of another shape where it is `{short(last)}`")

    def seen(self, name: str, node: ast.stmt) -> Value | None:
        """What a name is before a statement, or where it is read behind."""
        inside = {id(part) for part in walk(node)}
        loads = [
            part
            for statement in self.body
            for part in walk(statement)
            if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)
        ]
        behind = [part for part in loads if part.lineno > (node.end_lineno or 0)]
        within = [part for part in loads if id(part) in inside]
        before = [part for part in loads if part.lineno < node.lineno]
        return next((value_of(part) for part in [*behind, *within[:1], *before[-1:]]), None)

    def find_sources(self, found: Branch, trained: bool) -> None:
        """Whether the gradients of both ways go back to the same."""
        flow = Flow(self.function)
        known = flow.before(self.body, found.node, {})
        if found.returns:
            ways = []
            for way in (found.one, found.other):
                after = flow.block(way[:-1], known)
                last = way[-1]
                ways.append(flow.of(last, after) if isinstance(last, ast.Return) else flow.block([last], after).get(""))
            early = any(
                isinstance(one, ast.If) and self.ends(one.body) for way in (found.one, found.other) for one in way
            )
            found.differs = ways[0] != ways[1] or None in ways or early
        else:
            one, other = (flow.block(way, known) for way in (found.one, found.other))
            found.differs = any(flow.of_name(name, one) != flow.of_name(name, other) for name in found.results)
        if found.differs and trained:
            raise NotUnderstood(
                "parameters that one way alone uses have no gradient in torch where the other is taken, and one of "
                "zeros in a compiled function, by which decay and momentum would move them"
            )

    def choice(self, node: ast.IfExp, trained: bool) -> Branch:
        """A conditional expression. Raises NotUnderstood."""
        check_test(node.test)
        effects = Effects(self.written)
        for part in (node.test, node.body, node.orelse):
            effects.of_expression(part)
            if any(isinstance(inner, ast.Attribute) and is_change(inner, value_of(inner)) for inner in walk(part)):
                raise NotUnderstood(f"`{short(part)}` changes a tensor")
        values = [value_of(node.body), value_of(node.orelse)]
        if not all(map(is_data, values)):
            raise NotUnderstood(f"`{short(node)}` is not known to be a tensor both ways")
        agree(values)
        found = Branch(node, modules=modules_of([node.body, node.orelse]))
        flow = Flow(self.function)
        known = flow.before(self.body, self.statement(node), {})
        found.differs = flow.of(node.body, known) != flow.of(node.orelse, known)
        if found.differs and trained:
            raise NotUnderstood("its two ways use different parameters: torch gives those of the other no gradient")
        return found

    def statement(self, node: ast.AST) -> ast.AST:
        return next((part for part in self.parents.around(node) if isinstance(part, ast.stmt)), node)


def in_order(names: Collection[str], statements: Iterable[ast.stmt]) -> list[str]:
    """Names in the order of the text."""
    found = [part.id for statement in statements for part in walk(statement) if isinstance(part, ast.Name)]
    places = {name: place for place, name in reversed(list(enumerate(found)))}
    return sorted(names, key=lambda name: (places.get(name, len(found)), name))


def values_of(name: str, way: Iterable[ast.stmt]) -> list[Value | None]:
    """What is stored under a name, in the order of the text."""
    nodes = [
        part
        for statement in way
        for part in walk(statement)
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
    ]
    found = [value_of(part) for part in sorted(nodes, key=lambda part: (part.lineno, part.col_offset))]
    changed = name in names_of(*way).binds
    return found or ([Tensor()] if changed else [])


def last_value(name: str, way: Iterable[ast.stmt]) -> ast.expr | None:
    found = None
    for statement in way:
        if isinstance(statement, ast.Assign) and path_of(statement.targets[0]) == name:
            found = statement.value
    return found


def resizes(node: ast.expr) -> bool:
    """Whether an expression is by its form of another shape than what it is made of."""
    if isinstance(node, ast.Subscript):
        return True
    if not isinstance(node, ast.Call):
        return False
    value = value_of(node.func)
    name = value.name.rpartition(".")[2] if isinstance(value, (Ref, Method)) else ""
    return name in SIZING


def agree(values: list[Value | None]) -> None:
    """Raises NotUnderstood where it is known that tensors are of different dtypes or numbers of axes."""
    if any(isinstance(part, Mapping) for value in values for part in parts_of(value)):
        raise NotUnderstood("a dict goes in or comes out, whose items would be in another order")
    first = values[0]
    for value in values[1:]:
        if isinstance(first, Items) and isinstance(value, Items):
            if len(first.values) != len(value.values):
                raise NotUnderstood("one way gives more values than the other")
            for pair in zip(first.values, value.values, strict=True):
                agree(list(pair))
        elif isinstance(first, Tensor) and isinstance(value, Tensor):
            if not first.kinds & value.kinds:
                raise NotUnderstood("the two ways give tensors of different dtypes")
            if first.ndim is not None and value.ndim is not None and first.ndim != value.ndim:
                raise NotUnderstood(f"one way gives a tensor of {first.ndim} axes, the other of {value.ndim}")
        elif isinstance(first, Items) != isinstance(value, Items):
            raise NotUnderstood("one way gives a tensor, the other several")


def modules_of(parts: Iterable[ast.AST]) -> list[str]:
    """Paths of the modules that code calls, hands on, or calls a method of."""
    found: list[str] = []
    names = names_of(*parts)
    for statement in parts:
        for node in walk(statement):
            owners: list[ast.expr] = []
            if isinstance(node, ast.Call):
                owners = [part for part in [node.func, *node.args] if is_module(value_of(part))]
                if isinstance(node.func, ast.Attribute) and is_module(value_of(node.func.value)) and not owners:
                    owners = [node.func.value]
            elif isinstance(node, (ast.For, ast.comprehension)) and is_module(value_of(node.iter)):
                owners = [node.iter]
            for owner in owners:
                path = chain(owner)
                if path and path.partition(".")[0] not in names.sure and path not in found:
                    found.append(path)
    return [path for path in found if not any(path != other and path.startswith(f"{other}.") for other in found)]


def chain(node: ast.expr) -> str:
    """The path of a module, or of what holds it: of ``self.layers[0]`` it is ``self.layers``."""
    while isinstance(node, (ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    path = path_of(node) or ""
    return shortest(node, path) if path else ""
