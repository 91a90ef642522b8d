"""Results that torch's ``out=`` says where to put, and those that are to ask for a gradient."""

import paddle

from rewriters.rule import rule


@rule("torch.Tensor:out")
def written_to(result, out):
    """The result in the tensor, or tensors, of the caller's."""
    if out is None:
        return result
    if isinstance(out, (tuple, list)):
        for part, place in zip(result, out, strict=True):
            written_to(part, place)
        return type(result)(*out) if hasattr(result, "_fields") else out
    if result.is_floating_point() and not (out.is_floating_point() or out.is_complex()):
        raise RuntimeError(f"result type {result.dtype} can't be cast to the desired output type {out.dtype}")
    with paddle.no_grad():
        paddle.assign(result.astype(out.dtype), out)
    return out


@rule("torch.Tensor:requires_grad")
def asking_for_gradient(result, requires_grad):
    """The result, which is a tensor of its own."""
    result.stop_gradient = not requires_grad
    return result
