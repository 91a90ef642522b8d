"""Augmented assignments of tensors, where the target's bind the name anew: ``x += y`` changes x for all who hold it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from rewriters.infer.joining import gives_tensor, may_be_held, tensors_in
from rewriters.infer.values import Bottom, External, Items, Plain, Series, Tensor, Unknown
from rewriters.places import Change, Reader
from rewriters.places.arrays import AS_ARRAYS
from rewriters.places.calls import NUMPY_OF, SHALLOW, gives_array, is_data
from rewriters.report import Outcome
from rewriters.rewrite.array_names import ARRAYS_TOO
from rewriters.rewrite.arriving import Arriving
from rewriters.rewrite.augmented_data import AugmentedData
from rewriters.rewrite.augmented_targets import (
    READ_AGAIN,
    is_item,
    is_like,
    is_like_name,
    is_looked_up,
    is_number,
    is_number_value,
    is_open,
    is_same,
    may_be_gathered,
    parts_of,
)
from rewriters.rewrite.becoming import Becoming
from rewriters.rewrite.promoting import BINARY
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rules.binding import choose
from rewriters.rules.inline import Inliner, RuleRaises, is_all, is_part
from rewriters.rules.ordering import check_effects
from rewriters.rules.promotion import mixed, of_several_sizes, of_several_widths
from rewriters.rules.refusal import NoMatch, Obstacle, Refusal
from rewriters.rules.render import enclosed
from rewriters.rules.rulebook import Rule
from rewriters.rules.tidy import as_method, tidy
from rewriters.text.tree import walk
from rewriters.torch.table import entry

OTHERS = Reader("others")
# Attributes that are tensors on most that have them.
OF_LAYERS = frozenset({"weight", "bias", "running_mean", "running_var"})


class Augmented(Rewriting):
    """Rewrites ``x += y`` by the rule under ``torch.Tensor.__iadd__``, where somebody else sees the change.

    Under ``torch.Tensor.__iadd__:any`` is a rule for what may be a tensor, if something says so. Under
    ``torch.Tensor.__ipow__:unknown`` is one for all that may be, whoever sees it: of operators that are rare on others.
    Under ``torch.Tensor.__iadd__:data`` is one for ``x.data += y``.
    """

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        # Statements at which something is seen otherwise than in torch: the node, the rule's key, and why.
        self.differing: dict[ast.stmt, list[tuple[ast.AST, str, str]]] = {}
        self.arriving, self.becoming, self.data = Arriving(tools), Becoming(tools), AugmentedData(tools)

    def look_for_copies(self, function: ast.AST | None) -> None:
        """What in the function, or at the top of the file, changes a copy where torch changes what others see.

        A rule under ``torch.chunk:shared`` gives what shares memory as torch's does, one under
        ``torch.Tensor.expand:stored`` answers where items are stored into it; else the change is marked.
        """
        for within in (function, *self.lambdas.get(function, ())):
            self.look_into(within)

    @cached_property
    def lambdas(self) -> dict[ast.AST | None, list[ast.Lambda]]:
        """Those that stand in each function, or in none, one in the other too."""
        found: dict[ast.AST | None, list[ast.Lambda]] = {}
        for node in self.source.nodes.of(ast.Lambda):
            home = self.source.nodes.around(node, ast.FunctionDef, ast.AsyncFunctionDef)
            found.setdefault(home, []).append(node)
        return found

    def look_into(self, function: ast.AST | None) -> None:
        """As above, of one function or lambda."""
        self.share_kept(function)
        self.share_given_out(function)
        self.part_lent(function)
        self.becoming.look_into(function)
        for event, change in self.shared.places.broken(function, self.known.module):
            if isinstance(event, ast.AugAssign) and self.starts_as_number(event.target):
                continue
            if self.arriving.waits(change, self.keys_of(change.beside if change.of_array else change.copies)):
                for call in change.copies:
                    self.share(call, False)
                continue
            if change.spread is not None:
                self.mark_spread(event, change)
                continue
            for call in change.copies:
                if not self.share(call, isinstance(event, ast.Subscript)):
                    key = self.key_of(call)
                    reader, short = change.broken, key.rpartition(".")[2]
                    why = f"torch changes {reader} too, in the memory of {short}'s result"
                    mend = f"{self.target.title}'s is a copy: change both, or index instead of {short}"
                    self.is_otherwise(change.statement, event, key, f"{why}; {mend}")

        if not self.target.view_gradients:
            for event, change in self.shared.places.apart(function, self.known.module):
                if self.stores(event, change.statement):
                    continue
                why = f"the gradient of {change.apart} misses this change: {self.target.title}'s views hand none on"
                self.is_otherwise(change.statement, event, "torch.Tensor.grad", f"{why}; store into [...] instead")

    def key_of(self, call: ast.Call) -> str:
        """What torch calls it, or numpy."""
        callee = self.names.resolve(call.func)
        if callee is not None:
            return self.names.key_of(callee)
        return NUMPY_OF if gives_array(call) else name_of(call) or ast.unparse(call.func)

    def keys_of(self, calls: Sequence[ast.Call]) -> list[str]:
        """The same of several; of a function of the project, of what makes the copies that it gives."""
        return [key for call in calls for key in (self.shared.places.made_inside(call) or [self.key_of(call)])]

    def share(self, call: ast.Call, stored: bool) -> bool:
        """Have a rule make what a call gives share memory as torch's does, or store changes to it; whether one does."""
        inside, key = self.shared.places.made_inside(call), self.key_of(call)
        if inside and all(sharing_rule(name) in self.book.rules for name in inside):
            return True  # there it is made so
        if self.is_as_array(call):
            return True
        for kind in ("stored", "shared") if stored else ("shared",):
            if f"{key}:{kind}" in self.book.rules:
                self.answer_by(call, f"{key}:{kind}")
                return True
        return False

    def answer_by(self, call: ast.Call, key: str) -> None:
        """By that rule, unless one that says what differs answers already."""
        if not self.draft.keys.get(call, "").endswith((":computed", ":copied", ":strided", ":torn")):
            self.draft.keys[call] = key

    def is_as_array(self, call: ast.Call) -> bool:
        """Whether it is ``np.asarray(x)``, which a rule then makes share memory with x."""
        key = sharing_rule(name_of(call))
        if name_of(call) == SHALLOW:
            return key in self.book.rules  # it is made so wherever it may be of a tensor
        if name_of(call) not in AS_ARRAYS or key not in self.book.rules:
            return False
        self.draft.keys[call] = key
        return True

    def mark_spread(self, event: ast.AST, change: Change) -> None:
        """``x.expand(3, 2)[0] = 1``: of rows that are one row in torch."""
        assert change.spread is not None
        name = ast.unparse(change.spread.func).rpartition(".")[2]
        callee = self.names.resolve(change.spread.func)
        key = name if callee is None else self.names.key_of(callee)
        why = f"torch has one place in memory for what {name} repeats, and changes all of it"
        self.is_otherwise(change.statement, event, key, f"{why}; change what it is made of, or a clone()")

    def is_otherwise(self, statement: ast.stmt, node: ast.AST, key: str, why: str) -> None:
        """To be marked when the statement is come to."""
        if not hasattr(statement, "parent"):  # a lambda's, of which the tree knows nothing
            statement = self.source.nodes.around(node, ast.stmt)  # type: ignore[assignment]
        self.differing.setdefault(statement, []).append((node, key, why))

    def share_kept(self, function: ast.AST | None) -> None:
        """What objects keep beside what it is a view of in torch; where no rule makes it one, the line is marked."""
        for call, name in self.shared.places.kept(function, self.known.module).items():
            callee = self.names.resolve(call.func)
            key = "" if callee is None else self.names.key_of(callee)
            kinds = ("stored", "shared") if name in self.shared.places.changed.stored else ("shared",)
            if rules := [f"{key}:{kind}" for kind in kinds if f"{key}:{kind}" in self.book.rules]:
                self.answer_by(call, rules[0])
            elif key:
                statement = self.source.nodes.around(call, ast.stmt)
                assert isinstance(statement, ast.stmt)
                why = f"torch's shares memory with what it is made of, and {name} changes in place"
                self.is_otherwise(statement, call, key, f"{why}; {self.target.title}'s is a copy: change both")

    def share_given_out(self, function: ast.AST | None) -> None:
        """What callers see of what the function gives; where no rule makes it so, they are marked."""
        for call in self.shared.places.given_out_of(function, self.known.module):
            callee = self.names.resolve(call.func)
            key = "" if callee is None else self.names.key_of(callee)
            if f"{key}:shared" in self.book.rules:
                self.answer_by(call, f"{key}:shared")
            self.is_as_array(call)

    def part_lent(self, function: ast.AST | None) -> None:
        """``s = x.sum(); x += 1``: of what may have no axes, by the rule under ``torch.Tensor.sum:lent``.

        Of what is known to be a tensor it is the rule under ``:apart``.
        """
        for call in self.shared.places.lent(function, self.known.module):
            callee = self.names.resolve(call.func)
            if callee is not None:
                key = f"{self.names.key_of(callee)}:{'lent' if callee.receiver is None else 'apart'}"
            else:
                key = f"torch.Tensor.{call.func.attr}:lent"  # type: ignore[attr-defined]
            self.draft.keys.setdefault(call, key)

    def stores(self, event: ast.AST, statement: ast.stmt) -> bool:
        """Whether ``y[0].mul_(3)`` becomes ``y[0] = y[0] * 3``, of which a graph is told."""
        call = isinstance(event, ast.Call) and isinstance(statement, ast.Expr) and statement.value is event
        if not call or not isinstance(event.func, ast.Attribute) or not is_part(event.func.value):  # type: ignore[attr-defined]
            return False
        callee = self.names.resolve(event.func)  # type: ignore[attr-defined]
        key = self.draft.keys.get(event) or ("" if callee is None else self.names.key_of(callee))
        return any(
            isinstance(part, ast.Assign)
            and isinstance(part.targets[0], ast.Subscript)
            and is_all(part.targets[0].slice)
            for rule in self.book.rules.get(key, ())
            for part in rule.node.body
        )

    def mark_shared(self, statement: ast.stmt) -> None:
        """Comments on changes that are seen otherwise than in torch."""
        for node, key, why in self.differing.get(statement, ()):
            self.draft.differs(node, key, why)  # type: ignore[arg-type]

    def augmented(self, node: ast.AugAssign) -> bool:
        """Whether the statement was rewritten; nothing has been visited else."""
        if self.data.statement(node):
            return True
        key = f"torch.Tensor.__i{BINARY.get(type(node.op), '')}__"
        rules = self.book.rules.get(key)
        value = value_at(node.target)
        if isinstance(node.target, ast.Subscript) and is_item(node.target):
            always = self.book.rules.get(f"{key}:unknown", []) if self.draft.table.bindings else []
            return bool(always) and is_open(value) and self.change_unknown(node, key, always)
        if f"{key}:data" in self.book.rules and is_data(node.target):
            self.change_in_place(node, key, self.book.rules[f"{key}:data"], True)
            return True
        certain = isinstance(value, Tensor) and not (value.assumed and not isinstance(value_at(node.value), Tensor))
        certain = certain and not (isinstance(node.target, ast.Subscript) and may_be_gathered(node.target))
        if not certain:
            always = self.book.rules.get(f"{key}:unknown", []) if self.draft.table.bindings else []
            rules = always or self.book.rules.get(f"{key}:any")
            if not rules or not (is_open(value) if always else self.may_be_tensor(node)):
                return False
            if always:
                return self.change_unknown(node, key, rules)
        if not rules or (self.seen_by(node) is None and not self.widens(node, key)):
            return False
        self.change_in_place(node, key, rules, certain)
        return True

    def widens(self, node: ast.AugAssign, key: str) -> bool:
        """``x += y`` of a float32 and a float64: where the target's binds x anew, x would be the wider one."""
        values = tensors_in([value_at(node.target), value_at(node.value)], at_times=True)
        sizes = f"{key}:sizes" in self.book.rules and self.shared.travel.makes_narrow and of_several_sizes(values, True)
        return f"{key}:mixed" in self.book.rules and len(values) > 1 and (sizes or of_several_widths(values, True))

    def change_unknown(self, node: ast.AugAssign, key: str, rules: list[Rule]) -> bool:
        """By the rule for whatever it may be; a target that gives something else the second time is marked."""
        if not all(isinstance(part, READ_AGAIN) for part in walk(node.target)):
            why = f"of a tensor {self.target.title}'s binds anew, where torch changes it; name what is changed first"
            self.draft.differs(node.target, key, why)
            return False
        self.change_in_place(node, key, rules, False)
        return True

    def seen_by(self, node: ast.AST) -> Reader | None:
        """Who else sees the change; where nothing is known of it, others."""
        function = self.here.functions[-1] if self.here.functions else None
        change = self.shared.places.change(node, function, self.known.module)
        return OTHERS if change is None else change.seen

    def may_be_tensor(self, node: ast.AugAssign) -> bool:
        """Whether what is changed may be a tensor, and something says so: what is added, or how the name is used."""
        value = value_at(node.target)
        if isinstance(value, Tensor):
            return True  # an assumed one
        if not isinstance(value, (Unknown, Bottom)):
            return False
        if isinstance(value_at(node.value), (Items, Series, Plain)) and not is_number_value(value_at(node.value)):
            return False  # a list, a text
        if isinstance(node.target, ast.Attribute) and node.target.attr in self.shared.travel.tensors | OF_LAYERS:
            return not self.starts_as_number(node.target)
        if self.made_as_tensor(node):
            return True
        if gives_tensor(value) or may_be_held(value) or isinstance(value_at(node.value), Tensor):
            return not self.starts_as_number(node.target) or self.is_unpacked(node.target)
        if not isinstance(node.target, ast.Name):
            return False
        name = node.target.id
        return self.used_as_tensor(name) or self.given_tensor(node.target) or is_looked_up(name, self.source.nodes)

    def made_as_tensor(self, node: ast.AugAssign) -> bool:
        """Whether something that it may hold was made as a tensor, or given as one, as far as its places tell.

        What a function is given that is handed on itself, ``partial(f, by=2)``, is known to nobody.
        """
        function = self.here.functions[-1] if self.here.functions else None
        change = self.shared.places.change(node, function, self.known.module)
        sites = () if change is None else change.sites
        made = (site.node.value if isinstance(site.node, ast.AugAssign) else site.node for site in sites)
        if any(isinstance(value_at(node), Tensor) for node in made if isinstance(node, ast.expr)):
            return True
        named = {site.name for site in sites if site.outside and site.name}
        if named & getattr(function, "tensors", set()):
            return True
        if not isinstance(node.target, ast.Name) or getattr(function, "name", "") not in self.names_passed:
            return False
        return bool(named) and not self.starts_as_number(node.target)

    @cached_property
    def names_passed(self) -> set[str]:
        """Names that the file reads other than to call them."""
        nodes = self.source.nodes
        called = {node.func for node in nodes.of(ast.Call)}
        read = (node for node in nodes.of(ast.Name, ast.Attribute) if isinstance(node.ctx, ast.Load))
        return {node.id if isinstance(node, ast.Name) else node.attr for node in read if node not in called}

    def used_as_tensor(self, name: str) -> bool:
        """Whether the function has ``name.shape`` and the like, which only tensors have."""
        around = self.here.functions[-1] if self.here.functions else self.source.tree
        reads = (part for part in walk(around) if isinstance(part, ast.Attribute))
        used = {read.attr for read in reads if is_like_name(read.value, name)}
        return any(entry(f"torch.Tensor.{attr}") is not None for attr in used - ARRAYS_TOO)

    def given_tensor(self, target: ast.Name) -> bool:
        """Whether a call gives the parameter a tensor, or some assignment gives one to a name that functions share."""
        around = self.here.functions[-1] if self.here.functions else None
        if target.id in getattr(around, "tensors", ()):
            return True
        if target.id not in self.known.rebindable:
            return False
        bound = (n for n in self.source.nodes.of(ast.Assign) if any(is_like_name(t, target.id) for t in n.targets))
        return any(isinstance(value_at(n.value), Tensor) for n in bound)

    def starts_as_number(self, target: ast.expr) -> bool:
        """``total = 0`` and then ``total += loss``: the first sum is new, and the name alone holds it."""
        if not isinstance(target, (ast.Name, ast.Attribute)):
            return False
        text, stores = ast.unparse(target), self.source.nodes.of(ast.Assign)
        given = [n.value for n in stores if any(is_same(t, target, text) for t in n.targets)]
        return bool(given) and all(is_number(value) for value in given)

    def is_unpacked(self, target: ast.expr) -> bool:
        """``x, total = f(x)``, in the same function: whatever that gives."""
        around = self.here.functions[-1] if self.here.functions else self.source.tree
        assigned = (whole for node in walk(around) if isinstance(node, ast.Assign) for whole in node.targets)
        text = ast.unparse(target)
        return any(is_like(part, target, text) for whole in assigned for part in parts_of(whole))

    def change_in_place(self, node: ast.AugAssign, key: str, rules: list[Rule], certain: bool) -> None:
        target, source = node.target, self.source
        stored, target.ctx = target.ctx, ast.Load()  # it is read, and what it is changes
        with source.collect() as inner:
            self.walk.visit(target)
            self.walk.visit(node.value)
        arguments = [
            self.placing.argument(target, 0, inner, receiver=certain),
            self.placing.argument(node.value, 1, inner),
        ]
        of_mixed = self.book.rules.get(f"{key}:mixed")
        given, wide = value_at(node.value), self.shared.travel.names_widths
        # of what nothing is known of: asked at run time, then also by its dtype
        if certain and of_mixed and (is_open(given) or mixed([value_at(target), given], wide, in_place=True)):
            rules = of_mixed
        try:
            if not certain:
                raise Refusal(Obstacle.NOT_A_TENSOR_FOR_SURE)
            plan = Inliner(choose(rules, arguments, self.target.ambient), statement=True).plan(discard=True)
            if plan.statements or plan.result is None:
                raise Refusal(Obstacle.STATEMENTS)
            result = tidy(as_method(plan.result, self.shared.signatures), self.shared.signatures, key)
            check_effects(plan, arguments, self.known.rebindable)
            self.draft.record(target, key, Outcome.INLINED, rules[0].where)
            text = self.draft.printer.text(result)
        except RuleRaises as error:
            target.ctx = stored
            source.edits += inner
            self.draft.differs(target, key, str(error))
            return
        except (NoMatch, Refusal) as refusal:
            obstacle = refusal.obstacle if isinstance(refusal, Refusal) else Obstacle.NO_MATCH
            self.draft.record(target, key, Outcome.HELPER, f"{rules[0].where}, {obstacle}")
            text = f"{self.draft.helper_text(rules)}({', '.join(enclosed(part, 0) for part in arguments)})"
        target.ctx = stored
        if not certain:
            text = f"{arguments[0].text} = {text}"
        self.draft.replace(node, text)


def name_of(call: ast.Call) -> str:
    """Of what is not torch's: ``numpy.asarray``."""
    value = value_at(call.func)
    return value.name if isinstance(value, External) else ""


def sharing_rule(name: str) -> str:
    """The key of the rule by which what a function makes shares memory."""
    if name in AS_ARRAYS:
        return f"{NUMPY_OF}:asarray"
    return "torch.Tensor.__copy__:shared" if name == SHALLOW else f"{name}:shared"
