"""The output's one helper module: the rules that could not be inlined, as they stand in their rule files.

It also carries ``torch``, a stand-in whose use raises an error that names what was not converted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from rewriters.rewrite.class_names import TORCH_NAME, is_function, name_of_function, torch_name_text
from rewriters.rewrite.definitions import declares, dispatcher, names_in, names_of, refusals_in, source_of, unsaid
from rewriters.rewrite.helper_names import helper_names, plainness
from rewriters.rewrite.helper_order import in_order
from rewriters.rewrite.helper_pieces import (
    DIFFERS,
    IS_FOREIGN,
    IS_TEXT,
    OF_KIND,
    OF_RANK,
    TORCH_FUNCTION,
    VALUES,
    fitting,
    kind_class,
)
from rewriters.rewrite.stand_in import ERROR, STAND_IN
from rewriters.rewrite.torch_attributes import (
    BY_NAME,
    OF,
    attribute_of,
    attribute_text,
    by_name_text,
    helper_of,
    modules_settings,
    setting_text,
)
from rewriters.rewrite.torch_class import TORCH_CLASS, class_for, made_classes, special_classes
from rewriters.rules.annotations import FOREIGN, RANK, TENSOR_KINDS, WORD
from rewriters.rules.rulebook import Rule, Rulebook, RuleError, dotted
from rewriters.target import Target
from rewriters.text.tree import walk
from rewriters.torch.table import canonical

HANDED_ON = ":handed on"
SETTING = ":setting"
AMBIENT = ":ambient"
HELPER = "helper"
"""By which a target's ambient expressions name the helper module."""


class HelperModule:
    """Collects the rules that the converted files call, and prints the module."""

    def __init__(self, target: Target, book: Rulebook) -> None:
        self.target = target
        self.book = book
        self.names = helper_names(book)
        self.groups: dict[str, list[Rule]] = {}
        # Functions that stand for a class of torch: name -> the class.
        self.classes: dict[str, str] = {}
        # Functions that are handed on: name -> torch's function, all of whose arguments they take.
        self.handed_on: dict[str, str] = {}
        # Attributes of layers that are asked of what may be any of them.
        self.attributes: set[str] = set()
        self.stand_in = False
        self.names_classes = False
        # What rules ask for from around them, which rule files define.
        self.ambient: set[str] = set()
        # Whether it makes the target's setting.
        self.makes_setting = False

    def use(self, rules: Iterable[Rule]) -> str:
        """Ask for the overloads of a rule; the name to call."""
        wanted = tuple(rules)
        self.groups[self.names[wanted]] = list(wanted)
        return self.names[wanted]

    def use_class(self, key: str) -> str:
        """Ask for a class of torch that is handed on; its name."""
        name = self.use(self.book.rules[key])
        self.classes[name] = key
        return name

    def use_handed_on(self, key: str) -> str:
        """Ask for a function of torch that is handed on; its name."""
        name = self.use(self.book.rules[key])
        if unsaid(self.book.rules[key], key):
            self.handed_on[name] = key
        return name

    def use_attribute(self, name: str) -> str:
        """Ask for an attribute of whatever layer, or, with ``=``, for what stores to it; the function's name."""
        self.attributes.add(name)
        if name.rstrip("=") == BY_NAME:
            self.attributes |= {one + name[len(BY_NAME) :] for one in modules_settings(self.book)}
        return helper_of(name)

    def use_ambient(self, name: str) -> str:
        """Ask for what a rule file defines for whoever needs it; its name."""
        self.ambient.add(name)
        return name

    @property
    def wanted(self) -> set[str]:
        """What was asked for, for ``use_named``."""
        attributes = set(map(helper_of, self.attributes))
        classes = set(self.classes.values()) | ({TORCH_NAME} if self.names_classes else set())
        handed_on = {f"{key}{HANDED_ON}" for key in self.handed_on.values()}
        ambient = {f"{name}{AMBIENT}" for name in self.ambient} | ({SETTING} if self.makes_setting else set())
        return set(self.groups) | attributes | classes | handed_on | ambient

    def use_named(self, names: Iterable[str]) -> None:
        """Ask for what another module's ``wanted`` names."""
        groups = {name: group for group, name in self.names.items()}
        for name in names:
            if name == TORCH_NAME:
                self.names_classes = True
            elif name == SETTING:
                self.makes_setting = True
            elif name in groups:
                self.groups[name] = list(groups[name])
            elif name.endswith(AMBIENT):
                self.use_ambient(name.removesuffix(AMBIENT))
            elif name.endswith(HANDED_ON):
                self.use_handed_on(name.removesuffix(HANDED_ON))
            elif name.endswith(OF):
                self.use_attribute(attribute_of(name))
            else:
                self.use_class(name)

    def __bool__(self) -> bool:
        return (
            bool(self.groups or self.attributes or self.ambient)
            or self.stand_in
            or self.names_classes
            or self.makes_setting
        )

    @property
    def functions(self) -> dict[str, str]:
        """Functions of torch's in the module, and what torch calls them."""
        groups = {tuple(rules): name for name, rules in self.groups.items()}
        keys = sorted((key for key in self.book.rules if is_function(key)), key=plainness, reverse=True)
        named = ((groups.get(tuple(self.book.rules[key])), key) for key in keys)
        return {name: name_of_function(key) for name, key in named if name is not None}

    def text(self) -> str:
        """The module's source; deterministic for the same set of rules."""
        page = Page(self)
        written: set[str] = set()
        for name in sorted(self.attributes):
            page.write_attribute(name)
        for name in sorted(self.ambient):
            page.write_ambient(name)
        # A rule that calls another asks for it while it is written.
        while waiting := sorted(set(self.groups) - written):
            for name in waiting:
                written.add(name)
                page.write(name, self.groups[name])
        return page.text()


