"""What a database has: names of its entries -> last parts of the names that their samples call, as a line of JSON."""

from __future__ import annotations

import importlib
import json


def main(arguments: list[str]) -> None:
    """Arguments: the module that lists the samples."""
    source = importlib.import_module("." + arguments[0], __package__)
    print(json.dumps({name: source.covers(group) for name, group in source.entries().items()}))
