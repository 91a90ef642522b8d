"""Modules of a program's own in Flax NNX: methods, attributes, containers, tying, state, layers in torch's layout."""

from __future__ import annotations

from collections.abc import Callable

import pytest

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(net: nn.Module):
    state = net.state_dict()
    for number, (name, value) in enumerate(state.items()):
        if value.dtype == torch.float32:
            state[name] = (torch.arange(value.numel(), dtype=torch.float32).reshape(value.shape) + number).sin() + 1.5
    net.load_state_dict(state)
    return net

def image(*shape):
    count = 1
    for size in shape:
        count *= size
    return torch.arange(count, dtype=torch.float32).reshape(shape).cos()
"""

MEMBERS = """
class Block(nn.Module):
    def __init__(self, width: int, extra=None):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.scale = nn.Parameter(torch.ones(width))
        self.shift = None
        self.register_buffer("mask", torch.tril(torch.ones(width, width)))
        self.register_buffer("loose", torch.ones(1), persistent=False)
        self.later = None
        if extra is not None:
            self.later = extra

    def forward(self, x: torch.Tensor):
        h = self.fc(x) * self.scale + torch.relu(self.scale)
        h = h.masked_fill(self.mask[0] == 0, 0.5) + F.linear(x, self.fc.weight, self.fc.bias) * self.loose
        return h if self.later is None else self.later.forward(h)

class Wide(Block):
    def forward(self, x):
        return super().forward(x) + self.step(x)

    def step(self, x):
        return x * 2

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 3, padding_idx=0)
        self.blocks = nn.ModuleList([Block(3), Wide(3, nn.Linear(3, 3))])
        self.named = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Sequential(nn.Linear(3, 3), nn.Tanh())})
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = self.emb.weight

    def forward(self, ids):
        x = self.emb(ids)
        for block in self.blocks:
            x = block(x)
        for name, part in self.named.items():
            x = x + part(x)
        return self.head(x)

net = fill(Net())
out = net(torch.tensor([[1, 2], [0, 4]]))
show(out, out.shape)
show(sorted(net.state_dict()))
show([(name, tuple(p.shape), p.dim()) for name, p in net.named_parameters()])
show([name for name, _ in net.named_modules()], [name for name, _ in net.named_children()])
show(sum(p.numel() for p in net.parameters()), [name for name, _ in net.named_buffers()])
show(net.head.weight is net.emb.weight, len(net.blocks), "a" in net.named)
block = net.blocks[0]
show(block.fc.weight[0], block.fc.weight.shape, block.fc.weight.sum(), block.scale.sum())
block.mask = torch.zeros(3, 3)
show(block(image(2, 3)), net.training, net.eval().training, block.training)
table, back = nn.Embedding(5, 3), fill(nn.Linear(3, 5))
table.weight = back.weight
show(table.weight is back.weight, table.weight[4], back(image(2, 3)), table(torch.tensor([4, 1])))
"""

LAYER = """
def layer(made, *shape):
    fill(made)
    made.train()
    x = image(*shape)
    show(made(x))
    made.eval()
    show(made(x), sorted((name, tuple(value.shape)) for name, value in made.state_dict().items() if value.dim()))
