"""Optimizers, schedules, training steps, averages of weights, states that are saved and loaded."""

from __future__ import annotations

from checks.fuzz.builder import Builder
from checks.fuzz.layers import model

OPTIMIZERS = [
    "torch.optim.SGD({p}, lr=0.1)",
    "torch.optim.SGD({p}, 0.1, momentum=0.9)",
    "torch.optim.SGD({p}, lr=0.05, momentum=0.9, nesterov=True)",
    "torch.optim.SGD({p}, lr=0.1, weight_decay=0.01)",
    "torch.optim.Adam({p}, lr=0.05)",
    "torch.optim.Adam({p}, lr=0.02, betas=(0.8, 0.95))",
    "torch.optim.AdamW({p}, lr=0.05, weight_decay=0.1)",
    "torch.optim.RMSprop({p}, lr=0.02)",
    "torch.optim.Adagrad({p}, lr=0.1)",
    "torch.optim.Adam({p}, lr=0.05, weight_decay=0.1)",
    "torch.optim.Adam({p}, lr=0.05, amsgrad=True)",
    "torch.optim.Adamax({p}, lr=0.05)",
    "torch.optim.SGD({p}, lr=0.1, momentum=0.5, dampening=0.5)",
    "torch.optim.Adadelta({p}, lr=0.5)",
    "torch.optim.NAdam({p}, lr=0.05)",
]
SCHEDULES = [
    "torch.optim.lr_scheduler.StepLR({o}, step_size=2, gamma=0.5)",
    "torch.optim.lr_scheduler.ExponentialLR({o}, 0.8)",
    "torch.optim.lr_scheduler.CosineAnnealingLR({o}, T_max=4)",
    "torch.optim.lr_scheduler.LambdaLR({o}, lambda e: 1 / (e + 1))",
    "torch.optim.lr_scheduler.MultiStepLR({o}, [1, 3], gamma=0.3)",
    "torch.optim.lr_scheduler.LinearLR({o}, total_iters=3)",
    "torch.optim.lr_scheduler.CosineAnnealingLR({o}, 4, eta_min=0.01)",
    "torch.optim.lr_scheduler.OneCycleLR({o}, max_lr=0.1, total_steps=10)",
    "torch.optim.lr_scheduler.ConstantLR({o}, factor=0.5, total_iters=2)",
    "torch.optim.lr_scheduler.PolynomialLR({o}, total_iters=4)",
]
LOSSES = [
    "F.mse_loss({out}, {t})",
    "(({out} - {t}) ** 2).mean()",
    "nn.MSELoss()({out}, {t})",
    "F.smooth_l1_loss({out}, {t})",
    "({out} - {t}).pow(2).sum() * 0.1",
    "F.cross_entropy({out}, torch.zeros({out}.shape[0], dtype=torch.long))",
    "torch.mean(torch.square({out} - {t}))",
    "F.binary_cross_entropy_with_logits({out}, {t}.clamp(0, 1))",
]


def groups(b: Builder, name: str) -> str:
    """What an optimizer is given."""
    ways = [f"{name}.parameters()"] * 5
    ways += [
        f"list({name}.parameters())",
        f"[p for p in {name}.parameters() if p.requires_grad]",
        f"filter(lambda p: p.requires_grad, {name}.parameters())",
        f"[{{'params': {name}.parameters()}}]",
    ]
    ways += [
        f"[{{'params': [p for p in {name}.parameters() if p.dim() > 1], 'weight_decay': 0.1}}, {{'params': [p for p in {name}.parameters() if p.dim() <= 1], 'lr': 0.02}}]",
        f"[{{'params': [p for n, p in {name}.named_parameters() if 'weight' in n]}}, {{'params': [p for n, p in {name}.named_parameters() if 'weight' not in n], 'weight_decay': 0.0}}]",
    ]
    return str(b.one(ways))


