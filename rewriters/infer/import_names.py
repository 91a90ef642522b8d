"""Which module an import statement means."""

from __future__ import annotations

from collections.abc import Iterator


def absolute_module(name: str, level: int, module: str, is_package: bool) -> str:
    """The absolute name of ``from <level dots><name> import ...`` in a module.

    name:       what stands behind the dots, "" for nothing.
    module:     the dotted name of the module that has the statement.
    is_package: whether that is a package's ``__init__``.
    """
    if not level:
        return name
    parts = module.split(".")
    drop = level - is_package
    parts = parts[: len(parts) - drop] if drop else parts
    return ".".join([*parts, *([name] if name else [])])


def prefixes(name: str) -> Iterator[str]:
    """``a``, ``a.b``, ``a.b.c``: what is imported on the way to a dotted name, and it."""
    at = name.find(".")
    while at >= 0:
        yield name[:at]
        at = name.find(".", at + 1)
    yield name
