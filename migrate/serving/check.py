"""``migrate check`` of what is served: what a server answers, against torch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from checks.parity.report import Report
from migrate.environments import Interpreter
from migrate.errors import Unusable
from migrate.export import check as exported
from migrate.export.manifest import Manifest
from migrate.parity.session import Other
from migrate.serving.config import TYPES
from migrate.serving.rows import batch_axis
from migrate.serving.server import LOADS, running, served
from migrate.serving.worker.client import Client, ServerError, described

ASKS = Path(__file__).parent / "worker" / "ask_server.py"


def check(
    source: Path, folder: Path, url: str | None, given: Mapping[str, Any],
    on_stage: Callable[[str], None] = lambda stage: None,
) -> Report:  # fmt: skip
    """Compare what a server answers for the model of a repository; without ``url``, one that is started for it.

    given: as ``migrate.export.check.plan`` takes it. Raises Unusable.
    """
    with opened(folder, url, on_stage) as (where, manifest):
        assert manifest.serving is not None
        told = {**manifest.serving, "url": where, "timeout": given.get("timeout") or 600.0}
        here = Interpreter("triton", Path(sys.executable), "", {}, "the interpreter that runs migrate")
        found = exported.Against(
            folder,
            replace(manifest, format=told["format"], serving=told),
            Other("triton", f"the server at {where}" if url else "Triton", here, exported.PLAIN),
            ASKS,
        )
        return exported.check(source, found, {**given, "sizes": sizes(manifest, given.get("sizes"))}, on_stage)


@contextmanager
def opened(
    folder: Path, url: str | None, on_stage: Callable[[str], None], timeout: float = LOADS
) -> Iterator[tuple[str, Manifest]]:
    """(the address of a server that has the repository's model, its manifest): ``url``, or one that is started for it.

    timeout: seconds that loading may take. Raises Unusable.
    """
    if url is not None:
        manifest = served(folder)
        see_model(folder, manifest, url)
        yield url, manifest
        return
    with running(folder, timeout=timeout, on_stage=on_stage) as server:
        see_model(folder, server.manifest, server.url)
        yield server.url, server.manifest


def see_model(folder: Path, manifest: Manifest, url: str) -> None:
    """Raises Unusable where the server does not have the repository's model, ready, with its inputs and outputs."""
    assert manifest.serving is not None
    batch, name = bool(manifest.serving["batch"]), manifest.serving["model"]
    there = model_of(url, name)
    for side, items in (("inputs", manifest.inputs), ("outputs", manifest.outputs)):
        wanted = [described(as_served(item, batch)) for item in items]
        found = [described(item) for item in there[side]]
        if sorted(wanted) != sorted(found):
            raise Unusable(
                f"{url} has another {name}: its {side} are {', '.join(found)}; {folder} has {', '.join(wanted)}",
                "serve this folder",
            )


def model_of(url: str, name: str) -> dict[str, Any]:
    """What the server says of the model. Raises Unusable: it is down, it is not ready, it does not have it."""
    try:
        with Client(url, 30.0) as client:
            if not client.ready():
                raise Unusable(f"{url}: the server is there, but not ready", "wait until its models are loaded")
            found: dict[str, Any] = client.model(name)
            return found
    except ServerError as error:
        mend = "see what it loads, and its log" if error.status else "start one: migrate serve DIR; or give its address"
        raise Unusable(error.message, mend) from None


def as_served(item: Mapping[str, Any], batch: bool) -> dict[str, Any]:
    """A tensor of the manifest as a server tells it."""
    sizes = [size if isinstance(size, int) else -1 for size in item["shape"]]
    bare = len(sizes) == (1 if batch else 0)
    return {"name": item["name"], "datatype": TYPES[item["dtype"]], "shape": [*sizes, *([1] if bare else [])]}


def as_sent(manifest: Manifest, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs as a server takes them: those without axes of their own get one."""
    assert manifest.serving is not None
    bare = 1 if manifest.serving["batch"] else 0
    named = {item["name"]: len(item["shape"]) == bare for item in manifest.inputs}
    return {name: array.reshape([*array.shape, 1]) if named[name] else array for name, array in inputs.items()}


def sizes(manifest: Manifest, asked: list[str] | None) -> list[str]:
    """Of the free axes: those that were asked for, else those of any check, as far as batches may be so large.

    Raises Unusable: a batch larger than that.
    """
    assert manifest.serving is not None
    largest, (axis, _) = manifest.serving["batch"], batch_axis(manifest)
    if not largest or axis not in manifest.sizes:
        return asked or []
    found = [choice[axis] for choice in exported.choices(manifest, asked or [])]
    if max(found) <= largest:
        return asked or []
    if asked:
        raise Unusable(
            f"--size {axis}={max(found)}: the model is served in batches of {largest} at most",
            f"a smaller one, or export with --max-batch {max(found)}",
        )
    return [f"{axis}={','.join(map(str, sorted({min(size, largest) for size in found})))}"]
