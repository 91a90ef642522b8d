"""numpy as a framework without gradients, for workers that start at once."""

from __future__ import annotations

import numpy as np


def seed(number):
    np.random.seed(number)


def threads(number):
    pass


def is_tensor(value):
    return isinstance(value, np.ndarray)


def tensor(array):
    return np.array(array)


def leaf(array):
    return np.array(array)


def differentiable(value):
    return False


def array(value):
    return value


def dtype(value):
    return str(value.dtype)
