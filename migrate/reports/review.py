"""A conversion as one HTML page for whoever has to sign it off: what is left by risk, both texts side by side, and of
each site the rule, the reason and the proof.

What stands on the page at once is small: counts, and the sites that want a look. Each file's text is packed by itself,
and unpacked when it is shown.
"""

from __future__ import annotations

import hashlib
import io
import re
import shlex
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from typing import Any

import migrate
from migrate.convert import notebook
from migrate.convert.explain import MEANINGS
from migrate.convert.report_formats import RULES
from migrate.convert.run import Result
from migrate.convert.summary import totals
from migrate.proof.card import card
from migrate.proof.coverage import Coverage
from migrate.reports.aligned import Hunk, hunks, lines_of
from migrate.reports.web import packed, printable, render
from rewriters.report import RUNS, FileReport, Outcome, Risk, Site, Status
from rewriters.target import Target

NAMES = PLACES = 4  # named beside each reason on the first page; the list has all
GROUPS = 40  # reasons named there for each kind


@dataclass(frozen=True)
class Kind:
    """What may want a look.

    title: on the page; means: in a sentence.
    calm:  wants none as long as nobody asks: it is not walked through at first.
    """

    title: str
    means: str
    calm: bool = False


LEFT = "Left as it stands: it is not known whether the receiver is a tensor."

KINDS = {
    "failed": Kind("not converted", RULES[Status.FAILED]),
    "unknown-differs": Kind(
        "silent if a tensor", f"{LEFT} If it is one, this gives something else than torch, and does not say so."
    ),
    "differs": Kind("differs", RULES[Outcome.DIFFERS]),
    "marked": Kind("marked", RULES[Outcome.MARKED]),
    "unknown-untried": Kind("untried if a tensor", f"{LEFT} What this does if it is one was not tried."),
    "unknown-raises": Kind("raises if a tensor", f"{LEFT} If it is one, this raises."),
    "eager": Kind("eager", RULES[Outcome.EAGER]),
    "noted": Kind("noted", RULES[Outcome.NOTED]),
    "unknown-same": Kind("same if a tensor", f"{LEFT} If it is one, this is the same in the target.", calm=True),
}
"""The riskiest first."""


@dataclass
class Review:
    """What the page tells.

    title:   of the project.
    place:   where the project lies: progress is kept under it.
    told:    lines on packages that came along or stand on torch, and files whose hand edits were kept.
    imports: what importing the output came to; empty where it was not tried.
    """

    result: Result
    target: Target
    coverage: Coverage
    title: str
    place: str
    told: Sequence[str] = ()
    imports: Sequence[str] = ()


@dataclass
class Shown:
    """One file of the page.

    old, new: its lines; both empty where nothing in it is worth a look.
    lines:    of each site, in ``old``.
    """

    report: FileReport
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    written: bool = False

    @property
    def status(self) -> str:
        return "written" if self.written else str(self.report.status)


@dataclass
class Look:
    """One site that may want a look.

    answer: of an unknown one, what would decide it, as ``--assume`` takes it.
    key:    the same in the next conversion, as long as the line is.
    """

    file: int
    line: int
    kind: str
    api: str
    detail: str
    answer: str
    key: str

    @property
    def group(self) -> tuple[str, str]:
        """What is decided at once: uses of a name for which the same is said, unknown ones with the same answer."""
        return ("", self.answer or self.detail) if self.kind.startswith("unknown") else (self.api, self.detail)


def to_html(review: Review) -> str:
    files = shown_files(review.result)
    changes = [hunks(file.old, file.new) for file in files]
    looks = list(worth_a_look(files))
    numbers = {(look.file, at): number for number, (look, at) in enumerate(looks)}
    listed = [look for look, _ in looks]
    reports = review.result.conversion.reports
    names = sorted({name for report in reports for site in report.sites if (name := name_of(site))})
    index = {
        "place": hashlib.blake2b(f"{review.place}\0{review.target.name}".encode("utf-8", "replace")).hexdigest()[:16],
        "title": printable(review.title),
        "target": review.target.title,
        "says": {str(outcome): words for outcome, words in MEANINGS.items()},
        "kinds": {name: {"title": kind.title, "calm": kind.calm} for name, kind in KINDS.items()},
        "files": [file_row(file, changed) for file, changed in zip(files, changes, strict=True)],
        "looks": [
            [x.file, x.line, x.kind, *map(printable, (x.api, x.detail)), x.key, "\0".join(map(printable, x.group))]
            for x in listed
        ],
    }
    return render(
        "review.html",
        ("base.css", "review.css"),
        ("code.js", "cards.js", "review.js"),
        review=review,
        title=printable(review.title),
        command=printable(shlex.join(["migrate", *sys.argv[1:]])),
        made=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        told=[printable(line) for line in review.told],
        imports=[printable(line) for line in review.imports],
        version=migrate.__version__,
        counts=totals(reports),
        runs=sum(n for outcome, n in totals(reports).items() if outcome in RUNS),
        outcomes=Outcome,
        statuses={status: sum(report.status == status for report in reports) for status in Status},
        kinds=[(name, KINDS[name], rows) for name, rows in grouped(listed, files).items()],
        shown=GROUPS,
        places=PLACES,
        index=packed(index),
        cards=packed(cards(names, review.coverage)),
        texts=[
            packed(contents(file, changed, number, numbers)) if file.old or file.new else ""
            for number, (file, changed) in enumerate(zip(files, changes, strict=True))
        ],
    )


# -- the files ------------------------------------------------------------------------------------------------------


