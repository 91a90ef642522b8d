"""``torch.autograd.grad(outputs, inputs)``: the statements that compute the outputs become a function of the inputs,
which is computed with a function that carries gradients back; the call becomes a call of that.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from rewriters.infer.values import ModuleInfo, Plain, Ref, Tensor
from rewriters.regions.gradients.computing import is_without
from rewriters.regions.gradients.handed import Handed
from rewriters.regions.gradients.handed_edits import HandedEdits
from rewriters.regions.gradients.losses import bound_late, in_loop, only_detached, own_leave, sequence
from rewriters.regions.gradients.names import Names, names_of, of_node
from rewriters.regions.gradients.order import LEAVING, in_order
from rewriters.regions.gradients.reads import kept_parameters, reads_parameters
from rewriters.regions.gradients.words import Carried, Words
from rewriters.regions.hazards import short
from rewriters.regions.plan import (
    Draft,
    Plan,
    is_within,
    lines_of,
    replace,
    replace_within,
    settle,
    standing_alone,
    whole_lines,
)
from rewriters.regions.renaming import free
from rewriters.regions.step import NotUnderstood, Parents, position
from rewriters.regions.tracing import is_module, value_of
from rewriters.report import Outcome
from rewriters.text.tree import COMPREHENSIONS, is_true, walk

GRAD = "torch.autograd.grad"
WORDS = ("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph", "only_inputs", "allow_unused")


@dataclass(eq=False)
class Derivative:
    """One call.

    statement: around it. inputs: names. final: the expression that is differentiated; by: what its gradient is.
    inside:    the statements that compute it from the inputs; after: others between them, which come behind.
    outputs:   names that these bind and others read.
    module:    the inputs are all parameters of the module of that name.
    held:      inputs that hold a parameter.
    function, backward, value: the names that are given.
    """

    call: ast.Call
    statement: ast.stmt
    home: ast.AST
    inputs: list[str]
    final: ast.expr
    by: ast.expr | None
    constant: bool
    plain: bool
    inside: list[ast.stmt] = field(default_factory=list)
    after: list[ast.stmt] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    module: bool = False
    held: set[str] = field(default_factory=set)
    function: str = ""
    backward: str = ""
    value: str = ""


class Understood:
    """Of one file. plan: whose names are taken."""

    def __init__(self, module: ModuleInfo, plan: Plan) -> None:
        self.module, self.plan = module, plan
        self.parents = Parents(module)
        self.names = {node.id for node in module.nodes.of(ast.Name)} | set(module.scope)

    def understand(self, but: Container[ast.Call] = ()) -> tuple[list[Derivative], dict[ast.Call, str]]:
        """The calls, in the order of the text, less some; those that are not understood with the reason."""
        calls = [node for node in self.module.nodes.of(ast.Call) if is_grad(node) and node not in but]
        before: dict[ast.AST, list[Derivative]] = {}
        failed: dict[ast.Call, str] = {}
        for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
            home = self.module.nodes.around(call, ast.FunctionDef, ast.AsyncFunctionDef) or self.module.tree
            try:
                found = read_call(call, self.statement(call), home)
                self.find(found, before.setdefault(home, []), home)
            except NotUnderstood as reason:
                failed[call] = str(reason)
            else:
                before[home].append(found)
        every = [one for those in before.values() for one in those]
        return sorted(every, key=lambda one: (one.call.lineno, one.call.col_offset)), failed

    def statement(self, call: ast.Call) -> ast.stmt:
        return next(node for node in self.parents.around(call) if isinstance(node, ast.stmt))

    def find(self, found: Derivative, others: list[Derivative], home: ast.AST) -> None:
        """Fill in the rest. Raises NotUnderstood."""
        if any(other.statement is found.statement for other in others):
            raise NotUnderstood("two of them stand in one statement: give each a name in a statement of its own")
        before = sequence(found.statement, self.parents)
        starts = [place for place, one in enumerate(before) if of_node(one).binds & set(found.inputs)]
        found.inside = inside_of(found, before[max(starts, default=-1) + 1 :])
        for other in others:  # what is a function already is taken as a whole
            if {*other.inside, other.statement} & set(found.inside):
                found.inside = [one for one in before if one in found.inside or one in other.inside]
        if not found.inside and not of_node(found.final).reads & set(found.inputs):
            raise NotUnderstood(
                f"`{short(found.final)}` is not known to be computed from {', '.join(found.inputs)} in this function: "
                "write a function of the inputs and take torch.func.grad of it"
            )
        found.inside = in_order(found.inside + bound_late(found.inside, found.final, before), self.parents)
        names = names_of(*found.inside)
        self.check(found, before, names)
        if found.module:
            self.check_module(found, home)
        own = {id(node) for one in found.inside for node in walk(one)}
        read = {
            n.id for n in walk(home) if isinstance(n, ast.Name) and id(n) not in own and isinstance(n.ctx, ast.Load)
        }
        kept = {
            one.backward
            for one in others
            if one.inside and set(one.inside) <= set(found.inside) and one.statement not in found.inside
        }
        order = [n.id for one in found.inside for n in walk(one) if isinstance(n, ast.Name) and n.id in names.binds]
        own_name = found.final.id if isinstance(found.final, ast.Name) else ""
        found.given = sorted((names.reads & names.binds) - set(found.inputs))
        if found.inside and in_loop(found.inside[0], home):  # the next turn goes on from there
            read |= set(found.given)
        found.outputs = [name for name in dict.fromkeys(order) if name in read and name != own_name] + sorted(kept)
        found.function, found.backward = self.free(f"{own_name or 'outputs'}_of"), self.free("backward")
        found.value = own_name or self.free("outputs")

    def check(self, found: Derivative, before: list[ast.stmt], names: Names) -> None:
        if names.stores:
            raise NotUnderstood(f"line {names.stores[0].lineno} stores an attribute while the outputs are computed")
        if len({id(self.parents.block(one)) for one in found.inside}) > 1:
            raise NotUnderstood("the outputs are computed partly under a condition or a `with`: write it in one block")
        for one in found.inside:
            if any(isinstance(node, LEAVING) and not own_leave(one, node) for node in walk(one)):
                raise NotUnderstood(f"line {one.lineno} may leave while the outputs are computed")
        places = [place for place, one in enumerate(before) if one in found.inside]
        bound: set[str] = set()
        for one in before[min(places, default=0) : max(places, default=-1) + 1]:
            if one in found.inside:
                bound |= of_node(one).binds
            elif of_node(one).reads & bound:
                later = names_of(*(other for other in found.inside if position(other) > position(one)))
                leaves = any(isinstance(node, LEAVING) and not own_leave(one, node) for node in walk(one))
                if leaves or later.reads & of_node(one).binds or one not in self.parents.block(found.inside[0]):
                    raise NotUnderstood(
                        f"line {one.lineno} looks at what is computed before the outputs are: write it behind"
                    )
                found.after.append(one)
                bound |= of_node(one).binds

    def check_module(self, found: Derivative, home: ast.AST) -> None:
        """That the outputs come to the module's parameters by its name alone. Raises NotUnderstood."""
        parts = [*found.inside, found.final]
        reads = names_of(*parts).reads - inputs_alone(parts)
        for name, value in kept_parameters(reads, home, {id(part) for part in parts}):
            raise NotUnderstood(f"`{name}` is `{short(value)}`, made before: read the parameters where the loss is")

    def free(self, name: str) -> str:
        found = free(name, self.names | self.plan.names)
        self.plan.names.add(found)
        return found


