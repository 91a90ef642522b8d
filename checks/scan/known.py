"""Differences that a target's page names (``docs/TARGET.md``), where no line can be marked for them.

Of each: a pattern of the program's name, one of what differs (each difference that is shown has to have one), and the
words with which the page's paragraph begins; none for what is rounding.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

INFINITE = r" @ (two edges|two huge|huge|infinite|masked|all masked|nan)$"
EMPTY = r" @ (nothing|no rows|no columns|no batch)"
NEAR = r": (?P<one>-?[\d.]+(e-?\d+)?) against (?P<other>-?[\d.]+(e-?\d+)?)$"  # nearly the same number
NONE = r"(against None$|: None against)"
HIDDEN = ", hidden"  # of what these say of each, whoever knows of it
TWICE = r"^index: .* @ .*with gradients$"
WIDTHS = r"tensor (b?float\d+|u?int\d+) against (b?float\d+|u?int\d+)$"

KNOWN: dict[str, tuple[tuple[str, str, str], ...]] = {
    "paddle": (
        (
            rf"(clamp|sqrt|norm|distance|hypot|cosine|sorted|bucketize|softshrink|sinc|logaddexp2|lerp|isclose|quantile"
            rf"|trapezoid|var|std|prod|cross|abs|softsign|elu|\*\*|silu|gelu|maximum|minimum|mode|Soft|ELU|SiLU|GELU|_loss"
            rf"|_entropy|kl_div|remainder|%|addcdiv|fmod|cdist|lp_pool|xlog).*{INFINITE}",
            r"",
            "Infinities",
        ),
        (r"\.exp\(\)\.log\(\) @ far", r"", "Infinities"),
        (r"(digamma|psi|polygamma|erfinv|ndtri|entr|erfcx|log_ndtr|sinc|i0e|i1e?)\(", r"", "Special functions"),
        (r"(nextafter|rounding_mode|ord=0)", NONE, "No gradient at all"),
        (r"(a == b|torch\.(eq|ne)\(a|xlog)", r"", "Equality"),
        (r"(kl_div|poisson_nll|gaussian_nll)\w*\(.* two", r"show\[0\]\[2\]", "Gradients of targets"),
        (
            r"(clamp\([ax]|norm|margin_loss|margin_ranking|Hinge|fmod|xlog|elu|ELU|rsqrt|abs\(\)\.sqrt|cosine_|hypot|pow|\*\*"
            r"|addcdiv|log\(1 \+ torch\.exp|Gumbel|std_mean|lp_pool|cdist)",
            r"show\[0\]\[[12]\]",
            "Kinks",
        ),
        (r"abs\(\)\.sqrt.*, twice$", r"", "Kinks"),
        (r"^index: x\[\[.*held and changed$", r"", "Views and gradients"),
        (r"^index: x\[\.\.\., b\]", r"shape", "Places that are stored twice"),
        (r"(kl_divergence\(|Bernoulli\(probs)", r"", "KL divergences"),
        (EMPTY, r"", "Nothing"),
        (r"^dtypes: ", WIDTHS, "Dtypes"),
        (r"^dtypes: .*(\*\*|mm|matmul|bmm|@).*int", r"", "Whole numbers that overflow"),
        (r"^dtypes: .*cosine", r"", "Numbers beside half precision"),
        (r"^dtypes: (F\.pad|torch\.add\(x, y, alpha|x(\[0\])? / ).*bool", r"", "Numbers beside truth values"),
        (r"^dtypes: .*tolist\(\).* @ bfloat16", r"", "Lists of bfloat16"),
        (r"^(layers|options|ranks): .*([Nn]orm|det\()", NEAR, ""),
        (r"^ranks: torch\.inner", r"shape", "Numbers by number"),
        (r"^index: x\[m2, k\]", r"shape", "Indices into views"),
        (TWICE, r"show\[0\]\[[12]\]", "Places that are stored twice"),
        (r"^layers: nn\.(RNN|LSTM|GRU)\(", r"items$|against \d$|proj_size", "What recurrent layers hold"),
        (r"^layers: .*(proj_size|AdaptiveLogSoftmaxWithLoss)", r"", "What recurrent layers hold"),
        (r"^(layers|ranks): nn\.LayerNorm\([(\[]", r"shape|items|2 against 1$", "What recurrent layers hold"),
        (r"^layers: nn\.InstanceNorm2d\(3, affine=True", r"scale", "What recurrent layers hold"),
        (r"^layers: .* @ (children|loaded, not strict)", r"NonDynamically|_weight", "Classes as values"),
    ),
    "oneflow": (
        (EMPTY, r"", "Nothing"),
        (
            rf"(amax|aminmax|norm|logaddexp2|lerp|quantile|trapezoid|remainder|%|softm|Softm|softsign|Softsign|swish|prod|\*\*"
            rf"|pow|elu|ELU|_loss|dist|var|std|hypot|fmod|addcdiv|cosine|kl_div|cross|renorm|erfcx|i0|i1|gelu|GELU|logsumexp"
            rf"|logcumsumexp|log_softmax|abs|sqrt).*{INFINITE}",
            r"",
            "Infinities",
        ),
        (r" @ nan$", r"", "NaN"),
        (r"^dtypes: ", WIDTHS, "Dtypes"),
        (r"^dtypes: .*(int8|uint8|bool)", r"", "Dtypes"),
        (r"^dtypes: .*(cosine|@ x|mm\(|matmul|vander|scatter|\*\*|pow)", r"", "Whole numbers that overflow"),
        (r"(digamma|psi|polygamma|lgamma|entr|sinc|log_ndtr|ndtri|gammaln)\(", r"", "Special functions"),
        (
            r"(clamp\([ax]|fmax|fmin|margin_loss|xlog|pow|\*\*|rounding_mode|std|cosine|hypot|addcdiv|normalize|logit|swish|PReLU"
            r"|nanmedian|quantile|scatter_reduce|abs\(\)\.sqrt|rsqrt|tanh|exp\(|nextafter|softmax|elu|mish|Mish|sigmoid)",
            r"show\[0\]\[[12]\]",
            "Kinks",
        ),
        (r"(log_softmax|LogSoftmax)", r"e-0[67]$", "oneDNN's log_softmax"),
        (r"(logit|exp\(|abs).*, twice$", r"", "Kinks"),
        (r"(i0|i1)\(x\) @ far", r"", "Special functions"),
        (r"nextafter", r"", "Infinities"),
        (r"rounding_mode.*edges", r"", "Infinities"),
        (r"(cdist|MultiMargin)", r"\[1\]", "Kinks"),
        (r"histc", r"", "Decompositions"),
        (r"(kl_div|poisson_nll)", r"show\[0\]\[2\]", "Gradients of targets"),
        (r"^(layers|options|ranks): .*([Nn]orm|det\()", NEAR, ""),
        (r"^index: x\[.*\b(b|True|m\[0\]|m\[1\]|m\.any\(\)|n > 0|False)", r"", "`x[True]`"),
        (r"^ranks: nn\.Flatten\(0\) @ number", r"", "Tensors without axes"),
        (TWICE, r"show\[0\]\[[12]\]", "Places that are stored twice"),
        (r"^layers: .* @ children", r"NonDynamically|PixelShuffle", "Classes as values"),
    ),
    "jax": (
        (
            rf"(_entropy|lerp|_loss|quantile|swish|polygamma|psi|digamma|long|int|cdist|fmod|remainder|%|cosine|std|var|norm|distance|hypot|div|addc|pow|\*\*).*{INFINITE}",
            r"",
            "Numbers far from zero",
        ),
        (r"(kl_divergence\(|F\.binary_cross_entropy\(|histc)", r"", "Numbers far from zero"),
        (r"^index: x\[None, (True|b)\]", r"", "Numbers far from zero"),
        (
            r"(gamma|psi\(|i0|i1|logit|entr|erfcx|log_ndtr|ndtri|mish|Mish|atanh|sinc|F\.[sc]?elu|nn\.[SC]?ELU|softsign|Softsign|hypot"
            r"|abs\(\)\.sqrt|copysign|log\(torch\.sigmoid|d\(\)\.log|p\(\)\.log|log\(1 \+ torch|log1p\(torch).*, twice$",
            r"",
            "Second gradients",
        ),
        (r"^(layers|options|ranks): .*([Nn]orm|det\()", NEAR, ""),
    ),
}


def known(target: str, name: str, differences: Sequence[str]) -> str:
    """The words by which the page names all that differs in a program; "" where it does not name all."""
    said, name = set(), name.removesuffix(HIDDEN)
    for one in differences:
        found = [words for of, what, words in KNOWN.get(target, ()) if re.search(of, name) and fits(what, one)]
        if not found:
            return ""
        said.add(found[0])
    return "; ".join(sorted(said)) or "rounding"


def fits(what: str, difference: str) -> bool:
    """Whether a pattern is one of a difference; where it names one number and another, they are nearly the same."""
    found = re.search(what, difference)
    numbers = found.groupdict() if found else {}
    if not numbers:
        return found is not None
    return math.isclose(float(numbers["one"]), float(numbers["other"]), rel_tol=2e-3, abs_tol=2e-3)
