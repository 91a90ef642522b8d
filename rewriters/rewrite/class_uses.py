"""Where a file uses classes as values: which are only tested with, which only looked up, and whether any travel."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeGuard

from rewriters.infer.syntax import is_dict_of
from rewriters.infer.values import ClassInfo, ClassOf, Instance, ModuleInfo, Ref
from rewriters.places.calls import is_tensor
from rewriters.rewrite.class_names import is_function
from rewriters.rewrite.kept_dtypes import are_looked_up
from rewriters.text.tree import Nodes, called_name, last_name, walk
from rewriters.torch.table import entry

NAMED = (ast.Name, ast.Attribute)
DISPLAYS = (ast.Tuple, ast.List, ast.Set)


class Reads:
    """The names of attributes that files read.

    readers: the files that read each.
    """

    def __init__(self, modules: Iterable[ModuleInfo]) -> None:
        self.readers: dict[str, tuple[ModuleInfo, ...]] = {}
        for module in modules:
            names = {node.attr for node in module.nodes.of(ast.Attribute) if isinstance(node.ctx, ast.Load)}
            for name in names:
                self.readers[name] = (*self.readers.get(name, ()), module)

    def elsewhere(self, module: ModuleInfo, names: Iterable[str]) -> set[str]:
        """Those of the names that other files read."""
        return {name for name in names if any(reader is not module for reader in self.readers.get(name, ()))}


@dataclass(frozen=True)
class Travel:
    """What is handed on between the files of a component.

    classes:        whether any of torch's classes is a value that something else may receive.
    functions:      whether any of its functions is.
    reads:          the names of attributes that files read.
    keywords:       those that any call gives.
    by_text:        whether anything is imported by a text.
    words:          texts that are names, or end in one of torch's (``"nn.ReLU"``).
    looked_up:      names under which something may be read by a text.
    resetting:      classes that define what torch's constructors call, or a class derived from them does.
    tensors:        names of attributes that are changed by augmented assignments, and somewhere given a tensor.
    sized:          names of functions and classes that are somewhere given a size.
    dtypes:         whether any is looked up, or told apart by identity.
    """

    classes: bool
    functions: bool
    reads: Reads
    keywords: frozenset[str]
    by_text: bool
    words: frozenset[str]
    looked_up: frozenset[str]
    resetting: frozenset[ast.AST]
    tensors: frozenset[str]
    sized: frozenset[str]
    dtypes: bool

    @property
    def names_asked(self) -> bool:
        """Whether the project asks anything for its name."""
        return "__name__" in self.words or "__name__" in self.reads.readers or "__qualname__" in self.reads.readers

    @property
    def names_widths(self) -> bool:
        """Whether the project says the widest dtype as a text: what is made by it, nothing else tells."""
        return not self.words.isdisjoint({"float64", "double"})

    @property
    def makes_wide(self) -> bool:
        """Whether the project names the widest dtype at all: what nothing is known of may be of it."""
        return self.names_widths or not self.reads.readers.keys().isdisjoint(WIDEST)

    @property
    def makes_narrow(self) -> bool:
        """Whether the project names a dtype of integers that is not the widest: what counts may be of it."""
        return not self.words.isdisjoint(NARROW_NAMES) or not self.reads.readers.keys().isdisjoint(NARROW_NAMES)


NARROW_NAMES = {
    "int8", "int16", "int32", "uint8", "uint16", "uint32", "short", "char", "byte", "int",
    "CharTensor", "ByteTensor", "ShortTensor", "IntTensor",
}  # fmt: skip
WIDEST = {"float64", "double", "DoubleTensor"}
DOTTED = re.compile(r"(?:torch\.|nn\.|optim\.|F\.)[\w.]+")
IMPORTING = {"import_module", "__import__", "locate", "import_string"}
"""Functions that find something by a text with its dotted name."""
LOOKING_UP = {
    *("getattr", "attrgetter", "methodcaller", "getattr_static", "getmembers", "__getattribute__", "__getattr__"),
    "__dict__",
}
"""Names of what reads by a text, or gives all that there is under its name."""
BUILTIN_LOOKING_UP = {"vars", "globals", "locals", "dir", "eval", "exec", "builtins", "__builtins__"}
"""Those that are no method's."""
RESETS = {"reset_parameters", "_reset_parameters", "reset_running_stats"}
"""Methods that the constructors of torch's layers call."""


