"""Training steps: forward, loss, ``loss.backward()``, ``optimizer.step()`` in one block, found by what names are.

A ``Step`` is one that is understood whole: a graph may take its place, and everything between stays meaningful. What is
not understood is a ``NotUnderstood`` with the reason.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from dataclasses import dataclass, field

from rewriters.source.table import mro
from rewriters.static.hazards import in_statement, short
from rewriters.static.tracing import classes_in, is_module, path_of, value_of
from rewriters.tree import children, walk
from rewriters.values import (
    ClassInfo,
    ClassOf,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    Method,
    ModuleInfo,
    Ref,
    Series,
    Tensor,
    Value,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef
SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign)


class NotUnderstood(Exception):
    """Why a training step stays as it is; the message is for people."""


@dataclass(eq=False)
class Step:
    """A training step.

    backward:  the statement.
    inside:    statements that compute the loss from the inputs, in order.
    gone:      statements that the graph does by itself: setting gradients to zero, clipping, the optimizer's step.
    optimizer: as it is written, ``optimizer`` or ``self.optimizer``.
    schedule:  the statement that steps a scheduler with each step, and the scheduler as it is written.
    clip:      the call of clip_grad_norm_.
    members:   modules and functions that ``inside`` uses, as written -> name in the graph.
    inputs:    names of the tensors that go in; outputs: of what comes out, the loss among them.
    function:  the function around, None at module level; top: the module's statement that holds it all.
    loop:      the innermost loop around, None where the block is a function's own.
    """

    backward: ast.stmt
    body: list[ast.stmt]
    function: Function | None
    top: ast.stmt
    loop: ast.stmt | None
    loss: str = ""
    optimizer: str = ""
    optimizer_node: ast.expr | None = None
    inside: list[ast.stmt] = field(default_factory=list)
    gone: list[ast.stmt] = field(default_factory=list)
    schedule: ast.stmt | None = None
    scheduler: str = ""
    scheduler_node: ast.expr | None = None
    clip: ast.Call | None = None
    members: dict[str, str] = field(default_factory=dict)
    member_nodes: dict[str, ast.expr] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)


class Parents:
    """Where each node of a file stands."""

    def __init__(self, module: ModuleInfo) -> None:
        self.of: dict[ast.AST, ast.AST] = {}
        stack: list[ast.AST] = [module.tree]
        while stack:
            node = stack.pop()
            for child in children(node):
                self.of[child] = node
                stack.append(child)

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The list of statements that holds this one."""
        parent = self.of[statement]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, None)
            if isinstance(block, list) and any(item is statement for item in block):
                return block
        return [statement]

    def around(self, node: ast.AST) -> list[ast.AST]:
        """Whatever holds a node, from the inside out."""
        found = []
        while node in self.of:
            node = self.of[node]
            found.append(node)
        return found


def called(modules: list[ModuleInfo]) -> list[ClassInfo]:
    """The classes of models that are called outside of models, in order of the files."""
    found: list[ClassInfo] = []
    for module in modules:
        parents = Parents(module)
        infos = [info for value in module.scope.values() for info in classes_in(value) if info.is_module]
        models = {info.node for info in infos}
        for node in module.nodes.of(ast.Call):
            value = value_of(node.func)
            if is_module(value) and not any(part in models for part in parents.around(node)):
                found += [info for info in classes_in(value) if info.is_module and info not in found]
    return found


def backwards(module: ModuleInfo) -> list[ast.Expr]:
    """The statements ``x.backward(...)`` of a file."""
    return [
        node
        for node in module.nodes.of(ast.Expr)
        if isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "backward"
    ]


def understand(statement: ast.Expr, module: ModuleInfo, parents: Parents) -> Step:
    """The training step around a ``loss.backward()``. Raises NotUnderstood."""
    around = parents.around(statement)
    functions = [node for node in around if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    function = functions[0] if functions else None
    inner = around[: around.index(function)] if function else around
    loop = next((node for node in inner if isinstance(node, (ast.For, ast.While))), None)
    tops = [node for node in [statement, *around] if isinstance(node, ast.stmt)]
    step = Step(statement, parents.block(statement), function, tops[-1], loop)
    find_loss(step)
    find_update(step)
    find_inside(step)
    find_members(step, module)
    check_between(step)
    find_outputs(step, module)
    return step


def find_loss(step: Step) -> None:
    assert isinstance(step.backward, ast.Expr)
    call = step.backward.value
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Attribute)
    if call.args or call.keywords:
        raise NotUnderstood(f"`{short(call)}` has arguments; a graph's backward takes none")
    if not isinstance(call.func.value, ast.Name):
        raise NotUnderstood(f"`{short(call)}`: give the loss a name, then call its backward")
    if not isinstance(value_of(call.func.value), Tensor):
        raise NotUnderstood(f"`{call.func.value.id}` is not known to be a tensor; annotate what it is computed from")
    step.loss = call.func.value.id
    others = [
        node
        for statement in step.body
        for node in walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "backward"
    ]
    if len(others) > 1:
        raise NotUnderstood("several backward in one step; a graph has one loss")


