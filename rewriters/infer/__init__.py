"""Inference: what every expression of a project may be, by abstract interpretation of its syntax trees.

Flow-sensitive within a function, joined over call sites between functions, to a fixpoint over the whole project. Each
expression node gets its value as the attribute ``v``. Nothing is guessed: what does not follow is Unknown.

The interpreter of one module is one object, whose class is built up file by file: names, narrowing, attributes,
libraries, torch_calls, calls, functions, expressions, imports, definitions, statements.
"""

from rewriters.infer.project import Project

__all__ = ["Project"]
