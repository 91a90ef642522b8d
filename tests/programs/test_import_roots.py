"""Projects whose scripts lie below the root, or put folders on the path: imports are found, and so is the helper."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

# As Python has it for a script in that folder.
RUN = """
import os
import sys
sys.path[0] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "{folder}")
__import__("run")
"""
BELOW = {
    "program.py": RUN.format(folder="work"),
    "work/run.py": """
        import torch
        from models.net import Net
        show(Net()(torch.arange(6).reshape(2, 3)))
    """,
    "work/models/net.py": """
        from torch import nn
        from layers.scale import scaled
        from layers.inner.parts import middle

        class Net(nn.Module):
            def forward(self, x):
                halves, rest = scaled(x), middle(x)
                return halves.unfold(1, 2, 1), halves.view(3, 2), rest
    """,
    "work/layers/scale.py": """
        def scaled(x):
            return x / 2 + x.max(1)[0].sum()
    """,
    "work/layers/inner/parts.py": """
        from ..more import larger

        def middle(x):
            return larger(x).median(1)[0]
    """,
    "work/layers/more.py": """
        def larger(x):
            return x.mul(2.5)
    """,
    # Another project, with modules of the same names.
    "work/other/layers/scale.py": """
        def scaled(x):
            return [x]
    """,
    "work/other/run.py": """
        from layers.scale import scaled
    """,
}
ADDED = {
    "program.py": """
        import os
        import sys
        here = os.path.dirname(os.path.abspath(__file__))
        sys.path.append(os.path.join(here, 'core'))
        import torch
        from flow import Flow
        from tools.shapes import rows
        flow = Flow()
        show(flow(torch.arange(6).reshape(2, 3)), rows(torch.arange(6)).unfold(1, 2, 1))
    """,
    "core/__init__.py": "",
    "core/flow.py": """
        from torch import nn
        from update import halved
        from tools.shapes import rows

        class Flow(nn.Module):
            def forward(self, x):
                return halved(x).max(0)[1], rows(x).view(6)
    """,
    "core/update.py": """
        def halved(x):
            return x / 2 - x.median(1, keepdim=True)[0]
    """,
    "core/tools/__init__.py": "",
    "core/tools/shapes.py": """
        def rows(x):
            return x.reshape(-1, 3).div(3)
    """,
}
FROM_SCRIPTS = {
    "program.py": RUN.format(folder="scripts"),
    "scripts/run.py": """
        import os
        import sys
        sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        import torch
        import shapes
        x = torch.arange(6).reshape(2, 3)
        show(shapes.rows(x).unfold(1, 2, 1), x.median(1)[0], x / 2)
    """,
    "shapes.py": """
        def rows(x):
            return x.reshape(-1, 3).max(1)[0].reshape(1, -1).div(4)
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", [BELOW, ADDED, FROM_SCRIPTS], ids=["below", "added", "scripts"])
def test_imports_begin_where_scripts_are(agrees: Callable[..., Outcome], target: str, program: dict[str, str]) -> None:
    agrees(program, target)
