"""requirements*.txt: torch's distributions become the target's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

NAME = re.compile(r"requirements.*\.(txt|in)$|.*requirements\.(txt|in)$")
TORCH_FAMILY = {"torch", "torchvision", "torchaudio", "torchtext", "torchdata", "pytorch-lightning", "lightning", "timm"}


def is_requirements(path: PurePosixPath) -> bool:
    """Whether a file is one by its name."""
    return bool(NAME.fullmatch(path.name))


def convert_requirements(text: str, mapping: Mapping[str, str], title: str) -> tuple[str, list[int]]:
    """The file's new text, and the 1-based lines that name a torch library without a counterpart.

    mapping: torch's distribution -> the target's requirement.
    """
    out: list[str] = []
    marked: list[int] = []
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        body, comment = split_comment(line.rstrip("\r\n"))
        ending = line[len(line.rstrip("\r\n")) :]
        try:
            requirement = Requirement(body.strip())
        except InvalidRequirement:
            out.append(line)
            continue
        name = canonicalize_name(requirement.name)
        if name in mapping:
            marker = f"; {requirement.marker}" if requirement.marker else ""
            out.append(f"{mapping[name]}{marker}{comment}{ending}")
        elif name in TORCH_FAMILY:
            marked.append(number)
            out.append(f"# migrate: no-counterpart {name} needs torch; {title} has none of that name{ending or chr(10)}{line}")
        else:
            out.append(line)
    return "".join(out), marked


def split_comment(line: str) -> tuple[str, str]:
    """The requirement and its comment, white space before it included."""
    match = re.search(r"(^|\s+)#.*$", line)
    return (line[: match.start()], line[match.start() :]) if match else (line, "")
