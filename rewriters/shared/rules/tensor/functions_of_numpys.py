"""Functions of numpy's that are given tensors: torch has them give tensors, ``np.add(x, 1)``."""

import framework
import numpy

from rewriters.rule import rule
from rewriters.targets.framework.rules.tensor.functions_of_numpys import of_array


@rule("torch.Tensor.__array_wrap__:called")
def function_of_numpys(function, *arguments, **words):
    """What it gives of tensors as a tensor, truth values as uint8; of anything else as it is."""
    arrays = [numpy.asarray(one) if isinstance(one, framework.Tensor) else one for one in arguments]
    made = function(*arrays, **words)
    if words.get("out") is not None or not any(isinstance(one, framework.Tensor) for one in arguments):
        return made
    array = numpy.asarray(made)
    return of_array(array.astype("uint8") if array.dtype == bool else array)
