"""How people write what they compute: templates of expressions.

``{x}`` is the tensor that a template is chosen for, ``{y}`` and ``{z}`` others that broadcast with it, ``{m}`` a matrix
that it can be multiplied with. ``{b}`` is a mask of its shape, ``{i}`` integers of its shape. ``{s}`` is a number,
``{p}`` a positive one, ``{k}`` an integer; ``{d}`` an axis, ``{e}`` another, ``{h}`` the size of an axis. A leading
``2:`` asks for so many axes, at least; ``!`` for values that are apart from each other.
"""

from __future__ import annotations

POINTWISE = """
{x}.tanh() | torch.tanh({x}) | {x}.sigmoid() | torch.sigmoid({x}) | F.relu({x}) | {x}.relu() | torch.relu(input={x})
{x}.abs() | torch.abs({x}) | abs({x}) | -{x} | {x}.neg() | torch.neg({x}) | {x}.sin() | torch.cos({x}) | {x}.square()
({x}).clamp(-1.3, 1.7) | torch.clamp({x}, min={s}) | {x}.clamp(max={p}) | torch.clamp({x}, max={p}, min=-0.7)
{x}.clamp_min({s}) | F.gelu({x}) | F.silu({x}) | F.elu({x}) | F.leaky_relu({x}, {p}) | F.softplus({x})
F.hardtanh({x}) | F.leaky_relu({x}, negative_slope=0.2) | F.elu({x}, alpha={p}) | F.softplus({x}, beta=2)
F.relu6({x}) | F.logsigmoid({x}) | torch.sqrt({x}.abs() + {p}) | ({x}.abs() + 0.3).log() | torch.log1p({x}.abs())
({x} * 0.3).exp() | torch.exp(-{x}.abs()) | ({x} ** 2 + {p}).rsqrt() | {x}.pow(2) | torch.pow({x}, 2) | {x} ** 2
{x} ** 3 | torch.pow({x}.abs() + 0.5, {s}) | (2 ** {x}.tanh()) | torch.pow(2, {x}.sin()) | {x}.reciprocal().tanh()
1 / ({x}.abs() + {p}) | torch.atan({x}) | {x}.erf() | {x} + {s} | {x} - {s} | {x} * {s} | {x} / {p} | {s} - {x}
{s} + {x} | {s} * {x} | {p} / ({x}.square() + {p}) | {x}.add({s}) | {x}.sub({s}) | {x}.mul({s}) | {x}.div({p})
torch.add({x}, {s}) | torch.sub({x}, {s}) | torch.mul({x}, {s}) | torch.div({x}, {p}) | torch.rsub({x}, {s})
torch.add({x}, {s}, alpha={k}) | {x}.add({k}) | {x} * {k} | {x} - {k} | {x}.round(decimals=2) * 0 + {x}
torch.heaviside({x} - 0.1357, torch.tensor(0.5)) | {x}.sign() | torch.nan_to_num({x}) | {x}.clone() | {x}.detach()
{x}.contiguous() | {x}.detach().clone() | torch.zeros_like({x}) | torch.ones_like({x}) * {s}
torch.full_like({x}, {s}) | {x}.new_zeros({x}.shape) + {x} | {x}.new_ones({x}.size()) | {x}.new_full({x}.shape, {s})
{x}.masked_fill({b}, {s}) | torch.masked_fill({x}, {b}, {s}) | torch.where({b}, {x}, {s}) | torch.where({b}, {s}, {x})
{x}.double().tanh() | {x}.to(torch.float64) | {x}.half().float() | {x}.float() | {x}.to(dtype=torch.float64) * {s}
{x}.type(torch.float64) | {x}.type_as({y}) | {x}.to({y}.dtype) | {x}.to({y}) | {x} * {i} | {i} + {x} | {x} - {i}
{i} / {p} * {x} | {x} * {b} | {x} * {b}.float() | {x} + {b}.to({x}.dtype) | {b} * {x} | F.threshold({x}, 0.1, {s})
torch.lerp({x}, {y}, 0.3) | {x}.lerp({y}, {p}) | {x}.sinh().tanh() | {x}.expm1().tanh()
torch.frac({x} * 1.3 + 0.017) | torch.floor({x} * 1.7 + 0.0137) | torch.trunc({x} * 2.3 + 0.0137)
({x} * 1.9 + 0.0137).ceil() | torch.remainder({x} * 1.1 + 0.0137, 0.7) | ({x} * 1.7 + 0.0137) // 0.9
({x} * 1.3 + 0.0137) % 0.6 | torch.fmod({x} * 1.7 + 0.0137, 0.9) | torch.floor_divide({x} * 1.7 + 0.0137, 0.9)
{x}.logit(0.1).tanh()
"""

