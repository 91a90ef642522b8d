"""Each module by itself, fed torch's own input: what one of them does wrong is not blurred by its followers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import nested, npy
from . import randomness, store
from .runs import Summary, new_summary, widened

AT = "at"


def run(subject: Any, job: dict[str, Any]) -> Summary:
    """Call each module that the job names on the arguments that torch recorded.

    job: folder; inputs (the folder in which torch recorded); calls (names of records); noisy (torch's side: measure
    half-ulp noise, and torch's last variant, against what an earlier command without it left).
    A module that raises is left out on torch's side, and told in ``errors`` on the target's, where the file AT names
    the call that is being tried.
    """
    runtime, folder = subject.runtime, Path(job["folder"])
    recorded = store.Reader(Path(job["inputs"]))
    named = dict(runtime.modules(subject.call))
    records = [recorded.find(name) for name in job["calls"]]
    summary = new_summary()
    errors = summary["errors"]

    def each(out: Any, wide: bool, noisy: bool) -> None:
        for record in records:
            if record["name"] in errors:
                continue
            if not runtime.REFERENCE:
                (folder / AT).write_text(record["name"], encoding="utf-8")
            args, kwargs = arguments(runtime, recorded, record, wide, subject.seed if noisy else None)
            try:
                with runtime.no_grad(), randomness.fixed(subject):
                    out.record(record["name"], named[record["module"]](*args, **kwargs), module=record["module"])
            except BaseException as error:  # what was not converted raises no Exception
                if isinstance(error, (KeyboardInterrupt, SystemExit)):
                    raise
                errors[record["name"]] = f"{type(error).__name__}: {error}"

    if not runtime.REFERENCE:
        subject.enter("layers alone")
        own = store.Folder(folder / "own", runtime)
        each(own, False, False)
        own.close()
        return summary
    if not job["noisy"]:
        subject.enter("layers alone: float64")
        written = store.Folder(folder / "exact", runtime)
        with runtime.double(subject.call):
            each(written, True, False)
        written.close()
        return summary
    exact = store.Reader(folder / "exact")
    subject.enter("layers alone: float64 noisy")
    with runtime.double(subject.call), runtime.noise(subject.call, subject.seed):
        each(store.Terms(store.NOISY, exact, recorded, summary, runtime), True, True)
    for name in runtime.VARIANTS[-1:]:
        subject.enter(f"layers alone: {name}")
        with runtime.variant(name, subject.call, (), {}):
            each(store.Terms(name, exact, recorded, summary, runtime), False, False)
    return summary


def arguments(runtime: Any, recorded: Any, record: Any, wide: bool, noise: Any) -> tuple[list[Any], dict[str, Any]]:
    """(args, kwargs) of a recorded call; ``noise``, when not None, is the seed of half-ulp noise on them."""

    def make(key: str) -> Any:
        tensor = runtime.tensor(widened(npy.load(recorded.path / record["inputs"][key]), wide))
        return tensor if noise is None else runtime.noisy(tensor, noise)

    args = [nested.build(node, make) for node in record["positional"]]
    return args, {key: nested.build(node, make) for key, node in record["keywords"].items()}
