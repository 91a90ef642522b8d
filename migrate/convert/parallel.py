"""Converting a project's components: known ones come from the cache, the others are shared among processes."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path, PurePosixPath

from migrate.convert import cache
from migrate.convert.deep import with_deep_stack
from migrate.convert.forks import Forks, apart
from migrate.errors import Unusable
from rewriters.component import Part, convert_part
from rewriters.convert import Conversion, assemble, split
from rewriters.homes import package_folders
from rewriters.infer.lanes import Ended
from rewriters.rewrite.helper_module import helper_text
from rewriters.rules.rulebook import Rulebook, load_rulebook
from rewriters.target import Target, load_target
from rewriters.workers import Workers

Sources = Mapping[PurePosixPath, bytes]
WORTH_COLLECTING = 4_000_000  # bytes of source
uncollected = 0
# Less than this is done sooner than a second process has started.
WORTH_A_PROCESS = 400_000  # bytes of source
# More than this is rewritten by several processes.
WORTH_SHARING = 4_000_000  # bytes of source


def convert_all(
    sources: Sources,
    target: Target,
    package: str,
    rules: tuple[Path, ...],
    jobs: int,
    progress: Callable[[str], None],
    static: bool = False,
    assume: tuple[str, ...] = (),
) -> Conversion:
    """The conversion of all sources. Raises RuleError.

    jobs: processes to use at most.
    """
    book = load_rulebook(target.folder, rules)  # an unreadable rule is one error, not one in each process
    folders = package_folders(sources)
    groups = [{path: sources[path] for path in group} for group in split(sources, package)]
    keys = [cache.key_of(group, target, package, rules, folders, static, assume) for group in groups]
    known = {index: part for index, key in enumerate(keys) if (part := cache.load(key)) is not None}
    for index in known:
        tell(groups[index], progress)
    parts = dict(known)
    missing = [index for index in range(len(groups)) if index not in parts]
    # Long ones first, so that no process is left with one at the end.
    missing.sort(key=lambda index: -size_of(groups[index]))

    def converted(index: int, jobs: int = 1) -> Part:
        return convert_kept(keys[index], groups[index], target, package, rules, folders, static, Forks(jobs), assume)

    def convert_here(index: int) -> None:
        parts[index] = converted(index)
        tell(groups[index], progress)

    # A very long one is shared among processes itself, before others are started, and leaves nothing here.
    while missing and size_of(groups[missing[0]]) > WORTH_SHARING:
        index = missing.pop(0)
        try:
            parts[index] = apart(partial(converted, index, jobs))
        except Ended as error:
            raise Unusable(
                f"{error}, twice",
                "the system ends processes where memory is short: convert with more of it free, or folder by folder",
            ) from error
        tell(groups[index], progress)
    todo = sum(size_of(groups[index]) for index in missing)
    if jobs > 1 and len(missing) > 1 and todo > WORTH_A_PROCESS:
        name = str(target.folder)
        with ProcessPoolExecutor(jobs - 1, mp_context=get_context("spawn")) as pool:
            waiting = {
                index: pool.submit(
                    convert_named, keys[index], groups[index], name, package, rules, folders, static, assume
                )
                for index in missing
            }
            # This process works too, from the other end: the others take a while to start.
            for index in reversed(missing):
                if waiting[index].cancel():
                    convert_here(index)
            for index, future in waiting.items():
                if not future.cancelled():
                    parts[index] = future.result()
                    tell(groups[index], progress)
    else:
        for index in missing:
            convert_here(index)
    if len(known) < len(groups):
        cache.forget_old()
    return assemble(
        (parts[index] for index in range(len(groups))),
        sources,
        target,
        lambda names, stand_in: kept_helper_text(target, rules, book, names, stand_in),
    )


def kept_helper_text(
    target: Target, rules: tuple[Path, ...], book: Rulebook, names: frozenset[str], stand_in: bool
) -> str:
    """``helper_text``, remembered."""
    key = cache.key_of_helpers(target, rules, names, stand_in)
    text = cache.load_text(key)
    if text is None:
        text = helper_text(target, book, names, stand_in)
        cache.save_text(key, text)
    return text


def convert_named(
    key: str,
    sources: Sources,
    target: str,
    package: str,
    rules: tuple[Path, ...],
    folders: frozenset[PurePosixPath],
    static: bool,
    assume: tuple[str, ...],
) -> Part:
    """``convert_kept`` in another process, which loads the target by its folder's path."""
    return convert_kept(key, sources, load_target(target), package, rules, folders, static, Forks(1), assume)


def convert_kept(
    key: str,
    sources: Sources,
    target: Target,
    package: str,
    rules: tuple[Path, ...],
    folders: frozenset[PurePosixPath],
    static: bool,
    workers: Workers,
    assume: tuple[str, ...],
) -> Part:
    """``convert_apart``, remembered under the key."""
    part = convert_apart(sources, target, package, rules, folders, static, workers, assume)
    cache.save(key, part)
    return part


def convert_apart(
    sources: Sources,
    target: Target,
    package: str,
    rules: tuple[Path, ...],
    folders: frozenset[PurePosixPath],
    static: bool,
    workers: Workers,
    assume: tuple[str, ...] = (),
) -> Part:
    """``convert_part`` for trees as deep as they come, without the garbage collector's passes over them: a sixth of the
    time. What components leave behind is collected before the next, once that is worth it.
    """
    global uncollected
    collects = gc.isenabled()
    gc.disable()
    try:
        if collects and uncollected > WORTH_COLLECTING:
            gc.collect()
            uncollected = 0
        uncollected += size_of(sources)
        return with_deep_stack(lambda: convert_part(sources, target, package, rules, folders, static, workers, assume))
    finally:
        if collects:
            gc.enable()


def size_of(sources: Sources) -> int:
    return sum(map(len, sources.values()))


def tell(group: Sources, progress: Callable[[str], None]) -> None:
    for path in group:
        progress(str(path))
