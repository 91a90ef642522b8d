"""Numbers far from zero, near it, at it, at kinks and ties, infinite ones and NaN: values, gradients, second gradients."""

from __future__ import annotations

from collections.abc import Iterator

from checks.scan.case import Case, entries, graded, graded_twice, names_in, numbers, program

NAMES = """
abs acos acosh asin asinh atan atanh ceil cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 floor frac i0 lgamma
log log10 log1p log2 logit nan_to_num neg positive rad2deg reciprocal relu round rsqrt sigmoid sign sgn sin sinc sinh
sqrt square tan tanh trunc
""".split()  # noqa: SIM905
SPECIAL = "entr erfcx exp2 expit expm1 i0e i1 i1e log1p log_ndtr logit ndtr ndtri psi sinc gammaln round".split()  # noqa: SIM905
ACTIVATIONS = """
relu relu6 elu selu celu leaky_relu gelu silu mish hardtanh hardswish hardsigmoid softplus softsign tanhshrink hardshrink
softshrink logsigmoid sigmoid tanh
""".split()  # noqa: SIM905
LAYERS = """
ReLU ReLU6 ELU SELU CELU LeakyReLU GELU SiLU Mish Hardtanh Hardswish Hardsigmoid Softplus Softsign Tanhshrink Hardshrink
Softshrink LogSigmoid Sigmoid Tanh PReLU
""".split()  # noqa: SIM905
CALLS = entries("""
    x ** 2; x ** 3; x ** 0.5; x ** -1; x ** -2; x ** 1.5; x ** 0; 2 ** x; 2.0 ** x; 10 ** x; 1 / x;
    1.0 / (1.0 + torch.exp(-x)); x / 3.0; x % 3; x % -3; x // 3; torch.remainder(x, 2.5); torch.fmod(x, 2.5);
    torch.clamp(x, -1, 1); torch.clamp(x, min=0); torch.clamp(x, max=1.0); x.clamp_min(0.5); x.clamp_max(0.5);
    torch.clip(x, -3.0, 3.0); F.threshold(x, 1.0, -2.0); nn.Threshold(0.5, 0.0)(x); F.elu(x, alpha=2.0);
    F.leaky_relu(x, 0.2); F.gelu(x, approximate="tanh"); nn.GELU(approximate="tanh")(x); F.softplus(x, beta=2.0);
    F.softplus(x, beta=1.0, threshold=50.0); F.hardshrink(x, 1.0); F.softshrink(x, 1.0); F.hardtanh(x, -2.0, 2.0);
    F.celu(x, alpha=0.5); F.rrelu(x, 0.2, 0.2); nn.Softplus(beta=3)(x); nn.ELU(0.5)(x); nn.Hardtanh(0.0, 6.0)(x);
    F.glu(torch.stack([x, -x]), 0); F.prelu(x, torch.tensor([0.1])); x * torch.sigmoid(x);
    x * torch.sigmoid(1.702 * x); torch.where(x > 0, x, torch.exp(x) - 1); torch.where(x > 0, torch.log1p(x), x);
    torch.log(torch.sigmoid(x)); torch.log1p(torch.exp(-torch.abs(x))); torch.log(1 + torch.exp(x));
    torch.sqrt(x ** 2 + 1e-6); torch.log(x.clamp(min=1e-8)); torch.rsqrt(x.pow(2) + 1e-12); torch.polygamma(1, x);
    torch.mvlgamma(x, 2); torch.float_power(x, 2); torch.pow(2, x); torch.special.xlog1py(2.0, x);
    torch.special.xlogy(2.0, x); torch.xlogy(x, 2.0); torch.ldexp(x, torch.tensor(2)); torch.nextafter(x, x + 1);
    torch.heaviside(x, torch.tensor([0.5])); torch.copysign(x, torch.tensor(-1.0)); torch.hypot(x, torch.tensor(3.0));
    torch.atan2(x, torch.tensor(1.0)); torch.logit(x, eps=1e-6); torch.nan_to_num(x, nan=1.0, posinf=2.0, neginf=-2.0);
    x.abs().sqrt(); x.sigmoid().log(); x.exp().log(); x.tanh().atanh(); torch.signbit(x); torch.isfinite(x);
    torch.isnan(x); torch.isinf(x); torch.isposinf(x); torch.isneginf(x); x > 0; x == x; x != x;
    torch.isclose(x, x + 1e-6); x.round(decimals=1); x.int(); x.long(); x.bool(); x.half(); x.to(torch.float64);
    (x * 2).round()
""")
ACROSS = entries("""
    F.softmax(x, 0); F.softmax(x, dim=-1); F.log_softmax(x, 0); F.softmin(x, 0); nn.Softmax(dim=0)(x);
    nn.LogSoftmax(dim=-1)(x); torch.logsumexp(x, 0); x.logsumexp(-1, keepdim=True); torch.logcumsumexp(x, 0);
    torch.cumsum(x, 0); torch.cumprod(x, 0); torch.cummax(x, 0)[0]; torch.cummin(x, 0).values; x.sum(); x.mean();
    x.prod(); x.std(); x.var(); x.var(unbiased=False); torch.std(x, correction=0); torch.std_mean(x)[0];
    torch.var_mean(x, unbiased=False)[0]; x.norm(); x.norm(p=1); x.norm(p=3); x.norm(p=float("inf"));
    torch.norm(x, dim=0); torch.linalg.norm(x); torch.linalg.vector_norm(x, ord=1);
    torch.linalg.vector_norm(x, ord=0.5); torch.linalg.vector_norm(x, ord=float("-inf"));
    torch.linalg.vector_norm(x, ord=0); F.normalize(x, dim=0); F.normalize(x, p=1, dim=0); F.layer_norm(x, x.shape);
    nn.LayerNorm(x.shape[-1])(x); F.rms_norm(x, x.shape); F.group_norm(x.reshape(1, 1, -1), 1);
    F.instance_norm(x.reshape(1, 1, -1)) if x.numel() > 1 else x; x.max(); x.min(); x.max(0)[0]; x.min(dim=0).values;
    x.max(-1).indices; x.amax(0); x.amin(); x.amax(); x.argmax(); x.argmin(0); x.median(); x.median(0)[0];
    torch.nanmedian(x); torch.nanmean(x); torch.nansum(x); torch.quantile(x, 0.5); torch.quantile(x, 0.3, dim=0);
    torch.nanquantile(x, 0.25); x.sort()[0]; x.sort(descending=True).values;
    x.sort(dim=0, descending=True, stable=True).indices; x.argsort(); x.topk(1)[0]; x.topk(1, largest=False).values;
    x.kthvalue(1)[0]; x.mode()[0]; x.unique(); torch.aminmax(x)[0]; torch.aminmax(x).max;
    F.max_pool1d(x.reshape(1, 1, -1), 1); F.adaptive_max_pool1d(x.reshape(1, 1, -1), 1);
    F.avg_pool1d(x.reshape(1, 1, -1), 1); F.adaptive_avg_pool1d(x.reshape(1, 1, -1), 1);
    F.lp_pool1d(x.reshape(1, 1, -1), 2, 1); torch.maximum(x, x.flip(0)); torch.minimum(x, x.flip(0));
    torch.fmax(x, x.flip(0)); torch.fmin(x, x.flip(0)); torch.logaddexp(x, x.flip(0)); torch.logaddexp2(x, x.flip(0));
    torch.outer(x, x); x @ x; torch.diff(x); torch.cdist(x[:, None], x[:, None]);
    torch.cdist(x[:, None], x.flip(0)[:, None], p=1); F.pairwise_distance(x[:, None], x.flip(0)[:, None]);
    F.cosine_similarity(x, x.flip(0), dim=0); torch.dist(x, x.flip(0)); torch.renorm(x[:, None], 2, 0, 1.0);
    torch.trapezoid(x); torch.count_nonzero(x); torch.nonzero(x); torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0]));
    torch.searchsorted(torch.tensor([-1.0, 0.0, 1.0]), x); torch.histc(x, 4, -1, 1);
    torch.scatter_reduce(torch.zeros(2), 0, torch.zeros(x.numel(), dtype=torch.long), x, "amax"); torch.all(x);
    torch.any(x); x.cumsum(0).diff(); torch.cov(torch.stack([x, x.flip(0)])); torch.corrcoef(torch.stack([x, x * 2]))
""")

