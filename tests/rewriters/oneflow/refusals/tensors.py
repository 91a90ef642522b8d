"""Dtypes, memory, and functions of tensors."""

from __future__ import annotations

import hashlib
import tempfile

import numpy
import oneflow
from framework import OwnError, named, python, wanting_gradient
from probing import close, fails, probe


@probe(
    "OneFlow 0.9 has no constructor of bfloat16 tensors; use torch.tensor(...).bfloat16(), on a GPU to compute with it"
)
def bfloat16(names: list[str]) -> None:
    x = oneflow.tensor([1.0]).bfloat16()
    assert x.dtype == oneflow.bfloat16
    close(x.float(), [1])
    fails(RuntimeError, lambda: x + 1, "op_kernel_not_found_error")  # on a CPU


@probe("OneFlow 0.9 has no such dtype; it has bool, uint8, int8, int32, int64, float16, bfloat16, float32 and float64")
def dtypes(names: list[str]) -> None:
    those = {"bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64"}
    found = {str(value) for value in vars(oneflow).values() if isinstance(value, oneflow.dtype)}
    own = {"of_record", "tensor_buffer"}  # of records and of lists of tensors
    assert {name.rpartition(".")[2] for name in found} - own == those
    fails(RuntimeError, lambda: oneflow.tensor(numpy.ones(2, "int16")), "invalid_value_error")


@probe("OneFlow 0.9 does not tell which casts are allowed; compare the dtypes")
def casts(names: list[str]) -> None:
    assert named(oneflow, "can_", "promote", "result_type") == []
    assert oneflow.ones(2).dtype == oneflow.float32 != oneflow.int64


@probe("OneFlow 0.9 has no complex tensors; keep real and imaginary parts as two tensors")
def complex_numbers(names: list[str]) -> None:
    fails(RuntimeError, lambda: oneflow.tensor([1 + 2j]), "invalid_value_error")
    assert named(oneflow, "complex") == []
    real, imaginary = oneflow.ones(2), oneflow.ones(2) * 2
    close(real * real - imaginary * imaginary, [-3, -3])


@probe("OneFlow 0.9 has no quantized tensors; deploy in floating point, or quantize with the tool of the deployment")
def quantized(names: list[str]) -> None:
    assert named(oneflow, "quantize", "qint") == []
    assert named(oneflow.Tensor, "quantize", "qscheme") == []


@probe("OneFlow 0.9 does not change a tensor's shape in place; assign the result: x = x.transpose(0, 1)")
def shape_in_place(names: list[str]) -> None:
    x = oneflow.rand(2, 3)
    kept = x.numpy()
    x = x.transpose(0, 1)
    close(x, kept.T)


@probe("OneFlow 0.9 has no copy through strides; use x.as_strided(size, stride).clone(), x.unfold(...)")
def strides(names: list[str]) -> None:
    x = oneflow.tensor([1.0, 2.0, 3.0])
    close(x.as_strided((2, 2), (1, 1)).clone(), [[1, 2], [2, 3]])
    close(x.unfold(0, 2, 1), [[1, 2], [2, 3]])


@probe("OneFlow 0.9 does not write through strides; assign by indexing: x[...] = src")
def written_through_strides(names: list[str]) -> None:
    x = oneflow.zeros(3)
    x[::2] = oneflow.tensor([1.0, 2.0])
    close(x, [1, 0, 2])


@probe("OneFlow 0.9 has no copying slices; use x[...].clone()")
def slices(names: list[str]) -> None:
    x = oneflow.tensor([1.0, 2.0, 3.0])
    kept = x[1:].clone()
    x.zero_()
    close(kept, [2, 3])


@probe("OneFlow 0.9 makes tensors in row-major order only; use torch.empty and permute")
def order(names: list[str]) -> None:
    assert oneflow.empty(2, 3).stride() == (3, 1)
    assert oneflow.empty(2, 3).permute(1, 0).stride() == (1, 3)


@probe("OneFlow 0.9's tensors have one memory format; drop the argument")
def memory_format(names: list[str]) -> None:
    fails(TypeError, lambda: oneflow.ones(2).contiguous(memory_format=None))
    close(oneflow.ones(2).contiguous(), [1, 1])


