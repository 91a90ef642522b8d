"""Makes ``tensor_names.json`` of a target: public names that torch's tensors have and the target's lack, and those that
the target's have and torch's lack.

    python -m rewriters.tables.tensor_names paddle --python PATH_TO_THE_TARGET'S_INTERPRETER

Run it with an interpreter that has torch. What ``hasattr(x, "astype")`` says of a tensor is read from it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys

from rewriters.storing import replace_text
from rewriters.target import load_target

PROBE = """
import importlib, json, sys, warnings
warnings.simplefilter("ignore")
x = importlib.import_module(sys.argv[1]).ones([2])
def has(name):
    try:
        return hasattr(x, name)
    except Exception:  # it is there, and refuses this tensor
        return True
print(json.dumps([name for name in dir(x) if not name.startswith("_") and has(name)]))
"""


def names_of(python: str, module: str) -> set[str]:
    """Of its tensors, with those of their class that only some have."""
    ran = subprocess.run([python, "-c", PROBE, module], capture_output=True, text=True, check=True)
    return set(json.loads(ran.stdout.splitlines()[-1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("target")
    parser.add_argument("--python", required=True, help="the target's interpreter")
    arguments = parser.parse_args()
    target = load_target(arguments.target)
    ours = names_of(sys.executable, "torch")
    theirs = names_of(arguments.python, target.modules["torch"])
    path = target.records / "tensor_names.json"
    known = {"lacking": sorted(ours - theirs), "own": sorted(theirs - ours)}
    replace_text(path, json.dumps(known, indent=0) + "\n")
    print(f"{len(known['lacking'])} lacking, {len(known['own'])} of its own -> {path}")


if __name__ == "__main__":
    main()
