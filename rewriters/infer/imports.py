"""Import statements: of torch, of the project's own modules, of other libraries."""

from __future__ import annotations

import ast
from functools import cache

from rewriters.infer.cells import reading
from rewriters.infer.expressions import Expressions
from rewriters.infer.import_names import absolute_module
from rewriters.infer.other_libraries import NUMBERS
from rewriters.infer.values import BOTTOM, FLOAT, UNKNOWN, External, ModuleOf, Ref, Value
from rewriters.torch.table import canonical, of_source, star_names

# Packages for older Pythons, and the standard library's module that each is: a `try` imports one of the two.
BACKPORTS = {"importlib_metadata": "importlib.metadata"}


class Imports(Expressions):
    """Interprets import statements."""

    def do_Import(self, node: ast.Import) -> None:
        for item in node.names:
            if item.asname:
                self.bind(item.asname, self.import_module(item.name))
            else:
                root = item.name.split(".")[0]
                self.import_module(item.name)
                self.bind(root, self.import_module(root))

    def import_module(self, name: str) -> Value:
        if of_source(name, self.module.own):
            return Ref(canonical(name))
        found = self.project.find(name, self.module.name)
        return ModuleOf(found) if found else External(BACKPORTS.get(name, name))

    def absolute(self, node: ast.ImportFrom) -> str:
        return absolute_module(node.module or "", node.level, self.module.name, self.module.package)

    def do_ImportFrom(self, node: ast.ImportFrom) -> None:
        source = self.absolute(node)
        for item in node.names:
            if item.name == "*":
                self.import_star(source)
                continue
            self.bind(item.asname or item.name, self.import_name(source, item.name))

    def import_name(self, source: str, name: str) -> Value:
        if of_source(source, self.module.own):
            return Ref(canonical(f"{source}.{name}"))
        found = self.project.find(source, self.module.name)
        inner = self.project.find(f"{source}.{name}" if source else name, self.module.name)
        if found:
            reading.cells.add(found.named[name])
        if found and name in found.scope:
            return found.scope[name]
        if inner:
            return ModuleOf(inner)
        if found:
            return BOTTOM if self.project.is_open() else UNKNOWN
        full = f"{BACKPORTS.get(source, source)}.{name}"
        return FLOAT if full in NUMBERS else External(full)

    def import_star(self, source: str) -> None:
        if of_source(source, self.module.own):
            for name in star_names(source):
                self.bind(name, Ref(canonical(f"{source}.{name}")))
            return
        found = self.project.find(source, self.module.name)
        if found:
            reading.cells.add(found.named[""])
            listed = names_listed(found.tree)
            for name, value in found.scope.items():
                wanted = not name.startswith("_") if listed is None else name in listed
                if value == BOTTOM and name in self.scope:
                    continue  # it has it from here: a package whose files import from it what others of them define
                if wanted and "." not in name:
                    self.bind(name, value)


@cache
def names_listed(tree: ast.Module) -> frozenset[str] | None:
    """What ``__all__`` lists; None where there is none, or not all of it is written out."""
    names: set[str] = set()
    found = False
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            continue
        value = getattr(statement, "value", None)
        parts = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [None]
        texts = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
        if len(texts) != len(parts):
            return None
        names |= texts
        found = True
    return frozenset(names) if found else None
