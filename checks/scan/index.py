"""Ways of indexing: read, stored to, changed, with gradients, where the index is written, a name, or comes from a function."""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks.scan.case import Case, entries, program

SETUP = [
    "x = torch.arange(24.0).reshape(2, 3, 4)",
    "i = torch.tensor([1, 0])",
    "k = torch.tensor([2, 0, 1])",
    "j = torch.tensor([[0, 1], [1, 1]])",
    "n = torch.tensor(1)",
    "m = torch.tensor([True, False])",
    "m2 = torch.tensor([[True, False, True], [False, False, True]])",
    "m3 = x > 11",
    "b = torch.tensor(True)",
    "p = torch.tensor([[[2, 0, 1, 1]]])",
]
INDICES = entries("""
    0; -1; 1, 2; 1, -1, 2; 0, 1, 2; :; ...; ..., 0; ..., -1; 0, ...; 0, ..., 1; ..., 1, :; :, 0; :, :, 1; :, -1, :; 1:;
    :1; :-1; -1:; -2:, 1; :, 1:; :, 1:3, ::2; ::2; :, ::2; :, 1::2; :, :, ::3; :, 5:; :, 2:1; 0:0; None; None, ...;
    :, None; ..., None; None, :, None; 0, None; :, None, 0; 0, None, ..., None; None, None, 1, 2, 3; :, 0:1;
    slice(None); slice(0, 1); (slice(None), 1); (0, slice(1, None)); (Ellipsis, 0); [0]; [0, 1]; [1, 0, 1]; [-1];
    [[0, 1]]; [[0, 1], [1, 0]]; [[[0, 1], [1, 0]]]; [0, 1], [1, 2]; [0, 1], :, [1, 2]; :, [0, 2]; :, [0, 2], 1;
    :, [0, 2], [1, 3]; :, :, [0, 2]; :, :, [0, -1]; 0, [0, 2]; 0, :, [0, 2]; [0], 1; [1, 0], ..., 0; ..., [0, 2];
    ..., [0, 2], 1; None, [0, 1]; [0, 1], None; :, [0, 2], None; [True, False]; [True, False], 1;
    :, [True, False, True]; :, [True, False, True], 1; 0, [True, False, True]; 0, [True, False, True], [0, 2];
    [[True, False, True], [False, True, False]]; True; False; None, True; i; k[:2] % 2; j; n; b; m; m2; m3;
    p[0, 0] % 2; i, k[:2]; i, :, k[:2]; i, 1; i, 1, 2; 1, k; 1, k, 2; 1, k, k; :, k; :, k, 0; :, k, k; :, k, 1:3;
    :, :, k; :, :, j; :, j; :, j, j; ..., k; ..., k, k; ..., i, None; i[:, None], k; i[:, None], k[None];
    i[:, None], k[None], 1; i[:, None], :, k[None]; torch.arange(2), torch.arange(2);
    torch.arange(2)[:, None], torch.arange(3)[None]; torch.arange(2), :, torch.tensor([1, 3]); i.int();
    i.to(torch.int32), 1; i.to(torch.uint8); i.bool(); i.to(torch.int16); -1 - i; n, k; n, :, n; :, n; :, n, n;
    :, n, k; n, n, n; :, n:; n:; :n; :, :n; ::n; m, 0; m, 1:; m, :, 2; m, ..., k; m, k[:1]; :, m2[0]; :, m2[0], 1;
    :, m2[0], 1:3; 0, m2[0]; 1, m2[1], k[:1]; i, m2[1]; m2, 0; m2, :2; m2, k; m2, None; None, m2;
    m2[..., None].expand(2, 3, 4); m2 & m2; ~m2; ~m; m3 & (x < 20); (x > 3) & (x < 9); x[:, :, 0] > 3; x[:, 0, 0] > 3;
    x.sum((1, 2)) > 100; x == 5; x.isnan(); m.nonzero()[:, 0]; m2.nonzero(as_tuple=True); torch.where(m2);
    torch.where(m3); tuple(m2.nonzero().t()); x.argmax(0)[0, :1]; x[0, 0].argmax(); x[0, 0].argmax(), 1;
    torch.randperm(1); torch.tensor([0]); torch.tensor([], dtype=torch.long); torch.zeros(0, dtype=torch.long), 1; [];
    (); list(range(2)); range(2); tuple([0, 1]); np.array([1, 0]); np.int64(1); np.array([True, False]);
    :, np.array([0, 2]); np.array([1, 0]), 1; i.tolist(); i.numpy(); :, k.tolist(); int(n); n.item(), 1; len(k) - 2;
    x.shape[0] - 1; -x.shape[0]; :, -k.shape[0]:; :, : x.shape[1] // 2; 1, torch.tensor([0, 1]), torch.tensor([2, 3]);
    torch.tensor([[True, True, False], [True, False, False]]), 1;
    (torch.tensor([1]), torch.tensor([2]), torch.tensor([3])); [torch.tensor([1]), torch.tensor([2])]; [n, 0];
    [i[0], 1]; (n, k); 5; -3; [2]; :, [3]; torch.tensor([2]); torch.tensor([-3]); :, torch.tensor([3]); ::-1; :, ::-1;
    0, 1, 2, 3; torch.tensor([0.0, 1.0]); 1.0; "a"; torch.tensor([True, False, True]); b, 0; 0, b; b, k[:1] % 2; n > 0;
    x.sum() > 3; None, b; ..., b; m[0]; m[1]; m.any(); torch.tensor(False)
""")
# Each may end the target's process.
OUTSIDE = {"5", "-3", "[2]", ":, [3]", "torch.tensor([2])", "torch.tensor([-3])", ":, torch.tensor([3])", "0, 1, 2, 3"}
READS = {
    "read": ["show(x[{0}])"],
    "read of a view": ["x = x.transpose(0, 1).contiguous().transpose(0, 1)", "show(x[{0}])"],
    "read of a strided part": ["x = torch.arange(48.0).reshape(2, 3, 8)[:, :, ::2]", "show(x[{0}])"],
    "read of integers": ["x = x.long()", "show(x[{0}])"],
    "read of truth values": ["x = x.long() % 3 == 0", "show(x[{0}])"],
    "gradient": ["x.requires_grad_()", "y = x[{0}]", "(y * y).sum().backward()", "show(y.detach(), x.grad)"],
    "store a number": ["x[{0}] = -1", "show(x)"],
    "store into a view": ["v = x.transpose(1, 2)", "v = v.transpose(1, 2)", "v[{0}] = -1.5", "show(x, v)"],
    "store into a part": ["base = torch.zeros(2, 3, 8)", "v = base[:, :, 1::2]", "v[{0}] = 7", "show(base)"],
    "store a tensor": ["x[{0}] = x[{0}] * 10 + 1", "show(x)"],
    "store a tensor without axes": ["x[{0}] = torch.tensor(-2.5)", "show(x)"],
    "store another dtype": ["x[{0}] = torch.tensor(3)", "show(x)"],
    "store into integers": ["x = x.long()", "x[{0}] = 7", "show(x)"],
    "store a truth value": ["x = x > 100", "x[{0}] = True", "show(x)"],
    "add": ["x[{0}] += 100", "show(x)"],
    "multiply": ["x[{0}] *= -1", "show(x)"],
    "divide": ["x[{0}] /= x[{0}] + 1", "show(x)"],
    "method": ["x[{0}].add_(100)", "show(x)"],
    "fill": ["x[{0}].fill_(-3)", "show(x)"],
    "store with gradients": [
        "x.requires_grad_()",
        "w = torch.tensor(3.0, requires_grad=True)",
        "y = x * 2",
        "y[{0}] = w",
        "(y * y).sum().backward()",
        "show(y.detach(), x.grad, w.grad)",
    ],
    "add with gradients": [
        "x.requires_grad_()",
        "y = x * 2",
        "y[{0}] += 5",
        "(y * y).sum().backward()",
        "show(y.detach(), x.grad)",
    ],
    "scale with gradients": [
        "x.requires_grad_()",
        "y = x * 2",
        "y[{0}] *= 3",
        "y.sum().backward()",
        "show(y.detach(), x.grad)",
    ],
    "held": ["v = x[{0}]", "x.add_(100)", "show(v)"],
    "held and changed": ["v = x[{0}]", "v += 100", "show(x, v)"],
    "in a function": ["def pick(t):", "    return t[{0}]", "", "show(pick(x), pick(x.long()))"],
    "stored in a function": ["def mark(t):", "    t[{0}] = 0", "    return t", "", "show(mark(x), x)"],
    "by a name": ["where = {1}", "show(x[where])"],
    "stored by a name": ["where = {1}", "x[where] = 5", "show(x)"],
    "of a list": ["xs = [x, x + 1]", "show(xs[1][{0}])"],
    "of an attribute": [
        "class Box:",
        "    def __init__(self, table):",
        "        self.table = table",
        "",
        "    def look(self):",
        "        return self.table[{0}]",
        "",
        "show(Box(x).look())",
    ],
}


def as_value(index: str) -> str:
    """An index that is written in brackets, as an expression of its own; "" where it has slices."""
    return "" if ":" in index and not index.startswith("(") else index


def cases() -> Iterator[Case]:
    for index in INDICES:
        for where, body in READS.items():
            if index in OUTSIDE and where != "read":
                continue
            if "{1}" in "".join(body) and not as_value(index):
                continue
            setup = [line for line in SETUP if line.startswith("x ") or line.split(" = ")[0] in names_of(index)]
            if "np." in index:
                setup.insert(0, "import numpy as np\n")
            written = [line.replace("{0}", index).replace("{1}", as_value(index)) for line in body]
            yield Case("index", f"x[{index}]", where, program(setup, written))


def names_of(index: str) -> set[str]:
    return set(re.findall(r"\w+", index))
