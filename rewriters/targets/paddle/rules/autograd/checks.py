"""Gradients checked by finite differences, NaNs found where they arise, and settings of torch's engine."""

import contextlib

import paddle
import torch

from rewriters.rule import rule
from rewriters.targets.paddle.rules.anomaly import is_anomaly_enabled, report_nan


@rule(torch.autograd.gradcheck)
def gradcheck(
    func,
    inputs,
    *,
    eps=1e-06,
    atol=1e-05,
    rtol=0.001,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
):
    inputs = [inputs] if isinstance(inputs, paddle.Tensor) else list(inputs)
    places = [i for i, v in enumerate(inputs) if isinstance(v, paddle.Tensor) and not v.stop_gradient]
    if not places:
        raise ValueError("gradcheck expects at least one input tensor to require gradient")

    def outputs(values):
        found = func(*values)
        return [found] if isinstance(found, paddle.Tensor) else list(found)

    points = list(inputs)
    for place in places:
        points[place] = inputs[place].detach()
        points[place].stop_gradient = False
    for number, output in enumerate(outputs(points)):
        flat = output.reshape([-1])
        rows = [paddle.grad(v, [points[p] for p in places], retain_graph=True, allow_unused=True) for v in flat]
        for column, place in enumerate(places):
            point = points[place]
            zero = paddle.zeros_like(point)
            given = paddle.stack([zero if row[column] is None else row[column] for row in rows]).reshape(
                [len(rows), -1]
            )
            numeric = []
            for element in range(point.size):
                step = paddle.nn.functional.one_hot(paddle.to_tensor(element), point.size).astype(point.dtype) * eps
                step = step.reshape(point.shape)
                with paddle.no_grad():
                    above, below = (
                        outputs([*points[:place], point.detach() + s, *points[place + 1 :]])[number].reshape([-1])
                        for s in (step, -step)
                    )
                numeric.append((above - below) / (2 * eps))
            if not bool(paddle.allclose(given, paddle.stack(numeric, axis=1), rtol, atol)):
                if raise_exception:
                    raise RuntimeError(f"Jacobian mismatch for output {number} with respect to input {place}")
                return False
    return True


@rule(torch.autograd.gradgradcheck)
def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-06,
    atol=1e-05,
    rtol=0.001,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
):
    inputs = [inputs] if isinstance(inputs, paddle.Tensor) else list(inputs)
    places = [i for i, v in enumerate(inputs) if isinstance(v, paddle.Tensor) and not v.stop_gradient]

    def slopes(*values):
        with paddle.enable_grad():
            values = list(values)
            for place in places:
                if values[place].stop_gradient:
                    values[place] = values[place].detach()
                    values[place].stop_gradient = False
            found = func(*values)
            found = [found] if isinstance(found, paddle.Tensor) else list(found)
            vectors = grad_outputs
            if vectors is None:
                vectors = [paddle.cos(paddle.arange(v.size, dtype=v.dtype)).reshape(v.shape) for v in found]
            vectors = [vectors] if isinstance(vectors, paddle.Tensor) else list(vectors)
            return paddle.grad(found, [values[place] for place in places], vectors, create_graph=True)

    return gradcheck(slopes, inputs, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception)


@rule(torch.autograd.set_detect_anomaly)
class set_detect_anomaly:
    """Paddle names operators that give NaN or an infinity, forward and backward; torch stops, backward."""

    def __init__(self, mode, check_nan=True):
        self.before = is_anomaly_enabled()
        report_nan(mode and check_nan)

    def __enter__(self):
        return None

    def __exit__(self, *failure):
        report_nan(self.before)


@rule(torch.autograd.detect_anomaly)
class detect_anomaly:
    """Paddle names operators that give NaN or an infinity, forward and backward; torch stops, backward."""

    def __init__(self, check_nan=True):
        self.check_nan = check_nan

    def __enter__(self):
        self.before = is_anomaly_enabled()
        report_nan(self.check_nan)

    def __exit__(self, *failure):
        report_nan(self.before)


@rule(torch.autograd.set_multithreading_enabled)
def set_multithreading_enabled(mode):
    # Paddle's backward has one thread
    return contextlib.nullcontext()


@rule(
    torch.autograd.is_multithreading_enabled,
    torch.autograd.is_view_replay_enabled,
    torch.autograd.kineto_available,
)
def is_enabled():
    return False


@rule(torch.autograd.is_tensor_like)
def is_tensor_like(inp):
    return isinstance(inp, paddle.Tensor)