FAR = [-1e4, -1000.0, -200.0, -104.0, -88.0, -20.0, -10.0, 10.0, 20.0, 50.0, 88.0, 104.0, 200.0, 1000.0, 1e4]
REGIMES: dict[str, list[float]] = {
    "far": FAR,
    "huge": [-1e30, -1e20, 1e20, 1e30],
    "near": [-1e-3, -1e-5, -1e-10, -1e-30, 1e-30, 1e-10, 1e-5, 1e-3],
    "zero": [0.0, 0.0],
    "kinks": [-6.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 6.0],
    "ties": [2.0, -1.0, 2.0, 0.5, -1.0, 2.0],
    "infinite": [float("-inf"), -1.0, 0.0, 1.0, float("inf")],
    "masked": [float("-inf"), 0.5, float("-inf"), -2.0],
    "all masked": [float("-inf"), float("-inf")],
    "one": [0.7],
}
NAN = "x = torch.tensor([1.0, -2.0, 0.0, 3.0])\nx = (x / x).requires_grad_()"  # NaN in the middle, which nothing speaks of


def elementwise() -> Iterator[str]:
    for name in NAMES:
        yield f"torch.{name}(x)"
    for name in SPECIAL:
        yield f"torch.special.{name}(x)"
    for name in ACTIVATIONS:
        yield f"F.{name}(x)"
    for name in LAYERS:
        yield f"nn.{name}()(x)"
    yield from CALLS


def written(what: str, where: str, setup: list[str]) -> Iterator[Case]:
    """An expression's value and gradients; its value alone where that takes none."""
    from checks.scan.steady import grads

    if grads(setup, what):
        yield Case("extremes", what, where, program(setup, graded(what, ["x"])), alone=True)
    else:
        plain = [line.replace(", requires_grad=True", "").replace(".requires_grad_()", "") for line in setup]
        yield Case("extremes", what, where, program(plain, [f"y = {what}", "show(y)"]), alone=True)


def cases() -> Iterator[Case]:
    for what in [*elementwise(), *ACROSS]:
        for where, values in REGIMES.items():
            setup = [f"x = torch.tensor({numbers(values)}, requires_grad=True)"]
            yield from written(what, where, setup)
        yield from written(what, "nan", NAN.split("\n"))
    for what in elementwise():
        for where in ("far", "zero", "kinks"):
            setup = [f"x = torch.tensor({numbers(REGIMES[where])}, requires_grad=True)"]
            text = program(setup, graded_twice(what, names_in(what, ["x"])[0]))
            yield Case("extremes", what, f"{where}, twice", text, alone=True)
