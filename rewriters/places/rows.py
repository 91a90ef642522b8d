"""Loops over a tensor: torch takes all rows when the loop begins, a target may take each when its turn comes.

Where the tensor may become another than it was before the loop ends (``for row in p: p.data = y``), what is looped over
is noted. So is what an iterator is made of that is held (``rest = iter(p)``), or handed to others.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rewriters.infer.either import is_hint
from rewriters.infer.syntax import path_of, whose_dict
from rewriters.infer.values import Bottom, ClassOf, External, FunctionOf, Ref, Tensor, Unknown
from rewriters.places.accesses import name_of_root, plain_names
from rewriters.places.called import function_given
from rewriters.places.changes import Changes
from rewriters.places.effect import Effect
from rewriters.places.own_objects import alike, gives_itself
from rewriters.places.sites import OUTSIDE, Site, Sites
from rewriters.text.tree import Nodes, called_name, text_of, walk

#: Builtins that take one after the other of what they are given.
LAZY = {"enumerate", "zip", "map", "filter", "iter"}
LAZY_OF_ITERTOOLS = {"itertools.islice", "itertools.zip_longest", "itertools.takewhile", "itertools.dropwhile"}
GIVEN_FUNCTION = {"map", "filter", "takewhile", "dropwhile"}
LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)
#: What makes rows that are taken later others than those taken before, without a tensor being named.
MODES = {"torch.set_grad_enabled", "torch.autograd.set_grad_enabled", "torch.autograd.grad_mode.set_grad_enabled"}
CASTS = {f"torch.nn.Module.{kind}" for kind in ("half", "float", "double", "bfloat16")}


@dataclass(frozen=True)
class Loop:
    """over: the expression whose rows are taken; held: what it may be."""

    over: ast.expr
    held: Sites


class Rows:
    """Of one function.

    loops:  those that the walk is in, or whose iterator something holds.
    taken:  what is looped over and may become another tensor before the loop ends.
    others: whether what may be anyone's becomes another.
    """

    def __init__(self, changes: Changes) -> None:
        self.changes = changes
        self.loops: list[Loop] = []
        self.taken: set[ast.expr] = set()
        self.others = False

    def enter(self, iterated: ast.expr, of: Callable[[ast.expr], Sites]) -> None:
        """A loop over that begins; of: what an expression may be."""
        entered = [loop.over for loop in self.loops]
        self.loops += [Loop(part, of(part)) for part in looped_over(iterated) if part not in entered]

    def leave(self, loop: ast.For | ast.AsyncFor | ast.expr, of: Callable[[ast.expr], Sites]) -> None:
        """A loop, or a comprehension, ends; what holds a generator's iterator goes on with it."""
        iterated = [part.iter for part in getattr(loop, "generators", [loop])]
        left = [part for one in iterated for part in looped_over(one)]
        self.loops = [one for one in self.loops if one.over not in left]
        if isinstance(loop, ast.GeneratorExp):
            self.begin(loop, of)

    def begin(self, iterator: ast.expr, of: Callable[[ast.expr], Sites]) -> None:
        """An iterator is made: it goes on for as long as the function does where something holds it."""
        around = getattr(iterator, "parent", None)
        calls = isinstance(iterator, ast.Call) and function_given(iterator) is not None  # which may change it
        ends = isinstance(around, ast.Call) and not is_of_project(around)
        if not calls and (isinstance(around, LOOPS) or is_lazy(around) or ends):
            return  # it ends where it is made, or is one with what is around it
        self.enter(iterator, of)
        if isinstance(around, (ast.Return, ast.Yield)):
            self.others_go_on()

    def hand_on(self, node: ast.Yield | ast.Await | ast.YieldFrom, of: Callable[[ast.expr], Sites]) -> None:
        """Others go on before the next row is taken."""
        if isinstance(node, ast.YieldFrom):
            self.enter(node.value, of)
        self.others_go_on()

    def others_change(self) -> None:
        """A function is called that makes of what others have another tensor."""
        self.others = True
        self.others_go_on()

    def others_go_on(self) -> None:
        """Others do what they will before the next row is taken, or do so now: to what they may have."""
        known = (loop for loop in self.loops if is_known(loop.over))
        self.taken |= {loop.over for loop in known if any(is_open(self.changes, site) for site in loop.held)}

    def other(self, sites: Sites, node: ast.expr) -> None:
        """Something becomes another tensor than it was: that expression, which may be these."""
        own = self.changes.memory.own.values()
        self.others |= any(is_open(self.changes, site) and site not in own for site in sites)
        for loop in self.loops:
            value: Any = getattr(loop.over, "v", None)
            if is_known(loop.over):
                found = any(may_be_same(self.changes, one, other) for one in sites for other in loop.held)
            elif isinstance(value, Tensor):
                found = any(are_alike(self.changes, one, other) for one in sites for other in loop.held)
            else:
                found = is_same_place(loop.over, node)
                if is_hint(value) and name_of_root(node) not in names_bound_by(loop.over):
                    found |= any(may_be_same(self.changes, one, other) for one in sites for other in loop.held)
            if found:
                self.taken.add(loop.over)

    def called(self, call: ast.Call, effect: Effect | FunctionOf, of: Callable[[ast.expr], Sites]) -> None:
        """An iterator is made; gradients are switched on or off; the parameters of a module become of another dtype."""
        callee = getattr(call.func, "v", None)
        name = callee.name if isinstance(callee, Ref) else effect.name if isinstance(effect, Effect) else ""
        if is_lazy(call):
            self.begin(call, of)
        elif name in CASTS:
            self.others_change()
        elif name in MODES and isinstance(getattr(call, "parent", None), ast.Expr):
            self.others_change()
            self.taken |= {loop.over for loop in self.loops if is_known(loop.over)}


