"""Changes of what comes out of queues, heaps, getters, threads and iterators, while others hold it."""

from __future__ import annotations

import pytest

KEPT = """
import heapq, queue, operator
from operator import itemgetter, attrgetter
from types import SimpleNamespace
import torch

# a best-first search that keeps its hypotheses
class Hyp:
    def __init__(self, score, state):
        self.score, self.state = score, state
    def __lt__(self, other):
        return self.score > other.score

def beams():
    start = torch.zeros(3)
    heap = []
    heapq.heappush(heap, (0.5, 0, start))
    heapq.heappush(heap, (0.1, 1, torch.ones(3)))
    score, _, state = heapq.heappop(heap)
    state += 1
    cost, n, first = heapq.heapreplace(heap, (0.2, 2, state))
    first *= 3
    return start, state, first

def workers():
    q = queue.Queue()
    t = torch.zeros(2)
    q.put(t)
    q.put((t, 1))
    x = q.get()
    x += 2
    y, n = q.get()
    y *= 3
    return t

class Pipe:
    def __init__(self):
        self.q = queue.LifoQueue()
    def feed(self, x):
        self.q.put_nowait(x)
    def work(self):
        b = self.q.get_nowait()
        b += 1
        return b

def getters():
    pair = (torch.zeros(2), 1)
    x = itemgetter(0)(pair)
    x += 1
    get = operator.itemgetter("w")
    d = {"w": torch.ones(2)}
    y = get(d)
    y -= 4
    ns = SimpleNamespace(a=torch.zeros(2), b=SimpleNamespace(c=torch.ones(2)))
    z = attrgetter("a")(ns)
    z += 7
    u = attrgetter("b.c")(ns)
    u += 7
    a, b = itemgetter("w", "w")(d)
    a += 1
    return pair[0], d["w"], ns.a, ns.b.c

class Box:
    def __init__(self):
        self.w = torch.zeros(2)
        self.b = torch.ones(2)

def attrs(names):
    box = Box()
    for name in names:
        v = getattr(box, name)
        v += 1
        g = getattr(box, "_" + name, None)
        if g is not None:
            g += 1
    return box.w, box.b

show(beams())
show(workers())
p = Pipe()
t = torch.zeros(2)
p.feed(t)
show(p.work(), t)
show(getters())
show(attrs(["w", "b"]))
"""
CLASSES = """
import heapq
import itertools
import operator
import queue
import weakref
from functools import partial
from types import SimpleNamespace
import torch
from torch import nn

def shift(box, names, by):
    for name in names:
        v = getattr(box, name)
        v -= by

net = nn.Linear(2, 2)
nn.init.ones_(net.weight); nn.init.ones_(net.bias)
with torch.no_grad():
    shift(net, ["weight", "bias"], 0.5)
show(net.weight, net.bias)
ns = SimpleNamespace(a=torch.zeros(2), n=3)
shift(ns, ["a"], 2)
shift(ns, ["n"], 2)
show(ns.a, ns.n)

class Store:
    def __init__(self):
        self.heap: list = []
        self.count = itertools.count()
    def push(self, key, value):
        heapq.heappush(self.heap, (key, next(self.count), value))
    def pop(self):
        return heapq.heappop(self.heap)[-1]

store = Store()
x = torch.zeros(2)
store.push(1.0, x)
store.push(0.5, torch.ones(2))
y = store.pop()
y += 1
z = store.pop()
z += 5
show(x, y, z)

def run(q, out):
    while not q.empty():
        item = q.get()
        item *= 2
        out.put(item)

q, out = queue.Queue(), queue.SimpleQueue()
a = torch.ones(3)
q.put(a)
q.put(4)
run(q, out)
b = out.get(timeout=1)
b += 1
n = out.get()
n += 1
show(a, b, n)
r = weakref.ref(a)
c = r()
c += 1
show(a)
rows = [(3, torch.zeros(2)), (1, torch.ones(2))]
best = max(rows, key=operator.itemgetter(0))
best[1].add_(1)
for t in map(operator.itemgetter(1), rows):
    t += 10
show(rows)
first = sorted(rows, key=operator.itemgetter(0))[0][1]
first += 1
show(rows)
"""
LIBRARIES = """
import collections, copy, random, itertools, types, queue, functools
from concurrent.futures import ThreadPoolExecutor
import torch

def ident(x): return x

a = torch.zeros(2)
with ThreadPoolExecutor(1) as ex:
    f = ex.submit(ident, a)
    x = f.result()
    x += 1
    for y in ex.map(ident, [a]):
        y += 10
show("pool", a)
b = torch.zeros(2)
cm = collections.ChainMap({"w": b}, {})
x = cm["w"]
x += 1
mp = types.MappingProxyType({"w": b})
x = mp["w"]
x += 10
show("maps", b)
c = torch.zeros(2)
ns = types.SimpleNamespace(c=c)
for v in vars(ns).values():
    v += 1
for k, v in ns.__dict__.items():
    v += 10
show("vars", c)
d = torch.zeros(2)
x = copy.copy([d])[0]
x += 1
x = random.sample([d], 1)[0]
x += 10
xs, ns_ = zip(*[(d, 1)])
x = xs[0]
x += 100
show("drawn", d)
e = torch.zeros(2)
one, two = itertools.tee([e])
for v in one:
    v += 1
for k, g in itertools.groupby([(0, e)], key=lambda p: p[0]):
    for _, v in g:
        v += 10
for v in itertools.starmap(lambda p, q: q, [(0, e)]):
    v += 100
for v in itertools.takewhile(lambda p: True, [e]):
    v += 1000
for v in itertools.compress([e], [1]):
    v += 10000
show("itertools", e)
g = torch.zeros(2)
P = collections.namedtuple("P", "w n")
p = P(g, 1)
x = p._asdict()["w"]
x += 1
k, v = {"w": g}.popitem()
v += 10
x = dict(zip(["w"], [g]))["w"]
x += 100
x = dict([("w", g)])["w"]
x += 1000
show("dicts", g)
h = torch.zeros(2)
q = queue.Queue()
q.put(h); q.put(None)
for v in iter(q.get, None):
    v += 10
show("until", h)
@functools.lru_cache(None)
def table(n):
    return torch.zeros(n)
x = table(2)
x += 1
show("cache", table(2))
i = torch.zeros(2)
fetch = functools.partial(ident, i)
x = fetch()
x += 1
gen = (t for t in [i])
x = next(gen)
x += 10
m = functools.reduce(lambda p, q: q, [i, i])
m += 100
o = collections.Counter()
u = collections.UserDict(w=i)
x = u["w"]
x += 1000
show("functions", i)
class D(dict):
    def __getattr__(self, k): return self[k]
j = torch.zeros(2)
x = D(w=j).w
x += 1
x = D(w=j)["w"]
x += 10
stack = [j]
while stack:
    x = stack.pop()
    x += 100
x, = [j]
x += 1000
first, *rest = [j, j]
rest[0] += 10000
show("more", j)
"""