BINARY = """
{x} + {y} | {x} - {y} | {x} * {y} | {x} / ({y}.abs() + {p}) | {x}.add({y}) | {x}.sub({y}) | {x}.mul({y})
{x}.div({y}.abs() + {p}) | torch.add({x}, {y}) | torch.sub({x}, {y}) | torch.mul({x}, {y})
torch.div({x}, {y} ** 2 + {p}) | torch.add({x}, {y}, alpha={k}) | torch.sub({x}, {y}, alpha={s})
{x}.add({y}, alpha={s}) | {x}.sub({y}, alpha={k}) | torch.sub(other={y}, input={x})
torch.add(other={y}, input={x}, alpha={k}) | torch.mul(input={x}, other={y})
torch.div(other={y}.abs() + {p}, input={x}) | torch.maximum({x}, {y}) | torch.minimum({x}, {y}) | torch.max({x}, {y})
{x}.min({y}) | torch.where({b}, {x}, {y}) | {x}.where({b}, {y}) | torch.where({x} > {y}, {x}, {s})
torch.addcmul({x}, {y}, {z}) | torch.addcmul({x}, {y}, {z}, value={s}) | {x}.addcmul({y}, {z}, value={s})
torch.addcdiv({x}, {y}, {z} ** 2 + {p}) | {x}.addcdiv({y}, {z}.abs() + {p}, value={s})
torch.lerp({x}, {y}, {z}.sigmoid()) | torch.hypot({x}, {y}) | torch.atan2({x}, {y}.abs() + {p}) | F.mse_loss({x}, {y})
F.l1_loss({x}, {y}) | F.smooth_l1_loss({x}, {y}, reduction="sum") | F.mse_loss({x}, {y}, reduction="none")
F.huber_loss({x}, {y}, delta={p}) | F.mse_loss(target={y}, input={x}) | torch.dist({x}, {y})
({x} - {y}).pow(2).mean() | ({x} - {y}).abs().sum() | {x} * {y} + {z} | ({x} + {y}) * {z} | {x} - ({y} - {z})
{x} / ({y} * {z} + 3.1) | -({x} + {y}) | ({x} + {y}) ** 2 | -{x} ** 2 + {y} | {x} * ({y} + {s}) - {z}
{x}.mul({y}.add({s})) | {x}.sub({y}.sub({z})) | torch.div(torch.sub({x}, {y}), {p}) | torch.pow({x}.add({y}), 2)
{x}.mul({y}).add({z}) | {x}.add({y}).mul({z}) | torch.addcmul({x}, {y}.add({s}), {z}.sub({s}))
torch.neg({x}.add({y})).mul({z}) | {x}.sub({y}).pow(2).sum() | {x}.add({y}).abs() | {x}.sub({y})[...]
{x}.mul({y}).neg() - {z} | {x}.rsub({y}.mul({s})) if hasattr({x}, "rsub") else {x} | torch.sum({x} * {y})
({x} * {y}).sum(-1) | torch.allclose({x}, {y}) * {x} | {x}.eq({y}).float() + {x} | torch.logaddexp({x}, {y})
F.cosine_similarity({x} + 2.1, {y} + 3.1, dim=-1) | F.pairwise_distance({x}, {y} + 0.5)
torch.cross({x}, {y}, dim=-1) | {x} ** {k} + {y} | 2:torch.cdist({x}, {y} + 2.3)
1:torch.einsum("...i,...i->...", {x}, {y}) | torch.complex({x}, {y}).abs() | torch.copysign({x}.abs(), {y} + 0.0137)
"""

