"""Random numbers: the same seed gives the same numbers, and each kind has its distribution."""

import torch


def in_place(a0_: "float32[400]"):
    return a0_.uniform_(-1, 2), torch.empty(400).normal_(1, 2), torch.empty(400).exponential_(2.0)


def in_place_discrete():
    return torch.empty(400).bernoulli_(0.3), torch.empty(400).geometric_(0.4), torch.empty(400).random_(0, 5)


def in_place_heavy():
    return torch.empty(400).log_normal_(0.5, 0.3)


def drawn(a0_: "0.1<=float32[400]<0.9"):
    return torch.bernoulli(a0_), torch.poisson(a0_ * 3), torch.binomial(torch.full((400,), 5.0), a0_)


def normals(a0_: "float32[400]"):
    return torch.normal(a0_, 0.5), torch.normal(a0_, a0_.abs() + 0.1), torch.normal(0.0, 2.0, (400,))


def permuted():
    return torch.sort(torch.randperm(50))[0], torch.randperm(5).dtype == torch.int64


def likes(a0_: "float32[400]"):
    return torch.rand_like(a0_), torch.randn_like(a0_), torch.randint_like(a0_, 0, 7)


def state():
    kept = torch.get_rng_state()
    first = torch.rand(3)
    torch.set_rng_state(kept)
    return first - torch.rand(3)


def seeds():
    torch.manual_seed(7)
    number = torch.initial_seed()
    torch.cuda.manual_seed_all(7)
    torch.cuda.manual_seed(7)
    return number


def seeded_again():
    torch.random.manual_seed(3)
    first = torch.randint(0, 100, (5,))
    torch.random.manual_seed(3)
    return first - torch.randint(0, 100, (5,))
