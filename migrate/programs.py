"""Whole programs through the real converter, run in torch and in a target."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import TracebackType

import rewriters.report
import rewriters.torch
from checks.programs.judge import INVALID, judge
from checks.programs.side import Ran, Side
from migrate.environments import Interpreter, find_interpreter
from rewriters.convert import Conversion, convert_sources
from rewriters.report import BESIDE, GOES_ON, Site, Status
from rewriters.target import Target, load_target

MAIN = "program.py"
# What notes say of these is of very many elements, of infinities or of numbers far apart: no small program shows it.
FAR = frozenset(
    {
        *("mean", "softmax", "Softmax", "log_softmax", "LogSoftmax", "cross_entropy", "CrossEntropyLoss"),
        *("logsumexp", "logaddexp", "logcumsumexp", "argmax", "argmin"),
        *("isnan", "isfinite", "nan_to_num", "max", "min", "sign", "relu", "ReLU", "logsigmoid", "LogSigmoid"),
        *(f"{kind}_pool{axes}d" for kind in ("max", "adaptive_max") for axes in (1, 2, 3)),
        *(f"{kind}Pool{axes}d" for kind in ("Max", "AdaptiveMax") for axes in (1, 2, 3)),
        *("scatter_reduce", "scatter_reduce_", "signbit", "copysign"),
        *("relu6", "ReLU6", "hardtanh", "Hardtanh", "threshold", "Threshold", "hardswish", "Hardswish"),
        *("hardsigmoid", "Hardsigmoid"),
        *("mse_loss", "l1_loss", "MSELoss", "L1Loss", "grad_fn", "register_hook", "retain_grad", "topk"),
        *("searchsorted", "bucketize"),
    }
)
TORCH_RUNTIME = rewriters.torch.WORKER / "runtime.py"


@dataclass(frozen=True)
class Outcome:
    """What came of one program.

    verdict:   one of ``checks.programs.judge``.
    detail:    what differs, or the error.
    converted: path -> text of what ran in the target, helpers included.
    sites:     all that the conversion reported.
    """

    verdict: str
    detail: str
    converted: Mapping[str, str]
    sites: list[Site] = field(default_factory=list)
    torch: Ran = field(default_factory=Ran)
    target: Ran = field(default_factory=Ran)

    def __str__(self) -> str:
        main = "\n".join(f"    {line}" for line in self.converted.get(MAIN, "").splitlines())
        return f"{self.verdict}: {self.detail}\n{main}"


def announces(site: Site) -> bool:
    """Whether a site says that what comes out is not torch's."""
    far = site.outcome == rewriters.report.Outcome.NOTED and site.api.partition(":")[0].rpartition(".")[2] in FAR
    return (site.outcome in BESIDE and not far) or GOES_ON in site.detail


def texts_of(done: Conversion) -> dict[str, str]:
    """Path -> text of all that a conversion gave."""
    made = {str(path): data.decode() for path, data in done.files.items()}
    return made | {str(path): text for path, text in done.helpers.items()}


class Programs:
    """Runs programs in torch and, converted, in one target. Workers are kept; to be closed, or used in ``with``.

    static: convert as ``--static`` does.
    """

    def __init__(
        self,
        target: str | Target,
        torch: Interpreter | None = None,
        own: Interpreter | None = None,
        static: bool = False,
    ) -> None:
        self.static = static
        self.target = load_target(target) if isinstance(target, str) else target
        self.folder = Path(tempfile.mkdtemp(prefix="migrate-programs-"))
        one, other = torch or find_interpreter("torch"), own or find_interpreter(self.target.name)
        self.torch = Side(one.python, one.env, TORCH_RUNTIME, self.folder / "torch.log")
        self.own = Side(other.python, other.env, self.target.runtime, self.folder / "target.log")
        self.count = 0

    def __enter__(self) -> Programs:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.torch.close()
        self.own.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, program: str | Mapping[str, str], seconds: float = 30.0) -> Outcome:
        """Run a program, a text or path -> text with ``program.py`` among them, on both sides.

        seconds: that each side may take. Raises RuntimeError where the conversion itself fails.
        """
        sources = {MAIN: program} if isinstance(program, str) else dict(program)
        done = convert_sources(
            {PurePosixPath(path): text.encode() for path, text in sources.items()}, self.target, static=self.static
        )
        failed = [report.error for report in done.reports if report.status == Status.FAILED]
        if failed:
            raise RuntimeError("; ".join(failed))
        sites = [site for report in done.reports for site in report.sites]
        with self.laid_out(sources) as given, self.laid_out(texts_of(done)) as made:
            return self.compared(given, made, MAIN, texts_of(done), sites, seconds)

    def run_scripts(self, scripts: Mapping[str, str], seconds: float = 30.0) -> list[Outcome]:
        """Run programs, path -> text, that are converted together, as a folder of scripts is. Raises as ``run``."""
        done = convert_sources(
            {PurePosixPath(path): text.encode() for path, text in scripts.items()}, self.target, static=self.static
        )
        failed = [f"{report.path}: {report.error}" for report in done.reports if report.status == Status.FAILED]
        if failed:
            raise RuntimeError("; ".join(failed))
        sites = {report.path: report.sites for report in done.reports}
        with self.laid_out(scripts) as given, self.laid_out(texts_of(done)) as made:
            return [
                self.compared(given, made, path, {path: done.files[PurePosixPath(path)].decode()}, sites[path], seconds)
                for path in scripts
            ]

    def compared(
        self, given: Path, made: Path, main: str, converted: Mapping[str, str], sites: list[Site], seconds: float
    ) -> Outcome:
        """What came of one program that lies in both folders."""
        torch = self.torch.run(given, main, seconds)
        if torch.crash:
            return Outcome(INVALID, torch.crash, converted, sites, torch)
        own = self.own.run(made, main, seconds)
        announced = own.warned or any(map(announces, sites))
        verdict, detail = judge(torch, own, announced)
        return Outcome(verdict, detail, converted, sites, torch, own)

    @contextlib.contextmanager
    def laid_out(self, files: Mapping[str, str]) -> Iterator[Path]:
        """A folder of its own with these files."""
        self.count += 1
        folder = self.folder / str(self.count)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
