"""``migrate convert``: rewrite a project for another framework."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

import migrate
from migrate.convert import report_formats, summary
from migrate.convert.diff import unified_diff
from migrate.convert.explain import explain as explained
from migrate.convert.settings import DEFAULT_TARGET, find_settings
from migrate.convert.telling import mend_of_failed, smoke_interpreters, tell_next, tell_packages, tell_smoke
from migrate.convert.walk import Patterns, Project, find_files
from migrate.convert.write import Written, check_folder, write_files, write_folder
from migrate.errors import Unusable
from migrate.reports.screen import screen
from migrate.reports.web import check_page, write_page
from rewriters.report import Status
from rewriters.target import Target, UnknownTarget, load_target

if TYPE_CHECKING:
    from migrate.convert.run import Result
    from migrate.convert.smoke import Smoke

Source = Annotated[Path, typer.Argument(help="A Python file, a notebook, a package, or a folder of scripts.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="Where the output goes; PATH-TARGET when not given. Of one file: a file of its suffix, else a folder.",
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="TARGET",
        help="The framework to convert to; else what [tool.migrate] says, else "
        f"{DEFAULT_TARGET} (it installs everywhere).",
    ),
]
Diff = Annotated[bool, typer.Option("--diff", help="Print what would change and write nothing.")]
Strict = Annotated[bool, typer.Option("--strict", help="Exit 1 when anything is marked or failed: for CI.")]
Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write every site's outcome, as .json, .sarif or .md."),
]
Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Write a page for whoever reviews the conversion: what is left by risk, both texts side by side, each "
        "site's rule, reason and proof. One file that needs no network; `?` lists its keys.",
    ),
]
Explain = Annotated[
    str | None,
    typer.Option("--explain", metavar="FILE:LINE", help="Tell which rule applies on a line; write nothing."),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes to use; 0 means one for each processor.")]
Rules = Annotated[
    list[Path] | None, typer.Option("--rules", metavar="FILE", help="The project's own rule file; may be repeated.")
]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="PATTERN", help="Leave out what matches, as in .gitignore; may be repeated."),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="MODULE:CALLABLE",
        help="Also write OUT/.migrate/layout.json: how this model's weights are laid out, for `migrate weights "
        "--layout` where the torch project is not at hand. Builds the model, so it needs torch.",
    ),
]
Static = Annotated[
    bool,
    typer.Option(
        "--static",
        help="Also make static graphs: OneFlow's nn.Graph for each training step and for inference, Paddle's "
        "to_static. What a graph cannot hold stays eager, below a comment `# migrate: STATIC ...`.",
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="PACKAGE",
        help="Bring along the parts of an installed package (timm, transformers, ...) that the project reaches, "
        "converted, as PACKAGE_TARGET beside it; may be repeated. A package's folder will do too.",
    ),
]
Entry = Annotated[
    list[str] | None,
    typer.Option(
        "--entry",
        metavar="MODULE:CALLABLE",
        help="Convert only what this reaches, of a project or of an installed package named as PATH; "
        "MODULE:CLASS.METHOD for a method that nothing calls; may be repeated. With --with, what it reaches of other "
        "packages comes along.",
    ),
]
Assume = Annotated[
    list[str] | None,
    typer.Option(
        "--assume",
        metavar="KIND:NAME",
        help="Say what something is that the code leaves open; may be repeated. KIND: tensor, not-tensor, tensors (a "
        "list or tuple of them), tensor-dict or module. NAME: FUNCTION.VARIABLE (parameters too), CLASS.ATTRIBUTE, "
        "CLASS.METHOD.VARIABLE, a file's VARIABLE; with () behind it what calling it gives: FUNCTION(), "
        "CLASS.ATTRIBUTE(), LIBRARY.FUNCTION(); with MODULE: before it that file's alone. The report lists the answers "
        "that decide most. Also `assume = [...]` in [tool.migrate].",
    ),
]
SmokeTest = Annotated[
    bool,
    typer.Option(
        "--smoke",
        help="Then import every converted module with the target, and what fails there with torch: exit code 1 where "
        "one imports with torch alone. What modules do when they are imported, happens.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write into a folder that holds other files.")]


def command(
    path: Source,
    out: Out = None,
    to: To = None,
    diff: Diff = False,
    strict: Strict = False,
    report: Report = None,
    html: Html = None,
    explain: Explain = None,
    jobs: Jobs = 0,
    rules: Rules = None,
    exclude: Exclude = None,
    model: Model = None,
    static: Static = False,
    with_: With = None,
    entry: Entry = None,
    assume: Assume = None,
    smoke: SmokeTest = False,
    force: Force = False,
) -> None:
    """Rewrite PyTorch source for another framework.

    Every use of torch becomes the target's, by rules that were checked against torch. What has no equivalent is marked:
    the site carries a comment `# migrate: ...` that says why, the file still imports, and only reaching the site
    raises. What may or may not be a tensor is left as it stands and listed. Comments and layout stay.
    Converting again into the same folder keeps what was edited there by hand since (a three-way merge).

    Exit code: 0 done, also with marked sites; 1 when a file failed, and stands in the output as it was; with --strict
    also when anything is marked or in conflict, with --smoke when a module imports with torch alone; 2: usage or input.

        migrate convert fixtures/resnet --to paddle -o resnet-paddle

        migrate convert model.py --to oneflow --diff

        migrate convert repo/ --to paddle -o repo-paddle --html review.html

        migrate convert fixtures/resnet --to oneflow --static -o resnet-oneflow

        migrate convert DiT --to paddle --with timm

        migrate convert repo --assume tensor:collate.batch --assume 'tensor:Trainer.model()'

        migrate convert transformers --entry transformers.models.llama.modeling_llama:LlamaForCausalLM -o llama-paddle
    """
    console = screen(stderr=True, highlight=False, soft_wrap=True)
    settings = find_settings(path if path.is_dir() else path.parent)
    target = known_target(to or settings.target)
    destination = place_output(path, out, target)
    excluded = [(settings.folder, settings.exclude), (path, exclude or ())]
    project = find_project(path, excluded, destination, target, with_ or [], entry or [])
    writes = not diff and explain is None
    check_outputs(project, destination, target, model, writes, force)
    check_reports(report, html, explain)
    check_static(static, target)
    interpreters = smoke_interpreters(target, writes, path) if smoke else None
    answers = usable_answers(settings.assume, assume or [], project)
    rule_files = (*settings.rules, *(rules or ()))
    result = convert_with_progress(project, target, rule_files, jobs, console, static, answers)
    reports = result.conversion.reports
    if project.single and reports[0].status == Status.FAILED:
        raise Unusable(f"{shown_folder(path)}{reports[0].error}", mend_of_failed(reports[0], path))
    if explain is not None:
        explained(reports, explain, project.root, Console(highlight=False, soft_wrap=True))
        return
    if diff:
        typer.echo(unified_diff(result.originals, result.output.texts), nl=False)
    written = Written() if diff else write(result, project, target, destination, force, console)
    if model is not None:
        tell_layout(model, path, destination, console)
    if report is not None:
        write_files({report: report_formats.render(report, reports, target.name)}, force=True)
    summary.print_summary(reports, console)
    packages = tell_packages(result, project, target, with_ or [], console)
    tell_next(destination, target, project, entry or [], console, wrote=not diff)
    smoked = tell_smoke(path, project, destination, reports, interpreters, target, console) if interpreters else None
    if html is not None:
        write_page(html, review_page(path, result, target, rule_files, packages, written, smoked), console)
    fails = summary.has_failed(reports) or (smoked is not None and smoked.failed)
    if fails or (strict and (summary.is_marked(reports) or written.conflicts)):
        raise typer.Exit(1)


def tell_layout(model: str, path: Path, destination: Path, console: Console) -> None:
    """Write how the model's weights are laid out, and where."""
    from migrate.weights.layout_file import NAME, write_layout

    layout = destination / ".migrate" / NAME
    write_layout(layout, model, path)
    console.print(f"wrote {layout}", markup=False)


