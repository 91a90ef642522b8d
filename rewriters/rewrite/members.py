"""Members of the program's own modules, where the target has other names for methods and holds parameters apart."""

from __future__ import annotations

import ast

from rewriters.infer.either import is_hint
from rewriters.infer.leaves import is_leaf_attribute
from rewriters.infer.values import (
    Bottom,
    Choice,
    ClassOf,
    External,
    FunctionOf,
    Instance,
    Method,
    ObjectOf,
    Plain,
    Ref,
    Tensor,
    Unknown,
    Value,
)
from rewriters.members import Role
from rewriters.members.items import is_item
from rewriters.members.roles import MODULE, is_array, registered
from rewriters.members.taken import BUFFER, OF_HOLDER, TAKE_HOLDERS, maps_arrays, names_array, names_given_array
from rewriters.report import Outcome
from rewriters.rewrite.draft import Draft
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.source_text import Source
from rewriters.text.tree import called_name, is_in_place, walk
from rewriters.torch.table import canonical, mro, of_base

# Attributes of a tensor that what holds it answers as the array does.
AS_ARRAY = {"shape", "ndim", "dtype", "size", "dim", "numel", "device"}
AT_TIMES = "torch.nn.Buffer:at_times"  # what may be None, which is no buffer
PART, ID, ARRAY = "torch.Tensor:part", "torch.nn.Parameter:id", "torch.nn.Parameter:array"
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow, ast.FloorDiv, ast.Mod)


