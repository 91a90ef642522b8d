"""The processor as a device, and devices of makers that Paddle does not serve: the answers of a machine without."""

import contextlib

import torch

from rewriters.rule import rule, same


@rule(torch.cpu.is_available, torch.cpu.is_initialized)
def cpu_is_available():
    return True


@rule(torch.cpu.device_count)
def cpu_device_count():
    return 1


@rule(torch.cpu.current_device)
def cpu_current_device():
    return "cpu"


@rule(torch.cpu.set_device)
def cpu_set_device(device):
    pass


@rule(torch.cpu.synchronize)
def cpu_synchronize(device=None):
    pass


@rule(torch.cpu.stream, torch.cpu.StreamContext)
def cpu_stream(stream):
    return contextlib.nullcontext()


@rule(torch.cpu.Stream)
class CpuStream:
    """The processor's work is done when the call returns."""

    def __init__(self, priority=-1):
        pass

    def wait_stream(self, stream):
        pass

    def record_event(self):
        pass

    def wait_event(self, event):
        pass


@rule(torch.cpu.Event)
class CpuEvent:
    """Has happened already."""

    def query(self):
        return True

    def record(self, stream=None):
        pass

    def synchronize(self):
        pass

    def wait(self, stream=None):
        pass


same(
    "torch.cpu.Stream.wait_stream",
    "torch.cpu.Stream.record_event",
    "torch.cpu.Stream.wait_event",
    "torch.cpu.Event.query",
    "torch.cpu.Event.record",
    "torch.cpu.Event.synchronize",
    "torch.cpu.Event.wait",
)


@rule(torch.cpu.current_stream)
def cpu_current_stream(device=None):
    return CpuStream()
