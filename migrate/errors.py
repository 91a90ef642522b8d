"""Errors that end a command with exit code 2 and say what to do."""

from __future__ import annotations


class Unusable(Exception):
    """Bad usage or bad input.

    message: what is wrong, naming the file (and line) where there is one.
    mend:    what to do about it, a command where possible.
    """

    def __init__(self, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend
