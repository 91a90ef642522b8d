"""What makes loading and convolutions fast is asked of the target too."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from rewriters.convert import convert_sources
from rewriters.target import load_target

SEARCH = {
    "paddle": "paddle.set_flags({'FLAGS_cudnn_exhaustive_search': fast} "
    "if paddle.device.is_compiled_with_cuda() else {})",
    "oneflow": "torch.backends.cudnn.enable_conv_heuristic_search_algo(not fast)",
}


@pytest.mark.parametrize("target", SEARCH)
def test_search_for_algorithms(target: str) -> None:
    source = b"import torch\n\nfast = input() == 'fast'\ntorch.backends.cudnn.benchmark = fast\nprint(torch.ones(2))\n"
    done = convert_sources({PurePosixPath("a.py"): source}, load_target(target))
    assert SEARCH[target] in done.files[PurePosixPath("a.py")].decode().splitlines()
