"""Modules: layers of torch, models of one's own, what programs do with their parameters and states."""

from __future__ import annotations

import contextlib

from checks.fuzz.builder import Builder, Dry
from checks.fuzz.creation import floats
from checks.fuzz.expressions import expression, grow, kind
from checks.fuzz.tables import templates

FILLS = """
def {f}(net):
    with torch.no_grad():
        for n, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (n + 1) * 0.5)
@
def {f}(net):
    for n, (name, p) in enumerate(net.named_parameters()):
        p.data = torch.cos(torch.arange(p.numel()) * 1.3 + n).view(p.shape) * 0.4
@
def {f}(net):
    for p in net.parameters():
        p.data.fill_(0.15)
        p.data.view(-1)[0] = 0.4
@
def {f}(net):
    for name, p in net.named_parameters():
        if "weight" in name:
            p.data.copy_(torch.sin(torch.arange(p.numel()).float()).view_as(p) * 0.5)
        else:
            nn.init.constant_(p, 0.1)
@
def {f}(net):
    for m in net.modules():
        if isinstance(m, (nn.Linear, nn.Conv2d)):
            nn.init.constant_(m.weight, 0.2)
            m.weight.data[0] = 0.3
            if m.bias is not None:
                nn.init.zeros_(m.bias)
@
def {f}(net):
    state = net.state_dict()
    for n, key in enumerate(state):
        if state[key].is_floating_point():
            state[key] = torch.linspace(0.1, 0.7, state[key].numel()).view(state[key].shape)
    net.load_state_dict(state)
@
def {f}(net):
    def each(m):
        if type(m) in (nn.Linear, nn.Conv1d):
            m.weight.data = torch.linspace(-0.4, 0.5, m.weight.numel()).view(m.weight.size())
            if m.bias is not None:
                m.bias.data.fill_(0.05)
    net.apply(each)
""".strip().split("\n@\n")

#: (layers over the last axis, of size a, to size c)
FLAT = [
    "nn.Linear({a}, {c})",
    "nn.Linear({a}, {c}, bias=False)",
    "nn.Linear(in_features={a}, out_features={c})",
    "nn.Linear({a}, out_features={c})",
]
SAME = [
    "nn.ReLU()",
    "nn.Tanh()",
    "nn.GELU()",
    "nn.LeakyReLU(0.2)",
    "nn.ReLU(inplace=True)",
    "nn.Sigmoid()",
    "nn.LayerNorm({a})",
    "nn.LayerNorm({a}, eps=1e-3)",
    "nn.Softmax(dim=-1)",
    "nn.ELU()",
    "nn.Identity()",
    "nn.Dropout(0.0)",
    "nn.SiLU()",
    "nn.Softplus()",
    "nn.Hardtanh()",
    "nn.PReLU()",
    "nn.BatchNorm1d({a})",
    "nn.ELU(inplace=True)",
]
WHOLE = [
    ("nn.Conv2d(2, 3, 2)", (1, 2, 3, 3)),
    ("nn.Conv2d(2, 2, 3, padding=1, bias=False)", (1, 2, 4, 3)),
    ("nn.Conv1d(2, 3, 2)", (2, 2, 4)),
    ("nn.Conv2d(2, 4, kernel_size=2, stride=2, groups=2)", (1, 2, 4, 4)),
    ("nn.BatchNorm2d(2)", (2, 2, 2, 3)),
    ("nn.BatchNorm1d(3)", (4, 3)),
    ("nn.GroupNorm(1, 2)", (2, 2, 3)),
    ("nn.MaxPool2d(2)", (1, 1, 4, 4)),
    ("nn.AvgPool2d(2, stride=1)", (1, 2, 3, 3)),
    ("nn.AdaptiveAvgPool2d(1)", (1, 2, 3, 3)),
    ("nn.Flatten()", (2, 2, 3)),
    ("nn.ConvTranspose2d(2, 2, 2)", (1, 2, 2, 3)),
    ("nn.Upsample(scale_factor=2)", (1, 1, 2, 2)),
    ("nn.InstanceNorm2d(2)", (1, 2, 3, 3)),
    ("nn.BatchNorm2d(2, affine=False)", (2, 2, 2, 2)),
    ("nn.BatchNorm1d(3, momentum=0.3)", (4, 3)),
]


