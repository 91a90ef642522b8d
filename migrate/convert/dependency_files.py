"""pyproject.toml, setup.cfg and environment.yml: the requirements in them, the rest of the text as it stands."""

from __future__ import annotations

import configparser
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
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

CONDA_LINE = re.compile(r"^(\s*-\s*)([^#\s][^#]*?)(\s*(?:#.*)?)$")
CONDA_NAME = re.compile(r"(conda|env|environment)([._-].*)?\.ya?ml")
CONDA_ALONE = {"python", "pip", "setuptools", "wheel", "pytorch", "torch", "torchvision", "torchaudio"}
"""What needs no word where a conda environment lists it: the interpreter has it, or has torch's family by itself."""


def is_dependency_file(path: PurePosixPath) -> bool:
    """Whether a file lists dependencies, by its name."""
    return is_requirements(path) or path.name in {"pyproject.toml", "setup.cfg"} or is_conda(path)


def is_conda(path: PurePosixPath) -> bool:
    """Whether a file describes a conda environment, by its name."""
    return bool(CONDA_NAME.fullmatch(path.name))


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
    for number, (line, kind) in enumerate(_conda_lines(text), start=1):
        body = line.rstrip("\r\n")
        ending = line[len(body) :]
        item = CONDA_LINE.match(body)
        if kind is None or (kind == "pip" and item is None):
            out.append(line)
            continue
        if kind == "pip" and item is not None:
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


def _conda_lines(text: str) -> Iterator[tuple[str, str | None]]:
    """Each line, and whose item it may be: "conda", "pip", or None outside the lists of dependencies."""
    pip_indent: int | None = None
    section = ""
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\r\n")
        indent = len(body) - len(body.lstrip())
        heading = re.match(r"(\w+):", body)
        section = heading.group(1) if heading else section
        if section != "dependencies":
            yield line, None
            continue
        if re.match(r"\s*-\s*pip:\s*$", body):
            pip_indent = indent
            yield line, None
            continue
        if pip_indent is not None and body.strip() and indent <= pip_indent:
            pip_indent = None
        yield line, "conda" if pip_indent is None else "pip"


def conda_requirements(text: str) -> tuple[list[str], list[str]]:
    """Requirement lines below ``pip:``, and the names of conda's own packages, which need not be an index's."""
    items = [(kind, CONDA_LINE.match(line.rstrip("\r\n"))) for line, kind in _conda_lines(text) if kind is not None]
    below = [item.group(2).strip("\"'") for kind, item in items if kind == "pip" and item]
    names = [re.split(r"[=<>!~ \[]", item.group(2).strip("\"'"))[0] for kind, item in items if kind == "conda" and item]
    return below, [name.rpartition("::")[2] for name in names if name.rpartition("::")[2] not in CONDA_ALONE]
