"""What is not torch's comes through byte for byte, beside torch and without it."""

from __future__ import annotations

import pytest

FALSE_FRIENDS = {
    "str": """
        text = "a, b"
        text.split(", ")
        "x".expand = None
        name = input()
        name.split()
        f"{text}".split("a")
        " ".join(["a"]).split()
        ("%s" % 3).index("3")
    """,
    "list": """
        items = [1, 2]
        items.index(1); items.copy(); items.sort(); items.insert(0, 1)
        [x for x in items].index(2)
        sorted(items).index(1)
        list(range(3)).index(2)
    """,
    "dict": """
        table = {"a": 1}
        table.copy(); table.items(); table["a"].bit_length(); table.get("a").real
        dict(a=1).values()
        {k: v for k, v in table.items()}.copy()
    """,
    "argparse": """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--device"); parser.add_argument("--view", type=int)
        args = parser.parse_args()
        print(args.device, args.data, args.shape, args.view, args.size, args.T)
        args.data.split(","); args.sizes.index(3)
    """,
    "numpy": """
        import numpy as np
        from numpy import ndarray
        a = np.zeros((2, 3))
        a.reshape(3, 2).max(1).view(np.int32); a.T.size; a.sum(axis=1).repeat(2); a.shape[0]; a.transpose(1, 0)
        def f(b: np.ndarray, c: ndarray):
            return b.reshape(1, 2), c.size, c.squeeze(0)
        np.stack([a, a]).transpose(0, 1)
    """,
    "pandas": """
        import pandas as pd
        df = pd.read_csv("x.csv")
        df.max(); df.sum(1); df.size; df.shape; df.T; df["a"].repeat(2); df.groupby("a").mean().view(1)
        def f(frame: pd.DataFrame):
            return frame.sum(1), frame.to("x")
    """,
    "pathlib and PIL": """
        from pathlib import Path
        from PIL import Image
        here = Path(__file__).parent
        here.expanduser().view; (here / "x").index
        image = Image.open("x.png")
        image.size; image.resize((2, 3)).split(); image.transpose(0)
    """,
    "others": """
        import re, json, logging, socket
        re.split(",", "a"); re.compile("a").split("b"); json.loads("1").view(1)
        socket.socket().type; logging.getLogger().device
        open("f").read().split()
        (1).real; (3.0).is_integer(); range(3).index(1); {1, 2}.copy(); b"ab".split(b"a")
    """,
    "classes of the file": """
        class Box:
            data = 3
            def __init__(self, size):
                self.size = size
                self.device = "cpu"
                self.shape = [1]
                self.items = {}
            def view(self, *shape): return self
            def sum(self, dim=None): return [self.size, self.device, self.data]
            def expand(self): return self.items.copy()
            @property
            def T(self): return self
        box = Box(3)
        box.view(1, 2).sum(1).index(3); box.T.view(3).size; box.sum().copy()
        box.data; box.shape[0]; box.expand().items()
        def use(b: Box, boxes: list[Box]):
            return b.view(1), boxes[0].view(2), [c.sum(0) for c in boxes], b.size
    """,
    "unknown": """
        def f(x, *args, **kwargs):
            x.view(1); x.size(); args[0].view(1); kwargs["a"].to(1)
            return x.reshape(2).sum(0)
        y = f(1); y.view(1)
        from somewhere import thing
        thing.view(2); thing().size(); thing.data.mean()
    """,
}


@pytest.mark.parametrize("name", FALSE_FRIENDS)
def test_without_torch(name, check_noop):
    check_noop(FALSE_FRIENDS[name])


@pytest.mark.parametrize("name", FALSE_FRIENDS)
def test_beside_torch(name, converted):
    lines = [line.strip("\n") for line in FALSE_FRIENDS[name].strip("\n").split("\n")]
    body = "\n".join(line[8:] for line in lines) + "\n"
    out = converted("import torch\n" + body + "q = torch.zeros(2)\n")
    assert out == "import paddle\n" + body + "q = paddle.zeros([2])\n"


def test_unknown_receivers_are_reported(sites):
    found = sites("import torch\ndef f(x):\n    return x.view(1)\nf(what())\n")
    assert [(site.api, site.outcome, site.detail) for site in found] == [
        (
            ".view",
            "unknown",
            "the parameter f.x (snippet.py:2) decides: annotate it as torch.Tensor, or --assume 'tensor:snippet:f.x'",
        )
    ]


def test_methods_that_containers_share_are_left_on_what_forward_is_given(converted):
    source = """
        import torch.nn as nn
        class Net(nn.Module):
            def forward(self, batch, listed=False):
                if listed:
                    return batch.copy(), batch.split(",")
                return batch.view(1, 2)
    """
    out = converted(source)
    assert 'return batch.copy(), batch.split(",")' in out
    assert "return batch.reshape([1, 2])" in out


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\n",
        b"# only a comment",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\ry = 2\r",
        b"\xef\xbb\xbfx = 1\n",
        b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
        b"if x:\n\ty = 1\n\telse_ = 2\n",
        b"x = 1\n\x0c\ny = 2\n",
        b"x = '''a\r\nb'''\r\n",
        b"x = 1 \\\n    + 2\n",
    ],
)
def test_bytes(source, check_noop):
    check_noop(source)


def test_code_of_the_target_stays(check_noop):
    check_noop(
        "import paddle\nimport paddle.nn as nn\nx = paddle.zeros([2]).reshape([1, 2])\nclass A(nn.Layer): pass\n"
    )
