"""Import statements: every form in which torch's names come into a file, and what the output imports."""

from __future__ import annotations

import pytest

CASES = {
    "another library's module for torch": (
        "import torch\nfrom einops import rearrange\nfrom einops.layers.torch import Rearrange, Reduce\n"
        "def f(x: torch.Tensor): return rearrange(x, 'a b -> b a').size(0)\n",
        "import paddle\nfrom einops import rearrange\nfrom einops.layers.paddle import Rearrange, Reduce\n"
        "def f(x: paddle.Tensor): return rearrange(x, 'a b -> b a').shape[0]\n",
    ),
    "another library's module, by its whole name": (
        "import torch, einops.layers.torch\nimport safetensors.torch\nx = torch.zeros(2)\n"
        "def f(p, d): safetensors.torch.save_file(d, p); return einops.layers.torch.Rearrange('a b -> b a')\n",
        "import einops.layers.paddle\nimport paddle\nimport safetensors.paddle\nx = paddle.zeros([2])\n"
        "def f(p, d): safetensors.paddle.save_file(d, p); return einops.layers.paddle.Rearrange('a b -> b a')\n",
    ),
    "names that another library has for torch alone": (
        "import torch\nimport safetensors.torch as st\nfrom safetensors.torch import load_file, load_model as load\n"
        "def f(m, p):\n    load(m, p)\n    st.save_model(m, p)\n    st.other(p)\n    return st.load(p)\n",
        "import paddle\nimport safetensors.paddle as st\nfrom paddle_helpers import load_model as load\n"
        "from safetensors.paddle import load_file\nimport paddle_helpers\n"
        "def f(m, p):\n    load(m, p)\n    paddle_helpers.save_model(m, p)\n"
        "    # migrate: no-rule safetensors.torch.other has no rule for PaddlePaddle yet\n"
        '    paddle_helpers.NotConverted("safetensors.torch.other")(p)\n    return st.load(p)\n',
        "paddle",
        ("one_of_each", "load_file", "save_file", "load_model", "save_model"),
    ),
    "module": (
        "import torch\nx = torch.zeros(2, 3)\n",
        "import paddle\nx = paddle.zeros([2, 3])\n",
    ),
    "module under an alias": (
        "import torch as th\nx = th.zeros(2, 3)\n",
        "import paddle\nx = paddle.zeros([2, 3])\n",
    ),
    "submodule under an alias": (
        "import torch.nn as nn\nimport torch.nn.functional as F\n"
        "x = nn.Linear(2, 3, bias=False)\ny = F.softmax(x, dim=1)\n",
        "import paddle.nn as nn\nimport paddle.nn.functional as F\n"
        "x = nn.Linear(2, 3, bias_attr=False)\ny = F.softmax(x, axis=1)\n",
    ),
    "submodule, dotted": (
        "import torch.nn\nimport torch\nx = torch.nn.Linear(2, 3)\n",
        "import paddle\nx = paddle.nn.Linear(2, 3)\n",
    ),
    "names": (
        "from torch import nn, Tensor as T, zeros\ndef f(x: T): return nn.ReLU()(x), zeros(2)\n",
        "from paddle import nn, Tensor as T, zeros\ndef f(x: T): return nn.ReLU()(x), zeros([2])\n",
    ),
    "a name that is called otherwise there": (
        "from torch.nn import Conv2d, Linear\nfrom torch import cat as join\n"
        "x = Conv2d(1, 2, 3), Linear(1, 2)\ny = join(x)\n",
        "from paddle.nn import Conv2D, Linear\nfrom paddle import concat as join\n"
        "x = Conv2D(1, 2, 3), Linear(1, 2)\ny = join(x)\n",
    ),
    "a class, for its members": (
        "from torch.distributed import ReduceOp\nfrom torch.profiler import ProfilerActivity as PA\n"
        "x = ReduceOp.SUM, ReduceOp.PRODUCT\ny = PA.CUDA\n",
        "from paddle.distributed import ReduceOp\nfrom paddle.profiler import ProfilerTarget as PA\n"
        "x = ReduceOp.SUM, ReduceOp.PROD\ny = PA.GPU\n",
    ),
    "star": (
        "from torch.nn import *\nx = Linear(2, 3)\ny = Conv2d(1, 2, 3)\n",
        "from paddle.nn import Conv2D, Linear\nx = Linear(2, 3)\ny = Conv2D(1, 2, 3)\n",
    ),
    "star of the root": (
        "from torch import *\nx = cat([zeros(2, 3)])\n",
        "from paddle import concat, zeros\nx = concat([zeros([2, 3])])\n",
    ),
    "in a function": (
        "def f():\n    import torch.nn as nn\n    return nn.Linear(2, 3)\n",
        "def f():\n    import paddle.nn as nn\n    return nn.Linear(2, 3)\n",
    ),
    "in two functions under one name": (
        "def f():\n    from torch import nn as m\n    return m.Linear(2, 3)\n"
        "def g():\n    import torch.optim as m\n    return m.SGD([], lr=1, momentum=2)\n",
        "def f():\n    from paddle import nn as m\n    return m.Linear(2, 3)\n"
        "def g():\n    import paddle.optimizer as m\n    return "
        "m.Momentum(parameters=[], learning_rate=1.0, momentum=2)\n",
    ),
    "optional": (
        "try:\n    import torch\nexcept ImportError:\n    torch = None\nx = torch.zeros(2) if torch else None\n",
        "try:\n    import paddle\nexcept ImportError:\n    paddle = None\nx = paddle.zeros([2]) if paddle else None\n",
    ),
    "optional submodule": (
        "try:\n    import torch.nn.functional as F\nexcept ImportError:\n    F = None\ny = F.softmax(1, dim=1)\n",
        "try:\n    import paddle.nn.functional as F\nexcept ImportError:\n    F = None\ny = F.softmax(1, axis=1)\n",
    ),
    "for type checkers": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch\n"
        'def f(x: "torch.Tensor") -> "torch.Tensor":\n    return x.view(2, 3)\n',
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import paddle\n"
        'def f(x: "paddle.Tensor") -> "paddle.Tensor":\n    return x.reshape([2, 3])\n',
    ),
    "beside other imports": (
        "import os, torch, sys\nimport torch, numpy as np\nprint(os, sys, np, torch.zeros(2))\n",
        "import os, sys\nimport paddle\nimport numpy as np\nprint(os, sys, np, paddle.zeros([2]))\n",
    ),
    "on a line with others": (
        "import torch; import torch.nn as nn; x = nn.Linear(2, 3)\n",
        "import paddle; import paddle.nn as nn; x = nn.Linear(2, 3)\n",
    ),
    "in parentheses, with comments": (
        "from torch.nn import (\n    Linear,  # dense\n    Conv2d as C,  # conv\n)\nx = Linear(1, 2), C(1, 2, 3)\n",
        "from paddle.nn import (\n    Linear,  # dense\n    Conv2D as C,  # conv\n)\nx = Linear(1, 2), C(1, 2, 3)\n",
    ),
    "twice": (
        "import torch\nimport torch.nn\nimport torch\nx = torch.zeros(2)\n",
        "import paddle\nx = paddle.zeros([2])\n",
    ),
    "unused": (
        "import torch\nimport torch.nn as nn\n",
        "import paddle\nimport paddle.nn as nn\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_form(name, check_converted):
    check_converted(*CASES[name])


def test_the_target_package_is_a_name_of_the_file(check_converted):
    check_converted(
        "import torch\ndef f(paddle):\n    return torch.zeros(2), paddle\n",
        "import paddle as paddle_\ndef f(paddle):\n    return paddle_.zeros([2]), paddle\n",
    )


def test_a_binding_in_a_branch_is_used_only_where_the_source_used_it(check_converted):
    check_converted(
        "import torch\nif torch:\n    import torch.nn as nn\ndef f():\n    return torch.nn.ReLU()\n",
        "import paddle\nif paddle:\n    import paddle.nn as nn\ndef f():\n    return paddle.nn.ReLU()\n",
    )


class TestShadowing:
    @pytest.mark.parametrize(
        "source",
        [
            "def f(torch):\n    return torch.zeros(2)\n",
            "def f():\n    torch = object()\n    return torch.zeros(2)\n",
            "f = lambda torch: torch.zeros(2)\n",
            "x = [torch.zeros(2) for torch in things]\n",
            "def f():\n    for torch in things:\n        torch.zeros(2)\n",
            "def f():\n    with open(1) as torch:\n        torch.zeros(2)\n",
            "def f():\n    import numpy as torch\n    return torch.zeros(2)\n",
            "def f():\n    try:\n        pass\n    except ValueError as torch:\n        torch.zeros(2)\n",
            "def f(x):\n    match x:\n        case [torch, *_]:\n            torch.zeros(2)\n",
            "def f():\n    def torch(): pass\n    return torch.zeros(2)\n",
            "def f(torch):\n    def g():\n        return torch.zeros(2)\n    return g\n",
        ],
    )
    def test_a_local_is_not_torch(self, source, converted):
        assert converted("import torch\n" + source) == "import paddle\n" + source

    def test_an_attribute_of_the_class_is_not_seen_in_its_methods(self, check_converted):
        check_converted(
            "import torch\nclass A:\n    torch = 3\n    def f(self):\n        return torch.zeros(2), self.torch\n",
            "import paddle\nclass A:\n    torch = 3\n    def f(self):\n        return paddle.zeros([2]), self.torch\n",
        )


class TestLeftovers:
    """Where the name may hold something else, its uses stay, and the module still imports."""

    def test_deleted(self, conversion, execute, toy_target):
        done = conversion(
            "import torch\nx = torch.f(1)\ndel torch\n", toy_target("@rule(torch.f)\ndef f(x):\n    return toy.f(x)\n")
        )
        assert execute(done, f=lambda x: x + 1)["x"] == 2

    def test_rebound_by_a_function(self, conversion, execute, toy_target):
        done = conversion(
            "import torch\ndef forget():\n    global torch\n"
            "    torch = open('x')\ndef f():\n    return torch.zeros(2)\n",
            toy_target(""),
        )
        with pytest.raises(BaseException, match=r"torch\.zeros was not converted"):
            execute(done)["f"]()
        assert [site.outcome for site in done.reports[0].sites] == ["marked"]

    def test_a_module_of_the_same_name_stays(self, converted):
        source = "from torch import nn\nif input():\n    nn = open('x')\nx = nn.Linear(2, 3)\n"
        assert converted(source) == source.replace("torch", "paddle")


class TestHandedOn:
    """Names that reach a file through another module of the project."""

    def test_modules(self, conversion):
        done = conversion(
            {
                "common.py": "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n",
                "net.py": "from common import nn, F\nfrom common import torch as th\n"
                "x = nn.Linear(2, 3, bias=False)\ny = F.softmax(th.zeros(2), dim=1)\n",
            }
        )
        assert text(done, "net.py") == (
            "from common import nn, F\nfrom common import paddle\n"
            "x = nn.Linear(2, 3, bias_attr=False)\ny = F.softmax(paddle.zeros([2]), axis=1)\n"
        )
        assert text(done, "common.py") == "import paddle\nfrom paddle import nn\nimport paddle.nn.functional as F\n"

    def test_by_star(self, conversion):
        done = conversion(
            {
                "parts/__init__.py": "",
                "parts/common.py": "import torch\nfrom torch import nn\n",
                "parts/net.py": "from .common import *\nx = nn.Linear(2, 3, bias=False)\ny = torch.zeros(2)\n",
            }
        )
        assert text(done, "parts/common.py") == "import paddle\nfrom paddle import nn\n"
        assert "nn.Linear(2, 3, bias_attr=False)\ny = paddle.zeros([2])\n" in text(done, "parts/net.py")

    def test_classes(self, conversion):
        done = conversion(
            {
                "common.py": "from torch.nn import Conv2d\n",
                "net.py": "from common import Conv2d\nx = Conv2d(1, 2, 3)\n",
            }
        )
        assert text(done, "net.py") == "import paddle\nx = paddle.nn.Conv2D(1, 2, 3)\n"

    def test_a_package_that_the_project_has_itself(self, conversion):
        """Torchvision's own source: its classes are those that stand there, and no table of torchvision's names."""
        net = (
            "import torch\nimport torchvision.ops.misc\nfrom torchvision.ops import nms\n"
            "from torchvision.ops.misc import Norm\nfrom torchvision import transforms\n"
            "def f(x):\n    import torchvision\n    return torchvision.ops.misc.Norm(torch.zeros(2))\n"
            "class N(Norm): pass\ny = nms(torch.cat([1]), transforms.Crop(2))\n"
        )
        done = conversion(
            {
                "torchvision/__init__.py": "",
                "torchvision/net.py": net,
                "torchvision/transforms.py": "class Crop: pass\n",
                "torchvision/ops/__init__.py": "from .boxes import nms\n",
                "torchvision/ops/boxes.py": "import torch\ndef nms(x, y): return torch.cat([x])\n",
                "torchvision/ops/misc.py": "import torch\nclass Norm(torch.nn.BatchNorm2d): pass\n",
            }
        )
        expected = net.replace("import torch\n", "import paddle\n").replace("torch.zeros(2)", "paddle.zeros([2])")
        assert text(done, "torchvision/net.py") == expected.replace("torch.cat", "paddle.concat")
        marked = [site for report in done.reports for site in report.sites if site.outcome == "marked"]
        assert not marked

    def test_a_folder_that_is_called_torch_is_not_torch(self, conversion):
        done = conversion({"torch/__init__.py": "", "torch/net.py": "import torch\nx = torch.zeros(2)\n"})
        assert text(done, "torch/net.py") == "import paddle\nx = paddle.zeros([2])\n"

    def test_as_attributes_of_the_module(self, conversion):
        done = conversion(
            {
                "common.py": "import torch\nfrom torch import nn\n",
                "net.py": "import common\nx = common.nn.Linear(2, 3)\n",
            }
        )
        assert text(done, "net.py") == "import common\nimport paddle\nx = paddle.nn.Linear(2, 3)\n"


def text(done, path):
    return next(data for name, data in done.files.items() if str(name) == path).decode()


class TestNewImports:
    """Where the output's further imports go."""

    RULES = "@rule(torch.f)\ndef f(x):\n    if x:\n        return toy.f(x)\n    return toy.g(x)\n"

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ('"""Doc."""\nfrom torch import f\nf(a)\n', '"""Doc."""\nimport toy_helpers\ntoy_helpers.f(a)\n'),
            ("from torch import f\n\n\nf(a)\n", "import toy_helpers\n\n\ntoy_helpers.f(a)\n"),
            ("from torch import f; f(a)\n", "import toy_helpers; toy_helpers.f(a)\n"),
            (
                "import os\nif os:\n    from torch import f\n    f(a)\n",
                "import os\nimport toy_helpers\nif os:\n    toy_helpers.f(a)\n",
            ),
            (
                "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nimport torch\ntorch.f(a)",
                "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nimport toy_helpers\ntoy_helpers.f(a)",
            ),
            (
                "from __future__ import annotations\nimport torch\ntorch.f(a)\n",
                "from __future__ import annotations\nimport toy_helpers\ntoy_helpers.f(a)\n",
            ),
        ],
    )
    def test_place(self, source, expected, check_converted, toy_target):
        check_converted(source, expected, toy_target(self.RULES), helpers=("f",))


