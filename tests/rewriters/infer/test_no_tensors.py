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
        print(p.max())  # left
    return module.state_dict().values(), module.others().max()  # left
"""


def test_members_and_states(sites):
    wanted = [number for number, line in enumerate(LEFT.split("\n"), 1) if "# left" in line]
    found = sites(LEFT, "oneflow")
    assert [site.line for site in found if site.outcome == Outcome.UNKNOWN] == sorted([*wanted, wanted[2]])


COMPILED = """
import numba
import numpy as np
import torch
@numba.njit
def areas(boxes, scale):
    return (boxes.reshape(-1, 4).max() * scale).reshape(-1), boxes.sum()
@numba.jit(nopython=True)
def corners(dims):
    return dims.reshape([-1, 2])
@numba.jit
def loose(dims):
    return dims.reshape([-1, 2])  # left
def run(boxes, x):
    y, z = np.ogrid[-3:4, -3:4]
    weights = np.exp(-(x * 0 + y * y + z * z))  # left
    area, total = areas(boxes, 2)
    return area.reshape(-1), total.max(), corners(boxes).any(), np.exp(y * z).max(), y.reshape(-1)
def found(x):
    return loose(x).max()  # left
"""


def test_what_is_compiled_for_arrays(sites):
    wanted = [
        number
        for number, line in enumerate(COMPILED.split("\n"), 1)
        if ".max()  # left" in line or "2])  # left" in line
    ]
    found = sites(COMPILED, "paddle")
    assert [site.line for site in found if site.outcome == Outcome.UNKNOWN] == wanted


ELSEWHERE = """
import cv2
import numpy as np
import paddle
import torch
class Runner:
    def __init__(self, model, held, net, what):
        self.model, self.held, self.net, self.what = model, held, net, what
        self.model.to("cpu")
        self.held.max()  # left
        self.net.half()
        self.what.half()  # left
    def run(self, x):
        return self.model(x), self.net.train()
    def asked(self):
        return self.what.train() if isinstance(self.what, torch.nn.Module) else self.what
class Fast(Runner):
    def moved(self):
        return self.model.cuda(), self.held.cuda()  # left
def moved(model, other, x):
    model = model.cuda()
    other = other.cuda()  # left
    other = what(other)
    return model.half()(x), model(x), other(x)
def ends(a, b, c, d):
    first = a.argsort()[::-1], b.any(-1).any(-1).astype("int"), c.to("cpu").eval(), d.argsort()[1:]  # left
    return first, d.to("cpu")["ids"]
def resized(a, b, c, d, e, f):
    a.max(), b.max(), c.max(), d.max()
    f.max()  # left
    a = a.round()
    a /= 255
    np.zeros(3, dtype=b.dtype), np.ones(3).astype(c.dtype), cv2.resize(d, (2, 2)), e.dot(np.ones(3))
    f = f * what()
    return a.astype("int"), f.astype("int")
def bound_below(a, b, c, flag):
    a = what(a)
    a.max()
    a.lower()
    a = what(flag)
    b.lower()
    for c in flag:
        b.max()  # left
        b = what(b)
        c.max()
        c.lower()
        c = what(c)
    return a, paddle.ones(3).max()
def made(build, what, x):
    model = build(what).to("cpu")
    criterion = build(x).cuda()  # left
    other = build(x).half()
    print(other)
    wrapped = torch.nn.DataParallel(build(3).cuda())
    model.train()
    if x:
        criterion(x)
    return other(x), what.astype("int").squeeze(), wrapped
def one_of_two(a, flag):
    if flag:
        b = what(a)
    else:
        b = what(flag)
    b.max(), a.index(3)
    a.max()  # left
    return b.astype("int")
def caught(a):
    try:
        return a.argsort()[::-1]  # left
    except ValueError:
        return a
def stored(options, groups):
    options.cuda = True
    options.split = "train"
    return list(groups.values())
"""


def test_what_is_used_otherwise_elsewhere(sites):
    wanted = [number for number, line in enumerate(ELSEWHERE.split("\n"), 1) if "# left" in line]
    found = sites(ELSEWHERE, "paddle")
    assert [site.line for site in found if site.outcome == Outcome.UNKNOWN] == wanted


HANDED_ON = """
import glob
import jax
import torch
def seen(layer, layers, dist, box, flag, folder, what):
    if layer.name is None:  # left
        return layer.name or flag  # left
    box.rotate(dist.index)
    mean = listed = [dist.mean, torch]  # left
    files = glob.glob(folder) if flag else [folder]
    files.sort()
    return mean, listed, what
@jax.jit
def compiled(x, y):
    return (x * y).sum(axis=-1)
@jax.jit(static_argnums=0)
def static(x, y):
    return (x * y).sum(axis=-1)  # left
"""


def test_what_is_no_method_that_is_handed_on(sites):
    wanted = [number for number, line in enumerate(HANDED_ON.split("\n"), 1) if "# left" in line]
    found = sites(HANDED_ON, "paddle")
    assert [site.line for site in found if site.outcome == Outcome.UNKNOWN] == wanted
