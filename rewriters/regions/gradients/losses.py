"""The statements that compute a loss from what does not depend on the modules: what is differentiated."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, field

from rewriters.infer.held_leaves import has_leaves, holds_leaves
from rewriters.infer.leaves import is_leaf
from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import Items, Mapping, Series, Tensor
from rewriters.regions.gradients.computing import Reads, computes, from_modules, never
from rewriters.regions.gradients.events import BACKWARD, Event
from rewriters.regions.gradients.given import home_of, is_made_outside
from rewriters.regions.gradients.hidden import HELD, held_in, holds_modules, outer_ways, part_at, shortest
from rewriters.regions.gradients.leaves import ALL, computes_alone, leaves_of, lies_in, trained_in_parts
from rewriters.regions.gradients.names import Names, bound_inside, names_of, of_node
from rewriters.regions.gradients.order import LEAVING, check_apart, in_order, reads_of_hooks
from rewriters.regions.gradients.reads import DETACHED, kept_parameters
from rewriters.regions.gradients.stored_on_way import calls_modules, read_of_calls
from rewriters.regions.gradients.sums import is_none, is_start, is_written_out
from rewriters.regions.gradients.trained import Function, is_value, module_prefix, outermost
from rewriters.regions.hazards import short
from rewriters.regions.step import NotUnderstood, Parents, position
from rewriters.regions.tracing import value_of
from rewriters.text.tree import LOOPS, walk


@dataclass(eq=False)
class Early:
    """What several computations begin with: computed once, with a function that carries gradients back to the modules.

    inside:  the statements; modules: path -> node; outputs: the names that it binds and others read.
    """

    inside: list[ast.stmt]
    modules: dict[str, ast.expr] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)
    name: str = "backward"

    @property
    def place(self) -> ast.stmt:
        return self.inside[-1]


@dataclass(eq=False)
class Loss:
    """One ``backward`` and what it is of.

    final:    the expression whose gradient is taken; by: what its gradient is, which then is in a tuple with it.
    inside:   the statements that compute it, in order; they lie in one block.
    early:    those of ``inside`` that come before, since others read what they compute.
    after:    statements between them that read what they compute and have no part in it.
    place:    the statement in whose place they are computed.
    modules:  path -> node, of the modules that the computation calls.
    given:    names that it reads and binds: what they are before goes in.
    outputs:  names that it binds and others read, the loss among them where it has a name.
    unread:   nobody reads the loss behind its gradients.
    asked:    names of tensors that go into it, whose own gradients are read: ``x.grad``.
    kept:     path -> node, of results that another function has kept, and that it is computed from.
    hidden:   what it calls comes to some of the modules by itself.
    filled:   it changes a list or a dict that was made before.
    hooked:   it reads what hooks have put somewhere.
    """

    event: Event
    final: ast.expr
    inside: list[ast.stmt] = field(default_factory=list)
    early: Early | None = None
    after: list[ast.stmt] = field(default_factory=list)
    modules: dict[str, ast.expr] = field(default_factory=dict)
    given: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    unread: bool = False
    names: Names = field(default_factory=Names)
    asked: dict[str, None] = field(default_factory=dict)
    kept: dict[str, ast.expr] = field(default_factory=dict)
    hidden: bool = False
    by: ast.expr | None = None
    filled: bool = False
    hooked: bool = False

    @property
    def place(self) -> ast.stmt:
        return self.inside[-1] if self.inside else self.event.statement


def find_loss(event: Event, parents: Parents, kept: Reads = never, takes: Reads = never) -> Loss:
    """The computation of what a ``backward`` is of. Raises NotUnderstood.

    kept: whether a node reads what another function has kept of modules' results; takes: whether it takes gradients of
    what is traced, which can be taken where that is computed.
    """
    call = event.node
    assert isinstance(call, ast.Call)
    words = {word.arg for word in call.keywords}
    several = getattr(value_of(call.func), "name", "") == BACKWARD
    placed, named = (call.args[1:], "grad_tensors") if several else (call.args, "gradient")
    given = [*placed[:1], *(word.value for word in call.keywords if word.arg == named)]
    if len(placed) + len(given) > 2 or words - {"retain_graph", "create_graph", named}:
        raise NotUnderstood(f"`{short(call)}`: leave all but the gradient out")
    if "create_graph" in words:
        raise NotUnderstood(f"`{short(call)}`: gradients of gradients are taken with torch.func.grad")
    if not isinstance(event.statement, ast.Expr) or event.statement.value is not call:
        raise NotUnderstood(f"`{short(event.statement)}`: backward is no statement of its own")
    loss = Loss(event, event.subject)
    if given and not is_none(given[0]):
        loss.by = given[0]
        loss.final = ast.copy_location(ast.Tuple([event.subject, loss.by], ast.Load()), event.subject)
    if several and not is_written_out(event.subject, loss.by):
        raise NotUnderstood(f"`{short(call)}`: give the losses in a list that is written out, and a gradient for each")
    before = sequence(event.statement, parents)
    made, alone = made_before(before, parents), trained_alone(before, parents)
    derived = from_modules(before, made, lambda one: kept(one) or read_of_calls([one], parents.nodes), alone=alone)
    if isinstance(event.subject, ast.Attribute) and not kept(event.subject):
        computed = {name for binds in derived.values() for name in binds}
        if event.path.partition(".")[0] not in computed:
            raise NotUnderstood(
                f"`{short(event.subject)}` is an attribute: give the loss a name, and store it behind the step"
            )
    collect(loss, before, derived, parents, kept)
    add_taking(loss, before, parents, takes)
    return loss


def add_taking(loss: Loss, before: list[ast.stmt], parents: Parents, takes: Reads) -> None:
    """Statements behind the first of those inside that take gradients of what these compute."""
    block = parents.block(loss.inside[0]) if loss.inside else []
    for statement in before:
        computed = names_of(*(one for one in loss.inside if position(one) < position(statement))).binds
        behind = statement in block and statement not in loss.inside and of_node(statement).reads & computed
        if behind and takes(statement) and not any(isinstance(node, LEAVING) for node in walk(statement)):
            loss.inside = sorted([*loss.inside, statement], key=position)


def complete(loss: Loss, parents: Parents) -> None:
    """Fill in the rest, once what several losses share is taken from them. Raises NotUnderstood."""
    loss.inside = in_order(loss.inside, parents)
    loss.hooked = any(reads_of_hooks(one, loss.inside[:place], parents) for place, one in enumerate(loss.inside))
    find_names(loss, parents)
    parts = [*loss.inside, loss.final]
    loss.modules, loss.hidden = trained_by(parts, loss.names, parents, loss.kept)
    # one of several may be a part of another
    loss.hidden |= len(loss.modules) > 1 and read_of_calls(parts, parents.nodes)
    find_after(loss, parents)


def sequence(statement: ast.stmt, parents: Parents) -> list[ast.stmt]:
    """The statements that come before one, up to the loop or the function around."""
    found: list[ast.stmt] = []
    node: ast.AST = statement
    while isinstance(node, ast.stmt):
        block = parents.block(node)
        found = block[: next(i for i, one in enumerate(block) if one is node)] + found
        node = parents.of.get(node)  # type: ignore[assignment]
        if node is None or isinstance(node, (*LOOPS, ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            break
    return found


def made_before(statements: list[ast.stmt], parents: Parents) -> set[str]:
    """Names that hold a module's parameters since before: ``ps = list(net.parameters())``, above the loop."""
    home = home_of(statements[0], parents) if statements else None
    if home is None:
        return set()
    return {name for name, _ in kept_parameters(names_of(*statements).reads, home, set(map(id, statements)))}


