"""``check --init`` as torch's interpreter answers: which models it builds, which inputs they take, what stays open."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.errors import Unusable
from migrate.parity.file import read_parity_file
from migrate.parity.init import write_parity_file

pytestmark = pytest.mark.framework

NETS = '''
import os
from dataclasses import dataclass
import torch
from torch import nn

class Images(nn.Module):
    """Takes 28 x 28 only."""
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.head = nn.Linear(4 * 28 * 28, 10)
    def forward(self, x):
        return self.head(self.conv(x).flatten(1))

@dataclass
class Config:
    vocab: int = 50

class Tokens(nn.Module):
    def __init__(self, config: Config, num_classes):
        super().__init__()
        self.table = nn.Embedding(config.vocab, 8)
        self.rnn = nn.GRU(8, 16, batch_first=True)
        self.head = nn.Linear(16, num_classes)
    def forward(self, ids, *, scale: float):
        return {"logits": self.head(self.rnn(self.table(ids))[0]) * scale}

class Pairs(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(5, 3), nn.Linear(7, 3)
    def forward(self, a, b):
        return self.left(a) + self.right(b)

class NeedsMore(nn.Module):
    def __init__(self, backbone):
        super().__init__()

class Huge(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(50_000, 50_000))
    def forward(self, x):
        return x @ self.weight

class Refuses(nn.Module):
    def forward(self, x):
        raise ValueError("not today")

class Text(nn.Module):
    def forward(self, x):
        return "done"

class Dies(nn.Module):
    def forward(self, x):
        os.abort()

def not_a_model():
    return Odd()

class Odd(nn.Module):
    def __new__(cls):
        return 3
'''


def test_inputs_that_were_tried(tmp_path, monkeypatch):
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "nets.py").write_text(NETS)
    monkeypatch.chdir(tmp_path)
    done = write_parity_file(Path("repo"), Path("repo-paddle"))
    text = done.path.read_text()
    found = read_parity_file(done.path)
    assert (found.source, found.converted) == (Path("repo"), Path("repo-paddle"))
    assert {check.entry: check.values["inputs"] for check in found.checks} == {
        "nets:Images": ["float32[2,1,28,28]"],
        "nets:Tokens(config=Config(), num_classes=10)": ["int64[2,16]<50", "scale=0.5"],
        "nets:Pairs": ["float32[2,5]", "float32[2,7]"],
    }
    assert (done.found, done.open) == (3, 6)
    assert "# nets.py:7, 31,410 parameters" in text
    for reason in (
        "# nets.py:36: needs arguments: backbone",
        "# nets.py:40: has 2.5G parameters, too many to try here",
        "first float32[2,3,64,64]: ValueError: not today (nets.py:49)",
        "returns a str without tensors",
        "the process crashed (SIGABRT)",
        "it returns int, no module",
    ):
        assert reason in text, text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parity.toml", "repo"]
    with pytest.raises(Unusable, match="is there already"):
        write_parity_file(Path("repo"), None)


MAIN = {
    "model.py": """
import torch
from dataclasses import dataclass
from torch import nn

@dataclass
class ModelArgs:
    dim: int = 65536
    n_layers: int = 1
    max_seq_len: int = 8

