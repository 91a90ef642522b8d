"""What the two sides of a check are told, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from checks.parity.process import SideFailed
from checks.worker import arrays
from checks.worker.side.alone import AT
from checks.worker.side.store import Reader
from migrate.parity import layers
from migrate.parity.paths import TARGET
from migrate.parity.session import Session
from migrate.parity.state import Origin, lay_out
from migrate.parity.training import converted_defaults, torch_defaults

ALONE = {False: "alone", True: "alone-whole"}
"""Folders of the layers by themselves: single ones, and those that consist of others."""

Pair = tuple["Future[Any]", "Future[Any]"]
"""What torch and the target were told to do."""


UNTRACED = "forward-untraced"

CRASHES = 5
"""Of layers alone, after which no further one is tried."""


class Broken(Exception):
    """The target's forward failed, so that nothing which needs it is tried."""


class Sides:
    """Torch's process and the target's, for one conversion.

    opened:  what torch's side said of the entry; here: its modules by name; modules: the target's.
    there:   what the target's side said of itself.
    """

    def __init__(self, session: Session, converted: Path, folder: Path, origin: Origin | None = None) -> None:
        self.session, self.request, self.origin = session, session.request, origin
        self.converted, self.folder = converted, folder
        self.drawn = session.draw()
        self.opened: dict[str, Any] = {}
        self.there: dict[str, Any] = {}
        self.here: dict[str, dict[str, Any]] = {}
        self.modules: dict[str, dict[str, Any]] = {}
        self._broken = False
        self._plain: dict[str, Any] | None = None  # the target's forward without its layers, where only that runs
        self._told: dict[str, Pair] = {}

    def open(self) -> Future[Any]:
        """Have both build the entry: torch's is there, the target's when what is returned is done."""
        opened = self.session.once("open", lambda: self.session.open_torch(self.drawn))
        ready = self.session.target.submit(lambda: self.open_target(opened))
        self.opened = opened.result()
        self.here = {module["name"]: module for module in self.opened["modules"]}
        return ready

    def open_target(self, opened: Future[Any]) -> None:
        """Build the target's model, give it torch's state."""
        session, request, target = self.session, self.request, self.session.target
        target.forget_setup()
        arguments = {"positional": self.drawn.positional, "keywords": self.drawn.keywords}
        there = target.set_up(
            "open",
            project=str(self.converted.resolve()),
            entry=request.entry,
            seed=request.seed,
            keep=session.kept is not None,
            paths=request.imports(TARGET),
            **arguments,
        )
        self.there = target.call("hello")
        described = opened.result()["described"]
        if described:
            session.on_stage(f"carrying the weights into {request.target.title}'s layout")
            state = arrays.read(session.folder / "state")
            origin = self.origin or Origin(request.source, described)
            laid_out = lay_out(origin, state, request.target, session.target_name)
            target.set_up("state", state=str(session.folder / "state"), **laid_out.command(), **arguments)
        else:
            target.set_up("state", **arguments)
        self.modules = {module["name"]: module for module in there["modules"]}

    def job(self, folder: Path, reference: bool, **more: Any) -> dict[str, Any]:
        """A command's inputs and the folder for what it computes."""
        return {
            "folder": str(folder),
            "inputs": str(self.session.folder / "inputs"),
            "noisy": str(self.session.folder / "noisy") if reference else None,
            "positional": self.drawn.positional,
            "keywords": self.drawn.keywords,
            **more,
        }

    def both(self, name: str, do: str, here: dict[str, Any], there: dict[str, Any], again: bool = False) -> Pair:
        """Have both sides do a command, once; torch only once for all conversions."""
        if name in self._told:
            return self._told[name]
        session = self.session
        torch = session.once(
            name, lambda: session.torch.call(do, **self.job(session.folder / "torch" / name, True, **here))
        )
        target = session.target.submit(self._guarded(do, self.job(self.folder / name, False, **there), again))
        self._told[name] = torch, target
        return torch, target

    def _guarded(self, do: str, job: dict[str, Any], again: bool) -> Callable[[], Any]:
        def work() -> Any:
            if self._broken and not again:
                raise Broken
            try:
                return self.session.target.call(do, **job)
            except SideFailed as error:
                if do == "forward":
                    self._plain = self._untraced(job) if job["layers"] and error.kind != "timeout" else None
                    self._broken = self._plain is None
                raise

        return work

    def _untraced(self, job: dict[str, Any]) -> dict[str, Any] | None:
        """The target's forward while nobody looks at its layers; None where that fails too."""
        try:
            return self.session.target.call(
                "forward", **{**job, "layers": False, "folder": str(self.folder / UNTRACED)}
            )
        except SideFailed:
            return None

    def forward(self, traced: bool, again: bool = False) -> Pair:
        """``again``: although it has failed before."""
        more = {"layers": traced, "skip": layers.containers(self.here)}
        others = self.session.folder / "others"
        untrained = others.is_dir() and self.request.weights is None
        here = {**more, "others": str(others) if untrained else None, **self.beside_forward()}
        return self.both("forward-traced" if traced else "forward", "forward", here, more, again)

    def beside_forward(self) -> dict[str, Any]:
        """What else torch's side is told of a forward."""
        return {}

    def returned(self, forward: Pair) -> tuple[Pair, Path]:
        """What tells of the outputs, and where the target's lie: a forward of layers that failed may run without."""
        if forward[1].exception() is None or self._plain is None:
            return forward, self.folder / self.forward_name
        plain: Future[Any] = Future()
        plain.set_result(self._plain)
        return (forward[0], plain), self.folder / UNTRACED

    def alone(self, forward: str, whole: bool = False) -> Pair:
        """Layers by themselves, fed what torch recorded in its forward; ``whole``: those that consist of others."""
        session, name = self.session, ALONE[whole]
        if name in self._told:
            return self._told[name]
        recorded = session.folder / "torch" / forward / "own"

        def torch() -> Any:
            calls = layers.calls_to_try(Reader(recorded).records, self.here, whole)
            folder = str(session.folder / "torch" / name)
            done = session.torch.call("alone", folder=folder, inputs=str(recorded), calls=calls, noisy=False)
            return {**done, "calls": calls}

        def target() -> Any:
            session.done(forward).result()
            records = Reader(recorded)
            calls = layers.calls_to_try(records.records, self.here, whole)
            calls = [call for call in calls if (records.find(call) or {})["module"] in self.modules]
            return self._alone(self.folder / name, recorded, calls)

        self._told[name] = session.once(name, torch), session.target.submit(target)
        return self._told[name]

    def _alone(self, folder: Path, recorded: Path, calls: list[str]) -> dict[str, Any]:
        """The target's layers by themselves; one that ends the process leaves the others their results.

        What ``commands.Worker.alone`` answers, and ``crashed``: name of a call -> how the process ended.
        """
        crashed: dict[str, str] = {}
        while True:
            left = [call for call in calls if call not in crashed]
            try:
                done = self.session.target.call("alone", folder=str(folder), inputs=str(recorded), calls=left)
            except SideFailed as error:
                at = folder / AT
                name = at.read_text(encoding="utf-8") if error.kind == "died" and at.is_file() else ""
                if name not in left or len(crashed) == CRASHES:
                    raise
                crashed[name] = error.message
            else:
                return {**done, "crashed": crashed}

    def start(self, level: str) -> Pair:
        return self.both(level, *self.commands(level))

    def commands(self, level: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """The command of a level, and what torch's side and the target's are told."""
        if level == "steps":
            there = self.training_job()
            return "train", {**there, "defaults": str(torch_defaults())}, there
        return "gradients", {"second": level == "double"}, {"second": level == "double"}

    def training_job(self) -> dict[str, Any]:
        """What the target's side is told for steps of training."""
        request = self.request
        defaults = converted_defaults(request.target, self.session.folder / "defaults")
        return {
            "steps": request.train,
            "optimizer": request.optimizer,
            "scheduler": request.scheduler,
            "loss": request.loss,
            "defaults": str(defaults),
        }

    @property
    def forward_name(self) -> str:
        """The folder of what torch returned."""
        return "forward-traced" if "activations" in self.session.levels else "forward"
