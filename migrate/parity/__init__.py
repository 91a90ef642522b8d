"""Runs a model in torch and in the target, with the same weights and inputs, and compares what both compute.

``request`` says what is to be run. ``session`` has the two processes, ``lane`` one of them; ``sides`` tells them what
to do for one conversion, ``check`` makes levels of their answers, ``run`` a report. ``levels`` makes the rows of each
level out of what the sides left, ``layers`` finds the first layer that diverges, ``culprits`` names it with its cause.
``state`` carries the weights over, ``training`` the default optimizers; ``failures`` puts a side that did not come to
its end into words.
The sides themselves are ``checks/worker/side/``.
"""

from migrate.parity.request import Request
from migrate.parity.run import check_parity, compare
from migrate.parity.session import Kept, Session

__all__ = ["Kept", "Request", "Session", "check_parity", "compare"]
