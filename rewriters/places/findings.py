"""What is found out of all files' places once, and kept for whoever rewrites a piece of them."""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import MutableMapping
from dataclasses import dataclass, field, fields, replace

from rewriters.infer.values import FunctionInfo, ModuleInfo
from rewriters.places.asked_in_place import AskedInPlace
from rewriters.places.changes import Change
from rewriters.places.given_pieces import GivenPieces
from rewriters.places.kept_copies import Changing
from rewriters.places.summary import Summary


@dataclass
class Found:
    """What stays true of all files, and is kept when the rest is forgotten.

    changed, given_pieces, given_out, asked_in_place, lent_out, itself_out, objects: of all files, as of the properties
               of ``Places``; None until they are looked for.
    lines:     of each file, as of ``Places.lines``.
    changing:  of functions, as of ``Places.may_change``; becoming, copying: as of ``may_become_other``, ``may_copy``.
    summaries: of functions.
    broken, kept: of functions that have been looked at, as of the methods of ``Places``.
    """

    changed: Changing | None = None
    given_pieces: GivenPieces | None = None
    given_out: frozenset[ast.Call] | None = None
    asked_in_place: AskedInPlace | None = None
    lent_out: frozenset[ast.Call] | None = None
    itself_out: dict[ast.AST, set[ast.AST]] | None = None
    objects: bool | None = None
    lines: MutableMapping[ModuleInfo, tuple[list[int], list[int]]] = field(default_factory=dict)
    changing: MutableMapping[ast.AST, bool] = field(default_factory=dict)
    becoming: MutableMapping[ast.AST, bool] = field(default_factory=dict)
    copying: MutableMapping[FunctionInfo, bool] = field(default_factory=dict)
    summaries: MutableMapping[FunctionInfo, Summary] = field(default_factory=dict)
    broken: MutableMapping[ast.AST, list[tuple[ast.AST, Change]]] = field(default_factory=dict)
    kept: MutableMapping[ast.AST, dict[ast.Call, str]] = field(default_factory=dict)

    def copy(self) -> Found:
        """What is found out later is not in it: of functions that call each other it depends on which came first.

        The tables stay where they are: to copy one counts who refers to what is in it, in all of the memory.
        """
        found = replace(self)
        tables = (item.name for item in fields(self) if item.default_factory is dict)
        vars(found).update({name: ChainMap({}, getattr(self, name)) for name in tables})
        return found
