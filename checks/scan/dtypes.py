"""Each operation at each dtype, at pairs of dtypes, beside Python's numbers: values and the dtype of what it gives."""

from __future__ import annotations

from collections.abc import Iterator

from checks.scan.case import Case, entries, program, shown

DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
VALUES = {
    "bool": "[True, False, True, True]",
    "uint8": "[3, 200, 100, 7]",
    "int8": "[3, -128, 100, -7]",
    "int16": "[3, -300, 30000, -7]",
    "int32": "[3, -70001, 2000000001, -7]",
    "int64": "[3, -70001, 5000000001, -7]",
}
FLOATS = "[0.75, -2.5, 3.0, -7.25]"
OTHERS = {"bool": "[True, True, False, True]", "uint8": "[2, 3, 250, 5]"}
WHOLE, BROKEN = "[2, 3, -5, 4]", "[1.5, -0.5, 2.0, 3.0]"
ONE = entries("""
    -x; ~x; not x[0]; abs(x); x.abs(); x.neg(); x.sign(); x.square(); x ** 2; x ** 0.5; x.pow(2); x.pow(3.0); 2 ** x;
    x.sqrt(); x.exp(); torch.log(x); torch.sigmoid(x); torch.sin(x); torch.tanh(x); torch.floor(x); x.round();
    x.ceil(); x.trunc(); torch.relu(x); F.relu(x); F.relu6(x); F.hardtanh(x); F.leaky_relu(x); F.threshold(x, 1, 0);
    torch.reciprocal(x); torch.rsqrt(x); torch.erf(x); torch.expm1(x); torch.square(x); x.sum(); x.sum(0); sum(x);
    sum([a for a in x]); torch.sum(x, dtype=torch.float32); x.prod(); x.prod(0);
    x.mean() if x.is_floating_point() else x.float().mean(); x.std(); x.var(); x.norm(); x.cumsum(0);
    torch.cumprod(x, 0); x.cummax(0)[0]; x.max(); x.min(); max(x); min(x); x.max(0); x.min(0)[0]; x.amax(); x.amin(0);
    x.argmax(); x.argmin(0); x.median(); x.median(0); x.mode(); x.sort(); x.sort(descending=True)[0]; x.argsort();
    sorted(x.tolist()); x.topk(2); x.kthvalue(2); x.unique(); x.unique(return_counts=True); x.any(); x.all(); x.any(0);
    torch.all(x, 0); x.count_nonzero(); x.nonzero(); torch.bincount(x.abs() % 9 if x.dtype != torch.uint8 else x);
    x.bool(); x.float(); x.int(); x.long(); x.double(); x.half(); x.byte(); x.to(torch.int8); x.to(torch.uint8);
    x.type(torch.float32); x.logical_not(); x.bitwise_not(); x.clamp(0, 5); x.clamp(min=1); x.clamp(max=1.5);
    x.clamp_max(2); torch.clip(x, 0.5, 2.5); x.flip(0); x.roll(1); x.repeat(2); x.repeat_interleave(2); x.tile((2,));
    x.view(2, 2).t(); x.view(2, 2).tril(); torch.triu(x.view(2, 2)); x.diag(); x.view(2, 2).trace(); x.diff();
    x.item() if x.numel() == 1 else x[1].item(); x.tolist(); float(x[0]); int(x[1]); bool(x[0]); x[0] + 1; x[0] * 0.5;
    x[1] // 2; -x[0]; x + x[0]; x * x[1]; x.new_zeros(2); x.new_ones(2); x.new_full((2,), 1); x.new_full((2,), 1.5);
    x.new_tensor([1, 2]); torch.zeros_like(x); torch.ones_like(x); torch.full_like(x, 3); torch.empty_like(x).dtype;
    torch.full((2,), x[0].item()); torch.tensor(x.tolist()); torch.stack([x, x]); torch.cat([x, x]); torch.outer(x, x);
    x.dot(x); x @ x; x.view(2, 2) @ x.view(2, 2); x.view(2, 2).mm(x.view(2, 2)); x.view(2, 2).matmul(x[:2]);
    torch.einsum("i,i->i", x, x); F.pad(x, (1, 1)); F.pad(x, (1, 1), value=1); F.one_hot(x.long().abs() % 4, 4);
    F.softmax(x, 0, dtype=torch.float32); x.masked_fill(x > 0, 1); x.masked_fill(x > 0, 0.5); torch.where(x > 0, x, 0);
    torch.where(x > 0, x, 0.5); torch.where(x > 0, 1, x); torch.where(x > 0, x, torch.zeros_like(x));
    torch.where(x > 0, True, x); x.where(x > 0, 1); torch.where(x > 0, 1, 0); torch.where(x > 0, 1.0, 0.0);
    torch.where(x > 0, 1, 0.5); x.histc(4) if x.is_floating_point() else x; torch.isin(x, torch.tensor([3, 7]));
    torch.isnan(x); torch.isinf(x); torch.isfinite(x); torch.nan_to_num(x); torch.signbit(x); torch.logical_and(x, x);
    x.index_select(0, torch.tensor([0, 2])); x.gather(0, torch.tensor([0, 2])); x.take(torch.tensor([0, 2]));
    x.scatter(0, torch.tensor([0]), 1); x.index_fill(0, torch.tensor([1]), 1);
    x.index_add(0, torch.tensor([1]), x[:1]); x.scatter_add(0, torch.tensor([0, 0]), x[:2]);
    torch.meshgrid(x, x, indexing="ij")[0]; torch.cartesian_prod(x, x); torch.combinations(x); x.is_floating_point();
    x.element_size(); x.dtype == torch.float32; torch.can_cast(x.dtype, torch.float32);
    torch.finfo(x.dtype).max if x.is_floating_point() else x.dtype; x.numpy() if x.dtype != torch.bfloat16 else x;
    x.type_as(torch.ones(1)); torch.as_tensor(x, dtype=torch.float32); torch.add(x, 1); torch.mul(x, 2.5);
    torch.sub(x, True); torch.div(x, 2); torch.true_divide(x, 2); torch.floor_divide(x, 2); torch.remainder(x, 3);
    torch.fmod(x, 3); torch.div(x, 2, rounding_mode="floor"); torch.div(x, 2, rounding_mode="trunc"); torch.eq(x, 3);
    torch.gt(x, 2.5); torch.pow(x, 2); torch.pow(2, x); torch.lerp(x, x, 0.5); torch.addcmul(x, x, x);
    torch.cumsum(x, 0, dtype=torch.float32); torch.logsumexp(x, 0); torch.bitwise_and(x, x); x.lt(2); x.ge(2.5);
    x.bernoulli(0.0) if x.is_floating_point() else x; x.expand(2, 4).sum(0); x.expand(2, 4).sum(); x.view(2, 2).sum(1);
    x.view(2, 2).prod(1); x.view(2, 2).max(1); x.view(2, 2).argmax(1); x.view(2, 2).any(1); x.view(2, 2).all();
    x[0].sum(); x[0].prod(); x[0].cumsum(0); x[0].mean() if x.is_floating_point() else x[0]; x[0].max(); x[0].abs();
    x[0].clamp(0, 1); x[x > 0]; x[x.bool()]; (x > 0).sum(); (x > 0) * x; (x > 0).float().mean(); x.eq(x).all().item();
    x.sum() / len(x); x.sum() / x.numel(); x.sum().item(); x.sum() * 0.5; (x * x).sum(); x.nansum();
    torch.linspace(0, 1, 3, dtype=x.dtype); torch.arange(3, dtype=x.dtype); torch.zeros(2, dtype=x.dtype) + x[:2];
    torch.tensor(1.5).to(x); torch.tensor(2).to(x.dtype); torch.tensor([1.0, 2.0]).type(x.dtype);
    torch.eye(2, dtype=x.dtype); torch.vander(x); torch.bitwise_left_shift(x, 1); x << 1; x >> 1; x.softmax(0);
    torch.quantile(x, 0.5); torch.gcd(x, x); torch.hypot(x, x); torch.maximum(x, x.flip(0))
""")
IN_PLACE = entries("""
    x += 1; x -= 1; x *= 2; x *= 0.5; x /= 2; x //= 2; x %= 3; x **= 2; x |= True; x &= 1; x.add_(1); x.mul_(2);
    x.mul_(0.5); x.sub_(1); x.div_(2); x.pow_(2); x.clamp_(0, 5); x.clamp_(min=0.5); x.fill_(2.7); x.zero_(); x.neg_();
    x.abs_(); x.masked_fill_(x > 0, 2); x[0] = 2.7; x[0] = True; x[0] = 300; x[:2] = torch.tensor([1.5, 2.5]);
    x[x > 0] = 0; x[0] += 1; x[:2] *= 2; x[0] /= 2; x.copy_(torch.tensor([1.5, 2.5, -1.5, 0.0])); x.floor_();
    x.sign_(); x.relu_(); x.cumsum_(0); x.remainder_(3); x.floor_divide_(2); x.logical_not_();
    x.scatter_(0, torch.tensor([0]), 1); x.index_fill_(0, torch.tensor([0]), 2);
    x.index_add_(0, torch.tensor([0]), x[1:2]); x.bitwise_not_(); x.eq_(3); x.fill_diagonal_(1)
""")
TWO = entries("""
    x + y; x - y; x * y; x / y; x // y; x % y; x ** y; x & y; x | y; x ^ y; x == y; x != y; x < y; x <= y; x > y;
    torch.add(x, y); torch.add(x, y, alpha=2); torch.sub(x, y); torch.mul(x, y); torch.div(x, y);
    torch.div(x, y, rounding_mode="floor"); torch.div(x, y, rounding_mode="trunc"); torch.floor_divide(x, y);
    torch.remainder(x, y); torch.fmod(x, y); torch.pow(x, y); torch.maximum(x, y); torch.minimum(x, y);
    torch.max(x, y); torch.fmax(x, y); torch.where(x > 0, x, y); torch.where(y > 0, y, x); torch.cat([x, y]);
    torch.stack([x, y]); torch.cat((x, y), dim=0); torch.hstack([x, y]); torch.atan2(x, y); torch.logical_and(x, y);
    torch.logical_or(x, y); torch.logical_xor(x, y); torch.bitwise_and(x, y); torch.bitwise_or(x, y); torch.eq(x, y);
    torch.equal(x, y); torch.gt(x, y); torch.outer(x, y); x @ y; torch.dot(x, y); x.view(2, 2) @ y.view(2, 2);
    torch.einsum("i,j->ij", x, y); F.mse_loss(x, y); F.l1_loss(x, y); F.smooth_l1_loss(x, y);
    F.binary_cross_entropy_with_logits(x, y); F.cosine_similarity(x, y, dim=0); torch.dist(x, y);
    torch.lerp(x, y, 0.5); torch.addcmul(x, x, y); torch.addcdiv(x, x, y); torch.isclose(x, y); torch.allclose(x, y);
    torch.copysign(x, y); torch.hypot(x, y); torch.xlogy(x, y); torch.logaddexp(x, y);
    torch.cross(x[:3], y[:3], dim=0); torch.kron(x, y); torch.isin(x, y); torch.result_type(x, y);
    torch.promote_types(x.dtype, y.dtype); torch.searchsorted(x.sort()[0], y); torch.gcd(x, y); torch.heaviside(x, y);
    torch.clamp(x, min=y); torch.clamp(x, max=y); x.to(y.dtype); x.type_as(y); x.to(y); x.masked_fill(y > 0, 1);
    x.copy_(y); x.index_put((torch.tensor([0]),), y[:1]); x[0] * y; x + y[0]; x * y[0]; x / y[0]; x // y[0]; x % y[0];
    x ** y[0]; x - y[1]; x[0] - y[0]; x[0] / y[1]; x[0] // y[1]; x[0] % y[1]; x[0] ** y[0]; torch.maximum(x, y[0]);
    torch.where(x > 0, x, y[0]); torch.where(x > 0, x[0], y); x.view(2, 2) * y[:2]; x > y[0]; x == y[0]; x & y[0];
    torch.stack([x[0], y[0]]); torch.bmm(x.view(1, 2, 2), y.view(1, 2, 2));
    torch.addmm(x.view(2, 2), y.view(2, 2), y.view(2, 2)); torch.complex(x, y); torch.bucketize(x, y.sort()[0]);
    sum([x, y]); x.mul(y).sum(); (x * y).mean() if (x * y).is_floating_point() else x; x[:2].add(y[:2]); x.lt(y).sum();
    -x + y; (x > 0) + y; (x > 0) * y; (x > 0) & (y > 0)
""")
PAIR_STORES = entries("""
    x += y; x -= y; x *= y; x /= y; x //= y; x %= y; x &= y; x |= y; x.add_(y); x.mul_(y); x[:] = y; x[:2] = y[:2];
    x[0] = y[1]; x[1] += y[0]; x[x > 0] = y[x > 0]; x[torch.tensor([0, 1])] = y[:2]; x.masked_fill_(y > 0, 1);
    x.index_add_(0, torch.tensor([0, 1]), y[:2]); x.scatter_(0, torch.tensor([0, 1]), y[:2]);
    x.scatter_add_(0, torch.tensor([0, 1]), y[:2]); x.index_copy_(0, torch.tensor([0, 1]), y[:2]);
    x.masked_scatter_(x > 0, y)
""")
NUMBERS = ("True", "2", "-3", "0.5", "300", "-0.25")
BESIDE = entries("""
    x + n; n + x; x - n; n - x; x * n; n * x; x / n; n / x; x // n; n // x; x % n; n % x; x ** n; x == n; x < n;
    n >= x; x != n; x & n; n | x; x ^ n; x[0] + n; x[0] * n; n - x[0]; x[0] / n; x[1] // n; x[1] % n; x[0] > n;
    torch.add(x, n); torch.mul(x, n); torch.sub(x, n); torch.rsub(x, n); torch.where(x > 0, x, n);
    torch.where(x > 0, n, x); torch.full_like(x, n); x.new_full((2,), n); x.masked_fill(x > 0, n); x.clamp(max=n);
    x.clamp(min=n); torch.pow(x, n); torch.fmod(x, n); torch.remainder(x, n); F.pad(x, (1, 0), value=n); x.eq(n);
    x.le(n).sum(); torch.full((2,), n) + x[:2]; torch.tensor(n) * x; x * torch.tensor(n);
    torch.tensor([n, n, n, n]) + x; x.index_fill(0, torch.tensor([0]), n); x.scatter(0, torch.tensor([0]), n);
    torch.result_type(x, n)
""")