class TestNothingLeft:
    """Imports of which the output needs nothing."""

    RULES = "@rule(torch.f)\ndef f(x):\n    return toy.f(x)\n"

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("if y:\n    from torch import a\n    from torch import b\n", "if y:\n    pass\n"),
            (
                "try:\n    from torch import a\nexcept ImportError:\n    a = None\n",
                "try:\n    # migrate: no-rule torch.a has no rule for Toy yet\n"
                '    raise ModuleNotFoundError("torch.a has no counterpart here")\n'
                "except ImportError:\n    a = None\n",
            ),
            ("from torch import (\n    a,  # first\n)\nx = 1\n", "# first\nx = 1\n"),
            ("if y:\n    from torch import (  # why\n        a,\n    )\n", "if y:\n    pass  # why\n"),
            ("from torch import a  # why\nx = 1\n", "# why\nx = 1\n"),
        ],
    )
    def test_removed(self, source, expected, toy_target, converted):
        assert converted(source, toy_target(self.RULES)) == expected


def test_the_helper_is_imported_before_its_first_use(converted):
    """An import that stands late does not draw the others after it."""
    early, late = "y = torch.special.zeta(torch.ones(2), 3.0)", "import os\nimport torch.nn as nn\nz = nn.Linear(2, 3)"
    source = f"import torch\n{early}\n{late}\n"
    text = converted(source)
    assert text.startswith("import paddle\nimport paddle_helpers\ny = paddle_helpers.zeta(")
    assert text.endswith("import os\nimport paddle.nn as nn\nz = nn.Linear(2, 3)\n")