"""

CONVOLUTIONS = """
layer(nn.Conv1d(2, 4, 3, padding=1, groups=2), 2, 2, 7)
layer(nn.Conv2d(3, 4, (3, 2), stride=2, padding=(1, 0), dilation=(1, 2), bias=False), 2, 3, 8, 9)
layer(nn.Conv2d(3, 4, 3, padding="same", padding_mode="reflect"), 3, 8, 9)
layer(nn.Conv3d(1, 2, 2), 1, 1, 3, 3, 3)
layer(nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1), 2, 3, 4, 5)
layer(nn.ConvTranspose1d(4, 6, 3, groups=2), 2, 4, 5)
"""

NORMS = """
layer(nn.BatchNorm2d(3), 2, 3, 4, 4)
layer(nn.BatchNorm1d(3, momentum=None), 4, 3)
layer(nn.BatchNorm1d(3, affine=False, track_running_stats=False), 4, 3)
layer(nn.InstanceNorm2d(3, affine=True, track_running_stats=True), 2, 3, 4, 4)
layer(nn.LayerNorm((3, 4)), 2, 3, 4)
layer(nn.GroupNorm(2, 4), 2, 4, 3)
layer(nn.RMSNorm(4), 2, 4)
"""

OTHERS = """
layer(nn.PReLU(3), 2, 3, 4)
layer(nn.Sequential(nn.ReflectionPad2d(1), nn.MaxPool2d(2), nn.GELU(), nn.Flatten(), nn.Softmax(dim=1)), 1, 2, 4, 4)
layer(nn.Sequential(nn.Upsample(scale_factor=2), nn.AvgPool2d(3, 2, 1), nn.LeakyReLU(0.2)), 1, 2, 4, 4)
layer(nn.AdaptiveAvgPool2d(2), 1, 2, 4, 4)
loss = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0]), label_smoothing=0.1)
show(loss(image(4, 3), torch.tensor([0, 2, 1, 1])), nn.MSELoss(reduction="sum")(image(3), torch.ones(3)))
show(nn.BCEWithLogitsLoss(pos_weight=torch.tensor([2.0]))(image(3), torch.ones(3)))
"""

INITIAL = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3)
        self.fc = nn.Linear(400, 100)
        self.apply(self.start)

    def start(self, m):
        if isinstance(m, nn.Conv2d):
            nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            nn.init.constant_(m.bias, 0.25)
        elif isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight)

torch.manual_seed(0)
net = Net()
bound = (6 / 500) ** 0.5
w = net.fc.weight
show(bool(w.abs().max() <= bound), bool(w.abs().max() > 0.98 * bound), net.conv.bias.sum())
show(bool((net.conv.weight.std() - (2 / 144) ** 0.5).abs() < 0.02))
plain = nn.Linear(400, 100)
show(bool(plain.weight.abs().max() <= 0.05), bool(plain.bias.max() > 0.045))
"""

ABSENT = """
class Norm(nn.Module):
    def __init__(self, width: int, bias: bool):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width) * 2)
        self.bias = nn.Parameter(torch.ones(width)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)

show(Norm(4, True)(image(2, 4)), Norm(4, False)(image(2, 4)))
"""

SMALL = """
def small(net: nn.Module):
    fill(net)
    net.load_state_dict({name: value * 0.2 for name, value in net.state_dict().items()})

def shows(made, *given, **more):
    small(made)
    made.eval()
    show(made(*given, **more), [name for name, _ in made.named_parameters()])
"""

RECURRENT = """
def states(found):
    return list(found) if isinstance(found, tuple) else [found]

def recurrent(made, x, *more):
    small(made)
    out, last = made(x, *more)
    show(out, states(last), [(name, tuple(p.shape)) for name, p in made.named_parameters()])

recurrent(nn.LSTM(3, 4, num_layers=2, batch_first=True, bidirectional=True), image(2, 5, 3))
recurrent(nn.LSTM(3, 4, proj_size=2), image(5, 2, 3), (image(1, 2, 2), image(1, 2, 4)))
recurrent(nn.GRU(3, 4, num_layers=2, dropout=0.5).eval(), image(5, 3), image(2, 4))
recurrent(nn.RNN(3, 4, nonlinearity="relu", bias=False, bidirectional=True), image(5, 2, 3))
for cell in (nn.RNNCell(3, 4), nn.GRUCell(3, 4, bias=False), nn.LSTMCell(3, 4)):
    fill(cell)
    show(states(cell(image(2, 3))))
x, (h, c) = image(2, 3), (image(2, 4), image(2, 4))
cell = fill(nn.LSTMCell(3, 4))
h, c = cell(x, (h, c))
show(h, c, cell.weight_hh.shape, cell.hidden_size)

packed = nn.utils.rnn.pack_padded_sequence(image(3, 5, 3), torch.tensor([2, 5, 3]), True, enforce_sorted=False)
show(packed.data, packed.batch_sizes)
lstm = fill(nn.LSTM(3, 4, bidirectional=True, batch_first=True))
out, (h, c) = lstm(packed)
padded, lengths = nn.utils.rnn.pad_packed_sequence(out, batch_first=True, padding_value=-1.0)
show(padded, lengths, h, c)
out, h = fill(nn.GRU(3, 4))(nn.utils.rnn.pack_sequence([image(4, 3), image(2, 3)]), image(1, 2, 4))
show(nn.utils.rnn.pad_packed_sequence(out, total_length=6)[0], h, nn.utils.rnn.unpack_sequence(out))

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, batch_first=True)
        self.lstm.flatten_parameters()
        for name, p in self.lstm.named_parameters():
            if "weight" in name:
                nn.init.constant_(p, 0.25)
            else:
                nn.init.zeros_(p)
        nn.init.ones_(self.lstm.bias_ih_l0)

    def forward(self, x):
        out, (h, _) = self.lstm(x)
        return out[:, -1] + h[-1]

show(Tagger()(image(2, 5, 3)))
"""

