"""What is made of one part of a factorization alone, and of solutions in which one side is given."""

import torch


def q_alone(a0: "float32[4,3]"):
    return torch.linalg.qr(a0)[0]


def r_alone(a0: "float32[4,3]"):
    return torch.linalg.qr(a0).R


def lower_alone(a0: "float32[3,3]"):
    return torch.linalg.lu(a0)[1]


def upper_alone(a0: "float32[2,3,3]"):
    factors, pivots = torch.linalg.lu_factor(a0)
    return torch.lu_unpack(factors, pivots)[2]


def values_of_symmetric(a0: "float32[2,4,4]"):
    return torch.linalg.eigvalsh(a0 + a0.mT)


def values_of_pairs(a0: "float32[3,4,4]"):
    values, vectors = torch.linalg.eigh(a0 @ a0.mT)
    return values, vectors.abs()


def values_of_any(a0: "float32[2,4,4]"):
    return torch.real(torch.linalg.eigvals(a0 @ a0.mT)), torch.real(torch.linalg.eig(a0 @ a0.mT).eigenvalues)


def given_matrix(a0_: "float32[3,3]", a1: "float32[3,2]"):
    return torch.linalg.solve(a0_, a1)


def given_side(a0: "float32[3,3]", a1_: "float32[3]"):
    return torch.linalg.solve(a0, a1_), torch.linalg.solve_ex(a0, a1_).result


def given_triangle(a0_: "float32[3,3]", a1: "float32[3,2]"):
    return torch.linalg.solve_triangular(a0_.tril() + 3 * torch.eye(3), a1, upper=False)


def triangle_alone(a0: "float32[3,3]", a1_: "float32[3,2]"):
    return torch.linalg.solve_triangular(a0.triu() + 3 * torch.eye(3), a1_, upper=True)


def given_factor(a0_: "float32[3,3]", a1: "float32[3,2]"):
    return torch.cholesky_solve(a1, a0_.tril() + 3 * torch.eye(3))


def sides_alone(a0: "float32[4,3]", a1_: "float32[4,2]"):
    return torch.linalg.lstsq(a0, a1_).solution


def given_equations(a0_: "float32[4,3]", a1: "float32[4,2]"):
    return torch.linalg.lstsq(a0_, a1).solution


def piece_of_transposed(a0: "float32[4,5]"):
    return a0.t().narrow(0, 1, 2)


def quarter(a0: "float32[4,5]", a1: "float32[3]"):
    return torch.quantile(a0, a1.sigmoid(), dim=1)
