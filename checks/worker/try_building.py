"""Builds a model of a torch project, with arguments that are supposed where it needs some, and smaller than it comes.

What is written is what an entry of a ``parity.toml`` can say: literals, and names and calls of the model's module.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import math
import traceback
from typing import Any, Iterator, NamedTuple

from .roles import read, role, set_to

LARGEST = 1_000_000_000  # parameters: larger ones are not built here
SIZES = {
    "n_channels in_channels in_chans channels input_channels in_ch": 3,
    "num_classes n_classes nclass out_channels n_class classes num_class out_ch": 10,
    "vocab_size ntoken num_tokens n_vocab vocab num_embeddings": 100,
    "dim d_model hidden_size hidden_dim embed_dim n_embd emb_dim embedding_dim input_dim in_features input_size": 64,
    "nfeat n_feat n_features num_features feature_dim feat_dim": 64,
    "out_features output_dim output_size latent_dim": 32,
    "mlp_dim d_ff ffn_dim intermediate_size": 128,
    "image_size img_size": 64,
    "patch_size": 8,
    "max_action action_limit act_limit action_scale": 1,
    "num_channels model_channels base_channels": 32,
    "heads n_head num_heads nhead n_heads num_attention_heads": 4,
    "depth num_layers n_layer n_layers nlayers num_hidden_layers": 2,
    "block_size max_seq_len seq_len context_length max_position_embeddings n_positions": 32,
}
"""Arguments of constructors by their usual names."""

SMALLER = {
    "num_channels model_channels base_channels ch": 32,
    "depth num_layers n_layer n_layers nlayers num_hidden_layers num_blocks": 2,
    "dim d_model hidden_size hidden_dim embed_dim n_embd emb_dim embedding_dim": 64,
    "heads n_head num_heads nhead n_heads num_attention_heads": 4,
    "n_kv_head n_kv_heads num_key_value_heads": 4,
    "mlp_dim d_ff ffn_dim intermediate_size": 128,
    "vocab_size ntoken num_tokens n_vocab vocab": 512,
    "block_size max_seq_len seq_len context_length max_position_embeddings n_positions": 128,
}
"""What a model is shrunk by when a forward takes long: settings by their usual names, each at most so large."""

CONFIGS = ("config", "cfg", "conf", "args", "opt", "opts", "params", "hparams", "options", "settings")
"""Names of parameters that are a model's whole settings."""


class NotTried(Exception):
    """Why there is no input; ``where`` is file:line in the project, when known."""

    def __init__(self, message: str, where: str | None = None) -> None:
        super().__init__(message)
        self.where = where


class Settings(dict):  # type: ignore[type-arg]  # Python 3.8 reads this
    """Option -> default of the project's command lines.

    given: what a script makes the model with, by place or name.
    """

    def __init__(self, options: dict[str, Any], given: dict[str, Any]) -> None:
        super().__init__(options)
        self.given = given


class Argument(NamedTuple):
    """As an entry says it, and its value."""

    text: str
    value: Any


def build(entry: str, project: str, settings: Settings, small: bool = False) -> tuple[str, Any]:
    """(the entry with the arguments that it needs, the model in eval mode). Raises NotTried.

    settings: option -> default of the project's command lines. small: with SMALLER, as far as it has such settings.
    """
    module_name, _, name = entry.partition(":")
    try:
        module = importlib.import_module(module_name)
        make = getattr(module, name)
    except (Exception, SystemExit) as error:
        raise NotTried(f"importing {module_name}: {said(error)}", place(error, project)) from None
    choices: dict[str, list[Argument]] = {}
    lacking = []
    for number, item in enumerate(parameters_of(make)):
        supposed = arguments(item, make, module, settings, small)
        if not supposed and item.default is item.empty:
            supposed = as_used(item.name, str(number), make, settings)
        if supposed:
            choices[item.name] = supposed
        elif item.default is item.empty:
            lacking.append(item.name)
    if lacking:
        raise NotTried("needs arguments: " + ", ".join(lacking))
    if small and not choices:
        raise NotTried("has no settings to shrink it by")
    failure: NotTried | None = None
    for turn in range(max([1, *map(len, choices.values())])):
        found = {key: those[min(turn, len(those) - 1)] for key, those in choices.items()}
        written = ", ".join(f"{key}={one.text}" for key, one in found.items())
        try:
            return f"{entry}({written})" if written else entry, made(make, found, project)
        except NotTried as error:
            failure = failure or error
    assert failure is not None
    raise failure


