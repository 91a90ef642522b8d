"""Where files lie: what modules are called, and which folder's helper module a file imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from rewriters.infer.import_names import absolute_module
from rewriters.infer.values import ModuleInfo
from rewriters.target import Target
from rewriters.text.tree import Nodes


def module_name(path: PurePosixPath, package: str) -> tuple[str, bool]:
    """Dotted name of a file and whether it is a package's ``__init__``.

    package: the name of the root when it is itself a package.
    """
    parts = list(path.with_suffix("").parts)
    is_package = parts[-1] == "__init__"
    if is_package:
        parts.pop()
    if package:
        parts.insert(0, package)
    return ".".join(parts) or "__init__", is_package


def package_folders(sources: Iterable[PurePosixPath]) -> frozenset[PurePosixPath]:
    """The folders that are packages."""
    return frozenset(path.parent for path in sources if path.name == "__init__.py")


def helper_stem(target: Target) -> str:
    return f"{target.name}_helpers"


def graph_stem(target: Target) -> str:
    return f"{target.name}_graphs"


class Homes:
    """Which folder's helper module a file imports."""

    def __init__(
        self, modules: Mapping[PurePosixPath, ModuleInfo], package: str, folders: frozenset[PurePosixPath]
    ) -> None:
        self.package = package
        self.folders = folders
        names = {module.name for module in modules.values()}
        self.from_root: set[PurePosixPath] = set()
        imported: set[str] = set()
        for path, module in modules.items():
            for name in absolute_imports(module.nodes):
                parts = name.split(".")
                hits = names & {".".join(parts[:length]) for length in range(1, len(parts) + 1)}
                if hits and "." in name:
                    imported |= hits
                    self.from_root.add(path)
        self.imported = {path for path, module in modules.items() if module.name in imported}
        self.beside = relatives(modules)
        self.of_root = {path.parent for path in self.imported}

    def of(self, path: PurePosixPath) -> PurePosixPath:
        """The folder, relative to the project's root."""
        root = PurePosixPath(".")
        if self.package or path.parent == root or path in self.from_root or path in self.imported:
            return root
        folder = path.parent
        if folder not in self.folders:
            # Without an __init__.py, and a package all the same: what holds it is where imports begin.
            if path in self.beside:
                return root if folder in self.of_root else folder.parent
            return folder
        while folder in self.folders and folder != root:
            folder = folder.parent
        return folder

    def relative(self, path: PurePosixPath, home: PurePosixPath) -> str | None:
        """The dots of a relative import inside a package, None where the helper is imported by its name."""
        return "." * len(path.parts) if self.package else None


def relatives(modules: Mapping[PurePosixPath, ModuleInfo]) -> set[PurePosixPath]:
    """The files that import others relatively, or are imported so: they are of packages."""
    paths = {module.name: path for path, module in modules.items()}
    found: set[PurePosixPath] = set()
    for path, module in modules.items():
        for node in module.nodes.of(ast.ImportFrom):
            if node.level:
                source = absolute_module(node.module or "", node.level, module.name, module.package)
                named = [source, *(f"{source}.{item.name}" for item in node.names)]
                found |= {path, *(paths[name] for name in named if name in paths)}
    return found


def absolute_imports(nodes: Nodes) -> set[str]:
    found = {item.name for node in nodes.of(ast.Import) for item in node.names}
    for node in nodes.of(ast.ImportFrom):
        if not node.level and node.module:
            found |= {node.module} | {f"{node.module}.{item.name}" for item in node.names}
    return found