REDUCE = """
{x}.sum() | torch.sum({x}) | {x}.mean() | torch.mean({x}) | {x}.norm() | torch.norm({x}) | {x}.square().sum().sqrt()
{x}.std() | 1:{x}.sum({d}) | 1:{x}.sum(dim={d}) | 1:torch.sum({x}, {d}) | 1:torch.sum({x}, dim={d}, keepdim=True)
1:{x}.sum(axis={d}) | 1:{x}.mean({d}) | 1:{x}.mean(dim={d}, keepdim=True) | 1:torch.mean(dim={d}, input={x})
1:{x}.mean(-1, True) | 1:{x}.prod({d}) | 1:{x}.var({d}) | 1:torch.var({x}, dim={d}, unbiased=False)
1:{x}.std(dim={d}, keepdim=True) | 1:{x}.var(dim={d}, correction=0) | 1:{x}.norm(dim={d}) | 1:{x}.norm(2, {d})
1:{x}.norm(p=1, dim={d}) | 1:torch.linalg.norm({x}, dim={d}) | {x}.max() | {x}.min() | torch.max({x})
1:{x}.amax({d}) | 1:torch.amin({x}, dim={d}, keepdim=True) | 1:!{x}.max({d})[0] | 1:!{x}.max(dim={d}).values
1:!torch.max({x}, {d})[0] | 1:!{x}.min({d}, keepdim=True)[0] | 1:!torch.min({x}, dim={d}).values | 1:!{x}.max({d})[1]
1:!{x}.max(-1).indices | 1:!{x}.argmax({d}) | 1:!torch.argmax({x}, dim={d}) | 1:!{x}.argmin(dim={d}, keepdim=True)
!{x}.argmax() | 1:torch.logsumexp({x}, {d}) | 1:{x}.logsumexp(dim={d}, keepdim=True) | 1:!{x}.median({d})[0]
1:!{x}.median() | 1:!{x}.kthvalue(1, {d})[0] | 1:!{x}.quantile(0.3) | 1:{x}.count_nonzero({d}) | ({x} > 0.137).sum()
({x} > 0.137).any() | ({x} > -5).all() | 1:({x} > 0.137).any({d}) | 1:({x} > 0.137).sum({d})
1:({x} < 0.137).all(dim={d}) | {x}.numel() * {x} | 2:{x}.sum((0, 1)) | 2:{x}.mean(dim=(0, -1))
2:{x}.sum(dim=[0, 1], keepdim=True) | 2:{x}.std((0, 1)) | 2:{x}.norm(p=2, dim=(0, 1)) | 2:{x}.amax(dim=(0, 1))
1:F.softmax({x}, dim={d}) | 1:{x}.softmax({d}) | 1:torch.softmax({x}, {d}) | 1:F.log_softmax({x}, dim={d})
1:{x}.log_softmax(-1) | 1:F.normalize({x} + 2.1, dim={d}) | 1:{x}.cumsum({d}) | 1:torch.cumsum({x}, dim={d})
1:{x}.cumprod({d}) | 1:F.layer_norm({x}, {x}.shape[-1:]) | 1:F.normalize({x} + 1.7, p=1, dim=-1) | 1:!{x}.sort({d})[0]
1:!torch.sort({x}, dim={d}, descending=True).values | 1:!{x}.argsort({d}) | 1:!{x}.topk(1, {d})[0]
1:!torch.topk({x}, k=1, dim={d}).indices | 1:!{x}.sort(descending=True)[1] | 1:!{x}.cummax({d})[0]
1:!torch.cummin({x}, {d}).values | 1:{x}.diff(dim={d}) | {x}.mean().item() * {x} | float({x}.sum()) * {x}
!1:{x}.unique() | 1:torch.cat([{x}, {y}], {d}) | 1:torch.aminmax({x})[1] | 1:{x}.renorm(2, 0, 1.5)
1:torch.trapz({x}, dim={d}) | 1:{x}.nansum({d})
"""

