"""Statements that compute, and those that change a tensor in place: through itself, a view, an index, ``out=``."""

from __future__ import annotations

import contextlib

from checks.fuzz.builder import Builder, Dry
from checks.fuzz.expressions import expression, grow, is_apart, kind, like, mask, number
from checks.fuzz.tables import templates

NAMES = "y z h out res t u v total score feats norm proj delta tmp loss_terms acc"


def compute(b: Builder) -> None:
    """A name for an expression; now and then for one that exists already."""
    text, _ = expression(b)
    name = b.one([n for n in b.pool if n.isidentifier()]) if b.chance(0.2) else b.name(NAMES)
    b.must(f"{name} = {text}")
    if name not in b.pool:
        b.add(name)


ABOUT = templates("""
{x}.shape[0] | {x}.dtype == torch.float32 | {x}.dim() | list({x}.shape) | str({x}.dtype) | str({x}.shape) | tuple({x}.size()) | {x}.numel()
{x}.is_floating_point() | len({x}) | {x}.size(-1) | {x}.size() == {x}.shape | isinstance({x}, torch.Tensor) | {x}.type() | {x}.ndim | {x}.device
{x}.nelement() * 2 | {x}.shape[-1] // 2 | {x}.dtype in (torch.float32, torch.float64) | {x}.dtype.is_floating_point | {x}.is_contiguous()
torch.is_tensor({x}) | {x}.requires_grad | f'{{tuple({x}.shape)}}' | '%d' % {x}.dim() | {x}.shape == torch.Size([2, 3]) | {x}.itemsize
torch.numel({x}) | {x}.shape.numel() | {x}.contiguous().stride() | isinstance({x}, torch.FloatTensor) | repr({x}.dtype) | {x}.is_leaf | {x}.grad_fn is None
""")


def show(b: Builder) -> None:
    text, value = expression(b, depth=b.one([1, 1, 2]))
    more = ""
    if b.chance(0.3):
        more = ", " + b.one(ABOUT).format(x=f"({text})")
    if value.numel() == 1 and b.chance(0.3):
        more = b.one(
            [
                f", round(float({text}), 2)",
                f", ({text}).item()",
                f", bool({text} > 0.137)",
                f", f'{{float({text}) + 0.00137:.1f}}'",
            ]
        )
    with contextlib.suppress(Dry):
        b.must(f"show({text}{more})")


PAIRS = templates("""
{x}.max({d}) | {x}.min(dim={d}) | torch.max({x}, {d}) | {x}.sort({d}) | torch.sort({x}, dim={d}, descending=True)
{x}.topk(1, {d}) | torch.topk({x}, k=2, dim={d}) | {x}.median({d}) | {x}.cummax({d})
""")
PARTS = templates("""
{x}.chunk(2, {d}) | torch.chunk({x}, 2, dim={d}) | {x}.split({half}, dim={d}) | torch.split({x}, [1, {rest}], {d})
{x}.split((1, {rest}), {d}) | {x}.tensor_split(2, dim={d})
""")


