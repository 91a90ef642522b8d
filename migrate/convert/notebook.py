"""Notebooks: the code cells as one source text, and the converted text back into its cells.

Lines that are IPython's and not Python's (magics, shell) are hidden in comments meanwhile. A cell that still does not
parse, or that belongs to another language (``%%bash``), is left alone. Outputs are cleared only where their cell
changed.
"""

from __future__ import annotations

import json
import re
from typing import Any

from rewriters.text.parsing import module_of

BOUNDARY = "# migrate-cell "
HIDDEN = "# migrate-magic:"
# %time x, !ls, ?help, obj?, files = !ls: none of them is Python
MAGIC = re.compile(r"^(\s*)([%!?].*|.*\?\??\s*|[\w, ]+=\s*[!%].*)$")
# Cell magics whose body is Python
PYTHON_CELLS = ("%%time", "%%timeit", "%%capture", "%%prun", "%%py")


class NotANotebook(ValueError):
    """The file is not a Jupyter notebook of version 4."""


def load(data: bytes) -> dict[str, Any]:
    """Raises NotANotebook."""
    try:
        book = json.loads(data.decode("utf-8"))
        cells = book["cells"]
        if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
            raise TypeError("cells is not a list")
    except (ValueError, KeyError, TypeError) as error:
        raise NotANotebook(f"not a notebook of format 4: {error}") from error
    loaded: dict[str, Any] = book
    return loaded


def to_source(data: bytes) -> bytes:
    """The notebook's Python as one text, with a boundary line before each cell."""
    book = load(data)
    pieces = []
    for index, cell in enumerate(book["cells"]):
        if cell.get("cell_type") != "code":
            continue
        text = hidden("".join(cell.get("source", "")))
        if text is not None:
            pieces.append(f"{BOUNDARY}{index}\n{text}\n")
    return "".join(pieces).encode("utf-8")


def hidden(text: str) -> str | None:
    """A cell's text with what is not Python in comments; None where it is not Python at all."""
    lines = text.split("\n")
    if lines[0].startswith("%%") and not lines[0].startswith(PYTHON_CELLS):
        return None
    covered = []
    for line in lines:
        match = MAGIC.match(line)
        if match and not parses(line.strip()):
            # `pass` where the magic is the only statement of a block
            covered.append(f"{match.group(1)}pass  {HIDDEN}{line}")
        else:
            covered.append(line)
    result = "\n".join(covered)
    return result if parses(result) else None


def parses(text: str) -> bool:
    try:
        module_of(text)
    except (SyntaxError, ValueError):
        return False
    return True


def from_source(data: bytes, converted: bytes) -> bytes:
    """The notebook with its converted cells; the very same bytes when no cell changed."""
    book = load(data)
    changed = False
    for index, text in split_cells(converted.decode("utf-8")).items():
        cell = book["cells"][index]
        old = "".join(cell["source"])
        new = restored(text)
        if new == old:
            continue
        changed = True
        cell["source"] = new.splitlines(keepends=True) if isinstance(cell["source"], list) else new
        cell["outputs"] = []
        cell["execution_count"] = None
    if not changed:
        return data
    text = data.decode("utf-8")
    second = re.search(r"\n( +)\S", text)
    dumped = json.dumps(book, indent=len(second.group(1)) if second else None, ensure_ascii=text.isascii())
    return (dumped + ("\n" if text.endswith("\n") else "")).encode("utf-8")


def split_cells(text: str) -> dict[int, str]:
    """Cell index -> its text. What stands before the first boundary (new imports) joins the first cell."""
    cells: dict[int, list[str]] = {}
    before: list[str] = []
    current: list[str] = before
    for line in text.splitlines(keepends=True):
        if line.startswith(BOUNDARY):
            current = cells.setdefault(int(line[len(BOUNDARY) :]), [])
        else:
            current.append(line)
    if before and cells:
        cells[min(cells)][:0] = before
    return {index: "".join(lines).removesuffix("\n") for index, lines in cells.items()}


def restored(text: str) -> str:
    """IPython's own lines out of their comments."""
    lines = []
    for line in text.split("\n"):
        _, found, magic = line.partition(f"pass  {HIDDEN}")
        lines.append(magic if found else line)
    return "\n".join(lines)


def line_in_cell(source: bytes, line: int) -> tuple[int, int]:
    """The cell's index and the line in it, both 1-based, for a line of the joined text."""
    cell, first = 0, 1
    for number, text in enumerate(source.decode("utf-8").splitlines()[:line], start=1):
        if text.startswith(BOUNDARY):
            cell, first = int(text[len(BOUNDARY) :]) + 1, number + 1
    return cell, line - first + 1


def readable(source: str) -> str:
    """The joined text as a reader knows its cells, line for line."""
    return re.sub(rf"^{BOUNDARY}(\d+)$", lambda found: f"# cell {int(found[1]) + 1}", restored(source), flags=re.M)
