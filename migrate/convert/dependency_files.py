"""pyproject.toml, setup.cfg and environment.yml: the requirements in them, the rest of the text as it stands."""

from __future__ import annotations

import configparser
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from migrate.convert.requirements import convert_requirements, is_requirements

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

CONDA_ITEM = re.compile(
    r"^(\s*-\s*)([\"']?)(?:[\w.-]+::)?(pytorch|torch|torchvision|torchaudio)(?![\w-])[^#\n\"']*?\2(\s*(?:#.*)?)$"
)


def is_dependency_file(path: PurePosixPath) -> bool:
    """Whether a file lists dependencies, by its name."""
    return is_requirements(path) or path.name in {"pyproject.toml", "setup.cfg", "environment.yml", "environment.yaml"}


def convert_dependencies(
    path: PurePosixPath, text: str, mapping: Mapping[str, str], title: str
) -> tuple[str, list[int]]:
    """The file's new text, and the 1-based lines that name a torch library without a counterpart.

    mapping: torch's distribution -> the target's requirement.
    Raises ValueError for a file that is not of its format.
    """
    if is_requirements(path):
        return convert_requirements(text, mapping, title)
    if path.suffix in {".yml", ".yaml"}:
        return convert_environment(text, mapping, title)
    wanted = pyproject_requirements(text) if path.name == "pyproject.toml" else setup_cfg_requirements(text)
    return replace_strings(text, wanted, mapping, title, quoted=path.name == "pyproject.toml")


def pyproject_requirements(text: str) -> list[str]:
    """Requirement strings under [project] and [dependency-groups]."""
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(str(error)) from error
    project = table.get("project", {})
    groups: list[Iterable[Any]] = [
        project.get("dependencies", []),
        *project.get("optional-dependencies", {}).values(),
        *table.get("dependency-groups", {}).values(),
    ]
    return [entry for group in groups for entry in group if isinstance(entry, str)]


def setup_cfg_requirements(text: str) -> list[str]:
    """Requirement lines of [options] install_requires and [options.extras_require]."""
    parser = configparser.ConfigParser()
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from error
    values = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        values += [value for _, value in parser.items("options.extras_require")]
    return [line.strip() for value in values for line in value.splitlines() if line.strip()]


def replace_strings(
    text: str, requirements: list[str], mapping: Mapping[str, str], title: str, quoted: bool
) -> tuple[str, list[int]]:
    """Replace whole requirement strings where they stand."""
    lines = text.splitlines(keepends=True)
    marked: list[int] = []
    for requirement in dict.fromkeys(requirements):
        new, without = convert_requirements(requirement, mapping, title)
        if new == requirement:
            continue
        for index, line in enumerate(lines):
            if quoted:
                found = next((q + requirement + q for q in "\"'" if q + requirement + q in line), None)
                if found is None:
                    continue
                quote = "'" if '"' in new else found[0]  # a marker has double quotes
                old, replacement = found, quote + new + quote
            elif line.strip() == requirement:
                old, replacement = requirement, new
            else:
                continue
            if without:
                marked.append(index + 1)
            else:
                lines[index] = line.replace(old, replacement)
    return "".join(lines), sorted(marked)


def convert_environment(text: str, mapping: Mapping[str, str], title: str) -> tuple[str, list[int]]:
    """A conda environment: its own items have conda's names (pytorch), those below ``pip:`` are requirement lines."""
    out: list[str] = []
    marked: list[int] = []
    pip_indent: int | None = None
    section = ""
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        body = line.rstrip("\r\n")
        ending = line[len(body) :]
        indent = len(body) - len(body.lstrip())
        heading = re.match(r"(\w+):", body)
        section = heading.group(1) if heading else section
        if section != "dependencies":
            out.append(line)
            continue
        if re.match(r"\s*-\s*pip:\s*$", body):
            pip_indent = indent
            out.append(line)
            continue
        if pip_indent is not None and body.strip() and indent <= pip_indent:
            pip_indent = None
        item = re.match(r"^(\s*-\s*)([^#\s][^#]*?)(\s*(?:#.*)?)$", body)
        if pip_indent is not None and item:
            new, without = convert_requirements(item.group(2), mapping, title)
            if without:
                marked.append(number)
            out.append(line if without else f"{item.group(1)}{new}{item.group(3)}{ending}")
            continue
        conda = CONDA_ITEM.match(body)
        if conda and conda.group(3) in {"pytorch", "torch"} and "torch" in mapping:
            out.append(f"{conda.group(1)}{mapping['torch']}{conda.group(4)}{ending}")
            continue
        if conda:
            marked.append(number)
        out.append(line)
    return "".join(out), marked