@pytest.mark.parametrize("program", [KEPT, CLASSES, LIBRARIES], ids=["kept", "classes", "libraries"])
def test_seen(program, agrees):
    agrees(program, "paddle")


OF_ANOTHER_FILE = {
    "program.py": """
import torch
from store import Store, HEAP, pull, Groups
from typing import Any, Union
s = Store()
a = torch.zeros(2)
s.put("a", a)
x = s.take("a")
x += 1
y = s.any("a")
y += 10
HEAP.append((0.0, 1, a))
c, n, z = pull()
z += 100
show(a)
w = torch.nn.Parameter(torch.ones(2))
g = Groups()
opt = torch.optim.SGD(g.of([w]), lr=0.1)
for i in range(2):
    opt.zero_grad(); w.sum().backward(); opt.step(); g.halve()
    show(w)
""",
    "store.py": """
from __future__ import annotations
import heapq
from typing import Any, Optional, Union
import torch
Item = Union[torch.Tensor, Any]
HEAP = []
def pull():
    return heapq.heappop(HEAP)
class Store:
    def __init__(self):
        self.kept: dict[str, Item] = {}
    def put(self, k, v: Item):
        self.kept[k] = v
    def take(self, k) -> Item:
        return self.kept[k]
    def any(self, k) -> Optional[torch.Tensor | Any]:
        return getattr(self, "kept")[k]
class Groups:
    def __init__(self):
        self.all = []
    def of(self, ps):
        one = {"params": ps, "lr": 0.5}
        self.all.append(one)
        return [one]
    def halve(self):
        for g in self.all:
            g["lr"] *= 0.5
""",
}
PARAMETERS = """
import contextlib
import torch
import torch.nn as nn
k = torch.zeros(2)
ps = nn.ParameterList([nn.Parameter(k, requires_grad=False)])
x = ps[0].data
x += 1
x = list(ps)[0].detach()
x += 10
pd = nn.ParameterDict({"a": nn.Parameter(k, requires_grad=False)})
x = pd["a"].data
x += 100
for n, v in pd.items():
    v.data += 1000
for v in ps.parameters():
    v += 10000
show("params", k, ps[0], pd["a"])
with contextlib.nullcontext(k) as x:
    x += 100000
show(k)
"""


def test_seen_in_another_file(agrees):
    agrees(OF_ANOTHER_FILE, "paddle")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_items_of_a_parameter_dict(agrees, target):
    agrees(PARAMETERS, target)


LENT = """
import asyncio
import contextlib
import torch
import torch.nn as nn

@contextlib.contextmanager
def lent(t):
    yield t

a = torch.zeros(2)
with lent(a) as held:
    held += 1
with lent(4) as number:
    number += 1
show(a, number)

async def give():
    return a

async def main():
    given = await give()
    given += 10

asyncio.run(main())
show(a)
net = nn.Module()
net.register_buffer("mean", a)
for name in list(net._buffers):
    buffer = net._buffers[name]
    buffer *= 2
show(a, net.mean)
"""


def test_lent_by_a_context_and_waited_for(agrees):
    agrees(LENT, "paddle")