def filled(b: Builder, name: str) -> None:
    """Parameters with values that both frameworks have."""
    known = [fill for fill in b.callables if fill.startswith(("fill", "init", "setup"))]
    if known and b.chance(0.7):
        helper = b.one(known)
    else:
        helper = b.name("fill init_weights setup")
        b.must(b.one(FILLS).replace("{f}", helper))
        b.callables.append(helper)
    every = "def " + helper
    text = next(line for line in b.lines if every in line)
    b.must(f"{name}.apply({helper})" if "net" not in text else f"{helper}({name})")
    if "isinstance" in text or "type(m)" in text:  # whatever that left as it was drawn
        b.must(f"for p in {name}.parameters():\n    nn.init.constant_(p, 0.3) if p.dim() == 1 else None")


def stack(b: Builder, size: int) -> tuple[str, int]:
    """(layers as arguments of Sequential, the last size)."""
    parts = []
    for _ in range(b.one([1, 2, 3])):
        out = b.one([2, 3, 4])
        parts.append(b.one(FLAT).format(a=size, c=out))
        size = out
        if b.chance(0.5):
            parts.append(b.one(SAME).format(a=size))
    return ", ".join(parts), size


def model(b: Builder) -> tuple[str, str]:
    """A model under a name, and an input for it: (name, input)."""
    rows, size = b.one([2, 3, 4]), b.one([2, 3])
    layers, last = stack(b, size)
    name = b.name("net model mlp head enc")
    inp = b.name("x inputs batch data")
    b.must(
        f"{inp} = {floats(b, (rows, size))}\n{inp} = {inp}.float()"
        if b.chance(0.2)
        else f"{inp} = torch.linspace(-1, 1.3, {rows * size}).view({rows}, {size})"
    )
    form = b.random.randrange(4)
    if form <= 1:
        b.must(f"{name} = nn.Sequential({layers})")
    else:
        title = b.name("Net Model Block Encoder MLP")
        extra, use = b.one(
            [
                ("", ""),
                ("\n        self.scale = nn.Parameter(torch.ones(1) * 0.5)", " * self.scale"),
                ("\n        self.register_buffer('offset', torch.tensor(0.25))", " + self.offset"),
                (f"\n        self.w = nn.Parameter(torch.zeros({last}, {last}))", " @ self.w"),
                ("\n        self.steps = 0", ""),
                (f"\n        self.register_buffer('mean', torch.zeros({last}))", " - self.mean"),
            ]
        )
        b.must(
            f"class {title}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.body = nn.Sequential({layers}){extra}\n\n    def forward(self, x):\n        {'self.steps += 1' if 'steps' in extra else 'h = self.body(x)'}\n        return {'self.body(x)' if 'steps' in extra else 'h'}{use}"
        )
        b.must(f"{name} = {title}()")
    filled(b, name)
    if b.chance(0.4):
        b.must(b.one([f"{name}.eval()", f"{name}.train()", f"{name}.train(False)"]))
    return name, inp


