"""Parts that change where arrays do not: what becomes of them is written back into what they are parts of."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from rewriters.infer.values import (
    ClassInfo,
    External,
    Items,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Value,
)
from rewriters.members.roles import role_of
from rewriters.places.calls import is_data
from rewriters.places.changed_by_calls import changed_by, changed_in, is_change
from rewriters.places.index_parts import is_copied
from rewriters.rewrite.augmented_targets import READ_AGAIN, is_open
from rewriters.rewrite.draft import Draft
from rewriters.rewrite.local_names import first_of_closure, is_shut
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.telling import Telling, is_of_tensor, root_of
from rewriters.rules.binding import Argument
from rewriters.rules.inline import RuleRaises
from rewriters.rules.render import closed
from rewriters.rules.rulebook import Rule
from rewriters.text.parsing import expression_of
from rewriters.text.source_text import Edit
from rewriters.text.tree import walk

NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


# What says nothing of a tensor's numbers.
ASKED = {"shape", "dtype", "device", "ndim", "size", "dim", "numel", "is_cuda", "layout"}


class WritingBack(Telling):
    """Says what binds a name, or an attribute, to the array with a part changed."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.chained: set[ast.AST | None] = set()

    def argument(
        self,
        node: ast.expr,
        order: float,
        inner: list[Edit],
        keyword: str | None = None,
        star: str = "",
        receiver: bool = False,
    ) -> Argument:
        """An expression of the source with the edits inside it applied."""
        start, end = self.source.start(node), self.source.end(node)
        own = [edit for edit in inner if start <= edit.start and edit.end <= end]
        text = self.source.segment(start, end, own)
        return Argument(node, order, keyword, text, star, receiver, bool(own))

    def as_array(self, argument: Argument) -> Argument:
        """Of a name that stands for what holds a parameter: its array."""
        if not self.is_item(argument.node) or argument.text.endswith(self.target.held):
            return argument
        return replace(argument, text=argument.text + self.target.held, changed=True)

    def stands_for_array(self, argument: Argument) -> bool:
        """Whether what is handed on of such a name is its array."""
        return self.is_item(argument.node) and argument.text.endswith(self.target.held)

    def as_bound(self, root: ast.expr, inner: list[Edit]) -> str:
        """What a new value is bound to: the name, or what it holds."""
        first = first_of_closure(root, self.here) if not self.is_item(root) else None
        if first is not None and isinstance(root, ast.Name):
            self.draft.above.setdefault(first.lineno, {})[f"nonlocal {root.id}"] = f"nonlocal {root.id}"
        place = "" if self.is_item(root) else self.aliases.place(root)
        held = self.target.held if self.is_item(root) else ""
        return f"{self.source.text(root, inner)}{held}{f' = {place}' if place else ''}"

    def can_be_bound(self, root: ast.expr, inner: list[Edit]) -> bool:
        """Whether it is bound here, and what became of it can be: what is marked has become a call."""
        return self.is_bound_here(root) and not isinstance(expression_of(self.source.text(root, inner)), ast.Call)

    def written_back(self, target: ast.expr, inner: list[Edit], change: str) -> str | None:
        """The statement that binds what a part is of to the same with the part changed; None where that cannot be."""
        levels: list[ast.Subscript] = []
        root = target
        while is_data(root) or (isinstance(root, ast.Subscript) and (root is target or is_of_tensor(root))):
            if isinstance(root, ast.Subscript):
                levels.insert(0, root)
            root = root.value
        if not self.can_be_bound(root, inner) or any(is_gathered(level.slice) for level in levels[:-1]):
            return None
        if not all(isinstance(part, READ_AGAIN) for level in levels[:-1] for part in walk(level)) or not levels:
            return None
        taken = [self.source.text(root, inner)]
        indices = [self.source.text(level.slice, inner) for level in levels]
        for index in indices[:-1]:
            taken.append(f"{taken[-1]}[{index}]")
        text = f"{self.part(taken[-1], indices[-1])}.{change}"
        for whole, index in zip(reversed(taken[:-1]), reversed(indices[:-1]), strict=True):
            text = f"{self.part(whole, index)}.set({text})"
        return f"{self.as_bound(root, inner)} = {text}"

    def part(self, whole: str, index: str) -> str:
        """As the target names a part that is to change."""
        said = {"whole": whole, "index": index}  # either may hold the other's word
        return re.sub(r"\b(?:whole|index)\b", lambda word: said[word[0]], self.target.part)

    def is_bound_here(self, node: ast.expr) -> bool:
        """Whether it is a variable of the function that the statement is in, or an attribute of what a name holds."""
        if isinstance(node, ast.Name):
            own = node.id in self.here.shadowed and not is_shut(node, self.here)
            return not self.here.functions or own or self.is_item(node)  # a holder is written to, whose ever it is
        if isinstance(node, ast.Subscript):  # an item of a list or a dict
            return all(isinstance(part, READ_AGAIN) for part in walk(node)) and not is_tuple(value_at(node.value))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Subscript):  # ``net[0].weight``
            return not is_of_tensor(node.value) and all(isinstance(part, READ_AGAIN) for part in walk(node.value))
        return isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute))

    def bound_anew(self, node: ast.expr, value: str, inner: list[Edit]) -> str:
        """The statement that gives the receiver of a method that changes it its new value. Raises RuleRaises."""
        root = root_of(node)
        if is_data(node):
            return self.bound_anew(node.value, value, inner)
        if isinstance(node, ast.Subscript) and is_of_tensor(node):
            copied = is_copied(node.slice)
            if copied:
                return value  # a copy, which nobody has afterwards
            if copied is None:
                raise RuleRaises(
                    "an index of several elements makes a copy, one of a single place a view: name which it is"
                )
            text = self.written_back(node, inner, f"set({closed(value)})")
        else:
            text = f"{self.as_bound(root, inner)} = {value}" if self.can_be_bound(root, inner) else None
        if text is None:
            why = "this is neither a variable of the function nor can it be stored to"
            raise RuleRaises(f"{self.target.title}'s arrays do not change, and {why}")
        return text

    def chain(self, node: ast.Call, rules: list[Rule]) -> None:
        """Note, of ``x.mul_(2).add_(1)``, that the first call is part of one change, before it is visited."""
        inner = changed_in(node)
        if not self.target.in_place and any(rule.rebinds for rule in rules) and is_change(inner):
            given = [*node.args, *(word.value for word in node.keywords)]
            if not any(self.reads(one, ast.unparse(root_of(changed_by(inner)))) for one in given):
                self.chained.add(inner)  # else an argument is what has changed before: a statement of its own

    def reads(self, node: ast.expr, place: str) -> bool:
        """Whether an expression reads the numbers of what lies there, and not what it is alone: ``x.shape``."""
        for part in walk(node):
            around = self.source.nodes.parents.get(part)
            asked = isinstance(around, ast.Attribute) and around.attr in ASKED
            if isinstance(part, ast.expr) and not asked and ast.unparse(part) == place:
                return True
        return False

    def find_place(self, node: ast.Call, arguments: list[Argument], inner: list[Edit]) -> None:
        """Say of the receiver what is to be bound anew: nothing where nobody else can hold it."""
        given = arguments[0].node if arguments else node
        if is_detached(given) and self.is_item(given.func.value):  # type: ignore[attr-defined]
            given = given.func.value  # type: ignore[attr-defined]
            arguments[0] = self.as_array(self.argument(given, 0, inner, receiver=arguments[0].receiver))
            return
        if self.known.plan is not None and node in self.known.plan.fresh:
            if is_data(given):
                arguments[0] = self.argument(given.value, 0, inner, receiver=arguments[0].receiver)
            arguments[0].fresh = True
        elif node in self.chained or self.is_fresh(node) or self.is_last(node) or self.leaves(node):
            arguments[0].fresh = True
        elif is_data(given):
            arguments[0] = self.as_array(self.argument(given.value, 0, inner, receiver=arguments[0].receiver))
        elif is_change(given):
            given = changed_by(given)
            arguments[0].place = self.as_array(self.argument(given, 0, inner, receiver=True))

    def fills_array(self, call: ast.Call) -> bool:
        """Whether what a function fills is an array, which can be bound anew, and nothing that holds a parameter."""
        given = call.args[0] if call.args else None
        if given is None or given in self.shared.handed:
            return False
        root, value = root_of(given), value_at(given)
        home = self.here.functions[-1] if self.here.functions else self.source.tree
        if not isinstance(value, Tensor) or value.assumed or self.is_item(root) or role_of(root, home) is not None:
            return False
        owner = value_at(root.value) if isinstance(root, ast.Attribute) else None
        return owner is None or isinstance(owner, ObjectOf)

    def is_fresh(self, node: ast.Call) -> bool:
        """Whether what a call changes was made by its receiver's expression alone, so that nobody else can hold it."""
        receiver = changed_by(node)
        if not isinstance(receiver, (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare)):
            return False
        if is_allocated(receiver):
            return True
        change = self.change_of(node)
        sites = () if change is None else change.sites
        return bool(sites) and all(site.node is receiver and not site.base for site in sites)

    def is_last(self, node: ast.Call) -> bool:
        """Whether it changes, in a larger expression, a variable that nothing else reads: ``x.mul_(2).item()``; or
        whose name then stands for what becomes of it: ``x = x.mul_(2) / n``.
        """
        receiver = changed_in(node)
        statement, function = self.here.statement, self.here.functions[-1] if self.here.functions else None
        if not isinstance(receiver, ast.Name) or function is None or getattr(statement, "value", None) is node:
            return False
        of: ast.AST = function
        over = isinstance(statement, ast.Assign) and any(
            isinstance(one, ast.Name) and one.id == receiver.id for one in statement.targets
        )
        if over and statement is not None:
            of = statement
        uses = [part for part in walk(of) if isinstance(part, ast.Name) and part.id == receiver.id]
        stores = [part for part in uses if isinstance(part.ctx, ast.Store)]
        if len(uses) != len(stores) + 1 or receiver.id not in self.here.shadowed:
            return False
        nodes = self.source.nodes
        loop = nodes.around(node, ast.For, ast.While, *NESTED)
        if any(nodes.around(part, ast.For, ast.While, *NESTED) is not loop for part in stores):
            return False
        change = self.change_of(node)
        adds = any(isinstance(nodes.parents.get(part), ast.AugAssign) for part in stores)
        return bool(stores) and not adds and change is not None and change.others is None

    def leaves(self, node: ast.expr, changed: ast.expr | None = None) -> bool:
        """Whether what a call makes of a variable is what the function gives, or what that variable is bound to, in one
        of the ways of a conditional expression (``return x.mul_(y) if inplace else x * y``): nothing reads it after.

        changed: the variable, where nothing says that it is a tensor.
        """
        statement = self.here.statement
        if not isinstance(statement, (ast.Return, ast.Assign)) or not isinstance(statement.value, ast.IfExp):
            return False
        receiver, nodes, given = changed or changed_by(node), self.source.nodes, node
        around = nodes.parents.get(given)
        while isinstance(around, ast.IfExp) and given is not around.test:
            given, around = around, nodes.parents.get(around)
        if given is not statement.value or not isinstance(receiver, ast.Name) or not self.here.functions:
            return False
        if not self.is_bound_here(receiver) or self.is_item(receiver):
            return False
        if isinstance(statement, ast.Assign):
            return [getattr(one, "id", "") for one in statement.targets] == [receiver.id]
        if any(isinstance(one, ast.Try) and one.finalbody for one in nodes.all_around(statement, ast.Try)):
            return False
        return is_own(self.here.functions[-1], receiver.id)