SHAPES = """
{x}.view(-1) | {x}.reshape(-1) | torch.reshape({x}, (-1,)) | {x}.flatten() | {x}.unsqueeze(0) | {x}.unsqueeze(-1)
{x}[None] | {x}[..., None] | torch.unsqueeze({x}, dim=0) | {x}.unsqueeze(0).squeeze(0) | {x}.unsqueeze(1).squeeze()
1:{x}.reshape(1, *{x}.shape) | {x}.ravel() | 2:{x}.t().t() if {x}.dim() == 2 else {x} | 2:{x}.transpose(0, 1)
2:{x}.transpose(-1, -2) | 2:torch.transpose({x}, {d}, {e}) | 2:{x}.transpose(dim0=0, dim1=1) | 2:{x}.mT
2:{x}.permute(1, 0, *range(2, {x}.ndim)) | 2:{x}.permute([1, 0] + list(range(2, {x}.dim())))
2:torch.swapaxes({x}, 0, 1) | 2:{x}.movedim(0, -1) | 2:{x}.transpose(0, 1).contiguous().view(-1)
2:{x}.transpose(0, 1).reshape(-1) | 2:{x}.flatten(0, 1) | 2:torch.flatten({x}, start_dim=1) | 2:{x}.flatten(1)
1:{x}.view({x}.size(0), -1) | 1:{x}.reshape(({x}.shape[0], -1)) | 1:{x}.view(*{x}.shape, 1)
1:{x}.view({x}.shape + (1,)).squeeze(-1) | {x}.view_as({x}) | 1:torch.cat([{x}, {x}], dim={d})
1:torch.cat(({x}, {y}), {d}) | torch.stack([{x}, {y}]) | torch.stack(({x}, {y}), dim=-1)
torch.stack(dim=0, tensors=[{x}, {x}]) | 1:{x}.repeat(2, *[1] * ({x}.dim() - 1)) | 1:torch.tile({x}, (2,))
1:{x}.tile((2, 1)) | 1:{x}.repeat_interleave(2, dim={d}) | {x}.unsqueeze(0).expand(2, *{x}.shape)
{x}.unsqueeze(0).expand(2, *[-1] * {x}.dim()) | {x}.expand_as(torch.stack([{x}, {x}])) | 1:{x}.flip({d})
1:torch.flip({x}, dims=[{d}]) | 1:{x}.flip(dims=(0,)) | 1:{x}.roll(1, {d}) | 1:torch.roll({x}, shifts=1, dims={d})
1:{x}.narrow({d}, 0, {h}) | 1:{x}.narrow({d}, 0, 1) | 1:{x}.select({d}, 0) | 1:{x}.select({d}, -1)
1:{x}.index_select({d}, torch.tensor([0, 0])) | 1:torch.index_select({x}, {d}, torch.tensor([0]))
1:{x}.chunk(2, {d})[0] | 1:torch.chunk({x}, 2, dim={d})[-1] | 1:{x}.split(1, dim={d})[0]
1:torch.split({x}, [1, {h} - 1], {d})[1] | 1:{x}.unbind({d})[0] | 1:torch.unbind({x}, dim={d})[-1]
1:{x}.tensor_split(2, {d})[0] | 2:{x}.tril() | 2:torch.triu({x}, 1) | 2:torch.tril({x}, diagonal=-1)
2:{x}.diagonal() | 2:torch.diagonal({x}, 0, {d}, {e}) | 2:{x}.rot90(1, (0, 1)) | 1:F.pad({x}, (1, 0))
1:F.pad({x}, (1, 1), value={s}) | 1:F.pad(pad=(0, 2), input={x}, mode="constant") | 1:{x}.unfold({d}, 1, 1)
1:torch.atleast_2d({x}) | 1:{x}.gather({d}, torch.zeros_like({x}, dtype=torch.long))
1:torch.gather({x}, dim={d}, index={x}.argsort({d}) * 0) | 1:{x}.take(torch.tensor([0, -1]))
1:{x}.masked_select({b}) | 1:{x}[{b}] | torch.meshgrid({x}.reshape(-1)[:2], {x}.reshape(-1)[:3], indexing="ij")[0]
torch.broadcast_to({x}, (2, *{x}.shape)) | 1:torch.hstack(({x}, {x})) | 1:torch.vstack([{x}, {x}])
1:torch.column_stack(({x}, {x})) | 2:{x}.unflatten(-1, (1, -1)) | 1:{x}.squeeze(0)
1:torch.concat([{x}, {y}], axis={d})
"""

INDEXING = """
1:{x}[0] | 1:{x}[-1] | 1:{x}[:1] | 1:{x}[1:] | 1:{x}[:-1] | 1:{x}[::2] | 1:{x}[..., 0] | 1:{x}[..., -1:]
1:{x}[None, 0] | 1:{x}[..., :{h}] | 1:{x}[[0, -1]] | 1:{x}[torch.tensor([0, 0])] | 1:{x}[{x}[..., 0] * 0 == 0]
1:{x}[{b}] | 1:{x}[{x} > 0.137] | 1:{x}[..., [0]] | 1:{x}[-1:] | 1:{x}[torch.arange({x}.shape[0])] | 2:{x}[0, 0]
2:{x}[:, 0] | 2:{x}[:, -1] | 2:{x}[:, :1] | 2:{x}[:, 1:] | 2:{x}[0, :] | 2:{x}[-1, 0] | 2:{x}[:, None]
2:{x}[:, [0, -1]] | 2:{x}[[0, 1], [0, 0]] | 2:{x}[torch.arange({x}.size(0)), 0] | 2:{x}[:, torch.tensor([0])]
2:{x}[1:, :1] | 2:{x}[::2, ::2] | 2:{x}[..., 0, :] | 2:{x}[:, ::2] | 2:{x}[0][0] | 2:{x}[:1][:, 0] | 2:{x}.t()[0]
2:{x}.transpose(0, 1)[:, [0]] | 2:{x}[:, :1][0] | 2:{x}[(0, 0)] | 2:{x}[slice(0, 1)] | 3:{x}[0, :, 0] | 3:{x}[:, 0, :]
3:{x}[..., 0, 0] | 3:{x}[:, :, None] | 2:{x}[torch.tensor(0)] | 2:{x}[{k} % 2] | 2:{x}[int({b}.sum()) % 2]
1:{x}[len({x}) // 2] | 1:{x}[range(1)] if False else {x}[0]
1:{x}[torch.tensor([True] + [False] * ({x}.shape[0] - 1))]
"""

