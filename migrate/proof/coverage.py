"""What of torch is converted to a target, by family, and how far the proof goes: what `migrate rules` and the pages of
`docs/rules` say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from migrate.proof import record as proof_record
from migrate.proof import store as proof_store
from migrate.proof import ways as proof_ways
from migrate.proof.databases import databases
from migrate.proof.record import Record
from migrate.proof.ways import Total, Ways, total
from rewriters.report import Word
from rewriters.rules.rulebook import Rulebook, load_rulebook
from rewriters.target import Target
from rewriters.torch.table import entry, public_names

# A name is counted in the longest that its module lies in; in this order in the table.
FAMILIES = (
    "torch", "torch.Tensor", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.optim",
    "torch.optim.lr_scheduler", "torch.utils", "torch.utils.data", "torch.linalg", "torch.fft", "torch.special",
    "torch.distributions", "torch.sparse", "torch.cuda", "torch.amp", "torch.random", "torch.autograd", "torch.func",
    "torch.distributed", "torch.multiprocessing", "torch.jit",
)  # fmt: skip
VISION = "torchvision"
OTHER = "other modules"  # torch.fx, torch.onnx, torch.backends, ...
INSIDES = "undocumented"  # what torch and torchvision keep to themselves, as their documentation goes
GROUPS = (*FAMILIES, VISION, OTHER, INSIDES)
WORST = 20  # names that are shown of those that fail


class Answer(Word):
    """What answers for a name."""

    RULE = "rule"
    SAME = "same"
    REFUSED = "refused"
    NOTHING = "nothing"


ANSWERS = RULE, SAME, REFUSED, NOTHING = tuple(Answer)


def family(name: str) -> str:
    """The family that a name is counted in."""
    if (entry(name) or {}).get("inside"):
        return INSIDES
    owner = name.rpartition(".")[0]
    if owner in ("torch", "torch.Tensor"):
        return owner
    if owner.partition(".")[0] == VISION:
        return VISION
    found = [family for family in FAMILIES[2:] if owner == family or owner.startswith(f"{family}.")]
    return max(found, key=len, default=OTHER)


def answer(name: str, book: Rulebook) -> Answer:
    """What answers for a name."""
    if name in book.rules or name in book.aliases:
        return RULE
    if name in book.same:
        return SAME
    return REFUSED if name in book.refusals else NOTHING


@dataclass
class Tally:
    """How many of those that there are agree; those that do not, with the reason."""

    of: int = 0
    agree: int = 0
    missing: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        share = f" ({100 * self.agree / self.of:.1f}%)" if self.of else ""
        return f"{self.agree:,} of {self.of:,}{share}"


class Coverage:
    """A target's rules and their proof, read once.

    rules: a project's own rule files, which answer first.
    """

    def __init__(self, target: Target, rules: tuple[Path, ...] = ()) -> None:
        self.target, self.rules = target, rules
        self.book = load_rulebook(target.folder, rules)
        self.records = proof_store.read(target)
        self.same = proof_store.same_table(target)
        self.ways = proof_ways.read(target)
        self.declared = proof_record.declared(self.book)
        self.answered = set(self.declared)
        self._digests: dict[str, str] = {}

    def digest(self, name: str) -> str:
        """Of the present text of a name's rule."""
        if name not in self._digests:
            self._digests[name] = proof_record.digest(self.book, name, self.target)
        return self._digests[name]

    def look_at_all(self) -> None:
        """Have the digests of all names, which are remembered."""
        pins = " ".join(self.target.environment.requirements)
        self._digests = self.book.memory.recall(
            f"digests {pins}", lambda: {name: self.digest(name) for name in self.declared}, proof_record.__file__
        )

    def is_stale(self, name: str) -> bool:
        """Whether the rule of a name that has a record has changed since it was proved."""
        return self.records[name].digest != self.digest(name)

    def record(self, name: str) -> Record | None:
        """Of the present text of a name's rule; None where it was not proved."""
        if name not in self.answered or name not in self.records or self.is_stale(name):
            return None
        return self.records[name]

    def all_records(self) -> dict[str, Record | None]:
        """Of every name that the rule files answer for."""
        self.look_at_all()
        return {name: self.record(name) for name in self.declared}

    def called(self, name: str) -> Ways | None:
        """What is known of the ways of calling it; None where they were not proved with the present text."""
        found = self.ways.get(name)
        return found if found is not None and found.digest == self.digest(name) else None

    def ways_of_calling(self) -> dict[str, Total]:
        """What came of the ways of calling names, in words whose."""
        self.look_at_all()
        found = {name: ways for name in self.ways if (ways := self.called(name))}
        converted = {n: ways for n, ways in found.items() if answer(n, self.book) in (RULE, SAME)}
        return {"names that are not refused": total(converted.values()), "all names": total(found.values())}

    def ways_by_family(self) -> dict[str, Total]:
        """The same by family, of names that are not refused."""
        groups: dict[str, list[Ways]] = {key: [] for key in GROUPS}
        for name in self.ways:
            ways = self.called(name)
            if ways and answer(name, self.book) in (RULE, SAME):
                groups[family(name)].append(ways)
        return {key: total(them) for key, them in groups.items() if them}

    def names(self, chosen: str | None = None) -> list[str]:
        """Torch's public names, of a family or all."""
        return [name for name in public_names() if chosen is None or family(name) == chosen]

    def counts(self) -> dict[str, Counter[str]]:
        """Family -> answer -> number of names."""
        found: dict[str, Counter[str]] = {name: Counter() for name in GROUPS}
        for name in self.names():
            found[family(name)][answer(name, self.book)] += 1
        return found

    def refused(self) -> Tally:
        """Documented names of torch's families that are refused, with the reasons."""
        found = Tally()
        for name in self.names():
            if family(name) in FAMILIES:
                found.of += 1
                if answer(name, self.book) == REFUSED:
                    found.agree += 1
                    found.missing[name] = self.book.refusals[name]
        return found

    def proved(self, names: Iterable[str]) -> list[str]:
        """Names whose samples all agree."""
        return [name for name in names if self.trouble(name) == ""]

    def failing(self) -> list[str]:
        """Names of rules with failures, those with most calls that fail first."""
        found = [(name, record) for name, record in self.all_records().items() if record and record.failed]
        return [name for name, record in sorted(found, key=lambda item: (-item[1].failed, item[0]))]

    def unproved(self) -> list[str]:
        """Names of rules that have no record of their present text."""
        return [name for name, record in self.all_records().items() if record is None]

    def by_few(self) -> list[str]:
        """Names of rules of which only a few samples of each entry were tried."""
        return [name for name, record in self.all_records().items() if record and record.few]

    def untried(self) -> list[str]:
        """Names of rules that no sample runs."""
        return [name for name, record in self.all_records().items() if record and not (record.passed or record.failed)]

    def trouble(self, name: str) -> str:
        """Why a name does not agree on all of its samples; "" when it does."""
        how = answer(name, self.book)
        if how == REFUSED:
            return f"refused: {self.book.refusals[name]}"
        if how == NOTHING:
            return "no rule yet"
        record = self.record(name)
        if record is None:
            generated = how == SAME and name in self.same["names"]
            if generated:
                return ""
            return "changed since it was proved" if name in self.records and name in self.answered else "not proved"
        if record.failed:
            return record.first
        return "" if record.passed else "no sample agrees"

    def float32(self) -> Tally:
        """OpInfo's samples in float32 of the names that are not refused: a sample counts for each name it calls.

        Of a name that was tried by a few samples alone, those.
        """
        found = Tally()
        for name, count in databases()["opinfo"].items():
            how = answer(name, self.book)
            if how == REFUSED:
                continue
            record = self.record(name)
            agree = 0
            if record is not None and record.float32:
                agree = record.float32[0]
                count = record.float32[1] if record.few else count
            elif record is None and how == SAME:
                agree = self.same["float32"].get(name, 0)
            found.of += count
            found.agree += agree
            if agree < count:
                found.missing[name] = f"{agree} of {count}: {self.trouble(name) or 'some are marked'}"
        return found

    def whole(self, *kinds: str) -> Tally:
        """The names of these databases whose samples agree, as far as the rule takes them."""
        found = Tally()
        for kind in kinds:
            for name in databases()[kind]:
                found.of += 1
                if reason := self.trouble(name):
                    found.missing[name] = reason
                else:
                    found.agree += 1
        return found

    def calls(self, composed: bool) -> Tally:
        """Calls of names that rules answer for, by themselves or composed with others; those refused aloud left out."""
        found = Tally()
        for name in self.declared:
            record = self.record(name)
            if record is None:
                continue
            agree, fail = record.composed[:2] if composed and record.composed else (0, 0)
            if not composed:
                agree, fail = record.passed, record.failed
            found.of += agree + fail
            found.agree += agree
            if fail:
                found.missing[name] = record.uncomposed if composed else record.first
        return found

    def totals(self) -> dict[str, Tally]:
        """What the proof comes to, in words."""
        return {
            "OpInfo's float32 samples of names that are not refused": self.float32(),
            "modules, forward and backward": self.whole("moduleinfo", "lazymodules"),
            "optimizers, over 10 steps": self.whole("optiminfo"),
            "schedules, over 50 steps": self.whole("schedulers"),
        }

    def lines(self) -> list[str]:
        """How the rules stand to their proof, in words."""
        proved = [name for name, record in self.all_records().items() if record and record.passed and not record.failed]
        calls = sum(self.records[name].passed for name in proved)
        by_calls = {"calls by themselves": self.calls(False), "calls composed with others": self.calls(True)}
        return [
            f"{len(self.declared)} names that rule files answer for: {len(proved)} agree on all their samples "
            f"({calls:,} calls), {len(self.failing())} fail on some, {len(self.untried())} no sample runs, "
            f"{len(self.unproved())} are not proved as they now stand"
            + (f", {len(few)} were tried by a few samples alone" if (few := self.by_few()) else ""),
            f"refused of the families' names: {self.refused()}",
            *(f"{words}: {tally}" for words, tally in [*self.totals().items(), *by_calls.items()]),
            *(f"ways of calling {words}: {total}" for words, total in self.ways_of_calling().items()),
        ]

    def agreeing(self, name: str) -> int:
        """Calls that were tried and agree, as the name now stands."""
        record = self.record(name)
        if record:
            return record.passed
        return int(self.same["names"].get(name, 0)) if answer(name, self.book) == SAME else 0
