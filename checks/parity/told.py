"""What a project's own code tells of its models' inputs and settings. Nothing is imported.

The tensors that it makes beside a model, where it tries or exports one; the defaults of its command lines; what its
scripts make a model with.
"""

from __future__ import annotations

import ast
import json
import operator
from collections.abc import Iterator
from math import prod
from typing import Any

import yaml  # type: ignore[import-untyped, unused-ignore]

from checks.parity.syntax import last_name

FLOATS = {"randn", "rand", "zeros", "ones", "empty"}
NUMBERS: dict[type[ast.operator], Any] = {
    ast.Mult: operator.mul, ast.Add: operator.add, ast.Sub: operator.sub, ast.FloorDiv: operator.floordiv,
}  # fmt: skip
TELLING = ("default", "config", "cfg", "param", "setting", "option")
"""What names of dictionaries of settings have in them."""
OBJECTS = {"HParams", "Namespace", "SimpleNamespace", "EasyDict", "AttrDict", "ConfigDict", "Munch"}
"""What holds settings as attributes."""
LONGEST = 64  # items of a list that is multiplied
MOST = 20_000_000  # elements of a tensor that is tried


def settings(tree: ast.Module) -> dict[str, Any]:
    """Option -> default, of each ``add_argument("--option", ...)``; None where there is none or it is no literal."""
    found: dict[str, Any] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or last_name(node.func) != "add_argument":
            continue
        words = {keyword.arg: keyword.value for keyword in node.keywords}
        names = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        long = [name for name in names if name.startswith("--")] or names
        told = _literal(words.get("dest")) or (long[0].lstrip("-").replace("-", "_") if long else "")
        action = _literal(words.get("action"))
        default = {"store_true": False, "store_false": True}.get(action) if isinstance(action, str) else None
        if told:
            found[str(told)] = _literal(words["default"]) if "default" in words else default
    return found


def defaults(tree: ast.Module) -> dict[str, Any]:
    """Setting -> default, of each dictionary of literals that a function or a variable holds whose name says so
    (``def model_defaults()``, ``CONFIG = {...}``), and of what is made as an object of settings."""
    found: dict[str, Any] = {}
    for node in _outside(tree):
        targets = node.targets if isinstance(node, ast.Assign) else []
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _is_telling(node.name):
            for part in ast.walk(node):
                _fill(found, _table(part))
                if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Subscript):
                    key = _literal(part.targets[0].slice)
                    _fill(found, {key: _literal(part.value)} if isinstance(key, str) else {})
        elif isinstance(node, ast.Assign) and any(map(_is_telling, names)):
            _fill(found, _table(node.value))
        elif isinstance(node, ast.Call) and last_name(node.func) in OBJECTS:
            _fill(found, _table(node))
    return found


def configured(text: str) -> dict[str, Any]:
    """Setting -> value, of a configuration in YAML or JSON: those in its groups too, the outer ones first."""
    try:
        held = json.loads(text) if text.lstrip().startswith("{") else yaml.safe_load(text)
    except (ValueError, yaml.YAMLError):
        return {}
    found: dict[str, Any] = {}
    waiting = [held]
    while waiting:
        group = waiting.pop(0)
        if isinstance(group, dict):
            _fill(found, group)
            waiting += group.values()
    return found


def _is_telling(name: str) -> bool:
    return any(word in name.lower() for word in TELLING)


def _table(node: ast.AST) -> dict[str, Any]:
    """The literal values of a dictionary, by their names."""
    if isinstance(node, ast.Dict):
        pairs = [
            (_literal(key) if key is not None else None, value)
            for key, value in zip(node.keys, node.values, strict=True)
        ]
    elif isinstance(node, ast.Call) and last_name(node.func) in {"dict", *OBJECTS}:
        pairs = [(word.arg, word.value) for word in node.keywords]
    else:
        return {}
    return {key: value for key, one in pairs if isinstance(key, str) and (value := _literal(one)) is not None}


def _fill(found: dict[str, Any], more: dict[str, Any]) -> None:
    """What is not there yet."""
    found |= {key: value for key, value in more.items() if found.get(key) is None}


