"""What is known to be no tensor: uses of it are not listed as unknown."""

from __future__ import annotations

from rewriters.report import Outcome

LEFT = """
import enum
import torch
class Kind(enum.IntEnum):
    A = 1
    B = 2
class Named(enum.Enum):
    A = 1
    @property
    def name(self):
        return what()
class Held(enum.Enum):
    A = torch.ones(2)
class Plain:
    A = 1
print([kind.name for kind in Kind])
for kind in Kind:
    print(kind.name, kind.name.split(2))
print([one.name.view(2) for one in Named])  # left
print([one.name or one for one in Plain])  # left
print(Held.A.view(2), [one.A.view(2) for one in Held])  # left
def carried(module):
    for p in module.state_dict().values():
        print(p.values())  # left
    return module.state_dict().values(), module.others().values()  # left
"""


def test_members_and_states(sites):
    wanted = [number for number, line in enumerate(LEFT.split("\n"), 1) if "# left" in line]
    found = sites(LEFT, "oneflow")
    assert [site.line for site in found if site.outcome == Outcome.UNKNOWN] == sorted([*wanted, wanted[2]])
