"""Functions of tensors, decompositions, random numbers, distributions."""

from __future__ import annotations

import hashlib
import tempfile

import numpy
import oneflow
from framework import OwnError, named, wanting_gradient
from probing import close, fails, probe


@probe(namesakes=())
def decompositions(names: list[str]) -> None:
    assert set(named(oneflow.linalg, "")) == {
        "cross", "diagonal", "flow", "inv", "matrix_norm", "norm", "vector_norm"
    }  # fmt: skip
    x = oneflow.tensor([[2.0, 1.0], [1.0, 3.0]])
    close(x @ oneflow.linalg.inv(x), numpy.eye(2))
    values, vectors = numpy.linalg.eigh(x.numpy())
    close(x.numpy() @ vectors, vectors * values)


@probe()
def other_decompositions(names: list[str]) -> None:
    for name in names:
        assert not hasattr(numpy.linalg, name.rpartition(".")[2])
    assert oneflow.ones(2, 2).numpy().dtype == "float32"  # what SciPy, which is not in this environment, takes


@probe()
def parts_of_decompositions(names: list[str]) -> None:
    x = oneflow.tensor([[1.0, 0.0], [0.0, 5.0]])
    close(numpy.linalg.eigh(x.numpy())[0][-1:], [5])  # the k largest, as lobpcg gives them
    left, values, right = numpy.linalg.svd(x.numpy())
    close((left * values) @ right, x)


@probe()
def bits(names: list[str]) -> None:
    x = oneflow.tensor([1.0, 3.0])
    assert len(hashlib.sha256(x.numpy().tobytes()).digest()) == 32


@probe()
def fourier(names: list[str]) -> None:
    assert named(oneflow, "fft") == []
    x = oneflow.tensor([1.0, 2.0, 3.0, 4.0])
    close(numpy.fft.irfft(numpy.fft.rfft(x.numpy())), x)


@probe(namesakes=("stft",))
def stft(names: list[str]) -> None:
    x = wanting_gradient(2, 50)
    fails(RuntimeError, lambda: oneflow.stft(x, 16, return_complex=True), "not supported")
    found = oneflow.stft(x, 16, center=False, return_complex=False)
    fails(OwnError, lambda: found.sum().backward(), "does not require grad")
    frames = x.detach().unfold(1, 16, 4).numpy()
    expected = numpy.fft.rfft(frames).transpose(0, 2, 1)
    close(found, numpy.stack([expected.real, expected.imag], -1))


@probe()
def segments(names: list[str]) -> None:
    x = oneflow.tensor([1.0, 2.0, 3.0])
    close(oneflow.stack([part.sum() for part in oneflow.split(x, [1, 2])]), [1, 5])


@probe()
def drawn(names: list[str]) -> None:
    assert named(oneflow, "poisson", "binomial") == []
    rates = oneflow.ones(400) * 3
    assert 2 < oneflow.tensor(numpy.random.default_rng(0).poisson(rates.numpy())).float().mean() < 4


@probe()
def files(names: list[str]) -> None:
    with tempfile.NamedTemporaryFile() as file:
        numpy.ones(3, "float32").tofile(file.name)
        close(oneflow.from_numpy(numpy.fromfile(file.name, "float32")), [1, 1, 1])


@probe()
def buffers(names: list[str]) -> None:
    given = numpy.ones(3, "float32").tobytes()
    close(oneflow.from_numpy(numpy.frombuffer(given, "float32")), [1, 1, 1])


@probe()
def rearranged(names: list[str]) -> None:
    x = oneflow.arange(24).reshape(2, 3, 4)
    close(x.permute(1, 0, 2).reshape(3, 8), numpy.arange(24).reshape(2, 3, 4).transpose(1, 0, 2).reshape(3, 8))


@probe(namesakes=("cat", "stack"))
def distributions(names: list[str]) -> None:
    assert named(oneflow.distributions, "constraint", "transform") == []
    # of tensors, where torch.distributions.constraints has what values may be
    x = oneflow.ones(2)
    close(oneflow.cat([x, x]), [1, 1, 1, 1])
    close(oneflow.stack([x, x]), [[1, 1], [1, 1]])


@probe()
def loaders_generator(names: list[str]) -> None:
    generator = oneflow.Generator()
    generator.manual_seed(3)
    first = oneflow.rand(3, generator=generator)
    generator.manual_seed(3)
    close(oneflow.rand(3, generator=generator), first)
