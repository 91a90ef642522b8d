"""The state_dict of a TorchScript archive: its modules' attributes, of which the archive's code says what they are."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

from migrate.weights.readers.pickled import Opaque
from migrate.weights.readers.tensor import TensorRef, Unreadable

CODE = "code"
ZIPS = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What zipfile raises for a damaged entry."""
LARGEST_CODE = 64 << 20
CLASS = re.compile(r"^class (\w+)\(Module\):$", re.MULTILINE)
LISTED = re.compile(r"^  __(parameters|buffers)__ = \[(.*?)\]", re.MULTILINE | re.DOTALL)
NAME = re.compile(r'"([^"\n]*)"')


def attributes(tree: Any, archive: zipfile.ZipFile, prefix: str) -> Any:
    """Dotted name -> tensor, parameters and buffers alone where the code lists them; ``tree`` when it is no module."""
    if not isinstance(tree, Opaque) or not isinstance(tree.state, dict):
        return tree
    declared = _declared(archive, prefix)
    found: dict[str, Any] = {}
    pending, seen = [("", tree)], set()
    while pending:
        path, module = pending.pop()
        if id(module) in seen or not isinstance(module.state, dict):
            continue
        seen.add(id(module))
        listed = declared.get(module.name)
        children = []
        for name, value in module.state.items():
            if not isinstance(name, str):
                continue
            if isinstance(value, (TensorRef, Unreadable)) and (listed is None or name in listed):
                found[path + name] = value
            elif isinstance(value, Opaque):
                children.append((f"{path}{name}.", value))
        pending += reversed(children)
    return found or tree


def _declared(archive: zipfile.ZipFile, prefix: str) -> Mapping[str, set[str]]:
    """Class, by its name in the pickle -> names of its parameters and buffers."""
    found: dict[str, set[str]] = {}
    left = LARGEST_CODE
    for info in archive.infolist():
        if not (info.filename.startswith(prefix) and info.filename.endswith(".py")):
            continue
        left -= info.file_size
        if left < 0:
            break
        try:
            with archive.open(info) as file:
                text = file.read(info.file_size).decode("utf-8", "replace")
        except ZIPS:
            continue  # then every tensor of those modules is taken
        module = info.filename[len(prefix) : -len(".py")].replace("/", ".")
        classes = list(CLASS.finditer(text))
        ends = [*(head.start() for head in classes[1:]), len(text)]
        for head, end in zip(classes, ends, strict=False):
            body = text[head.end() : end]
            lists = [NAME.findall(names) for _, names in LISTED.findall(body)]
            found[f"{module}.{head[1]}"] = {name for names in lists for name in names}
    return found