def travel(modules: Iterable[ModuleInfo], classes: Iterable[ClassInfo]) -> Travel:
    """Of all the files and classes of a component."""
    modules = list(modules)
    words = frozenset(word.arg for m in modules for node in m.nodes.of(ast.Call) for word in node.keywords if word.arg)
    constants = (node.value for m in modules for node in m.nodes.of(ast.Constant))
    said = (text.rpartition(".")[2] if DOTTED.fullmatch(text) else text for text in constants if isinstance(text, str))
    texts = frozenset(text for text in said if text.isidentifier())
    owners = [info for info in classes if RESETS & set(info.functions)]
    resetting = frozenset(base.node for info in owners for base in info.linear() if not isinstance(base, str))
    handed_on = any(hands_on(module.nodes, is_class) for module in modules)
    functions = any(hands_on(module.nodes, is_a_function) for module in modules)
    calls = [node for module in modules for node in module.nodes.of(ast.Call)]
    by_text = any(isinstance(call.func, NAMED) and last_name(call.func) in IMPORTING for call in calls)
    asked = looked_up(modules, texts)
    tensors, sized = given_tensors(modules, classes), frozenset(called_name(call) for call in calls if is_sized(call))
    dtypes = are_looked_up(modules)
    return Travel(handed_on, functions, Reads(modules), words, by_text, texts, asked, resetting, tensors, sized, dtypes)


def is_sized(call: ast.Call) -> bool:
    """Whether a call is given a size."""
    given = [*call.args, *(word.value for word in call.keywords)]
    return any(isinstance(v := getattr(one, "v", None), Instance) and v.name == "torch.Size" for one in given)


def looked_up(modules: list[ModuleInfo], texts: frozenset[str]) -> frozenset[str]:
    """Of the texts those that something is asked for by: all, where a look-up's name is not written out."""
    found: set[str] = set()
    for nodes in (module.nodes for module in modules):
        for node in nodes.of(*NAMED):
            name, is_read = last_name(node), isinstance(node.ctx, ast.Load)
            if is_read and (name in LOOKING_UP or (name in BUILTIN_LOOKING_UP and isinstance(node, ast.Name))):
                call = nodes.parents[node]
                given = call.args[1:2] if isinstance(call, ast.Call) and call.func is node and name == "getattr" else []
                if not given or not isinstance(given[0], ast.Constant):
                    return texts
                found.add(str(given[0].value))
            elif name == "__all__":
                statement = nodes.around(node, ast.stmt)
                told = (part for part in walk(statement or node) if isinstance(part, ast.Constant))
                found |= {str(one.value) for one in told if nodes.around(one, ast.stmt) is statement}
    return frozenset(found)


def given_tensors(modules: list[ModuleInfo], classes: Iterable[ClassInfo]) -> frozenset[str]:
    """Names of attributes that ``x.name += y`` changes, where a store, a keyword or a field gives one a tensor."""
    targets = (node.target for module in modules for node in module.nodes.of(ast.AugAssign))
    changed = {target.attr for target in targets if isinstance(target, ast.Attribute)} - {"grad"}
    if not changed:
        return frozenset()
    found: set[str] = set()
    fields = {info: info.fields() for info in classes}
    for nodes in (module.nodes for module in modules):
        for node in nodes.of(ast.Assign):
            if is_tensor(node.value):
                found |= {target.attr for target in node.targets if isinstance(target, ast.Attribute)}
                keys = (getattr(target.slice, "value", None) for target in node.targets if is_of_dict(target))
                found |= {key for key in keys if isinstance(key, str)}  # vars(x)["name"] = y
        for node in nodes.of(ast.Call):
            found |= {word.arg for word in node.keywords if word.arg in changed and is_tensor(word.value)}
            if len(node.args) == 3 and isinstance(node.args[1], ast.Constant) and is_tensor(node.args[2]):
                found.add(str(node.args[1].value))  # setattr(x, "name", y)
            made = getattr(node.func, "v", None)
            if isinstance(made, ClassOf):
                found |= {n for n, given in zip(fields.get(made.info, ()), node.args, strict=False) if is_tensor(given)}
    return frozenset(found & changed)


def is_of_dict(target: ast.expr) -> TypeGuard[ast.Subscript]:
    """``x.__dict__[...]``, ``vars(x)[...]``"""
    return isinstance(target, ast.Subscript) and is_dict_of(target.value)


def hands_on(nodes: Nodes, wanted: Callable[[Ref], bool]) -> bool:
    """Whether one of torch's classes, or functions, is named other than to call it, derive from it or test for it."""
    for node in nodes.of(*NAMED):
        value = getattr(node, "v", None)
        if isinstance(value, Ref) and not is_used_at_once(node, nodes) and wanted(value):
            return True
    return False


def is_class(value: Ref) -> bool:
    return (entry(value.name) or {}).get("kind") == "class"


def is_a_function(value: Ref) -> bool:
    return is_function(value.name)


