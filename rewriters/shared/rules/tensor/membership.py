"""``in``: of some targets it looks at rows, or compares in the dtype of the tensor."""

import framework

from rewriters.rule import rule
from rewriters.targets.framework.rules.promoted_dtypes import alike


def holds(tensor, element):
    if not isinstance(element, (bool, int, float, complex, framework.Tensor)):
        raise RuntimeError(f"a tensor holds tensors and numbers, no {type(element)}")
    tensor, element = alike(tensor, element)
    return bool((tensor == element).any())


@rule("torch.Tensor.__contains__")
def contains(self, element):
    return holds(self, element)


@rule("torch.Tensor.__contains__:absent")
def lacks(self, element):
    return not holds(self, element)


@rule("torch.Tensor.__contains__:unknown")
def any_holds(container, element):
    return holds(container, element) if isinstance(container, framework.Tensor) else element in container


@rule("torch.Tensor.__contains__:absent_unknown")
def any_lacks(container, element):
    return not any_holds(container, element)
