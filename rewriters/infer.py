"""Inference: what every expression of a project may be, by abstract interpretation of its syntax trees.

Flow-sensitive within a function, joined over call sites between functions, to a fixpoint over the whole project. Each
expression node gets its value as the attribute ``v``. Nothing is guessed: what does not follow is Unknown.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rewriters.source.table import canonical, entry, is_tensor_class, mro
from rewriters.values import (
    ASSUMED,
    BOOL,
    BOTTOM,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    SIZE,
    STR,
    TENSOR,
    UNKNOWN,
    Bottom,
    Choice,
    ClassInfo,
    ClassOf,
    External,
    FunctionInfo,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    Method,
    ModuleInfo,
    ModuleOf,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
    element,
    join,
)
from rewriters.words import result_of, value_of_annotation, value_of_word

ROUNDS = 5
BASIC = {"int", "float", "bool", "str", "bytes", "list", "dict", "tuple", "number"}
Scope = dict[str, Value]

# Libraries whose functions never give a torch tensor back.
TENSORLESS = frozenset(sys.stdlib_module_names) | {
    "numpy", "pandas", "PIL", "cv2", "scipy", "sklearn", "matplotlib", "yaml", "requests",
    "typing_extensions", "skimage",
    "imageio", "seaborn", "joblib", "nltk", "regex", "h5py", "pydantic", "click", "typer", "rich", "absl",
}  # fmt: skip
# Wrappers that hand their first argument through.
PASS_THROUGH = {
    "tqdm.tqdm",
    "tqdm.auto.tqdm",
    "tqdm.notebook.tqdm",
    "copy.deepcopy",
    "copy.copy",
    "rich.progress.track",
}
# Decorators after which a function is called as it was written.
TRANSPARENT = {"functools.wraps", "functools.lru_cache", "functools.cache", "abc.abstractmethod", "typing.overload"}

MODULE_ITERATORS: dict[str, Value] = {
    "parameters": Series(TENSOR, "iterator"),
    "buffers": Series(TENSOR, "iterator"),
    "named_parameters": Series(Items((STR, TENSOR)), "iterator"),
    "named_buffers": Series(Items((STR, TENSOR)), "iterator"),
    "modules": Series(Instance("torch.nn.Module"), "iterator"),
    "children": Series(Instance("torch.nn.Module"), "iterator"),
    "named_modules": Series(Items((STR, Instance("torch.nn.Module"))), "iterator"),
    "named_children": Series(Items((STR, Instance("torch.nn.Module"))), "iterator"),
    "state_dict": Mapping(TENSOR),
}
MODULE_SELF = {
    "train",
    "eval",
    "to",
    "cuda",
    "cpu",
    "half",
    "float",
    "double",
    "bfloat16",
    "apply",
    "requires_grad_",
    "type",
}
CONTAINER_MODULES = {"torch.nn.ModuleList", "torch.nn.Sequential", "torch.nn.ParameterList"}


class Project:
    """The modules that are analysed together."""

    def __init__(self, modules: Iterable[ModuleInfo]) -> None:
        self.modules = {module.name: module for module in modules}
        self.functions: dict[ast.AST, FunctionInfo] = {}
        self.classes: dict[ast.AST, ClassInfo] = {}
        self.changed = False
        self.open = True

    def find(self, name: str, near: str = "") -> ModuleInfo | None:
        """The module of that absolute name, or the one beside ``near``: a script sees its own folder first."""
        found = self.modules.get(name)
        if found is None and "." in near:
            found = self.modules.get(f"{near.rpartition('.')[0]}.{name}")
        return found

    def infer(self) -> None:
        """To a fixpoint, twice: first parameters that no call has filled stay open, then they are unknown.

        After ROUNDS passes what still moves is left where it is: a join never turns unknown back into a tensor.
        """
        for self.open in (True, False):
            for _ in range(ROUNDS):
                self.changed = False
                for module in self.modules.values():
                    Interpreter(self, module).run()
                if not self.changed:
                    break

    def merge(self, table: dict[str, Value], name: str, value: Value) -> None:
        """Join ``value`` into a summary; a change asks for another round."""
        old = table.get(name, BOTTOM)
        new = join(old, value)
        if new != old:
            table[name] = new
            self.changed = True


class Interpreter:
    """One pass over one module."""

    def __init__(self, project: Project, module: ModuleInfo) -> None:
        self.project = project
        self.module = module
        self.scope: Scope = {}
        self.scopes: list[Scope] = [self.scope]
        self.function: FunctionInfo | None = None
        self.owner: ClassInfo | None = None
        self.pending: list[tuple[FunctionInfo, list[Scope], ClassInfo | None]] = []

    # -- statements ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        for name, value in self.module.scope.items():
            self.scope.setdefault(name, BOTTOM if not isinstance(value, (ClassOf, FunctionOf)) else value)
        self.block(self.module.tree.body)
        for name, value in self.scope.items():
            if self.module.scope.get(name) != value:
                self.module.scope[name] = value
                self.project.changed = True
        while self.pending:
            info, scopes, owner = self.pending.pop(0)
            self.body_of(info, scopes, owner)

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Interpret in order; True when control cannot leave at the end."""
        ends = False
        for statement in statements:
            handler = getattr(self, "do_" + statement.__class__.__name__, None)
            if handler is None:
                for child in ast.iter_child_nodes(statement):
                    if isinstance(child, ast.expr):
                        self.ev(child)
            elif handler(statement):
                ends = True
        return ends

    def do_Import(self, node: ast.Import) -> None:
        for item in node.names:
            if item.asname:
                self.bind(item.asname, self.import_module(item.name))
            else:
                root = item.name.split(".")[0]
                self.import_module(item.name)
                self.bind(root, self.import_module(root))

    def import_module(self, name: str) -> Value:
        if name.split(".")[0] == "torch":
            return Ref(canonical(name))
        found = self.project.find(name, self.module.name)
        return ModuleOf(found) if found else External(name)

    def absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.module.name.split(".")
        drop = node.level - (1 if self.module.package else 0)
        parts = parts[: len(parts) - drop] if drop else parts
        return ".".join([*parts, *([node.module] if node.module else [])])

    def do_ImportFrom(self, node: ast.ImportFrom) -> None:
        source = self.absolute(node)
        for item in node.names:
            if item.name == "*":
                self.import_star(source)
                continue
            self.bind(item.asname or item.name, self.import_name(source, item.name))

    def import_name(self, source: str, name: str) -> Value:
        if source.split(".")[0] == "torch":
            return Ref(canonical(f"{source}.{name}"))
        found = self.project.find(source, self.module.name)
        inner = self.project.find(f"{source}.{name}" if source else name, self.module.name)
        if found and name in found.scope:
            return found.scope[name]
        if inner:
            return ModuleOf(inner)
        if found:
            return BOTTOM if self.project.open else UNKNOWN
        return External(f"{source}.{name}")

    def import_star(self, source: str) -> None:
        if source.split(".")[0] == "torch":
            for name in star_names(source):
                self.bind(name, Ref(canonical(f"{source}.{name}")))
            return
        found = self.project.find(source, self.module.name)
        if found:
            for name, value in found.scope.items():
                if not name.startswith("_") and "." not in name:
                    self.bind(name, value)

    def do_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        info = self.project.functions.get(node)
        if info is None:
            info = self.project.functions[node] = FunctionInfo(node, self.module)
        for decorator in node.decorator_list:
            value = self.ev(decorator)
            self.decorate(info, decorator, value)
        arguments = node.args
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.ev(default)
        for argument in all_arguments(arguments):
            if argument.annotation is not None:
                self.annotation(argument.annotation)
        if node.returns is not None:
            self.annotation(node.returns)
        in_class = self.owner is not None and self.scope is self.scopes[-1] and self.function is None
        if in_class and self.owner is not None:
            info.owner = self.owner
            if info.kind == "function":
                info.kind = "method"
            self.owner.functions[node.name] = info
        self.bind(node.name, UNKNOWN if info.opaque else FunctionOf(info))
        scopes = [scope for scope in self.scopes if not scope.get("__class__")]
        self.pending.append((info, scopes, self.owner))

    do_AsyncFunctionDef = do_FunctionDef

    def decorate(self, info: FunctionInfo, node: ast.expr, value: Value) -> None:
        name = node.id if isinstance(node, ast.Name) else ""
        if name in {"property", "staticmethod", "classmethod"}:
            info.kind = name
            return
        if isinstance(node, ast.Attribute) and node.attr in {"setter", "getter", "deleter"}:
            info.kind = "setter"
            return
        target = node.func if isinstance(node, ast.Call) else node
        found = getattr(target, "v", UNKNOWN)
        if isinstance(found, Ref) or (isinstance(found, External) and found.name in TRANSPARENT):
            return
        if isinstance(found, External) and found.name.endswith("cached_property"):
            info.kind = "property"
            return
        info.opaque = True

    def body_of(self, info: FunctionInfo, scopes: list[Scope], owner: ClassInfo | None) -> None:
        node = info.node
        outer = (self.scope, self.scopes, self.function, self.owner)
        self.scope = {}
        self.scopes = [*scopes, self.scope]
        self.function, self.owner = info, owner
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults)) + list(
            arguments.defaults
        )
        for index, (argument, default) in enumerate(
            [*zip(positional, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        ):
            self.scope[argument.arg] = self.parameter(info, argument, default, first=index == 0)
        if arguments.vararg:
            inner = info.arguments.get("*" + arguments.vararg.arg, UNKNOWN)
            self.scope[arguments.vararg.arg] = Series(inner, "tuple")
        if arguments.kwarg:
            self.scope[arguments.kwarg.arg] = Mapping(UNKNOWN)
        if isinstance(node, ast.Lambda):
            self.returned(self.ev(node.body))
        else:
            self.block(node.body)
            if not has_return(node):
                self.returned(NONE)
        self.scope, self.scopes, self.function, self.owner = outer

    def parameter(self, info: FunctionInfo, argument: ast.arg, default: ast.expr | None, first: bool) -> Value:
        if first and info.kind in {"method", "property", "setter"} and info.owner:
            return ObjectOf(info.owner)
        if first and info.kind == "classmethod" and info.owner:
            return ClassOf(info.owner)
        promised = value_of_annotation(argument.annotation, self.quiet)
        if promised is not None and not isinstance(promised, Unknown):
            return promised
        value = info.arguments.get(argument.arg, BOTTOM)
        if default is not None:
            value = join(value, self.ev(default))
        if isinstance(value, Bottom) or value == NONE:
            if self.project.open:
                return BOTTOM
            return ASSUMED if is_forward(info) else UNKNOWN
        return value

    def returned(self, value: Value) -> None:
        assert self.function is not None
        new = join(self.function.returns, value)
        if new != self.function.returns:
            self.function.returns = new
            self.project.changed = True

    def do_Return(self, node: ast.Return) -> bool:
        value = self.ev(node.value) if node.value is not None else NONE
        if self.function is not None:
            self.returned(value)
        return True

    def do_Raise(self, node: ast.Raise) -> bool:
        for child in (node.exc, node.cause):
            if child is not None:
                self.ev(child)
        return True

    def do_Continue(self, node: ast.Continue) -> bool:
        return True

    do_Break = do_Continue

    def do_ClassDef(self, node: ast.ClassDef) -> None:
        info = self.project.classes.get(node)
        if info is None:
            info = self.project.classes[node] = ClassInfo(node, self.module)
        for decorator in node.decorator_list:
            self.ev(decorator)
        info.bases = [self.ev(base) for base in node.bases]
        for word in node.keywords:
            self.ev(word.value)
        outer = (self.scope, self.scopes, self.owner, self.function)
        self.scope = {"__class__": ClassOf(info)}
        self.scopes = [*self.scopes, self.scope]
        self.owner, self.function = info, None
        self.block(node.body)
        body = self.scope
        self.scope, self.scopes, self.owner, self.function = outer
        for name, value in body.items():
            if name != "__class__" and not isinstance(value, FunctionOf):
                self.project.merge(info.attributes, name, value)
        self.bind(node.name, ClassOf(info))

    def do_Assign(self, node: ast.Assign) -> None:
        value = self.ev(node.value)
        for target in node.targets:
            self.assign(target, value)

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.annotation(node.annotation)
        promised = value_of_annotation(node.annotation, self.quiet)
        value = self.ev(node.value) if node.value is not None else None
        if promised is not None:
            self.assign(node.target, promised)
        elif value is not None:
            self.assign(node.target, value)
        elif isinstance(node.target, ast.Name) and self.scope.get("__class__"):
            self.bind(node.target.id, UNKNOWN)

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        left = self.ev(node.target)
        right = self.ev(node.value)
        self.assign(node.target, binary(left, right))

    def do_Expr(self, node: ast.Expr) -> None:
        self.ev(node.value)

    def do_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self.ev(target)
            if isinstance(target, ast.Name):
                self.scope.pop(target.id, None)

    def do_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        for name in node.names:
            self.scope[name] = UNKNOWN

    do_Nonlocal = do_Global

    def do_Assert(self, node: ast.Assert) -> None:
        self.ev(node.test)
        self.narrow(node.test, True)
        if node.msg is not None:
            self.ev(node.msg)

    def do_If(self, node: ast.If) -> bool:
        self.ev(node.test)
        before = dict(self.scope)
        self.narrow(node.test, True)
        ends_body = self.block(node.body)
        after_body = self.replace_scope(before)
        self.narrow(node.test, False)
        ends_else = self.block(node.orelse)
        if ends_body and not ends_else:
            return False
        if ends_else and not ends_body:
            self.replace_scope(after_body)
            return False
        self.join_scope(after_body)
        return ends_body and ends_else and bool(node.orelse)

    def replace_scope(self, other: Scope) -> Scope:
        """Take ``other`` as the current scope's content; give back what it held."""
        held = dict(self.scope)
        self.scope.clear()
        self.scope.update(other)
        return held

    def join_scope(self, other: Scope) -> None:
        for name, value in other.items():
            mine = self.scope.get(name)
            self.scope[name] = value if mine is None else join(mine, value)

    def do_For(self, node: ast.For | ast.AsyncFor) -> None:
        iterated = self.ev(node.iter)
        before = dict(self.scope)
        for _ in range(2):
            self.assign(node.target, element(iterated))
            self.block(node.body)
            self.join_scope(before)
        self.block(node.orelse)

    do_AsyncFor = do_For

    def do_While(self, node: ast.While) -> None:
        before = dict(self.scope)
        for _ in range(2):
            self.ev(node.test)
            self.narrow(node.test, True)
            self.block(node.body)
            self.join_scope(before)
        self.block(node.orelse)

    def do_With(self, node: ast.With | ast.AsyncWith) -> bool:
        for item in node.items:
            value = self.ev(item.context_expr)
            if item.optional_vars is not None:
                entered = value if isinstance(value, (Instance, ObjectOf, Plain)) else UNKNOWN
                self.assign(item.optional_vars, entered)
        return self.block(node.body)

    do_AsyncWith = do_With

    def do_Try(self, node: ast.Try) -> bool:
        before = dict(self.scope)
        ends = self.block(node.body)
        after = self.replace_scope(before)
        self.join_scope(after)
        joined = dict(self.scope)
        outcomes = [] if ends else [after]
        for handler in node.handlers:
            self.replace_scope(joined)
            if handler.type is not None:
                self.ev(handler.type)
            if handler.name:
                self.bind(handler.name, OBJECT)
            if not self.block(handler.body):
                outcomes.append(dict(self.scope))
        if node.orelse and not ends:
            self.replace_scope(after)
            if self.block(node.orelse):
                outcomes = [outcome for outcome in outcomes if outcome is not after]
            else:
                outcomes = [dict(self.scope), *[outcome for outcome in outcomes if outcome is not after]]
        if outcomes:
            self.replace_scope(outcomes[0])
            for outcome in outcomes[1:]:
                self.join_scope(outcome)
        else:
            self.replace_scope(joined)
        return self.block(node.finalbody) or not outcomes

    do_TryStar = do_Try

    def do_Match(self, node: ast.Match) -> None:
        self.ev(node.subject)
        before = dict(self.scope)
        outcomes = []
        for case in node.cases:
            self.replace_scope(before)
            for pattern in ast.walk(case.pattern):
                if isinstance(pattern, (ast.MatchAs, ast.MatchStar)) and pattern.name:
                    self.bind(pattern.name, UNKNOWN)
                elif isinstance(pattern, ast.MatchMapping) and pattern.rest:
                    self.bind(pattern.rest, UNKNOWN)
                elif isinstance(pattern, ast.MatchValue):
                    self.ev(pattern.value)
                elif isinstance(pattern, ast.MatchClass):
                    self.ev(pattern.cls)
            if case.guard is not None:
                self.ev(case.guard)
            self.block(case.body)
            outcomes.append(dict(self.scope))
        self.replace_scope(before)
        for outcome in outcomes:
            self.join_scope(outcome)

    # -- names --------------------------------------------------------------------------------------------------

    def bind(self, name: str, value: Value) -> None:
        self.scope[name] = value
        stale = [key for key in self.scope if key.startswith(name + ".")]
        for key in stale:
            del self.scope[key]

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            target.v = value  # type: ignore[attr-defined]
            self.bind(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, Series(element(value)))
        elif isinstance(target, ast.Attribute):
            receiver = self.ev(target.value)
            target.v = self.attribute(receiver, target.attr)  # type: ignore[attr-defined]
            if isinstance(receiver, (ObjectOf, ClassOf)):
                self.project.merge(receiver.info.attributes, target.attr, value)
            path = path_of(target)
            if path:
                self.bind(path, value)
        elif isinstance(target, ast.Subscript):
            container = self.ev(target.value)
            self.ev(target.slice)
            target.v = element(container)  # type: ignore[attr-defined]
            self.store(target.value, container, value)

    def store(self, target: ast.expr, container: Value, value: Value) -> None:
        """``container[i] = value`` widens what a local container holds."""
        if isinstance(container, Mapping):
            new: Value = Mapping(join(container.element, value))
        elif isinstance(container, (Series, Items)):
            new = Series(join(element(container), value))
        else:
            return
        path = path_of(target)
        if path:
            self.scope[path] = new

    def unpack(self, targets: Sequence[ast.expr], value: Value) -> None:
        starred = any(isinstance(target, ast.Starred) for target in targets)
        if isinstance(value, Items) and len(value.values) == len(targets) and not starred:
            for target, item in zip(targets, value.values, strict=True):
                self.assign(target, item)
            return
        inner = element(value)
        for target in targets:
            self.assign(target, value if isinstance(target, ast.Starred) else inner)

    def look_up(self, name: str) -> Value:
        for scope in reversed(self.scopes):
            if scope is not self.scope and "__class__" in scope:
                continue
            if name in scope:
                return scope[name]
        if name in self.module.scope:
            return self.module.scope[name]
        return BUILTINS.get(name, UNKNOWN)

    def quiet(self, node: ast.expr) -> Value:
        """The value of a (dotted) name in an annotation."""
        if isinstance(node, ast.Name):
            return self.look_up(node.id)
        if isinstance(node, ast.Attribute):
            return self.attribute(self.quiet(node.value), node.attr)
        return UNKNOWN

    def annotation(self, node: ast.expr) -> None:
        """Give the names in an annotation their values, quoted ones too."""
        for part in ast.walk(node):
            if isinstance(part, (ast.Name, ast.Attribute)):
                part.v = self.quiet(part)  # type: ignore[union-attr]

    def narrow(self, test: ast.expr, truth: bool) -> None:
        """What the test's outcome says of the names in it."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.narrow(test.operand, not truth)
        elif isinstance(test, ast.BoolOp):
            if isinstance(test.op, ast.And) == truth:
                for part in test.values:
                    self.narrow(part, truth)
        elif isinstance(test, ast.Call) and truth and len(test.args) >= 1:
            path = path_of(test.args[0])
            if not path:
                return
            if isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2:
                value = self.instance_of(test.args[1], self.ev(test.args[0]))
                if value is not None:
                    self.scope[path] = value
            elif getattr(test.func, "v", None) == Ref("torch.is_tensor"):
                self.scope[path] = TENSOR

    def instance_of(self, classes: ast.expr, current: Value) -> Value | None:
        nodes = classes.elts if isinstance(classes, ast.Tuple) else [classes]
        found: Value = BOTTOM
        for node in nodes:
            value = self.quiet(node)
            if isinstance(value, Ref):
                narrowed: Value = TENSOR if is_tensor_class(value.name) else Instance(value.name)
            elif isinstance(value, ClassOf):
                narrowed = ObjectOf(value.info)
            elif isinstance(node, ast.Name) and node.id in {"list", "tuple", "set"}:
                narrowed = current if isinstance(current, (Items, Series)) else Series(UNKNOWN, node.id)
            elif isinstance(node, ast.Name) and node.id == "dict":
                narrowed = current if isinstance(current, Mapping) else Mapping(UNKNOWN)
            elif isinstance(node, ast.Name) and node.id in {"int", "float", "str", "bool", "bytes", "complex"}:
                narrowed = Plain(node.id)
            elif isinstance(value, External) and value.name.split(".")[0] in TENSORLESS:
                narrowed = Plain(value.name)
            else:
                return None
            found = join(found, narrowed)
        return found

    # -- expressions --------------------------------------------------------------------------------------------

    def ev(self, node: ast.expr) -> Value:
        handler = HANDLERS.get(node.__class__)
        value = handler(self, node) if handler else self.children(node)
        node.v = value  # type: ignore[attr-defined]
        return value

    def children(self, node: ast.AST) -> Value:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.ev(child)
            else:
                self.children(child)
        return UNKNOWN

    def ev_Constant(self, node: ast.Constant) -> Value:
        return CONSTANTS.get(node.value.__class__, OBJECT)

    def ev_Name(self, node: ast.Name) -> Value:
        return self.look_up(node.id)

    def ev_Attribute(self, node: ast.Attribute) -> Value:
        receiver = self.ev(node.value)
        path = path_of(node)
        if path:
            for scope in reversed(self.scopes):
                if path in scope:
                    return scope[path]
        return self.attribute(receiver, node.attr)

    def attribute(self, receiver: Value, name: str) -> Value:
        """``receiver.name``."""
        if isinstance(receiver, Bottom):
            return BOTTOM
        if isinstance(receiver, Choice):
            found: Value = BOTTOM
            for one in receiver.values:
                found = join(found, self.attribute(one, name))
            return found
        if isinstance(receiver, Ref):
            return Ref(canonical(f"{receiver.name}.{name}"))
        if isinstance(receiver, Tensor):
            known = entry(f"torch.Tensor.{name}")
            if known is None:
                return UNKNOWN
            if known["kind"] == "property":
                return value_of_word(known.get("result", ""))
            return Method(f"torch.Tensor.{name}", receiver)
        if isinstance(receiver, Instance):
            return self.torch_attribute(receiver.name, receiver, name)
        if isinstance(receiver, (ObjectOf, ClassOf)):
            return self.project_attribute(receiver, name)
        if isinstance(receiver, ModuleOf):
            inner = self.project.find(f"{receiver.info.name}.{name}")
            return receiver.info.scope.get(name) or (ModuleOf(inner) if inner else UNKNOWN)
        if isinstance(receiver, External):
            full = f"{receiver.name}.{name}"
            inner = self.project.find(full)
            return ModuleOf(inner) if inner else External(full)
        if isinstance(receiver, (Items, Series, Mapping)) or (isinstance(receiver, Plain) and receiver.kind in BASIC):
            return Method(f"builtin.{name}", receiver)
        # an attribute of an argparse namespace, an array, a path, ...: whatever it is, no tensor
        return OBJECT if isinstance(receiver, Plain) else UNKNOWN

    def torch_attribute(self, klass: str, receiver: Value, name: str) -> Value:
        for base in mro(klass):
            known = entry(base) or {}
            if name in known.get("attributes", {}):
                return value_of_word(known["attributes"][name])
            if name in known.get("methods", {}):
                return Method(f"{base}.{name}", receiver)
        return UNKNOWN

    def project_attribute(self, receiver: ObjectOf | ClassOf, name: str) -> Value:
        for owner in receiver.info.linear():
            if isinstance(owner, ClassInfo):
                function = owner.functions.get(name)
                if function is not None and not function.opaque:
                    if function.kind == "property":
                        return function.returns
                    bound = isinstance(receiver, ObjectOf) or function.kind == "classmethod"
                    return FunctionOf(function, receiver if bound and function.kind != "staticmethod" else None)
                if name in owner.attributes:
                    return owner.attributes[name]
            elif owner == "?":
                return UNKNOWN
            elif is_tensor_class(owner):
                return self.attribute(TENSOR, name)
            else:
                found = self.torch_attribute(owner, receiver, name)
                if not isinstance(found, Unknown):
                    return found
        return UNKNOWN

    def ev_Call(self, node: ast.Call) -> Value:
        positional: list[Value] = []
        starred = False
        for argument in node.args:
            value = self.ev(argument)
            if isinstance(argument, ast.Starred):
                starred = True
                if isinstance(value, Items):
                    positional += value.values
            elif not starred:
                positional.append(value)
        keywords = {word.arg: self.ev(word.value) for word in node.keywords if word.arg}
        for word in node.keywords:
            if word.arg is None:
                starred = True
                self.ev(word.value)
        callee = self.ev(node.func)
        return self.call(callee, positional, keywords, node, starred)

    def call(
        self,
        callee: Value,
        positional: list[Value],
        keywords: dict[str, Value],
        node: ast.Call | None = None,
        starred: bool = False,
    ) -> Value:
        """The value of calling ``callee``; summaries of the project's own functions learn the arguments."""
        if isinstance(callee, Bottom):
            return BOTTOM
        if isinstance(callee, Choice):
            found: Value = BOTTOM
            for one in callee.values:
                found = join(found, self.call(one, positional, keywords, node, starred))
            return found
        if isinstance(callee, Ref):
            return self.call_torch(callee.name, positional, keywords)
        if isinstance(callee, Method):
            return self.call_method(callee, positional, keywords, node)
        if isinstance(callee, FunctionOf):
            return self.call_function(callee, positional, keywords, starred)
        if isinstance(callee, ClassOf):
            self.construct(callee.info, positional, keywords, starred)
            return ObjectOf(callee.info)
        if isinstance(callee, ObjectOf):
            name = "forward" if callee.info.is_module else "__call__"
            method = self.project_attribute(callee, name)
            if isinstance(method, FunctionOf):
                return self.call_function(method, positional, keywords, starred)
            if isinstance(method, Method):
                return self.call(Instance(callee.info.torch_base() or "torch.nn.Module"), positional, keywords)
            return UNKNOWN
        if isinstance(callee, Instance):
            if callee.result is not None:
                return callee.result
            known = entry(callee.name) or {}
            if callee.name == "torch.nn.Module" or not known.get("module"):
                return UNKNOWN
            return value_of_word(known.get("forward", ""))
        if isinstance(callee, External):
            return self.call_external(callee.name, positional)
        if isinstance(callee, Plain) and callee.kind.startswith("builtin:"):
            return self.call_builtin(callee.kind[8:], positional, keywords, node)
        return OBJECT if isinstance(callee, Plain) else UNKNOWN

    def construct(self, info: ClassInfo, positional: list[Value], keywords: dict[str, Value], starred: bool) -> None:
        for owner in info.linear():
            if isinstance(owner, ClassInfo) and "__init__" in owner.functions:
                self.call_function(
                    FunctionOf(owner.functions["__init__"], ObjectOf(info)), positional, keywords, starred
                )
                return
            if owner == "?":
                return
        fields = [
            s.target.id for s in info.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        ]
        for name, value in [*zip(fields, positional, strict=False), *keywords.items()]:
            if name in fields and isinstance(info.attributes.get(name), (Unknown, Bottom)):
                info.attributes[name] = value

    def call_function(
        self, callee: FunctionOf, positional: list[Value], keywords: dict[str, Value], starred: bool
    ) -> Value:
        info = callee.info
        arguments = info.node.args
        names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
        if callee.receiver is not None and names:
            names = names[1:]
        elif info.kind == "method" and names and positional:
            names, positional = names[1:], positional[1:]
        forward = is_forward(info)
        for name, value in zip(names, positional, strict=False):
            # What an unknown caller hands to a forward says nothing against its being a tensor.
            if not (forward and isinstance(value, Unknown)):
                self.project.merge(info.arguments, name, value)
        if arguments.vararg:
            for value in positional[len(names) :]:
                self.project.merge(info.arguments, "*" + arguments.vararg.arg, value)
        known = {*names, *(argument.arg for argument in arguments.kwonlyargs)}
        for name, value in keywords.items():
            if name in known and not (forward and isinstance(value, Unknown)):
                self.project.merge(info.arguments, name, value)
        if starred and not forward:
            for name in names[len(positional) :]:
                if name not in keywords:
                    self.project.merge(info.arguments, name, UNKNOWN)
        promised = None
        if not isinstance(info.node, ast.Lambda) and info.module is self.module:
            promised = value_of_annotation(info.node.returns, self.quiet)
        if not isinstance(info.yields, Bottom):
            return Series(info.yields, "iterator")
        return promised if promised is not None else info.returns

    def call_torch(self, name: str, positional: list[Value], keywords: dict[str, Value]) -> Value:
        known = entry(name)
        if known is None:
            return UNKNOWN
        if known["kind"] == "class":
            return self.new_torch(name, positional, keywords)
        if name.startswith("torch.Tensor.") or known["kind"] == "function":
            if name in {"torch.jit.script", "torch.compile"} and positional:
                return positional[0]
            if name in {"torch.cat", "torch.stack"}:
                return TENSOR
            if name == "torch.load":
                return UNKNOWN
            return result_of(known.get("result", ""), positional, keywords)
        return UNKNOWN

    def new_torch(self, name: str, positional: list[Value], keywords: dict[str, Value]) -> Value:
        if is_tensor_class(name):
            return TENSOR
        if name == "torch.Size":
            return SIZE
        if name in CONTAINER_MODULES:
            inner: Value = BOTTOM
            items = [element(positional[0])] if positional and name != "torch.nn.Sequential" else positional
            if name == "torch.nn.Sequential" and len(positional) == 1 and isinstance(positional[0], (Mapping, Series)):
                only = positional[0]
                items = [only.element]
            for item in items:
                inner = join(inner, item)
            if name == "torch.nn.ParameterList":
                inner = TENSOR
            result = self.chain(positional) if name == "torch.nn.Sequential" else None
            return Instance(name, inner, result)
        if name == "torch.nn.ModuleDict":
            return Instance(name, STR)
        if name == "torch.utils.data.DataLoader":
            dataset = positional[0] if positional else keywords.get("dataset", UNKNOWN)
            collate = keywords.get("collate_fn")
            if collate is not None and collate != NONE:
                return Instance(name, self.call(collate, [Series(self.item_of(dataset))], {}))
            return Instance(name, collated(self.item_of(dataset)))
        if name in {"torch.utils.data.TensorDataset", "torch.utils.data.Subset"}:
            return Instance(
                name,
                Items(tuple(TENSOR for _ in positional))
                if name.endswith("TensorDataset")
                else self.item_of(positional[0])
                if positional
                else None,
            )
        return Instance(name)

    def chain(self, modules: list[Value]) -> Value:
        """The result of a Sequential: that of its last module."""
        last = modules[-1] if modules else UNKNOWN
        if isinstance(last, Series):
            last = last.element
        return self.call(last, [TENSOR], {}) if isinstance(last, (Instance, ObjectOf)) else TENSOR

    def item_of(self, dataset: Value) -> Value:
        """What a dataset gives for one index."""
        if isinstance(dataset, ObjectOf):
            method = self.project_attribute(dataset, "__getitem__")
            if isinstance(method, FunctionOf):
                return self.call_function(method, [INT], {}, False)
        if isinstance(dataset, Instance) and dataset.element is not None:
            return dataset.element
        return UNKNOWN

    def call_method(
        self, callee: Method, positional: list[Value], keywords: dict[str, Value], node: ast.Call | None
    ) -> Value:
        receiver = callee.receiver
        owner, _, name = callee.name.rpartition(".")
        if owner == "builtin":
            return self.call_builtin_method(receiver, name, positional, node)
        if owner == "torch.Tensor":
            known = entry(callee.name) or {}
            return result_of(known.get("result", ""), [receiver, *positional], keywords)
        known = entry(owner) or {}
        if known.get("module") or owner == "torch.nn.Module":
            if name in MODULE_ITERATORS:
                return MODULE_ITERATORS[name]
            if name in MODULE_SELF:
                return receiver
            if name in {"register_buffer", "register_parameter", "add_module", "register_module"} and isinstance(
                receiver, ObjectOf
            ):
                self.register(receiver, name, positional, keywords, node)
        if name in {"values", "keys", "items"} and owner == "torch.nn.ModuleDict":
            return UNKNOWN
        if owner == "torch.Size" and name == "numel":
            return INT
        return value_of_word(known.get("methods", {}).get(name, ""))

    def register(
        self, receiver: ObjectOf, name: str, positional: list[Value], keywords: dict[str, Value], node: ast.Call | None
    ) -> None:
        """``self.register_buffer("mask", ...)`` makes an attribute."""
        first = node.args[0] if node and node.args else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            value = (
                TENSOR
                if name in {"register_buffer", "register_parameter"}
                else positional[1]
                if len(positional) > 1
                else UNKNOWN
            )
            self.project.merge(receiver.info.attributes, first.value, value)

    def call_builtin_method(self, receiver: Value, name: str, positional: list[Value], node: ast.Call | None) -> Value:
        if isinstance(receiver, Mapping):
            if name in {"items"}:
                return Series(Items((STR, receiver.element)), "iterator")
            if name in {"values"}:
                return Series(receiver.element, "iterator")
            if name in {"get", "pop", "setdefault"}:
                return receiver.element if len(positional) < 2 else join(receiver.element, positional[1])
            if name == "keys":
                return Series(STR, "iterator")
            if name == "update" and positional and node is not None and isinstance(node.func, ast.Attribute):
                other = positional[0]
                path = path_of(node.func.value)
                if path and isinstance(other, Mapping):
                    self.scope[path] = Mapping(join(receiver.element, other.element))
            return receiver if name == "copy" else OBJECT
        if isinstance(receiver, (Items, Series)):
            if name in {"append", "add", "insert", "extend", "appendleft"} and positional:
                value = positional[-1] if name != "extend" else element(positional[0])
                if node is not None and isinstance(node.func, ast.Attribute):
                    self.appended(node.func.value, receiver, value)
                return NONE
            if name == "pop":
                return element(receiver)
            return receiver if name == "copy" else INT if name in {"index", "count"} else OBJECT
        if isinstance(receiver, Plain) and receiver.kind == "str":
            return (
                Series(STR)
                if name in {"split", "rsplit", "splitlines"}
                else STR
                if name not in {"index", "find", "count"}
                else INT
            )
        return OBJECT

    def appended(self, target: ast.expr, container: Value, value: Value) -> None:
        inner = element(container) if not isinstance(container, Items) or container.values else BOTTOM
        new = Series(join(inner, value))
        path = path_of(target)
        if not path:
            return
        self.scope[path] = new
        if isinstance(target, ast.Attribute) and isinstance(receiver := getattr(target.value, "v", None), ObjectOf):
            self.project.merge(receiver.info.attributes, target.attr, new)

    def call_external(self, name: str, positional: list[Value]) -> Value:
        if name in PASS_THROUGH:
            return positional[0] if positional else UNKNOWN
        root = name.split(".")[0]
        if root == "math":
            return FLOAT
        if name in {"collections.OrderedDict", "collections.defaultdict"}:
            inner = positional[0] if positional and name.endswith("OrderedDict") else None
            pairs = element(inner) if inner is not None else BOTTOM
            if isinstance(inner, Mapping):
                return inner
            return Mapping(pairs.values[1] if isinstance(pairs, Items) and len(pairs.values) == 2 else BOTTOM)
        if name in {
            "functools.partial",
            "functools.reduce",
            "itertools.chain",
            "operator.itemgetter",
            "operator.attrgetter",
        }:
            return UNKNOWN
        if root in {
            "itertools",
            "functools",
            "operator",
            "concurrent",
            "pickle",
            "multiprocessing",
            "queue",
            "weakref",
            "contextlib",
            "contextvars",
            "types",
            "typing",
            "importlib",
            "copy",
            "collections",
            "heapq",
            "random",
            "asyncio",
            "threading",
            "joblib",
            "dataclasses",
            "inspect",
            "abc",
            "enum",
        }:
            return UNKNOWN  # they hand other people's objects through
        if root in TENSORLESS:
            return Plain(name)
        return UNKNOWN

    def call_builtin(
        self, name: str, positional: list[Value], keywords: dict[str, Value], node: ast.Call | None
    ) -> Value:
        first = positional[0] if positional else UNKNOWN
        if name in BUILTIN_RESULTS:
            return BUILTIN_RESULTS[name]
        if name == "range":
            return Series(INT, "range")
        if name == "enumerate":
            return Series(Items((INT, element(first))), "iterator")
        if name == "zip":
            return Series(Items(tuple(element(value) for value in positional)), "iterator")
        if name in {"list", "tuple", "sorted", "reversed", "set", "iter", "frozenset"}:
            if isinstance(first, Items) and name in {"list", "tuple"}:
                return Items(first.values, name)
            return Series(element(first) if positional else BOTTOM, name)
        if name == "next":
            return element(first)
        if name in {"max", "min"}:
            found: Value = element(first) if len(positional) == 1 else BOTTOM
            for value in positional if len(positional) > 1 else ():
                found = join(found, value)
            return found
        if name == "sum":
            return element(first) if isinstance(element(first), Tensor) else join(element(first), INT)
        if name in {"abs", "pow", "round", "divmod"}:
            return first if name != "divmod" else UNKNOWN
        if name == "dict":
            if isinstance(first, Mapping):
                return first
            inner: Value = BOTTOM
            for value in keywords.values():
                inner = join(inner, value)
            return Mapping(inner if not positional else UNKNOWN)
        if name == "super":
            return Instance("super") if self.owner is None else self.super_value()
        if name == "getattr" and node is not None and len(node.args) > 1:
            key = node.args[1]
            return (
                self.attribute(first, key.value)
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
                else UNKNOWN
            )
        if name == "type" and len(positional) == 1:
            return ClassOf(first.info) if isinstance(first, ObjectOf) else UNKNOWN
        if name in {"map", "filter"} and len(positional) > 1:
            inner = element(positional[1])
            return Series(self.call(first, [inner], {}) if name == "map" else inner, "iterator")
        return UNKNOWN

    def super_value(self) -> Value:
        assert self.owner is not None
        bases = self.owner.bases
        for base in bases:
            if isinstance(base, ClassOf):
                return ObjectOf(base.info)
            if isinstance(base, Ref):
                return TENSOR if is_tensor_class(base.name) else Instance(base.name)
        return UNKNOWN

    def ev_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.ev(node.left), self.ev(node.right)
        if isinstance(node.op, ast.Mod) and isinstance(left, Plain) and left.kind == "str":
            return STR
        if isinstance(left, Items) and isinstance(right, Items) and isinstance(node.op, ast.Add):
            return Items(left.values + right.values, left.kind)
        if isinstance(left, (Items, Series)) and isinstance(node.op, ast.Mult):
            return Series(element(left))
        return binary(left, right)

    def ev_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.ev(node.operand)
        return BOOL if isinstance(node.op, ast.Not) else value

    def ev_BoolOp(self, node: ast.BoolOp) -> Value:
        found: Value = BOTTOM
        held = dict(self.scope)
        for part in node.values:
            found = join(found, self.ev(part))
            self.narrow(part, isinstance(node.op, ast.And))
        self.replace_scope({**held, **{n: v for n, v in self.scope.items() if n not in held and "." not in n}})
        return found

    def ev_Compare(self, node: ast.Compare) -> Value:
        values = [self.ev(node.left), *map(self.ev, node.comparators)]
        if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return BOOL
        if any(isinstance(value, Tensor) for value in values):
            return TENSOR
        if any(isinstance(value, Bottom) for value in values):
            return BOTTOM
        return UNKNOWN if any(isinstance(value, Unknown) for value in values) else BOOL

    def ev_IfExp(self, node: ast.IfExp) -> Value:
        self.ev(node.test)
        held = dict(self.scope)
        self.narrow(node.test, True)
        body = self.ev(node.body)
        self.replace_scope(held)
        return join(body, self.ev(node.orelse))

    def ev_Tuple(self, node: ast.Tuple | ast.List) -> Value:
        kind = "tuple" if isinstance(node, ast.Tuple) else "list"
        values = [self.ev(item) for item in node.elts]
        if any(isinstance(item, ast.Starred) for item in node.elts):
            found: Value = BOTTOM
            for item, value in zip(node.elts, values, strict=True):
                found = join(found, element(value) if isinstance(item, ast.Starred) else value)
            return Series(found, kind)
        return Items(tuple(values), kind)

    def ev_Set(self, node: ast.Set) -> Value:
        for item in node.elts:
            self.ev(item)
        return Series(UNKNOWN, "set")

    def ev_Dict(self, node: ast.Dict) -> Value:
        found: Value = BOTTOM
        known = []
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.ev(item)
            if key is None:
                found = join(found, value.element if isinstance(value, Mapping) else UNKNOWN)
                continue
            self.ev(key)
            if isinstance(key, ast.Constant):
                known.append((key.value, value))
            found = join(found, value)
        return Mapping(found, tuple(known) if len(known) == len(node.keys) else ())

    def ev_Starred(self, node: ast.Starred) -> Value:
        return self.ev(node.value)

    def ev_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.ev(node.value)
        self.assign(node.target, value)
        return value

    def ev_Lambda(self, node: ast.Lambda) -> Value:
        info = self.project.functions.get(node)
        if info is None:
            info = self.project.functions[node] = FunctionInfo(node, self.module)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.ev(default)
        self.body_of(info, list(self.scopes), self.owner)
        return FunctionOf(info)

    def ev_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
        outer = (self.scope, self.scopes)
        self.scope = {}
        self.scopes = [*self.scopes, self.scope]
        for generator in node.generators:
            self.assign(generator.target, element(self.ev(generator.iter)))
            for test in generator.ifs:
                self.ev(test)
                self.narrow(test, True)
        if isinstance(node, ast.DictComp):
            self.ev(node.key)
            inner = self.ev(node.value)
            result: Value = Mapping(inner)
        else:
            result = Series(self.ev(node.elt), {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "iterator"))
        self.scope, self.scopes = outer
        return result

    def ev_Subscript(self, node: ast.Subscript) -> Value:
        container = self.ev(node.value)
        self.ev(node.slice)
        index = node.slice
        if isinstance(container, Bottom):
            return BOTTOM
        if isinstance(container, Tensor):
            return TENSOR
        if isinstance(container, Items):
            number = constant_int(index)
            if number is not None and -len(container.values) <= number < len(container.values):
                return container.values[number]
            if isinstance(index, ast.Slice):
                return Series(element(container), container.kind)
        if isinstance(container, Mapping):
            if isinstance(index, ast.Constant):
                for key, value in container.known:
                    if key == index.value:
                        return value
            return container.element
        if isinstance(container, Instance) and container.name == "torch.Size" and isinstance(index, ast.Slice):
            return SIZE
        if isinstance(container, (Series, Items)):
            return container if isinstance(index, ast.Slice) else element(container)
        if (
            isinstance(container, Instance)
            and container.element is not None
            and container.name != "torch.nn.ModuleDict"
        ):
            return container if isinstance(index, ast.Slice) else container.element
        if isinstance(container, ObjectOf):
            return self.item_of(container)
        if isinstance(container, Plain):
            return STR if container.kind == "str" else OBJECT
        return UNKNOWN

    def ev_Slice(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.ev(part)
        return Plain("slice")

    def ev_JoinedStr(self, node: ast.JoinedStr) -> Value:
        self.children(node)
        return STR

    def ev_Yield(self, node: ast.Yield) -> Value:
        value = self.ev(node.value) if node.value is not None else NONE
        if self.function is not None:
            new = join(self.function.yields, value)
            if new != self.function.yields:
                self.function.yields = new
                self.project.changed = True
        return UNKNOWN

    def ev_YieldFrom(self, node: ast.YieldFrom) -> Value:
        value = element(self.ev(node.value))
        if self.function is not None:
            self.function.yields = join(self.function.yields, value)
        return UNKNOWN

    def ev_Await(self, node: ast.Await) -> Value:
        self.ev(node.value)
        return UNKNOWN


HANDLERS: dict[type, Any] = {
    getattr(ast, name[3:]): function
    for name, function in vars(Interpreter).items()
    if name.startswith("ev_") and hasattr(ast, name[3:])
}
HANDLERS[ast.List] = Interpreter.ev_Tuple
for _kind in (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp):
    HANDLERS[_kind] = Interpreter.ev_comprehension

CONSTANTS: dict[type, Value] = {int: INT, float: FLOAT, bool: BOOL, str: STR, type(None): NONE, bytes: Plain("bytes")}
BUILTIN_RESULTS: dict[str, Value] = {
    "len": INT, "int": INT, "float": FLOAT, "str": STR, "bool": BOOL, "isinstance": BOOL, "issubclass": BOOL,
    "hasattr": BOOL, "callable": BOOL, "any": BOOL, "all": BOOL, "repr": STR, "print": NONE, "open": OBJECT,
    "id": INT,
    "hash": INT, "ord": INT, "chr": STR, "input": STR, "format": STR, "bytes": Plain("bytes"),
    "complex": Plain("complex"),
    "slice": Plain("slice"), "object": OBJECT, "vars": OBJECT, "dir": Series(STR), "setattr": NONE,
    "hex": STR, "bin": STR,
}  # fmt: skip
BUILTINS: dict[str, Value] = {
    name: Plain("builtin:" + name)
    for name in [
    *BUILTIN_RESULTS, "range", "enumerate", "zip", "list", "tuple", "sorted", "reversed", "set", "frozenset",
    "iter", "next",
        "max", "min", "sum", "abs", "pow", "round", "divmod", "dict", "super", "getattr", "type", "map", "filter",
    ]
}  # fmt: skip
for _name in ("__name__", "__file__", "__doc__"):
    BUILTINS[_name] = STR


def is_forward(info: FunctionInfo) -> bool:
    """Whether this is the ``forward`` of a Module: its parameters are tensors unless a call says otherwise."""
    return info.name == "forward" and info.owner is not None and info.owner.is_module


def binary(left: Value, right: Value) -> Value:
    """``left op right``: a tensor absorbs whatever stands on the other side."""
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return TENSOR
    if isinstance(left, Bottom) or isinstance(right, Bottom):
        return BOTTOM
    if isinstance(left, Plain) and isinstance(right, Plain):
        return (
            left
            if left == right
            else FLOAT
            if {left.kind, right.kind} <= {"int", "float", "bool", "number"}
            else OBJECT
        )
    return UNKNOWN


def collated(item: Value) -> Value:
    """What default_collate makes of a batch of such items."""
    if isinstance(item, Items):
        return Items(tuple(map(collated, item.values)), "list")
    if isinstance(item, Mapping):
        return Mapping(collated(item.element), tuple((key, collated(value)) for key, value in item.known))
    if isinstance(item, Tensor) or (
        isinstance(item, Plain) and item.kind in {"int", "float", "bool", "number", "ndarray"}
    ):
        return TENSOR
    if item == STR:
        return Series(STR)
    return item if isinstance(item, Bottom) else UNKNOWN


def path_of(node: ast.expr) -> str | None:
    """``self.x`` as text: what narrowing and flow-sensitive attributes are filed under."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = path_of(node.value)
        return f"{base}.{node.attr}" if base else None
    return None


def constant_int(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = constant_int(node.operand)
        return None if inner is None else -inner
    return None


def all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return found + [argument for argument in (arguments.vararg, arguments.kwarg) if argument]


def has_return(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the function returns a value somewhere (nested functions aside)."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        part = stack.pop()
        if isinstance(part, (ast.Return, ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(part))
    return False


def star_names(module: str) -> list[str]:
    """The public names that ``from torch.x import *`` binds, as far as the table knows."""
    from rewriters.source.table import table

    prefix = module + "."
    loaded = table()
    return sorted(
        {
            n[len(prefix) :]
            for n in [*loaded["names"], *loaded["aliases"]]
            if n.startswith(prefix) and "." not in n[len(prefix) :]
        }
    )


__all__ = ["Interpreter", "Project", "path_of"]