def find_update(step: Step) -> None:
    """The optimizer's part: zero_grad, clipping, step, the scheduler's step."""
    at = step.body.index(step.backward)
    calls = [node for statement in step.body for node in walk(statement) if isinstance(node, ast.Call)]
    updates = [node for node in calls if method(node).startswith("torch.optim.") and method(node).endswith(".step")]
    own = [node for node in updates if "lr_scheduler" not in method(node)]
    if not own:
        raise NotUnderstood(
            "no optimizer is known to step in the same block; where it steps every few batches, let the graph add up "
            "the gradients: configure(accumulation_steps=...)"
        )
    if len(own) > 1:
        raise NotUnderstood("several optimizers step in one block; a graph here has one")
    update = own[0]
    statement = plain(step, update, "the optimizer's step")
    if update.args or update.keywords:
        raise NotUnderstood("optimizer.step(closure) runs the model several times; a graph runs it once")
    if step.body.index(statement) < at:
        raise NotUnderstood("the optimizer steps before backward")
    assert isinstance(update.func, ast.Attribute)
    step.optimizer_node = update.func.value
    step.optimizer = path_of(update.func.value) or ""
    if not step.optimizer:
        raise NotUnderstood(f"`{short(update.func.value)}` is no plain name")
    step.gone.append(statement)
    zeroed = False
    for other in step.body:
        call = other.value if isinstance(other, ast.Expr) and isinstance(other.value, ast.Call) else None
        name = method(call) if call is not None else ""
        if call is None or not isinstance(call.func, ast.Attribute):
            if isinstance(other, SIMPLE) and clips(other.value):
                raise NotUnderstood(f"`{short(other)}`: a graph clips gradients, but does not return their norm")
            continue
        between = at < step.body.index(other) < step.body.index(statement)
        owner = call.func.value
        if name.endswith(".zero_grad") and (path_of(owner) == step.optimizer or is_module(value_of(owner))):
            if between:
                raise NotUnderstood("gradients are set to zero between backward and the optimizer's step")
            step.gone.append(other)
            zeroed = True
        elif clips(call):
            if not method_of_parameters(call):
                raise NotUnderstood(f"`{short(call)}`: a graph clips all that an optimizer trains: model.parameters()")
            if not between or step.clip is not None:
                raise NotUnderstood(f"`{short(call)}` does not stand between backward and the optimizer's step")
            step.clip = call
            step.gone.append(other)
    nested = [node for statement in step.body for node in walk(statement) if clips(node) and node is not step.clip]
    if nested:
        raise NotUnderstood(f"`{short(nested[0])}` is under a condition; a graph clips always or never, to one norm")
    if not zeroed:
        raise NotUnderstood("gradients are not set to zero in the same block: a graph does that at each step")
    for node in [node for node in updates if "lr_scheduler" in method(node)]:
        other = plain(step, node, "the scheduler's step")
        assert isinstance(node.func, ast.Attribute)
        if step.schedule is not None:
            raise NotUnderstood("several schedulers step in one block; a graph takes one")
        if node.args or node.keywords or step.body.index(other) < step.body.index(statement):
            raise NotUnderstood(f"`{short(node)}`: a graph's schedule counts steps by itself, after each update")
        step.schedule, step.scheduler_node = other, node.func.value
        step.scheduler = path_of(node.func.value) or ""


def plain(step: Step, call: ast.Call, what: str) -> ast.stmt:
    """The statement of the block that is just this call."""
    for statement in step.body:
        if isinstance(statement, ast.Expr) and statement.value is call:
            return statement
    raise NotUnderstood(
        f"{what} is no plain statement beside backward (under `if`?); a graph updates at each call, and adds up "
        "gradients with configure(accumulation_steps=...)"
    )


def method(node: ast.AST) -> str:
    """The canonical name of the torch method that a call calls, ""."""
    value = value_of(node.func) if isinstance(node, ast.Call) else None
    return value.name if isinstance(value, Method) else ""


def clips(node: ast.AST | None) -> bool:
    value = value_of(node.func) if isinstance(node, ast.Call) else None
    name = value.name if isinstance(value, Ref) else ""
    return name.startswith("torch.nn.utils.clip_grad")


