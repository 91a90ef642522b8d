"""Where files lie: what modules are called, and which folder's helper module a file imports."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from rewriters.infer.connected import connected
from rewriters.infer.import_names import absolute_module, prefixes
from rewriters.infer.import_roots import SOURCES, ImportRoots
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


NO_ROOTS = ImportRoots((), (), ())


class Homes:
    """Which folder's helper module a file imports."""

    def __init__(
        self,
        modules: Mapping[PurePosixPath, ModuleInfo],
        package: str,
        folders: frozenset[PurePosixPath],
        roots: ImportRoots = NO_ROOTS,
    ) -> None:
        """roots: where the modules' absolute imports begin."""
        self.package = package
        self.folders = folders
        # By files that import absolutely, or are imported so, or are of a package with such, where the import begins.
        self.began: dict[PurePosixPath, set[PurePosixPath]] = defaultdict(set)
        self.of_roots: dict[PurePosixPath, set[PurePosixPath]] = defaultdict(set)
        if package:
            return  # all is at its root
        for path, found, root in beginnings(modules, folders, roots):
            self.began[path].add(root)
            self.began[found].add(root)
            self.of_roots[found.parent].add(root)
        beside = connected(relatives(modules))
        for group in beside:
            began = set().union(*(self.began.get(path, ()) for path in group))
            self.began |= dict.fromkeys(group, began) if began else {}
        self.home = outermost(self.began.values())
        self.beside = {path for group in beside for path in group}

    def of(self, path: PurePosixPath) -> PurePosixPath:
        """The folder, relative to the project's root."""
        root = PurePosixPath(".")
        if self.package or path.parent == root:
            return root
        if path in self.began:
            return self.home[min(self.began[path])]
        folder = path.parent
        if folder not in self.folders:
            # Without an __init__.py, and a package all the same: what holds it is where imports begin.
            if path in self.beside:
                return self.home[min(self.of_roots[folder])] if folder in self.of_roots else folder.parent
            return folder
        while folder in self.folders and folder != root:
            folder = folder.parent
        return folder

    def relative(self, path: PurePosixPath, home: PurePosixPath) -> str | None:
        """The dots of a relative import inside a package, None where the helper is imported by its name."""
        return "." * len(path.parts) if self.package else None


def beginnings(
    modules: Mapping[PurePosixPath, ModuleInfo], folders: frozenset[PurePosixPath], roots: ImportRoots
) -> Iterator[tuple[PurePosixPath, PurePosixPath, PurePosixPath]]:
    """A file that imports, what it imports, and the folder at which that begins: of a file in a package by dotted names
    alone, since others may lie beside it.
    """
    paths = {module.name: path for path, module in modules.items()}
    for path, module in modules.items():
        for name in absolute_imports(module.nodes):
            for prefix in prefixes(name) if "." in name or path.parent not in folders else ():
                found = roots.find(prefix, module.name)
                if found is not None:
                    yield path, paths[found.name], seen_from(path, found.root)


def outermost(together: Iterable[Iterable[PurePosixPath]]) -> dict[PurePosixPath, PurePosixPath]:
    """Of folders that are on the path together by some file, and of others on the path with one of these, the one that
    holds most: what their files call is one module, whichever of them is imported first.
    """
    groups = connected(together)
    return {root: min(group, key=lambda one: (len(one.parts), str(one))) for group in groups for root in group}


def seen_from(path: PurePosixPath, name: str) -> PurePosixPath:
    """The folder that is on the path when the file is imported: one that a program adds may not be yet.

    name: of the folder at which the import begins, dotted.
    """
    root = PurePosixPath(*name.split(".")) if name else PurePosixPath(".")
    if not name or root in path.parents or name == SOURCES:
        return root
    return path.parent


def relatives(modules: Mapping[PurePosixPath, ModuleInfo]) -> list[set[PurePosixPath]]:
    """Files that import others relatively, each with those: they are of packages."""
    paths = {module.name: path for path, module in modules.items()}
    found: list[set[PurePosixPath]] = []
    for path, module in modules.items():
        for node in module.nodes.of(ast.ImportFrom):
            if node.level:
                source = absolute_module(node.module or "", node.level, module.name, module.package)
                named = [source, *(f"{source}.{item.name}" for item in node.names)]
                found.append({path, *(paths[name] for name in named if name in paths)})
    return found


def absolute_imports(nodes: Nodes) -> set[str]:
    found = {item.name for node in nodes.of(ast.Import) for item in node.names}
    for node in nodes.of(ast.ImportFrom):
        if not node.level and node.module:
            found |= {node.module} | {f"{node.module}.{item.name}" for item in node.names}
    return found