def find_project(
    path: Path,
    excluded: Sequence[Patterns],
    destination: Path,
    target: Target,
    packages: list[str],
    entries: list[str],
) -> Project:
    """What is converted, with what comes along of packages. Raises Unusable."""
    if not packages and not entries:
        return find_files(path, excluded, destination)
    from migrate.convert import vendor

    if entries:
        return vendor.only_entries(path, entries, packages, target, excluded, destination)
    project = find_files(path, excluded, destination)
    if project.single or project.package:
        raise Unusable(
            f"{path}: --with lays a package beside a project", "give the folder that the project's imports start from"
        )
    return vendor.with_packages(project, packages, target)


def known_target(name: str) -> Target:
    try:
        target = load_target(name)
    except UnknownTarget as error:
        raise Unusable(str(error), "choose one with --to") from error
    if target.weights_only:
        raise Unusable(
            f"{target.title}: code is not rewritten to it, weights are carried",
            f"write the model in {target.title}, then: migrate weights CHECKPOINT --to {target.name} "
            "--model MODULE:CALLABLE",
        )
    return target


def check_outputs(
    project: Project, destination: Path, target: Target, model: str | None, writes: bool, force: bool
) -> None:
    """Raises Unusable where the output may not go there, and where no model could be described beside it."""
    if writes and not project.single:
        check_folder(destination, target.name, force)
    if model is not None and (project.single or not writes):
        raise Unusable("--model describes a model beside converted code", "convert its whole project, into a folder")


