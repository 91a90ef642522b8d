"""Whether a loss and its gradients may be computed by a compiled function, what this is given, and what of the update
goes into it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from rewriters.infer.syntax import path_of
from rewriters.infer.values import (
    BOOLEAN,
    ClassOf,
    External,
    FunctionInfo,
    FunctionOf,
    Instance,
    Mapping,
    ModuleInfo,
    ModuleOf,
    Plain,
    Ref,
    Tensor,
    Value,
)
from rewriters.regions.gradients.asked import is_asked, mentions
from rewriters.regions.gradients.events import Event, Kind, is_scaler
from rewriters.regions.gradients.find import Region
from rewriters.regions.gradients.hidden import is_stateless
from rewriters.regions.gradients.losses import Loss
from rewriters.regions.gradients.names import names_of, of_node
from rewriters.regions.gradients.order import watches_gradients
from rewriters.regions.gradients.trained import outermost
from rewriters.regions.hazards import Hazard, in_function, in_statement, short
from rewriters.regions.step import NotUnderstood, Parents
from rewriters.regions.tracing import classes_in, functions_in, is_module, parts_of, traced, value_of
from rewriters.regions.used_names import is_data
from rewriters.text.tree import walk

RANDOM = (
    "torch.rand", "torch.bernoulli", "torch.multinomial", "torch.normal", "torch.poisson", "torch.nn.init.",
    "torch.Tensor.normal_", "torch.Tensor.uniform_", "torch.Tensor.bernoulli", "torch.Tensor.multinomial",
    "torch.Tensor.random_", "torch.nn.functional.gumbel_softmax", "torch.nn.functional.rrelu",
)  # fmt: skip
CARRYING = ("forward", "backward", "setup_context")
FIXED = {"int", "bool", "str", "None"}


@dataclass
class Compiled:
    """reason:  why nothing is compiled, "".
    inputs:  parameter -> argument: tensors, numbers, modules without parameters; fixed: of these, those whose values
             it is compiled for.
    members: paths that are read from a parameter of another name.
    update:  events that go into the compiled function, in order; those that clear are left out of it.
    ordered: dicts go in or come out.
    """

    reason: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    fixed: list[str] = field(default_factory=list)
    members: dict[str, str] = field(default_factory=dict)
    update: list[Event] = field(default_factory=list)
    ordered: bool = False


def compiled(
    region: Region, loss: Loss, parents: Parents, module: ModuleInfo, held: Collection[ast.AST] = ()
) -> Compiled:
    """Of one loss.

    held: branches that values decide, and that are written so that a compiled function holds them.
    """
    if region.recorded:
        return Compiled("what another function has kept goes into it")
    if loss.filled:
        return Compiled("it changes a list or a dict that was made before")
    if loss.hooked:
        return Compiled("it reads what hooks have put somewhere")
    if watches_gradients(module.nodes):
        return Compiled("hooks look at its gradients")
    if loss.hidden:
        return Compiled("what it calls comes to modules by itself")
    try:
        check_code(loss, held)
        found = Compiled()
        Inputs(region, loss, parents, module, found).find()
        check_outputs(loss, found)
    except NotUnderstood as reason:
        return Compiled(str(reason))
    update = update_of(region, loss, parents)
    if update:
        found.update = update
        Inputs(region, loss, parents, module, found).of_update(update)
    return found


def check_code(loss: Loss, held: Collection[ast.AST]) -> None:
    """That what is traced means the same when it runs for the first time alone."""
    parts: list[ast.stmt] = list(loss.inside)
    for statement in parts:
        stop(list(in_statement(statement, "", held)), "")
        random(statement, "")
        masked(statement, "")
    code = {called: called.name for part in [*parts, loss.final] for called in called_in(part)}
    for node in loss.modules.values():
        for info in classes_in(value_of(node)):
            code |= {function: function.module.path.name for function in traced(info)}
    for function in list(code):  # and functions with derivatives of their own
        code |= {one: one.name for one in called_in(function.node) if one not in code}
    for function, where in code.items():
        stop(in_function(function, held), f"{where}, ")
        random(function.node, f"{where}, ")
        masked(function.node, f"{where}, ")


def called_in(code: ast.AST) -> Iterator[FunctionInfo]:
    """The project's functions that code mentions; of ``F.apply``, how it computes and carries back."""
    for node in walk(code):
        yield from functions_in(value_of(node))
        if isinstance(node, ast.Attribute) and node.attr == "apply":
            for info in classes_in(value_of(node.value)):
                if not info.is_module:
                    yield from (one for name, one in info.functions.items() if name in CARRYING)