def is_used_at_once(node: ast.AST, nodes: Nodes) -> bool:
    """Whether a name is called, looked into, derived from or tested for, alone or in a display."""
    parent = nodes.parents[node]
    if isinstance(parent, ast.Attribute) or (isinstance(parent, ast.Call) and parent.func is node):
        return True
    if isinstance(parent, ast.ClassDef):
        return node in parent.bases
    if isinstance(parent, DISPLAYS):
        node, parent = parent, nodes.parents[parent]
    if isinstance(parent, ast.Call):
        return is_class_test(parent) and parent.args[1] is node
    return isinstance(parent, ast.Compare)


CLASS_TESTS = {"isinstance", "issubclass"}


def is_class_test(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in CLASS_TESTS and len(node.args) == 2


def class_names(nodes: Nodes) -> set[str]:
    """Names that are read only where classes are tested for: ``NORMS = (nn.LayerNorm,)``, ``isinstance(m, NORMS)``."""
    classes = [call.args[1] for call in nodes.of(ast.Call) if is_class_test(call)]
    parts = {part for node in classes for part in (node.elts if isinstance(node, ast.Tuple) else [node])}
    found = {last_name(part) for part in parts}
    found.discard("")
    if found:
        named = [(node.id, node) for node in nodes.of(ast.Name) if node.id in found]
        named += [(node.attr, node) for node in nodes.of(ast.Attribute) if node.attr in found]
        found -= {name for name, node in named if isinstance(node.ctx, ast.Load) and node not in parts}
    return found


def uses_of_classes(nodes: Nodes, elsewhere: Callable[[set[str]], set[str]]) -> tuple[set[ast.AST], set[ast.AST]]:
    """(displays of classes that are tested with and nothing else, dicts whose keys are only looked up).

    elsewhere: those of some names that other files read.
    """
    tests, looked_up = tested_with(nodes), looked_up_in(nodes)
    displays: set[ast.AST] = set()
    dicts: set[ast.AST] = {node for node in looked_up if isinstance(node, ast.Dict)}
    held: list[tuple[ast.expr, set[str]]] = []
    for statement in nodes.of(ast.Assign, ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        names = {last_name(target) for target in targets}
        is_display = isinstance(statement.value, (*DISPLAYS, ast.Dict))
        if is_display and all(isinstance(target, NAMED) for target in targets) and not elsewhere(names):
            held.append((statement.value, names))
    asked = set[str]().union(*(names for _, names in held))
    reads: dict[str, list[ast.expr]] = {}
    named = [(node.id, node) for node in nodes.of(ast.Name) if node.id in asked] if asked else []
    named += [(node.attr, node) for node in nodes.of(ast.Attribute) if node.attr in asked] if asked else []
    for name, node in named:
        if isinstance(node.ctx, ast.Load):
            reads.setdefault(name, []).append(node)
    for value, names in held:
        found = [node for name in names for node in reads.get(name, ())]
        if isinstance(value, DISPLAYS) and found and all(node in tests for node in found):
            displays.add(value)
        if isinstance(value, ast.Dict) and found and all(node in looked_up for node in found):
            dicts.add(value)
    return displays, dicts


def tested_with(nodes: Nodes) -> set[ast.AST]:
    """Expressions that only membership or isinstance is tested with, also one by one or as a tuple."""
    found: set[ast.AST] = set()
    for node in nodes.of(ast.Compare):
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            found.add(node.comparators[0])
    for node in nodes.of(ast.Call):
        if is_class_test(node):
            classes = node.args[1]
            wrapped = isinstance(classes, ast.Call) and isinstance(classes.func, ast.Name)
            if wrapped and classes.func.id == "tuple" and len(classes.args) == 1:
                found.add(classes.args[0])
            found.add(classes)
    for node in nodes.of(ast.GeneratorExp, ast.ListComp):
        (first, *others) = node.generators
        element = node.elt
        if others or first.ifs or not isinstance(first.target, ast.Name) or not isinstance(element, ast.Call):
            continue
        tested = element.args[1] if is_class_test(element) else None
        if isinstance(tested, ast.Name) and tested.id == first.target.id:
            found.add(first.iter)
    return found


def hashed(nodes: Nodes) -> set[ast.AST]:
    """What is a key of a dict or an item of a set."""
    found: set[ast.AST] = {key for node in nodes.of(ast.Dict) for key in node.keys if key is not None}
    found |= {item for node in nodes.of(ast.Set) for item in node.elts}
    found |= {node.slice for node in nodes.of(ast.Subscript)}
    for node in nodes.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"get", "setdefault", "pop", "add"} and node.args:
            found.add(node.args[0])
    return found


def looked_up_in(nodes: Nodes) -> set[ast.AST]:
    """Expressions that are only looked into by a key."""
    found: set[ast.AST] = set()
    for node in nodes.of(ast.Subscript):
        if isinstance(node.ctx, ast.Load):
            found.add(node.value)
    for node in nodes.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            found.add(node.func.value)
    for node in nodes.of(ast.Compare):
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            found.add(node.comparators[0])
    return found
