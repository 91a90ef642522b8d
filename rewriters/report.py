"""What the conversion of one file did, site by site."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Site:
    """One use of a torch name.

    outcome: same, inlined, helper, marked, differs, noted or unknown; of one use also two, one differs or noted.
    api:     canonical torch name; for unknown the attribute (``.view``).
    detail:  the rule and how it was applied; for helper why it was not inlined; for marked, differs and noted the
             reason; for unknown what would decide it.
    """

    line: int
    column: int
    api: str
    outcome: str
    detail: str = ""


@dataclass
class FileReport:
    """One file's row.

    status: converted, unchanged, failed.
    """

    path: str
    status: str = "unchanged"
    error: str = ""
    sites: list[Site] = field(default_factory=list)

    def counts(self) -> Counter[str]:
        return Counter(site.outcome for site in self.sites)
