"""Groups with rates of their own, rates that are set by hand, averages of models, scaled losses, samplers."""

import torch


def group_rates_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    groups = [{"params": [module.weight], "lr": 0.01}, {"params": [module.bias]}]
    optimizer = torch.optim.SGD(groups, lr=0.1, momentum=0.9)
    for _ in range(4):
        optimizer.zero_grad()
        out = module(a0)
        loss = (out * out).mean()
        loss.backward()
        optimizer.step()
    return loss


def rates_by_hand_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    for step in range(4):
        for group in optimizer.param_groups:
            group["lr"] = 0.1 / (step + 1)
        optimizer.zero_grad()
        out = module(a0)
        (out * out).mean().backward()
        optimizer.step()
    return [group["lr"] for group in optimizer.param_groups]


def group_rates_by_hand_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD([{"params": [module.weight]}, {"params": [module.bias], "lr": 0.05}], lr=0.1)
    for step in range(4):
        optimizer.param_groups[1]["lr"] = 0.1 / (step + 1)
        optimizer.zero_grad()
        out = module(a0)
        (out * out).mean().backward()
        optimizer.step()
    return module(a0)


def closure_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)

    def closure():
        optimizer.zero_grad()
        out = module(a0)
        loss = (out * out).mean()
        loss.backward()
        return loss

    first = optimizer.step(closure)
    return first, optimizer.step(closure)


def averaged_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    average = torch.optim.swa_utils.AveragedModel(module)
    for _ in range(3):
        optimizer.zero_grad()
        out = module(a0)
        (out * out).mean().backward()
        optimizer.step()
        average.update_parameters(module)
    return average(a0)


def ema_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    average = torch.optim.swa_utils.AveragedModel(module, avg_fn=torch.optim.swa_utils.get_ema_avg_fn(0.9))
    for _ in range(3):
        optimizer.zero_grad()
        out = module(a0)
        (out * out).mean().backward()
        optimizer.step()
        average.update_parameters(module)
    return average(a0)


def scaled_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler(enabled=False)
    for _ in range(3):
        optimizer.zero_grad()
        with torch.autocast("cpu", enabled=False):
            loss = (module(a0) ** 2).mean()
        scaled: torch.Tensor = scaler.scale(loss)
        scaled.backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(module.parameters(), 0.5)
        scaler.step(optimizer)
        scaler.update()
    return loss, scaler.is_enabled()


def recomputed(module: "torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Tanh())", a0: "float32[6,4]"):
    return torch.utils.checkpoint.checkpoint(module, a0, use_reentrant=False)


def weight_norms(module: "torch.nn.Conv1d(3, 4, 3)", a0: "float32[2,3,6]"):
    normed = torch.nn.utils.weight_norm(module)
    return normed(a0)


def weight_norms_linear(module: "torch.nn.Linear(4, 3)", a0: "float32[2,4]"):
    normed = torch.nn.utils.weight_norm(module)
    return normed(a0)


def vectors(module: "torch.nn.LayerNorm(4)", a0_: "float32[2,4]"):
    with torch.no_grad():
        vector = torch.nn.utils.parameters_to_vector(module.parameters())
        torch.nn.utils.vector_to_parameters(vector * 2, module.parameters())
        return vector, module(a0_)


def clipped_values_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    (module(a0) ** 2).sum().backward()
    torch.nn.utils.clip_grad_value_(module.parameters(), 0.2)
    return sum(parameter.grad.sum() for parameter in module.parameters())


def padded_sequences(a0: "float32[3,2]", a1: "float32[5,2]"):
    return (
        torch.nn.utils.rnn.pad_sequence([a0, a1], batch_first=True),
        torch.nn.utils.rnn.pad_sequence([a0, a1], padding_value=1.5),
    )


def sampled(a0_: "float32[7,2]"):
    data = torch.utils.data.TensorDataset(a0_, torch.arange(7))
    order = torch.utils.data.SequentialSampler(data)
    loader = torch.utils.data.DataLoader(data, batch_size=3, sampler=order, drop_last=True)
    return [labels for _, labels in loader], len(loader)


def batches_of_samplers(a0_: "float32[7,2]"):
    data = torch.utils.data.TensorDataset(a0_, torch.arange(7))
    batches = torch.utils.data.BatchSampler(torch.utils.data.SequentialSampler(data), batch_size=2, drop_last=False)
    loader = torch.utils.data.DataLoader(data, batch_sampler=batches)
    return [labels for _, labels in loader]


def parts_of_data(a0_: "float32[8,2]"):
    data = torch.utils.data.TensorDataset(a0_, torch.arange(8))
    first, second = torch.utils.data.random_split(data, [6, 2])
    both = torch.utils.data.ConcatDataset([torch.utils.data.Subset(data, [1, 3]), data])
    return len(first), len(second), len(both), both[1][1]


def shares(a0_: "float32[7,2]"):
    data = torch.utils.data.TensorDataset(a0_)
    sampler = torch.utils.data.DistributedSampler(data, num_replicas=2, rank=1, shuffle=False)
    return list(sampler), len(sampler)


def collated(a0_: "float32[2]"):
    return torch.utils.data.default_collate([(a0_, 1), (a0_ + 1, 2)])


def not_scripting():
    return torch.jit.is_scripting(), torch.compiler.is_compiling()
