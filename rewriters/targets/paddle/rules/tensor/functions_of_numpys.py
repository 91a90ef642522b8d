"""What is made of an array that a function of numpy's gave of tensors."""

import paddle


def of_array(array):
    return paddle.to_tensor(array)
