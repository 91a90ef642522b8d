"""Numpy's functions and methods, as far as sharing goes: what writes, and what gives an array of its own."""

from __future__ import annotations

import ast

from rewriters.places.effect import Effect

# Write to their first argument, or to what `out` gives, which some take by position.
WRITING = {
    "copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis", "random.shuffle",
}  # fmt: skip
UNARY = {
    "negative", "absolute", "abs", "sqrt", "square", "exp", "log", "sin", "cos", "tan", "tanh", "sign", "floor", "ceil",
    "rint", "reciprocal", "isnan", "isfinite", "logical_not", "invert", "trunc", "exp2", "log2", "log10", "log1p",
    "expm1",
}  # fmt: skip
BINARY = {
    "add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "power", "maximum", "minimum", "fmax",
    "fmin", "mod", "remainder", "fmod", "hypot", "arctan2", "logical_and", "logical_or", "bitwise_and", "bitwise_or",
    "bitwise_xor", "dot", "matmul",
}  # fmt: skip
# Give an array in no other's memory, whatever they are given. Others may hand on what they were given, or a view of it:
# asarray, reshape, real, squeeze, ravel, diff of order 0, linalg.matrix_power of 1.
MADE = {
    "array", "copy", "zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like", "eye",
    "identity", "arange", "linspace", "logspace", "geomspace", "tri", "tril", "triu", "hanning", "hamming", "blackman",
    "bartlett", "kaiser", "vstack", "hstack", "dstack", "column_stack", "tile", "repeat", "pad", "roll", "cross",
    "kron", "inner", "argsort", "sort", "unique", "bincount", "histogram", "interp", "clip", "where", "take_along_axis",
    "convolve", "angle", "random.rand", "random.randn", "random.randint", "random.random", "random.uniform",
    "random.normal", "random.permutation", "random.standard_normal", "random.binomial", "random.beta",
    "fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.fft2", "fft.ifft2", "fft.rfft2", "fft.irfft2", "fft.fftfreq",
    "fft.rfftfreq", "fft.fftshift", "fft.ifftshift",
    "linalg.inv", "linalg.pinv", "linalg.norm", "linalg.solve", "linalg.qr", "linalg.svd", "linalg.eig", "linalg.eigh",
    "linalg.eigvals", "linalg.cholesky", "linalg.det",
}  # fmt: skip
# These take `out` as their third argument, or a later one.
MADE_OR_OUT = {
    "sum", "mean", "std", "var", "prod", "cumsum", "cumprod", "argmax", "argmin", "concatenate", "stack", "outer",
}  # fmt: skip
# Give an array in a tensor's memory.
OF_TENSORS = {"numpy.asarray", "numpy.asanyarray", "numpy.ascontiguousarray"}
# Of these, those that give it whatever its layout.
AS_ARRAYS = {"numpy.asarray", "numpy.asanyarray"}
# Attributes of arrays that are arrays in their memory.
VIEWS_OF_ARRAYS = {"T", "real", "imag", "flat", "base"}
# Methods of arrays that write to the array.
METHODS_WRITING = {"fill", "sort", "put", "partition", "itemset", "setfield", "resize", "__setitem__"}
# Methods that give an array of its own, whatever they are given, but for `out`: how many arguments come before that.
METHODS_NEW = {
    "copy": 9, "flatten": 9, "argsort": 9, "repeat": 9, "nonzero": 9, "sum": 2, "mean": 2, "std": 2, "var": 2,
    "prod": 2, "cumsum": 2, "cumprod": 2, "clip": 2, "take": 2, "argmax": 1, "argmin": 1, "max": 1, "min": 1, "all": 1,
    "any": 1, "dot": 1, "round": 1,
}  # fmt: skip


def of_numpy(name: str, call: ast.Call) -> Effect:
    """One of numpy's functions, or of its ufuncs' methods."""
    short = name.removeprefix("numpy.")
    writes: set[int | str] = {word.arg for word in call.keywords if word.arg == "out"}
    if short in WRITING or name.endswith(".at"):
        writes.add(0)
    place = 1 if short in UNARY else 2 if short in BINARY else 3 if short == "clip" else None
    if place is not None and len(call.args) > place:
        writes.add(place)
    aliases = frozenset(writes) if makes_new(short, call) else None
    return Effect(aliases=aliases, writes=frozenset(writes), name=name if name in OF_TENSORS else "")


def of_array(call: ast.Call) -> Effect:
    """A method of an array."""
    assert isinstance(call.func, ast.Attribute)
    name = call.func.attr
    words = {word.arg for word in call.keywords}
    new = len(call.args) <= METHODS_NEW.get(name, -1) and not words & {"out", None} and not is_starred(call)
    aliases = frozenset[int | str]() if new else None
    writes: set[int | str] = {0} if name in METHODS_WRITING else set()
    writes |= {"out"} if "out" in words else set()
    return Effect(aliases=aliases, writes=frozenset(writes))


def makes_new(name: str, call: ast.Call) -> bool:
    """Whether the function gives an array that lies in no memory but its own, or that of ``out``."""
    words = {word.arg for word in call.keywords}
    if is_starred(call) or None in words or "copy" in words:  # np.array(x, copy=False)
        return False
    return name in UNARY or name in BINARY or name in MADE or (name in MADE_OR_OUT and len(call.args) < 3)


def is_starred(call: ast.Call) -> bool:
    return any(isinstance(part, ast.Starred) for part in call.args)