ASKED_OF_OTHERS = """
import contextvars
from contextvars import ContextVar
import torch

state = ContextVar("state")
hidden = contextvars.ContextVar("hidden", default=None)

def step(by):
    h = state.get()
    h += by
    return h

start = torch.zeros(3)
state.set(start)
step(2)
show(start)
token = hidden.set(start)
x = hidden.get(None)
x *= 3
show(start, x)
hidden.reset(token)
depth = ContextVar("depth", default=0)
d = depth.get()
d += 1
depth.set(d)
show(depth.get())

import numpy as np
import torch

cells = np.empty(2, dtype=object)
a = torch.zeros(2)
cells[0] = a
cells[1] = torch.ones(2)
x = cells[0]
x += 5
show(a)
for c in cells:
    c *= 2
show(a, cells[1])
grid = np.empty((2, 2), dtype=object)
for i in range(2):
    for j in range(2):
        grid[i, j] = torch.full((2,), float(i + j))
keep = grid[1, 1]
y = grid[1, 1]
y += 10
show(keep)
arr = np.array([None, None], dtype=object)
arr[0] = a
for v in arr.tolist():
    if v is not None:
        v += 1
show(a)
cells[0] += 1
show(a)
for v in grid.flat:
    v -= 1
show(keep)
names = np.array(["a", "b"], dtype=object)
n = names[0]
n += "c"
show(n)

import threading, weakref, asyncio
import torch
import types, enum

store = threading.local()
a = torch.zeros(2)
store.x = a
def bump():
    v = store.x
    v += 1
    store.x += 1
bump()
show(a)
cache = weakref.WeakValueDictionary()
cache["a"] = a
v = cache["a"]
v += 10
show(a)
keyed = weakref.WeakKeyDictionary()
class K: pass
k = K()
keyed[k] = a
u = keyed[k]
u += 100
show(a)
u = keyed.get(k)
u += 100
show(a)
q = asyncio.Queue()
async def main():
    await q.put(a)
    z = await q.get()
    z += 1000
asyncio.run(main())
show(a)
w = weakref.proxy(a)
"""
BY_COMPUTED_NAMES = """
import torch
import weakref

class Field:
    def __init__(self, make):
        self.make = make
        self.data = weakref.WeakKeyDictionary()
    def __get__(self, obj, owner=None):
        if obj not in self.data:
            self.data[obj] = self.make()
        return self.data[obj]
    def __set__(self, obj, value):
        self.data[obj] = value

class Named:
    def __init__(self, name):
        self.name = name
    def __get__(self, obj, owner=None):
        return obj.__dict__[self.name]

class Proxy:
    def __init__(self, path):
        self.path = path
    def __get__(self, obj, owner=None):
        for part in self.path.split("."):
            obj = getattr(obj, part)
        return obj

class State:
    steps = Field(lambda: 0)
    mean = Field(lambda: torch.zeros(2))
    inner = Named("_inner")
    deep = Proxy("holder.x")
    def __init__(self, x):
        self.mean = x
        self._inner = x
        self.holder = type("H", (), {"x": x})()

a = torch.zeros(2)
s = State(a)
m = s.mean
m += 1
show(a)
i = s.inner
i += 10
show(a)
d = s.deep
d += 100
show(a)
n = s.steps
n += 1
show(n)

def bump(state):
    v = state.mean
    v += 1000
    w = state.inner
    w += 10000
    u = state.deep
    u += 100000
bump(s)
show(a)
s.mean += 5
show(a)

import argparse
import torch
from torch import nn
from types import SimpleNamespace

def bump(v, by):
    v += by

def fetch(obj, name):
    return getattr(obj, name)

def all_of(obj, names):
    for n in names:
        yield getattr(obj, n)

def shift(obj, names):
    for n in names:
        bump(getattr(obj, n), 1)

def shift2(obj, names):
    for n in names:
        v = fetch(obj, n)
        v += 10

def shift3(obj, names):
    for v in [getattr(obj, n) for n in names]:
        v += 100

def shift4(obj, names):
    vs = {n: getattr(obj, n) for n in names}
    for n, v in vs.items():
        v += 1000

def shift5(obj, names):
    for v in all_of(obj, names):
        v += 10000

def shift6(obj, names):
    a, b = getattr(obj, names[0]), getattr(obj, names[1])
    a += 100000
    b += 100000

net = nn.Linear(2, 2)
nn.init.ones_(net.weight)
nn.init.ones_(net.bias)
ns = SimpleNamespace(weight=torch.zeros(2, 2), bias=torch.ones(2))
fs = shift, shift2, shift3, shift4, shift5, shift6
def run(box):
    for f in fs:
        with torch.no_grad():
            f(box, ["weight", "bias"])
        show(box.weight, box.bias)
run(net)
run(ns)
"""


@pytest.mark.parametrize("program", [ASKED_OF_OTHERS, BY_COMPUTED_NAMES], ids=["libraries", "names"])
def test_under_keys_that_are_computed(agrees, program):
    agrees(program, "paddle")
