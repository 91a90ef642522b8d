"""What is interpreted again from round to round: what reads something that has changed, and nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rewriters.infer import Project, attributes
from rewriters.infer.cells import Cell, Cells, Group, Remembered, reading
from rewriters.infer.joining import gives_tensor
from rewriters.infer.statements import Interpreter
from rewriters.infer.values import (
    FLOATING,
    HALF,
    INT,
    MAYBE,
    STR,
    UNKNOWN,
    ModuleInfo,
    ObjectOf,
    Tensor,
    Unknown,
    Value,
)
from rewriters.text.source_text import Source

BASE = """
import torch

class Base:
    def __init__(self):
        self.early = 1
        self.late = torch.zeros(2, 3)

    def reads_early(self):
        return self.early

    def reads_late(self):
        return self.late

CONSTANT = 3

def reads_a_name():
    return CONSTANT
"""
# Stores to what a method of the first file reads: known only after that file has been read.
LATER = """
import torch
from base import Base

class Derived(Base):
    def __init__(self):
        super().__init__()
        self.own = "x"
        self.late = torch.ones(2)

    def reads_own(self):
        return self.own

def reads_all():
    made = Derived()
    return made.reads_late()

def stores(anything):
    anything.early = 2
"""


def inferred(monkeypatch: pytest.MonkeyPatch, **texts: str) -> tuple[Project, Counter[str]]:
    """The project, and how often each function's body was interpreted."""
    bodies: Counter[str] = Counter()
    body_of = Interpreter.body_of

    def counted(self: Interpreter, info, *rest) -> None:
        bodies[info.name] += 1
        body_of(self, info, *rest)

    monkeypatch.setattr(Interpreter, "body_of", counted)
    sources = {name: Source(text.encode()) for name, text in texts.items()}
    project = Project(
        ModuleInfo(Path(f"{name}.py"), name, source.tree, source.nodes) for name, source in sources.items()
    )
    project.infer()
    return project, bodies


def returned(project: Project, name: str) -> Value:
    return next(info.returns for info in project.functions.values() if info.name == name)


def test_what_reads_nothing_that_moves_is_interpreted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    project, bodies = inferred(monkeypatch, base=BASE, later=LATER)
    assert bodies["reads_a_name"] == 1
    assert bodies["reads_own"] == 1
    assert bodies["reads_early"] == 1  # what derives from its class is known before; what others store is alike
    assert bodies["reads_late"] > 1
    assert returned(project, "reads_late") == returned(project, "reads_all") == Tensor(kinds=FLOATING)
    assert [returned(project, name) for name in ("reads_early", "reads_own")] == [INT, STR]


# Classes beside and below each other; what they store is read above, some of it under computed names.
ABOVE = """
import torch

class Above:
    plain = 1

    def reads(self):
        return self.stored

    def reads_plain(self):
        return self.plain

    def reads_computed(self):
        return self.put_there

    def reads_method(self):
        return self.made()

    def reads_nothing(self):
        return self.nowhere
"""
BELOW = """
import torch
from above import Above

class Below{0}(Above):
    plain = 2

    def made(self):
        return torch.zeros({1})

    def __init__(self, **more):
        self.stored = torch.ones(3) if {0} == 11 else 4
        self.own{0} = {0}
        for name in more:
            setattr(self, "put_" + name, torch.ones(2))

class Lower{0}(Below{0}):
    def made(self):
        return torch.zeros(2)
"""


def test_however_many_classes_derive_from_one(monkeypatch: pytest.MonkeyPatch) -> None:
    below = {f"below{number}": BELOW.format(number, "2, 3" if number else "2") for number in range(12)}
    names = [f"reads{kind}" for kind in ("", "_plain", "_computed", "_method", "_nothing")]
    found = []
    for many in (0, 8, 1000):
        monkeypatch.setattr(attributes, "MANY", many)
        project, _ = inferred(monkeypatch, above=ABOVE, **below)
        found.append([returned(project, name) for name in names])
    assert found[0] == found[1] == found[2]
    stored, plain, computed, _, nothing = found[0]
    assert gives_tensor(stored)
    assert gives_tensor(computed)
    assert plain == INT
    assert gives_tensor(nothing) == gives_tensor(UNKNOWN)


AROUND = """
from far import given

def outer():
    held = given

    def inner():
        return held

    def other():
        return apart

    apart = 1
    return inner() or other()

class Kept:
    pass

def plain():
    return Kept()
"""


def test_a_name_around_that_is_known_late(monkeypatch: pytest.MonkeyPatch) -> None:
    far = "import near\nimport torch\n\ndef made():\n    return torch.zeros(3)\n\ngiven = made()\n"
    project, bodies = inferred(monkeypatch, far=far, near=AROUND)
    assert isinstance(returned(project, "inner"), Tensor)
    assert returned(project, "other") == INT
    assert isinstance(returned(project, "plain"), ObjectOf)
    assert bodies["plain"] == 1
    assert bodies["inner"] > 1


CLONED = """
import copy
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = clones(Layer(), 2)

    def forward(self, x: torch.Tensor):
        for layer in self.layers:
            x = layer(x)
        return x

class Layer(nn.Module):
    def forward(self, x):
        return x * 2.0

def clones(module, count):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(count)])
"""


def test_an_attribute_that_a_later_function_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    project, _ = inferred(monkeypatch, cloned=CLONED)
    assert [isinstance(info.returns, Tensor) for info in project.functions.values() if info.name == "forward"] == [
        True
    ] * 2


def test_the_bias_of_a_layer_where_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
import torch
from torch import nn

