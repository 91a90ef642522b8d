"""Layers that change what they are given (``nn.ReLU(inplace=True)``): whether somebody else sees it."""

from __future__ import annotations

import ast

from rewriters.infer import Project
from rewriters.infer.values import FunctionOf, Instance, ModuleInfo, ObjectOf, Ref, Value
from rewriters.places.calls import HANDING_ON, IN_PLACE
from rewriters.places.lookup import Places
from rewriters.text.tree import Parents, called_name

HOLDERS = (ast.List, ast.Tuple)


# Attributes that are read, by name.
Uses = dict[str, list[tuple[ast.Attribute, ModuleInfo]]]


class LayersInPlace:
    """Looks at where a layer is made, and at all calls of what it is made into.

    uses: of all modules, where they have been found.
    """

    def __init__(self, project: Project, places: Places, uses: Uses | None = None) -> None:
        self.project, self.places = project, places
        self.known_uses = uses
        self.parents = Parents()

    @property
    def uses(self) -> Uses:
        """Attributes that are read, by name, in all modules."""
        if self.known_uses is None:
            self.known_uses = self.find_uses()
        return self.known_uses

    def find_uses(self) -> Uses:
        found: Uses = {}
        for module in self.project.modules.values():
            for node in module.nodes.of(ast.Attribute):
                if isinstance(node.ctx, ast.Load):
                    found.setdefault(node.attr, []).append((node, module))
        return found

    def is_seen(self, made: ast.Call, module: ModuleInfo) -> bool:
        """Whether somebody else may see the change that the layer made by this call makes to its input."""
        parent = self.parents.get(made)
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            target = parent.targets[0]
            if isinstance(target, ast.Name):
                return self.name_is_seen(target.id, module)
            return not isinstance(target, ast.Attribute) or self.attribute_is_seen(target.attr)
        if isinstance(parent, ast.Call) and parent.func is made:
            return self.call_is_seen(parent, module)
        if isinstance(parent, ast.Tuple) and len(parent.elts) == 2 and parent.elts[1] is made:  # ("relu", nn.ReLU())
            outer = self.parents.get(parent)
            return not isinstance(outer, HOLDERS) or not self.follows_new([pair_value(e) for e in outer.elts], made)
        if isinstance(parent, HOLDERS):
            return not self.follows_new(parent.elts, made)
        if isinstance(parent, ast.Call) and made in parent.args and (is_sequential(parent) or self.begins(parent)):
            return not self.follows_new(parent.args, made)
        if isinstance(parent, ast.Call) and parent.args == [made] and added_to(self.parents.get(parent)):
            return not self.follows_new([*self.put_before(parent), made], made)
        return True

    def begins(self, call: ast.Call) -> bool:
        """``super().__init__(...)`` in a class of the project that is a Sequential."""
        func = call.func
        if not (isinstance(func, ast.Attribute) and func.attr == "__init__" and is_super(func.value)):
            return False
        around: ast.AST | None = call
        while around is not None and not isinstance(around, ast.ClassDef):
            around = self.parents.get(around)
        values = [getattr(base, "v", None) for base in around.bases] if isinstance(around, ast.ClassDef) else []
        return any(isinstance(one, Ref) and one.name == "torch.nn.Sequential" for one in values[:1])

    def put_before(self, call: ast.Call) -> list[ast.expr]:
        """What the statements before ``layers.append(...)`` put into the same list, as far as they do nothing else."""
        statement = self.parents[call]
        block = self.block_of(statement)
        name = added_to(statement)
        found: list[ast.expr] = []
        for before in reversed(block[: block.index(statement)]):  # type: ignore[arg-type]
            put = elements_put(before, name)
            if put is None:
                break
            found = [*put, *found]
        return found

    def block_of(self, statement: ast.AST) -> list[ast.stmt]:
        blocks = (getattr(self.parents[statement], name, None) for name in ("body", "orelse", "finalbody"))
        return next(block for block in blocks if isinstance(block, list) and statement in block)

    def name_is_seen(self, name: str, module: ModuleInfo) -> bool:
        """``relu = nn.ReLU(True)``: as for an attribute, in the file."""
        reads = [node for node in module.nodes.of(ast.Name) if node.id == name and isinstance(node.ctx, ast.Load)]
        calls = [(node, self.parents.get(node)) for node in reads]
        return any(
            not (isinstance(call, ast.Call) and call.func is node) or self.call_is_seen(call, module)
            for node, call in calls
        )

    def attribute_is_seen(self, name: str) -> bool:
        """``self.relu``: each use of an attribute of that name is a call whose input nobody else sees."""
        for node, module in self.uses.get(name, []):
            parent = self.parents.get(node)
            if not (isinstance(parent, ast.Call) and parent.func is node) or self.call_is_seen(parent, module):
                return True
        return False

    def call_is_seen(self, call: ast.Call, module: ModuleInfo) -> bool:
        change = self.places.change(call, self.function_of(call), module)
        return change is None or change.seen is not None

    def function_of(self, node: ast.AST) -> ast.AST | None:
        found = self.parents.get(node)
        while found is not None and not isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            found = self.parents.get(found)
        return found

    def follows_new(self, elements: list[ast.expr], made: ast.Call) -> bool:
        """Whether what stands before it gives something new, that it alone is given."""
        before = elements[: elements.index(made)]
        while before and self.changes_its_input(before[-1]):
            before.pop()  # it hands on what it is given
        return bool(before) and self.gives_new(before[-1])

    def changes_its_input(self, node: ast.expr) -> bool:
        value: Value | None = getattr(node, "v", None)
        return isinstance(value, Instance) and value.name.removeprefix("torch.nn.") in IN_PLACE

    def gives_new(self, node: ast.expr) -> bool:
        value: Value | None = getattr(node, "v", None)
        if isinstance(value, Instance) and value.name.startswith("torch.nn."):
            name = value.name.rpartition(".")[2]
            return name not in HANDING_ON and name not in IN_PLACE
        if isinstance(value, ObjectOf) and value.info.is_module:
            forward = next((c.functions["forward"] for c in value.info.linear() if has_forward(c)), None)  # type: ignore[union-attr]
            if forward is None:
                return False
            summary = self.places.summary(FunctionOf(forward, value))
            return summary.new and not summary.hands_back and not summary.outside and not summary.keeps
        return False


