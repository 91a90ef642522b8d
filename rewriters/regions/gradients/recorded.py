"""Results of modules that one function keeps and another's loss is computed from: ``self.log_probs.append(log_prob)``,
``self.fake = self.net(x)``, ``backward(loss)``. Where they are computed they are recorded with what carries gradients
back, and a ``backward`` that comes to them goes on from there.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rewriters.infer.syntax import path_of
from rewriters.infer.values import (
    Bottom,
    ClassOf,
    FunctionInfo,
    FunctionOf,
    Instance,
    ModuleInfo,
    ModuleOf,
    ObjectOf,
    Plain,
    Ref,
    Unknown,
    Value,
)
from rewriters.regions.emit import NO_GRAD
from rewriters.regions.gradients.computing import Reads, computes, from_modules, is_cut, is_without
from rewriters.regions.gradients.losses import Loss, collect, complete, find_outputs, sequence
from rewriters.regions.gradients.names import CHANGING, of_node
from rewriters.regions.gradients.reads import COUNTING
from rewriters.regions.gradients.trained import arguments
from rewriters.regions.step import NotUnderstood, Parents, position
from rewriters.regions.tracing import functions_in, is_module, parts_of, value_of
from rewriters.text.tree import FUNCTIONS, children, walk

Key = str | tuple[ast.AST, str]
"""An attribute's name, or a function and its parameter."""


@dataclass(eq=False)
class Site:
    """Where something is kept, or handed to a function that calls ``backward`` of it: a statement.

    value:   the expression; loss: what computes it, None where no module does, or what it gives is a constant.
    derived: it is a result of modules; unwritable: why it cannot be recorded then.
    """

    module: ModuleInfo
    statement: ast.stmt
    value: ast.expr
    loss: Loss | None = None
    unwritable: str = ""
    derived: bool = False

    @property
    def home(self) -> ast.AST | None:
        """The function that it stands in."""
        return self.module.nodes.around(self.statement, *FUNCTIONS)


