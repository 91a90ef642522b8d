"""Pages that are one file: style and script inside, data packed, and nothing that is fetched."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rich.console import Console

from migrate.convert.write import write_files
from migrate.errors import Unusable

HERE = Path(__file__).parent / "web"


def printable(text: str) -> str:
    """Text that UTF-8 can hold: halves of surrogate pairs, as a file's name may have, are written ``\\udcff``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def packed(value: Any) -> str:
    """JSON, deflated, in base64: the script's ``unpack`` reads it. Holds nothing that HTML could take for markup."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def anchor(path: str, line: int = 0) -> str:
    """The part of an address after its ``#`` that shows a line of a file."""
    return quote(path, safe="/") + (f":{line}" if line else "")


def render(template: str, styles: tuple[str, ...], scripts: tuple[str, ...], **values: Any) -> str:
    """A page of this folder. The browser is told to load nothing, and to run no script but these."""
    import jinja2  # only for pages
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["anchor"] = anchor
    style = "".join((HERE / name).read_text(encoding="utf-8") for name in styles)
    script = '"use strict";\n' + "".join((HERE / name).read_text(encoding="utf-8") for name in scripts)
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{allowed}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return environment.get_template(template).render(
        style=Markup(style), script=Markup(script), policy=policy, **values
    )


def check_page(path: Path) -> None:
    """Raises Unusable for a page that could not be written, before any work is done."""
    if (path.exists() or path.is_symlink()) and not path.is_file():
        raise Unusable(f"{path}: is not a regular file", "give --html the name of a file")
    above = next(folder for folder in path.absolute().parents if folder.exists() or folder.is_symlink())
    if not above.is_dir():
        raise Unusable(f"{path}: cannot be written: {above} is no folder", "give --html a file elsewhere")


def write_page(path: Path, text: str, console: Console) -> None:
    """Write it, and tell; an earlier page stays until this one is whole. Raises Unusable."""
    write_files({path: text.encode("utf-8")}, force=True)
    console.print(f"wrote {path}", markup=False)
