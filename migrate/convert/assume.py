"""``--assume``: the answers that a person gives, held against the project before anything is converted."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from migrate.convert import notebook
from migrate.convert.run import read_notebooks, source_of
from migrate.convert.walk import Project
from migrate.errors import Unusable
from rewriters.files import Files
from rewriters.infer.answers import FORM, Answer, UnreadableAnswer, find, qualified_definitions
from rewriters.infer.values import ModuleInfo


def usable(settled: Sequence[str], asked: Sequence[str], project: Project) -> tuple[str, ...]:
    """The answers of [tool.migrate] and of the command that are about the project.

    Raises Unusable for what is no answer, for what names nothing, and for two that contradict each other. Where one
    file alone is converted, answers of [tool.migrate] may be about others.
    """
    answers = [read(text) for text in (*settled, *asked)]
    check_contradictions(answers)
    sources = {name: source_of(project, name) for name in project.sources}
    notebooks, _ = read_notebooks(project)
    sources |= {name: project.texts.get(name) or notebook.to_source(data) for name, data in notebooks.items()}
    modules = list(Files.read(sources, project.package).modules.values())
    matched = find(answers, modules).matched
    for one in answers:
        if one.text not in matched and (one.text in asked or not project.single):
            raise Unusable(f"--assume: {one.text} names nothing in the project{near(one, modules)}", FORM)
    return tuple(dict.fromkeys(one.text for one in answers if one.text in matched))


def read(text: str) -> Answer:
    try:
        return Answer.of(text)
    except UnreadableAnswer as error:
        raise Unusable(f"--assume: {error}", FORM) from error


def check_contradictions(answers: Sequence[Answer]) -> None:
    said: dict[tuple[object, ...], Answer] = {}
    for one in answers:
        other = said.setdefault((one.module, one.path, one.called), one)
        if other.value != one.value:
            raise Unusable(f"--assume: {other.text} and {one.text} contradict each other", "keep one of them")


def near(answer: Answer, modules: Iterable[ModuleInfo]) -> str:
    """What is named almost so."""
    names = {module.name for module in modules}
    wanted = answer.module
    if not wanted or wanted in names:
        chosen = [module for module in modules if answer.module in ("", module.name)]
        names = {".".join(path) for module in chosen for path in qualified_definitions(module.tree)}
        wanted = ".".join(answer.path if answer.called else answer.path[:-1])
    found = difflib.get_close_matches(wanted, sorted(names), 3)
    return f"; there is {', '.join(found)}" if found else ""
