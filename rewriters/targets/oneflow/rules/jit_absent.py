"""TorchScript. Each with why, and what to do instead."""

from rewriters.rule import refuse

refuse(
    "torch.import_ir_module", "torch.import_ir_module_from_buffer", "torch.jit.load", "torch.jit.save",
    "torch.jit.save_jit_module_to_flatbuffer",
    "OneFlow 0.9 writes no TorchScript and reads none; save state_dict() with oneflow.save, and load it into the "
    "class",
)  # fmt: skip
refuse(
    "torch.jit.trace", "torch.jit.trace_module",
    "OneFlow 0.9 traces no calls; call the function itself, or write an nn.Graph: `migrate convert --static`",
)  # fmt: skip
refuse(
    "torch.jit.freeze", "torch.jit.optimize_for_inference", "torch.jit.run_frozen_optimizations",
    "OneFlow 0.9 has no pass over a loaded program; call eval() on the module",
)  # fmt: skip
refuse(
    "torch.parse_ir", "torch.parse_schema", "torch.parse_type_comment", "torch.merge_type_from_type_comment",
    "torch.unify_type_list", "torch.jit.RecursiveScriptClass", "torch.jit.RecursiveScriptModule",
    "torch.jit.export_opnames", "torch.jit.last_executed_optimized_graph", "torch.jit.set_fusion_strategy",
    "the inside of TorchScript, of which OneFlow 0.9 has nothing; remove it",
)  # fmt: skip
refuse(
    "torch.SymBool", "torch.SymFloat", "torch.SymInt", "torch.sym_float", "torch.sym_int", "torch.sym_ite",
    "torch.sym_max", "torch.sym_min", "torch.sym_not", "torch.sym_sum",
    "OneFlow 0.9's sizes are Python's own numbers; use int, float, max, min, sum and not",
)  # fmt: skip
refuse(
    "torch.utils.ThroughputBenchmark",
    "measures TorchScript modules; time the calls yourself, with time.perf_counter()",
)  # fmt: skip
refuse(
    "torch.nn.functional.BroadcastingList1", "torch.nn.functional.BroadcastingList2",
    "torch.nn.functional.BroadcastingList3",
    "TorchScript's annotation; write int | list[int]",
)  # fmt: skip
refuse(
    "torch.nn.functional.boolean_dispatch",
    "picks one of two functions for TorchScript; write the if",
)  # fmt: skip
refuse(
    "torch.jit.isinstance",
    "looks into containers, as Python's isinstance does not; write isinstance(x, list) and a test of the elements",
)  # fmt: skip
refuse(
    "torch.jit.Attribute",
    "a pair of value and type until the module is scripted, and OneFlow 0.9 scripts nothing; store the value",
)  # fmt: skip
