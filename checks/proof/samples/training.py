"""Optimizers and schedules: options, parameter groups, state."""

import torch


def momentum_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)
    for _ in range(4):
        optimizer.zero_grad()
        out = module(a0)
        loss = (out * out).mean()
        loss.backward()
        optimizer.step()
    return loss


def nesterov_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    for _ in range(4):
        optimizer.zero_grad(set_to_none=False)
        out = module(a0)
        loss = (out * out).mean()
        loss.backward()
        optimizer.step()
    return loss


def adam_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.Adam(module.parameters(), lr=0.05, betas=(0.8, 0.9), eps=1e-6)
    for _ in range(4):
        optimizer.zero_grad()
        out = module(a0)
        loss = (out * out).mean()
        loss.backward()
        optimizer.step()
    return loss


def adamw_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.AdamW(module.parameters(), lr=0.05, betas=(0.8, 0.9), eps=1e-6, weight_decay=0.2)
    for _ in range(4):
        optimizer.zero_grad()
        out = module(a0)
        loss = (out * out).mean()
        loss.backward()
        optimizer.step()
    return loss


def groups_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    groups = [{"params": [module.weight], "weight_decay": 0.2}, {"params": [module.bias], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=0.05)
    for _ in range(4):
        optimizer.zero_grad()
        out = module(a0)
        loss = (out * out).mean()
        loss.backward()
        optimizer.step()
    return loss


def accumulated_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    for _ in range(2):
        out = module(a0)
        ((out * out).mean() / 2).backward()
    optimizer.step()
    optimizer.zero_grad()
    return module(a0)


def steps_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 4], gamma=0.5)
    rates = []
    for _ in range(6):
        optimizer.zero_grad()
        out = module(a0)
        (out * out).mean().backward()
        optimizer.step()
        rates.append(scheduler.get_last_lr()[0])
        scheduler.step()
    return rates, scheduler.get_last_lr()


def lambda_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.AdamW(module.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 4))
    rates = []
    for _ in range(6):
        optimizer.zero_grad()
        out = module(a0)
        (out * out).mean().backward()
        optimizer.step()
        rates.append(optimizer.param_groups[0]["lr"])
        scheduler.step()
    return rates


def resumed_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1])
    for _ in range(2):
        optimizer.zero_grad()
        out = module(a0)
        (out * out).mean().backward()
        optimizer.step()
        scheduler.step()
    saved = optimizer.state_dict(), scheduler.state_dict()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1])
    optimizer.load_state_dict(saved[0])
    scheduler.load_state_dict(saved[1])
    optimizer.zero_grad()
    out = module(a0)
    (out * out).mean().backward()
    optimizer.step()
    return scheduler.get_last_lr()[0]


def stairs_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    rates = []
    for _ in range(6):
        optimizer.zero_grad()
        out = module(a0)
        (out * out).mean().backward()
        optimizer.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr()[0])
    return rates


def cosine_train(module: "torch.nn.Linear(4, 3)", a0: "float32[6,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5, eta_min=0.01)
    rates = []
    for _ in range(5):
        optimizer.zero_grad()
        out = module(a0)
        (out * out).mean().backward()
        optimizer.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr()[0])
    return rates