def masked(code: ast.AST, where: str) -> None:
    """That nothing is stored by a mask, whose values are looked at."""
    for node in walk(code):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            value, compared = value_of(node.slice), isinstance(node.slice, ast.Compare)
            if compared or (isinstance(value, Tensor) and value.kinds == BOOLEAN):
                raise NotUnderstood(f"{where}line {node.lineno}: `{short(node)}` stores by a mask's values")


def stop(hazards: list[Hazard], where: str) -> None:
    if hazards:
        raise NotUnderstood(f"{where}line {hazards[0].statement.lineno}: {hazards[0].reason}")


def random(code: ast.AST, where: str) -> None:
    for node in [part for part in walk(code) if isinstance(part, ast.Call)]:
        value = value_of(node.func)
        name = getattr(value, "name", "") if not isinstance(value, Instance) else ""
        drawn = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if drawn in ("sample", "rsample") and (not name or name.startswith("torch.distributions.")):
            raise NotUnderstood(
                f"{where}line {node.lineno}: `{drawn}` may draw from the generator of the whole program"
            )
        if name.startswith(RANDOM) or (name.startswith("torch.nn.functional.") and "dropout" in name):
            raise NotUnderstood(f"{where}line {node.lineno}: `{name}` draws from the generator of the whole program")


def check_outputs(loss: Loss, found: Compiled) -> None:
    """That what comes out is arrays."""
    for statement in loss.inside:
        for node in walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in loss.outputs:
                value = value_of(node)
                if not is_data(value):
                    raise NotUnderstood(f"`{node.id}`, which is used behind, is not known to be a tensor")
                found.ordered |= holds_dicts(value)


class Inputs:
    """What a compiled function is given besides the modules."""

    def __init__(self, region: Region, loss: Loss, parents: Parents, module: ModuleInfo, found: Compiled) -> None:
        self.loss, self.parents, self.module, self.found = loss, parents, module, found
        home = region.home
        self.file = home.node is None
        self.local = names_of(*home.body).binds
        if home.node is not None:
            self.local |= {part.arg for part in walk(home.node.args) if isinstance(part, ast.arg)}
        self.stored = [node.id for node in module.nodes.of(ast.Name) if isinstance(node.ctx, ast.Store)]

    def find(self) -> None:
        known: set[str] = set()
        for statement in self.loss.inside:
            names = of_node(statement)
            for node in outermost(statement):
                root = (path_of(node) or "").partition(".")[0]
                if root in names.reads - known:
                    self.add(node)
            known |= names.sure | (names.binds - {*self.loss.given})
        for node in outermost(self.loss.final):
            if (path_of(node) or "").partition(".")[0] not in known:
                self.add(node)

    def of_update(self, update: list[Event]) -> None:
        own = dict(self.found.inputs)
        self.found.inputs.clear()
        self.put(update[-1].path, fixed=False)
        self.found.inputs.update(own)
        for event in update:
            if event.kind is Kind.CLIP:
                call = event.node
                assert isinstance(call, ast.Call)
                for part in [*call.args[1:], *(word.value for word in call.keywords)]:
                    for node in outermost(part):
                        self.put(path_of(node) or "", fixed=False)

    def add(self, node: ast.expr) -> None:
        path = path_of(node) or ""
        value, root = value_of(node), path.partition(".")[0]
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            return
        scaler = next((part for part in chain_of(node) if is_scaler(value_of(part))), None)
        if scaler is not None:  # its scale changes, wherever it is from
            self.put(path_of(scaler) or "", fixed=False)
            return
        prefix = self.known_prefix(node)
        if prefix is not None:
            self.found.ordered |= holds_dicts(value_of(prefix))
            if not is_module(value_of(prefix)) or is_stateless(prefix):
                self.put(path_of(prefix) or "", fixed=False)
            return
        known = root in self.module.scope or hasattr(builtins, root)
        if root not in self.local and known and self.stored.count(root) <= 1:
            return
        if hasattr(builtins, root) and root not in self.local:
            return
        if self.is_code(node):
            return
        if self.is_global(root):
            return
        if isinstance(value, Plain) and value.kind in ("float", *FIXED):
            fixed = value.kind in FIXED or is_asked([*self.loss.inside, self.loss.final], path)
            if fixed and self.changes(root):
                raise NotUnderstood(f"`{path}` is no tensor and changes from step to step")
            self.put(path, fixed=fixed)
            return
        raise NotUnderstood(
            f"`{path}` (line {node.lineno}) is not known to be a tensor, a number or a Module; annotate it"
        )

    def is_global(self, root: str) -> bool:
        """Whether it is a name of the file that is bound once, before the loop, in which the region stands too."""
        return self.file and self.stored.count(root) == 1 and not self.changes(root)

    def known_prefix(self, node: ast.expr) -> ast.expr | None:
        return next(
            (part for part in reversed(chain_of(node)) if is_data(value_of(part)) or is_module(value_of(part))), None
        )

    def is_code(self, node: ast.expr) -> bool:
        part: ast.expr = node
        while True:
            if isinstance(value_of(part), (Ref, FunctionOf, ClassOf, ModuleOf, External)):
                root = (path_of(node) or "").partition(".")[0]
                return root not in self.local
            if not isinstance(part, ast.Attribute):
                return False
            part = part.value

    def changes(self, root: str) -> bool:
        around = self.parents.around(self.loss.event.statement)
        loop = next((node for node in around if isinstance(node, (ast.For, ast.While))), None)
        return loop is not None and root in names_of(loop).binds

    def put(self, path: str, fixed: bool) -> None:
        found = self.found
        if path in found.inputs.values():
            return
        name = path.rpartition(".")[2]
        while name in found.inputs or (name != path and name in self.loss.names.reads | self.loss.names.binds):
            name += "_"
        found.inputs[name] = path
        if fixed:
            found.fixed.append(name)
        if name != path:
            found.members[path] = name


