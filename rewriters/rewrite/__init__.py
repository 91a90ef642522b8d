"""Rewriting one file: every use of torch meets its rule.

What is known of the file is a ``Known``, and where in it the rewriter is, a ``Context``: neither changes
(``known.py``). What becomes of it is a ``Draft`` (``draft.py``), on which all pieces work: the walk over the file
(``walk.py``) hands each statement and expression to the piece that it is for (``calls.py``, ``references.py``,
``operators.py``, ...), and each piece asks the walk to rewrite what is inside.
"""

from rewriters.rewrite.walk import FileRewriter

__all__ = ["FileRewriter"]