ATTENTION = """
causal = nn.Transformer.generate_square_subsequent_mask(5)
late = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
shows(nn.MultiheadAttention(4, 2), image(5, 2, 4), image(3, 2, 4), image(3, 2, 4))
shows(nn.MultiheadAttention(4, 2, batch_first=True, add_bias_kv=True, add_zero_attn=True), *[image(2, 5, 4)] * 3,
      key_padding_mask=late, attn_mask=causal, average_attn_weights=False)
shows(nn.MultiheadAttention(4, 2, kdim=3, vdim=6, bias=False), image(5, 4), image(3, 3), image(3, 6),
      need_weights=False)
mask = torch.tensor([[0.0, 0.0], [float("-inf")] * 2])
show(F.scaled_dot_product_attention(image(1, 1, 2, 4), image(1, 1, 2, 4), image(1, 1, 2, 4), attn_mask=mask))
"""

TRANSFORMERS = """
causal = nn.Transformer.generate_square_subsequent_mask(5)
late = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
shows(nn.TransformerEncoderLayer(4, 2, 8), image(5, 2, 4), src_mask=causal, is_causal=True)
shows(nn.TransformerEncoderLayer(4, 2, 8, activation="gelu", batch_first=True, norm_first=True, bias=False),
      image(2, 5, 4))
shows(nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2, nn.LayerNorm(4)), image(5, 2, 4))
shows(nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8, batch_first=True), 2), image(2, 5, 4), image(2, 3, 4),
      tgt_mask=causal, tgt_key_padding_mask=late)
model = nn.Transformer(4, 2, 1, 1, 8, batch_first=True)
shows(model, image(2, 3, 4), image(2, 5, 4), tgt_mask=causal)
show(model.encoder.layers[0].self_attn.in_proj_weight.shape, model.d_model, len(model.decoder.layers))
"""

MORE = """
show(fill(nn.EmbeddingBag(5, 3, mode="sum", padding_idx=1))(torch.tensor([1, 2, 4, 0]), torch.tensor([0, 2])))
show(nn.CosineSimilarity(dim=1)(image(2, 3), image(3, 2).T), nn.PairwiseDistance(p=1)(image(2, 3), -image(2, 3)))
show(nn.Unfold(2)(image(1, 2, 4, 4)), nn.Fold((3, 3), 2)(image(1, 8, 4)), nn.LocalResponseNorm(2)(image(2, 4, 3)))
show(nn.GaussianNLLLoss()(image(3), torch.ones(3), torch.ones(3) * 2), nn.LPPool3d(2, 2)(image(1, 1, 4, 4, 4) + 2))
far = nn.TripletMarginWithDistanceLoss(distance_function=nn.PairwiseDistance())
show(far(image(2, 3), -image(2, 3), image(2, 3) * 2))
for off in (nn.Dropout1d(0.5), nn.Dropout3d(0.5), nn.AlphaDropout(0.5), nn.FeatureAlphaDropout(0.5), nn.RReLU()):
    show(off.eval()(image(2, 3, 2, 2, 2) if isinstance(off, nn.Dropout3d) else image(2, 3)))
"""

