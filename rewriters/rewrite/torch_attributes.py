"""What the target's layers, optimizers and dtypes keep otherwise than torch's, and helpers that ask anything for it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache

from rewriters.rewrite.torch_class import made_classes
from rewriters.rules.rulebook import Rule, Rulebook, dotted
from rewriters.text.tree import walk
from rewriters.torch.table import entry, mro, public_names

OWNERS = ("torch.nn.", "torch.optim.", "torch.dtype.")
OF = "_of_any"
"""What a helper of these is called behind the attribute's name."""
OF_ANY = ":any"
"""Behind the key of a rule that such a helper takes instead: it asks for what a file knows of the one it calls."""
SET = "set_"
"""And before it, if it stores: such a helper is asked for by the attribute's name and ``=``."""
METHODS = frozenset({"get_last_lr"})
"""Methods without arguments that are asked for likewise."""
BY_NAME = "setting"
"""What the helper is asked for by that reads under a name which is computed, with ``=`` the one that stores."""
SPECIFIC = frozenset(
    """
    in_channels out_channels kernel_size output_padding padding_mode in_features out_features num_features num_groups
    num_channels running_mean running_var track_running_stats embedding_dim num_embeddings normalized_shape
    elementwise_affine negative_slope param_groups get_last_lr module is_floating_point is_complex
    """.split()  # noqa: SIM905
)
"""Names that say of what has them that it is a layer, an optimizer, a dtype, or a program's settings."""
OF_MODULES = SPECIFIC | {"stride", "padding", "dilation", "padding_idx", "groups", "eps", "momentum", "affine"}
"""Those, and what else layers have: asked of what is a module, or is called."""


@cache
def names_of_layers() -> frozenset[str]:
    """All that torch's layers and optimizers have: methods, attributes, and what they are made with."""
    found: set[str] = set()
    for name in public_names():
        if name.startswith(OWNERS):
            known = entry(name) or {}
            found |= {one.partition("=")[0] for one in known.get("parameters", ())}
            found |= {*known.get("methods", ()), *known.get("attributes", ())}
    return frozenset(found)


@cache
def layer_attributes(book: Rulebook) -> Mapping[str, Mapping[str, tuple[Rule, ...]]]:
    """Attribute -> class of torch -> the rules of it: of attributes that the target's layers have otherwise."""
    return kept_otherwise(book, "", ["self"])


@cache
def layer_settings(book: Rulebook) -> Mapping[str, Mapping[str, tuple[Rule, ...]]]:
    """The same of those that are stored to."""
    return kept_otherwise(book, "=", ["self", "value"])


def modules_settings(book: Rulebook) -> list[str]:
    """Those that layers of several kinds have, and others too."""
    return sorted((OF_MODULES - SPECIFIC) & set(layer_settings(book)))


def kept_otherwise(book: Rulebook, ending: str, parameters: list[str]) -> Mapping[str, Mapping[str, tuple[Rule, ...]]]:
    """Of rules whose keys end so, and that take these."""
    found: dict[str, dict[str, tuple[Rule, ...]]] = {}
    for key, rules in sorted(book.rules.items()):
        owner, _, name = key.removesuffix(ending).rpartition(".")
        known = entry(owner)
        if not key.startswith(OWNERS) or not key.endswith(ending) or not name.isidentifier():
            continue
        if not known or known["kind"] != "class":
            continue
        spec = rules[0].parameters
        if (
            (name in METHODS or name not in known.get("methods", {}))
            and len(rules) == 1
            and [a.arg for a in spec.args] == parameters
        ):
            found.setdefault(name, {})[owner] = tuple(book.rules.get(f"{key}{OF_ANY}", rules))
    return found


@cache
def private_names(book: Rulebook, owner: str) -> frozenset[str]:
    """Attributes under which the target's layer keeps for itself what torch's has by other names: ``_padding``."""
    found: set[str] = set()
    for kept in (layer_attributes(book), layer_settings(book)):
        for name, owners in kept.items():
            rules = [rule for base in mro(owner) for rule in owners.get(base, ())]
            read = {dotted(part) or "" for rule in rules for part in walk(rule.node) if isinstance(part, ast.Attribute)}
            found |= {text[5:] for text in read if text.startswith("self._") and text != f"self.{name}"}
    return frozenset(name for name in found if name.isidentifier())


def helper_of(name: str) -> str:
    """What the helper is called that asks anything for an attribute, or that stores to it."""
    return f"{SET}{name[:-1]}{OF}" if name.endswith("=") else f"{name}{OF}"


