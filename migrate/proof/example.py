"""One call of a torch name, before and after: chosen from the samples that agree."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrate.proof.run import Proved, printed, same_method
from migrate.proof.samples import COMPOSED
from rewriters.report import Outcome
from rewriters.text.parsing import module_of

FEW = 2  # samples of an entry and dtype: the first are its plain ones
WIDEST = 160  # characters that are read at a glance
BODY = 4  # the line of a printed sample on which its first body begins
PLAIN = frozenset({"function", "method", "property", "operator", "in-place"})


def example(name: str, rows: Iterable[Proved]) -> list[str]:
    """[a call of the name, what became of it] in the plainest of these samples that shows it; empty when none does."""
    places = [(row, place) for row in rows if (place := place_of(name, row)) is not None]
    for row, place in sorted(places, key=lambda item: plainness(name, item[0])):
        texts = pair(row, *place)
        if texts and max(map(len, texts)) <= WIDEST:
            return list(texts)
    return []


def plainness(name: str, row: Proved) -> tuple[bool | int | str, ...]:
    """What comes first is shown: an ordinary sample, converted in place, of this name alone, and short."""
    form = row.form
    outcomes = {outcome for api, outcome, _ in row.sites if api == name}
    own = 3 if form.key != name else 2 if form.body is not None else 0 if form.kind in PLAIN else 1
    length = len(form.text) + len(form.body or "")
    return (
        not ordinary(row),
        scalar(row),
        Outcome.HELPER in outcomes,
        Outcome.SAME in outcomes,
        own,
        length,
        form.text,
        form.sample,
    )


def ordinary(row: Proved) -> bool:
    """Whether it is of a sample that a record is best illustrated by."""
    number, source = int(row.form.sample.rpartition(":")[2]), row.form.source
    special = source == "variations" or (source == "opinfo" and row.form.dtype != "float32")
    return number < FEW and not special and not scalar(row)


def scalar(row: Proved) -> bool:
    """Whether its tensors are all 0-d: rules have much shorter answers for those."""
    shapes = [place[2] for place in row.form.record["tensors"].values()]
    return bool(shapes) and not any(shapes)


def place_of(name: str, row: Proved) -> tuple[int, int] | None:
    """Where in the printed sample the name stands; a call of one name may be filed under another."""
    if row.form.group == COMPOSED or row.form.kind.endswith("starred"):
        return None
    if row.form.body is None and row.form.key == name:
        return next((place for api, place in row.places.items() if same_method(api, name)), None)
    return row.places.get(name)


def pair(row: Proved, line: int, column: int) -> tuple[str, str] | None:
    """The statement at that place and the one that it became, each in a line; None where they cannot be told."""
    before, after = "".join(printed(0, row.form)), row.converted
    if row.form.body is None:
        return row.form.text, whole(after)
    functions = [node for node in module_of(before).body if isinstance(node, ast.FunctionDef)]
    old = [node for function in functions for node in statements(function.body)]
    new = statements(module_of(after).body)
    if [type(node) for node in old] != [type(node) for node in new]:
        return None  # a statement more: which one it became is not to be seen
    for one, other in reversed([*zip(old, new, strict=True)]):
        if one.lineno <= line + BODY <= last_line(one):
            part, became = narrowed(shown(one), shown(other), (line + BODY, column))
            return text_of(part, before), text_of(became, after)
    return None


def shown(node: ast.stmt) -> ast.stmt | ast.expr:
    """Of a returned value the value."""
    return node.value if isinstance(node, ast.Return) and node.value is not None else node


def narrowed(
    one: ast.stmt | ast.expr, other: ast.stmt | ast.expr, place: tuple[int, int]
) -> tuple[ast.stmt | ast.expr, ast.stmt | ast.expr]:
    """Of values that stand beside each other the one that holds the place, and what that became."""
    while isinstance(one, (ast.Tuple, ast.List)) and isinstance(other, type(one)) and len(one.elts) == len(other.elts):
        held = [i for i, part in enumerate(one.elts) if (part.lineno, part.col_offset) <= place]
        if not held:
            break
        one, other = one.elts[held[-1]], other.elts[held[-1]]
    if isinstance(one, ast.Starred) and isinstance(other, ast.Starred):
        return one.value, other.value
    return one, other


def last_line(node: ast.stmt) -> int:
    """Of a block's head, or of a statement."""
    within = getattr(node, "body", None)
    return max(node.lineno, within[0].lineno - 1) if within else node.end_lineno or node.lineno


def whole(text: str) -> str:
    """All that a call became: a statement that writes, and what is returned unless that is a name alone."""
    body = module_of(text).body
    named = len(body) > 1 and isinstance(body[-1], ast.Return) and isinstance(body[-1].value, ast.Name)
    return "; ".join(text_of(shown(node), text) for node in body[: -1 if named else None])


def statements(body: Iterable[ast.stmt]) -> list[ast.stmt]:
    """All of them in the order of the text, those within others too."""
    found: list[ast.stmt] = []
    for node in body:
        found.append(node)
        for block in (node, *getattr(node, "handlers", [])):
            for inner in ("body", "orelse", "finalbody"):
                found += statements(getattr(block, inner, []))
    return found


def text_of(node: ast.stmt | ast.expr, text: str) -> str:
    """In a line; of a block its head."""
    if isinstance(node, ast.stmt) and hasattr(node, "body"):
        lines = text.split("\n")[node.lineno - 1 : last_line(node)]
        return " ".join(line.strip() for line in lines)
    found = ast.get_source_segment(text, node) or ""
    return found if "\n" not in found else ast.unparse(node)
