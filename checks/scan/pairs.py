"""Functions of two tensors and more far from zero, at it, at ties; losses and distributions at the edges of what they take."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from checks.scan.case import Case, entries, graded, names_in, numbers, program

POINTS = [-1e4, -88.0, -2.5, -1.0, 0.0, 1e-30, 0.5, 1.0, 2.0, 3.0, 88.0, 1e4]
HUGE = [-1e30, -1.0, 1e-30, 1.0, 1e30]
EDGES = [float("-inf"), -1.0, 0.0, 1.0, 2.0, float("inf")]
TWO = entries("""
    torch.pow(a, b); a ** b; a.abs() ** b; torch.atan2(a, b); torch.logaddexp(a, b); torch.logaddexp2(a, b);
    torch.xlogy(a, b); torch.special.xlog1py(a, b); torch.hypot(a, b); torch.fmod(a, b); torch.remainder(a, b); a % b;
    a // b; a / b; torch.div(a, b, rounding_mode="trunc"); torch.div(a, b, rounding_mode="floor");
    torch.copysign(a, b); torch.lerp(a, b, 0.3); torch.lerp(a, b, torch.tensor(0.7)); torch.addcdiv(a, a, b);
    torch.addcdiv(a, a, b, value=0.5); torch.addcmul(a, a, b, value=0.5); torch.maximum(a, b); torch.minimum(a, b);
    torch.fmax(a, b); torch.fmin(a, b); torch.max(a, b); torch.min(a, b); torch.where(a > b, a, b);
    torch.clamp(a, min=b); torch.clamp(a, max=b); torch.clamp(a, b, b + 1); torch.heaviside(a, b);
    torch.ldexp(a, b.clamp(-5, 5)); torch.float_power(a, b); torch.nextafter(a, b); torch.dist(a, b); a * b; a + b;
    a - b; torch.sub(a, b, alpha=2); torch.rsub(a, b); a == b; a < b; a >= b; torch.isclose(a, b); torch.eq(a, b);
    torch.ne(a, b); torch.cosine_similarity(a, b, dim=0); F.cosine_similarity(a[:, None], b[:, None], dim=1);
    F.pairwise_distance(a[:, None], b[:, None]); F.pairwise_distance(a[:, None], b[:, None], p=1);
    torch.linalg.vector_norm(torch.stack([a, b]), dim=0); torch.stack([a, b]).norm(dim=0);
    torch.stack([a, b]).norm(p=1, dim=0); torch.sqrt(a ** 2 + b ** 2); torch.stack([a, b]).softmax(0);
    torch.stack([a, b]).log_softmax(0); torch.stack([a, b]).logsumexp(0); torch.stack([a, b]).max(0)[0];
    torch.stack([a, b]).amax(0); torch.stack([a, b]).var(0); torch.stack([a, b]).std(0); torch.stack([a, b]).prod(0);
    torch.stack([a, b]).cumprod(0); torch.stack([a, b]).median(0)[0]; F.normalize(torch.stack([a, b]), dim=0);
    F.layer_norm(torch.stack([a, b], 1), (2,)); F.mse_loss(a, b, reduction="none"); F.l1_loss(a, b, reduction="none");
    F.smooth_l1_loss(a, b, reduction="none"); F.smooth_l1_loss(a, b, reduction="none", beta=0.5);
    F.smooth_l1_loss(a, b, reduction="none", beta=0.0); F.huber_loss(a, b, reduction="none");
    F.huber_loss(a, b, reduction="none", delta=0.5); F.soft_margin_loss(a, b.sign(), reduction="none");
    F.binary_cross_entropy_with_logits(a, b.clamp(0, 1), reduction="none");
    F.binary_cross_entropy_with_logits(a, b.clamp(0, 1), reduction="none", pos_weight=torch.tensor(3.0));
    F.binary_cross_entropy(a.clamp(0, 1), b.clamp(0, 1), reduction="none");
    F.binary_cross_entropy(torch.sigmoid(a), b.clamp(0, 1), reduction="none");
    F.kl_div(a, b.clamp(0, 1), reduction="none"); F.kl_div(a, b, reduction="none", log_target=True);
    F.kl_div(F.log_softmax(a, 0), F.softmax(b, 0), reduction="sum"); F.poisson_nll_loss(a, b.abs(), reduction="none");
    F.poisson_nll_loss(a.abs(), b.abs(), log_input=False, reduction="none");
    F.poisson_nll_loss(a, b.abs(), full=True, reduction="none");
    F.gaussian_nll_loss(a, b, a.abs().detach(), reduction="none");
    F.gaussian_nll_loss(a, b.detach(), b.abs(), reduction="none");
    F.gaussian_nll_loss(a, b.detach(), b.abs(), full=True, eps=1e-3, reduction="none");
    F.margin_ranking_loss(a, b, torch.ones_like(a), reduction="none");
    F.margin_ranking_loss(a, b, torch.ones_like(a), margin=0.5, reduction="none");
    F.hinge_embedding_loss(a, b.sign() + (b == 0), reduction="none");
    F.cosine_embedding_loss(a[:, None], b[:, None], torch.ones(a.numel()), reduction="none");
    F.cosine_embedding_loss(a[:, None], b[:, None], -torch.ones(a.numel()), reduction="none");
    F.triplet_margin_loss(a[:, None], b[:, None], b[:, None] * 0.5, reduction="none");
    F.multi_margin_loss(torch.stack([a, b], 1), torch.zeros(a.numel(), dtype=torch.long), reduction="none");
    F.multilabel_soft_margin_loss(torch.stack([a, b], 1), torch.tensor([[1.0, 0.0]]).repeat(a.numel(), 1), reduction="none");
    F.cross_entropy(torch.stack([a, b], 1), torch.zeros(a.numel(), dtype=torch.long), reduction="none");
    F.cross_entropy(torch.stack([a, b], 1), torch.zeros(a.numel(), dtype=torch.long), label_smoothing=0.1, reduction="none");
    F.cross_entropy(torch.stack([a, b], 1), torch.tensor([[0.3, 0.7]]).repeat(a.numel(), 1), reduction="none");
    F.nll_loss(F.log_softmax(torch.stack([a, b], 1), 1), torch.ones(a.numel(), dtype=torch.long), reduction="none");
    torch.cdist(a[:, None], b[:, None]).diagonal();
    torch.baddbmm(a[:, None, None], b[:, None, None], b[:, None, None]);
    torch.cross(torch.stack([a, b, a], 1), torch.stack([b, a, a], 1), dim=1)
