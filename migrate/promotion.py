"""What operators give for each pair of dtypes and kinds of numbers: torch against a target.

    python -m migrate.promotion TARGET

Writes the target's ``promotion.json``: operator -> operands -> what comes of them where torch gives a result and
the target another one: ``differs`` (another dtype, shape or value, and no word of it) or ``raises`` (an error, a
crash, a hang). Operands are the classes of
``rewriters.rules.promotion``: "int[]" is a tensor of integers without an axis; "float double" is for floating-point
numbers of two widths, whichever of them has axes.

Each pair of dtypes is calculated in both frameworks, in their own interpreters, tensors also beside one of a single
element; of a class, the worst counts.
"""

from __future__ import annotations

import argparse
import json
import math
import queue
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from checks.starting import command
from migrate.environments import find_interpreter
from rewriters import torch as torch_side
from rewriters.rules.promotion import TABLE, WORST
from rewriters.storing import replace_text
from rewriters.target import Target, load_target

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
OPERATORS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift", *COMPARISONS),
    *("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift", "irshift"),
)
#: The dtypes that stand for a class. Those of 8 and 16 bits overflow and are missing in places, whatever the operator.
CLASSES = {
    "bool": ["bool"], "int": ["int64", "int32"], "float": ["float32", "float64"], "complex": ["complex64"],
}  # fmt: skip
NUMBERS = {
    "True": ["True"], "number": ["int"], "-number": ["-int"], "1.5": ["float"], "1j": ["complex"],
    "numpy": ["np.float32", "np.float64", "np.int64"],
}  # fmt: skip
#: Of two widths: torch gives the wider one, but where that has no axes and the other has.
WIDTHS = [("float32", "float64"), ("float32", "float64[]"), ("float32[]", "float64"), ("float32[]", "float64[]")]
SECONDS = 60
RUNTIME = torch_side.WORKER / "runtime.py"
START_SECONDS = 120

Case = tuple[str, str, str]


def operands() -> dict[str, list[str]]:
    """Class -> the operands that stand for it."""
    scalars = {f"{name}[]": [f"{dtype}[]" for dtype in dtypes] for name, dtypes in CLASSES.items()}
    return {**CLASSES, **scalars, **NUMBERS}


def cases(operators: Sequence[str] = OPERATORS) -> Iterator[tuple[str, str, str, list[Case]]]:
    """(operator, left class, right class, its cases)."""
    named = operands()
    for name in operators:
        for left, lefts in named.items():
            for right, rights in named.items():
                if left in NUMBERS and (right in NUMBERS or name.startswith("i")):
                    continue
                # A wider one of the same kind is no matter of promotion between kinds, which are all that is inferred.
                alike = left.removesuffix("[]") == right.removesuffix("[]")
                pairs = [(one, other) for one in lefts for other in rights]
                pairs = [pair for pair in pairs if not alike or len({part.removesuffix("[]") for part in pair}) == 1]
                spread = left in CLASSES and right in CLASSES
                single = [(one, f"{other}[1]") for one, other in pairs] if spread else []
                single += [(f"{one}[1]", other) for one, other in pairs] if spread and not name.startswith("i") else []
                pairs += single
                yield name, left, right, [(name, *pair) for pair in pairs]
        if not name.startswith("i"):  # in place the first keeps its own, which rules see to
            pairs = [*WIDTHS, *((other, one) for one, other in WIDTHS)]
            yield name, "float", "double", [(name, *pair) for pair in pairs]


class Calculator:
    """One framework's probe, started anew after a crash or a hang."""

    def __init__(self, name: str, runtime: Path) -> None:
        self.interpreter, self.runtime = find_interpreter(name), runtime
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            command(self.interpreter.python, "worker.promotion", self.runtime),
            env=self.interpreter.environ(), text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.answers: queue.Queue[list[Any]] = queue.Queue()
        self.fresh = True
        threading.Thread(target=self.read, args=(self.process, self.answers), daemon=True).start()

    @staticmethod
    def read(process: subprocess.Popen[str], answers: queue.Queue[list[Any]]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("="):
                answers.put(json.loads(line[1:]))
        answers.put(["!crash", ""])

    def calculate(self, case: Case) -> list[Any]:
        """[dtype, [shape, values]], or ["!error", message]."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        try:
            found = self.answers.get(timeout=START_SECONDS if self.fresh else SECONDS)
        except queue.Empty:
            found = ["!hang", ""]
        self.fresh = False
        if found[0] in {"!crash", "!hang"}:
            self.close()
            self.start()
        return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def compared(expected: list[Any], found: list[Any]) -> str:
    """What becomes of one case in the target: "" for torch's result, ``differs``, ``raises``."""
    if expected[0].startswith("!"):
        return "raises" if found[0] == "!hang" else ""
    if found[0].startswith("!"):
        return "" if "complex" in expected[0] else "raises"
    return "" if expected[0] == found[0] and near(expected[1], found[1]) else "differs"


def near(one: Any, other: Any) -> bool:
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, str) or isinstance(other, (str, list)):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-5) or (math.isnan(one) and math.isnan(other))


def differences(target: Target, operators: Sequence[str] = OPERATORS) -> dict[str, dict[str, str]]:
    """What ``promotion.json`` holds, of these operators."""
    ours, theirs = Calculator("torch", RUNTIME), Calculator(target.name, target.runtime)
    found: dict[str, dict[str, str]] = {}
    try:
        for name, left, right, group in cases(operators):
            worst = max((compared(ours.calculate(case), theirs.calculate(case)) for case in group), key=WORST.index)
            if worst:
                found.setdefault(name, {})[f"{left} {right}"] = worst
    finally:
        ours.close()
        theirs.close()
    # What a cast to whole numbers cuts off shows in some comparisons only.
    compared_with = [found.get(name, {}) for name in COMPARISONS if name in operators]
    for pair in {pair for table in compared_with for pair in table}:
        for table in compared_with:
            table[pair] = max((t.get(pair, "") for t in compared_with), key=WORST.index)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("target")
    target = load_target(parser.parse_args().target)
    found = differences(target)
    path = target.folder / TABLE
    replace_text(path, json.dumps(found, indent=0, sort_keys=True) + "\n")
    print(f"{sum(map(len, found.values()))} pairs of operands -> {path}")


if __name__ == "__main__":
    main()