@probe("OneFlow 0.9's tensors have one memory format; leave the call out")
def memory_format_of_layers(names: list[str]) -> None:
    assert oneflow.nn.Conv2d(3, 4, 2).weight.stride() == (12, 4, 2, 1)
    assert named(oneflow, "channels_last", "memory_format") == []


@probe("OneFlow 0.9's tensors have one layout, the strided one; leave layouts out")
def layouts(names: list[str]) -> None:
    fails(TypeError, lambda: oneflow.zeros(2, layout=None))
    assert oneflow.zeros(2, 3).stride() == (3, 1)


@probe("OneFlow 0.9 does not show a tensor's storage; use x.numpy(), or x.data")
def storage(names: list[str]) -> None:
    x = wanting_gradient(3)
    assert named(x, "ptr") == []
    close(x.data, x.numpy())


@probe("OneFlow 0.9 has no storages; use isinstance(x, oneflow.Tensor)")
def storages(names: list[str]) -> None:
    assert named(oneflow, "storage") == []
    assert isinstance(oneflow.ones(2), oneflow.Tensor)


@probe(
    "OneFlow 0.9's tensors are not shared between processes by a method; send x.numpy() through a queue of "
    "multiprocessing"
)
def shared(names: list[str]) -> None:
    from multiprocessing import SimpleQueue

    queue = SimpleQueue()
    queue.put(oneflow.ones(2).numpy())
    close(oneflow.from_numpy(queue.get()), [1, 1])


@probe("OneFlow 0.9 gives plain tensors for those of a derived class; write functions of plain tensors")
def derived(names: list[str]) -> None:
    class Own(oneflow.Tensor):
        pass

    assert type(Own([1.0, 2.0]) + 1) is oneflow.Tensor


@probe("OneFlow 0.9's tensors have no named dimensions; index by position")
def named_dimensions(names: list[str]) -> None:
    fails(TypeError, lambda: oneflow.zeros(2, 3, names=("N", "C")))
    assert oneflow.zeros(2, 3)[:, 1].shape == (2,)


@probe("OneFlow 0.9 calls no Python function for each element; write it with functions of tensors")
def mapped(names: list[str]) -> None:
    assert named(oneflow.Tensor, "map", "apply") == []
    x = oneflow.tensor([1.0, -2.0])
    close(oneflow.where(x > 0, x, x * 0), [1, 0])


@probe("OneFlow 0.9 copies values into parameters; use param.data.copy_(...)")
def copied(names: list[str]) -> None:
    param = oneflow.nn.Parameter(oneflow.zeros(2))
    param.data.copy_(oneflow.tensor([1.0, 2.0]))
    close(param, [1, 2])


@probe(
    "OneFlow 0.9's tensors cannot trade places; trade their values: kept = a.clone(), then a.copy_(b) and b.copy_(kept)"
)
def traded(names: list[str]) -> None:
    a, b = oneflow.ones(2), oneflow.zeros(2)
    kept = a.clone()
    a.copy_(b)
    b.copy_(kept)
    close(a, [0, 0])
    close(b, [1, 1])


@probe("OneFlow 0.9 has dense tensors only; keep indices and values as two tensors")
def sparse(names: list[str]) -> None:
    assert named(oneflow, "coo", "csr") == []
    assert named(oneflow.Tensor, "sparse", "coo", "csr") == []
    indices, values = oneflow.tensor([[0, 1], [1, 0]]), oneflow.tensor([2.0, 3.0])
    dense = oneflow.zeros(2, 2)
    dense[indices[0], indices[1]] = values
    close(dense, [[0, 2], [3, 0]])


@probe(
    "OneFlow 0.9 has no sparse tensors, and the function of that name takes dense ones; use it: oneflow.addmm, "
    "log_softmax, softmax or sum",
    namesakes=("addmm", "log_softmax", "softmax", "sum"),
)
def dense_namesakes(names: list[str]) -> None:
    x = oneflow.tensor([[1.0, 2.0], [3.0, 4.0]])
    close(oneflow.addmm(x, x, x), x.numpy() + x.numpy() @ x.numpy())
    close(oneflow.log_softmax(x, 1), numpy.log(oneflow.softmax(x, 1).numpy()))
    close(oneflow.softmax(x, 1).sum(1), [1, 1])
    assert named(oneflow.Tensor, "sparse") == []