def helper_text(target: Target, book: Rulebook, names: Iterable[str], stand_in: bool) -> str:
    """The helper module with the rules of which ``use`` gave these names, with or without a stand-in for torch."""
    module = HelperModule(target, book)
    module.use_named(names)
    module.stand_in = stand_in
    return module.text()


# Special rules whose classes show the name of torch's.
SHOWN = (":looked", ":looked into", ":base", ":frozen")


class Page:
    """The text of a helper module as it is put together."""

    def __init__(self, module: HelperModule) -> None:
        self.module = module
        self.book = module.book
        self.imports: set[str] = set()
        # Definitions that rules use: name -> (file and line, text)
        self.definitions: dict[str, tuple[tuple[str, int], str]] = {}
        self.functions: dict[str, list[str]] = {}

    def write(self, name: str, rules: list[Rule]) -> None:
        if rules[0].is_class:
            place = (str(rules[0].file), rules[0].written.lineno)
            text = self.definition(rules[0].written, rules[0].file, name)
            shown = {key.partition(":")[0].rpartition(".")[2] for key in rules[0].keys if key.endswith(SHOWN)}
            if len(shown) == 1 and name not in shown:
                text += f'\n\n\n{name}.__name__ = "{shown.pop()}"'
            self.definitions[name] = (place, text)
            return
        if len(rules) == 1:
            text = self.definition(rules[0].written, rules[0].file, name)
            self.functions[name] = [self.as_class(name) + self.as_torchs(name) + text]
            return
        overloads = [f"_{name}_{index}" for index in range(1, len(rules) + 1)]
        widest = max(range(len(rules)), key=lambda index: len(names_of(rules[index])))
        texts = [self.definition(rule.written, rule.file, n) for rule, n in zip(rules, overloads, strict=True)]
        self.functions[name] = [
            *texts,
            self.as_class(name, overloads[widest]) + self.as_torchs(name) + dispatcher(name, overloads),
        ]
        held = self.book.rules.get("torch.nn.Parameter:array")
        self.definitions["_fitting"] = (("", 0), fitting(self.module.use(held) if held else ""))
        self.imports.add("import inspect")

    def as_class(self, name: str, like: str = "") -> str:
        """The decorator of a function that stands for a class of torch; "" for others. like: what takes its arguments,
        where several functions do.
        """
        key = class_for(self.module.classes.get(name, ""))
        if not key:
            return ""
        self.imports |= {"import abc", "import functools", "import inspect"}
        self.definitions["torch_class"] = (("", 4), TORCH_CLASS)
        self.definitions["NotConvertedError"] = (("", -1), ERROR)
        made = made_classes(self.book, key)
        plain = [of for of, rule in made if rule is None] + special_classes(self.book, key, self.book.rules)
        based = special_classes(self.book, key, {f"{key}:base"})
        plain, based = list(map(self.of_target, plain)), list(map(self.of_target, based))
        own = [self.require(of, rule.source.by_name[of].node, rule.file) for of, rule in made if rule is not None]
        shown = ", ".join(dict.fromkeys([*plain, *own]))
        if own and own[0] != shown.split(", ", 1)[0] and len(own) == len(made):
            based = based or own  # what special rules make takes other arguments
        last = (f", base={based[0]}" if based else "") + (f", like={like}" if like else "")
        return f'@torch_class({shown}, name="{key.rpartition(".")[2]}"{last})\n'

    def as_torchs(self, name: str) -> str:
        """The decorator of a function that is handed on and has not all of torch's parameters; "" for others."""
        key = self.module.handed_on.get(name)
        if key is None:
            return ""
        self.imports.add("import functools")
        self.definitions["torch_function"] = (("", 4), TORCH_FUNCTION)
        self.definitions["NotConvertedError"] = (("", -1), ERROR)
        words = ", ".join(f"{name}={default}" for name, default in unsaid(self.book.rules[key], key).items())
        return f"@torch_function({words})\n"

    def write_attribute(self, name: str) -> None:
        """The function that asks whatever layer for an attribute."""
        if name.rstrip("=") == BY_NAME:
            self.functions[helper_of(name)] = [by_name_text(self.book, stores=name.endswith("="))]
            return
        text_of = setting_text if name.endswith("=") else attribute_text
        text, imports = text_of(self.book, name.removesuffix("="), self.module.use)
        self.functions[helper_of(name)] = [text]
        self.imports |= imports

    def write_ambient(self, name: str) -> None:
        """What a rule file assigns to a name. Raises RuleError where none does."""
        for file in self.book.files.values():
            found = file.by_name.get(name)
            if found is not None and isinstance(found.node, (ast.Assign, ast.AnnAssign)):
                self.require(name, found.node, file.path)
                return
        raise RuleError(f"{self.book.own}: no rule file defines {name}, which rules ask for")

    def text(self) -> str:
        title = self.module.target.title
        if self.module.stand_in:
            self.imports.add("import warnings")
        parts = [f'"""torch\'s calls on {title}: what has no shorter form there. Written by migrate; yours to edit."""']
        setting, why = self.module.target.setting
        if setting:
            self.imports.add(f"import {self.module.target.package}")
        if self.imports:
            parts.append("\n".join(sorted(self.imports, key=lambda line: (line.startswith("from"), line))))
        if setting:
            parts.append(f"{setting}  # {why}")
        head = "\n\n".join(parts)
        if self.module.stand_in:
            self.definitions["NotConvertedError"] = (("", -1), ERROR)
        rest = [text.strip("\n") for text in in_order(self.definitions)]
        if self.module.names_classes:
            rest.append(torch_name_text(self.book, self.module.target.packages, self.module.functions))
        if self.module.stand_in:
            rest.insert(1, STAND_IN.strip("\n"))
        rest += [text for name in sorted(self.functions) for text in self.functions[name]]
        return "\n\n\n".join([head, *rest]) + "\n"

    def definition(self, node: ast.stmt, file: Path, name: str, called: str = "") -> str:
        """A definition of a rule file under another name, with what it uses brought along.

        called: how it calls itself, where that name becomes the other one.
        """
        known = self.book.files[file].by_name
        changes: list[tuple[ast.expr, str]] = []
        within: set[ast.AST] = set()
        kept = [one for one in getattr(node, "decorator_list", ()) if not declares(one, known)]
        for part in (part for one in kept for part in walk(one)):
            if isinstance(part, ast.Name) and part.id in known:
                self.require(part.id, known[part.id].node, file)
        for part in names_in(node):
            if part in within:
                continue
            full = dotted(part)
            if full is not None and full.split(".")[0] == "torch" and "torch" in known:
                within |= set(walk(part))
                changes.append((part, self.of_torch(full)))
            elif isinstance(part, ast.Name) and part.id == called != name:
                changes.append((part, name))
            elif isinstance(part, ast.Name) and part.id in known and (found := known[part.id].node) is not node:
                new = self.require(part.id, found, file)
                if new != part.id:
                    changes.append((part, new))
        for error in refusals_in(node):
            self.definitions["NotConvertedError"] = (("", -1), ERROR)
            changes.append((error, "NotConvertedError"))
        above = "".join(f"@{ast.unparse(one)}\n" for one in kept)
        return above + source_of(node, self.book.files[file].text_around(node), name, changes)

    def of_torch(self, name: str) -> str:
        """torch's own name in a rule, mostly a default: the target's where there is one."""
        book = self.book
        emitted = book.rules.get(canonical(name), ())
        if emitted and emitted[0].is_class:
            return self.module.use(emitted)
        text = book.spelled.get(name) or book.aliases.get(canonical(name))
        if text is None:
            self.module.stand_in = True
            return name
        return self.of_target(text) if "." in text or text in self.module.target.packages else text

    def of_target(self, name: str) -> str:
        """How a dotted name of the target is written here."""
        text, statement = self.module.target.imported(name)
        self.imports.add(statement)
        return text

    def require(self, name: str, found: ast.stmt, file: Path) -> str:
        """Bring along what a name of a rule file stands for; the name under which it is there."""
        if isinstance(found, ast.ImportFrom):
            other, own, definition = self.book.definition(file, name)
            if other != file:
                return self.require(own, definition, other)
        if isinstance(found, (ast.Import, ast.ImportFrom)):
            self.require_import(name, found)
            return name
        overloads = self.book.overloads(file, name)
        if overloads:
            return self.module.use(overloads)
        place = (str(file), found.lineno)
        names = (name, f"{name}_of_{file.stem}")
        for own in names:
            if own in self.definitions and self.definitions[own][0] == place:
                return own
        for own in names:
            if own not in self.definitions:
                self.definitions[own] = (place, "")  # what refers to itself finds it
                self.definitions[own] = (place, self.definition(found, file, own, name))
                return own
            if self.definitions[own][1] == self.definition(found, file, own, name):
                return own
        raise RuleError(f"{file}:{found.lineno}: {name} is also defined in {self.definitions[name][0][0]}; rename one")

    def require_import(self, name: str, node: ast.Import | ast.ImportFrom) -> None:
        if name == WORD:
            self.definitions[name] = (("", 2), IS_TEXT)
            return
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rewriters"):
            if name == "differs":
                self.imports.add("import warnings")
                self.definitions[name] = (("", 1), DIFFERS)
            elif name == "Values":
                self.imports.add("from collections import namedtuple")
                self.definitions[name] = (("", 1), VALUES)
            elif name in TENSOR_KINDS:
                self.definitions["_OfKind"] = (("", 2), OF_KIND.replace("torch.Tensor", self.of_torch("torch.Tensor")))
                self.definitions[name] = (("", 3 + TENSOR_KINDS.index(name)), kind_class(name))
            elif name == FOREIGN:
                self.definitions[name] = (("", 2), IS_FOREIGN)
            elif name == RANK:
                self.definitions[name] = (("", 2), OF_RANK.replace("torch.Tensor", self.of_torch("torch.Tensor")))
            return
        item = next(i for i in node.names if (i.asname or i.name.split(".")[0]) == name)
        alias = f" as {item.asname}" if item.asname else ""
        source = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
        self.imports.add(f"{source}import {item.name}{alias}")