def arguments(tree: ast.Module, options: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What code outside of models calls a name with: its place or keyword -> value, of what can be read.

    options: as ``settings`` has them: ``args.hidden`` is what an option is by default.
    """
    values: dict[str, Any] = {}
    found: dict[str, dict[str, Any]] = {}
    tables = tables_of_classes(tree)
    code = list(_outside(tree))
    for node in code:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = _value(node.value, values, options)
            if value is not None:
                values.setdefault(node.targets[0].id, value)
    for node in code:
        if isinstance(node, ast.Call):
            given = [(str(place), one) for place, one in enumerate(node.args)]
            given += [(word.arg, word.value) for word in node.keywords if word.arg]
            read = {key: value for key, one in given if (value := _value(one, values, options)) is not None}
            for name in made_by(node, tables):
                found.setdefault(name, read)
    return found


def tables_of_classes(tree: ast.AST) -> dict[str, list[str]]:
    """Variable -> the names that its dictionary has as values: ``MODELS = {"small": Small, "large": Large}``."""
    tables = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            names = [last_name(value) for value in node.value.values]
            tables.update({last_name(target): names for target in node.targets if names and all(names)})
    return tables


def made_by(node: ast.Call, tables: dict[str, list[str]]) -> list[str]:
    """The names that a call may be of: those of a table, where what is called is looked up in one."""
    if isinstance(node.func, ast.Subscript):
        return tables.get(last_name(node.func.value), [])
    return [last_name(node.func)]


def _value(node: ast.expr, values: dict[str, Any], options: dict[str, Any]) -> Any:
    """A literal, an option's default, a list of these, a product or sum; None for what cannot be read."""
    if isinstance(node, ast.Name):
        return values.get(node.id)
    if isinstance(node, ast.Attribute):
        return options.get(node.attr) if last_name(node.value) else None
    if isinstance(node, (ast.List, ast.Tuple)):
        items = [_value(item, values, options) for item in node.elts]
        return None if None in items else items
    if isinstance(node, ast.BinOp) and type(node.op) in NUMBERS:
        left, right = _value(node.left, values, options), _value(node.right, values, options)
        numbers = [one for one in (left, right) if isinstance(one, (int, float))]
        if len(numbers) == 2:
            return NUMBERS[type(node.op)](left, right) if right or not isinstance(node.op, ast.FloorDiv) else None
        if isinstance(left, list) and isinstance(right, int) and isinstance(node.op, ast.Mult):
            return left * right if len(left) * right <= LONGEST else None
        lists = isinstance(left, list) and isinstance(right, list) and isinstance(node.op, ast.Add)
        return left + right if lists else None
    return _literal(node)


def tensors(tree: ast.Module) -> list[str]:
    """Specs of the tensors that code outside of classes makes with sizes that can be read, in order."""
    numbers = {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and type(node.value.value) is int
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    specs = (_spec(node, numbers) for node in _outside(tree) if isinstance(node, ast.Call))
    return list(dict.fromkeys(spec for spec in specs if spec))


def _outside(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those in models: what these make are their parts."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.ClassDef) and _is_model(node)):
            yield node
            yield from _outside(node)


def _is_model(node: ast.ClassDef) -> bool:
    """Whether a class is a module, or is derived from what may be one; one that trains models is none."""
    methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    return "forward" in methods or any("Module" in last_name(base) for base in node.bases)


def _spec(call: ast.Call, numbers: dict[str, int]) -> str:
    name = last_name(call.func)
    words = {keyword.arg: keyword.value for keyword in call.keywords}
    if name in FLOATS and isinstance(call.func, ast.Attribute):
        sizes = _sizes(call.args or [words[key] for key in ("size",) if key in words], numbers)
        return f"float32[{','.join(map(str, sizes))}]" if sizes else ""
    if name == "randint" and isinstance(call.func, ast.Attribute):
        shape = words.get("size") or (call.args[-1] if call.args else None)
        bounds = [_number(arg, numbers) for arg in call.args if arg is not shape]
        high = _number(words["high"], numbers) if "high" in words else (bounds or [None])[-1]
        sizes = _sizes([shape], numbers) if shape is not None else []
        return f"int64[{','.join(map(str, sizes))}]<{high}" if sizes and high else ""
    if name == "summary" and len(call.args) > 1:  # torchsummary's: without the batch
        sizes = _sizes([call.args[1]], numbers)
        return f"float32[2,{','.join(map(str, sizes))}]" if sizes and 2 * prod(sizes) <= MOST else ""
    return ""


def _sizes(nodes: list[ast.expr], numbers: dict[str, int]) -> list[int]:
    """Empty where one of them is not known, or they are no sizes of a batch."""
    if len(nodes) == 1 and isinstance(nodes[0], (ast.Tuple, ast.List)):
        nodes = nodes[0].elts
    sizes = [_number(node, numbers) for node in nodes]
    known = [size for size in sizes if size is not None]
    return known if len(known) == len(sizes) >= 2 and 0 < prod(known) <= MOST else []


def _number(node: ast.expr, numbers: dict[str, int]) -> int | None:
    if isinstance(node, ast.Name):
        return numbers.get(node.id)
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _literal(node: ast.expr | None) -> Any:
    try:
        return None if node is None else ast.literal_eval(node)
    except ValueError:
        return None