PARAMETERS = templates("""
show([tuple(p.shape) for p in {m}.parameters()]) | show(sum(p.numel() for p in {m}.parameters()))
show([n for n, p in {m}.named_parameters()]) | show(list({m}.state_dict().keys()))
show(sum(p.sum() for p in {m}.parameters())) | show([p.requires_grad for p in {m}.parameters()])
show(torch.cat([p.detach().flatten() for p in {m}.parameters()])) | show({m}.training, len(list({m}.modules())))
show([type(m).__name__ == "Linear" for m in {m}.modules()]) | show([isinstance(m, nn.Linear) for m in {m}.modules()])
show(sum(1 for m in {m}.modules() if type(m) in (nn.Linear, nn.LayerNorm)))
show([p.dim() for n, p in {m}.named_parameters() if "weight" in n])
show(next({m}.parameters()).dtype == torch.float32) | show({{n: p.norm() for n, p in {m}.named_parameters()}})
show([v for v in {m}.state_dict().values()]) | show(nn.utils.parameters_to_vector({m}.parameters()))
show([m.weight.shape[0] for m in {m}.modules() if isinstance(m, nn.Linear)])
show([m.weight[0] for m in {m}.modules() if isinstance(m, nn.Linear)])
show([m.weight.t() @ m.weight for m in {m}.modules() if isinstance(m, nn.Linear)])
show([m.in_features for m in {m}.modules() if hasattr(m, "in_features")])
show({{nn.Linear: 1, nn.ReLU: 2, nn.Sequential: 3}}.get(type({m}), 0)) | show({m}.__class__ is nn.Sequential)
show([n for n, m in {m}.named_modules()]) | show([n for n, c in {m}.named_children()])
show([p.mean() for p in {m}.parameters() if p.dim() > 1]) | show([b.shape for b in {m}.buffers()])
""")
TOUCHES = templates(r"""
for p in {m}.parameters():\n    p.requires_grad = False | for p in {m}.parameters():\n    p.data.mul_(0.5)
for n, p in {m}.named_parameters():\n    if "bias" in n:\n        p.data.zero_()
with torch.no_grad():\n    for p in {m}.parameters():\n        p += 0.1
with torch.no_grad():\n    for p in {m}.parameters():\n        p.mul_(0.9).add_(0.01)
for v in {m}.state_dict().values():\n    v.mul_(0.5)
{m}.load_state_dict({{k: v * 0.5 for k, v in {m}.state_dict().items()}}) | {m}.load_state_dict({m}.state_dict())
{m}.requires_grad_(False) | for m in {m}.modules():\n    if isinstance(m, nn.Linear):\n        m.weight.data[0] = 0.25
for m in {m}.modules():\n    if isinstance(m, nn.Linear):\n        m.weight.data = m.weight.data / m.weight.data.norm(dim=1, keepdim=True)
with torch.no_grad():\n    for m in {m}.modules():\n        if isinstance(m, nn.Linear):\n            m.weight[:, 0] = 0
{m}.double()\n{x} = {x}.double() | {m}.zero_grad() | for p in {m}.parameters():\n    p.data.clamp_(-0.3, 0.3)
with torch.no_grad():\n    next({m}.parameters()).fill_(0.25)
for m in {m}.modules():\n    if hasattr(m, "bias") and m.bias is not None:\n        m.bias.data.fill_(0.2)
""")


def network(b: Builder) -> None:
    """A model that is built, called, looked at and changed."""
    name, inp = model(b)
    out = b.name("out logits y_hat pred")
    b.must(f"{out} = {name}({inp})")
    b.add(inp, out)
    b.must(f"show({out})")
    for _ in range(b.one([1, 2])):
        b.emit(b.one(PARAMETERS).format(m=name))
    if b.chance(0.6) and b.emit(b.one(TOUCHES).format(m=name, x=inp)):
        b.emit(f"show({name}({inp}))")
        b.emit(b.one(PARAMETERS).format(m=name))
    if b.chance(0.3) and b.value(out).requires_grad:
        b.must(f"({name}({inp}) ** 2).sum().backward()\nshow([p.grad for p in {name}.parameters()])")
    if b.chance(0.2):
        other = b.name("twin ema shadow")
        b.must(f"{other} = copy.deepcopy({name})")
        b.emit(
            f"with torch.no_grad():\n    for p, q in zip({other}.parameters(), {name}.parameters()):\n        p.mul_(0.9).add_(q, alpha=0.2)\nshow({other}({inp}), {name}({inp}))"
        )
    if b.chance(0.15):
        seen = b.name("seen acts outputs")
        b.must(
            f"{seen} = []\nhandle = {name}.register_forward_hook(lambda mod, args, out: {seen}.append(out.detach()))\n"
            f"{name}({inp})\nhandle.remove()\n{name}({inp})\nshow({seen})"
        )
    if b.chance(0.25):
        b.emit(
            f"show([name for name, m in {name}.named_modules() if m.__class__ == nn.Linear], nn.Linear in {{type(m) for m in {name}.modules()}}, issubclass(type({name}), nn.Module))"
        )