class MemberUses(Rewriting):
    """Rewrites definitions and uses of members."""

    def rename(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """``def forward`` by the target's name."""
        new = self.shared.members.renamed.get(node)
        if new is None:
            return
        start = self.source.buffer.index(node.name.encode(), self.source.start(node) + len("def"))
        self.source.edit(start, start + len(node.name.encode()), new)
        self.draft.record(node, f"{MODULE}.{node.name}", Outcome.INLINED, f"{new} in {self.target.title}")

    def new_name(self, node: ast.Attribute) -> str:
        """The name of the method that an attribute is, where it has another in the target; "" else."""
        value = value_at(node)
        names = {self.named(one) for one in (value.values if isinstance(value, Choice) else [value])}
        return names.pop() if len(names) == 1 else ""

    def named(self, value: Value) -> str:
        if isinstance(value, FunctionOf):
            return self.shared.members.renamed.get(value.info.node, "")
        if not isinstance(value, Method):
            return ""
        return of_base(self.target.methods, value.name)

    def method(self, node: ast.Attribute | ast.Name) -> bool:
        """``self.forward`` by the name that the method has; whether it has been rewritten."""
        if not self.target.methods or not isinstance(node, ast.Attribute) or not (new := self.new_name(node)):
            return False
        self.walk.visit(node.value)
        self.draft.record(node, f"{MODULE}.{node.attr}", Outcome.INLINED, f"{new} in {self.target.title}")
        end = self.source.end(node)
        self.source.edit(end - len(node.attr.encode()), end, new)
        return True

    def calls_itself(self, node: ast.Call) -> bool:
        """``self.forward(x)`` as ``self(x)``, where the name of the method is that of calling."""
        func = node.func
        if not self.target.methods or not isinstance(func, ast.Attribute) or self.new_name(func) != "__call__":
            return False
        called = func.value
        if isinstance(called, ast.Call) and isinstance(called.func, ast.Name) and called.func.id == "super":
            return False
        if isinstance(value_at(called), (Ref, ClassOf)):
            return False
        self.draft.record(node, f"{MODULE}.{func.attr}", Outcome.INLINED, f"__call__ in {self.target.title}")
        self.walk.visit(called)
        self.source.edit(self.source.end(called), self.source.end(func), "")
        for part in [*node.args, *(word.value for word in node.keywords)]:
            self.walk.visit(part)
        return True

    def read(self, node: ast.Attribute | ast.Name) -> None:
        """``self.weight[...]`` where the array of a parameter is meant."""
        if not self.target.held or not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return
        owner, members = value_at(node.value), self.shared.members
        if not is_array(node) or members.role(owner, node.attr) is Role.PLAIN or self.is_held(node):
            return
        if members.may_be_none(owner, node.attr) and not self.is_operand(node):
            return
        end = self.source.end(node)
        self.source.edit(end, end, self.target.held)

    def part(self, node: ast.Subscript) -> bool:
        """``init.zeros_(layer.weight[0])``: a part that is written to where it is handed; whether it was rewritten."""
        if node not in self.shared.handed or is_item(node, self.source.nodes) or PART not in self.book.rules:
            return False
        with self.source.collect() as inner:
            self.walk.visit(node.value)
            self.walk.visit(node.slice)
        index = self.source.text(node.slice, inner)
        if any(isinstance(one, ast.Slice) for one in walk(node.slice)):
            index = f"{self.draft.spell('numpy.s_')}[{index}]"
        self.draft.record(node, PART, Outcome.HELPER, self.book.rules[PART][0].where)
        text = self.draft.helper_text(self.book.rules[PART])
        self.draft.replace(node, f"{text}({self.source.text(node.value, inner)}, {index})")
        return True

    def identified(self, node: ast.Name) -> bool:
        """``id``, called or handed on (``map(id, net.parameters())``), of what may be a parameter; whether it was
        rewritten.
        """
        if node.id != "id" or ID not in self.book.rules or value_at(node) != Plain("builtin:id"):
            return False
        around = self.source.nodes.parents.get(node)
        called = around if isinstance(around, ast.Call) and around.func is node and len(around.args) == 1 else None
        if called is not None and not isinstance(value_at(called.args[0]), (Tensor, Unknown, Bottom, Choice)):
            return False
        if not self.draft.table.bindings:
            return False
        self.draft.record(node, ID, Outcome.HELPER, self.book.rules[ID][0].where)
        self.draft.replace(node, self.draft.helper_text(self.book.rules[ID]))
        return True

    def is_operand(self, node: ast.expr) -> bool:
        """Whether something is done with it that None does not allow."""
        around = self.source.nodes.parents.get(node)
        if isinstance(around, ast.Call):
            return node in around.args and is_of_einops(value_at(around.func))
        return isinstance(around, (ast.BinOp, ast.UnaryOp, ast.Attribute, ast.AugAssign)) or (
            isinstance(around, ast.Subscript) and around.value is node
        )

    def is_held(self, node: ast.Attribute) -> bool:
        """Whether it is what holds the array that is meant, and is enough: handed on, changed, compared by identity."""
        around = self.source.nodes.parents.get(node)
        if node in self.shared.handed or around in self.shared.handed:
            return True
        if isinstance(around, ast.Attribute):
            changes = is_in_place(around.attr)
            if around.attr == "data" and self.is_read(around):
                return False
            return changes or around.attr in OF_HOLDER or around.attr in AS_ARRAY
        if isinstance(around, ast.Yield):
            return is_leaf_attribute(node)  # as lists of them hold it
        if isinstance(around, ast.BinOp):
            return isinstance(around.op, ARITHMETIC)  # it takes part as an array does
        if isinstance(around, ast.Subscript):
            return around.value is node or is_state(around.value)
        if isinstance(around, ast.Compare):
            if around.left is node and is_state(around.comparators[0]):
                return True
            return all(isinstance(op, (ast.Is, ast.IsNot)) for op in around.ops)
        if isinstance(around, (ast.Assign, ast.AnnAssign)):
            targets = around.targets if isinstance(around, ast.Assign) else [around.target]
            return any(isinstance(target, ast.Attribute) for target in targets)
        call = around if isinstance(around, ast.Call) else None
        if isinstance(around, (ast.List, ast.Tuple, ast.Dict, ast.Set)):
            call = self.source.nodes.parents.get(around)  # type: ignore[assignment]
            if isinstance(call, ast.Subscript) and call.slice is around:
                return False  # one of several indices
            if not isinstance(call, ast.Call):
                return not names_array(node, self.source.nodes)  # parameters that are gathered
            value = value_at(call.func)
            if is_of_einops(value) or maps_arrays(call, self.source.nodes):
                return False
            return not (isinstance(value, Ref) and not value.name.startswith("torch.optim."))
        if call is not None and called_name(call) == "id" and ID in self.book.rules:
            return True
        if call is not None and called_name(call) == "isinstance" and len(call.args) == 2:
            return value_at(call.args[1]) == Ref("torch.nn.Parameter")
        called = value_at(call.func) if call is not None else None
        return isinstance(called, Ref) and called.name.startswith(("torch.nn.init.", "torch.nn.Parameter", BUFFER))

    def is_read(self, node: ast.Attribute) -> bool:
        """Whether ``p.data`` is computed with, and not changed."""
        around = self.source.nodes.parents.get(node)
        if isinstance(around, ast.Attribute):
            return not around.attr.endswith("_") and isinstance(around.ctx, ast.Load)
        if isinstance(around, ast.Call) and node in around.args:
            value = value_at(around.func)
            name = value.name if isinstance(value, Ref) else ""  # of the project's, those that write to it come before
            return not name.endswith("_") and not name.startswith(TAKE_HOLDERS)
        if isinstance(around, ast.Subscript) and around.value is node:
            return isinstance(around.ctx, ast.Load)
        return isinstance(node.ctx, ast.Load)

    def registers(self, node: ast.stmt) -> bool:
        """``self.register_buffer("mask", x)`` as ``self.mask = Buffer(x)``; whether it has been rewritten."""
        call = node.value if isinstance(node, ast.Expr) else None
        if not self.target.held or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return False
        value, (name, given) = value_at(call.func), registered(call)
        known = {f"{MODULE}.register_buffer": BUFFER, f"{MODULE}.register_parameter": ""}
        key = canonical(value.name) if isinstance(value, Method) else ""
        if key not in known or not name.isidentifier() or given is None:
            return False
        none = isinstance(given, ast.Constant) and given.value is None
        if known[key] and none:
            return False  # what is stored under the name later is a buffer, too
        with self.source.collect() as inner:
            self.walk.visit(call.func.value)
            self.walk.visit(given)
        holder, text = self.source.text(call.func.value, inner), self.source.text(given, inner)
        words = {word.arg: word.value for word in call.keywords}
        persistent = call.args[2] if len(call.args) > 2 else words.get("persistent")
        if known[key]:
            more = "" if persistent is None else f", persistent={self.source.text(persistent)}"
            of_torch = isinstance(given, ast.Call) and isinstance(value_at(given.func), (Ref, Method))
            rules = self.book.rules[BUFFER if of_torch or AT_TIMES not in self.book.rules else AT_TIMES]
            text = f"{self.draft.helper_text(rules)}({text}{more})"
        self.draft.record(call, key, Outcome.INLINED, "an attribute")
        self.draft.replace(node, f"{holder}.{name} = {text}")
        return True


def is_state(node: ast.expr) -> bool:
    """``optimizer.state``, whose keys are parameters."""
    owner = value_at(node.value) if isinstance(node, ast.Attribute) and node.attr == "state" else None
    return isinstance(owner, Instance) and "torch.optim.Optimizer" in mro(owner.name)


def is_looked_up(node: ast.Call) -> bool:
    """``getattr(self, f"weight_{i}")`` of a module, where that is a tensor, or may be one."""
    looks = getattr(node.func, "id", "") == "getattr" and len(node.args) == 2
    owner = value_at(node.args[0]) if looks else None
    of_module = isinstance(owner, ObjectOf) and owner.info.is_module
    return of_module and (isinstance(value_at(node), Tensor) or is_hint(value_at(node)))


def is_of_einops(value: Value) -> bool:
    """Whether it is a function of einops, which takes nothing else than arrays."""
    return isinstance(value, External) and value.name.startswith("einops.")


def hold_given(node: ast.Call, source: Source, held: str, draft: Draft) -> None:
    """``rearrange(p[...], "a b -> b a")`` of a name by which a parameter comes, or of one of a list's; and ``p =
    getattr(self, f"p_{i}")[...]`` where p is given so.

    held: as of the target.
    """
    rules = draft.book.rules.get(ARRAY) if held and is_looked_up(node) else None
    if rules and names_given_array(node, source.nodes, is_of_einops):
        sure = isinstance(value_at(node), Tensor)
        source.edit(source.start(node), source.start(node), "" if sure else f"{draft.helper_text(rules)}(")
        source.edit(source.end(node), source.end(node), held if sure else ")")
    if not held or not is_of_einops(value_at(node.func)):
        return
    given = [*node.args, *(word.value for word in node.keywords)]
    for part in given[:1]:
        given += part.elts if isinstance(part, (ast.List, ast.Tuple)) else []
    for part in given:
        if is_item(part, source.nodes):
            end = source.end(part)
            source.edit(end, end, held)
