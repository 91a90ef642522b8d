"""Python's builtins as abstract values."""

from __future__ import annotations

from rewriters.infer.values import BOOL, FLOAT, INT, NONE, OBJECT, STR, Plain, Series, Value

BUILTIN_RESULTS: dict[str, Value] = {
    "len": INT, "int": INT, "float": FLOAT, "str": STR, "bool": BOOL, "isinstance": BOOL, "issubclass": BOOL,
    "hasattr": BOOL, "callable": BOOL, "any": BOOL, "all": BOOL, "repr": STR, "print": NONE, "open": OBJECT,
    "id": INT,
    "hash": INT, "ord": INT, "chr": STR, "input": STR, "format": STR, "bytes": Plain("bytes"),
    "complex": Plain("complex"),
    "slice": Plain("slice"), "object": OBJECT, "dir": Series(STR), "setattr": NONE,
    "hex": STR, "bin": STR,
}  # fmt: skip
BUILTINS: dict[str, Value] = {
    name: Plain("builtin:" + name)
    for name in [
    *BUILTIN_RESULTS, "range", "enumerate", "zip", "list", "tuple", "sorted", "reversed", "set", "frozenset",
    "iter", "next",
        "max", "min", "sum", "abs", "pow", "round", "divmod", "dict", "super", "getattr", "type", "map", "filter",
        "vars",
    ]
}  # fmt: skip
BUILTINS["Ellipsis"] = Plain("ellipsis")
for _name in ("__name__", "__file__", "__doc__"):
    BUILTINS[_name] = STR
CONSTANTS: dict[type, Value] = {
    int: INT, float: FLOAT, bool: BOOL, str: STR, type(None): NONE, bytes: Plain("bytes"), type(...): Plain("ellipsis"),
}  # fmt: skip
