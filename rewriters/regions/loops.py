"""Training steps: forward, loss, ``loss.backward()``, ``optimizer.step()`` in one block, found by what names are.

A ``Step`` is one that is understood whole: a graph may take its place, and everything between stays meaningful. What is
not understood is a ``NotUnderstood`` with the reason.
"""

from __future__ import annotations

import ast
import builtins

from rewriters.infer.values import ClassInfo, ClassOf, FunctionOf, ModuleInfo, Ref, Tensor
from rewriters.regions.gradients.names import of_node
from rewriters.regions.hazards import in_statement, short
from rewriters.regions.step import SIMPLE, NotUnderstood, Parents, Step
from rewriters.regions.tracing import classes_in, is_module, path_of, value_of
from rewriters.regions.update import find_update
from rewriters.regions.used_names import bound, instance_of, is_data, loads, names_bound, read, targets
from rewriters.text.tree import walk


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
        if index < last and of_node(statement).binds & set(step.inputs):
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