MATRICES = """
2:{x} @ {m} | 2:torch.matmul({x}, {m}) | 2:{x}.matmul({m}) | 2:{x}.mm({m}) | 2:torch.mm({x}, mat2={m})
2:({x} @ {m}).t() | 2:F.linear({x}, {m}.t()) | 2:torch.einsum("ij,jk->ik", {x}, {m})
2:torch.einsum("ij,jk->ki", [{x}, {m}]) | 2:F.linear(weight={m}.t(), input={x}) | 2:{x} @ {x}.t() | 2:{x}.T @ {x}
2:torch.addmm(({x} @ {m}), {x}, {m}, beta={s}, alpha=0.5) | 2:{x} @ ({m} + {s}) | 2:({x} + {y}) @ {m} | 2:-{x} @ {m}
2:{x}.sub({y}) @ {m} | 2:{x}.matmul({m}.add({s})) | 2:torch.tensordot({x}, {m}, dims=1)
2:{x}.trace() if {x}.shape[0] == {x}.shape[1] else {x}.sum() | 2:{x} @ {x}[0] | 2:torch.mv({x}, {x}[0])
2:{x}[0] @ {m} | 2:torch.outer({x}[0], {x}[:, 0]) | 2:torch.dot({x}[0], {x}[0]) | 2:{x}[0].dot({x}[1])
2:torch.bmm({x}[None], {m}[None]) | 2:torch.kron({x}, torch.eye(2))
"""

INTEGERS = """
{x} + 1 | {x} * 2 | {x} - {k} | {x} // 2 | {x} % 3 | -{x} | {x} / 2 | {x} ** 2 | 2 * {x} + 1 | {x} & 3 | {x} @OR 4
{x} ^ 1 | ~{x} | {x} << 1 | {x} >> 1 | {x}.float() | {x}.double() / 3 | {x}.sum() | {x}.sum(dtype=torch.float32)
{x}.max() | {x}.min() | {x}.prod() | {x}.float().mean() | {x}.abs() | {x}.clamp(1, 3) | {x}.clamp(min=1)
torch.clamp({x}, max=2.5) | {x}.add(1.5) | {x} + 0.5 | 0.5 * {x} | {x} * torch.tensor(0.5) | {x} + torch.tensor([0.5])
torch.where({x} > 1, {x}, 0) | torch.where({x} > 1, {x}, 0.5) | torch.where({x} > 1, {x}.float(), {x}) | {x}.eq(1)
{x} == 2 | {x} != 1 | {x} > 1 | 1 <= {x} | {x}.bool() | {x}.to(torch.int32) | {x}.int() + {x} | {x}.to(torch.uint8)
{x}.to(torch.uint8).sum() | {x}.int().sum() | {x}.short() + 1 | {x}.to(torch.int32) * 2 | {x}.to(torch.int8)
torch.floor_divide({x}, 2) | torch.div({x}, 2, rounding_mode="floor") | torch.div({x}, 2) | {x}.div(2)
torch.remainder({x}, 2) | {x}.fmod(2) | torch.true_divide({x}, 3) | {x}.pow(2) | torch.pow(2, {x}.clamp(0, 5))
{x}.sqrt() | {x}.exp().tanh() | torch.sigmoid({x}) | {x}.float().softmax(-1) | F.one_hot({x}.abs() % 4, 5)
F.one_hot({x}.clamp(0, 3), num_classes=4).float() | 1:{x}.cumsum(0) | 1:{x}.unique()
1:torch.bincount({x}.reshape(-1).abs() % 5) | 1:torch.bincount({x}.flatten().abs() % 5, minlength=7) | 1:{x}.view(-1)
1:{x}[0] | 1:{x}[{x} > 1] | 1:{x}.tolist()[0] * {x} | {x}.sum().item() * {x} | {x}.type(torch.FloatTensor)
{x}.long() | {x}.to(torch.float32) | {x}.logical_not() | ({x} > 1) & ({x} < 4) | ({x} > 1) @OR ({x} == 0)
torch.logical_and({x}, {x} > 1) | ({x} > 1).logical_or({x} == 0) | {x}.bitwise_and(3) | torch.bitwise_or({x}, 1)
1:{x}.flip(0) | 1:torch.cat([{x}, {x}]) | torch.stack([{x}, {x} + 1]) | {x} * True | {x}.half() | (3.5 - {x}) * {x}
7 // ({x}.abs() + 1) | 7 % ({x}.abs() + 1) | 7 / ({x}.abs() + 1) | torch.maximum({x}, torch.tensor(2))
torch.add({x}, 2, alpha=3) | torch.add({x}, {x}.float()) | torch.mul({x}, 0.5) | {x}.mul(2).add(1)
{x}.mul({x}.add(1)) | {x}.var() if {x}.is_floating_point() else {x} | 1:{x}.argmax() * 0 + {x}
1:{x}.argsort().shape[0] * {x} | {x}.clone() | torch.zeros_like({x}) | torch.ones_like({x}, dtype=torch.float32)
torch.full_like({x}, 2) | {x}.new_zeros(2) | {x}.new_tensor([1, 2]) | torch.bitwise_xor({x}, {x} + 1) | {x}.sign()
{x}.numel() - {x} | {x}.gt(1).sum()
"""

