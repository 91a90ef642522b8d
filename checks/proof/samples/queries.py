"""What programs ask of torch itself."""

import torch


def groups():
    return (
        torch.distributed.is_gloo_available(),
        torch.distributed.is_mpi_available(),
        torch.distributed.is_ucc_available(),
        torch.distributed.is_xccl_available(),
        torch.distributed.is_torchelastic_launched(),
        torch.distributed.is_backend_available("gloo"),
        torch.distributed.get_default_backend_for_device("cpu"),
        torch.distributed.supports_complex(torch.distributed.ReduceOp.MAX),
        torch.distributed.supports_complex(torch.distributed.ReduceOp.SUM),
    )


def engine(a0: "float32[3]"):
    torch.set_anomaly_enabled(True)
    on = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
    torch.set_anomaly_enabled(False)
    return on, torch.autograd.is_tensor_like(a0), torch.autograd.is_tensor_like([1.0]), torch.is_warn_always_enabled()


def loops(a0: "float32[3]"):
    with torch.utils.checkpoint.set_checkpoint_early_stop(False):
        out = a0 * 2
    torch.serialization.set_default_mmap_options(2)
    return out


def of_tensors(a0: "float32[3]"):
    return a0.grad_dtype == torch.float32, a0.const_data_ptr() == a0.data_ptr()


def dependent():
    return (
        torch.distributions.constraints.is_dependent(torch.distributions.constraints.dependent),
        torch.distributions.constraints.is_dependent(torch.distributions.constraints.positive),
    )


def lazily(a0: "float32[3]"):
    class Scale:
        def __init__(self, value):
            self.value = value

        @torch.distributions.transforms.lazy_property
        def double(self):
            return self.value * 2

    found = Scale(a0)
    return found.double, found.double is found.double


def fused_weights(a0: "float32[4,2,3]", a1: "float32[4]", a2: "0.5<=float32[4]<2"):
    weight, bias = torch.nn.utils.fuse_conv_bn_weights(
        a0.detach(), None, a1.detach(), a2.detach(), 1e-5, a2.detach(), a1.detach()
    )
    return torch.detach(weight), torch.detach(bias)


def of_torchs_own(a0: "float32[3]"):
    return (
        torch.overrides.has_torch_function((a0, 2)),
        torch.overrides.has_torch_function_unary(a0),
        torch.overrides.has_torch_function_variadic(a0, a0),
        torch.thread_safe_generator() is None,
        torch.get_num_interop_threads() > 0,
        a0.name,
    )


def symbols(a0: "float32[3,4]"):
    sizes = [size for size in a0.shape if isinstance(size, torch.SymInt)]
    return len(sizes), isinstance(2.5, torch.SymFloat), isinstance(True, (torch.SymBool, torch.SymInt))