@probe("OneFlow 0.9 has no sparse tensors; multiply dense ones")
def products(names: list[str]) -> None:
    x = oneflow.tensor([[0.0, 2.0], [3.0, 0.0]])
    close(oneflow.mm(x, x), [[6, 0], [0, 6]])
    assert named(oneflow, "sparse") == []


@probe("OneFlow 0.9 has no nested tensors; keep the padded tensor and its lengths")
def nested(names: list[str]) -> None:
    assert named(oneflow, "nested", "jagged") == []
    padded = oneflow.nn.utils.rnn.pad_sequence([oneflow.ones(2), oneflow.ones(1)])
    close(padded, [[1, 1], [1, 0]])


@probe(
    "OneFlow 0.9 has no such decomposition, only linalg.inv; compute it with numpy.linalg on x.numpy()",
    namesakes=(),
)
def decompositions(names: list[str]) -> None:
    assert set(named(oneflow.linalg, "")) == {
        "cross", "diagonal", "flow", "inv", "matrix_norm", "norm", "vector_norm"
    }  # fmt: skip
    x = oneflow.tensor([[2.0, 1.0], [1.0, 3.0]])
    close(x @ oneflow.linalg.inv(x), numpy.eye(2))
    values, vectors = numpy.linalg.eigh(x.numpy())
    close(x.numpy() @ vectors, vectors * values)


@probe(
    "OneFlow 0.9 has no such decomposition; compute it with scipy.linalg.lu_factor(x.numpy())",
    elsewhere=("lu_factor",),
)
def factors(names: list[str]) -> None:
    assert named(oneflow, "lu_") == named(oneflow.linalg, "lu") == []
    assert oneflow.ones(2, 2).numpy().dtype == "float32"  # what SciPy, which is not in this environment, takes


@probe(
    "OneFlow 0.9's inv ends the process at a singular matrix, with nothing to catch; test before, with "
    "numpy.linalg.matrix_rank(x.numpy())"
)
def singular(names: list[str]) -> None:
    ran = python("import oneflow\ntry:\n    oneflow.linalg.inv(oneflow.zeros(2, 2))\nexcept BaseException:\n    pass\n")
    assert ran.returncode < 0
    assert "singular" in ran.stderr
    assert numpy.linalg.matrix_rank(oneflow.zeros(2, 2).numpy()) == 0


@probe("OneFlow 0.9 has nothing that looks into a float's bits; compute it with numpy on x.numpy()")
def bits(names: list[str]) -> None:
    x = oneflow.tensor([1.0, 3.0])
    close(numpy.ldexp(*numpy.frexp(x.numpy())), x)
    assert numpy.nextafter(x.numpy(), 9)[0] > 1
    assert len(hashlib.sha256(x.numpy().tobytes()).digest()) == 32


@probe("OneFlow 0.9 has no gcd or lcm; compute it with numpy on x.numpy()")
def divisors(names: list[str]) -> None:
    x = oneflow.tensor([12, 18])
    close(numpy.gcd(x.numpy(), 8), [4, 2])
    close(numpy.lcm(x.numpy(), 8), [24, 72])


@probe("OneFlow 0.9 has no histogram of edges; use numpy.histogram(x.numpy()), or histc")
def histograms(names: list[str]) -> None:
    assert named(oneflow, "hist") == []  # torch.histc is converted to what OneFlow has
    x = oneflow.tensor([0.0, 0.5, 1.0])
    close(numpy.histogram(x.numpy(), 2)[0], [1, 2])


@probe("OneFlow 0.9 has no such special function; compute it with scipy.special on x.numpy()")
def special(names: list[str]) -> None:
    assert named(oneflow, "bessel", "gamma", "zeta") == ["lgamma"]
    assert oneflow.ones(2).numpy().dtype == "float32"  # what SciPy, which is not in this environment, takes


@probe("OneFlow 0.9 has no Bessel function, of which this window is made; use numpy.kaiser")
def kaiser(names: list[str]) -> None:
    close(oneflow.tensor(numpy.kaiser(5, 12.0))[2], 1)
    assert named(oneflow, "window") == ["hann_window"]