def unpack(b: Builder) -> None:
    """Two names for what a call gives."""

    pair = b.chance(0.5)
    text, x = b.tensor(lambda x: x.dim() > 0 and kind(x) == "float" and (not pair or is_apart(x)))
    axis = b.random.randrange(x.dim())
    size = x.shape[axis]
    if size < 2:
        raise Dry
    template = b.one(PAIRS if pair else PARTS)
    call = template.format(x=text, d=b.one([axis, axis - x.dim()]), half=(size + 1) // 2, rest=size - 1)
    one, other = (
        (b.name("values top best"), b.name("idx order ids"))
        if pair
        else (b.name("left first q lo"), b.name("right second k hi"))
    )
    b.must(f"{one}, {other} = {call}" if b.chance(0.8) else f"({one}, {other}) = {call}")
    b.add(one, other)


VIEWS = templates("""
{x}[0] | {x}[1:] | {x}[..., 0] | {x}[:1] | {x}[-1] | {x}.view(-1) | {x}.reshape(-1) | {x}.t() | {x}.transpose(0, 1)
{x}[:, 0] | {x}[:, 1:] | {x}[::2] | {x}[:, ::2] | {x}.unsqueeze(0) | {x}.squeeze() | {x}.detach() | {x}.data | {x}[:]
{x}[...] | {x}.view_as({x}) | {x}.narrow(0, 0, 1) | {x}.select(0, 0) | {x}.diagonal() | {x}.flatten()
{x}.permute(1, 0) | {x}.chunk(2)[0] | {x}.split(1)[0] | {x}.unbind(0)[0] | {x}.expand_as({x}) | {x}.contiguous()
{x}.T | {x} | {x}.to({x}.dtype) | {x}.float() | {x}.view({x}.shape) | {x}.unfold(0, 2, 1) | {x}.swapaxes(0, 1)
{x}[None] | {x}.view(1, -1) | torch.transpose({x}, 0, 1) | torch.as_tensor({x}) | {x}.movedim(0, -1)
{x}.unflatten(0, (1, -1)) | {x}.requires_grad_(False) | {x}.cpu() | {x}.mT | torch.flatten({x}) | torch.squeeze({x})
torch.unsqueeze({x}, 0) | torch.reshape({x}, (-1,)) | torch.chunk({x}, 2)[1] | torch.diagonal({x})
torch.unbind({x})[1] | torch.narrow({x}, 0, 0, 1) | {x}.as_strided((2,), (1,)) | {x}.numpy() is None or {x}
""")


def alias(b: Builder) -> None:
    """Another name for a tensor or for a part of it, and often a change through one of them."""
    text, _ = b.tensor(lambda x: kind(x) == "float" and not x.requires_grad and x.numel() > 1)
    view = b.one(VIEWS).format(x=text)
    name = b.name("v view row col part flat alias ref head tail sub")
    b.must(f"{name} = {view}")
    b.add(name)
    for _ in range(b.one([0, 1, 1, 2])):
        with contextlib.suppress(Dry):
            change(b, name if b.chance(0.6) else text)
    if b.chance(0.5):
        b.emit(f"show({text}, {name})")


CHANGES = templates("""
{x} += {y} | {x} -= {y} | {x} *= {y} | {x} /= {p} | {x} += {s} | {x} *= {s} | {x} -= {s} * {y} | {x}.add_({y})
{x}.sub_({y}) | {x}.mul_({y}) | {x}.mul_({s}) | {x}.add_({s}) | {x}.div_({p}) | {x}.add_({y}, alpha={s})
{x}.sub_({y}, alpha=2) | {x}.zero_() | {x}.fill_({s}) | {x}.copy_({y}) | {x}.clamp_(-0.7, 0.9) | {x}.clamp_(min={s})
{x}.relu_() | {x}.tanh_() | {x}.sigmoid_() | {x}.neg_() | {x}.abs_() | {x}.square_() | {x}.masked_fill_({b}, {s})
{x}.mul_({s}).add_({y}) | {x}.lerp_({y}, 0.3) | {x}.addcmul_({y}, {y}, value={s})
{x}.addcdiv_({y}, {y} ** 2 + 1, value=0.1) | {x}.pow_(2) | {x}.sqrt_() if False else {x}.abs_() | F.relu_({x})
F.relu({x}, inplace=True) | nn.ReLU(inplace=True)({x}) | nn.LeakyReLU(0.1, inplace=True)({x})
F.leaky_relu({x}, 0.2, True) | torch.add({x}, {y}, out={x}) | torch.mul({x}, {s}, out={x})
torch.exp(-{x}.abs(), out={x}) | torch.clamp({x}, -0.5, 0.5, out={x}) | {x}.data.mul_({s}) | {x}.data += {s}
{x}.data.copy_({y}) | {x}.set_({y}.clone()) | {x}.data = {y} | {x}.data = {x}.data * {s} | {x}[...] = {y}
{x}[:] = {s} | {x}.sin_() | {x}.exp_().clamp_(max=2.0) | {x}.round_(decimals=1)
{x}.floor_() if False else {x}.neg_() | {x} **= 2 | torch.nn.init.constant_({x}, {s}) | nn.init.zeros_({x})
nn.init.ones_({x}) | {x}.copy_({x} * {s}) | torch.neg({x}, out={x}) | {x}.detach().mul_({s}) | {x}.numpy()[...] = 0.5
{x}.detach().numpy().fill(0.25) | torch.relu_({x}) | torch.add({x}, {s}, out={x}[...])
{x}.fill_({y}.sum().item() * 0.1) | {x}.trunc_() if False else {x}.tanh_() | {x}.sub_(1).mul_({y})
{x}.where({b}, {y}) is None or {x}.add_(1)
""")
ROWS = templates("""
{x}[0] = {s} | {x}[-1] = {x}[0] | {x}[0] += {s} | {x}[0].add_({s}) | {x}[1:].mul_({s}) | {x}[1:] *= {s}
{x}[:1].zero_() | {x}[0].fill_({s}) | {x}[{b}] = {s} | {x}[{x} > 0.1373] = 0.0 | {x}[{x} > 0.1373] *= {s}
{x}[[0, -1]] = {s} | {x}[torch.tensor([0])] = {s} | {x}[..., 0] = {s} | {x}[..., -1] -= {s} | {x}[..., 0].mul_({s})
{x}[0].copy_({x}[-1]) | {x}.index_fill_(0, torch.tensor([0]), {s})
{x}.index_add_(0, torch.tensor([0]), {x}[-1:].clone()) | {x}.select(0, 0).zero_() | {x}.narrow(0, 0, 1).fill_({s})
{x}.scatter_(0, torch.zeros_like({x}, dtype=torch.long)[:1], {s}) | {x}.view(-1)[0] = {s} | {x}.view(-1)[1:].mul_({s})
{x}.view(-1).mul_({s}) | {x}.flatten()[0] = {s} | {x}.data[0] = {s} | {x}.data[0].zero_() | {x}[::2] = {s}
{x}[::2].fill_({s}) | {x}[::2].mul_({s}) | {x}.unbind(0)[0].mul_({s}) | {x}.chunk(2)[0].zero_()
{x}.split(1)[-1].add_({s}) | {x}[0], {x}[-1] = {x}[-1].clone(), {x}[0].clone() | {x}[0] = {x}[0] * {s}
{x}[0:1] = {x}[-1:] | {x}[0] = torch.ones_like({x}[0]) | {x}[None][0].add_({s}) | {x}.unsqueeze(0).mul_({s})
{x}.index_copy_(0, torch.tensor([0]), {x}[-1:].clone()) | {x}.index_put_((torch.tensor([0]),), torch.tensor({s}))
{x}.masked_scatter_({b}, torch.ones({x}.shape)) | F.relu({x}[0], inplace=True) | torch.mul({x}[0], {s}, out={x}[0])
{x}.detach()[0] = {s}
""")
GRIDS = templates("""
{x}[:, 0] = {s} | {x}[:, 0].zero_() | {x}[:, 0] += {s} | {x}[:, -1].fill_({s}) | {x}[:, 1:].mul_({s})
{x}[0, 0] = {s} | {x}[0, 0] += {s} | {x}[0][0] = {s} | {x}[0][1:] = {s} | {x}[:, ::2] = {s} | {x}[1:, 1:] = {s}
{x}.t().mul_({s}) | {x}.t()[0] = {s} | {x}.t()[0].fill_({s}) | {x}.transpose(0, 1)[0].add_({s}) | {x}.T[0] += {s}
{x}.diagonal().fill_({s}) | {x}.diagonal().add_({s}) | {x}.fill_diagonal_({s})
{x}[torch.arange(2), torch.tensor([0, 1])] = {s} | {x}[[0, 1], [1, 0]] += {s} | {x}.permute(1, 0)[1] = {s}
{x}.chunk(2, 1)[0].mul_({s}) | {x}.tril_() | {x}.triu_(1)
{x}[:, 0], {x}[:, 1] = {x}[:, 1].clone(), {x}[:, 0].clone() | {x}[:, [0, 1]] = {x}[:, [1, 0]]
{x}.select(1, 0).fill_({s}) | {x}.narrow(1, 0, 1).zero_() | {x}[0].sub_({x}[1]) | {x}[:, 0].copy_({x}[:, 1])
{x} -= {x}.mean(0) | {x} -= {x}.mean(1, keepdim=True) | {x}.div_({x}.norm(dim=1, keepdim=True) + 1)
{x}.sub_({x}.mean(dim=0)) | {x}.scatter_add_(1, torch.zeros(2, 1, dtype=torch.long), torch.ones(2, 1))
{x}.unbind(1)[0].zero_() | {x}[:, 0].mul_({s}).add_({s})
""")


def change(b: Builder, text: str | None = None) -> None:
    """A tensor changes in place."""
    if text is None:
        text, x = b.tensor(lambda x: kind(x) == "float" and not x.requires_grad)
    else:
        x = b.held(text)
        if x is None or kind(x) != "float" or x.requires_grad:
            raise Dry
    table = [*CHANGES, *(ROWS * 2 if x.dim() else []), *(GRIDS * 2 if x.dim() == 2 else [])]
    for _ in range(4):
        template = b.one(table)
        if "{y}" in template:
            try:
                other = (
                    like(b, x, b.one([0, 0, 1]))
                    if b.chance(0.7)
                    else grow(b, *b.tensor(lambda y: y.dim() == 0 and kind(y) == "float"))[0]
                )
            except Dry:
                continue
        else:
            other = ""
        words = {
            "x": text,
            "y": f"({other})" if not other.isidentifier() and "{y}." in template else other,
            "s": number(b),
            "p": "1.5",
        }
        statement = template.format(**words, b=mask(b, x, text) if "{b}" in template else "")
        if b.emit(statement):
            return
    raise Dry


def change_counts(b: Builder) -> None:
    """The same of integers and of masks."""
    text, x = b.tensor(lambda x: kind(x) in {"int", "bool"})
    table = (
        [
            "{x} += 1",
            "{x} *= 2",
            "{x} -= {x}.min()",
            "{x}[0] = 5",
            "{x}.add_(2)",
            "{x}.fill_(3)",
            "{x}[1:] += 1",
            "{x} //= 2",
            "{x} %= 3",
            "{x} &= 3",
            "{x}.zero_()",
            "{x}.clamp_(0, 4)",
            "{x}[{x} > 2] = 0",
            "{x} <<= 1",
            "{x} -= 1",
        ]
        if kind(x) == "int"
        else [
            "{x}[0] = True",
            "{x} &= {x}.clone()",
            "{x} |= True",
            "{x}.logical_not_()",
            "{x}.fill_(False)",
            "{x}[~{x}] = True",
            "{x} ^= {x}.clone()",
            "{x}.zero_()",
        ]
    )
    b.must(b.one(table).format(x=text))


def swap(b: Builder) -> None:
    """Names that exchange what they hold, a name bound twice, a name deleted."""
    text, x = b.tensor(lambda x: True)
    other, _ = b.tensor(lambda y: y.shape == x.shape and y.dtype == x.dtype)
    if not (text.isidentifier() and other.isidentifier()) or text == other:
        raise Dry
    name = b.name("prev saved old kept before")
    statement = b.one(
        [
            f"{text}, {other} = {other}, {text}",
            f"{name} = {text}\n{text} = {text} + {other}",
            f"{name} = {text}.clone()\n{text} += {other}",
            f"{name} = {text}\n{text} += {other}",
            f"{name} = {text} = {other}",
        ]
    )
    b.must(statement)
    if name in statement:
        b.add(name)