class Recorded:
    """Of all files of a component.

    sites:  by what they keep it under; read: what losses are computed from, as it turns out.
    """

    def __init__(self, modules: list[ModuleInfo], models: Container[ast.AST]) -> None:
        """models: the functions that run when a module is called: what they keep is theirs."""
        self.sites: dict[Key, list[Site]] = {}
        self.read: dict[Key, None] = {}
        self.calls: dict[ast.AST, list[tuple[ast.Call, ModuleInfo, FunctionInfo]]] = {}
        self.known: dict[Key, bool] = {}
        self.asked: dict[Key, bool] = {}
        for module in modules:
            for statement, attributes, value, reason in kept_in(module):
                if module.nodes.around(statement, *FUNCTIONS) in models:
                    continue
                site = Site(module, statement, value, unwritable=reason)
                for attribute in attributes:
                    self.sites.setdefault(attribute, []).append(site)
            for call in module.nodes.of(ast.Call):
                for info in called(call):
                    self.calls.setdefault(info.node, []).append((call, module, info))

    def keeps(self, key: Key) -> bool:
        """Whether results of modules are kept under an attribute, or given a parameter, as far as is known."""
        if key in self.known:
            return self.known[key]
        if self.asked:  # what it is asked for is told anew until nothing changes
            return self.asked.setdefault(key, False)
        before: dict[Key, bool] = {}
        self.asked = {key: False}
        while self.asked != before:
            before = dict(self.asked)
            for one, found in before.items():
                sites = self.sites.get(one, ()) if isinstance(one, str) else self.given(*one)
                self.asked[one] = found or any(map(self.is_result, sites))
        self.known |= self.asked
        self.asked = {}
        return self.known[key]

    def is_result(self, site: Site) -> bool:
        """Whether what is kept there comes from modules."""
        if not site.derived:
            constant = is_constant(site.statement, Parents(site.module)) or is_cut(site.value)
            if constant or not may_hold_tensors(value_of(site.value)):
                return False
            reads = self.reading(site.home)
            derived = from_modules(sequence(site.statement, Parents(site.module)), set(), reads, numbers=False)
            names = {name for binds in derived.values() for name in binds}
            read = names & of_node(site.value).reads
            site.derived = bool(computes(site.value) or reads(site.value) or read)
        return site.derived

    def understand(self, site: Site) -> Loss:
        """What computes it. Raises NotUnderstood."""
        if site.loss is None:
            parents, reads = Parents(site.module), self.reading(site.home)
            before = sequence(site.statement, parents)
            derived = from_modules(before, set(), reads, numbers=False)
            loss = Loss(None, site.value)  # type: ignore[arg-type]
            try:
                if site.unwritable:
                    raise NotUnderstood(site.unwritable)
                collect(loss, before, derived, parents, reads)
                loss.kept = self.of_loss([*loss.inside, loss.final], site.home)
                complete(loss, parents)
            except NotUnderstood as reason:
                raise NotUnderstood(f"{place_of(site)}: {reason}") from None
            site.loss = loss
        return site.loss

    def reads(self, node: ast.AST) -> bool:
        """Whether it reads what keeps results of modules."""
        return next(self.paths([node]), None) is not None

    def paths(self, parts: Sequence[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
        """The paths by which code comes to such, each with its node."""
        stack: list[ast.AST] = list(parts)
        while stack:
            node = stack.pop()
            held = isinstance(node, ast.Attribute) and node.attr in self.sites and self.is_object(node.value)
            if isinstance(node, (ast.Delete, *FUNCTIONS)) or (is_cut(node) and not held):
                continue
            if isinstance(node, ast.Call):
                method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                if isinstance(node.func, ast.Name) and node.func.id in COUNTING:
                    continue
                stack += [*node.args, *(word.value for word in node.keywords)]
                if isinstance(node.func, ast.Attribute) and method not in CHANGING:
                    stack.append(node.func.value)
                continue
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and self.keeps(node.attr):
                path = path_of(node)
                if path is not None:
                    yield path, node
                    continue
            stack += children(node)

    def is_object(self, node: ast.expr) -> bool:
        """Whether it is an object of the project's, whose ``data`` is its own."""
        return isinstance(value_of(node), ObjectOf)

    def reading(self, function: ast.AST | None) -> Reads:
        """Of a function's nodes, whether they read what was kept, or what a caller has computed."""
        given: set[str] = set()
        if isinstance(function, FUNCTIONS):
            names = {arg.arg for arg in walk(function.args) if isinstance(arg, ast.arg)}
            given = {name for name in names if self.keeps((function, name))}
            loops = [part for part in walk(function) if isinstance(part, ast.For)]
            given |= {name for loop in loops for name in self.taken(loop, given)}

        def reads(node: ast.AST) -> bool:
            return self.reads(node) or (bool(given) and not is_cut(node) and bool(given & of_node(node).reads))

        return reads

    def in_order(self, parts: Sequence[ast.AST]) -> list[tuple[str, ast.expr]]:
        return sorted(self.paths(parts), key=lambda found: (found[1].lineno, found[1].col_offset))

    def taken(self, loop: ast.For, given: set[str]) -> set[str]:
        """Names by which a loop goes through what was kept, or given: ``for r, prob in self.data``."""
        reads = self.reads(loop.iter) or bool(given & of_node(loop.iter).reads)
        return of_node(loop.target).binds if reads else set()

    def of_loss(
        self, parts: list[ast.AST], function: ast.AST | None, around: Iterable[ast.AST] = ()
    ) -> dict[str, ast.expr]:
        """Paths and names by which a loss comes to results that another function has computed. Raises NotUnderstood.

        around: what it stands in, loops through what was kept among them.
        """
        found: dict[str, ast.expr] = {}
        own = code_of(parts)
        for path, node in self.in_order(parts):
            sites = [site for site in self.sites[node.attr] if self.is_result(site)]  # type: ignore[attr-defined]
            homes = [site.module.nodes.around(site.statement, *FUNCTIONS) in own for site in sites]
            if all(homes):
                continue  # what the loss itself calls keeps it
            if any(homes):
                raise NotUnderstood(f"`{path}` is kept by what the loss calls, and elsewhere")
            found[path] = node
            self.read[node.attr] = None  # type: ignore[attr-defined]
        if isinstance(function, FUNCTIONS):
            arguments = {one.arg for one in walk(function.args) if isinstance(one, ast.arg)}
            given = {name for name in arguments if self.keeps((function, name))}
            read = {node.id: node for one in parts for node in walk(one) if isinstance(node, ast.Name)}
            for name in sorted(given & read.keys()):
                found[name] = read[name]
                self.read[function, name] = None
            for loop in (one for one in around if isinstance(one, ast.For)):
                for name in sorted(self.taken(loop, given) & read.keys()):
                    found[name] = read[name]
                    self.read |= {node.attr: None for _, node in self.in_order([loop.iter])}  # type: ignore[attr-defined]
                    self.read |= {(function, one): None for one in given & of_node(loop.iter).reads}
        return found

    def given(self, function: ast.AST, name: str) -> list[Site]:
        """What the callers of a function give a parameter."""
        if (function, name) not in self.sites:
            found = self.sites[function, name] = []
            for call, module, info in self.calls.get(function, ()):
                value = (arguments_of_object if is_of_object(call) else arguments)(call, info).get(name)
                statement = module.nodes.around(call, ast.stmt)
                if value is not None and isinstance(statement, ast.stmt):
                    found.append(Site(module, statement, value))
        return self.sites[function, name]

    def to_write(self) -> tuple[list[Bundle], list[Site]]:
        """What is computed for all that losses read, and for what that is computed from; and where something is kept
        under the same name that gradients do not pass. Raises NotUnderstood."""
        done: dict[Site, None] = {}
        cut: dict[Site, None] = {}
        seen: set[Key] = set()
        while waiting := [key for key in self.read if key not in seen]:
            seen.update(waiting)
            for site in [one for key in waiting for one in self.sites.get(key, ())]:
                if not self.is_result(site):
                    if is_cut(site.value) and may_hold_tensors(value_of(site.value)):
                        cut[site] = None
                    continue
                loss = self.understand(site)
                if loss.inside or path_of(site.value) not in loss.kept:  # else it is recorded already
                    done[site] = None
        return bundles(list(done)), list(cut)


@dataclass(eq=False)
class Bundle:
    """Sites of one function whose values are computed together; loss: the computation, a tuple of the values."""

    module: ModuleInfo
    home: ast.AST
    sites: list[Site]
    loss: Loss


def bundles(sites: list[Site]) -> list[Bundle]:
    """Raises NotUnderstood."""
    found: list[Bundle] = []
    for site in sorted(sites, key=lambda one: position(one.statement)):
        assert site.loss is not None
        home = site.module.nodes.around(site.statement, *FUNCTIONS) or site.module.tree
        own = set(site.loss.inside)
        with_it = [one for one in found if one.home is home and own & set(one.loss.inside)]
        for one in with_it:
            found.remove(one)
        found.append(Bundle(site.module, home, [*(s for one in with_it for s in one.sites), site], site.loss))
    for bundle in found:
        parents = Parents(bundle.module)
        values: list[ast.expr] = [site.value for site in bundle.sites]
        inside = {statement: None for site in bundle.sites for statement in site.loss.inside}  # type: ignore[union-attr]
        kept = {path: node for site in bundle.sites for path, node in site.loss.kept.items()}  # type: ignore[union-attr]
        whole = ast.copy_location(ast.Tuple(values, ast.Load()), values[0])
        bundle.loss = Loss(None, whole, sorted(inside, key=position), kept=kept)  # type: ignore[arg-type]
        if len({id(parents.block(statement)) for statement in bundle.loss.inside}) > 1:
            raise NotUnderstood(f"{place_of(bundle.sites[0])}: what is kept is computed in several blocks")
        last = bundle.loss.inside[-1] if bundle.loss.inside else None
        for site in bundle.sites:
            if (
                last is not None
                and position(site.statement) < position(last)
                and site.statement not in parents.block(last)
            ):
                raise NotUnderstood(f"{place_of(site)}: what is kept is computed in several blocks")
        complete(bundle.loss, parents)
        find_outputs(bundle.loss, bundle.home)  # type: ignore[arg-type]
    return found


def place_of(site: Site) -> str:
    return f"{site.module.path.name}, line {site.statement.lineno}"


def code_of(parts: Iterable[ast.AST]) -> set[ast.AST]:
    """The functions that code calls."""
    found: dict[ast.AST, None] = {}
    stack = list(parts)
    while stack:
        for node in walk(stack.pop()):
            for info in functions_in(value_of(node)):
                if info.node not in found:
                    found[info.node] = None
                    stack.append(info.node)
    return set(found)


def kept_in(module: ModuleInfo) -> Iterator[tuple[ast.stmt, list[str], ast.expr, str]]:
    """(statement, attributes, value, why it cannot be recorded) of each ``x.attribute.append(value)``,
    ``x.attribute = value`` and ``x.attribute[key] = value``."""
    for node in module.nodes.of(ast.Expr):
        call = node.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
            continue
        attribute, method = held_by(call.func.value), call.func.attr
        if attribute and (method in CHANGING or method in ("put", "push")):
            simple = method == "append" and len(call.args) == 1
            yield node, [attribute], call.args[-1], "" if simple else f"keep results by append, not by {method}"
    for node in module.nodes.of(ast.Assign, ast.AnnAssign, ast.AugAssign):
        if node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for value, parts in paired(targets, node.value):
            attributes = [name for name in map(held_by, parts) if name]
            if attributes:
                added = isinstance(node, ast.AugAssign)
                why = f"write `{attributes[0]}` with what is added to it as one expression" if added else ""
                yield node, attributes, value, why


def paired(targets: list[ast.expr], value: ast.expr) -> list[tuple[ast.expr, list[ast.expr]]]:
    """Each value with what it is stored to: ``a, b = 1, 2`` are two."""
    tuples = (ast.Tuple, ast.List)
    first = targets[0]
    if len(targets) == 1 and isinstance(first, tuples) and isinstance(value, tuples):
        starred = any(isinstance(one, ast.Starred) for one in [*first.elts, *value.elts])
        if not starred and len(first.elts) == len(value.elts):
            return [pair for one, given in zip(first.elts, value.elts, strict=True) for pair in paired([one], given)]
    return [(value, [part for one in targets for part in (one.elts if isinstance(one, tuples) else [one])])]


def held_by(target: ast.expr) -> str:
    """The attribute of ``x.attribute`` and ``x.attribute[key]``, "" of anything else."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.attr if isinstance(target, ast.Attribute) and path_of(target) is not None else ""


def called(call: ast.Call) -> list[FunctionInfo]:
    """The project's functions that a call runs, those of its objects among them."""
    value = value_of(call.func)
    if isinstance(value, ObjectOf) and not value.info.is_module:
        found = value.info.functions.get("__call__")
        return [found] if found is not None else []
    return functions_in(value)


def may_hold_tensors(value: Value | None) -> bool:
    """Whether it is no number, module, optimizer or function."""
    if value is None or isinstance(value, (Unknown, Bottom)):
        return True
    others = (Plain, Instance, Ref, FunctionOf, ClassOf, ModuleOf)
    return not is_module(value) and any(not isinstance(part, others) for part in parts_of(value))


def is_of_object(call: ast.Call) -> bool:
    return isinstance(value_of(call.func), ObjectOf)


def arguments_of_object(call: ast.Call, info: FunctionInfo) -> dict[str, ast.expr]:
    """Parameter -> what is given, of an object that is called."""
    names = [one.arg for one in (*info.node.args.posonlyargs, *info.node.args.args)][1:]
    plain = not any(isinstance(one, ast.Starred) for one in call.args)
    found = dict(zip(names, call.args, strict=False)) if plain else {}
    return found | {word.arg: word.value for word in call.keywords if word.arg}


def is_constant(statement: ast.stmt, parents: Parents) -> bool:
    """Whether it stands where no gradients are taken."""
    for node in parents.around(statement):
        if isinstance(node, ast.With) and is_without(node):
            return True
        if isinstance(node, FUNCTIONS):
            said = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
            return any(isinstance(value_of(one), Ref) and value_of(one).name in NO_GRAD for one in said)  # type: ignore[union-attr]
    return False
