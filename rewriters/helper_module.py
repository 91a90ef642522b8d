"""The output's one helper module: the rules that could not be inlined, as they stand in their rule files.

It also carries ``torch``, a stand-in whose use raises an error that names what was not converted.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from pathlib import Path

from rewriters.rulebook import Rule, Rulebook
from rewriters.target import Target

STAND_IN = '''
class NotConverted:
    """Stands for a torch name that could not be converted; using it raises."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return NotConverted(f"{self._name}.{name}")

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(f"{self._name} was not converted; see the comment `# migrate:` where it is used")

    def __mro_entries__(self, bases):
        name = self._name

        class Base:
            def __init__(self, *args, **kwargs):
                raise NotImplementedError(f"base class {name} was not converted; see the comment `# migrate:` there")

        return (Base,)


torch = NotConverted("torch")
'''


def helper_name(rule: Rule) -> str:
    """The name under which a rule is emitted: a builtin's name would hide the builtin from the other helpers."""
    return f"torch_{rule.name}" if hasattr(builtins, rule.name) else rule.name


class HelperModule:
    """Collects the rules that the converted files call, and prints the module."""

    def __init__(self, target: Target, book: Rulebook) -> None:
        self.target = target
        self.book = book
        self.groups: dict[str, list[Rule]] = {}
        self.stand_in = False

    def use(self, name: str, rules: Iterable[Rule]) -> str:
        """Ask for the overloads of a rule; the name to call, unique in the module."""
        wanted = list(rules)
        base = name
        count = 1
        while name in self.groups and self.groups[name] != wanted:
            count += 1
            name = f"{base}_{count}"
        self.groups[name] = wanted
        return name

    def __bool__(self) -> bool:
        return bool(self.groups) or self.stand_in

    def text(self) -> str:
        """The module's source; deterministic for the same set of rules."""
        imports: set[str] = set()
        needed: dict[str, str] = {}
        functions: list[str] = []
        for name in sorted(self.groups):
            rules = self.groups[name]
            if len(rules) == 1:
                functions.append(self.function(rules[0], name, imports, needed))
                continue
            overloads = [f"_{name}_{index}" for index in range(1, len(rules) + 1)]
            functions += [self.function(rule, n, imports, needed) for rule, n in zip(rules, overloads, strict=True)]
            functions.append(dispatcher(name, overloads))
            needed["_call_fitting"] = CALL_FITTING
            imports.add("import inspect")
        parts = [
            f'"""torch\'s calls on {self.target.title}: what has no shorter form there. '
            'Written by migrate; yours to edit."""'
        ]
        if imports:
            parts.append("\n".join(sorted(imports, key=lambda line: (line.startswith("from"), line))))
        parts += [text.strip("\n") for _, text in sorted(needed.items())]
        parts += functions
        if self.stand_in:
            parts.append(STAND_IN.strip("\n"))
        head = "\n\n".join(parts[: 2 if imports else 1])
        rest = parts[2 if imports else 1 :]
        return "\n\n\n".join([head, *rest]) + "\n"

    def function(self, rule: Rule, name: str, imports: set[str], needed: dict[str, str]) -> str:
        node = rule.node
        self.require(node, rule.file, imports, needed)
        return source_of(node, self.book.sources[rule.file], name)

    def require(self, node: ast.AST, file: Path, imports: set[str], needed: dict[str, str]) -> None:
        """Bring along what the function uses from its rule file: imports and other definitions."""
        definitions = self.book.definitions[file]
        for part in ast.walk(node):
            if not isinstance(part, ast.Name) or part.id not in definitions:
                continue
            found = definitions[part.id]
            if found is node:
                continue
            if isinstance(found, (ast.Import, ast.ImportFrom)):
                self.require_import(part.id, found, imports, needed)
            elif part.id not in needed:
                needed[part.id] = ""
                self.require(found, file, imports, needed)
                needed[part.id] = source_of(found, self.book.sources[file], part.id)

    def require_import(
        self, name: str, node: ast.Import | ast.ImportFrom, imports: set[str], needed: dict[str, str]
    ) -> None:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rewriters"):
            if name == "Values":
                imports.add("from collections import namedtuple")
                needed[name] = VALUES
            return
        item = next(i for i in node.names if (i.asname or i.name.split(".")[0]) == name)
        alias = f" as {item.asname}" if item.asname else ""
        if isinstance(node, ast.ImportFrom):
            imports.add(f"from {node.module} import {item.name}{alias}")
        elif item.name.split(".")[0] != "torch":
            imports.add(f"import {item.name}{alias}")


VALUES = 'Values = namedtuple("Values", ["values", "indices"])'

CALL_FITTING = '''
def _call_fitting(functions, args, kwargs):
    """The first of the functions whose parameters and their annotations admit the arguments."""
    for function in functions:
        signature = inspect.signature(function)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            continue
        for name, value in bound.arguments.items():
            parameter = signature.parameters[name]
            kind = parameter.annotation
            values = value if parameter.kind is parameter.VAR_POSITIONAL else [value]
            if kind is not parameter.empty and not all(isinstance(v, kind) for v in values):
                break
        else:
            return function(*args, **kwargs)
    raise TypeError(f"no form of {functions[0].__name__} takes these arguments: {args!r}, {kwargs!r}")
'''


def dispatcher(name: str, overloads: list[str]) -> str:
    return f"def {name}(*args, **kwargs):\n    return _call_fitting([{', '.join(overloads)}], args, kwargs)"


def source_of(node: ast.stmt, text: str, name: str) -> str:
    """The definition's own text, comments included, without decorators and under ``name``."""
    lines = text.splitlines()
    assert node.end_lineno is not None
    body = lines[node.lineno - 1 : node.end_lineno]
    if isinstance(node, ast.FunctionDef):
        body[0] = body[0].replace(f"def {node.name}(", f"def {name}(", 1)
    body[0] = body[0].split("  # noqa")[0]
    return "\n".join(body)
