"""One conversion against torch: which commands go to which side, and what becomes of their answers."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from pathlib import Path

from checks.parity.process import SideFailed
from checks.parity.report import DIFFERS, WARNED, Entry, Level, Row, Weights
from checks.worker.side.store import NOISY, Reader
from migrate.errors import Unusable
from migrate.parity import culprits, layers, levels
from migrate.parity.digest import sha256
from migrate.parity.failures import failure, nothing_compared
from migrate.parity.levels import Record, Results
from migrate.parity.sides import ALONE, Broken, Pair, Sides
from migrate.parity.static import static_levels

ENOUGH = 2
"""Runs that the noise floor is measured by, at least, beside the one in double precision."""


class Check:
    """One conversion against torch."""

    def __init__(self, sides: Sides) -> None:
        self.sides, self.session, self.request = sides, sides.session, sides.request
        self.reference = "float64"
        self.left_out: dict[str, str] = {}  # runs that only calibrate, and why they failed
        self.few = False  # whether such failures left fewer than ENOUGH of them to a level
        self._layers: Level | None = None
        self._drawing: set[str] = set()  # modules that draw random numbers: alone they draw others than in the model

    def run(self) -> Entry:
        """The entry. Raises SideFailed and Unusable for what is the user's to mend."""
        session, request = self.session, self.request
        ready = self.sides.open()
        traced = "activations" in session.levels
        forward = self.sides.forward(traced) if traced or "outputs" in session.levels else None
        pending: dict[str, Pair] = {}
        if traced and self.sides.opened["kind"] == "module":
            pending["activations"] = self.sides.alone("forward-traced")
        # Training comes last: it leaves the target's model changed.
        for level in sorted(session.levels, key=lambda level: level == "steps"):
            if level not in ("outputs", "activations"):
                pending[level] = self.sides.start(level)
        ready.result()
        entry = Entry(
            request.name or request.entry,
            request.entry,
            [item.text for item in session.inputs],
            Weights(str(request.weights), sha256(request.weights)) if request.weights else None,
            request.seed,
            kind=self.sides.opened["kind"],
        )
        for level in session.levels:
            done = self._level(level, forward, pending.get(level))
            entry.levels.append(done)
        if request.static:
            entry.levels += static_levels(
                self.sides, self.judge_steps, forward or self.sides.forward(False), pending.get("steps")
            )
        entry.reference = "; ".join([self.reference, *self.calibration()])
        entry.failure = nothing_compared(entry)
        for side, lane in (("torch", session.torch), ("target", session.target)):
            entry.seconds[side] = dict(lane.process.seconds)
        return entry

    def calibration(self) -> list[str]:
        """What the noise floor is not measured by, as far as torch does not run so."""
        said = [f"the floor is without {name}: {why}" for name, why in self.left_out.items()]
        if self.few:
            said.append("few runs are left to measure it by: it may be low")
        return said

    def _level(self, level: str, forward: Pair | None, pair: Pair | None) -> Level:
        if level not in self.sides.there["levels"]:
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
            done.culprit = culprits.of_gradients(self.sides, done)
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
        session, (do, here, _) = self.session, self.sides.commands(level)
        job = self.sides.job(session.folder / "torch" / level, True, **here, again=True)
        job["rounding"] = rounding(found.summary["terms"])
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
        return {name: str(module["where"]) for name, module in self.sides.modules.items()}

    @property
    def _types(self) -> dict[str, str]:
        return {name: str(module["type"]) for name, module in self.sides.here.items()}

    def _results(
        self, level: str, pair: Pair, torch: Path, own: Path | None = None, target: Path | None = None
    ) -> Results | Level:
        """Both sides' results; a level that says why there are none. Raises SideFailed when torch's forward failed.

        torch, target: folders of what they computed; ``target`` where it is not called as torch's. own: of torch's in
        its own precision, where that lies elsewhere.
        """
        session, request = self.session, self.request
        name = session.target_name
        try:
            summary = pair[0].result()
        except SideFailed as error:
            if level == "outputs":
                raise
            found = failure(error, request.entry, name, torch=True)
            if level in request.levels or found.ended:
                return Level(level, failure=found)
            return Level(level, skipped=f"torch itself fails here: {found.kind}: {found.message}")
        try:
            there = pair[1].result()
        except SideFailed as error:
            return Level(level, failure=failure(error, request.entry, name, torch=False))
        except Broken:
            return Level(level, skipped=f"{request.target.title} failed in forward")
        self.left_out |= summary["left_out"]
        self.few |= bool(summary["left_out"]) and len(summary["measured"]) < ENOUGH
        if summary["exact_error"]:
            if request.tolerance is None and level != "outputs":
                reason = f"torch does not run in double precision here, which the floor needs: {summary['exact_error']}"
                return Level(level, skipped=reason)
            self.reference = f"float32, {summary['exact_error']}"
        tied = self.sides.opened["described"].get("tied", ())
        return Results.read(torch, target or self.sides.folder / torch.name, summary, there, own, tied)

    def _outputs(self, forward: Pair) -> Level:
        folder = self.session.folder / "torch" / self.sides.forward_name
        pair, there = self.sides.returned(forward)
        found = self._results("outputs", pair, folder, target=there)
        if isinstance(found, Level):
            self._diagnose(found)
            return found
        self._refuse_unusable(found)
        level = levels.outputs(found, self.request.tolerance)
        levels.randomness(level, found, self._types)
        if level.verdict == DIFFERS:
            self._diagnose(level)
        return level

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
        if not record["files"]:
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
            rows = layers.activations(found, self.sides.modules, tolerance)
            level.rows = [row for row, _ in rows]
            levels.randomness(level, found, self._types)
            self._drawing = set(found.summary["random"].get("drawing") or ())
        if isinstance(found, Results) or not level.skipped:
            rows += self._tried(level, alone, name, whole=False)
            if level.verdict == DIFFERS and layers.blame(rows) is None:
                # No single layer is to blame: perhaps the project's own code between them.
                rows += self._tried(level, self.sides.alone(name, whole=True), name, whole=True)
            level.culprit = culprits.of_layers(self.sides, rows, name)
            if level.culprit is None and level.verdict == DIFFERS and isinstance(found, Results):
                level.culprit = culprits.of_model(self.sides, found, name)
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
        rows = layers.alone(found, calls, self.sides.modules, tolerance)
        if self._add_noise(found, rows, forward, ALONE[whole]):
            rows = layers.alone(found, calls, self.sides.modules, tolerance)
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
        records, there = Reader(self.sides.folder / name / "own"), alone[1].result()
        failed = {**there["errors"], **there["crashed"]}
        calls = [call for call in alone[0].result()["calls"] if records.find(call) or call in failed]
        return [call for call in calls if not self._draws(call.partition("#")[0])]

    def _draws(self, module: str) -> bool:
        """Whether what a module computes hangs on random numbers."""
        return any(drawing == module or drawing.startswith(f"{module}.") for drawing in self._drawing)

    def _diagnose(self, level: Level) -> None:
        """Find the layer to blame for a difference of the outputs."""
        is_module = self.sides.opened["kind"] == "module"
        if level.failure is not None and level.failure.ended:
            return  # it would only do so again
        forward = self.sides.forward(is_module, again=level.failure is not None)
        name = "forward-traced" if is_module else "forward"
        if is_module and level.failure is not None:
            level.culprit = culprits.raised(self.sides, forward[1], level.failure)
        elif is_module:
            level.culprit = self._activations(forward, self.sides.alone(name), name).culprit
        if level.culprit is None and level.failure is None:
            folders = self.session.folder / "torch" / name, self.sides.folder / name
            found = Results.read(*folders, forward[0].result(), forward[1].result())
            level.culprit = culprits.of_model(self.sides, found, name)


def rounding(terms: Mapping[str, Mapping[str, float]]) -> float:
    """How many times what half-ulp noise on inputs and parameters does torch's own rounding is, at least one: of a deep
    model's layers each rounds anew. The median, as a unit that changes the sign of its input makes some much larger.
    """
    found = [
        max(value for source, value in of.items() if source != NOISY) / of[NOISY]
        for of in terms.values()
        if of.get(NOISY) and len(of) > 1
    ]
    return max(1.0, statistics.median(found)) if found else 1.0
