"""What Paddle has no kernel for is told where a handler takes its error for one of torch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

LACKING = """
import torch
import torch.nn.functional as F
x = torch.arange(6)
try:
    y = x.half().cumsum(0)
{}
    y = x
show(y)
"""


@pytest.mark.parametrize(
    "handler",
    ["except RuntimeError:", "except (ValueError, RuntimeError):", "except Exception as error:", "except:"],
)
def test_what_is_lacking_is_told(outcome: Callable[..., Any], handler: str) -> None:
    found = outcome(LACKING.format(handler), "paddle")
    assert found.verdict == "warned", str(found)


def test_what_torch_refuses_too_is_not(agrees: Callable[..., Any]) -> None:
    agrees(
        """
        import torch

        x = torch.arange(6)

        def viewed(rows):
            try:
                return x.view(rows, 2)
            except (
                RuntimeError,
                KeyError,  # of a name
            ):
                return "no"

        def said(rows):
            try:
                return x.view(rows, 2)
            except Exception as error:
                print(error)
                return "said"

        def all_of(rows):
            try: return x.view(rows, 2)
            except RuntimeError: raise
            except: return "other"

        show(viewed(4), viewed(3), said(4))
        try:
            all_of(4)
        except (RuntimeError):
            show("raised")
        """,
        "paddle",
    )


def test_who_says_the_error_is_left_alone(outcome: Callable[..., Any]) -> None:
    found = outcome(LACKING.format("except Exception as error:\n    print(error)"), "paddle")
    assert "except Exception as error:" in found.converted["program.py"]


@pytest.mark.parametrize("handler", ["except RuntimeError:", "except Exception as error:", "except:"])
def test_what_oneflow_lacks_is_told(outcome: Callable[..., Any], handler: str) -> None:
    found = outcome(LACKING.replace("x.half().cumsum(0)", "F.normalize(x.half(), dim=-1)").format(handler), "oneflow")
    assert found.verdict == "warned", str(found)