FUNCTIONS = """
x = image(1, 2, 8, 8)
show(F.max_pool2d(x, 2), F.max_pool2d(x, 3, 2, 1), F.max_pool2d(x, 2, return_indices=True)[1], F.avg_pool2d(x, 2, ()))
show(F.max_pool3d(image(1, 4, 4, 4), 2), F.max_pool1d(x[0], 2), F.lp_pool2d(x, 2.0, 2))
show(F.avg_pool2d(torch.arange(16).reshape(1, 4, 4) - 9, 2), F.cosine_embedding_loss(
    torch.ones(2, 3, dtype=torch.int64), torch.ones(2, 3, dtype=torch.int64), torch.tensor([1, -1])))
show(F.elu(image(4) * 20), F.celu(image(4) * 2, alpha=0.5), F.selu(image(4)))
"""

LONG_LOSSES = """
made = fill(nn.AdaptiveLogSoftmaxWithLoss(6, 10, [3, 6], div_value=2.0))
found = made(image(4, 6), torch.tensor([0, 4, 9, 2]))
show(found.output, found.loss, made.log_prob(image(2, 6)), made.predict(image(2, 6)))
log_probs = image(6, 2, 4).log_softmax(2)
targets, lengths = torch.tensor([[1, 1, 2], [3, 0, 0]]), torch.tensor([3, 1])
show(nn.CTCLoss(reduction="none")(log_probs, targets, torch.tensor([6, 4]), lengths))
show(F.ctc_loss(log_probs, torch.tensor([1, 1, 2, 3]), (6, 3), (3, 1)))
show(nn.CTCLoss(zero_infinity=True, reduction="sum")(log_probs, targets, torch.tensor([3, 4]), lengths))
"""

LAZY = """
lazy = nn.Sequential(nn.LazyConv2d(4, 3, padding=1), nn.Flatten(), nn.LazyLinear(2), nn.LazyBatchNorm1d())
lazy(image(2, 3, 4, 4))
show(fill(lazy).eval()(image(1, 3, 4, 4)), [tuple(p.shape) for p in lazy.parameters()], type(lazy[0]).__name__)
"""

ORDER = """
import copy
from collections import OrderedDict

class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.zeta = nn.Parameter(torch.ones(2))
        self.alpha = nn.Parameter(torch.full((2,), 2.0))

    def forward(self, x):
        return (x + self.zeta) * self.alpha

named = [("two", nn.Linear(2, 2)), ("one", Shift()), ("last", nn.Tanh()), ("end", nn.Linear(2, 1))]
net = nn.Sequential(OrderedDict(named))
fill(net)
kept = copy.deepcopy(net)
show([name for name, _ in kept.named_parameters()], kept(image(3, 2)))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

def train(x, y):
    optimizer.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()

show([train(image(3, 2), image(3, 1)) for _ in range(3)])
show([name for name, _ in net.named_parameters()], [name for name, _ in net.named_children()], list(net.state_dict()))
for (name, p), (other, q) in zip(net.named_parameters(), kept.named_parameters()):
    show(name == other, (p - q).abs().sum())
parts = nn.ModuleDict({"b": nn.Linear(1, 1), "a": nn.Linear(1, 1)})
show(list(copy.deepcopy(parts)), [name for name, _ in copy.deepcopy(parts).items()])
"""

LOOPS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 3), nn.Conv1d(3, 2, 1)
        self.register_buffer("c", torch.ones(2))
def zero_module(module):
    for p in module.parameters():
        p.detach().zero_()
    return module
def change(module: nn.Module, other: nn.Module):
    for p in module.parameters():
        p.data.mul_(2.0)
        p.detach().add_(0.5)
    with torch.no_grad():
        for n, p in module.named_parameters():
            p.add_(1.0)
            p[0] = 3.0
            p += torch.ones_like(p)
            p *= 0.5
            if p.dim() > 1:
                nn.init.constant_(p, 0.25)
            if "b" in n:
                p.copy_(torch.full_like(p, 1.5))
        for k, (p, q) in enumerate(zip(module.parameters(), other.parameters())):
            q.data.mul_(0.9).add_(p.data, alpha=0.1)
            q.lerp_(p, 0.5)
            q.mul_(2)
        for b in module.buffers():
            b.mul_(3)

net, other = Net(), Net()
for p in net.parameters():
    p.data.fill_(0.5)
for p in other.parameters():
    p.data.fill_(0.25)
