"""How the scripts beside this one answer: a file has the job, and the job says where the answer goes."""

from __future__ import annotations

import json
import os
import sys


class Refused(Exception):
    """What cannot be made; ``mend``: what to do."""

    def __init__(self, message, mend=""):
        super().__init__(message)
        self.mend = mend


def answer(work):
    """Write what ``work(job)`` gives; {"error": ..., "mend": ...} of what it raises, or a tool that it calls."""
    sys.path[0] = os.devnull  # from here on nothing beside the scripts is imported
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    try:
        found = work(job)
    except Exception as error:
        said = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        found = {"error": said, "mend": getattr(error, "mend", "")}
    with open(job["done"], "w", encoding="utf-8") as file:
        json.dump(found, file)
