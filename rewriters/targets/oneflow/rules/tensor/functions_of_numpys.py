"""What is made of an array that a function of numpy's gave of tensors."""

import oneflow


def of_array(array):
    return oneflow.tensor(array)