def method_of_parameters(call: ast.Call) -> bool:
    """``clip_grad_norm_(model.parameters(), ...)``"""
    first = call.args[0] if call.args else None
    return (
        isinstance(first, ast.Call)
        and isinstance(first.func, ast.Attribute)
        and first.func.attr == "parameters"
        and is_module(value_of(first.func.value))
    )


def find_inside(step: Step) -> None:
    """The statements from the model's call to the loss that the loss depends on."""
    before = step.body[: step.body.index(step.backward)]
    derived: set[str] = set()
    candidates = []
    for statement in before:
        if statement in step.gone:
            continue
        names = bound(statement)
        from_model = bool(derived & read(statement)) or any(
            isinstance(node, ast.Call) and is_module(value_of(node.func)) for node in walk(statement)
        )
        if from_model:
            derived |= names
            candidates.append(statement)
    needed = {step.loss}
    for statement in reversed(candidates):
        if not needed & bound(statement):
            continue
        if not isinstance(statement, SIMPLE):
            kind = type(statement).__name__.lower()
            raise NotUnderstood(
                f"the loss is computed under `{kind}` (line {statement.lineno}), not by plain assignments"
                + ("; mixed precision is an option of the graph: configure(amp=True)" if kind == "with" else "")
            )
        if not isinstance(statement, ast.AugAssign):
            needed -= bound(statement)
        needed |= read(statement)
        step.inside.insert(0, statement)
    if not step.inside:
        raise NotUnderstood(f"`{step.loss}` is not known to come from a Module that is called in the same block")


def find_members(step: Step, module: ModuleInfo) -> None:
    """What the statements inside use that they do not compute: modules, and tensors that change from step to step."""
    local: set[str] = set()
    free: dict[str, ast.expr] = {}
    for statement in step.inside:
        hazards = list(in_statement(statement))
        if hazards:
            raise NotUnderstood(f"line {hazards[0].statement.lineno}: {hazards[0].reason}")
        for node in loads(statement, step.function):
            path = path_of(node)
            assert path is not None
            if path.partition(".")[0] not in local:
                free.setdefault(path, node)
        local |= bound(statement)
    own = changing(step, module)
    for path, node in free.items():
        value, root = value_of(node), path.partition(".")[0]
        if is_module(value):
            if "parallel" in instance_of(node):
                raise NotUnderstood(f"`{path}` is {instance_of(node)}: a graph is shared out as global tensors instead")
            member(step, path, node)
        elif is_data(value):
            if path != root:
                raise NotUnderstood(f"`{path}` is a tensor kept in an object; give it a name before the forward")
            step.inputs.append(path)
        elif root in own and path == root and isinstance(value, (Ref, FunctionOf, ClassOf)):
            member(step, path, node)
        elif root in own or not (root in module.scope or hasattr(builtins, root)):
            raise NotUnderstood(
                f"`{path}` (line {node.lineno}) is not known to be a tensor or a Module: a graph would keep its first "
                "value; annotate it, or compute with it outside of the loss"
            )
    if not any(is_module(value_of(node)) for node in step.member_nodes.values()):
        raise NotUnderstood("no Module is called between the inputs and the loss")


def changing(step: Step, module: ModuleInfo) -> set[str]:
    """Names whose values may differ from step to step, or which a class of the module could not see."""
    if step.function is not None:
        return names_bound(step.function)
    stores = [node for node in module.nodes.of(ast.Name) if isinstance(node.ctx, ast.Store)]
    in_loop = bound(step.loop) if step.loop is not None else set()
    names = [node.id for node in stores]
    return {name for name in names if names.count(name) > 1 or name in in_loop}


RESERVED = {
    "build", "build_graph", "config", "debug", "name", "state_dict", "trace", "training", "optimizer", "scheduler",
}  # fmt: skip
"""Names that nn.Graph itself or the constructor has."""


def member(step: Step, path: str, node: ast.expr) -> None:
    name = path.rpartition(".")[2]
    while name in step.members.values() or name in RESERVED:
        name += "_"
    step.members[path] = name
    step.member_nodes[path] = node


def is_data(value: Value | None) -> bool:
    """A tensor, or a container of tensors alone."""
    if isinstance(value, Items):
        return bool(value.values) and all(is_data(item) for item in value.values)
    if isinstance(value, (Series, Mapping)):
        return is_data(value.element)
    return isinstance(value, Tensor)


