"""Names of attributes that say nothing of what has them."""

# Attributes that numpy's arrays, numbers and others have too.
ARRAYS_TOO = {
    "shape", "dtype", "size", "ndim", "T", "real", "imag", "data", "flat", "item", "tolist", "sum", "mean", "max",
    "min", "std", "var", "copy", "reshape", "astype", "transpose", "clip", "all", "any", "round", "prod", "dot",
    "sort", "argsort", "argmax", "argmin", "nonzero", "squeeze", "flatten", "fill", "repeat", "swapaxes", "diagonal",
    "cumsum", "cumprod", "conj", "conjugate", "ravel", "resize", "split", "index_add", "pop", "append", "add", "values",
    "name", "device", "is_integer", "format", "index", "count", "join", "update", "numerator", "denominator",
}  # fmt: skip