class Own(nn.Linear):
    def cast(self):
        return None if self.bias is None else self.bias.half()

class Other(nn.Linear):
    def __init__(self, given):
        super().__init__(2, 2)
        self.bias = given

    def other(self):
        return 0 if self.bias is None else self.bias.half()

def layer():
    made = nn.Conv1d(1, 1, 1)
    if made.bias is not None:
        return made.bias.half()

def filled():
    return nn.Linear(1, 1).bias.data
"""
    project, _ = inferred(monkeypatch, biased=text)
    assert isinstance(returned(project, "filled"), Tensor)
    assert returned(project, "cast") == returned(project, "layer") == Tensor(kinds=FLOATING, hints=HALF)
    assert not isinstance(returned(project, "other"), Tensor)


STORED_LATER = """
import torch

class Bag(dict):
    pass

def takes(late=3):
    return 1

def reads(bag):
    return takes(**bag)

def stores(bag):
    bag.late = torch.ones(2)

bag = Bag()
reads(bag)
stores(bag)
"""


def test_what_reads_all_attributes_reads_those_that_come_up_later(monkeypatch: pytest.MonkeyPatch) -> None:
    project, _ = inferred(monkeypatch, bags=STORED_LATER)
    given = next(info.arguments for info in project.functions.values() if info.name == "takes")
    assert given["late"] == MAYBE


def test_who_asked_for_a_name_before_it_was_there_is_told_when_it_comes() -> None:
    project, cells = Project([]), Cells()
    asked = cells.read("late")
    assert asked is cells.read("never")
    assert not cells, "asking alone keeps nothing"
    project.touch(cells["other"])
    assert asked.at == project.clock, "any name may be the one"
    late = cells["late"]
    assert cells.read("late") is late
    project.touch(late)
    assert asked.at == late.at == project.clock
    project.touch(late)
    assert asked.at < late.at, "who asks from here on has read the name itself"


def test_what_is_read_together_has_changed_with_each_part_of_it() -> None:
    project = Project([])
    cell, inner, outer = Cell(), Cell(), Cell()
    group = Group([outer], [Group([cell, inner])])
    for one in (inner, outer, cell):
        project.touch(one)
        assert group.newest(project.clock, never) == one.at == project.clock


def never(known: Remembered) -> None:
    raise AssertionError(known.asked)


def test_what_is_found_again_has_not_changed() -> None:
    project, cell, held = Project([]), Cell(), [1]

    def look(known: Remembered) -> None:
        reading.forget()
        reading.cells.add(cell)
        known.take(project.clock, held[0], look)

    known = Remembered("asked")
    look(known)
    before = known.newest(project.clock, never)
    project.touch(Cell())
    assert known.newest(project.clock, never) == before, "nothing that it reads"
    project.touch(cell)
    assert known.newest(project.clock, look) == before, "the same is found"
    held[0] = 2
    project.touch(cell)
    project.touch(Cell())
    assert known.newest(project.clock, look) == cell.at < project.clock
    assert known.found == 2


COMPUTED_STORES = """
import torch

def put(state, name):
    setattr(state, name, torch.ones(2))

def extra(x):
    return x.extra

def rows(x):
    return x.shape

def width(x):
    return x.dtype
"""


def test_no_computed_name_is_that_of_what_tells_of_a_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else ``x.shape[0] // 2`` is of what may be a tensor in each project that stores one tensor so."""
    project, _ = inferred(monkeypatch, a=COMPUTED_STORES)
    assert returned(project, "extra") == MAYBE
    assert returned(project, "rows") == returned(project, "width") == UNKNOWN


SETTINGS = """
import torch

class Block:
    def __init__(self, width: int, mask: torch.Tensor | None = None, length: "int" = 3, rate=0.5, deep=False):
        pass

class Other:
    mask: bool = False

def put(state, name):
    setattr(state, name, torch.ones(2))

def read(x):
    return {name}
"""


@pytest.mark.parametrize(
    ("name", "is_setting"), [("width", True), ("length", True), ("deep", True), ("mask", False), ("rate", False)]
)
def test_no_computed_name_is_that_of_a_setting(monkeypatch: pytest.MonkeyPatch, name: str, is_setting: bool) -> None:
    """What annotations say to be a number or a truth value, and nothing to be something else."""
    project, _ = inferred(monkeypatch, a=SETTINGS.replace("{name}", f"x.{name}"))
    assert returned(project, "read") == (UNKNOWN if is_setting else MAYBE)


GETTERS = """
import torch

class Settings:
    pass

class Configured:
    def __init__(self):
        self._settings = Settings()

    @property
    def settings(self):
        '''What it was made with.'''
        return self._settings

class Model(Configured):
    pass

class Pipeline(Configured):
    def put(self, parts):
        for name, part in parts:
            setattr(self, name, part)

class Named(Configured):
    def put(self, parts):
        for name, part in parts:
            setattr(self, f"{name}_part", torch.ones(2))

def of_model(): return Model().settings
def of_pipeline(): return Pipeline().settings
def of_named(): return Named().settings
def part_of_named(): return Named().first_part
"""


def test_a_property_gives_what_its_object_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what objects of classes beside it may keep; and ``*_part`` is not ``_settings``."""
    project, _ = inferred(monkeypatch, a=GETTERS)
    for name in ("of_model", "of_named"):
        held = returned(project, name)
        assert isinstance(held, ObjectOf)
        assert held.info.node.name == "Settings"
    assert isinstance(returned(project, "of_pipeline"), Unknown)
    assert returned(project, "part_of_named") == MAYBE