def tensor(name: str, dtype: str, values: str) -> str:
    usual = {"bool": "", "int64": "", "float32": ""}.get(dtype, f", dtype=torch.{dtype}")
    return f"{name} = torch.tensor({values}{usual})"


def first(dtype: str) -> str:
    return tensor("x", dtype, VALUES.get(dtype, FLOATS))


def second(dtype: str) -> str:
    floating = "float" in dtype
    return tensor("y", dtype, BROKEN if floating else OTHERS.get(dtype, WHOLE))


def cases() -> Iterator[Case]:
    for dtype in DTYPES:
        for what in ONE:
            yield Case("dtypes", what, dtype, program([first(dtype)], shown(what)))
        for what in IN_PLACE:
            yield Case("dtypes", what, dtype, program([first(dtype)], [what, "show(x)"]))
        for other in DTYPES:
            setup = [first(dtype), second(other)]
            for what in TWO:
                yield Case("dtypes", what, f"{dtype}, {other}", program(setup, shown(what)))
            for what in PAIR_STORES:
                yield Case("dtypes", what, f"{dtype}, {other}", program(setup, [what, "show(x)"]))
        for number in NUMBERS:
            for what in BESIDE:
                text = program([first(dtype), f"n = {number}"], shown(what))
                yield Case("dtypes", what, f"{dtype}, {number}", text)