class Derivatives(Understood):
    """Of one file, as they are written."""

    def __init__(self, module: ModuleInfo, plan: Plan, words: Words) -> None:
        super().__init__(module, plan)
        self.words = words

    def prepare(self, handed: Handed) -> set[ast.stmt]:
        """Find the calls and keep the walk from what is written here; edits come in the order of the text.

        handed: what is taken of what other functions have computed. Returns the statements.
        """
        own = {call: given_to(call) for call, module in handed.calls.items() if module is self.module}
        homes = [one for one in handed.homes.values() if one.module is self.module]
        edits = HandedEdits(self.module, self.plan, self.words, GRAD)
        edits.prepare(homes, own)
        refused = {call: reason for call, (module, reason) in handed.refused.items() if module is self.module}
        for call, reason in refused.items():
            if not is_grad(call):
                edits.refuse(call, reason)
        understood, failed = self.understand(own)
        for call, reason in failed.items():
            self.plan.refuse(self.statement(call), f"autograd.grad: {refused.get(call, reason)}")
        for found in understood:
            call = found.call
            self.plan.parts[call] = [found.final, *([found.by] if found.by is not None else [])]
            self.plan.site(call, Outcome.INLINED, "gradients by a function of the inputs")
            self.plan.edits.append(lambda draft, one=found: self.edit(one, draft))  # type: ignore[misc]
        return {found.statement for found in understood} | {self.statement(call) for call in own}

    def edit(self, found: Derivative, draft: Draft) -> None:
        source = draft.source
        spans = {one: whole_lines(source, one) for one in [*found.inside, *found.after, found.statement]}
        reason = "several statements share a line" if None in spans.values() else ""
        if not is_within(source, found.call):
            reason = "give what it gives a name in a statement of its own"
        if reason:
            self.plan.refuse(found.statement, f"autograd.grad: {reason}")
            replace_within(source, found.call.func, draft.stand_in(GRAD))
            return
        for span in spans.values():
            settle(draft, span)  # type: ignore[arg-type]
        final = standing_alone(source.text(found.final, source.edits))
        by = source.text(found.by, source.edits) if found.by is not None else ""
        text = self.words.pulled(found.backward, by, found.value, found.constant, found.plain, draft)
        replace_within(source, found.call, text)
        body = [line for one in found.inside for line in lines_of(source, spans[one])]  # type: ignore[arg-type]
        what = Carried(
            found.function,
            found.inputs,
            found.given,
            body,
            final,
            found.value,
            found.backward,
            found.outputs,
            found.module,
            [self.given(name, found, draft) for name in found.inputs],
            any(may_be_dict(node) for one in found.inside for node in walk(one) if node_id(node) in found.outputs),
        )
        lines = self.words.carried(what, draft)
        place = found.inside[-1] if found.inside else found.statement
        if not found.inside:
            lines += lines_of(source, spans[place])  # type: ignore[arg-type]
        lines += [line for one in found.after for line in lines_of(source, spans[one])]  # type: ignore[arg-type]
        for one in [*found.inside, *found.after]:
            replace(source, spans[one], "")  # type: ignore[arg-type]
        indent = source.indentation_of(place)
        new = "".join(f"{indent}{line}{source.newline}" if line else source.newline for line in lines)
        replace(source, spans[place], new)  # type: ignore[arg-type]

    def given(self, name: str, found: Derivative, draft: Draft) -> str:
        """An input, as arrays: what holds parameters in a list is read."""
        if name in found.held:
            return f"{name}{self.words.held}"
        home = self.module.nodes.around(found.call, ast.FunctionDef, ast.AsyncFunctionDef) or self.module.tree
        made = (one for one in walk(home) if isinstance(one, ast.Assign))
        values = [one.value for one in made if any(getattr(target, "id", "") == name for target in one.targets)]
        listed = not found.plain and not found.module and any(map(reads_parameters, values))
        return self.words.arrays(name, draft) if listed else name


