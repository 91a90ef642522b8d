"""Makes ``signatures.json`` of a target: the signatures of what its rules name, from the installed framework.

    python -m rewriters.tables.signatures paddle --python PATH_TO_THE_TARGET'S_INTERPRETER

The tidying step drops arguments that equal the target's defaults and keeps positional what is positional there. A name
that the installed framework lacks ends the command with its rule's file and line. Where Python knows no signature of a
target's built-ins, the target's `built_ins.py` gives them: `overloads(value, is_method)`, in the target's interpreter.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess

from rewriters.rules.rulebook import Rule, Rulebook, dotted, load_rulebook
from rewriters.storing import replace_text
from rewriters.target import Target, load_target
from rewriters.torch.table import entry

PROBE = r"""
import builtins, importlib, inspect, json, runpy, sys
names = json.load(sys.stdin)
found, several, missing, same = {}, {}, [], {}
built_ins = runpy.run_path(names["built_ins"])["overloads"] if names["built_ins"] else lambda value, is_method: []
package = importlib.import_module(names["package"])
def look_up(name):
    parts = name.split(".")
    if hasattr(builtins, name):
        return getattr(builtins, name)
    value = importlib.import_module(parts[0])
    for index, part in enumerate(parts[1:], start=2):
        try:
            value = getattr(value, part)
        except AttributeError:
            value = importlib.import_module(".".join(parts[:index]))
    return value
def signature(value):
    rows = []
    for parameter in inspect.signature(value).parameters.values():
        kind = {0: "positional", 1: "positional", 2: "variadic", 3: "keyword", 4: "keywords"}[int(parameter.kind)]
        # An object's address is another one each time.
        default = None if parameter.default is parameter.empty else repr(parameter.default).partition(" at 0x")[0]
        rows.append([parameter.name, kind, default])
    return rows
def signatures_of(value, is_method):
    try:
        return [signature(value)[is_method:]]
    except (TypeError, ValueError):
        return built_ins(value, is_method)
def record(name, value, is_method):
    overloads = signatures_of(value, is_method)
    if len(overloads) == 1:
        found[name] = [parameter[:3] for parameter in overloads[0]]
    elif overloads:
        several[name] = overloads
for name in names["names"]:
    try:
        value = look_up(name)
    except (AttributeError, ImportError):
        missing.append(name)
        continue
    record(name, value, False)
for owner, klass, attribute in names["methods"]:
    value = getattr(look_up(klass), attribute, None)
    if callable(value):
        record(owner + "." + attribute, value, True)
for key, (name, is_method) in names["same"].items():
    try:
        value = look_up(name)
    except (AttributeError, ImportError):
        continue
    overloads = signatures_of(value, is_method) if callable(value) else []
    if overloads:
        same[key] = [[parameter[:3] for parameter in one] for one in overloads]
version = getattr(package, "__version__", "")
result = {"version": version, "signatures": found, "overloads": several, "same": same, "missing": missing}
print("\n" + json.dumps(result))
"""


def takes_receiver(rule: Rule, call: ast.Call) -> bool:
    """Whether the call's first argument is the rule's first parameter: it may be written as a method."""
    first, parameters = call.args[0] if call.args else None, rule.parameters.args
    return isinstance(first, ast.Name) and bool(parameters) and first.id == parameters[0].arg


def same(target: Target, book: Rulebook) -> dict[str, tuple[str, bool]]:
    """Names that are the same in the target -> what they are there, and whether it has a receiver that is left out.

    Of a layer both its constructor and, under ``torch.nn.Linear.forward``, its call.
    """
    found: dict[str, tuple[str, bool]] = {}
    for key in sorted(book.same):
        known = entry(key) or {}
        owner, _, last = key.rpartition(".")
        there = book.aliases.get(owner) or target.modules.get(owner)
        if there is None or known.get("kind") not in {"function", "method", "class"}:
            continue
        found[key] = (f"{there}.{last}", known["kind"] == "method")
        if known.get("module"):
            found[f"{key}.forward"] = (f"{there}.{last}.forward", True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("target")
    parser.add_argument(
        "--python", required=True, help="the target's interpreter, as `migrate env TARGET --path` prints it"
    )
    arguments = parser.parse_args()
    target = load_target(arguments.target)
    book = load_rulebook(target.folder)
    names: dict[str, str] = {text: "alias" for text in book.aliases.values() if text.split(".")[0] in target.packages}
    methods: set[tuple[str, str, str]] = set()
    for key, rules in book.rules.items():
        owner = key.rpartition(".")[0]
        owners = (
            {owner: book.aliases[owner]} if owner in book.aliases else {"torch.Tensor": book.aliases["torch.Tensor"]}
        )
        for rule in rules:
            for node in ast.walk(rule.node):
                name = dotted(node)
                if name and name.partition(".")[0] in target.packages and "." in name:
                    names.setdefault(name, rule.where)
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                    continue
                if isinstance(node.func.value, ast.Name) or takes_receiver(rule, node):
                    methods |= {(torch_class, klass, node.func.attr) for torch_class, klass in owners.items()}
    prefixes = {name.rpartition(".")[0] for name in names}
    built_ins = target.folder / "worker" / "built_ins.py"
    wanted = {
        "package": target.package,
        "names": sorted(set(names) - prefixes),
        "methods": sorted(methods),
        "built_ins": str(built_ins) if built_ins.exists() else "",
        "same": same(target, book),
    }
    environment = {**os.environ, "PYTHONPATH": ""}
    ran = subprocess.run(
        [arguments.python, "-c", PROBE],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if ran.returncode:
        raise SystemExit(ran.stderr[-2000:])
    result = json.loads(ran.stdout.strip().splitlines()[-1])
    missing = [f"{names[name]}: {target.title} {result['version']} has no {name}" for name in result.pop("missing")]
    if missing:
        raise SystemExit("\n".join(missing))
    for part in ("overloads", "same"):
        if not result[part]:
            del result[part]
    path = target.records / "signatures.json"
    replace_text(path, json.dumps(result, indent=0, sort_keys=True) + "\n")
    count = len(result["signatures"]) + len(result.get("overloads", []))
    print(f"{count} signatures of {target.title} {result['version']} -> {path}")


if __name__ == "__main__":
    main()
