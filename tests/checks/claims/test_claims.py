"""No claim of the inference is false in programs made to tempt it, and the oracle sees a false one."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

pytest.importorskip("torch")

from checks.claims.observing import Observed, observe_program
from rewriters.load_file import load_file

pytestmark = pytest.mark.framework

TEMPTING = load_file(Path(__file__).with_name("programs.py"))


@pytest.mark.parametrize("subject", sorted(TEMPTING.PROGRAMS))
def test_no_claim_is_false(subject: str) -> None:
    observed = Observed()
    observe_program(TEMPTING.HEAD + dedent(TEMPTING.PROGRAMS[subject]), observed)
    assert observed.looked_at > 20
    assert not observed.false, "\n".join(observed.lines())
