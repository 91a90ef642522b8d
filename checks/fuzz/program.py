"""A whole program, out of random choices."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from random import Random

from checks.fuzz import arrays, assigning, classes, containers, creation, data, functions, gradients, layers, training
from checks.fuzz.builder import Builder, Dry

SUBJECTS: dict[str, list[tuple[int, Callable[[Builder], None]]]] = {
    "tensors": [
        (8, assigning.compute),
        (4, assigning.show),
        (2, assigning.unpack),
        (2, creation.create),
        (1, assigning.swap),
        (2, functions.effects),
        (1, functions.lambdas),
        (1, containers.branch),
    ],
    "in place": [
        (5, assigning.change),
        (6, assigning.alias),
        (3, assigning.compute),
        (2, containers.change_held),
        (3, containers.hold),
        (2, containers.loop),
        (1, assigning.change_counts),
        (2, assigning.swap),
        (2, functions.function),
        (1, assigning.unpack),
    ],
    "containers": [
        (4, containers.hold),
        (3, containers.change_held),
        (3, containers.loop),
        (3, containers.comprehend),
        (3, assigning.compute),
        (2, containers.branch),
        (1, assigning.alias),
        (1, assigning.show),
    ],
    "classes": [
        (4, classes.own_class),
        (3, classes.attributes),
        (3, functions.function),
        (2, functions.lambdas),
        (2, assigning.compute),
        (2, assigning.change),
        (2, functions.effects),
        (1, containers.hold),
    ],
    "functions": [
        (4, functions.function),
        (3, functions.lambdas),
        (4, functions.effects),
        (3, assigning.compute),
        (2, assigning.change),
        (2, containers.loop),
        (2, containers.comprehend),
        (1, containers.branch),
    ],
    "gradients": [
        (4, gradients.backward),
        (3, gradients.by_hand),
        (2, gradients.own_function),
        (2, gradients.detach),
        (2, assigning.compute),
        (1, functions.function),
    ],
    "modules": [
        (4, layers.network),
        (2, layers.one_layer),
        (2, layers.table),
        (3, layers.functional),
        (1, assigning.compute),
        (1, assigning.show),
    ],
    "training": [(5, training.train), (1, layers.network), (1, layers.functional), (1, assigning.compute)],
    "data": [(3, data.loader), (1, assigning.compute), (1, creation.create)],
    "numpy": [
        (4, arrays.numpy),
        (3, assigning.compute),
        (2, assigning.change),
        (2, assigning.alias),
        (1, containers.hold),
    ],
    "dtypes": [
        (4, creation.create),
        (6, assigning.compute),
        (5, assigning.show),
        (2, assigning.change_counts),
        (1, functions.function),
        (1, arrays.numpy),
    ],
}
SHARES = {
    "tensors": 5,
    "in place": 6,
    "containers": 3,
    "classes": 3,
    "functions": 3,
    "gradients": 3,
    "modules": 3,
    "training": 3,
    "numpy": 1,
    "data": 1,
    "dtypes": 3,
}
LINES = (8, 26)  # before everything is shown


def program(random: Random, subjects: Sequence[str] = ()) -> str:
    """A program that runs in torch and shows what it computes.

    random:   where all choices come from; hypothesis' own random will do.
    subjects: of ``SHARES``; all where none is given.
    """
    b = Builder(random)
    known = list(subjects or SHARES)
    chosen = random.choices(known, [SHARES[subject] for subject in known])[0]
    creation.begin(b)
    wanted = random.randrange(*LINES)
    for _ in range(40):
        if sum(line.count("\n") + 1 for line in b.lines) >= wanted:
            break
        productions = SUBJECTS[chosen] if b.chance(0.85) else SUBJECTS[b.one(known)]
        write = random.choices([p for _, p in productions], [share for share, _ in productions])[0]
        with contextlib.suppress(Dry):
            write(b)
    finish(b)
    return b.text()


def finish(b: Builder) -> None:
    """Show all that is left."""
    seen = set()
    for text in [*b.pool, *b.plain]:
        if text in seen:
            continue
        seen.add(text)
        try:
            b.value(text)
        except Exception:
            continue
        b.emit(f"show({text})")