def trained_alone(statements: list[ast.stmt], parents: Parents) -> frozenset[str]:
    """Names of tensors that are trained by themselves, and of lists of such."""
    parts = (node for one in statements for node in walk(one)) if has_leaves(parents.nodes) else ()
    names = (node for node in parts if isinstance(node, ast.Name))
    return frozenset(one.id for one in names if is_leaf(one, parents.nodes) or holds_leaves(one, parents.nodes))


def collect(
    loss: Loss, before: list[ast.stmt], derived: dict[ast.stmt, set[str]], parents: Parents, kept: Reads = never
) -> None:
    """Fill in ``inside``: back from the loss."""
    needed = of_node(loss.final).reads - only_detached(loss.final)
    others: set[str] = set()  # what statements that stay outside make of names
    stored = read_of_calls([loss.final], parents.nodes)
    for statement in reversed(before):
        names = of_node(statement)
        called = stored and calls_modules(statement)
        if not needed & names.binds and not called:
            continue
        apart = not called and needed & names.binds <= names.binds - derived.get(statement, set())
        if apart and not (is_start(statement) and loss.inside and not names.binds & others):
            others |= names.binds
            needed -= names.sure
            continue
        leaving = [node for node in walk(statement) if isinstance(node, LEAVING) and not own_leave(statement, node)]
        if leaving:
            raise NotUnderstood(f"line {leaving[0].lineno} may leave while the loss is computed")
        loss.inside.insert(0, statement)
        stored = stored or read_of_calls([statement], parents.nodes)
        needed -= names.sure - names.reads
        needed |= names.reads - only_detached(statement)
    loss.inside += bound_late(loss.inside, loss.final, before)
    alone = not loss.inside and not computes(loss.final) and not kept(loss.final)
    if alone and not computes_alone(loss.final) and not any(is_leaf(n, parents.nodes) for n in walk(loss.final)):
        line = trained_in_parts(parents.nodes)
        advice = (
            f"the tensors that line {line} trains are held by a list or by objects: make them nn.Parameter of a Module"
            if line
            else "annotate what is called: `model: nn.Module`"
        )
        raise NotUnderstood(
            f"`{short(loss.final)}` is not known to come from a Module that is called in the same function ({advice})"
        )
    if (whole := lies_in(loss.final, loss.inside, parents.nodes)) is not None:
        raise NotUnderstood(f"the loss lies in `{short(whole)}`, which is trained: compute it, as by .clone()")
    blocks = {id(parents.block(statement)) for statement in loss.inside}
    if len(blocks) > 1:
        raise NotUnderstood("the loss is computed partly under a condition or a `with`: write it in one block")


