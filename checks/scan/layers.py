"""Layers in both modes, after steps of training, copied, saved and loaded, cast, frozen: what they give and what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from checks.scan.case import Case, program

FILL = [
    "with torch.no_grad():",
    "    for p in m.parameters():",
    "        p.copy_(torch.linspace(-0.8, 1.0, p.numel()).reshape(p.shape))",
]
ROWS = "torch.linspace(-2.0, 3.0, 12).reshape(4, 3).sin()"
SERIES = "torch.linspace(-2.0, 3.0, 24).reshape(2, 3, 4).sin()"
IMAGES = "torch.linspace(-2.0, 3.0, 2 * 3 * 6 * 5).reshape(2, 3, 6, 5).sin()"
STEPS = "torch.linspace(-2.0, 3.0, 30).reshape(5, 2, 3).sin()"
LAYERS = {
    "nn.Linear(3, 4)": ROWS,
    "nn.Linear(3, 3, bias=False)": ROWS,
    "nn.Linear(3, 3)": ROWS,
    "nn.Conv1d(3, 4, 2)": SERIES,
    "nn.Conv2d(3, 4, 3, padding=1)": IMAGES,
    "nn.Conv2d(3, 6, 3, groups=3, bias=False)": IMAGES,
    "nn.Conv2d(3, 3, 3, padding=1, padding_mode='reflect')": IMAGES,
    "nn.ConvTranspose1d(3, 2, 2)": SERIES,
    "nn.ConvTranspose2d(3, 2, 3, stride=2)": IMAGES,
    "nn.BatchNorm1d(3)": ROWS,
    "nn.BatchNorm1d(3, affine=False)": ROWS,
    "nn.BatchNorm1d(3, track_running_stats=False)": ROWS,
    "nn.BatchNorm1d(3, momentum=None)": ROWS,
    "nn.BatchNorm1d(3, momentum=0.3, eps=0.1)": SERIES,
    "nn.BatchNorm2d(3)": IMAGES,
    "nn.BatchNorm2d(3, momentum=0.01, eps=1e-3)": IMAGES,
    "nn.InstanceNorm1d(3)": SERIES,
    "nn.InstanceNorm2d(3, affine=True)": IMAGES,
    "nn.InstanceNorm2d(3, track_running_stats=True)": IMAGES,
    "nn.LayerNorm(3)": ROWS,
    "nn.LayerNorm(3, elementwise_affine=False)": ROWS,
    "nn.LayerNorm(3, bias=False)": ROWS,
    "nn.LayerNorm((3, 4), eps=0.1)": SERIES,
    "nn.GroupNorm(3, 3)": IMAGES,
    "nn.GroupNorm(1, 3, affine=False)": SERIES,
    "nn.RMSNorm(3)": ROWS,
    "nn.LocalResponseNorm(2)": IMAGES,
    "nn.PReLU()": ROWS,
    "nn.PReLU(3, init=0.1)": ROWS,
    "nn.Embedding(5, 3)": "torch.tensor([[0, 2], [4, 1]])",
    "nn.Embedding(5, 3, padding_idx=1)": "torch.tensor([[0, 1], [4, 1]])",
    "nn.Embedding(5, 3, max_norm=1.0)": "torch.tensor([[0, 1], [4, 1]])",
    "nn.Embedding(5, 3, scale_grad_by_freq=True)": "torch.tensor([[0, 1], [4, 1]])",
    "nn.EmbeddingBag(5, 3, mode='sum')": "torch.tensor([[0, 1], [4, 1]])",
    "nn.EmbeddingBag(5, 3)": "torch.tensor([[0, 1], [4, 1]])",
    "nn.Bilinear(3, 3, 2)": ROWS,
    "nn.RNN(3, 2)": STEPS,
    "nn.RNN(3, 2, nonlinearity='relu', batch_first=True)": STEPS,
    "nn.LSTM(3, 2)": STEPS,
    "nn.LSTM(3, 2, num_layers=2, bidirectional=True)": STEPS,
    "nn.LSTM(3, 4, proj_size=2)": STEPS,
    "nn.LSTM(3, 2, bias=False, batch_first=True)": STEPS,
    "nn.GRU(3, 2)": STEPS,
    "nn.GRU(3, 2, num_layers=2, batch_first=True, bidirectional=True)": STEPS,
    "nn.RNNCell(3, 2)": ROWS,
    "nn.LSTMCell(3, 2)": ROWS,
    "nn.GRUCell(3, 2, bias=False)": ROWS,
    "nn.MultiheadAttention(3, 1)": STEPS,
    "nn.MultiheadAttention(3, 3, batch_first=True, bias=False)": STEPS,
    "nn.MultiheadAttention(3, 1, add_bias_kv=True, add_zero_attn=True)": STEPS,
    "nn.TransformerEncoderLayer(3, 1, 4, dropout=0.0)": STEPS,
    "nn.TransformerEncoderLayer(3, 3, 4, dropout=0.0, activation='gelu', norm_first=True, batch_first=True)": STEPS,
    "nn.TransformerDecoderLayer(3, 1, 4, dropout=0.0)": STEPS,
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(3, 1, 4, dropout=0.0), 2)": STEPS,
    "nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 2))": ROWS,
    "nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.LeakyReLU(0.1), nn.AdaptiveAvgPool2d(1), nn.Flatten())": IMAGES,
    "nn.Sequential(OrderedDict([('a', nn.Linear(3, 4)), ('b', nn.LayerNorm(4))]))": ROWS,
    "nn.Sequential(nn.Dropout(0.0), nn.Linear(3, 3), nn.Dropout(p=0))": ROWS,
    "nn.ModuleList([nn.Linear(3, 4), nn.Linear(4, 2)])": ROWS,
    "nn.ModuleDict({'a': nn.Linear(3, 4), 'b': nn.Linear(4, 2)})": ROWS,
    "nn.ParameterList([torch.ones(3), torch.zeros(2)])": ROWS,
    "nn.utils.weight_norm(nn.Linear(3, 2))": ROWS,
    "nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))": ROWS,
    "nn.AdaptiveLogSoftmaxWithLoss(3, 6, [2, 4], div_value=1.5)": ROWS,
    "nn.Upsample(scale_factor=2, mode='bilinear', align_corners=True)": IMAGES,
    "nn.PixelShuffle(1)": IMAGES,
    "nn.Softmax2d()": IMAGES,
    "nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5]))": ROWS,
}
CALLS = {
    "Bilinear": "self.body(x, x + 1)",
    "RNN": "self.body(x)[0]", "LSTM": "self.body(x)[0]", "GRU": "self.body(x)[0]", "LSTMCell": "self.body(x)[0]",
    "MultiheadAttention": "self.body(x, x, x)[0]",
    "TransformerDecoderLayer": "self.body(x, x)",
    "ModuleList": "self.body[1](self.body[0](x))",
    "ModuleDict": "self.body['b'](self.body['a'](x))",
    "ParameterList": "x * self.body[0]",
    "AdaptiveLogSoftmaxWithLoss": "self.body(x, torch.tensor([0, 3, 5, 1][: len(x)])).output",
    "CrossEntropyLoss": "self.body(x, torch.tensor([0, 2, 1, 1][: len(x)]))",
}  # fmt: skip
NET = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {layer}

    def forward(self, x):
        return {call}


m = Net()"""


