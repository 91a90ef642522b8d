"""torch.profiler by paddle.profiler. What one step is, and when it is recorded, is said in the same words."""

import contextlib
import io

import paddle
import torch

from rewriters.rule import alias, becomes, family, rule, same

becomes(torch.autograd.profiler.record_function, paddle.profiler.RecordEvent, args=None)

alias(torch.profiler.ProfilerActivity, "paddle.profiler.ProfilerTarget")
alias("torch.profiler.ProfilerActivity.CPU", "paddle.profiler.ProfilerTarget.CPU")
alias("torch.profiler.ProfilerActivity.CUDA", "paddle.profiler.ProfilerTarget.GPU")
alias("torch.profiler.ProfilerActivity.XPU", "paddle.profiler.ProfilerTarget.XPU")
alias(torch.profiler.ProfilerAction, "paddle.profiler.ProfilerState")
alias("torch.profiler.ProfilerAction.NONE", "paddle.profiler.ProfilerState.CLOSED")
alias("torch.profiler.ProfilerAction.WARMUP", "paddle.profiler.ProfilerState.READY")
alias("torch.profiler.ProfilerAction.RECORD", "paddle.profiler.ProfilerState.RECORD")
alias("torch.profiler.ProfilerAction.RECORD_AND_SAVE", "paddle.profiler.ProfilerState.RECORD_AND_RETURN")


same("torch.profiler.profile.start", "torch.profiler.profile.step", "torch.profiler.profile.stop")


def no_trace(profiler):
    """Instead of Paddle's default, which writes a trace."""


@family(("    on_trace_ready,\n", ""), "on_trace_ready=on_trace_ready on_trace_ready=no_trace")
@rule(torch.profiler.profile)
def profile(
    *,
    activities=None,
    schedule=None,
    on_trace_ready,
    record_shapes=False,
    profile_memory=False,
    with_stack=False,
    with_flops=False,
    with_modules=False,
    experimental_config=None,
    execution_trace_observer=None,
    acc_events=False,
    use_cuda=None,
    custom_trace_id_callback=None,
    post_processing_timeout_s=None,
):
    return paddle.profiler.Profiler(
        targets=activities,
        scheduler=schedule,
        on_trace_ready=on_trace_ready,
        record_shapes=record_shapes,
        profile_memory=profile_memory,
        with_flops=with_flops,
    )


@rule(torch.autograd.profiler.profile)
def autograd_profile(
    enabled=True,
    *,
    use_cuda=False,
    use_device=None,
    record_shapes=False,
    with_flops=False,
    profile_memory=False,
    with_stack=False,
    with_modules=False,
    use_kineto=False,
    use_cpu=True,
):
    if not enabled:
        raise NotImplementedError("Paddle's profiler is on wherever it is entered; enter it where it is enabled")
    return paddle.profiler.Profiler(
        on_trace_ready=no_trace,
        record_shapes=record_shapes,
        profile_memory=profile_memory,
        with_flops=with_flops,
    )


@rule(torch.profiler.schedule)
def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    if skip_first_wait:
        raise NotImplementedError("paddle.profiler waits before each cycle; leave skip_first_wait out")
    return paddle.profiler.make_scheduler(
        closed=wait, ready=warmup, record=active, repeat=repeat, skip_first=skip_first
    )


@rule(torch.profiler.tensorboard_trace_handler)
def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False, use_python_export=False):
    # chrome://tracing and VisualDL read it
    return paddle.profiler.export_chrome_tracing(dir_name, worker_name)


@rule(torch.profiler.supported_activities)
def supported_activities():
    return set(paddle.profiler.profiler._get_supported_targets())


@rule(torch.profiler.profile.export_chrome_trace, torch.autograd.profiler.profile.export_chrome_trace)
def export_chrome_trace(self, path):
    return self.export(path)


class Averages:
    """What the profiler measured, operator by operator."""

    def __init__(self, profiler):
        self.profiler = profiler

    def table(self, sort_by=None, row_limit=100, **layout):
        keys = {"cpu": paddle.profiler.SortedKeys.CPUTotal, "cuda": paddle.profiler.SortedKeys.GPUTotal}
        key = keys.get(str(sort_by).removeprefix("self_").partition("_")[0], paddle.profiler.SortedKeys.CPUTotal)
        with contextlib.redirect_stdout(io.StringIO()) as text:
            self.profiler.summary(sorted_by=key)
        return text.getvalue()


@rule(torch.profiler.profile.key_averages, torch.autograd.profiler.profile.key_averages)
def key_averages(self, group_by_input_shape=False, group_by_stack_n=0):
    return Averages(self)
