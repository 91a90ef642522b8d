"""The smallest program that still does what a long one was found to do: by syntax, one cut at a time."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

from rewriters.text.parsing import module_of


class Spent(Exception):
    """As many programs as allowed have been tried."""


def shrink(text: str, holds: Callable[[str], bool], tries: int = 250) -> str:
    """Cut statements, then blocks around statements, then parts of expressions, as long as ``holds`` holds.

    tries: programs that are tried at most.
    """
    shrinker = Shrinker(text, holds, tries)
    try:
        before = ""
        while shrinker.text != before:
            before = shrinker.text
            shrinker.statements()
            shrinker.blocks()
            shrinker.expressions()
    except Spent:
        pass  # what was reached is as good as it gets
    return shrinker.text


class Shrinker:
    """text: the smallest so far."""

    def __init__(self, text: str, holds: Callable[[str], bool], tries: int) -> None:
        self.text = ast.unparse(module_of(text)) + "\n"
        self.holds = holds
        self.left = tries
        self.known: set[str] = set()

    def accept(self, tree: ast.Module) -> bool:
        """Whether the tree's program still holds; it is the smallest then."""
        try:
            text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        except ValueError:  # a name by itself within an f-string
            return False
        if text in self.known or len(text) >= len(self.text):
            return False
        if self.left <= 0:
            raise Spent
        self.left -= 1
        self.known.add(text)
        if self.holds(text):
            self.text = text
            return True
        return False

    def statements(self) -> None:
        """Leave out runs of statements, long ones first, from the end."""
        size = max(1, len(module_of(self.text).body) // 2)
        while size:
            for place in range(len(list(bodies(module_of(self.text))))):
                at = 10**6
                while at > 0:
                    tree = module_of(self.text)
                    lists = list(bodies(tree))
                    if place >= len(lists):
                        break
                    body = lists[place]
                    at = min(at, len(body))
                    del body[max(0, at - size) : at]
                    if not body and place:
                        body.append(ast.Pass())
                    self.accept(tree)
                    at -= size
            size //= 2

    def blocks(self) -> None:
        """A block in place of the statement that it stands in."""
        number = 0
        while True:
            tree = module_of(self.text)
            found = [
                (body, at, inner)
                for body in bodies(tree)
                for at, statement in enumerate(body)
                if not isinstance(statement, (ast.FunctionDef, ast.ClassDef))
                for inner in inner_bodies(statement)
            ]
            if number >= len(found):
                return
            body, at, inner = found[number]
            body[at : at + 1] = inner
            if not self.accept(tree):
                number += 1

    def expressions(self) -> None:
        """An expression's part in its place; an argument less."""
        number = 0
        while True:
            change = nth(changes(module_of(self.text)), number)
            if change is None:
                return
            tree, apply = change
            apply()
            if not self.accept(tree):
                number += 1


def bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """All lists of statements, the outermost first."""
    waiting = [tree]
    while waiting:
        node = waiting.pop(0)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                yield block
                waiting += block


def inner_bodies(statement: ast.stmt) -> list[list[ast.stmt]]:
    return [copy.deepcopy(b) for f in ("body", "orelse") if isinstance(b := getattr(statement, f, None), list) and b]


def nth(
    items: Iterator[tuple[ast.Module, Callable[[], None]]], number: int
) -> tuple[ast.Module, Callable[[], None]] | None:
    for at, item in enumerate(items):
        if at == number:
            return item
    return None


def changes(tree: ast.Module) -> Iterator[tuple[ast.Module, Callable[[], None]]]:
    """What could be simpler in the tree, one at a time: (the tree, what makes it so)."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns"):
                continue
            if isinstance(value, ast.expr):
                for part in parts(value):
                    yield tree, lambda p=parent, f=field, v=part: setattr(p, f, v)  # type: ignore[misc]
            elif isinstance(value, list):
                for at, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        if len(value) > 1 or isinstance(parent, ast.Call):
                            yield tree, lambda v=value, a=at: v.pop(a)  # type: ignore[misc]
                        for part in parts(item):
                            yield tree, lambda v=value, a=at, n=part: v.__setitem__(a, n)  # type: ignore[misc]
                    elif isinstance(item, ast.keyword):
                        yield tree, lambda v=value, a=at: v.pop(a)  # type: ignore[misc]


def parts(node: ast.expr) -> list[ast.expr]:
    """Expressions inside of one that could stand for it."""
    if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)) or isinstance(node, (ast.Constant, ast.Name)):
        return []
    if isinstance(node, ast.Call):
        found = [*node.args, *(word.value for word in node.keywords)]
        return found + ([node.func.value] if isinstance(node.func, ast.Attribute) else [])
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