def check_between(step: Step) -> None:
    """That what stands between the forward and the update means the same once the update happens before it."""
    first, last = step.body.index(step.inside[0]), step.body.index(step.inside[-1])
    update = step.body.index(step.gone[0])
    computed: set[str] = set()
    for index in range(first, update):
        statement = step.body[index]
        if statement in step.inside:
            computed |= bound(statement)
            continue
        if statement in step.gone or statement is step.backward:
            continue
        if index < last and computed & read(statement):
            raise NotUnderstood(f"line {statement.lineno} uses what the model returned before the loss is computed")
        if index < last and bound(statement) & set(step.inputs):
            raise NotUnderstood(f"line {statement.lineno} changes what goes into the graph between forward and loss")
        used = {path_of(node) for node in walk(statement) if isinstance(node, (ast.Name, ast.Attribute))}
        for path in (*step.members, step.optimizer):
            if path in used and (path == step.optimizer or is_module(value_of(step.member_nodes[path]))):
                raise NotUnderstood(
                    f"line {statement.lineno} uses `{path}` between the forward and the update; a graph does both at "
                    "once: move it before the forward or behind the step"
                )
        for node in walk(statement):
            if isinstance(node, ast.Attribute) and node.attr == "grad":
                raise NotUnderstood(f"line {statement.lineno} looks at gradients, which stay inside a graph")
            if isinstance(node, (ast.Continue, ast.Break, ast.Return)) and not inside_loop(statement, node):
                raise NotUnderstood(f"line {statement.lineno} may leave before the update, which a graph has done then")


def inside_loop(statement: ast.stmt, leave: ast.AST) -> bool:
    """Whether ``break`` or ``continue`` is of a loop within the statement."""
    if isinstance(leave, ast.Return):
        return False
    loops = [node for node in walk(statement) if isinstance(node, (ast.For, ast.While))]
    return any(leave in walk(loop) for loop in loops)


def find_outputs(step: Step, module: ModuleInfo) -> None:
    """The names that are used outside of the graph; the loss is always one."""
    inner = {node for statement in [*step.inside, step.backward] for node in walk(statement)}
    home: ast.AST = step.function or module.tree
    used = {
        node.id
        for node in walk(home)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in inner
    }
    computed: list[str] = []
    for statement in step.inside:
        for target in targets(statement):
            for node in walk(target):
                if isinstance(node, ast.Name) and node.id not in computed:
                    computed.append(node.id)
    step.outputs = [name for name in computed if name in used or name == step.loss]


def targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else []


def bound(statement: ast.AST) -> set[str]:
    """Names that a statement binds."""
    return {node.id for node in walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def read(statement: ast.AST) -> set[str]:
    """Names that a statement reads."""
    found = {node.id for node in walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    if isinstance(statement, ast.AugAssign):
        found |= bound(statement)
    return found


def names_bound(function: Function) -> set[str]:
    """A function's own names."""
    arguments = {node.arg for node in walk(function.args) if isinstance(node, ast.arg)}
    return arguments | bound(function)


def loads(statement: ast.stmt, function: Function | None) -> Iterable[ast.expr]:
    """The names that a statement reads; of attributes of ``self`` the whole chain up to what is known."""
    stack: list[ast.AST] = [statement.value] if isinstance(statement, SIMPLE) and statement.value else [statement]
    if isinstance(statement, ast.AugAssign):
        yield statement.target
    while stack:
        node = stack.pop(0)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and path_of(node):
            yield prefix(node)
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and path_of(node.func):
            inner = node.func if is_member(node.func) else node.func.value
            if inner is not node.func and is_module(value_of(inner)):
                raise NotUnderstood(f"`{short(node)}` calls a method of the model; a graph calls the model itself")
            stack = [inner, *node.args, *node.keywords, *stack]
            continue
        stack += children(node)


def is_member(node: ast.Attribute) -> bool:
    """``self.model`` itself, not a method of something."""
    return is_module(value_of(node)) or not isinstance(value_of(node), (Method, FunctionOf))


def prefix(node: ast.expr) -> ast.expr:
    """The shortest chain that is a tensor or a Module: of ``x.shape`` it is ``x``."""
    chain = [node]
    while isinstance(chain[-1], ast.Attribute):
        chain.append(chain[-1].value)
    for part in reversed(chain):
        if is_data(value_of(part)) or is_module(value_of(part)):
            return part
    root = chain[-1]
    return root if isinstance(value_of(root), (Ref, FunctionOf, ClassOf)) or value_of(root) is None else node


def instance_of(node: ast.expr | None) -> str:
    """The torch class of an expression, ""."""
    value = value_of(node) if node is not None else None
    return value.name if isinstance(value, Instance) else ""


def is_a(name: str, base: str) -> bool:
    """Whether a torch class derives from another."""
    return base in mro(name)
