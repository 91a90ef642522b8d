"""A framework that is numpy alone, for workers that start at once; loaded by path, as a target's runtime is.

A module is what has a ``forward``; its state are its arrays.
"""

from __future__ import annotations

import contextlib

import numpy as np

VARIANTS = ("doubled", "never")
REFERENCE = True


def version():
    return "1.0"


def seed(number):
    np.random.seed(number)


def threads(number):
    pass


def is_tensor(value):
    return isinstance(value, np.ndarray)


def is_module(value):
    return hasattr(value, "forward") and not isinstance(value, type)


def tensor(array):
    return np.array(array)


def array(value):
    return value


def dtype(value):
    return str(value.dtype)


def evaluate(model):
    model.training = False


def no_grad():
    return contextlib.nullcontext()


def state(model):
    return {name: value for name, value in vars(model).items() if is_tensor(value)}


def shapes(model):
    return {name: value.shape for name, value in state(model).items()}


def load_state(model, arrays):
    for name, value in arrays.items():
        setattr(model, name, np.array(value))


@contextlib.contextmanager
def variant(name, model, args, kwargs):
    yield ([2 * value for value in args], kwargs) if name == "doubled" else None


@contextlib.contextmanager
def double(model):
    yield