def made(make: Any, found: dict[str, Argument], project: str) -> Any:
    """The model of these arguments, in eval mode. Raises NotTried."""
    import torch

    torch.manual_seed(0)
    try:
        refuse_large(lambda: make(**{key: one.value() for key, one in found.items()}))
        model = make(**{key: one.value() for key, one in found.items()})
    except NotTried:
        raise
    except (Exception, SystemExit) as error:
        raise NotTried(f"building it: {said(error)}", place(error, project)) from None
    if not isinstance(model, torch.nn.Module):
        raise NotTried(f"it returns {type(model).__name__}, no module")
    return model.eval()


def arguments(item: inspect.Parameter, make: Any, module: Any, settings: Settings, small: bool) -> list[Argument]:
    """What a parameter may be given, the likeliest first; empty where it can be left out, or not be supposed.

    A configuration: of the class that is annotated, or else one that the module knows and that has what the code reads
    of it; else what the command line's defaults say. A size whose name says what it is, and for which any value is as
    good: ``num_classes``.
    """
    needed = item.default is item.empty
    if needed or (small and item.default is None):
        for name, kind in configurations(item, make, module):
            made = of_class(name, kind, small) or of_keywords(name, kind, item.name, make, small)
            if made:
                return made
        if needed and (item.name in CONFIGS or len(read(make, item.name) & settings.keys()) > 1):
            found = of_command_line(item.name, make, settings, small)
            return [found] if found is not None else []
    if not needed:
        size = smaller(item.name, item.default) if small else None
        return [] if size is None else [literal(size)]
    size = by_name(SIZES, item.name)
    return [] if size is None else [literal(size)]


ASKED = ("has_", "is_", "use_", "with_")
"""How names of truth values begin."""


def literal(value: Any) -> Argument:
    return Argument(repr(value), lambda: value)


def as_used(name: str, number: str, make: Any, settings: Settings) -> list[Argument]:
    """What a script gives the parameter, else what an option of its name is by default, else what its use tells."""
    value = settings.given.get(name, settings.given.get(number, settings.get(name)))
    value = role(make, name) if value is None else value
    value = False if value is None and name.startswith(ASKED) else value
    return [] if value is None else [literal(value)]


def configurations(item: inspect.Parameter, make: Any, module: Any) -> Iterator[tuple[str, Any]]:
    """(name in the module, class) of those that a parameter may be of, the likely ones first."""
    kind = item.annotation
    kind = vars(module).get(kind) if isinstance(kind, str) else kind
    annotated = isinstance(kind, type) and kind is not item.empty and kind.__module__ not in ("builtins", "typing")
    known = {name: one for name, one in vars(module).items() if isinstance(one, type) and is_settings(one)}
    if annotated and is_settings(kind):
        yield from ((name, one) for name, one in known.items() if one is kind)
        return
    if (kind is not item.empty and kind is not None) or item.name not in CONFIGS:
        return
    asked = read(make, item.name)
    first = [make.__name__ + word for word in ("Config", "Args", "Arguments", "Params")]
    for name in [*(one for one in first if one in known), *(one for one in known if one not in first)]:
        has = {inner.name for inner in parameters_of(known[name])} | set(dir(known[name]))
        if name in first or (asked and (asked <= has or takes_any(known[name]))):
            yield name, known[name]


def takes_any(kind: Any) -> bool:
    """Whether a class takes whatever keywords it is given, and nothing else."""
    found = inspect.signature(kind).parameters.values()
    return [item.kind for item in found] == [inspect.Parameter.VAR_KEYWORD]


def is_settings(kind: type) -> bool:
    """Whether a class only holds values, as far as it can be told: no module, no tensor."""
    import torch

    if issubclass(kind, (torch.nn.Module, torch.Tensor)):
        return False
    return dataclasses.is_dataclass(kind) or kind.__module__.split(".")[0] not in ("torch", "numpy", "builtins")