class Block(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.line = nn.Linear(args.dim, args.dim)
    def forward(self, x):
        return self.line(x)

class Transformer(nn.Module):
    def __init__(self, params):
        super().__init__()
        self.dim, self.block = params.dim, Block(params)
    def forward(self, x):
        return self.block(x)
""",
    "export.py": """
import torch
from model import Transformer, ModelArgs

def load_checkpoint(checkpoint):
    return Transformer(ModelArgs(**torch.load(checkpoint)))
""",
    "flow.py": """
from torch import nn

class Flow(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.args.scale = 2 if "scale" not in self.args else self.args.scale
        self.conv = nn.Conv2d(3, args.hidden_dim, 3)
        if args.small:
            raise ValueError("not by default")
    def forward(self, one, other):
        assert one.shape[-2:] == (24, 40)
        return self.conv(one) - self.conv(other)
""",
    "train.py": """
import argparse
import torch
from flow import Flow

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden-dim", type=int, default=5)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--scale", type=float, default=0.5)
    width = 40
    image = torch.randn(2, 3, 24, width)
    Flow(parser.parse_args())(image, image).mean().backward()

if __name__ == "__main__":
    main()
""",
    "hubconf.py": """
import os, urllib.request
from torch import nn

def downloaded():
    urllib.request.urlopen("https://weights.invalid/x.pt")
    return nn.Sequential(nn.Linear(3, 3))

def started():
    os.system("wget https://weights.invalid/x.pt")
    return nn.Sequential(nn.Linear(3, 3))
""",
    "others.py": """
import no_such_package
from torch import nn

class A(nn.Module): pass
class B(nn.Module): pass
class C(nn.Module): pass
""",
}


def test_main_models_come_first_small_and_off_the_network(tmp_path, monkeypatch):
    """Settings from dataclasses and command lines, inputs from the code itself; one cause is said once."""
    (tmp_path / "repo").mkdir()
    for name, text in MAIN.items():
        (tmp_path / "repo" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    text = write_parity_file(Path("repo"), None).path.read_text()
    first, second = [line for line in text.splitlines() if line.startswith("entry = ")]
    assert first.startswith('entry = "flow:Flow(args=Namespace(hidden_dim=5, scale=0.5, small=False))"')
    assert first.endswith("trained here")
    assert 'inputs = ["float32[2,3,24,40]", "float32[2,3,24,40]"]' in text
    # 4.3G parameters as it comes, and the only function that gives it wants a checkpoint.
    assert second.startswith('entry = "model:Transformer(params=ModelArgs(dim=64))"')
    assert "export.py:5: needs arguments: checkpoint" in text
    assert "reaches for the network (weights.invalid)" in text
    assert "starts wget, which reaches for the network" in text
    assert "# 3 models: importing: ModuleNotFoundError: No module named 'no_such_package' (others.py:2)" in text
    assert text.count("no_such_package") == 1
    assert read_parity_file(tmp_path / "parity.toml").checks[0].values["inputs"] == ["float32[2,3,24,40]"] * 2


NAMED = """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

class Speech(nn.Module):
    def __init__(self, num_classes, input_dim=80, use_bias=False, *, has_head):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.rnn = nn.GRU(2 * input_dim, num_classes, batch_first=True)
    def forward(self, inputs, input_lengths):
        x = self.conv(inputs.unsqueeze(1)).transpose(1, 2).flatten(2)
        return self.rnn(pack_padded_sequence(x, input_lengths, batch_first=True))[1]

class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.node, self.edge = nn.Linear(15, 4), nn.Linear(8, 1)
    def forward(self, h, edges):
        h, (row, col) = self.node(h), edges
        return self.edge(torch.cat([h[row], h[col]], 1))

class Abstract(nn.Module):
    def forward(self):
        raise NotImplementedError

class Constant(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = nn.Parameter(torch.ones(3))
    def forward(self):
        return self.kept * 2
"""


def test_names_tell_lengths_edges_and_truth_values(tmp_path, monkeypatch):
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "nets.py").write_text(NAMED)
    monkeypatch.chdir(tmp_path)
    done = write_parity_file(Path("repo"), None)
    assert {check.entry: check.values["inputs"] for check in read_parity_file(done.path).checks} == {
        "nets:Speech(num_classes=10, has_head=False)": ["float32[2,16,80]", "16<=int64[2]<17"],
        "nets:Graph": ["float32[2,15]", "[int64[2]<2, int64[2]<2]"],
        "nets:Constant": [],
    }
    assert "forward(): NotImplementedError" in done.path.read_text()


def test_nothing_to_check(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unusable, match="absent is not a folder"):
        write_parity_file(Path("absent"), None)
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "f.py").write_text("def f(:")
    with pytest.raises(Unusable, match=r"no torch.nn.Module class[^:]*\n    f.py:1: invalid syntax"):
        write_parity_file(Path("repo"), None)
    (tmp_path / "repo" / "f.py").write_text("import torch\nclass N(torch.nn.Module): pass\n")
    with pytest.raises(Unusable, match="/bin/false: looking for packages failed"):
        write_parity_file(Path("repo"), None, torch_python=Path("/bin/false"))
    assert not (tmp_path / "parity.toml").exists()


USED = {
    "nets.py": """
import torch
from torch import nn
from told import Bag as CN

class Encoder(nn.Module):
    def __init__(self, vocabulary, blank, wide):
        super().__init__()
        self.table = nn.Embedding(vocabulary, wide, padding_idx=blank)
    def forward(self, ids):
        return self.table(ids)

class Translation(nn.Module):
    def __init__(self, source_words, blank, wide=8):
        super().__init__()
        self.encoder = Encoder(source_words, wide=wide, blank=blank)
    def forward(self, ids):
        return self.encoder(ids)

class Critic(nn.Module):
    def __init__(self, of_state, of_action):
        super().__init__()
        self.of_action = of_action
        both = of_state + self.of_action
        self.line = nn.Linear(both, 3)
    def forward(self, state, action):
        return self.line(torch.cat([state, action], 1))

class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.line, self.drop = nn.Linear(config.n_embd, config.n_embd), nn.Dropout(config.rate)
    def forward(self, x):
        return self.drop(self.line(x))

class GPT(nn.Module):
    @staticmethod
    def get_default_config():
        C = CN()
        C.kind = "gpt"
        C.n_embd = None
        C.rate = 0.1
        return C
    def __init__(self, config):
        super().__init__()
        assert (config.kind is None) != (config.n_embd is None)
        self.table, self.block = nn.Embedding(config.vocab_size, config.n_embd), Block(config)
    def forward(self, ids):
        return self.block(self.table(ids))

class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.lstm, self.gru = nn.Embedding(9, 4), nn.LSTM(4, 4), nn.GRU(4, 3)
    def forward(self, ids, hidden):
        out, one = self.lstm(self.table(ids), hidden[0])
        return self.gru(out, hidden[1])[0], one
    def init_hidden(self, bsz):
        return [(torch.zeros(1, bsz, 4), torch.zeros(1, bsz, 4)), torch.zeros(1, bsz, 3)]

class Actor(nn.Module):
    def __init__(self, state_dim, max_action):
        super().__init__()
        self.line, self.max_action = nn.Linear(state_dim, 3), max_action
    def forward(self, state):
        return self.max_action * torch.tanh(self.line(state))

class Grouped(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.line, self.rate = nn.Linear(config.model.ch, 2), config.data.rate
    def forward(self, x):
        return self.line(x) * self.rate

class Unknown(nn.Module):
    def __init__(self, what):
        super().__init__()
        self.what = what
    def forward(self, x):
        return x
""",
    "told.py": """
class Bag:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)
""",
    "configs/base.yml": "model:\n  ch: 12\ndata: {rate: 0.5}\n",
    "one/script.py": """
import torch
import beside

class Scripted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.line = torch.nn.Linear(beside.SIZE, 2)
    def forward(self, x):
        return self.line(x)
""",
    "one/beside.py": "SIZE = 5\n",
    "two/again.py": """
import torch
import beside

class Again(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.line = torch.nn.Linear(beside.SIZE, 2)
    def forward(self, x):
        return self.line(x)
""",
    "two/beside.py": "SIZE = 7\n",
}


def test_arguments_are_supposed_by_what_becomes_of_them(tmp_path, monkeypatch):
    """Sizes and a blank by the layers that they reach, settings of any keyword, scripts with files beside them."""
    for name, text in USED.items():
        (tmp_path / "repo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repo" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    done = write_parity_file(Path("repo"), None)
    text = done.path.read_text()
    assert {check.entry: check.values["inputs"] for check in read_parity_file(done.path).checks} == {
        "nets:Translation(source_words=16, blank=0)": ["int64[2,16]<16"],
        "nets:Critic(of_state=16, of_action=16)": ["float32[2,16]", "float32[2,16]"],
        "nets:GPT(config=CN(kind=None, n_embd=64, rate=0.1, vocab_size=100))": ["int64[2,16]<100"],
        "nets:Language": ["int64[2,16]<9", "[(float32[1,16,4], float32[1,16,4]), float32[1,16,3]]"],
        "nets:Actor(state_dim=16, max_action=1)": ["float32[2,16]"],
        "nets:Grouped(config=Namespace(data=Namespace(rate=0.5), model=Namespace(ch=12)))": ["float32[2,12]"],
        "one.script:Scripted": ["float32[2,5]"],
        "two.again:Again": ["float32[2,7]"],
    }, text
    assert "needs arguments: what" in text


TABLED = {
    "main.py": """
import argparse
from runs.run import Run

parser = argparse.ArgumentParser()
parser.add_argument("--channels_in", type=int, default=7)
parser.add_argument("--steps_ahead", type=int, default=3)
if __name__ == "__main__":
    Run(parser.parse_args())
""",
    "runs/run.py": """
from nets import Far, Near

class Run:
    def __init__(self, args):
        self.args = args
        kinds = {"near": Near, "far": Far}
        self.model = kinds[self.args.kind](self.args.channels_in, self.args.steps_ahead)
        self.model.train()

    def fit(self, x):
        self.model(x).sum().backward()
""",
    "nets.py": """
import torch
from torch import nn

class Far(nn.Module):
    def __init__(self, of_all, ahead):
        super().__init__()
        self.ahead = ahead
        self.line = nn.Linear(of_all, 4)
    def forward(self, x):
        return self.line(x)[:, -min(self.ahead, 3):]

class Near(Far):
    pass

class Vocoder(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.line = nn.Linear(h.bands, h.upper_size)
    def forward(self, x):
        return self.line(x)
""",
    "vocoder/v1/config.json": '{"bands": 5, "upper_size": 6}',
}


def test_arguments_of_what_is_looked_up_in_a_table(tmp_path, monkeypatch):
    """A class out of a dict of them, options of another file's command line, a file of settings two folders below."""
    for name, text in TABLED.items():
        (tmp_path / "repo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repo" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    done = write_parity_file(Path("repo"), None)
    assert {check.entry: check.values["inputs"] for check in read_parity_file(done.path).checks} == {
        "nets:Near(of_all=7, ahead=3)": ["float32[2,7]"],
        "nets:Vocoder(h=Namespace(bands=5, upper_size=6))": ["float32[2,5]"],
    }, done.path.read_text()