def one_layer(b: Builder) -> None:
    """A layer by itself, its attributes, its parameters."""
    layer, shape = b.one(WHOLE)
    name, inp = b.name("layer conv pool bn"), b.name("img inp feats")
    b.must(f"{name} = {layer}")
    many = 1
    for size in shape:
        many *= size
    b.must(f"{inp} = torch.sin(torch.arange({many}) * 1.7).view{shape}")
    if "Conv" in layer or "Norm" in layer:
        filled(b, name)
    if b.chance(0.3):
        b.must(f"{name}.eval()")
    out = b.name("out res feat")
    b.must(f"{out} = {name}({inp})")
    b.add(inp, out)
    b.must(f"show({out}, {out}.shape)")
    attributes = [
        "stride",
        "kernel_size",
        "padding",
        "in_channels",
        "out_channels",
        "eps",
        "num_features",
        "momentum",
        "running_mean",
        "running_var",
        "num_batches_tracked",
        "affine",
        "groups",
        "weight",
        "bias",
        "dilation",
        "training",
    ]
    found = [word for word in attributes if hasattr(b.value(name), word)]
    if found:
        b.emit(f"show({name}.{b.one(found)})")
        b.emit(f"show({name}.{b.one(found)})")
    with contextlib.suppress(Dry):
        b.emit(f"show({grow(b, out, b.value(out))[0]})")


def table(b: Builder) -> None:
    """An embedding, or a recurrent layer, with what it gives."""
    if b.chance(0.6):
        name = b.name("emb table wte")
        b.must(f"{name} = nn.Embedding(6, 3{b.one(['', '', ', padding_idx=0'])})")
        b.must(
            b.one(
                [
                    f"with torch.no_grad():\n    {name}.weight.copy_(torch.linspace(-1, 1, 18).view(6, 3))",
                    f"{name}.weight.data = torch.linspace(-1, 1, 18).view(6, 3)",
                    f"nn.init.constant_({name}.weight, 0.3)",
                    f"{name}.weight.data.copy_(torch.arange(18.0).reshape(6, 3) / 18)",
                    f"{name} = nn.Embedding.from_pretrained(torch.linspace(-1, 1, 18).view(6, 3), freeze=False)",
                ]
            )
        )
        out = b.name("vecs tok out")
        b.must(f"{out} = {name}(torch.tensor([[1, 2], [0, 5]]))")
        b.add(out)
        b.must(f"show({out}, {name}.weight.shape)")
        if b.chance(0.5):
            b.must(f"{out}.pow(2).sum().backward()\nshow({name}.weight.grad)")
        if b.chance(0.3):
            lin = b.name("lm_head proj")
            b.must(
                f"{lin} = nn.Linear(3, 6, bias=False)\n{lin}.weight = {name}.weight\nshow({lin}({out}), {lin}.weight is {name}.weight)"
            )
        return
    name = b.name("rnn gru lstm")
    kind_ = b.one(["GRU", "LSTM", "RNN"])
    b.must(f"{name} = nn.{kind_}(2, 3{b.one([', batch_first=True', '', ', num_layers=2, batch_first=True'])})")
    b.must(f"for p in {name}.parameters():\n    p.data = torch.linspace(-0.4, 0.5, p.numel()).view(p.shape)")
    out, last = b.name("seq out"), b.name("last hidden hn")
    b.must(f"{out}, {last} = {name}(torch.linspace(-1, 1, 12).view(2, 3, 2))")
    b.add(out)
    b.must(f"show({out}, {last})")


