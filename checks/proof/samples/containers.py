"""Parameters, containers, Module's methods, recurrent layers with a batch."""

import torch


def parameter_lists(a0_: "float32[3,4]"):
    parameters = torch.nn.ParameterList([torch.nn.Parameter(a0_), torch.nn.Parameter(a0_ * 2)])
    parameters.append(torch.nn.Parameter(a0_ + 1))
    parameters.extend([torch.nn.Parameter(a0_ - 1)])
    return [parameter.sum() for parameter in parameters], len(parameters)


def parameter_dicts(a0_: "float32[3,4]"):
    parameters = torch.nn.ParameterDict({"w": torch.nn.Parameter(a0_)})
    parameters["b"] = torch.nn.Parameter(a0_ * 3)
    return sorted(parameters.keys()), parameters["b"], len(parameters)


def module_dicts(a0: "float32[5,4]"):
    layers = torch.nn.ModuleDict({"act": torch.nn.Tanh()})
    layers.update({"norm": torch.nn.Softsign()})
    return [layer(a0) for _, layer in layers.items()], list(layers.keys()), "act" in layers


def module_lists(a0: "float32[5,4]"):
    layers = torch.nn.ModuleList()
    layers.append(torch.nn.Tanh())
    layers.extend([torch.nn.ReLU(), torch.nn.Sigmoid()])
    layers.insert(0, torch.nn.ELU())
    for layer in layers[1:]:
        a0 = layer(a0)
    return a0, len(layers)


def frozen(module: "torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.LayerNorm(3))", a0: "float32[5,4]"):
    for name, parameter in module.named_parameters():
        if name.startswith("0."):
            parameter.requires_grad = False
    return module(a0), [parameter.requires_grad for parameter in module.parameters()]


def grads_off(module: "torch.nn.Sequential(torch.nn.Linear(4, 3))"):
    module.requires_grad_(False)
    return [parameter.requires_grad for parameter in module.parameters()]


def registered(module: "torch.nn.Sequential(torch.nn.Linear(4, 3))", a0: "float32[5,4]"):
    module.register_parameter("scale", torch.nn.Parameter(torch.ones(3)))
    module.add_module("last", torch.nn.ReLU())
    return module(a0), sorted(name for name, _ in module.named_parameters())


def own_level(module: "torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))"):
    return (
        len(list(module.parameters(recurse=False))),
        len(list(module.buffers(recurse=False))),
        [name for name, _ in module.named_modules(prefix="net")],
        module.get_submodule("0").bias.shape,
    )


def prefixed(module: "torch.nn.Sequential(torch.nn.LayerNorm(3))"):
    return sorted(module.state_dict(prefix="net.").keys())


def loosely_loaded(module: "torch.nn.LayerNorm(4)", a0: "float32[5,4]"):
    state = {"weight": module.state_dict()["weight"] * 2, "other": torch.ones(1)}
    module.load_state_dict(state, strict=False)
    return module(a0)


def hooked(module: "torch.nn.Sequential(torch.nn.Linear(4, 3))", a0: "float32[5,4]"):
    seen = []
    first = module.register_forward_pre_hook(lambda layer, args: seen.append(args[0].sum()))
    last = module.register_forward_hook(lambda layer, args, out: out * 2)
    doubled = module(a0)
    first.remove()
    last.remove()
    return doubled, module(a0), len(seen)


def in_other_precision(module: "torch.nn.Linear(4, 3)", a0_: "float32[5,4]"):
    with torch.no_grad():
        return module.double()(a0_.double()), module.float()(a0_), module.to(torch.float64)(a0_.double())


def sizes(module: "torch.nn.Linear(4, 3)"):
    return module.in_features, module.out_features


def statistics_of(module: "torch.nn.BatchNorm2d(3)", a0_: "float32[2,3,4,4]"):
    module(a0_)
    return module.running_mean, module.eps, module.num_features


def lstm_train(module: "torch.nn.LSTM(3, 4, num_layers=2, batch_first=True, bidirectional=True)", a0: "float32[2,5,3]"):
    out, (h, c) = module(a0)
    return out, h, c


def lstm_time_first_train(
    module: "torch.nn.LSTM(3, 4)", a0: "float32[5,2,3]", a1: "float32[1,2,4]", a2: "float32[1,2,4]"
):
    out, (h, c) = module(a0, (a1, a2))
    return out, h, c


def gru_train(module: "torch.nn.GRU(3, 4, 2, batch_first=True)", a0: "float32[2,5,3]"):
    return module(a0)


def rnn_train(module: "torch.nn.RNN(3, 4, nonlinearity='relu', bidirectional=True)", a0: "float32[5,2,3]"):
    return module(a0)


def lstm_cell(module: "torch.nn.LSTMCell(3, 4)", a0: "float32[2,3]"):
    h, c = module(a0)
    h, c = module(a0, (h, c))
    return h, c


def gru_cell(module: "torch.nn.GRUCell(3, 4)", a0: "float32[2,3]"):
    return module(a0, module(a0))


def bag_of_rows(module: "torch.nn.EmbeddingBag(10, 4, mode='sum')", a0: "int64[3,5]<10"):
    return module(a0)


def bag_with_offsets(module: "torch.nn.EmbeddingBag(10, 4, mode='mean')", a0: "int64[7]<10"):
    return module(a0, torch.tensor([0, 2, 5]))


def stack_of_encoders(
    module: "torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2)",
    a0: "float32[2,5,8]",
):
    mask = torch.nn.Transformer.generate_square_subsequent_mask(5)
    return module(a0, mask=mask)


def stack_of_decoders(
    module: "torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(8, 2, 16), 2, norm=torch.nn.LayerNorm(8))",
    a0: "float32[5,2,8]",
    a1: "float32[6,2,8]",
):
    return module(a0, a1)


def from_pretrained(a0_: "float32[6,4]", a1: "int64[3]<6"):
    embedding = torch.nn.Embedding.from_pretrained(a0_, freeze=True)
    return embedding(a1)


def adaptive(
    module: "torch.nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs=[4, 10], div_value=2.0)",
    a0: "float32[5,8]",
    a1: "int64[5]<20",
):
    found = module(a0, a1)
    return found.output, found.loss
