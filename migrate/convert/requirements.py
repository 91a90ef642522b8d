"""requirements*.txt: torch's distributions become the target's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.requirements import Requirement

NAME = re.compile(r"requirements.*\.(txt|in)$|.*requirements\.(txt|in)$")
LEADING_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?![A-Za-z0-9._-]*(://|\+|/))")
TORCH_FAMILY = {
    "torch",
    "torchvision",
    "torchaudio",
    "torchtext",
    "torchdata",
    "torchmetrics",
    "pytorch-lightning",
    "lightning",
    "timm",
}


def is_requirements(path: PurePosixPath) -> bool:
    """Whether a file is one by its name."""
    return bool(NAME.fullmatch(path.name))


def convert_requirements(text: str, mapping: Mapping[str, str], title: str) -> tuple[str, list[int]]:
    """The file's new text, and the 1-based lines that name a torch library without a counterpart.

    mapping: torch's distribution -> the target's requirement, empty where it needs none.

    Options (``-r``, ``--extra-index-url``), comments, markers and line endings stay.
    """
    out: list[str] = []
    marked: list[int] = []
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        stripped = line.rstrip("\r\n")
        ending = line[len(stripped) :]
        body, comment = split_comment(stripped)
        requirement, name = parse(body)
        if name is None:
            out.append(line)
        elif requirement and name in mapping:
            marker = f"; {requirement.marker}" if requirement.marker else ""
            new = f"{mapping[name]}{marker}{comment}" if mapping[name] else comment.lstrip()
            out.append(f"{new}{ending}" if new else "")
        elif name in mapping or name in TORCH_FAMILY:
            why = f"{title} has no counterpart of it" if requirement else "its options belong to torch's own files"
            marked.append(number)
            out.append(f"# migrate: no-counterpart {name} needs torch; {why}{ending or chr(10)}{line}")
        else:
            out.append(line)
    return "".join(out), marked


def parse(body: str) -> tuple[Requirement | None, str | None]:
    """The requirement in a line, and its distribution, which is there also in a line that is more than a requirement:
    ``torch==2.4 --hash=...``.
    """
    # Imported here: it takes a tenth of the time of a small conversion, and many have no such file.
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    body = body.removeprefix("\ufeff")
    try:
        requirement = Requirement(body.strip())
    except InvalidRequirement:
        match = LEADING_NAME.match(body)
        return None, canonicalize_name(match.group(1)) if match else None
    return requirement, canonicalize_name(requirement.name)


def split_comment(line: str) -> tuple[str, str]:
    """The requirement and its comment, white space before it included."""
    match = re.search(r"(^|\s+)#.*$", line)
    return (line[: match.start()], line[match.start() :]) if match else (line, "")