@probe("OneFlow 0.9 has neither complex tensors nor Fourier transforms; use numpy.fft on x.numpy()")
def fourier(names: list[str]) -> None:
    assert named(oneflow, "fft") == []
    x = oneflow.tensor([1.0, 2.0, 3.0, 4.0])
    close(numpy.fft.irfft(numpy.fft.rfft(x.numpy())), x)


@probe(
    "OneFlow 0.9's stft has no gradient and gives no complex tensors; without gradients call oneflow.stft(x, n_fft, "
    "return_complex=False) yourself",
    namesakes=("stft",),
)
def stft(names: list[str]) -> None:
    x = wanting_gradient(2, 50)
    fails(RuntimeError, lambda: oneflow.stft(x, 16, return_complex=True), "not supported")
    found = oneflow.stft(x, 16, center=False, return_complex=False)
    fails(OwnError, lambda: found.sum().backward(), "does not require grad")
    frames = x.detach().unfold(1, 16, 4).numpy()
    expected = numpy.fft.rfft(frames).transpose(0, 2, 1)
    close(found, numpy.stack([expected.real, expected.imag], -1))


@probe("OneFlow 0.9 has no mode; count with torch.unique(x, return_counts=True)")
def mode(names: list[str]) -> None:
    values, counts = oneflow.unique(oneflow.tensor([3, 1, 3]), return_counts=True)
    assert values[counts.argmax()].item() == 3


@probe("OneFlow 0.9 has no reduction of segments; reduce each part of oneflow.split(x, lengths)")
def segments(names: list[str]) -> None:
    x = oneflow.tensor([1.0, 2.0, 3.0])
    close(oneflow.stack([part.sum() for part in oneflow.split(x, [1, 2])]), [1, 5])


@probe("OneFlow 0.9 draws no such numbers; use numpy.random.default_rng()")
def drawn(names: list[str]) -> None:
    assert named(oneflow, "poisson", "binomial") == []
    rates = oneflow.ones(400) * 3
    assert 2 < oneflow.tensor(numpy.random.default_rng(0).poisson(rates.numpy())).float().mean() < 4


@probe("OneFlow 0.9 reads no files into tensors; use torch.from_numpy(numpy.fromfile(...))")
def files(names: list[str]) -> None:
    with tempfile.NamedTemporaryFile() as file:
        numpy.ones(3, "float32").tofile(file.name)
        close(oneflow.from_numpy(numpy.fromfile(file.name, "float32")), [1, 1, 1])


@probe("OneFlow 0.9 has no such constructor; use torch.from_numpy(numpy.frombuffer(...))")
def buffers(names: list[str]) -> None:
    given = numpy.ones(3, "float32").tobytes()
    close(oneflow.from_numpy(numpy.frombuffer(given, "float32")), [1, 1, 1])


@probe("OneFlow 0.9 has no such notation; use x.reshape and x.permute")
def rearranged(names: list[str]) -> None:
    x = oneflow.arange(24).reshape(2, 3, 4)
    close(x.permute(1, 0, 2).reshape(3, 8), numpy.arange(24).reshape(2, 3, 4).transpose(1, 0, 2).reshape(3, 8))


@probe(
    "OneFlow 0.9 has no block that keeps the random numbers; give what draws inside of it a oneflow.Generator() of its "
    "own"
)
def kept_numbers(names: list[str]) -> None:
    oneflow.manual_seed(3)
    first = oneflow.rand(3).numpy()
    oneflow.manual_seed(3)
    oneflow.rand(5, generator=oneflow.Generator())
    close(oneflow.rand(3), first)


@probe(
    "OneFlow 0.9 has no such part of torch.distributions; write log_prob and sample from the formula",
    namesakes=("cat", "stack"),
)
def distributions(names: list[str]) -> None:
    assert named(oneflow.distributions, "constraint", "transform") == []
    # of tensors, where torch.distributions.constraints has what values may be
    x = oneflow.ones(2)
    close(oneflow.cat([x, x]), [1, 1, 1, 1])
    close(oneflow.stack([x, x]), [[1, 1], [1, 1]])


@probe("the inside of torch's loader; make a oneflow.Generator() and seed it")
def loaders_generator(names: list[str]) -> None:
    generator = oneflow.Generator()
    generator.manual_seed(3)
    first = oneflow.rand(3, generator=generator)
    generator.manual_seed(3)
    close(oneflow.rand(3, generator=generator), first)
