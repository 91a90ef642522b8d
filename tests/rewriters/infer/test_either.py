"""Values that are one of a few: what is asked of them tells which, and what is not known stays so."""

from __future__ import annotations

from textwrap import dedent

import pytest

from rewriters.infer.joining import join
from rewriters.infer.values import TENSOR, Items, Mapping

SNIPPETS = {
    "a number that becomes a tensor": """
        loss = 0
        for t in torch.zeros(3):
            loss = loss + t
        loss.view(1)  #! yes
        loss += what()
        loss.view(1)  #! no
    """,
    "a tensor or several": """
        def f(x):
            if what():
                return x, x
            return x
        out = f(torch.zeros(2))
        out[0].view(1)  #! yes
        p, q = out
        p.view(1)  #! yes
        if isinstance(out, tuple):
            out[1].view(1)  #! yes
            out = out[0]
        out.view(1)  #! yes
    """,
    "what a list has too is not told apart": """
        x = torch.zeros(2)
        if what():
            x = [1]
        n = x.count(1)
        n.view(1)  #! no
        x.view(1)  #! yes
        if what():
            x = what()
        x.view(1)  #! no
    """,
    "an attribute that is tried": """
        x = torch.zeros(2) if what() else "text"
        try:
            x.view(1)  #! no
        except AttributeError:
            pass
        x.view(1)  #! yes
    """,
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_either(name, converted):
    out = converted("import torch\n" + dedent(SNIPPETS[name]))
    lines = [line for line in out.split("\n") if "#!" in line]
    wrong = [line for line in lines if (".reshape([" in line, ".view(" not in line) != (line.endswith("yes"),) * 2]
    assert lines
    assert not wrong, "\n".join(wrong)


def test_a_choice_holds_none_so_that_what_grows_in_a_loop_comes_to_an_end():
    known = [TENSOR]
    for _ in range(6):  # out = [out, out]; out = {"a": out}
        known.append(join(join(known[-1], Items((known[-1], known[-1]), "list")), Mapping(known[-1])))
    assert known[-1] == known[-2]