change(net, other)
for made in (net, other, zero_module(Net())):
    show(sorted(made.state_dict().items()))
"""

COMPUTED = """
from torch.nn.utils import remove_weight_norm, spectral_norm, weight_norm

def weights(made: nn.Module, *shape):
    fill(made)
    made.train()
    x = image(*shape)
    show(made(x))
    made.eval()
    show(made(x), sorted((name, tuple(value.shape)) for name, value in made.state_dict().items()))

weights(weight_norm(nn.Conv1d(2, 4, 3, padding=1)), 2, 2, 5)
weights(weight_norm(nn.Linear(5, 6), dim=None), 2, 5)
weights(weight_norm(nn.ConvTranspose1d(3, 2, 2)), 2, 3, 4)
weights(spectral_norm(nn.Conv2d(2, 3, 2)), 1, 2, 4, 4)
weights(spectral_norm(nn.ConvTranspose1d(3, 2, 2), n_power_iterations=2), 2, 3, 4)
net = remove_weight_norm(fill(weight_norm(nn.Linear(2, 3))))
show(net.weight[0], net(image(4, 2)), sorted(net.state_dict()))
"""

PROGRAMS = {
    "order": ORDER,
    "recurrent": SMALL + RECURRENT,
    "attention": SMALL + ATTENTION,
    "transformers": SMALL + TRANSFORMERS,
    "more": MORE,
    "functions": FUNCTIONS,
    "long_losses": LONG_LOSSES,
    "lazy": LAZY,
    "computed": COMPUTED,
    "loops": LOOPS,
    "members": MEMBERS,
    "absent": ABSENT,
    "convolutions": LAYER + CONVOLUTIONS,
    "norms": LAYER + NORMS,
    "others": LAYER + OTHERS,
    "initial": INITIAL,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_modules(agrees: Callable[..., object], name: str) -> None:
    agrees(HEAD + PROGRAMS[name], "jax")


def test_parts_that_are_added_later_are_called_and_modes_are_no_items(agrees) -> None:
    program = """
        import torch
        import torch.nn as nn
        x = torch.linspace(-1, 1, 8).reshape(2, 4)
        chain = nn.Sequential(nn.Tanh())
        chain.add_module("last", nn.ReLU())
        chain.more = nn.Softplus()
        chain.append(nn.Sigmoid())
        show(chain(x), chain.last(x), len(chain), [name for name, _ in chain.named_children()])
        parts = nn.ModuleDict({"first": nn.Tanh(), "second": nn.ReLU()})
        parts.eval()
        show(list(parts.keys()), len(parts), [name for name, part in parts.items()])
        show(nn.PReLU()(torch.tensor(-2.0)), nn.PReLU()(torch.tensor([-2.0, 1.0])))

        def twice(net: nn.Module, x: torch.Tensor):
            with torch.no_grad():
                return net(x), net(x * 2)

        show(twice(nn.Tanh(), x))
        rows = torch.tensor([0, 2, 1])
        show(torch.func.grad(lambda w: torch.embedding(w, rows, 2).sum())(torch.ones(3, 2)))
    """
    agrees(program, "jax")


def test_every_layer_is_a_module(agrees) -> None:
    program = """
        import inspect
        import torch
        import torch.nn as nn


        class Own(nn.Module):
            pass


        class Chain(nn.Sequential):
            pass


        KINDS = (nn.Module, int)


        def asked(x):
            of_class = issubclass(type(x), nn.Module)
            return isinstance(x, nn.Module), isinstance(x, (nn.Module, str)), isinstance(x, KINDS), of_class


        layers = [Own(), Chain(), nn.Linear(2, 3), nn.ReLU(), nn.Dropout(), nn.Sequential(), nn.ModuleList()]
        layers += [nn.ModuleDict(), nn.LSTM(2, 2), nn.CrossEntropyLoss(), nn.Identity(), nn.BatchNorm1d(2)]
        show([asked(x) for x in layers], [asked(x) for x in (3, "a", torch.ones(2), nn.Parameter(torch.ones(2)))])
        show([inspect.isclass(x) and issubclass(x, nn.Module) for x in (nn.Conv2d, nn.Flatten, Own, int, 3)])
    """
    agrees(program, "jax")
