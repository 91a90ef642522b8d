"""Devices that are not there, the processor as a device, old constructors, places for quantization."""

import torch


def processor(a0: "float32[3]"):
    torch.cpu.synchronize()
    torch.cpu.set_device("cpu")
    stream = torch.cpu.current_stream()
    stream.wait_stream(torch.cpu.Stream())
    event = torch.cpu.Event()
    event.record(stream)
    with torch.cpu.stream(stream):
        doubled = a0 * 2
    event.synchronize()
    return doubled, torch.cpu.is_available(), torch.cpu.is_initialized(), torch.cpu.device_count(), event.query()


def absent():
    torch.xpu.manual_seed(0)
    torch.xpu.manual_seed_all(0)
    torch.xpu.empty_cache()
    torch.mps.manual_seed(0)
    return torch.xpu.is_available(), torch.xpu.device_count(), torch.xpu.is_bf16_supported(), torch.cpu.current_device()


def absent_tf32():
    torch.xpu.seed()
    torch.xpu.seed_all()
    return torch.xpu.is_tf32_supported(), torch.xpu.is_initialized(), torch.mps.device_count()


def old_sparse(a0_: "float32[3]"):
    indices = torch.tensor([[0, 1, 1], [2, 0, 2]])
    return torch.sparse.FloatTensor(indices, a0_, torch.Size([2, 3])).to_dense()


def old_sparse_numbers(a0: "int64[3]"):
    indices = torch.tensor([[0, 1, 1], [2, 0, 2]])
    return torch.sparse.LongTensor(indices, a0).to_dense()


def stubs(
    module: "torch.nn.Sequential(torch.quantization.QuantStub(), torch.quantization.DeQuantStub())", a0: "float32[2,3]"
):
    return module(a0)


def masked(a0: "float32[2]"):
    return torch.masked.is_masked_tensor(a0), torch.onnx.is_in_onnx_export()


def made():
    plain = torch.testing.make_tensor(3, 4, dtype=torch.float32, device="cpu", low=1, high=2)
    whole = torch.testing.make_tensor((5,), dtype=torch.int64, device="cpu", exclude_zero=True)
    flags = torch.testing.make_tensor((2, 2), dtype=torch.bool, device="cpu")
    return plain.shape, bool(((plain >= 1) & (plain <= 2)).all()), bool((whole != 0).all()), flags.shape


def built_for():
    return torch.cuda.get_arch_list() == [], torch.cuda.get_gencode_flags() == ""
