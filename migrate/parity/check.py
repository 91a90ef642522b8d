"""One conversion against torch: which commands go to which side, and what becomes of their answers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rewriters.torch
from checks.parity.floor import WARN
from checks.parity.process import SideFailed
from checks.parity.report import DIFFERS, WARNED, Culprit, Entry, Failure, Level, Row, Weights
from checks.worker import arrays
from checks.worker.side.store import Reader
from migrate.errors import Unusable
from migrate.parity import layers, levels
from migrate.parity.digest import sha256
from migrate.parity.failures import failure
from migrate.parity.levels import Record, Results
from migrate.parity.state import Origin, lay_out
from migrate.parity.static import static_levels
from migrate.parity.training import converted_defaults, torch_defaults

if TYPE_CHECKING:
    from migrate.parity.session import Session

CAUSES = rewriters.torch.WORKER / "causes.py"

ALONE = {False: "alone", True: "alone-whole"}
"""Folders of the layers by themselves: single ones, and those that consist of others."""

Pair = tuple["Future[Any]", "Future[Any]"]
"""What torch and the target were told to do."""


class Broken(Exception):
    """The target's forward failed, so that nothing which needs it is tried."""


class Check:
    """One conversion against torch."""

    def __init__(self, session: Session, converted: Path, folder: Path, origin: Origin | None = None) -> None:
        self.session, self.request, self.origin = session, session.request, origin
        self.converted, self.folder = converted, folder
        self.drawn = session.draw()
        self.there: dict[str, Any] = {}
        self.reference = "float64"
        self._broken = False
        self.modules: dict[str, dict[str, Any]] = {}
        self._layers: Level | None = None
        self._told: dict[str, Pair] = {}

    def run(self) -> Entry:
        """The entry. Raises SideFailed and Unusable for what is the user's to mend."""
        session, request = self.session, self.request
        opened = session.once("open", lambda: session.open_torch(self.drawn))
        ready = session.target.submit(lambda: self._open_target(opened))
        self.opened = opened.result()
        self.here = {module["name"]: module for module in self.opened["modules"]}
        traced = "activations" in session.levels
        forward = self._forward(traced) if traced or "outputs" in session.levels else None
        pending: dict[str, Pair] = {}
        if traced and self.opened["kind"] == "module":
            pending["activations"] = self._alone("forward-traced")
        # Training comes last: it leaves the target's model changed.
        for level in sorted(session.levels, key=lambda level: level == "steps"):
            if level not in ("outputs", "activations"):
                pending[level] = self._start(level)
        ready.result()
        entry = Entry(
            request.name or request.entry,
            request.entry,
            [item.text for item in session.inputs],
            Weights(str(request.weights), sha256(request.weights)) if request.weights else None,
            request.seed,
            kind=self.opened["kind"],
        )
        for level in session.levels:
            done = self._level(level, forward, pending.get(level))
            entry.levels.append(done)
        if request.static:
            entry.levels += static_levels(self, forward or self._forward(False), pending.get("steps"))
        entry.reference = self.reference
        for side, lane in (("torch", session.torch), ("target", session.target)):
            entry.seconds[side] = dict(lane.process.seconds)
        return entry

    # What is told to the sides

    def _open_target(self, opened: Future[Any]) -> None:
        """Build the target's model, give it torch's state."""
        session, request, target = self.session, self.request, self.session.target
        target.forget_setup()
        arguments = {"positional": self.drawn.positional, "keywords": self.drawn.keywords}
        there = target.set_up(
            "open", project=str(self.converted.resolve()), entry=request.entry, seed=request.seed, **arguments
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

    def _both(self, name: str, do: str, here: dict[str, Any], there: dict[str, Any], again: bool = False) -> Pair:
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
            except SideFailed:
                self._broken = self._broken or do == "forward"
                raise

        return work

    def _forward(self, traced: bool, again: bool = False) -> Pair:
        """``again``: although it has failed before."""
        more = {"layers": traced, "skip": layers.containers(self.here)}
        return self._both("forward-traced" if traced else "forward", "forward", more, more, again)

    def _alone(self, forward: str, whole: bool = False) -> Pair:
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
            return session.target.call("alone", folder=str(self.folder / name), inputs=str(recorded), calls=calls)

        self._told[name] = session.once(name, torch), session.target.submit(target)
        return self._told[name]

    def _start(self, level: str) -> Pair:
        return self._both(level, *self._commands(level))

    def _commands(self, level: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
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

    # What becomes of the answers

    def _level(self, level: str, forward: Pair | None, pair: Pair | None) -> Level:
        if level not in self.there["levels"]:
            return Level(level, skipped=f"{self.request.target.title} cannot be run at this level")
        if level == "outputs" and forward:
            return self._outputs(forward)
        if level == "activations" and forward:
            return self._activations(forward, pair) if pair else Level(level, skipped="a function has no layers")
        assert pair is not None
        found = self._results(level, pair, self.session.folder / "torch" / level)
        if isinstance(found, Level):
            return found
        if level == "steps":
            done = self.judge_steps(found)
        else:
            done = self._judged(
                level, found, lambda: levels.gradients(level, found, self.request.tolerance, self._where)
            )
            self._blame_gradient(done)
        levels.randomness(done, found, self._types)
        return done

    def judge_steps(self, found: Results) -> Level:
        """The level of steps, of the target's eager or static training."""
        return self._judged("steps", found, lambda: levels.steps(found, self.request.tolerance, self._where))

    def _judged(self, level: str, found: Results, judge: Callable[[], Level]) -> Level:
        """A level of gradients or steps. Where it differs, torch draws more noise first: which units change the sign of
        their input is chance, and one draw has seen little of it.
        """
        done = judge()
        doubtful = any(row.verdict == DIFFERS and levels.is_by_values(row) for row in done.rows)
        if not doubtful or found.exact is None:
            return done
        session, (do, here, _) = self.session, self._commands(level)
        job = self.job(session.folder / "torch" / level, True, **here, again=True)
        try:
            more = session.once(f"{level} again", lambda: session.torch.call(do, **job)).result()["terms"]
        except SideFailed:
            return done  # the floor stays what it is
        for key, terms in more.items():
            held = found.summary["terms"].setdefault(key, {})
            held.update({source: max(held.get(source, 0.0), term) for source, term in terms.items()})
        return judge()

    @property
    def _where(self) -> dict[str, str]:
        return {name: str(module["where"]) for name, module in self.modules.items()}

    @property
    def _types(self) -> dict[str, str]:
        return {name: str(module["type"]) for name, module in self.here.items()}

    def _results(self, level: str, pair: Pair, torch: Path, own: Path | None = None) -> Results | Level:
        """Both sides' results; a level that says why there are none. Raises SideFailed when torch's forward failed."""
        session, request = self.session, self.request
        name = session.target_name
        try:
            summary = pair[0].result()
        except SideFailed as error:
            if level == "outputs":
                raise
            return Level(level, failure=failure(error, request.entry, name, torch=True))
        try:
            there = pair[1].result()
        except SideFailed as error:
            return Level(level, failure=failure(error, request.entry, name, torch=False))
        except Broken:
            return Level(level, skipped=f"{request.target.title} failed in forward")
        if summary["exact_error"]:
            if request.tolerance is None and level != "outputs":
                reason = f"torch does not run in double precision here, which the floor needs: {summary['exact_error']}"
                return Level(level, skipped=reason)
            self.reference = f"float32, {summary['exact_error']}"
        return Results.read(torch, self.folder / torch.name, summary, there, own)

    def _outputs(self, forward: Pair) -> Level:
        folder = self.session.folder / "torch" / self.forward_name
        found = self._results("outputs", forward, folder)
        if isinstance(found, Level):
            self._diagnose(found)
            return found
        self._refuse_unusable(found)
        level = levels.outputs(found, self.request.tolerance)
        levels.randomness(level, found, self._types)
        if level.verdict == DIFFERS:
            self._diagnose(level)
        return level

    @property
    def _parents(self) -> set[str]:
        return {name.rpartition(".")[0] for name in self.here}

    @property
    def forward_name(self) -> str:
        """The folder of what torch returned."""
        return "forward-traced" if "activations" in self.session.levels else "forward"

    def _refuse_unusable(self, found: Results) -> None:
        """Raises Unusable where torch gives nothing to compare with."""
        request = self.request
        if found.exact is None and request.tolerance is None:
            raise Unusable(
                "the torch model does not run in double precision, which the noise floor needs: "
                + found.summary["exact_error"],
                "let the model follow its input's dtype, or give --rtol and --atol to compare with torch's float32",
            )
        record = found.own.find("")
        odd = [node["type"] for node in record["nodes"].values() if node["kind"] == "object"]
        if odd or not record["files"]:
            what = f"a {odd[0]}, which" if odd else "what"
            raise Unusable(
                f"{request.entry} returns {what} holds no tensor in torch",
                "write a function that calls the model and returns its tensors, and name it as the entry",
            )

    def _activations(self, forward: Pair, alone: Pair, name: str = "forward-traced") -> Level:
        """The rows of all layers, within the model and alone; done once, also where the outputs asked for it."""
        if self._layers is not None:
            return self._layers
        tolerance, folder = self.request.tolerance, self.session.folder / "torch"
        rows: list[tuple[Row, Record]] = []
        found = self._results("activations", forward, folder / name)
        level = found if isinstance(found, Level) else Level("activations")
        if isinstance(found, Results):
            rows = layers.activations(found, self.modules, tolerance)
            level.rows = [row for row, _ in rows]
            levels.randomness(level, found, self._types)
        if not level.skipped:
            rows += self._tried(level, alone, name, whole=False)
            if level.verdict == DIFFERS and layers.blame(rows) is None:
                # No single layer is to blame: perhaps the project's own code between them.
                rows += self._tried(level, self._alone(name, whole=True), name, whole=True)
            level.culprit = self._culprit(rows, name)
            if level.culprit is None and level.verdict == DIFFERS and isinstance(found, Results):
                level.culprit = self._blame_model(found, name)
        self._layers = level
        return level

    def _tried(self, level: Level, alone: Pair, forward: str, whole: bool) -> list[tuple[Row, Record]]:
        """The rows of layers alone, added to the level's."""
        folder = self.session.folder / "torch"
        found = self._results("activations", alone, folder / ALONE[whole], folder / forward / "own")
        if isinstance(found, Level):
            level.failure = level.failure or found.failure
            return []
        calls, tolerance = self._calls(alone, ALONE[whole]), self.request.tolerance
        rows = layers.alone(found, calls, self.modules, tolerance)
        if self._add_noise(found, rows, forward, ALONE[whole]):
            rows = layers.alone(found, calls, self.modules, tolerance)
        level.rows += [row for row, _ in rows]
        return rows

    def _add_noise(self, found: Results, rows: list[tuple[Row, Record]], forward: str, name: str) -> bool:
        """Complete the floor of the layers that stand above it without the term of half-ulp noise."""
        known = {key.partition(":")[0] for key in found.summary["terms"]}
        doubtful = {record["name"] for row, record in rows if row.verdict in (WARNED, DIFFERS)} - known
        if not doubtful:
            return False
        session, folder = self.session, self.session.folder / "torch"
        job = {"folder": str(folder / name), "inputs": str(folder / forward / "own"), "calls": sorted(doubtful)}
        try:
            done = session.torch.submit(lambda: session.torch.call("alone", noisy=True, **job)).result()
        except SideFailed:
            return False  # the floor stays what it is
        found.summary["terms"].update(done["terms"])
        return True

    def _calls(self, alone: Pair, name: str) -> list[str]:
        """The calls that both sides repeated."""
        records = Reader(self.folder / name / "own")
        return [
            name for name in alone[0].result()["calls"] if records.find(name) or name in alone[1].result()["errors"]
        ]

    def _folders(self, name: str) -> tuple[Path, Path]:
        return self.session.folder / "torch" / name, self.folder / name

    def _diagnose(self, level: Level) -> None:
        """Find the layer to blame for a difference of the outputs."""
        is_module = self.opened["kind"] == "module"
        if level.failure is not None and level.failure.kind in ("timeout", "memory", "died"):
            return  # it would only do so again
        forward = self._forward(is_module, again=level.failure is not None)
        name = "forward-traced" if is_module else "forward"
        if is_module and level.failure is not None:
            level.culprit = self._raised(forward[1], level.failure)
        elif is_module:
            level.culprit = self._activations(forward, self._alone(name), name).culprit
        if level.culprit is None and level.failure is None:
            folders = self.session.folder / "torch" / name, self.folder / name
            found = Results.read(*folders, forward[0].result(), forward[1].result())
            level.culprit = self._blame_model(found, name)

    def _raised(self, forward: Future[Any], failed: Failure) -> Culprit | None:
        """The layer in which the target's forward raised."""
        try:
            forward.result()
        except SideFailed as error:
            layer = error.detail.get("layer")
            if layer is None:
                return None
            where = failed.where.removeprefix(f"{self.converted.resolve()}/")
            lines = layers.lines_at(where, self.converted)
            return Culprit(layer, str(self.here.get(layer, {}).get("type", "")), where, lines, "", failed.message)
        return None

    def _culprit(self, rows: list[tuple[Row, Record]], forward: str) -> Culprit | None:
        blamed = layers.blame(rows)
        if blamed is None:
            return None
        row, record = blamed
        folder = ALONE[record["module"] in self._parents] if row.kind == "alone" else forward
        row.cause = self._cause(row, record, forward, self.folder / folder / "own")
        return layers.culprit_of(row, record["module"], self.here, self.converted)

    def _blame_model(self, found: Results, forward: str) -> Culprit | None:
        """The entry itself is the layer: no part of it differs alone, or it has none."""
        level = levels.outputs(found, self.request.tolerance)
        row = next((row for row in level.rows if row.verdict == DIFFERS), None)
        if row is None:
            return None
        row.where = str(self.modules[""]["where"])
        row.cause = self._cause(row, found.own.find(""), forward, self.folder / forward / "own")
        return layers.culprit_of(row, "", self.here, self.converted)

    def _blame_gradient(self, level: Level) -> None:
        """Gradients go from the outputs to the inputs: the first to differ on that way is the last in order."""
        row = next((row for row in reversed(level.rows) if row.verdict == DIFFERS and row.kind == "parameter"), None)
        if row is not None:
            level.culprit = layers.culprit_of(row, row.name.rpartition(".")[0], self.here, self.converted)

    def _cause(self, row: Row, record: Record, forward: str, target: Path) -> str:
        """What torch's layer must be changed to for both to agree, "" when nothing that is tried does it."""
        session = self.session
        found = Reader(target).find(record["name"])
        if found is None or "" not in self.here:
            return ""
        job = self.job(
            session.folder / "torch" / "causes",
            False,
            recorded=str(session.folder / "torch" / forward / "own"),
            name=record["name"],
            target=str(target),
            path=row.name[len(record["name"]) :] if record["name"] else row.name[len("output") :],
            floor=row.floor,
            limit=WARN,
            causes=str(CAUSES),
        )
        try:
            done: dict[str, Any] = session.torch.submit(lambda: session.torch.call("causes", **job)).result()
        except SideFailed:  # what is tried may not run at all: then nothing is known
            return ""
        return str(done["cause"])
