"""Functions that PyTorch has no samples of."""

import torch


def einsums(a0: "float32[2,3]", a1: "float32[3,4]"):
    return torch.einsum("ij,jk->ik", a0, a1), torch.einsum("ij,jk->k", [a0, a1]), torch.einsum("ij->ji", a0)


def chains(a0: "float32[2,3]", a1: "float32[3,4]", a2: "float32[4,2]"):
    return torch.chain_matmul(a0, a1, a2)


def counts(a0: "int64[10]<4", a1_: "float32[10]"):
    return torch.bincount(a0), torch.bincount(a0, minlength=6), torch.bincount(a0, a1_), a0.bincount()


def activations(a0: "float32[3,4]"):
    return torch.relu(a0), a0.relu(), torch.selu(a0), torch.celu(a0), torch.threshold(a0, 0.1, 2.0), a0.hardshrink()


def activations_in_place(a0_: "float32[3,4]"):
    return (
        torch.relu_(a0_.clone()),
        torch.selu_(a0_.clone()),
        torch.celu_(a0_.clone()),
        torch.threshold_(a0_.clone(), 0.1, 2.0),
    )


def in_place_functions(a0_: "0.1<=float32[3,4]<0.9"):
    return (
        torch.abs_(a0_.clone()),
        torch.acos_(a0_.clone()),
        torch.arcsin_(a0_.clone()),
        torch.atan_(a0_.clone()),
        torch.atanh_(a0_.clone()),
        torch.asinh_(a0_.clone()),
        torch.acosh_(a0_ + 1),
        torch.ceil_(a0_.clone()),
        torch.cos_(a0_.clone()),
        torch.cosh_(a0_.clone()),
        torch.deg2rad_(a0_.clone()),
        torch.rad2deg_(a0_.clone()),
        torch.erf_(a0_.clone()),
        torch.erfc_(a0_.clone()),
        torch.exp_(a0_.clone()),
        torch.exp2_(a0_.clone()),
        torch.expm1_(a0_.clone()),
        torch.floor_(a0_.clone()),
        torch.frac_(a0_.clone()),
        torch.fix_(a0_ * 3),
    )


def more_in_place_functions(a0_: "0.1<=float32[3,4]<0.9"):
    return (
        torch.i0_(a0_.clone()),
        torch.log_(a0_.clone()),
        torch.log10_(a0_.clone()),
        torch.log1p_(a0_.clone()),
        torch.log2_(a0_.clone()),
        torch.logit_(a0_.clone()),
        torch.nan_to_num_(a0_.clone()),
        torch.neg_(a0_.clone()),
        torch.reciprocal_(a0_.clone()),
        torch.round_(a0_.clone()),
        torch.rsqrt_(a0_.clone()),
        torch.sigmoid_(a0_.clone()),
        torch.sin_(a0_.clone()),
        torch.sinc_(a0_.clone()),
        torch.sinh_(a0_.clone()),
        torch.sqrt_(a0_.clone()),
        torch.square_(a0_.clone()),
        torch.tan_(a0_.clone()),
        torch.tanh_(a0_.clone()),
        torch.trunc_(a0_ * 3),
        torch.clamp_(a0_.clone(), 0.2, 0.5),
        torch.clamp_min_(a0_.clone(), 0.2),
        torch.clamp_max_(a0_.clone(), 0.5),
        torch.fill_(a0_.clone(), 2.0),
        torch.zero_(a0_.clone()),
    )


def integers_in_place(a0: "int64[6]<20", a1: "int64[6]<20"):
    return torch.gcd_(a0.clone(), a1), torch.lcm_(a0.clone(), a1), torch.xlogy_(a0.double() + 1, a1.double() + 1)


def wheres(a0: "float32[3,4]"):
    return torch.where(a0 > 0), torch.where(a0 > 0, a0, 0.0), a0.where(a0 > 0, -a0)


def put_in_place(a0_: "float32[5]"):
    return torch.index_put_(a0_, (torch.tensor([1, 3]),), torch.tensor([5.0, 6.0]))


def unravelled(a0: "int64[4]<20"):
    return torch.unravel_index(a0, (4, 5))


def windows():
    return (
        torch.hann_window(6),
        torch.hann_window(6, periodic=False),
        torch.hamming_window(6),
        torch.hamming_window(6, True, 0.5, 0.5),
        torch.blackman_window(6),
        torch.bartlett_window(6),
        torch.kaiser_window(6, beta=5.0),
    )


def signal_windows():
    return (
        torch.signal.windows.hann(6),
        torch.signal.windows.hamming(6, sym=False),
        torch.signal.windows.blackman(6),
        torch.signal.windows.bartlett(6),
        torch.signal.windows.kaiser(6, beta=5.0),
        torch.signal.windows.gaussian(6, std=1.5),
        torch.signal.windows.exponential(6, tau=2.0),
        torch.signal.windows.cosine(6),
        torch.signal.windows.nuttall(6),
        torch.signal.windows.general_cosine(6, a=[0.5, 0.3, 0.2]),
        torch.signal.windows.general_hamming(6, alpha=0.5),
    )


