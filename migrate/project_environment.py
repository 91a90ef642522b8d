"""``migrate env --for PROJECT``: an interpreter with a framework and what a project's own files say that it needs.

What the shared interpreter has is seen from the new one and not installed again; torch, the target and what only comes
with them are left out of the project's list. The shared interpreter is read and never written to.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path, PurePosixPath

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from migrate.convert.dependency_files import (
    conda_requirements,
    is_conda,
    pyproject_requirements,
    setup_cfg_requirements,
)
from migrate.convert.requirements import TORCH_FAMILY, is_requirements, parse, split_comment
from migrate.convert.setup_py import setup_py_requirements
from migrate.environments import MANIFEST, Interpreter, available_interpreter, python_in
from migrate.environments.build import build, links, locked, run_uv
from migrate.environments.project import folder_for, own_interpreter
from migrate.errors import Unusable
from rewriters.target import load_target

Tell = Callable[[str], None]

FILES = "requirements.txt, pyproject.toml, setup.cfg, setup.py or environment.yml"
DECLARING = ("pyproject.toml", "setup.cfg", "setup.py")
NEVER = "sys_platform == 'never'"
"""A marker that keeps a package out of what uv resolves."""


@dataclass
class Needs:
    """What a project says that it needs.

    files:    that were read, relative to it. wanted: without torch's family. left_out: line -> why.
    """

    files: list[str] = field(default_factory=list)
    wanted: dict[str, Requirement] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def declares(project: Path) -> bool:
    """Whether a project has a file that says what it needs."""
    return any(True for _ in _files(project))


def needs_of(project: Path, added: Sequence[str] = ()) -> Needs:
    """Read the project's files. added: requirements besides, which come first.

    Raises Unusable: there is neither a file nor anything added, or a file is not of its format.
    """
    found = Needs()
    for line in added:
        if parse(line)[0] is None:
            raise Unusable(f"--add {line} is not a package's name", "--add NAME, or --add 'NAME>=VERSION'")
        _take(found, line)
    for path in _files(project):
        text = path.read_text(encoding="utf-8", errors="replace")
        try:
            lines = _lines(path, text)
        except ValueError as error:
            raise Unusable(f"{path}: {error}", "correct it, or give the packages' folder with check --path") from None
        found.files.append(path.name)
        for line in lines:
            _take(found, line)
        if is_conda(PurePosixPath(path.name)):
            conda = [name for name in conda_requirements(text)[1] if canonicalize_name(name) not in found.wanted]
            found.left_out |= dict.fromkeys(conda, "conda's; where the project imports it: --add, by the index's name")
    if not found.files and not added:
        raise Unusable(
            f"{project} does not say what it needs: no {FILES}",
            "name what it imports by --add PACKAGE, repeated",
        )
    return found


def _files(project: Path) -> Iterable[Path]:
    texts = sorted(path for path in project.glob("*requirements*.txt") if is_requirements(PurePosixPath(path.name)))
    conda = sorted(path for path in project.glob("*.y*ml") if is_conda(PurePosixPath(path.name)))
    return (path for path in [*texts, *(project / name for name in DECLARING), *conda] if path.is_file())


def _lines(path: Path, text: str) -> list[str]:
    if path.name == "pyproject.toml":
        return pyproject_requirements(text)
    if path.name == "setup.py":
        return setup_py_requirements(text)
    if is_conda(PurePosixPath(path.name)):
        return conda_requirements(text)[0]
    return setup_cfg_requirements(text) if path.name == "setup.cfg" else text.splitlines()


def _take(found: Needs, line: str) -> None:
    body = split_comment(line)[0].strip()
    if not body or body.startswith(("-r", "--requirement", "-c", "--constraint")):
        return  # the file that -r names is read too, where it lies beside
    requirement, name = parse(body)
    if name in TORCH_FAMILY or body.startswith("-"):
        found.left_out[body] = "torch's family comes with torch alone" if name in TORCH_FAMILY else "an option"
    elif requirement is None or requirement.url:
        found.left_out[body] = "not a package of an index"
    elif requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
        found.wanted.setdefault(canonicalize_name(requirement.name), requirement)


def build_for(
    project: Path, name: str, *, rebuild: bool = False, added: Sequence[str] = (), tell: Tell = lambda line: None
) -> Interpreter:
    """The project's own interpreter of "torch" or a target: made where it is missing, or the project's list is another.

    added: requirements beside those of its files.
    tell:  is handed a line for each step, and for each thing that is not as the project asks.
    Raises Unusable with uv's last lines.
    """
    if not project.is_dir():
        raise Unusable(f"{project} is not a folder", "give the torch project's folder")
    needs = needs_of(project, added)
    if name != "torch":  # what the converted project asks for in the place of others
        for package, instead in load_target(name).requirements.items():
            if package in needs.wanted and package not in TORCH_FAMILY:
                _take(needs, instead)
    shared = available_interpreter(name) or build(name, tell=tell)
    folder = folder_for(name, project)
    told = {"shared": [str(shared.python), shared.version], "wanted": sorted(map(str, needs.wanted.values()))}
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder, tell):
        if not rebuild and own_interpreter(name, project) and _manifest(folder) == told:
            tell(f"{folder} has what {', '.join(needs.files) or '--add'} of {project} asks for")
        else:
            besides = "".join(f" --add {shlex.quote(one)}" for one in added)
            _make(folder, name, shared, needs, told, tell, f"migrate env {name} --for {project}{besides}")
    found = own_interpreter(name, project)
    assert found is not None
    return found


def _manifest(folder: Path) -> object:
    return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))


def _make(
    folder: Path, name: str, shared: Interpreter, needs: Needs, told: Mapping[str, object], tell: Tell, again: str
) -> None:
    """Aside, and in place when it is complete."""
    aside = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(aside, ignore_errors=True)
    tell(f"building {folder} on {shared.python}")
    run_uv(["venv", "--quiet", "--relocatable", "--python", str(shared.python), str(aside)], name, folder, tell, again)
    own = next(aside.glob("lib/python*/site-packages"), aside / "Lib" / "site-packages")
    known = installed(shared)
    seen = [f"import site; site.addsitedir({str(place)!r})\n" for place in known.places]
    (own / "_migrate_shared.pth").write_text("".join(seen), encoding="utf-8")
    for line, why in needs.left_out.items():
        tell(f"left out: {line} ({why})")
    wanted = [_missing(key, item, known.versions, tell) for key, item in needs.wanted.items()]
    _install(aside, name, [item for item in wanted if item is not None], known.versions, tell, again)
    if name != "torch":
        for package in standing_on_torch(own):
            tell(f"{package} stands on torch and will not import here: migrate convert --with {package} brings it over")
    (aside / MANIFEST).write_text(json.dumps(dict(told), indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    aside.rename(folder)


def _missing(name: str, wanted: Requirement, known: dict[str, str], tell: Tell) -> Requirement | None:
    """What is to be installed, None for what the interpreter has already."""
    version = known.get(name)
    if version is None:
        return wanted
    if not wanted.specifier.contains(version, prereleases=True):
        tell(f"kept: {name} {version} of the shared interpreter; the project asks for {wanted}")
    return None


def _install(aside: Path, name: str, wanted: list[Requirement], known: dict[str, str], tell: Tell, again: str) -> None:
    """With the versions that the project asks for; where those cannot be had, with any, which is told."""
    if not wanted:
        return
    never = aside / "never.txt"
    never.write_text("".join(f"{package}; {NEVER}\n" for package in sorted({*known, *TORCH_FAMILY})), encoding="utf-8")
    where = ["--python", str(python_in(aside)), "--override", str(never), *links()]

    def install(items: list[str]) -> None:
        tell(f"installing {' '.join(items)}")
        run_uv(["pip", "install", *where, *items], name, aside, tell, again)

    pinned = [str(item) for item in wanted]
    names = [f"{item.name}[{','.join(sorted(item.extras))}]" if item.extras else item.name for item in wanted]
    try:
        install(pinned)
        return
    except Unusable:
        if len(names) == 1 and pinned == names:
            raise
    if pinned != names:
        tell("those versions cannot be had together here: taking others of the same packages")
        try:
            install(names)
            return
        except Unusable:
            if len(names) == 1:
                raise
    _install_each(names, install, tell)


def _install_each(names: list[str], install: Callable[[list[str]], None], tell: Tell) -> None:
    """One by one, without those that cannot be had here. Raises Unusable: none can be had."""
    failed = 0
    for name in names:
        try:
            install([name])
        except Unusable as error:
            failed += 1
            if failed == len(names):
                raise
            tell(f"left out: {name} (it cannot be had here: {str(error).strip().splitlines()[-1].strip()})")


@dataclass
class Installed:
    """Of an interpreter: the folders that packages are in, and distribution -> version."""

    places: list[str]
    versions: dict[str, str]


_ASK = """
import json, site, sys, sysconfig
from importlib import metadata
places = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
names = {found.metadata["Name"]: found.version for found in metadata.distributions(path=[p for p in sys.path if p])}
print(json.dumps([list(places), {key: value for key, value in names.items() if key}]))
"""


def installed(interpreter: Interpreter) -> Installed:
    """Raises Unusable where it cannot be asked."""
    command = [str(interpreter.python), "-I", "-c", _ASK]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unusable(f"{interpreter.python}: {done.stderr.strip()}", f"migrate env {interpreter.name} --rebuild")
    places, versions = json.loads(done.stdout)
    return Installed(places, {canonicalize_name(key): value for key, value in versions.items()})


def standing_on_torch(packages: Path) -> list[str]:
    """Of the distributions in a folder those that need torch."""
    found = []
    for one in metadata.distributions(path=[str(packages)]):
        names = set()
        for text in one.requires or ():
            try:
                requirement = Requirement(text)
            except InvalidRequirement:
                continue  # of an old distribution, which pip passes over too
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                names.add(canonicalize_name(requirement.name))
        if names & TORCH_FAMILY:
            found.append(one.metadata["Name"])
    return sorted(found)
