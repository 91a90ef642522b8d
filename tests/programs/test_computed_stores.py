"""Attributes that are stored under computed names: what they may be is asked of what is stored."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "the dict is updated": """
import torch
class C:
    def __init__(self, **kw):
        self.__dict__.update(kw)
c = C(i=torch.tensor([-7, 7, 5]), n=3)
show(c.i // 2, c.i % 4, -c.i, c.i // c.n, c.n)
""",
    "setattr in a loop": """
import torch
class C:
    def __init__(self, **kw):
        for k, v in kw.items():
            setattr(self, k, v)
c = C(i=torch.tensor([-7, 7, 5]), n=3)
show(c.i // 2, c.i % 4, -c.i, c.i * 0.5)
""",
    "the dict is exchanged": """
import torch
class C:
    def __init__(self, **kw):
        self.i = 3
    def load(self, state):
        self.__dict__ = state
c = C()
c.load({"i": torch.tensor([-7, 7, 5])})
show(c.i // 2, c.i % 4, -c.i)
""",
    "a dict that is its object's": """
import torch
class Bunch(dict):
    def __init__(self, **kw):
        super().__init__(kw)
        self.__dict__ = self
b = Bunch(x=torch.tensor([-7, 7]), y=2)
show(b.x // b.y, -b.x, b["x"] // 2)
b.x += 1
show(b["x"])
""",
    "vars": """
import torch
class C:
    def __init__(self, opts):
        vars(self).update(opts)
    def run(self):
        return self.i // 2, -self.i, self.i % 4
show(*C({"i": torch.tensor([-7, 7, 5])}).run())
""",
    "names from a list": """
import torch
class C:
    names = ("a", "b")
    def __init__(self, **kw):
        for n in self.names:
            setattr(self, n, kw[n])
    def go(self):
        return self.a // self.b, -self.a, self.a % self.b
show(*C(a=torch.tensor([-7, 5]), b=torch.tensor([2, 2])).go())
""",
    "another's dict": """
import torch
class C: pass
def fill(o, **kw):
    o.__dict__.update(kw)
    return o
c = fill(C(), i=torch.tensor([-7, 5]))
show(c.i // 2, -c.i, c.i % 4)
""",
    "named tuples replaced": """
import torch
from collections import namedtuple
P = namedtuple("P", "i n")
p = P(**{"i": torch.tensor([-7, 5]), "n": 2})
show(p.i // p.n, -p.i, p[0] % 4)
q = p._replace(n=torch.tensor([2, 3]))
show(q.i // q.n, -q.n)
""",
    "object's own setattr": """
import torch
class C:
    def __init__(self, **kw):
        for k in kw:
            object.__setattr__(self, k, kw[k])
    def go(self):
        return self.a // self.b, -self.a, self.a % self.b
show(*C(a=torch.tensor([-7, 5]), b=torch.tensor([2, 2])).go())
""",
    "items of the dict": """
import torch
class C:
    def __init__(self, **kw):
        for k in kw:
            self.__dict__[k] = kw[k]
    def go(self):
        return self.a // self.b, -self.a, self.a % self.b
show(*C(a=torch.tensor([-7, 5]), b=torch.tensor([2, 2])).go())
""",
    "attributes that are computed": """
import torch
class C:
    def __init__(self, **kw):
        self.kw = kw
    def __getattr__(self, n):
        return self.__dict__["kw"][n]
    def go(self):
        return self.a // self.b, -self.a, self.a % self.b
show(*C(a=torch.tensor([-7, 5]), b=torch.tensor([2, 2])).go())
""",
    "keywords handed on": """
import torch
def halves(i, n=2, **rest):
    return i // n, -i, rest["j"] % 4
def outer(*args, **kw):
    return halves(*args, **kw)
show(*outer(torch.tensor([-7, 5]), j=torch.tensor([-7, 3])))
show(*outer(i=torch.tensor([-7, 5]), j=torch.tensor([-7, 3])))
batch = {}
batch["i"] = torch.tensor([-9, 5])
batch["j"] = torch.tensor([-9, 5])
show(*halves(**batch))
""",
    "a base class keeps keywords": """
import torch
class Base:
    def __init__(self, **kw):
        super().__init__()
        self.__dict__.update(kw)
class D(Base):
    def __init__(self, ids, **kw):
        super().__init__(ids=ids, **kw)
    def halves(self):
        return self.ids // 2, -self.ids, self.ids % 4
show(*D(torch.tensor([-7, 5]), name="a").halves())
""",
    "a dict of numbers": """
import torch
class Bunch(dict):
    def __init__(self, **kw):
        super().__init__(kw)
        self.__dict__ = self
cfg = Bunch(dim=64, heads=4)
x = torch.ones(2, cfg.dim // cfg.heads)
show(x.sum(), cfg["dim"] // cfg["heads"])
""",
    "items for attributes": """
import torch
class Bunch(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
b = Bunch(x=torch.tensor([-7, 7]))
b.y = torch.tensor([-9, 9])
show(b.x // 2, -b.y, b["y"] % 4)
""",
    "items for attributes, by methods": """
import torch
class Bunch(dict):
    def __getattr__(self, name):
        return self[name]
    def __setattr__(self, name, value):
        self[name] = value
b = Bunch(x=torch.tensor([-7, 7]))
b.y = torch.tensor([-9, 9])
show(b.x // 2, -b.y, b["y"] % 4, b["x"] // 2)
""",
    "namespaces": """
import torch
from types import SimpleNamespace
ns = SimpleNamespace()
vars(ns).update({"a": torch.tensor([-7, 3])})
show(ns.a // 2, -ns.a)
for k, v in {"b": torch.tensor([-7, 3])}.items():
    setattr(ns, k, v)
show(ns.b // 2, -ns.b)
""",
    "an object without its constructor": """
import torch
class C:
    def __init__(self):
        self.a = torch.tensor([-7, 3])
    def copy(self):
        new = C.__new__(C)
        new.__dict__ = dict(self.__dict__)
        new.__dict__["b"] = self.a
        return new
d = C().copy()
show(d.a // 2, -d.b, d.b // 2)
""",
    "arguments that are kept": """
import torch
class C:
    def __init__(self, *args, **kw):
        self.args, self.kw = args, kw
    def run(self):
        return self.kw["a"] // 2, -self.args[0], self.args[0] // self.args[1]
show(*C(torch.tensor([-7, 3]), 2, a=torch.tensor([-7, 3])).run())
""",
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_computed_stores(name, target, agrees):
    agrees(PROGRAMS[name], target)