def bound_late(inside: list[ast.stmt], final: ast.expr, before: list[ast.stmt]) -> list[ast.stmt]:
    """Statements behind the last of those inside that give names which the loss itself reads. Raises NotUnderstood."""
    found: list[ast.stmt] = []
    needed = of_node(final).reads
    for statement in reversed(before[before.index(inside[-1]) + 1 :] if inside else []):
        names = of_node(statement)
        if needed & names.binds:
            found.insert(0, statement)
            needed = (needed - names.sure) | names.reads
    leaving = [node for one in found for node in walk(one) if isinstance(node, LEAVING) and not own_leave(one, node)]
    if leaving:
        raise NotUnderstood(f"line {leaving[0].lineno} may leave while the loss is computed")
    return found


def find_names(loss: Loss, parents: Parents) -> None:
    everything = names_of(*loss.inside)
    everything.then(of_node(loss.final))
    if everything.stores:
        raise NotUnderstood(
            f"line {everything.stores[0].lineno} stores `{short(everything.stores[0])}` while the loss is computed: "
            "give it a name, and store it behind"
        )
    for name in sorted(everything.changes):
        value = next(
            (value_of(n) for s in loss.inside for n in walk(s) if isinstance(n, ast.Name) and n.id == name), None
        )
        loss.filled |= isinstance(value, (Items, Mapping, Series))
        if not isinstance(value, (Tensor, type(None))) and not (loss.filled and is_own(name, loss, parents)):
            raise NotUnderstood(f"`{name}` is changed while the loss is computed, and was made before")
    loss.names = everything
    loss.given = sorted(
        name for name in everything.reads & everything.binds if is_made_outside(name, loss.inside, parents)
    )


def is_own(name: str, loss: Loss, parents: Parents) -> bool:
    """Whether a name is the function's own, or the file's where the loss is."""
    home = home_of(loss.event.statement, parents) if loss.event is not None else None
    if home is None:
        return False
    given = set() if isinstance(home, ast.Module) else {one.arg for one in all_arguments(home.args)}
    return name in names_of(*home.body).sure | given