""")
# log_prob and entropy of distributions: parameters of a and of b, values of v.
DISTRIBUTIONS = entries("""
    Normal(a, b.abs() + 1e-3).log_prob(v); Normal(a, b.abs() + 1e-3).cdf(v); Normal(a, b.abs() + 1e-3).entropy();
    Laplace(a, b.abs() + 1e-3).log_prob(v); Cauchy(a, b.abs() + 1e-3).log_prob(v);
    Gumbel(a, b.abs() + 1e-3).log_prob(v); LogNormal(a, b.abs() + 1e-3).log_prob(v.abs() + 1e-3);
    HalfNormal(b.abs() + 1e-3).log_prob(v.abs()); Exponential(b.abs() + 1e-3).log_prob(v.abs());
    Gamma(a.abs() + 1e-3, b.abs() + 1e-3).log_prob(v.abs() + 1e-3);
    Beta(a.abs() + 1e-3, b.abs() + 1e-3).log_prob(torch.full_like(v, 0.3));
    Beta(a.abs() + 1e-3, b.abs() + 1e-3).entropy(); StudentT(a.abs() + 1.0, b).log_prob(v);
    Poisson(b.abs() + 1e-3).log_prob(v.abs().round()); Bernoulli(logits=a).log_prob((v > 0).float());
    Bernoulli(logits=a).entropy(); Bernoulli(probs=torch.sigmoid(a)).log_prob((v > 0).float());
    Bernoulli(probs=torch.sigmoid(a)).entropy(); Geometric(logits=a).log_prob(v.abs().round());
    Uniform(a, a + b.abs() + 1.0).log_prob(a.detach() + 0.5);
    Categorical(logits=torch.stack([a, b], 1)).log_prob((v > 0).long());
    Categorical(logits=torch.stack([a, b], 1)).entropy();
    Categorical(probs=torch.stack([a, b], 1).softmax(1)).log_prob((v > 0).long());
    Categorical(probs=torch.stack([a, b], 1).softmax(1)).entropy();
    kl_divergence(Normal(a, b.abs() + 1e-3), Normal(v, torch.ones_like(v)));
    kl_divergence(Bernoulli(logits=a), Bernoulli(logits=b));
    kl_divergence(Categorical(logits=torch.stack([a, b], 1)), Categorical(logits=torch.stack([b, a], 1)))
""")
MODERATE = [-88.0, -2.5, 0.0, 0.5, 88.0]


def grid(one: list[float], other: list[float]) -> list[str]:
    both = list(product(one, other))
    return [
        f"a = torch.tensor({numbers(first for first, _ in both)}, requires_grad=True)",
        f"b = torch.tensor({numbers(second for _, second in both)}, requires_grad=True)",
    ]


def cases() -> Iterator[Case]:
    from checks.scan.steady import grads

    regimes = {"two": grid(POINTS, POINTS), "two huge": grid(HUGE, HUGE), "two edges": grid(EDGES, EDGES)}
    for what in TWO:
        for where, setup in regimes.items():
            if grads(setup, what):
                yield Case("pairs", what, where, program(setup, graded(what, names_in(what, ["a", "b"]))), alone=True)
            else:
                plain = [line.replace(", requires_grad=True", "") for line in setup]
                yield Case("pairs", what, where, program(plain, [f"y = {what}", "show(y)"]), alone=True)
    for what in DISTRIBUTIONS:
        kinds = "import Bernoulli, Beta, Categorical, Cauchy, Exponential, Gamma, Geometric, Gumbel, HalfNormal"
        more = "import Laplace, LogNormal, Normal, Poisson, StudentT, Uniform, kl_divergence"
        used = sorted(names_in(what, f"{kinds} {more}".replace("import ", "").replace(",", " ").split()))
        setup = [f"from torch.distributions import {', '.join(used)}", *grid(MODERATE, MODERATE)]
        setup.append("v = torch.tensor([-100.0, -1.0, 0.0, 0.5, 30.0]).repeat(5)")
        names = names_in(what, ["a", "b"])
        yield Case("pairs", what, "distribution", program(setup, graded(what, names)), alone=True)
