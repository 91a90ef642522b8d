"""The functions in numpy, each failing in its own way."""

import os
import sys
import time

import numpy as np


def scale(x, by=2.0):
    return x * np.asarray(by, x.dtype)


def crashes(x):
    print("the last words", file=sys.stderr, flush=True)
    os.abort()


def hangs(x):
    while True:
        time.sleep(0.05)


def leaves(x):
    os._exit(7)


def raises(x):
    raise ValueError("no such axis")


def another_type(x):
    return [x, object()]


def wide(x):
    y = x @ np.linspace(0, 1, 64, dtype=np.float32)
    return np.ones((3, 8), np.float32) @ y


def grouped(x):
    weight = np.linspace(-1, 1, 96, dtype=np.float32).reshape(3, 4, 8)
    return np.concatenate([x[:2] @ weight[0], x[2:] @ weight[2]])


single = Distribution = Nothing = torch_raises = scale