def check_reports(report: Path | None, html: Path | None, explain: str | None) -> None:
    """Raises Unusable for what could not be written in the end, before any work is done."""
    if explain is not None and (report or html):
        raise Unusable("--explain writes nothing", "leave --report and --html away")
    if report is not None:
        report_formats.check(report)
    if html is not None:
        check_page(html)


def check_static(static: bool, target: Target) -> None:
    """Raises Unusable where static graphs are asked for and the target has none."""
    from rewriters.hooks import planner

    if static and planner(target.folder) is None:
        raise Unusable(f"{target.title}: migrate writes no static graphs for it", "leave --static away")


def place_output(path: Path, out: Path | None, target: Target) -> Path:
    """Where the output goes: of one file, a file of its suffix or a folder.

    Raises Unusable where that is the source, or would hold it.
    """
    if path.is_file():
        place = out or path.with_name(f"{path.stem}-{target.name}{path.suffix}")
        place = place / path.name if place.is_dir() or place.suffix != path.suffix else place
    elif out is not None:
        place = out
    else:
        above = path / ".." if path.name in ("", "..") else path.parent
        place = above / f"{path.resolve().name}-{target.name}"
    there, source = place.resolve(), path.resolve()
    if there == source or (path.is_file() and there.parent / f"{target.name}_helpers.py" == source):
        raise Unusable(f"{place}: is the source itself", "choose another place with -o")
    if there in source.parents:
        raise Unusable(f"{place}: holds the source", "choose another place with -o")
    return place


def shown_folder(path: Path) -> str:
    """What comes before a file's name in messages, as the path was given."""
    return "" if path.parent == Path() else f"{path.parent}/"


def usable_answers(settled: Sequence[str], asked: Sequence[str], project: Project) -> tuple[str, ...]:
    """The answers of [tool.migrate] and of --assume. Raises Unusable."""
    if not settled and not asked:
        return ()
    from migrate.convert.assume import usable

    return usable(settled, asked, project)


def convert_with_progress(
    project: Project,
    target: Target,
    rules: tuple[Path, ...],
    jobs: int,
    console: Console,
    static: bool = False,
    assume: tuple[str, ...] = (),
) -> Result:
    from migrate.convert.run import convert_project  # takes half a second, which --help need not wait for

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"converting to {target.title}", total=len(project.sources))
        jobs = jobs or os.cpu_count() or 1

        def tell(name: str) -> None:
            progress.update(task, advance=1)

        return convert_project(project, target, rules, jobs, tell, static, assume)


def write(
    result: Result, project: Project, target: Target, destination: Path, force: bool, console: Console
) -> Written:
    """Write what came out, and tell. Raises Unusable."""
    written = Written()
    if project.single:
        write_single(result, project, destination, force)
    else:
        written = write_folder(result.output, destination, target.name, migrate.__version__, force)
    console.print(f"wrote {destination}", markup=False)
    for line in written.lines():
        console.print(line, style=None if line.startswith("kept your") else "red", markup=False)
    return written


def write_single(result: Result, project: Project, destination: Path, force: bool) -> None:
    """A file, and its helper module beside it. Raises Unusable."""
    (only,) = project.sources or project.others
    name = str(only)
    places = {key: destination if key == name else destination.parent / key for key in result.output.texts}
    texts = {places[key]: data for key, data in result.output.texts.items()}
    write_files(texts, force, {places[key]: mode for key, mode in result.output.modes.items()})


def review_page(
    path: Path,
    result: Result,
    target: Target,
    rules: tuple[Path, ...],
    packages: list[str],
    written: Written,
    smoked: Smoke | None,
) -> str:
    from migrate.proof.coverage import Coverage
    from migrate.reports.review import Review, to_html

    place, imports = path.resolve(), list(smoked.lines(target.title)) if smoked else []
    told = [*packages, *written.lines()]
    return to_html(Review(result, target, Coverage(target, rules), place.name, str(place), told, imports))
