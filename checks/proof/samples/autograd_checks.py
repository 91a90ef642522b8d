"""Forward mode, finite differences, settings of torch's engine, functions under autocast."""

import torch


def dual_numbers(a0_: "float32[3]", a1_: "float32[3]", a2_: "float32[3]"):
    with torch.autograd.forward_ad.dual_level():
        x = torch.autograd.forward_ad.make_dual(a0_, a1_)
        out = torch.sin(x) * a2_
        primal, tangent = torch.autograd.forward_ad.unpack_dual(out)
        second = torch.autograd.forward_ad.unpack_dual(x * x + out)
        own = torch.autograd.forward_ad.unpack_dual(x).tangent
    return torch.detach(primal), torch.detach(tangent), torch.detach(second.tangent), torch.detach(own)


def dual_numbers_of_two(a0_: "float32[3]", a1_: "float32[3]"):
    torch.autograd.forward_ad.enter_dual_level()
    x = torch.autograd.forward_ad.make_dual(a0_, a1_)
    y = torch.autograd.forward_ad.make_dual(a1_, a0_)
    found = torch.autograd.forward_ad.unpack_dual(x * y)
    torch.autograd.forward_ad.exit_dual_level()
    return torch.detach(found.primal), torch.detach(found.tangent)


def checked(a0_: "float64[3]", a1_: "float64[3]"):
    a0_.requires_grad_()
    a1_.requires_grad_()
    return (
        torch.autograd.gradcheck(lambda x, y: torch.sin(x) * y, (a0_, a1_)),
        torch.autograd.gradgradcheck(lambda x, y: torch.sin(x) * y, (a0_, a1_)),
        torch.autograd.gradcheck(lambda x: (x * x, torch.sum(x)), a0_),
    )


def caught(a0_: "float64[3]"):
    a0_.requires_grad_()

    def wrong(x):
        return torch.detach(x) * x

    return torch.autograd.gradcheck(wrong, a0_, raise_exception=False)


def anomalies(a0_: "float32[3]"):
    a0_.requires_grad_()
    with torch.autograd.detect_anomaly():
        inside = torch.is_anomaly_enabled()
        torch.sum(a0_ * a0_).backward()
    with torch.autograd.set_detect_anomaly(True):
        second = torch.is_anomaly_enabled()
    torch.autograd.set_detect_anomaly(True)
    third = torch.is_anomaly_enabled()
    torch.autograd.set_detect_anomaly(False)
    return a0_.grad, inside, second, third, torch.is_anomaly_enabled()


def engine(a0_: "float32[3]"):
    a0_.requires_grad_()
    with torch.autograd.set_multithreading_enabled(False):
        torch.sum(a0_ * a0_).backward()
    with torch.autograd.profiler.record_function("step"):
        out = a0_ * 2
    return a0_.grad, torch.detach(out)


def own_function_under_autocast(a0_: "float32[3]"):
    class Double(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cpu")
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @torch.amp.custom_bwd(device_type="cpu")
        def backward(ctx, grad):
            return grad * 2

    a0_.requires_grad_()
    torch.autograd.backward(torch.sum(Double.apply(a0_)))
    return a0_.grad


def profiled(a0: "float32[3]"):
    with torch.autograd.profiler.profile(record_shapes=True) as profiler:
        out = a0 * a0
    return out, "mul" in profiler.key_averages().table(sort_by="cpu_time_total", row_limit=10)
