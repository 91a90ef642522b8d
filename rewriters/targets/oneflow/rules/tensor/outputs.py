"""Results that torch's ``out=`` says where to put, and those that are to ask for a gradient."""

import oneflow

from rewriters.rule import Values, rule


@rule("torch.Tensor:out")
def written_to(result, out):
    """The result in the tensor, or tensors, of the caller's."""
    if out is None:
        return result
    if isinstance(out, (tuple, list)):
        for part, place in zip(result, out, strict=True):
            written_to(part, place)
        if hasattr(result, "_fields"):
            return type(result)(*out)
        return Values(*out) if hasattr(result, "indices") else out
    if result.is_floating_point() and not out.is_floating_point():
        raise RuntimeError(f"result type {result.dtype} can't be cast to the desired output type {out.dtype}")
    result = result.detach().to(out.dtype)
    with oneflow.no_grad():
        if tuple(result.shape) == tuple(out.shape):
            out[...] = result
        else:
            out.data = result
    return out


@rule("torch.Tensor:requires_grad")
def asking_for_gradient(result, requires_grad):
    """The result, which is a tensor of its own."""
    return result.requires_grad_(requires_grad)