def triangles():
    return torch.tril_indices(3, 4), torch.triu_indices(3, 4, 1), torch.vander(torch.tensor([1.0, 2.0, 3.0]), 3)


def ranges():
    return torch.range(0, 3), torch.range(1, 2, 0.5), torch.logspace(0, 2, 5), torch.linspace(0, 1, 5), torch.eye(2, 3)


def fulls(a0: "int64[2]<5"):
    return (
        torch.full((2,), 3),
        torch.full((2,), 3.0),
        torch.full((2,), True),
        torch.full((2,), 3, dtype=torch.float32),
        torch.full_like(a0, 3),
        torch.zeros_like(a0, dtype=torch.float32),
    )


def arrays(a0_: "float32[3]"):
    return torch.as_tensor([1, 2]), torch.asarray([1.0, 2.0]), torch.as_tensor(a0_.numpy()), torch.as_tensor(a0_)


def layer_norms(a0: "float32[2,6,8]", a1_: "float32[8]", a2_: "float32[8]"):
    return torch.layer_norm(a0, (8,), a1_, a2_), torch.rms_norm(a0, (8,), a1_)


def group_norms(a0: "float32[2,6,8]"):
    return torch.group_norm(a0, 3)


def group_norms_with_weight(a0: "float32[2,6,8]", a1_: "float32[6]", a2_: "float32[6]"):
    return torch.group_norm(a0, 3, a1_, a2_)


def pooled(a0: "float32[2,6,8]"):
    return torch.max_pool1d(a0, 2), torch.dropout(a0, 0.5, False)


def padded(a0: "float32[2,6,8]"):
    return torch.constant_pad_nd(a0, (1, 2), 0.5)


def second_losses(a0: "float32[4,5]", a1_: "0<=float32[4,5]<1"):
    return (
        torch.binary_cross_entropy_with_logits(a0, a1_),
        torch.kl_div(torch.log_softmax(a0, 1), a1_, 2),
        torch.poisson_nll_loss(a0, a1_, True, False, 1e-8, 1),
        torch.hinge_embedding_loss(a0, torch.ones(4, 5)),
    )


def looked_up(a0: "float32[5,3]", a1: "int64[4]<5"):
    return torch.embedding(a0, a1)


def complexes(a0_: "float32[3,2]"):
    z = torch.view_as_complex(a0_)
    return (
        torch.view_as_real(z),
        z.real,
        z.imag,
        torch.real(z),
        torch.imag(z),
        z.conj().resolve_conj(),
        z.abs(),
        z.angle(),
    )


def derivatives(a0: "0.5<=float32[6]<3"):
    return (
        torch.polygamma(1, a0),
        a0.polygamma(1),
        torch.special.polygamma(2, a0),
        torch.gradient(a0),
        torch.gradient(a0, spacing=0.5),
    )


def gammas(a0: "0.5<=float32[6]<3", a1_: "0.5<=float32[6]<3"):
    return (
        torch.igamma(a1_, a1_),
        torch.special.gammainc(a1_, a1_),
        torch.igammac(a1_, a1_),
        torch.special.gammaincc(a1_, a1_),
    )


def saved_to_a_path(a0_: "float32[2,3]"):
    import io
    import pathlib
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "file.pt"
        torch.save({"weight": a0_}, path)
        first = torch.load(path)["weight"]
        with open(path, "wb") as file:
            torch.save([a0_, 3], file)
        with open(path, "rb") as file:
            second = torch.load(file)[0]
    buffer = io.BytesIO()
    torch.save(a0_, buffer)
    buffer.seek(0)
    return first, second, torch.load(buffer, map_location="cpu")


def settings():
    torch.set_printoptions(precision=3, sci_mode=False)
    torch.set_float32_matmul_precision("high")
    return torch.sym_int(3.0), torch.sym_float(2), torch.sym_max(2, 3), torch.sym_not(True)


def branches(a0: "float32[3]"):
    return torch.cond(a0.sum() > 0, lambda x: x * 2, lambda x: x - 1, (a0,))


def loops(a0_: "float32[3]"):
    return torch.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (torch.tensor(0), a0_))[1]


def low_rank(a0_: "float32[6,4]"):
    u, s, v = torch.svd_lowrank(a0_, q=4, niter=5)
    return (u * s) @ v.T


def norms(a0: "float32[3,4]"):
    return torch.frobenius_norm(a0, [0, 1]), torch.nuclear_norm(a0), torch.norm_except_dim(a0, 2, 0)


def compared(a0_: "float32[3]"):
    torch.testing.assert_close(a0_, a0_.clone())
    return torch.typename(a0_.tolist())