def of_class(name: str, kind: Any, small: bool) -> list[Argument]:
    """A call of a class of settings, nothing where it needs what cannot be supposed, or takes any keyword."""
    given: dict[str, Any] = {}
    if takes_any(kind):
        return []
    for item in parameters_of(kind):
        size = by_name(SIZES, item.name) if item.default is item.empty else None
        size = smaller(item.name, item.default) if small and item.default is not item.empty else size
        if size is not None:
            given[item.name] = size
        elif item.default is item.empty:
            return []
    return [call_of(name, kind, given)]


def of_keywords(name: str, kind: Any, parameter: str, make: Any, small: bool) -> list[Argument]:
    """Calls of a class that takes any keyword, with what the code reads off the parameter: as its own code sets them,
    sizes by their names; then without the texts, which often stand for sizes of their own.
    """
    stored = set_to(make)
    given: dict[str, Any] = {}
    for key in sorted(read(make, parameter) - set(dir(kind))):
        value = stored.get(key)
        value = by_name(SIZES, key) if value is None else value
        if value is None and key not in stored:
            return []
        size = smaller(key, value) if small else None
        given[key] = value if size is None else size
    plain = {key: None if isinstance(value, str) else value for key, value in given.items()}
    return [call_of(name, kind, given), *([call_of(name, kind, plain)] if plain != given else [])] if given else []


def call_of(name: str, kind: Any, given: dict[str, Any]) -> Argument:
    text = ", ".join(f"{key}={value!r}" for key, value in given.items())
    return Argument(f"{name}({text})", lambda: kind(**given))


def of_command_line(name: str, make: Any, settings: Settings, small: bool) -> Any:
    """A Namespace of what the code reads off the parameter, None where an option's default is not known."""
    given: dict[str, Any] = {}
    for key in sorted(read(make, name)):
        value = settings[key] if settings.get(key) is not None else by_name(SIZES, key)
        if value is None and key not in settings:
            return None
        given[key] = shrunk(key, value) if small else value
    if not given:
        return None
    return Argument(namespace_text(given), lambda: namespace(given))


def shrunk(key: str, value: Any) -> Any:
    """A setting that is smaller where it may be, and so those of a group."""
    if isinstance(value, dict):
        return {name: shrunk(name, one) for name, one in value.items()}
    size = smaller(key, value)
    return value if size is None else size


def is_group(value: Any) -> bool:
    """Whether it is a group of settings, as files have them: code reads these as attributes."""
    return isinstance(value, dict) and all(isinstance(name, str) and name.isidentifier() for name in value)


def namespace(group: dict[str, Any]) -> Any:
    """Settings as attributes, in groups."""
    from argparse import Namespace

    return Namespace(**{name: namespace(one) if is_group(one) else one for name, one in group.items()})


def namespace_text(group: dict[str, Any]) -> str:
    """The call that makes ``namespace(group)``."""
    items = [f"{name}={namespace_text(one) if is_group(one) else repr(one)}" for name, one in group.items()]
    return f"Namespace({', '.join(items)})"


def by_name(table: dict[str, int], name: str) -> Any:
    """The number for a parameter of that name, None for none."""
    return next((value for names, value in table.items() if name in names.split()), None)


def smaller(name: str, now: Any) -> Any:
    """A smaller number for a setting, None where it is small or not known by its name."""
    size = by_name(SMALLER, name)
    if size is None or isinstance(now, bool) or not isinstance(now, int) or now <= size:
        return None
    # Sizes go with one another: what divides stays a divisor.
    return size if "head" not in name else math.gcd(size, now) if now % size else size


def refuse_large(make: Any) -> None:
    """Raise NotTried for a model that would fill the memory: its size is known on torch's meta device."""
    import torch

    try:
        with torch.device("meta"):
            size = sum(value.numel() for value in make().parameters())
    except Exception:
        return  # its constructor wants real values: then it is built, and tells its own faults
    if size > LARGEST:
        raise NotTried(f"has {size / 1e9:.1f}G parameters, too many to try here")


def parameters_of(called: Any) -> list[inspect.Parameter]:
    """Those that a caller may fill, *args and **kwargs left out."""
    try:
        found = inspect.signature(called).parameters.values()
    except ValueError:  # a builtin without a signature
        return []
    return [item for item in found if item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)]


def said(error: BaseException) -> str:
    line = (str(error).strip().splitlines() or [""])[0]
    return "{}: {}".format(type(error).__name__, line if len(line) < 160 else line[:157] + "...")


def place(error: BaseException, project: str) -> str | None:
    """file:line of the innermost frame in the project."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(project)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None