def is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and called_name(node) == "super"


def added_to(statement: ast.AST | None) -> str:
    """The name of the list in ``layers.append(...)``; "" for other statements."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append":
        return call.func.value.id if isinstance(call.func.value, ast.Name) else ""
    return ""


def elements_put(statement: ast.stmt, name: str) -> list[ast.expr] | None:
    """What a statement puts at the end of the list of that name; None where it may do something else."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        same = statement.target.id == name and isinstance(statement.value, ast.List)
        return statement.value.elts if same and isinstance(statement.value, ast.List) else None
    if isinstance(statement, ast.Assign) and [getattr(t, "id", None) for t in statement.targets] == [name]:
        return statement.value.elts if isinstance(statement.value, ast.List) else None
    if isinstance(statement, ast.Assign) and all(isinstance(t, ast.Name) and t.id != name for t in statement.targets):
        return []
    if added_to(statement) == name and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return statement.value.args
    return None


def has_forward(owner: object) -> bool:
    return not isinstance(owner, str) and "forward" in owner.functions  # type: ignore[attr-defined]


def pair_value(node: ast.expr) -> ast.expr:
    return node.elts[1] if isinstance(node, ast.Tuple) and len(node.elts) == 2 else node


def is_sequential(call: ast.Call) -> bool:
    value = getattr(call, "v", None)
    return isinstance(value, Instance) and value.name == "torch.nn.Sequential"