def node_id(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""


def may_be_dict(node: ast.AST) -> bool:
    return not isinstance(value_of(node), (Tensor, Plain))


def inputs_alone(parts: list[ast.AST]) -> set[str]:
    """Names that gradients are taken with respect to in them, and that nothing else there reads."""
    nodes = [node for part in parts for node in walk(part)]
    given = [
        w.value
        for call in nodes
        if isinstance(call, ast.Call) and is_grad(call)
        for w in call.keywords
        if w.arg == "inputs"
    ]
    given += [call.args[1] for call in nodes if isinstance(call, ast.Call) and is_grad(call) and len(call.args) > 1]
    read = [node.id for node in nodes if isinstance(node, ast.Name) and node not in given]
    return {node.id for node in given if isinstance(node, ast.Name)} - set(read)


def is_grad(node: ast.Call) -> bool:
    value = value_of(node.func)
    return isinstance(value, Ref) and value.name == GRAD


def given_to(call: ast.Call) -> dict[str, ast.expr]:
    """Raises NotUnderstood."""
    if any(isinstance(part, ast.Starred) for part in call.args) or any(word.arg is None for word in call.keywords):
        raise NotUnderstood("its arguments are starred")
    return dict(zip(WORDS, call.args, strict=False)) | {word.arg: word.value for word in call.keywords if word.arg}


def read_call(call: ast.Call, statement: ast.stmt, home: ast.AST) -> Derivative:
    """Raises NotUnderstood."""
    given = given_to(call)
    outputs, by = (single(given.get(name)) for name in ("outputs", "grad_outputs"))
    inputs = given.get("inputs")
    if set(given) - {*WORDS, "materialize_grads"} or outputs is None or inputs is None:
        raise NotUnderstood("it is called in a way that has no counterpart; take torch.func.vjp of a function")
    if "allow_unused" in given and not is_false(given["allow_unused"]) and not is_true(given.get("materialize_grads")):
        raise NotUnderstood("inputs that are not used have zeros here, and None in torch: leave allow_unused out")
    inside = [one for one in walk(statement) if isinstance(one, (*COMPREHENSIONS, ast.Lambda)) and call in walk(one)]
    names_inside = {name for one in inside for name in bound_inside(one)}
    if any(isinstance(one, ast.Name) and one.id in names_inside for part in (outputs, inputs) for one in walk(part)):
        raise NotUnderstood("what a comprehension binds goes into it: write a loop")
    module = module_of(inputs, home)
    several = isinstance(inputs, (ast.List, ast.Tuple)) or module is not None
    inputs = module or inputs
    names = inputs.elts if isinstance(inputs, (ast.List, ast.Tuple)) else [inputs]
    if not all(isinstance(name, ast.Name) for name in names):
        raise NotUnderstood(
            f"`{short(inputs)}`: give the inputs names of their own; gradients of a model's parameters are those of "
            "torch.func.grad of a function that calls torch.func.functional_call"
        )
    by = None if isinstance(by, ast.Constant) and by.value is None else by
    constant = "create_graph" not in given or is_false(given["create_graph"])
    plain = several or isinstance(value_of(names[0]), Tensor)
    ids = [name.id for name in names]  # type: ignore[attr-defined]
    made = {target for one in walk(home) if isinstance(one, ast.Assign) for target in parameters_made(one)}
    held = made & set(ids) if module is None else set()
    return Derivative(call, statement, home, ids, outputs, by, constant, plain, module=module is not None, held=held)


def bound_inside(node: ast.AST) -> set[str]:
    """The names that a comprehension or a lambda binds."""
    own = {part.arg for part in walk(node) if isinstance(part, ast.arg)}
    return own | {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def parameters_made(statement: ast.Assign) -> set[str]:
    """Names that ``nn.Parameter(...)`` is bound to."""
    value = value_of(statement.value.func) if isinstance(statement.value, ast.Call) else None
    made = isinstance(value, Ref) and value.name == "torch.nn.Parameter"
    return {target.id for target in statement.targets if isinstance(target, ast.Name)} if made else set()


def module_of(inputs: ast.expr, home: ast.AST) -> ast.Name | None:
    """``net`` of ``net.parameters()``, of a list of these, and of a name that stands for that alone."""
    if isinstance(inputs, ast.Name):
        named = (node for node in walk(home) if isinstance(node, ast.Name) and node.id == inputs.id)
        stores = [node for node in named if isinstance(node.ctx, ast.Store)]
        values = [node.value for node in walk(home) if isinstance(node, ast.Assign) and node.targets == stores]
        once = len(stores) == len(values) == 1 and isinstance(values[0], (ast.Call, ast.ListComp))
        return module_of(values[0], home) if once else None
    if isinstance(inputs, ast.ListComp) and (whole := all_in(inputs)) is not None:
        inputs = whole
    if isinstance(inputs, ast.Call) and getattr(inputs.func, "id", "") in ("list", "tuple") and len(inputs.args) == 1:
        inputs = inputs.args[0]
    method = inputs.func if isinstance(inputs, ast.Call) and not inputs.args and not inputs.keywords else None
    if not isinstance(method, ast.Attribute) or method.attr != "parameters" or not isinstance(method.value, ast.Name):
        return None
    return method.value if is_module(value_of(method.value)) else None


def all_in(node: ast.ListComp) -> ast.expr | None:
    """``net.parameters()`` of ``[p for p in net.parameters() if p.requires_grad]``: others have no gradients."""
    one = node.generators[0]
    name = node.elt.id if isinstance(node.elt, ast.Name) else ""
    tests = {ast.unparse(test) for test in one.ifs} - {f"{name}.requires_grad"}
    plain = len(node.generators) == 1 and name and getattr(one.target, "id", "") == name and not tests
    return one.iter if plain else None


def single(node: ast.expr | None) -> ast.expr | None:
    """What a list of one holds. Raises NotUnderstood of several."""
    if not isinstance(node, (ast.List, ast.Tuple)):
        return node
    if len(node.elts) != 1:
        raise NotUnderstood("it is of several outputs: sum them")
    return node.elts[0]


def is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def inside_of(found: Derivative, statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that compute the outputs from the inputs."""
    derived = dict(depending(statements, set(found.inputs)))
    needed = of_node(found.final).reads - only_detached(found.final)
    inside: list[ast.stmt] = []
    for one in reversed(statements):
        names = of_node(one)
        if one in derived and needed & names.binds:
            inside.insert(0, one)
            needed = (needed - (names.sure - names.reads)) | (names.reads - only_detached(one))
    return inside


def depending(statements: list[ast.stmt], names: set[str]) -> Iterator[tuple[ast.stmt, set[str]]]:
    """Statements that compute with these names, or with what came of them, and what they bind."""
    for one in statements:
        of = of_node(one)
        if not is_without(one) and (of.reads - only_detached(one)) & names:
            names |= of.binds
            yield one, of.binds
        else:
            names -= of.sure
