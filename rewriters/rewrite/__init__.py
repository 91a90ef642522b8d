"""Rewriting one file: every use of torch meets its rule.

The rewriter of one file is one object, whose class is built up file by file: marks, resolving, naming, placing, calls,
references, walk.
"""

from rewriters.rewrite.walk import FileRewriter

__all__ = ["FileRewriter"]