@dataclass(frozen=True)
class Way:
    """What is done with a net ``m`` and its input ``x``: lines."""

    name: str
    body: tuple[str, ...]


TRAIN = ("    opt.zero_grad()", "    y = m(x)", "    loss = (y * y).mean()", "    loss.backward()", "    opt.step()")
WAYS = (
    Way("train", ("y = m(x)", "torch.sin(y).sum().backward()", "show(y.detach(), [p.grad for p in m.parameters()])", "show(list(m.buffers()))")),
    Way("input's gradient", ("x.requires_grad_()", "y = m(x)", "torch.sin(y).sum().backward()", "show(x.grad)")),
    Way("eval", ("m.eval()", "show(m(x))", "show(m.training, list(m.buffers()))")),
    Way("no_grad", ("with torch.no_grad():", "    y = m(x)", "show(y, y.requires_grad)")),
    Way("train, then eval", ("for _ in range(3):", "    m(x)", "m.eval()", "show(m(x))")),
    Way("keys", ("show(list(m.state_dict()))", "show([n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()])", "show([n for n, _ in m.named_modules()])")),
    Way("shapes", ("show({k: tuple(v.shape) for k, v in m.state_dict().items()})", "show(sum(p.numel() for p in m.parameters()))", "show(sum(p.numel() for p in m.parameters() if p.requires_grad))")),
    Way("values", ("for k, v in m.state_dict().items():", "    show(k, v)")),
    Way("dtypes", ("show([p.dtype for p in m.parameters()], [v.dtype for v in m.state_dict().values()])",)),
    Way("norms of the beginning", ("show([(n, p.ndim, p.requires_grad, p.is_leaf) for n, p in m.named_parameters()])",)),
    Way("SGD", ("opt = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)", "for _ in range(3):", *TRAIN, "show(loss.item())", "show([p.detach() for p in m.parameters()])", "show(list(m.buffers()))")),
    Way("Adam", ("opt = torch.optim.Adam(m.parameters(), lr=0.05)", "for _ in range(3):", *TRAIN, "show(loss.item(), m(x))")),
    Way("AdamW, clipped", ("opt = torch.optim.AdamW(m.parameters(), lr=0.05)", "for _ in range(2):", "    opt.zero_grad()", "    y = m(x)", "    y.pow(2).mean().backward()", "    total = nn.utils.clip_grad_norm_(m.parameters(), 0.1)", "    opt.step()", "show(total, m(x))")),
    Way("deep copy", ("other = copy.deepcopy(m)", "with torch.no_grad():", "    for p in m.parameters():", "        p.zero_()", "show([p.detach() for p in other.parameters()], list(other.buffers()))", "m = other", "show(m(x))")),
    Way("loaded", ("state = {k: v * 2 if v.is_floating_point() else v for k, v in m.state_dict().items()}", "show(m.load_state_dict(state))", "show(m(x))")),
    Way("loaded, not strict", ("found = m.load_state_dict({'more': torch.ones(1)}, strict=False)", "show(sorted(found.missing_keys), found.unexpected_keys)")),
    Way("double", ("m = m.double()", "x = x.double() if x.is_floating_point() else x", "show(m(x), [p.dtype for p in m.parameters()])")),
    Way("half and back", ("m.half()", "show([p.dtype for p in m.parameters()], [b.dtype for b in m.buffers()])", "m.float()", "show(m(x))")),
    Way("bfloat16", ("m.to(torch.bfloat16)", "show([p.dtype for p in m.parameters()], [b.dtype for b in m.buffers()])")),
    Way("frozen", ("for p in m.parameters():", "    p.requires_grad = False", "x = x.requires_grad_() if x.is_floating_point() else x", "y = m(x)", "show(y.requires_grad, [p.requires_grad for p in m.parameters()])")),
    Way("frozen in part", ("for n, p in m.named_parameters():", "    p.requires_grad_('bias' not in n)", "y = m(x)", "(y * y).sum().backward()", "show([p.grad for p in m.parameters()])")),
    Way("gradients by names", ("y = m(x)", "y.pow(3).sum().backward()", "show({n: p.grad.norm() for n, p in m.named_parameters() if p.grad is not None})")),
    Way("torch.autograd.grad", ("gs = torch.autograd.grad(m(x).pow(2).sum(), list(m.parameters()))", "show(gs)")),
    Way("accumulated", ("for _ in range(2):", "    (m(x) ** 2).mean().backward()", "show([p.grad for p in m.parameters()])", "m.zero_grad()", "show([p.grad for p in m.parameters()])")),
    Way("init by apply", ("def init(k):", "    if hasattr(k, 'weight') and k.weight is not None:", "        nn.init.constant_(k.weight, 0.5)", "    if getattr(k, 'bias', None) is not None and not isinstance(k.bias, bool):", "        nn.init.zeros_(k.bias)", "", "m.apply(init)", "show([p.detach() for p in m.parameters()], m(x))")),
    Way("EMA", ("ema = copy.deepcopy(m)", "with torch.no_grad():", "    for p in m.parameters():", "        p.add_(1.0)", "    for a, b in zip(ema.parameters(), m.parameters()):", "        a.mul_(0.9).add_(b, alpha=0.1)", "show([p for p in ema.parameters()])")),
    Way("children", ("show([type(k).__name__ for k in m.children()], len(list(m.modules())))",)),
    Way("one of a batch", ("show(m(x)[:1].shape)", "x = x[:1]", "m.eval()", "show(m(x))")),
    Way("hook", ("seen = []", "m.register_forward_hook(lambda m, i, o: seen.append(len(i)))", "m(x)", "show(seen)")),
    Way("vector", ("v = nn.utils.parameters_to_vector(m.parameters())", "show(v)")),
)  # fmt: skip


def cases() -> Iterator[Case]:
    for layer, tensor in LAYERS.items():
        name = layer.partition("(")[0].rpartition(".")[2]
        imports = ["from collections import OrderedDict"] if "OrderedDict" in layer else []
        net = NET.format(layer=layer, call=CALLS.get(name, "self.body(x)"))
        for way in WAYS:
            copying = ["import copy\n"] if any("copy.deepcopy" in line for line in way.body) else []
            setup = [*copying, *imports, net, *FILL, f"x = {tensor}"]
            yield Case("layers", layer, way.name, program(setup, way.body))