def shown_files(result: Result) -> list[Shown]:
    """Each file of the report, and each that was written beside them, in order of path."""
    found = [shown_file(report, result) for report in result.conversion.reports]
    known = {report.path for report in result.conversion.reports}
    for name, data in result.output.texts.items():
        if name not in known and name not in result.originals:
            found.append(Shown(FileReport(name), new=lines_of(decoded(data, name)), written=True))
    return sorted(found, key=lambda file: file.report.path)


def shown_file(report: FileReport, result: Result) -> Shown:
    name = report.path
    before, after = result.originals.get(name), result.output.texts.get(name)
    lines = result.joined.get(name, [site.line for site in report.sites])
    if before is None or (report.status == Status.UNCHANGED and not report.sites):
        return Shown(report, lines=lines)
    after = before if after is None else after
    if name in result.joined:
        texts = [notebook.readable(notebook.to_source(data).decode("utf-8")) for data in (before, after)]
    else:
        texts = [decoded(before, name), decoded(after, name)]
    return Shown(report, lines_of(texts[0]), lines_of(texts[1]), lines)


def decoded(data: bytes, name: str) -> str:
    """A file's text in its own encoding; bytes that are none stay visible."""
    encoding = "utf-8"
    if name.endswith(".py"):
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        except SyntaxError:
            encoding = "utf-8"
    return printable(data.decode(encoding, "backslashreplace"))


def file_row(file: Shown, changed: list[Hunk]) -> dict[str, Any]:
    """What the list of files says of it."""
    text = "\0".join([file.report.path, *file.old, "", *file.new])
    return {
        "path": printable(file.report.path),
        "status": file.status,
        "error": printable(file.report.error),
        "counts": Counter(map(kind_of, file.report.sites)),
        "removed": sum(end - start for start, end, _, _ in changed),
        "added": sum(end - start for _, _, start, end in changed),
        "key": short_hash(text),
    }


def contents(file: Shown, changed: list[Hunk], number: int, looks: dict[tuple[int, int], int]) -> dict[str, Any]:
    """A file's lines, what became of them, and all its sites with their number in the list."""
    return {
        "old": "\n".join(file.old),
        "hunks": [[start, end, file.new[first:last]] for start, end, first, last in changed],
        "sites": [
            [line, kind_of(site), printable(site.api), printable(site.detail), looks.get((number, at), -1)]
            for at, (site, line) in enumerate(zip(file.report.sites, file.lines, strict=True))
        ],
    }


# -- what wants a look ----------------------------------------------------------------------------------------------


def worth_a_look(files: Sequence[Shown]) -> Iterator[tuple[Look, int]]:
    """The sites that want one, with their number among their file's; -1 for the file itself, which failed."""
    seen: Counter[str] = Counter()
    for number, file in enumerate(files):
        report = file.report
        found: list[tuple[str, int, str, str, str, int]] = []
        if report.status == Status.FAILED:
            found.append(("failed", *line_and_error(report), "", -1))
        for at, (site, line) in enumerate(zip(report.sites, file.lines, strict=True)):
            if kind_of(site) in KINDS:
                found.append((kind_of(site), line, site.api, site.detail, site.origin, at))
        for kind, line, api, detail, answer, at in found:
            text = file.old[line - 1] if 0 < line <= len(file.old) else ""
            key = f"{report.path}\0{kind}\0{api}\0{text.strip()}"
            seen[key] += 1
            yield Look(number, line, kind, api, detail, answer, short_hash(f"{key}\0{seen[key]}")), at


def kind_of(site: Site) -> str:
    """A key of ``KINDS``; the name of its outcome where nobody need look."""
    return f"unknown-{site.risk or Risk.UNTRIED}" if site.outcome == Outcome.UNKNOWN else str(site.outcome)


def line_and_error(report: FileReport) -> tuple[int, str, str]:
    """Where a file failed, the first line where that is not known; no name; why, without the place."""
    found = re.match(re.escape(report.path) + r":(?:(\d+):)? ", report.error)
    return (int(found[1] or 1) if found else 1), "", report.error[found.end() if found else 0 :]


@dataclass
class Group:
    """What is decided at once. places: (path, line) of the first."""

    names: str
    reason: str
    count: int
    places: list[tuple[str, int]]


def grouped(looks: Sequence[Look], files: Sequence[Shown]) -> dict[str, list[Group]]:
    """By kind, the most frequent first."""
    found: dict[str, dict[tuple[str, str], list[Look]]] = {kind: {} for kind in KINDS}
    for look in looks:
        found[look.kind].setdefault(look.group, []).append(look)
    groups: dict[str, list[Group]] = {}
    for kind, sets in found.items():
        for those in sorted(sets.values(), key=lambda those: -len(those)):
            names = [*dict.fromkeys(printable(look.api) for look in those)]
            shown = ", ".join(names[:NAMES]) + (", ..." if len(names) > NAMES else "")
            places = [(printable(files[look.file].report.path), look.line) for look in those[:PLACES]]
            groups.setdefault(kind, []).append(Group(shown, printable(those[0].detail), len(those), places))
    return groups


def short_hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


# -- rules ----------------------------------------------------------------------------------------------------------


def name_of(site: Site) -> str:
    """Torch's name that a site stands for, as ``migrate rules`` takes it; "" where there is none."""
    return f"torch.Tensor{site.api}" if site.outcome == Outcome.UNKNOWN else site.api


def cards(names: Sequence[str], coverage: Coverage) -> dict[str, Any]:
    """What is known of each of these names that is one of torch's."""
    found = {}
    for name in names:
        try:
            found[printable(name)] = asdict(card(name, coverage))
        except KeyError:
            continue  # a line of a requirements file, a name of another library
    return found
