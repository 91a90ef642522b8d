"""Tries the reasons on standard input, {name: reason}, in Paddle; prints {reason: what is wrong with it, or ""}."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from pathlib import Path

# What a probe in machines.py looks for: Paddle reads these when it is imported.
os.environ |= {"FLAGS_allocator_strategy": "naive_best_fit", "FLAGS_fraction_of_gpu_memory_to_use": "0.25"}

import paddle
import probing

OWN = {"probing", "run"}


def trouble(reason: str, names: list[str]) -> str:
    paddle.set_device("cpu")
    try:
        probing.tried(reason, names)
    except BaseException:
        return traceback.format_exc(limit=-3)
    return ""


def main() -> None:
    asked: dict[str, list[str]] = {}
    for name, reason in json.load(sys.stdin).items():
        asked.setdefault(reason, []).append(name)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem not in OWN:
            importlib.import_module(path.stem)
    # Paddle and its workers print to where the answer goes
    answer = os.dup(1)
    os.dup2(2, 1)
    found = {reason: trouble(reason, asked[reason]) if reason in asked else "" for reason in probing.PROBES}
    os.write(answer, json.dumps(found).encode())


if __name__ == "__main__":
    main()