def looped_over(node: ast.expr) -> Iterator[ast.expr]:
    """What may be a tensor whose rows are taken one by one: of ``zip(x, y)`` both."""
    if isinstance(node, ast.Call) and is_lazy(node):
        for part in node.args[1:] if called_name(node) in GIVEN_FUNCTION else node.args:
            if not isinstance(part, ast.Starred):
                yield from looped_over(part)
    elif isinstance(node, ast.GeneratorExp):
        for generator in node.generators:
            yield from looped_over(generator.iter)
    elif isinstance(getattr(node, "v", None), (Tensor, Unknown, Bottom)):
        yield node


def is_lazy(node: ast.AST | None) -> bool:
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.GeneratorExp)
    value = getattr(node.func, "v", None)
    if isinstance(value, External) and value.name in LAZY_OF_ITERTOOLS:
        return True
    return isinstance(node.func, ast.Name) and node.func.id in LAZY and not isinstance(value, (FunctionOf, ClassOf))


def is_of_project(call: ast.Call) -> bool:
    return isinstance(getattr(call.func, "v", None), (FunctionOf, ClassOf))


def names_bound_by(over: ast.expr) -> set[str]:
    """What the loop binds that goes over it."""
    node: ast.AST | None = over
    while node is not None and not isinstance(node, (*LOOPS, ast.stmt)):
        node = getattr(node, "parent", None)
    return {name.id for name in plain_names(node.target)} if isinstance(node, LOOPS) else set()


def is_same_place(one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions name one place, or may: ``m.w``, ``m._buffers["w"]``, ``getattr(m, name)``."""
    (owner, name), (of, called) = place_of(one), place_of(other)
    return owner is not None and owner == of and (name == called or None in (name, called))


def place_of(node: ast.expr) -> tuple[str | None, str | None]:
    """Whose attribute it is, and under which name: None where that is computed; of a name itself and ""."""
    if isinstance(node, ast.Attribute):
        return path_of(node.value), node.attr
    if isinstance(node, ast.Subscript):
        held = node.value
        by_name = isinstance(held, ast.Attribute) and held.attr in {"_buffers", "_parameters"}
        owner = held.value if by_name and isinstance(held, ast.Attribute) else whose_dict(held)
        return (path_of(owner) if owner is not None else None), text_of(node.slice)
    if isinstance(node, ast.Call) and called_name(node) == "getattr" and len(node.args) > 1:
        return path_of(node.args[0]), text_of(node.args[1])
    return path_of(node), ""


def is_known(node: ast.expr) -> bool:
    """Whether it is a tensor for sure."""
    value = getattr(node, "v", None)
    return isinstance(value, Tensor) and not value.assumed


def is_open(changes: Changes, site: Site) -> bool:
    """Whether others may have it."""
    return site.outside or site in changes.memory.state.escaped


def may_be_same(changes: Changes, one: Site, other: Site) -> bool:
    """Whether two may be one tensor; a row of the other is none."""
    if one is not OUTSIDE and are_alike(changes, one, other):
        return True
    return other not in one.beyond and is_open(changes, one) and is_open(changes, other)


def are_alike(changes: Changes, one: Site, other: Site) -> bool:
    names = changes.memory.itself | changes.memory.its_shape
    all_of = (alike(changes, site, names) if gives_itself(changes, site, names) else {site} for site in (one, other))
    return not set.intersection(*all_of) <= {OUTSIDE}


def handing_on(nodes: Nodes) -> Iterator[ast.AST]:
    """Where others go on while rows of a tensor are being taken: ``yield`` in such a loop, a given iterator."""
    for node in nodes.of(ast.For, ast.AsyncFor):
        if any(map(is_known, looped_over(node.iter))):
            yield from (part for part in walk(node) if isinstance(part, (ast.Yield, ast.YieldFrom)))
    for given in nodes.of(ast.Return, ast.Yield, ast.YieldFrom):
        value = given.value
        lazy = value is not None and (isinstance(given, ast.YieldFrom) or is_lazy(value))
        if lazy and any(map(is_known, looped_over(value))):
            yield given


def changes_modes(nodes: Nodes) -> Iterator[ast.AST]:
    """Calls that may be of MODES or CASTS."""
    names = {name.rpartition(".")[2] for name in MODES | CASTS}
    for node in nodes.of(ast.Call):
        if called_name(node) in names and not isinstance(getattr(node, "parent", None), ast.withitem):
            of = node.func.value if isinstance(node.func, ast.Attribute) else None
            if of is None or not isinstance(getattr(of, "v", None), Tensor):
                yield node
