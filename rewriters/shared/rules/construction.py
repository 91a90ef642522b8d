"""What data that is not of Python's numbers alone comes to: numbers of numpy's, tensors."""

import collections

import framework

CATEGORIES = ("bool", "int", "float", "complex")


def leaves(data):
    """The numbers in nested sequences."""
    if isinstance(data, (list, tuple, range, collections.deque)):
        return [leaf for part in data for leaf in leaves(part)]
    return [data]


def name_of_dtype(leaf):
    if hasattr(leaf, "dtype"):
        return str(leaf.dtype).rpartition(".")[2]
    default = str(framework.get_default_dtype()).rpartition(".")[2]
    return "bool" if isinstance(leaf, bool) else "int64" if isinstance(leaf, int) else default


def category_of(name):
    """The place among bool, integers, floats and complex numbers."""
    return max(number for number, kind in enumerate(CATEGORIES) if kind in name)


def widest(names):
    """The name of the dtype that holds all these: of the highest category the one with the most bits."""
    highest = max(map(category_of, names))
    of_it = [name for name in names if category_of(name) == highest]
    return max(of_it, key=lambda name: int("".join(filter(str.isdigit, name)) or 0))


def plain(data):
    """Python's numbers in lists."""
    if isinstance(data, (list, tuple, range, collections.deque)):
        return [plain(part) for part in data]
    return data.tolist() if hasattr(data, "tolist") else data
