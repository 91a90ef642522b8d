"""Compilers: what steers torch's own and has no counterpart in Paddle."""

import torch

from rewriters.rule import refuse

refuse(torch.compiler.CacheInfo, "steers torch's own compiler; remove it")
refuse(torch.compiler.NestedCompileRegionOptions, "steers torch's own compiler; remove it")
refuse(torch.compiler.get_default_backend, "steers torch's own compiler; remove it")
refuse(torch.compiler.keep_portable_guards_unsafe, "steers torch's own compiler; remove it")
refuse(torch.compiler.keep_tensor_guards_unsafe, "steers torch's own compiler; remove it")
refuse(torch.compiler.load_compiled_function, "steers torch's own compiler; remove it")
refuse(torch.compiler.skip_all_guards_unsafe, "steers torch's own compiler; remove it")
refuse(torch.compiler.skip_guard_on_all_nn_modules_unsafe, "steers torch's own compiler; remove it")
refuse(torch.compiler.skip_guard_on_globals_unsafe, "steers torch's own compiler; remove it")
refuse(torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe, "steers torch's own compiler; remove it")
refuse(
    torch.jit.ONNXTracedModule,
    torch.jit.RecursiveScriptClass,
    torch.jit.RecursiveScriptModule,
    torch.jit.ScriptWarning,
    torch.jit.TopLevelTracedModule,
    torch.jit.TracedModule,
    torch.jit.TracerWarning,
    torch.jit.TracingCheckError,
    torch.jit.export_opnames,
    torch.jit.jit_module_from_flatbuffer,
    torch.jit.last_executed_optimized_graph,
    torch.jit.save_jit_module_to_flatbuffer,
    "part of TorchScript; compile with paddle.jit.to_static and save with paddle.jit.save",
)