def functional(b: Builder) -> None:
    """Losses, attention, padding, sampling: functions with options."""
    text, x = b.tensor(lambda x: kind(x) == "float" and x.dim() == 2 and x.dtype.itemsize == 4 and x.shape[1] > 1)
    rows, columns = x.shape
    labels = [b.random.randrange(columns) for _ in range(rows)]
    labels_ignored = [*labels[:-1], b.one([-100, -1])]
    target, ignored = f"torch.tensor({labels})", f"torch.tensor({labels_ignored})"
    ways = [
        f"F.cross_entropy({text}, {target})",
        f"F.cross_entropy({text}, {ignored}, ignore_index={labels_ignored[-1]})",
        f"F.cross_entropy({text}, {target}, reduction='sum')",
        f"F.cross_entropy({text}, {target}, reduction='none')",
        f"F.cross_entropy({text}, {target}, label_smoothing=0.1)",
        f"F.cross_entropy({text}, {target}, weight=torch.linspace(0.5, 1.5, {columns}))",
        f"F.cross_entropy(target={target}, input={text})",
        f"F.nll_loss(F.log_softmax({text}, dim=1), {target})",
        f"nn.CrossEntropyLoss()({text}, {target})",
        f"nn.CrossEntropyLoss(ignore_index={labels_ignored[-1]})({text}, {ignored})",
        f"F.binary_cross_entropy_with_logits({text}, ({text} > 0.1373).float())",
        f"F.binary_cross_entropy({text}.sigmoid(), ({text} > 0.1373).float())",
        f"nn.BCEWithLogitsLoss(reduction='sum')({text}, torch.ones_like({text}))",
        f"nn.MSELoss()({text}, torch.zeros_like({text}))",
        f"F.kl_div(F.log_softmax({text}, 1), F.softmax({text} * 2, 1), reduction='batchmean')",
        f"F.scaled_dot_product_attention({text}[None, None], {text}[None, None] + 1, {text}[None, None] * 2)",
        f"F.scaled_dot_product_attention({text}[None], {text}[None], {text}[None], is_causal=True)",
        f"F.one_hot({target}, {columns}) * {text}",
        f"F.pad({text}, (1, 1, 0, 1))",
        f"F.pad({text}[None], (1, 0), mode='replicate')",
        f"F.interpolate({text}[None, None], scale_factor=2)",
        f"F.interpolate({text}[None, None], size=(4, 4), mode='bilinear', align_corners=False)",
        f"F.embedding({target}, {text}.t())",
        f"F.max_pool1d({text}[None], 2)",
        f"F.avg_pool1d({text}[None], 2, stride=1)",
        f"F.adaptive_avg_pool1d({text}[None], 1)",
        f"F.conv1d({text}[None], torch.ones(1, {rows}, 2))",
        f"F.unfold({text}[None, None], (2, 2))",
        f"F.glu(torch.cat([{text}, {text}], 1))",
        f"F.batch_norm({text}, torch.zeros({columns}), torch.ones({columns}))",
        f"F.batch_norm({text}, None, None, training=True)",
        f"F.group_norm({text}[None], 1)",
        f"F.instance_norm({text}[None])",
        f"F.softmin({text}, dim=1)",
        f"F.softmax({text}, dim=1, dtype=torch.float64)",
        f"F.dropout({text}, 0.5, training=False)",
        f"F.cosine_embedding_loss({text}, {text} + 1, torch.ones({rows}))",
        f"F.margin_ranking_loss({text}[0], {text}[-1], torch.ones({columns}), margin=0.2)",
        f"F.triplet_margin_loss({text}, {text} + 0.3, {text} * 2)",
        f"F.hinge_embedding_loss({text}, torch.ones_like({text}))",
        f"F.gaussian_nll_loss({text}, {text} * 0.5, torch.ones_like({text}))",
        f"F.multi_margin_loss({text}, {target})",
        f"F.linear({text}, torch.ones(2, {columns}), torch.tensor([0.5, 1.5]))",
        f"F.bilinear({text}, {text}, torch.ones(2, {columns}, {columns}))",
        f"F.cross_entropy({text}, F.softmax({text} * 2, dim=-1))",
    ]
    name = b.name("loss res att padded")
    call: str = b.one(ways)
    b.must(f"{name} = {call}")
    b.add(name)
    if b.chance(0.5):
        b.emit(f"show({expression(b.child().keep(name))[0]})")
