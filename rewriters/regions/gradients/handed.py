"""``torch.autograd.grad`` of what other code has computed: ``def gradient(y, x)``, ``def hvp(loss, params, v)``.

Where a function is given both, or takes what a comprehension goes through, the call becomes one of a function that
looks at what led from the inputs to the outputs; all that did is traced where it is computed, in the functions that
call this one, too. What one of these gives of such calls is traced where it is given back.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.syntax import path_of
from rewriters.infer.values import (
    FunctionInfo,
    ModuleInfo,
    ObjectOf,
    Plain,
    Tensor,
)
from rewriters.regions.gradients.handed_names import (
    Asked,
    HandedOn,
    Home,
    Traced,
    asked_of,
    begun_in,
    bound_by,
    bound_in,
    bound_plain,
    call_in,
    called,
    came_of,
    depending,
    gives_rows,
    header,
    home_of,
    is_adding,
    is_filled,
    is_item,
    items_of,
    of_header,
    of_shape,
    parameters_of,
    read_by,
    rebound_in,
    returned_by,
    statements_of,
    widened,
)
from rewriters.regions.gradients.losses import only_detached
from rewriters.regions.gradients.names import of_node
from rewriters.regions.gradients.reads import is_parameter
from rewriters.regions.gradients.recorded import arguments_of_object, is_of_object, may_hold_tensors
from rewriters.regions.gradients.trained import arguments, module_prefix, outermost
from rewriters.regions.step import NotUnderstood
from rewriters.regions.tracing import value_of
from rewriters.text.tree import COMPREHENSIONS, children, walk


class Handed:
    """Of all files of a component.

    calls: the gradients that are taken of what is traced; refused: those that are not, with their files and the reason.
    """

    def __init__(self, modules: list[ModuleInfo]) -> None:
        self.homes: dict[Home, HandedOn] = {}
        self.calls: dict[ast.Call, ModuleInfo] = {}
        self.callers: dict[ast.AST, list[tuple[ast.Call, ModuleInfo, FunctionInfo]]] = {}
        self.grads: dict[Home, list[tuple[ast.Call, ast.expr, ast.expr]]] = {}
        self.refused: dict[ast.Call, tuple[ModuleInfo, str]] = {}
        self.giving: set[ast.expr] = set()
        self.met: dict[tuple[Home, str, str], bool] = {}
        self.modules = modules

    def look(self) -> None:
        """Find who calls what."""
        for module in self.modules:
            for call in module.nodes.of(ast.Call):
                for info in called(call):
                    self.callers.setdefault(info.node, []).append((call, module, info))

    def meet(self, home: Home, one: str, other: str) -> bool:
        """Whether some caller computes what it gives a parameter from what it gives another."""
        key = home, one, other
        if key in self.met:
            return self.met[key]
        self.met[key] = False
        for call, module, info in self.callers.get(home, ()):
            words = (arguments_of_object if is_of_object(call) else arguments)(call, info)
            first, second = words.get(one), words.get(other)
            if not isinstance(first, ast.Name) or second is None or of_shape(second):
                continue
            if ast.dump(first) == ast.dump(second):
                continue
            caller = HandedOn(module, home_of(module, call))
            roots = of_node(second).reads - only_detached(second)
            computed = depending(caller, list(statements_of(caller.home)), frozenset({first.id}), given=False)
            own = parameters_of(caller)
            others = came_of(caller, roots) & own - {first.id} if first.id in own else set()
            if roots & computed or any(self.meet(caller.home, first.id, each) for each in sorted(others)):
                self.met[key] = True
        return self.met[key]

    def find(self, grads: dict[ModuleInfo, list[tuple[ast.Call, ast.expr, ast.expr]]], begun: set[ast.Call]) -> None:
        """grads: of each file the calls, with outputs and inputs; begun: those to begin with."""
        where = {call: (module, outputs, inputs) for module, found in grads.items() for call, outputs, inputs in found}
        self.grads = {}
        for call, (module, outputs, inputs) in where.items():
            self.grads.setdefault(home_of(module, call), []).append((call, outputs, inputs))
        waiting = [self.take(home_of(where[call][0], call), where[call][0]) for call in where if call in begun]
        while waiting:
            one = waiting.pop()
            if one.seen != (len(one.asked), one.returns):
                one.seen = len(one.asked), one.returns
                try:
                    waiting += self.follow(one)
                except NotUnderstood as reason:
                    self.stop(one, str(reason))

    def takes(self, node: ast.AST) -> bool:
        """Whether code takes gradients of what is traced."""
        calls = [part for part in walk(node) if isinstance(part, ast.Call)] if self.homes else []
        return any(
            call in self.calls or any(info.node in self.homes and self.homes[info.node].given for info in called(call))
            for call in calls
        )

    def stop(self, one: HandedOn, reason: str) -> None:
        """Leave a function as it is, with the reason at what takes gradients there."""
        for call in [asked.call for asked in one.asked]:
            self.refused[call] = self.calls.pop(call, one.module), reason
        one.traced.clear()

    def take(self, home: Home, module: ModuleInfo) -> HandedOn:
        """A function whose gradients are all taken of what is traced."""
        if home not in self.homes:
            found = self.homes[home] = HandedOn(module, home)
            for call, outputs, inputs in self.grads.get(home, ()):
                self.calls[call] = module
                found.asked.append(widened(asked_of(call, (outputs,), [inputs]), module))
        return self.homes[home]

    def follow(self, one: HandedOn) -> list[HandedOn]:
        """Find what a function has traced; what is to be followed then."""
        found: list[HandedOn] = []
        one.traced.clear()
        inputs = frozenset(name for asked in one.asked for name in asked.inputs)
        returned = returned_by(one.home) if one.returns else []
        exact = frozenset(name for asked in one.asked for name in asked.exact)
        begun = inputs | begun_in(one.home)
        asked = [*one.asked, *(Asked(call_in(value), (value,), begun, exact) for value in returned)]
        for each in asked:
            needed = self.slice(one, each, found)
            given = (needed & parameters_of(one)) - each.exact
            if given - one.given:
                one.given |= given
                found += self.callers_of(one)
        return found

    def callers_of(self, one: HandedOn) -> Iterator[HandedOn]:
        """The functions that give a function what it takes gradients of."""
        own = parameters_of(one)
        inputs = came_of(one, {name for asked in one.asked for name in asked.inputs}) & own
        for call, module, info in self.callers.get(one.home, ()):
            words = (arguments_of_object if is_of_object(call) else arguments)(call, info)
            caller = self.take(home_of(module, call), module)
            outputs = tuple(words[name] for name in sorted(one.given) if name in words)
            exact = {name for asked in one.asked for name in asked.exact} & own
            asked = asked_of(call, outputs, [words[name] for name in sorted(inputs) if name in words])
            if not inputs <= exact:  # parts of what is given
                asked = Asked(call, outputs, asked.inputs)
            asked = widened(asked, module)
            caller.asked = [other for other in caller.asked if other.call is not call] + [asked]
            caller.seen = None
            yield caller

    def slice(self, one: HandedOn, asked: Asked, found: list[HandedOn]) -> set[str]:
        """Have all be traced that leads to the outputs; the names that it reads."""
        statements = list(statements_of(one.home))
        names = depending(one, statements, asked.inputs)
        for output in asked.outputs:
            if isinstance(output, ast.Name) and read_by(output) & (names - parameters_of(one)):
                raise NotUnderstood(f"`{output.id}` reads by itself what the outputs are computed from")
        read = {name for output in asked.outputs for name in of_node(output).reads}
        needed, items = read & names, set[str]()
        for comprehension in one.module.nodes.all_around(asked.call, *COMPREHENSIONS):
            for generator in comprehension.generators:  # type: ignore[attr-defined]
                given = (of_node(generator.iter).reads - only_detached(generator.iter)) & names
                if of_node(generator.target).binds & read and given:
                    needed |= given
                    items |= of_node(generator.target).binds - bound_plain(generator.target)
                    self.trace(one, generator.iter, names, found, whole=True)
        for output in asked.outputs:
            self.trace(one, output, names | items, found)
        before: set[str] = set()
        done: set[ast.stmt] = set()
        while before != needed:
            before = set(needed)
            for statement in statements:
                of = of_header(statement)
                if statement in done or not (of.binds & needed & names) or of.binds <= asked.exact:
                    continue
                both = bool(of.binds & asked.inputs)
                if not both and not (of.reads - only_detached(header(statement))) & names:
                    continue
                done.add(statement)
                if is_filled(statement):
                    continue
                needed |= of.reads & names
                self.trace_statement(one, statement, names, found, both)
        return needed

    def trace_statement(
        self, one: HandedOn, statement: ast.stmt, names: set[str], found: list[HandedOn], both: bool
    ) -> None:
        """both: it may give outputs and inputs, which a function that it calls has made. Raises NotUnderstood."""
        if both and isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            for info in called(statement.value):
                caller = self.take(info.node, info.module)
                if not caller.returns:
                    caller.returns = True
                    found.append(caller)
                self.giving.add(statement.value)
        if isinstance(statement, (ast.For, ast.AsyncFor)):
            self.trace(one, statement.iter, names, found, whole=True)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in (part for whole in targets for part in walk(whole)):
                if isinstance(target, ast.Subscript) and isinstance(value_of(target.value), Tensor):
                    raise NotUnderstood(f"line {statement.lineno} changes a tensor while the outputs are computed")
            self.trace(one, statement.value, names, found)
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            self.trace(one, statement.value, names, found, around=statement)
        elif is_adding(statement):
            self.trace(one, statement.value.args[-1], names, found)  # type: ignore[attr-defined]
        else:
            raise NotUnderstood(f"line {statement.lineno} changes what the outputs are computed from")

    def trace(
        self,
        one: HandedOn,
        node: ast.expr,
        names: set[str],
        found: list[HandedOn],
        around: ast.AugAssign | None = None,
        whole: bool = False,
    ) -> None:
        """Have an expression be traced, unless it is a name, or what a call gives whose results are traced.

        whole: a name, too: it is gone through.
        """
        if around is None and not whole and (parts := items_of(node)):
            for part in parts:
                self.trace(one, part, names, found)
            return
        inner = list(self.inner_of(node, found))
        for piece in inner:
            if isinstance(piece, COMPREHENSIONS):
                self.trace_items(one, piece, names, found)
        if whole and not gives_rows(node):
            return
        if around is None and (inner[:1] == [node] or (not whole and is_item(node))):
            return
        own = {id(part) for piece in inner for part in walk(piece)}
        chains = [part for part in outermost(node) if id(part) not in own]
        inputs = dict.fromkeys(path for part in chains if (path := self.input_of(part, names, node)))
        if around is not None:
            inputs = {ast.unparse(around.target): None, **inputs}
        if inputs or inner or any(module_prefix(part) for part in chains):
            chains = [part for part in chains if not isinstance(value_of(part), Plain)]
            modules = dict.fromkeys(filter(None, map(module_prefix, chains)))
            before = one.traced.get(around or node)
            if before is not None:
                inputs, modules = dict.fromkeys([*before.inputs, *inputs]), dict.fromkeys([*before.modules, *modules])
            read = [part.id for part in walk(node) if isinstance(part, ast.Name) and id(part) not in own]
            inside = {name for part in walk(node) for name in bound_by(part)}
            bound = dict.fromkeys(name for name in read if name in rebound_in(one.home) and name not in inside)
            left = [name for name in bound if name not in inputs]
            for name in (part for part in walk(node) if isinstance(part, ast.Name)):
                if late := read_by(name) & rebound_in(one.home):
                    raise NotUnderstood(f"`{name.id}` reads `{min(late)}` by itself, which changes")
            one.traced[around or node] = Traced(around or node, list(inputs), inner, list(modules), whole, left)

    def trace_items(self, one: HandedOn, node: ast.expr, names: set[str], found: list[HandedOn]) -> None:
        """What a comprehension gives one by one, where gradients are taken in it. Raises NotUnderstood."""
        if isinstance(node, ast.GeneratorExp):
            raise NotUnderstood(f"line {node.lineno} takes gradients in a generator: write a list")
        own: set[str] = set()
        for generator in node.generators:  # type: ignore[attr-defined]
            items = of_node(generator.target).binds - bound_plain(generator.target)
            if items and (of_node(generator.iter).reads - only_detached(generator.iter)) & names:
                self.trace(one, generator.iter, names, found, whole=True)
                own |= items
        self.trace(one, node.value if isinstance(node, ast.DictComp) else node.elt, names | own, found)  # type: ignore[attr-defined]

    def inner_of(self, node: ast.expr, found: list[HandedOn]) -> Iterator[ast.expr]:
        """Calls whose results are traced: gradients, and functions that are given what they take gradients of."""
        taken = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.value in self.calls
        if taken or node in self.calls or node in self.giving:
            yield node
            return
        if isinstance(node, ast.Call):
            those = [self.homes[info.node] for info in called(node) if info.node in self.homes]
            if any(one.given for one in those):
                for one in those:
                    if not one.returns:
                        one.returns = True
                        found.append(one)
                yield node
                return
        if isinstance(node, COMPREHENSIONS) and self.takes(node):
            yield node
        elif not isinstance(node, (*COMPREHENSIONS, ast.Lambda)):
            for part in children(node):
                if isinstance(part, ast.keyword):
                    part = part.value
                if isinstance(part, ast.expr):
                    yield from self.inner_of(part, found)

    def input_of(self, node: ast.expr, names: set[str], around: ast.expr) -> str:
        """The path of what may hold tensors in a chain that an expression reads. Raises NotUnderstood."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        inside = {name for part in walk(around) if isinstance(part, COMPREHENSIONS) for name in bound_in(part)}
        if not isinstance(root, ast.Name) or root.id not in names or root.id in inside or module_prefix(node):
            return ""
        if read_by(root) & names:
            raise NotUnderstood(f"`{root.id}` reads by itself what the outputs are computed from")
        if not isinstance(value_of(root), ObjectOf):
            return root.id if may_hold_tensors(value_of(root)) else ""
        if isinstance(node, ast.Name):
            raise NotUnderstood(f"`{node.id}` may keep what the outputs are computed from")
        if isinstance(value_of(node), Tensor) and not is_parameter(node):  # type: ignore[arg-type]
            return path_of(node) or ""
        return ""
