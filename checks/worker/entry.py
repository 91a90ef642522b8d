"""What is run on both sides, as ``--entry`` names it: ``models.resnet:resnet50(num_classes=10)``.

Also loaded by path, by what describes models: the standard library only.
"""

from __future__ import annotations

import argparse
import ast
import os
from typing import Any, NamedTuple

GRAMMAR = (
    "MODULE:CALLABLE or MODULE:CALLABLE(arguments), e.g. models.resnet:resnet50(num_classes=10); "
    "arguments are literals, or names and calls of MODULE, e.g. model:GPT(GPTConfig(n_layer=2)); Namespace(lr=0.1) is "
    "argparse's and dict(n=2), range(4) and the like are Python's, where MODULE has none"
)
# Python's own, and argparse's, which no module needs to have imported.
PLAIN_KINDS = (bool, int, float, complex, str, bytes, dict, list, tuple, set, range, slice, argparse.Namespace)
PLAIN = {kind.__name__: kind for kind in PLAIN_KINDS}


class Entry(NamedTuple):
    """A callable of a module.

    module:     dotted, as it is imported from the project's folder.
    attribute:  dotted, inside the module.
    call:       the call with its arguments, None when the entry names the callable alone.
    """

    module: str
    attribute: str
    call: ast.Call | None


def parse(text: str) -> Entry:
    """Read an entry. Raises ValueError saying what is wrong with it."""
    module, colon, rest = text.partition(":")
    if not colon or not rest.strip():
        raise ValueError(f"entry {text!r} names no callable")
    if not all(part.isidentifier() for part in module.split(".")):
        raise ValueError(f"entry {text!r}: {module!r} is not a dotted module name")
    try:
        node = ast.parse(rest.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"entry {text!r}: {rest!r} is not an expression ({error.msg})") from None
    call = node if isinstance(node, ast.Call) else None
    named = node.func if isinstance(node, ast.Call) else node
    attribute = _dotted(named)
    if attribute is None:
        raise ValueError(f"entry {text!r}: {rest!r} is not the name of a callable")
    if call is not None:
        for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
            _refuse_other(argument, text)
        if any(keyword.arg is None for keyword in call.keywords):
            raise ValueError(f"entry {text!r}: ** is not taken")
    return Entry(module, attribute, call)


def script_folders(project: str, module: str) -> list[str]:
    """The folders below the project from which Python imports when a script there is run: that of the module, and those
    around it that hold scripts, nearest first.

    That is folders with no ``__init__.py`` in them: a module of a package imports its neighbours by the package's name.
    """
    parts = module.split(".")
    own = os.path.isfile(os.path.join(project, *parts[:-1], parts[-1] + ".py"))
    found: list[str] = []
    for length in range(len(parts) - 1, 0, -1):
        folder = os.path.join(project, *parts[:length])
        files = os.listdir(folder) if own and os.path.isdir(folder) else []
        if "__init__.py" not in files and any(name.endswith(".py") for name in files):
            found.append(folder)
    return found


def find(module: Any, attribute: str) -> Any:
    """The object of that dotted name; where the module has none, one of PLAIN. Raises AttributeError."""
    if attribute in PLAIN and not hasattr(module, attribute):
        return PLAIN[attribute]
    for part in attribute.split("."):
        module = getattr(module, part)
    return module


def arguments(module: Any, call: ast.Call) -> tuple[list[Any], dict[str, Any]]:
    """Positional and keyword arguments of the entry's call, names being looked up in its module."""
    keywords = {str(keyword.arg): _value(keyword.value, module) for keyword in call.keywords}
    return [_value(argument, module) for argument in call.args], keywords


def _dotted(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = _dotted(node.value)
        return None if owner is None else owner + "." + node.attr
    return None


def _refuse_other(node: ast.AST, text: str) -> None:
    """Only what ``_value`` evaluates may stand in an entry."""
    taken = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.USub, ast.UAdd, ast.Not, ast.Call)
    for child in ast.walk(node):
        if not isinstance(child, (*taken, ast.Name, ast.Attribute, ast.keyword, ast.expr_context)):
            raise ValueError(f"entry {text!r}: {type(child).__name__} is not a literal, a name, or a call")


def _value(node: ast.AST, module: Any) -> Any:
    if isinstance(node, (ast.Name, ast.Attribute)):
        name = _dotted(node)
        if name is None:
            raise ValueError("only names of the module can be looked up")
        return find(module, name)
    if isinstance(node, ast.Call):
        args, keywords = arguments(module, node)
        return _value(node.func, module)(*args, **keywords)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        kind = {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)]
        return kind(_value(element, module) for element in node.elts)
    if isinstance(node, ast.Dict):
        pairs = [(key, node.values[i]) for i, key in enumerate(node.keys) if key is not None]
        return {_value(key, module): _value(value, module) for key, value in pairs}
    return ast.literal_eval(node)