def is_tuple(value: Value) -> bool:
    """Whether its items cannot be stored to, one derived from NamedTuple among them."""
    if isinstance(value, ObjectOf):
        made = (info for info in value.info.linear() if isinstance(info, ClassInfo))
        return any(External("typing.NamedTuple") in info.bases for info in made)
    return isinstance(value, (Items, Series)) and value.kind == "tuple"


def is_detached(node: ast.AST) -> bool:
    """``x.detach()``"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "detach"


def is_own(function: ast.AST, name: str) -> bool:
    """Whether a function has a variable of its own by this name, of which no function inside of it knows."""
    parts = list(walk(function))
    if any(isinstance(part, (ast.Global, ast.Nonlocal)) and name in part.names for part in parts):
        return False
    inside = (one for part in parts if isinstance(part, NESTED) and part is not function for one in walk(part))
    if any(isinstance(one, ast.Name) and one.id == name for one in inside):
        return False
    return any(
        part.arg == name if isinstance(part, ast.arg) else part.id == name and isinstance(part.ctx, ast.Store)
        for part in parts
        if isinstance(part, (ast.arg, ast.Name))
    )


def is_allocated(node: ast.expr) -> bool:
    """``torch.Tensor(n)`` of what is not known to be a tensor: most likely a size, of which it makes a new one."""
    if not isinstance(node, ast.Call) or node.keywords or value_at(node.func) != Ref("torch.Tensor"):
        return False
    return not any(isinstance(value_at(one), Tensor) for one in node.args)


def is_gathered(index: ast.expr) -> bool:
    """Whether an index picks elements, which torch copies, rather than a part, of which it gives a view."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return not all(map(is_of_part, parts))


def is_of_part(index: ast.expr) -> bool:
    """A number, a range, ``...``, ``None``; also what nothing is known of, most likely a number."""
    value = value_at(index)
    if isinstance(index, (ast.Slice, ast.Constant)) or is_open(value):
        return not isinstance(value, Tensor)
    return isinstance(value, Plain)