def only_detached(node: ast.AST) -> set[str]:
    """Names of which no gradient passes: read as ``x.detach()``, ``(x + 1).detach()`` or ``x.shape`` alone."""
    cut: set[str] = set()
    read: set[str] = set()
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Attribute) and part.attr in DETACHED and is_value(part.value):
            cut |= {one.id for one in walk(part.value) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
            continue
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            read.add(part.id)
        stack += ast.iter_child_nodes(part)
    return cut - read


def own_leave(statement: ast.stmt, leave: ast.AST) -> bool:
    """Whether ``break`` or ``continue`` is of a loop within the statement."""
    if not isinstance(leave, (ast.Break, ast.Continue)):
        return False
    return any(leave in walk(loop) for loop in walk(statement) if isinstance(loop, LOOPS))


def trained_by(
    parts: list[ast.stmt] | list[ast.AST], names: Names, parents: Parents, kept: Collection[str] = ()
) -> tuple[dict[str, ast.expr], bool]:
    """The modules, and tensors that are trained by themselves, that code computes with; whether it comes to some by
    itself. Raises NotUnderstood.

    kept: paths of what goes in by itself.
    """
    found, hidden = modules_of(parts, names, kept), hidden_modules(parts, names)
    leaves = leaves_of(parts, parents.nodes)
    found |= {path: node for path, node in hidden.items() if path not in found}
    return found | leaves, bool(hidden) or ALL in leaves or any(path.startswith(HELD) for path in found)


def modules_of(parts: list[ast.stmt] | list[ast.AST], names: Names, kept: Collection[str] = ()) -> dict[str, ast.expr]:
    """The modules that code calls, by the chains that the source writes.

    kept: paths of what goes in by itself.
    """
    found: dict[str, ast.expr] = {}
    for statement in parts:
        bound = names.binds | bound_inside(statement)
        for part in outermost(statement):
            path = module_prefix(part) or (held_in(path_of(part) or "") if holds_modules(value_of(part)) else "")
            if any(f"{path_of(part)}.".startswith(f"{one}.") for one in kept):
                continue
            if not path or path.removeprefix(HELD).rstrip(")").partition(".")[0] in bound:
                continue
            if path.startswith(HELD):
                found.setdefault(path, part)
                continue
            path = shortest(part, path)
            found.setdefault(path, part_at(part, path))
    return found


def hidden_modules(parts: list[ast.stmt] | list[ast.AST], names: Names) -> dict[str, ast.expr]:
    """The modules that the code of calls comes to by itself, by the chains that the caller would write. Raises
    NotUnderstood."""
    found: dict[str, ast.expr] = {}
    for call in (node for part in parts for node in walk(part) if isinstance(node, ast.Call)):
        for way in outer_ways(call):
            if not way.path or way.path.partition(".")[0] in names.binds:
                raise NotUnderstood(
                    f"`{short(call.func)}` comes to `{way.text}` by itself: hand it on as an argument, so that "
                    "gradients are taken with respect to it"
                )
            found.setdefault(way.path, way.node)
    return found


def find_after(loss: Loss, parents: Parents) -> None:
    """Statements between those inside that must wait for what these compute."""
    if not loss.inside:
        return
    block = parents.block(loss.inside[0])
    first, last = block.index(loss.inside[0]), block.index(loss.inside[-1])
    computed: set[str] = set()
    late: set[str] = set()
    for place in range(first, last + 1):
        statement = block[place]
        names = of_node(statement)
        if statement in loss.inside:
            if names.reads & late - computed:
                raise NotUnderstood(f"line {statement.lineno} needs what is computed from the model's results before")
            computed |= names.binds
            continue
        if not (names.reads & (computed | late)):
            continue
        later = names_of(*(one for one in block[place + 1 : last + 1] if one in loss.inside))
        if names.reads & later.binds or any(isinstance(node, LEAVING) for node in walk(statement)):
            raise NotUnderstood(f"line {statement.lineno} looks at what the model returned before the loss is computed")
        check_apart(statement, [one for one in block[place + 1 : last + 1] if one in loss.inside])
        loss.after.append(statement)
        late |= names.binds


def all_modules(loss: Loss) -> dict[str, ast.expr]:
    """Those of a loss and of what comes before it."""
    return {**(loss.early.modules if loss.early is not None else {}), **loss.modules}


def find_outputs(loss: Loss, home: Function | ast.Module) -> None:
    """The names that the rest of the function reads. Raises NotUnderstood."""
    last = [loss.event.statement if loss.event is not None else loss.final]
    own = {id(node) for part in [*loss.inside, *last] for node in walk(part)}
    used = {
        node.id
        for node in walk(home)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store) and id(node) not in own
    }
    if loss.inside and in_loop(loss.inside[0], home):  # the next turn goes on from there
        used |= set(loss.given)
    order: list[str] = []
    for statement in loss.inside:
        for node in walk(statement):
            if isinstance(node, ast.Name) and node.id in loss.names.binds and node.id not in order:
                order.append(node.id)
    final = path_of(loss.final)
    loss.outputs = [name for name in order if name in used and name != final]
    others = {name for part in walk(home) if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names}
    looked = {"locals", "vars", "exec", "eval", "dir"} & used
    # what a module binds, others may import
    loss.unread = not (isinstance(home, ast.Module) or looked or final in {*used, *others, *loss.given})
    unsure = [name for name in loss.outputs if name not in loss.names.sure | set(loss.given)]
    of_loops = {n for s in loss.inside if isinstance(s, LOOPS) for n in of_node(s).binds}
    if set(unsure) - of_loops:
        raise NotUnderstood(f"`{unsure[0]}` is bound under a condition while the loss is computed: bind it before, too")


def in_loop(statement: ast.stmt, home: ast.AST) -> bool:
    """Whether a loop of the function runs it again."""
    return any(isinstance(node, LOOPS) and any(part is statement for part in walk(node)) for node in walk(home))
