"""What was left alone because its receiver is not known: by risk, and by the answers that would decide most of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rewriters.report import BESIDE, FileReport, Outcome, Risk, Site

MEANINGS = {
    Risk.DIFFERS: "would differ silently",
    Risk.UNTRIED: "not tried",
    Risk.RAISES: "would raise",
    Risk.SAME: "would be the same",
}


MOST_PLACES = 4


@dataclass
class Question:
    """Uses that one answer decides.

    answer: as ``--assume`` takes it; "" where nothing that decides has a name.
    mend:   what may be done, for people.
    """

    answer: str
    mend: str
    sites: list[tuple[str, Site]] = field(default_factory=list)

    def risks(self) -> Counter[str]:
        return Counter(site.risk for _, site in self.sites)

    def weight(self) -> tuple[int, ...]:
        """Silent differences first, then what was not tried, then what raises, then the number of uses."""
        risks = self.risks()
        return (*(risks[risk] for risk in (Risk.DIFFERS, Risk.UNTRIED, Risk.RAISES)), len(self.sites))

    def places(self) -> str:
        """The uses that would differ silently, else the first, and how many more."""
        silent = [f"{path}:{site.line}" for path, site in self.sites if site.risk == Risk.DIFFERS]
        shown = list(dict.fromkeys(silent[:MOST_PLACES])) or [f"{self.sites[0][0]}:{self.sites[0][1].line}"]
        rest = len(self.sites) - max(len(silent[:MOST_PLACES]), 1)
        return ", ".join(shown) + (f" and {rest} more" if rest else "")

    def document(self) -> dict[str, object]:
        risks = self.risks()
        return {
            "answer": self.answer,
            "mend": self.mend,
            **{risk: risks[risk] for risk in Risk},
            "places": [f"{path}:{site.line}:{site.column}" for path, site in self.sites],
        }


def left_alone(reports: Sequence[FileReport]) -> list[tuple[str, Site]]:
    """The uses, those that would differ silently first, in the order of the files."""
    found = [(report.path, site) for report in reports for site in report.sites if site.outcome == Outcome.UNKNOWN]
    order = list(Risk)
    return sorted(found, key=lambda one: order.index(Risk(one[1].risk or Risk.UNTRIED)))


def questions(reports: Sequence[FileReport]) -> list[Question]:
    """What is to be answered, the most needed first."""
    found: dict[str, Question] = {}
    for path, site in left_alone(reports):
        key = site.origin or f"{path}: {site.detail}"
        found.setdefault(key, Question(site.origin, site.detail)).sites.append((path, site))
    return sorted(found.values(), key=lambda one: one.weight(), reverse=True)


def counted(risks: Counter[str]) -> str:
    """``3 would differ silently, 2 would raise``."""
    return ", ".join(f"{risks[risk]} {MEANINGS[risk]}" for risk in Risk if risks[risk])


def told(site: Site) -> str:
    """What a report says of a site: of one that was left alone, what it would do first."""
    if site.outcome != Outcome.UNKNOWN or not site.risk:
        return f"{site.api}: {site.detail}"
    return f"{site.api} {MEANINGS[Risk(site.risk)]} if this is a tensor: {site.detail}"


def lines(reports: Sequence[FileReport], most: int) -> list[str]:
    """For the terminal: how many, then what decides most of them, one line for each: those that differ silently first.

    Where all uses that an answer decides would be the same, nothing is to be done.
    """
    uses = left_alone(reports)
    if not uses:
        return []
    risks = Counter(site.risk for _, site in uses)
    total = sum(site.outcome not in BESIDE for report in reports for site in report.sites)
    rest = len(uses) - risks[Risk.SAME]
    found = [
        f"unknown  of tensors, of {len(uses)} uses left alone {counted(risks)}: {rest} of {total} uses of torch "
        f"({100 * rest / total:.2f} %) would not be the same"
    ]
    every = questions(reports)
    asked, same = list[Question](), list[Question]()
    for one in every:
        (asked if one.risks()[Risk.SAME] < len(one.sites) else same).append(one)
    for one in asked[:most]:
        word = "silent  " if one.risks()[Risk.DIFFERS] else "unknown "
        apis = ", ".join(dict.fromkeys(site.api for _, site in one.sites[:4]))
        risks_of = f" {counted(one.risks())}:" if len(one.sites) > 1 or not one.risks()[Risk.DIFFERS] else ""
        found.append(f"{word} {one.places()}: {apis}:{risks_of} {one.mend}")
    if len(asked) > most:
        rest = sum(len(one.sites) for one in asked[most:])
        found.append(f"unknown  and {len(asked) - most} more answers for {rest} uses; --report FILE lists them all")
    if same:
        rest = sum(len(one.sites) for one in same)
        found.append(f"unknown  of {rest} more all would be the same: nothing to do; --report FILE lists them")
    return found