def attribute_of(helper: str) -> str:
    """The other way round."""
    name = helper.removesuffix(OF)
    return f"{name.removeprefix(SET)}=" if name.startswith(SET) else name


def classes_with(book: Rulebook, owner: str) -> list[str]:
    """The target's classes of what is one of torch's class, and of classes derived from it."""
    kinds = [name for name in public_names() if owner in mro(name)] if owner not in public_names() else [owner]
    kinds += [name for name in public_names() if name != owner and owner in mro(name) and name not in kinds]
    return list(dict.fromkeys(made for kind in kinds for made, rule in made_classes(book, kind) if rule is None))


def reads_itself(rule: Rule, name: str) -> bool:
    """Whether the target's layers have the attribute too, and mean something else by it."""
    return any(dotted(part) == f"self.{name}" for part in walk(rule.node) if isinstance(part, ast.Attribute))


def branches(
    book: Rulebook, kept: Mapping[str, tuple[Rule, ...]], use: Callable[[tuple[Rule, ...]], str], given: str
) -> tuple[list[tuple[Rule, str]], set[str]]:
    """The lines that look whether something is of a class, and have the class's rule answer, with the rule; and the
    imports that they need. use: gives the name of a rule's helper; given: what the helper is given.
    """
    found: list[tuple[Rule, str]] = []
    imports: set[str] = set()
    for owner, rules in kept.items():
        kinds = classes_with(book, owner)
        if kinds:
            imports |= {f"import {kind.partition('.')[0]}" for kind in kinds}
            shown = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
            found.append((rules[0], f"    if isinstance(owner, {shown}):\n        return {use(rules)}({given})\n"))
    return found, imports


def has_own(name: str) -> str:
    """The line that looks whether something has an attribute itself, or its class a property of the name."""
    return f'    if "{name}" in getattr(owner, "__dict__", ()) or hasattr(type(owner), "{name}"):\n'


def attribute_text(book: Rulebook, name: str, use: Callable[[tuple[Rule, ...]], str]) -> tuple[str, set[str]]:
    """The helper that looks at run time whether something is a layer that has an attribute otherwise, and the imports
    that it needs. use: gives the name of a rule's helper.
    """
    is_method = name in METHODS

    def answer(rules: tuple[Rule, ...]) -> str:
        return f"functools.partial({use(rules)}, owner) if default else {use(rules)}" if is_method else use(rules)

    found, imports = branches(book, layer_attributes(book)[name], answer, "owner")
    imports |= {"import functools"} if is_method else set()
    first = [lines for rule, lines in found if reads_itself(rule, name)]
    later = [lines for rule, lines in found if not reads_itself(rule, name)]
    last = f'getattr(owner, "{name}", *default)'
    last = f"{last} if default else owner.{name}()" if is_method else last
    if later:
        own = f"owner.{name} if default else owner.{name}()" if is_method else f"owner.{name}"
        later.insert(0, f"{has_own(name)}        return {own}\n")
    said = f"What torch's layers, optimizers and dtypes have as {name}; of anything else, its own."
    said += " With a default it is not called." if is_method else ""
    head = f'def {name}{OF}(owner, *default):\n    """{said}"""\n'
    return head + "".join([*first, *later]) + f"    return {last}", imports


def setting_text(book: Rulebook, name: str, use: Callable[[tuple[Rule, ...]], str]) -> tuple[str, set[str]]:
    """The same of one that stores."""
    found, imports = branches(book, layer_settings(book)[name], use, "owner, value")
    said = f"What torch's layers keep as {name}; of anything else, its own."
    head = f'def {helper_of(name + "=")}(owner, value):\n    """{said}"""\n'
    own = f"{has_own(name)}        owner.{name} = value\n        return\n"
    return f"{head}{own}{''.join(lines for _, lines in found)}    owner.{name} = value", imports


def by_name_text(book: Rulebook, stores: bool) -> str:
    """The helper that reads, or stores, under a computed name, which may be that of a setting."""
    names = [f"{name}=" if stores else name for name in modules_settings(book)]
    rows = "".join(f'        "{name.rstrip("=")}": {helper_of(name)},\n' for name in names)
    called, given, own = (
        (helper_of(f"{BY_NAME}="), "value", "setattr(owner, name, value)")
        if stores
        else (helper_of(BY_NAME), "*default", "getattr(owner, name, *default)")
    )
    said = f'    """As {own[:7]}; what torch\'s layers have as settings, as these layers keep that."""\n'
    head = f"def {called}(owner, name, {given}):\n{said}    known = {{\n{rows}    }}\n"
    return f"{head}    return known[name](owner, {given}) if name in known else {own}"