def train(b: Builder) -> None:
    """A few training steps with an optimizer."""
    name, inp = model(b)
    b.add(inp)
    if b.chance(0.2):
        b.emit(
            b.one(
                [
                    f"for n, p in {name}.named_parameters():\n    if 'bias' in n:\n        p.requires_grad = False",
                    f"next({name}.parameters()).requires_grad_(False)",
                ]
            )
        )
    opt = b.name("opt optimizer optim_")
    b.must(f"{opt} = {b.one(OPTIMIZERS).format(p=groups(b, name))}")
    sched = ""
    if b.chance(0.35):
        sched = b.name("sched scheduler")
        b.must(f"{sched} = {b.one(SCHEDULES).format(o=opt)}")
    target = b.name("target goal labels_f")
    b.must(
        f"with torch.no_grad():\n    {target} = {name}({inp}) * 0.5 + 0.3"
        if b.chance(0.5)
        else f"{target} = torch.ones_like({name}({inp})).detach() * 0.7"
    )
    loss = b.one(LOSSES).format(out=f"{name}({inp})", t=target)
    clear = b.one(
        [
            f"{opt}.zero_grad()",
            f"{opt}.zero_grad()",
            f"{opt}.zero_grad(set_to_none=True)",
            f"{name}.zero_grad()",
            f"for p in {name}.parameters():\n    p.grad = None",
            f"{opt}.zero_grad(set_to_none=False)",
        ]
    )
    extra = b.one(
        [
            "",
            "",
            "",
            f"torch.nn.utils.clip_grad_norm_({name}.parameters(), 0.5)",
            f"nn.utils.clip_grad_value_({name}.parameters(), 0.1)",
            f"for p in {name}.parameters():\n    if p.grad is not None:\n        p.grad.mul_(0.5)",
            f"show(nn.utils.clip_grad_norm_({name}.parameters(), max_norm=1.0))",
            f"for p in {name}.parameters():\n    if p.grad is not None:\n        p.grad.data.add_(p.data, alpha=0.01)",
            f"for group in {opt}.param_groups:\n    group['lr'] *= 0.9",
            f"for group in {opt}.param_groups:\n    group['lr'] = 0.1 / (step + 1)",
        ]
    )
    step_line = f"{opt}.step()"
    if b.chance(0.15):
        clear, step_line = (
            (f"if step % 2 == 0:\n    {clear}" if "\n" not in clear else clear),
            f"if step % 2 == 1:\n    {opt}.step()",
        )
    value = b.one(["loss.item()", "float(loss)", "loss.detach()", "loss"])
    parts = [
        f"loss = {loss}",
        clear,
        "loss.backward()",
        extra,
        step_line,
        f"{sched}.step()" if sched else "",
        f"show({value}, {opt}.param_groups[0]['lr'])",
    ]
    if b.chance(0.4):
        parts[0], parts[1] = parts[1], parts[0]
    body = "\n".join(line for part in parts if part for line in part.split("\n"))
    b.must(
        f"for step in range({b.one([2, 3, 4])}):\n" + "\n".join(f"    {line}" for line in body.split("\n")), replay=True
    )
    if sched:
        b.emit(f"show({sched}.get_last_lr())")
    b.must(f"show([p for p in {name}.parameters()])")
    after(b, name, opt, inp)


def after(b: Builder, name: str, opt: str, inp: str) -> None:
    """What scripts do once they have trained."""
    ways = [
        f"saved = {{k: v.clone() for k, v in {name}.state_dict().items()}}\nfor p in {name}.parameters():\n    p.data.zero_()\n{name}.load_state_dict(saved)\nshow({name}({inp}))",
        f"avg = {{k: v.detach().clone() for k, v in {name}.state_dict().items()}}\nfor k, v in {name}.state_dict().items():\n    if v.is_floating_point():\n        avg[k].mul_(0.5).add_(v, alpha=0.25)\nshow(avg)",
        f"snap = copy.deepcopy({name}.state_dict())\nwith torch.no_grad():\n    for p in {name}.parameters():\n        p.add_(1.0)\nshow({name}({inp}))\n{name}.load_state_dict(snap)\nshow({name}({inp}))",
        f"other = copy.deepcopy({name})\nfor p, q in zip(other.parameters(), {name}.parameters()):\n    p.data.copy_(0.9 * p.data + 0.1 * q.data * 2)\nshow(other({inp}))",
        f"st = {opt}.state_dict()\nshow([g['lr'] for g in st['param_groups']])\n{opt}.load_state_dict(st)\nshow({opt}.param_groups[0]['lr'])",
        f"show(len({opt}.param_groups), sum(len(g['params']) for g in {opt}.param_groups))",
        f"{name}.eval()\nwith torch.no_grad():\n    pred = {name}({inp})\nshow(pred, pred.requires_grad, {name}.training)",
        f"show([p.grad is None for p in {name}.parameters()])\n{opt}.zero_grad()\nshow([p.grad is None for p in {name}.parameters()])",
        f"view = {name}.state_dict()\nwith torch.no_grad():\n    for p in {name}.parameters():\n        p.mul_(2)\nshow(view)",
        f"total = torch.sqrt(sum((p ** 2).sum() for p in {name}.parameters()))\nshow(total)",
        f"gn = torch.norm(torch.stack([p.grad.norm() for p in {name}.parameters() if p.grad is not None]))\nshow(gn)",
        f"mask = [(p.abs() > 0.137).float() for p in {name}.parameters()]\nfor p, m in zip({name}.parameters(), mask):\n    p.data.mul_(m)\nshow({name}({inp}), [m.sum() for m in mask])",
    ]
    for _ in range(b.one([1, 1, 2])):
        b.emit(b.one(ways))