MASKS = """
~{x} | {x} & {b} | {x} @OR {b} | {x} ^ {b} | {x}.float() | {x}.int() | {x}.long() | {x}.sum() | {x}.any() | {x}.all()
{x}.float().mean() | {x} * 2 | {x} * 0.5 | {x} + {b} | {x} * {b} | {x} / 2 | 1 - {x}.float() | torch.logical_not({x})
torch.logical_and({x}, {b}) | {x}.logical_or({b}) | torch.logical_xor({x}, {b}) | {x} == {b} | {x}.eq(True)
{x} != {b} | torch.where({x}, 1, 0) | torch.where({x}, 1.5, -0.5) | torch.where({x}, 2.0, 1) | {x}.to(torch.float64)
{x}.sum().item() + {x}.float() | 1:{x}.nonzero() | 1:torch.nonzero({x}) | 1:torch.nonzero({x}, as_tuple=True)[0]
1:{x}.sum({d}) | 1:{x}.any(dim={d}) | 1:{x}.all({d}, keepdim=True) | 1:{x}.cumsum({d}) | 1:{x}.view(-1) | 1:{x}[0]
{x}.bool() | {x}.type(torch.float32) | {x}.mul(3) | {x}.add(1) | 1:{x}.long().argmax({d}) * 0
torch.ones(2) * {x}.sum() | {x}.clone() | {x} > 0 | -{x}.int()
"""


def templates(table: str) -> list[str]:
    """Those of a table, which stand between bars and on lines; a backslash and n is a new line in a template."""
    return [text.strip().replace("\\n", "\n") for text in table.replace("\n", " | ").split(" | ") if text.strip()]


def parsed(table: str) -> list[tuple[int, bool, str]]:
    """(axes at least, whether values must be apart, template)."""
    found = []
    for text in templates(table.replace("@OR", "\0")):
        text = text.replace("\0", "|")
        apart = "!" in text[:3] and text.replace("1:", "").replace("2:", "").lstrip().startswith("!")
        text = text.replace("!", "", 1) if apart else text
        axes = 0
        if text[:2] in ("1:", "2:", "3:"):
            axes, text = int(text[0]), text[2:]
        text = text.removeprefix("!")
        if text:
            found.append((axes, apart, text))
    return found


FLOAT = {
    name: parsed(table)
    for name, table in {
        "pointwise": POINTWISE,
        "binary": BINARY,
        "reduce": REDUCE,
        "shapes": SHAPES,
        "indexing": INDEXING,
        "matrices": MATRICES,
    }.items()
}
INT = parsed(INTEGERS)
BOOL = parsed(MASKS)