def holds_dicts(value: Value | None) -> bool:
    """Whether it is a dict, or a container of such."""
    return any(isinstance(part, Mapping) for part in parts_of(value)) and not is_module(value)


def chain_of(node: ast.expr) -> list[ast.expr]:
    """``a.b.c``, ``a.b`` and ``a``."""
    chain = [node]
    while isinstance(chain[-1], ast.Attribute):
        chain.append(chain[-1].value)
    return chain


def update_of(region: Region, loss: Loss, parents: Parents) -> list[Event]:
    """The events behind the loss that may happen at once with it: all of its group, in the same block, with nothing in
    between that could tell. Empty where there are others."""
    event = loss.event
    groups = region.about[event]
    if loss.asked or len(groups) != 1 or groups[0].explicit or event not in groups[0].fresh or loss.early is not None:
        return []
    group = groups[0]
    block = parents.block(event.statement)
    if loss.inside and block is not parents.block(loss.inside[0]):
        return []
    others = [one for one in region.events if one is not event and group in region.about[one]]
    update = [one for one in others if one.kind in (Kind.CLIP, Kind.CONSUME)]
    if any(one.scaler for one in update):  # whether it steps is known when the gradients are
        return []
    if any(one.kind in (Kind.READ, Kind.CHANGE, Kind.ADD) for one in others):
        return []
    if not update or not all(any(one.statement is s for s in block) for one in update):
        return []
    if [one.kind for one in update].count(Kind.CONSUME) != 1 or update[-1].kind is not Kind.CONSUME:
        return []
    start = block.index(loss.place)
    stop = block.index(update[-1].statement)
    if block.index(event.statement) > block.index(update[0].statement) or start > stop:
        return []
    touched = {one.statement for one in [event, *others]} | set(loss.inside)
    roots = {path.partition(".")[0] for path in (*group.paths, update[-1].path)} - {"self"}
    paths = {*group.paths, update[-1].path}
    given: set[str] = set()
    for one in update:
        assert isinstance(one.node, ast.Call)
        for part in [*one.node.args[1:], *(word.value for word in one.node.keywords)]:
            if not all(simple(node) for node in walk(part)):
                return []
            given |= of_node(part).reads
    first = block.index(loss.inside[0]) if loss.inside else start
    for statement in block[first : stop + 1]:
        if statement in touched:
            continue
        names = of_node(statement)
        if names.reads & roots or names.binds & (roots | given) or any(mentions(statement, path) for path in paths):
            return []
        if any(isinstance(node, (ast.Return, ast.Break, ast.Continue, ast.Raise)) for node in walk(statement)):
            return []
    return update


def simple(node: ast.AST) -> bool:
    return isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.expr_context, ast.UnaryOp, ast.unaryop))
