"""numpy beside tensors: memory that is shared, numbers of numpy's, conversions."""

from __future__ import annotations

import contextlib

from checks.fuzz.assigning import change
from checks.fuzz.builder import Builder, Dry
from checks.fuzz.expressions import kind
from checks.fuzz.tables import templates

WAYS = templates(r"""
{a} = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7]], dtype=np.float32)\n{n} = torch.from_numpy({a})\n{a}[0, 0] = 9.0\nshow({n})
{a} = np.arange(6, dtype=np.float32)\n{n} = torch.as_tensor({a})\n{n}.mul_(2)\nshow({a}, {n})
{a} = np.array([1.0, 2.0, 3.0])\n{n} = torch.tensor({a})\nshow({n}, {n}.dtype == torch.float64)
{n} = {x}.clone()\n{a} = {n}.numpy()\n{n} += 1\nshow({a})
{n} = {x}.clone()\n{a} = {n}.detach().cpu().numpy()\n{a}[...] = 0.25\nshow({n})
{a} = {x}.detach().numpy().copy()\n{n} = torch.from_numpy({a}) * 2\nshow({n}, {a}.sum())
{n} = torch.tensor([np.float64(0.5), 1.0])\n{a} = 0\nshow({n}.dtype == torch.float32)
{a} = np.float32(1.5)\n{n} = {x} * {a}\nshow({n})
{a} = np.asarray({x}.detach())\n{n} = torch.Tensor({a})\nshow({n}, {a}.shape)
{a} = np.int64(2)\n{n} = {x} * {a}\nshow({n}.dtype == {x}.dtype)
{a} = {x}.tolist()\n{n} = torch.tensor({a})\nshow({n})
{a} = np.array([1, 2, 3])\n{n} = torch.from_numpy({a})\nshow({n} / 2, {n}.sum(), {n}.dtype == torch.int64)
{a} = np.array([True, False])\n{n} = torch.tensor({a})\nshow(~{n})
{a} = np.eye(2)\n{n} = torch.tensor({a}, dtype=torch.float32)\nshow({n} @ {n})
{a} = np.array({x}.detach().tolist())\n{n} = torch.as_tensor({a}, dtype=torch.float32)\nshow({n})
{a} = float(np.mean({x}.detach().numpy()))\n{n} = torch.full((2,), {a})\nshow({n})
{a} = np.stack([{x}.detach().numpy(), {x}.detach().numpy()])\n{n} = torch.from_numpy({a})\nshow({n}.shape, {n}.mean(0))
{a} = [{x}.detach().numpy()] * 2\n{n} = torch.tensor(np.array({a}))\nshow({n})
""")


def numpy(b: Builder) -> None:
    text, _ = b.tensor(lambda x: kind(x) == "float" and x.dim() > 0)
    array, name = b.name("arr np_x data values"), b.name("t ten from_np y")
    b.must(b.one(WAYS).format(a=array, n=name, x=text))
    b.add(name)
    with contextlib.suppress(Dry):
        change(b, name)
    b.emit(f"show({name}, {array})")
